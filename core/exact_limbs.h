/* The finite part of an exact sum: a sparse two's complement fixed-point integer. Private to
** exact*.c. Limb i weighs 2^(64 i); limbs before 0 hold fractions. */
#ifndef ZS_EXACT_LIMBS_H
#define ZS_EXACT_LIMBS_H

#include "core/exact.h"

enum {
    ZS_LIMB_LOWEST = -17, /* 2^-1088, below the least double, 2^-1074 */
    ZS_LIMB_END = 23,     /* one past the limb that holds 2^1471 */
    ZS_LIMBS_MAX = ZS_LIMB_END - ZS_LIMB_LOWEST,
};

/* Limbs base .. base + len - 1, the last one signed; beyond it its sign repeats. Canonical: the
** first is not zero and the last does not merely repeat the sign of the one before; zero has
** len 0 and base 0. */
struct zs_limbs_view {
    const uint64_t *data; /* borrowed from the limbs */
    int32_t base;
    uint32_t len;
};

/* Adds n > 0 limbs that begin at limb base, the last one signed; they may not be the limbs'
** own. ZS_NOMEM, ZS_OVERFLOW leave the limbs unchanged. */
ZS_CHECKED int zs_limbs_add(struct zs_exact_limbs *limbs, const struct zs_alloc *alloc,
    int32_t base, const uint64_t *addend, uint32_t n);

/* Makes limbs, which are zero, n limbs within the range above, for the caller to fill, the last
** one signed. ZS_NOMEM leaves them unchanged. */
ZS_CHECKED int zs_limbs_make(struct zs_exact_limbs *limbs, const struct zs_alloc *alloc,
    int32_t base, uint32_t n, uint64_t **data);

/* All ones where the highest bit of the limb is set, else zero. */
static inline uint64_t zs_limb_sign(uint64_t limb)
{
    return (uint64_t)0 - (limb >> 63);
}

/* The canonical view of the limbs, valid until they change. */
static inline struct zs_limbs_view zs_limbs_canonical(const struct zs_exact_limbs *limbs)
{
    struct zs_limbs_view view = {
        limbs->wide != NULL ? limbs->wide : limbs->narrow, limbs->base, limbs->len};

    while (view.len > 0 && view.data[0] == 0) {
        view.data++;
        view.base++;
        view.len--;
    }
    while (view.len > 1 && view.data[view.len - 1] == zs_limb_sign(view.data[view.len - 2]))
        view.len--;
    if (view.len == 0)
        view.base = 0;
    return view;
}

#endif
