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

/* The canonical view of the limbs, valid until they change. */
struct zs_limbs_view zs_limbs_canonical(const struct zs_exact_limbs *limbs);

/* Adds n > 0 limbs that begin at limb base, the last one signed; they may not be the limbs'
** own. ZS_NOMEM, ZS_OVERFLOW leave the limbs unchanged. */
ZS_CHECKED int zs_limbs_add(struct zs_exact_limbs *limbs, const struct zs_alloc *alloc,
    int32_t base, const uint64_t *addend, uint32_t n);

/* Replaces the limbs by n others, within the range above, the last one signed. ZS_NOMEM leaves
** them unchanged. */
ZS_CHECKED int zs_limbs_set(struct zs_exact_limbs *limbs, const struct zs_alloc *alloc,
    int32_t base, const uint64_t *data, uint32_t n);

/* All ones where the highest bit of the limb is set, else zero. */
static inline uint64_t zs_limb_sign(uint64_t limb)
{
    return (uint64_t)0 - (limb >> 63);
}

#endif
