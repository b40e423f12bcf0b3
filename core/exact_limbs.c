/* A sparse two's complement fixed-point integer.
**
** Only a window of limbs is kept. Below it all limbs are zero, above it all repeat the sign of
** its last limb; a zero may have a window of no limbs. The window grows to cover each addend
** and is trimmed when it is read, or before it would grow out of the memory it has: six limbs
** in place (values that span 2^64, each with a weight of 63 bits, take five), then all there
** can be, in one allocation. One limb is always spare for the carry, so an addition that has
** begun can't fail. */
#include "core/exact_limbs.h"

#include <string.h>

enum {
    narrow_cap = sizeof(((struct zs_exact_limbs *)NULL)->narrow) / sizeof(uint64_t),
};

static inline uint64_t *data_of(struct zs_exact_limbs *limbs)
{
    return limbs->wide != NULL ? limbs->wide : limbs->narrow;
}

static uint64_t sign_of(struct zs_limbs_view view)
{
    return view.len == 0 ? 0 : zs_limb_sign(view.data[view.len - 1]);
}

/* Moves what view shows to the window [base, end), which covers it, in data. */
static void place(struct zs_exact_limbs *limbs, uint64_t *data, struct zs_limbs_view view,
    int32_t base, int32_t end)
{
    uint64_t fill = sign_of(view);
    uint32_t before = view.len == 0 ? 0 : (uint32_t)(view.base - base);

    memmove(data + before, view.data, view.len * sizeof(*data));
    memset(data, 0, before * sizeof(*data));
    limbs->base = base;
    limbs->len = (uint32_t)(end - base);
    for (uint32_t i = before + view.len; i < limbs->len; i++)
        data[i] = fill;
}

/* Makes the window cover [base, end) and leaves a limb spare. */
static int cover(
    struct zs_exact_limbs *limbs, const struct zs_alloc *alloc, int32_t base, int32_t end)
{
    struct zs_limbs_view view = zs_limbs_canonical(limbs);
    uint64_t *wide = limbs->wide;

    if (view.len > 0 && view.base < base)
        base = view.base;
    if (view.len > 0 && view.base + (int32_t)view.len > end)
        end = view.base + (int32_t)view.len;
    if (end >= ZS_LIMB_END)
        return ZS_OVERFLOW;
    if (wide == NULL && end - base >= narrow_cap) {
        wide = zs_alloc_get(alloc, ZS_LIMBS_MAX * sizeof(*wide));
        if (wide == NULL)
            return ZS_NOMEM;
    }
    place(limbs, wide != NULL ? wide : limbs->narrow, view, base, end);
    limbs->wide = wide;
    return ZS_OK;
}

static bool is_covered(const struct zs_exact_limbs *limbs, int32_t base, int32_t end)
{
    int32_t window_end = limbs->base + (int32_t)limbs->len;
    return base >= limbs->base && end <= window_end && window_end < ZS_LIMB_END &&
           (limbs->wide != NULL || limbs->len < narrow_cap);
}

/* Returns the carry. */
static inline uint64_t add_limb(uint64_t *limb, uint64_t addend, uint64_t carry)
{
    uint64_t sum;
    bool is_full = __builtin_add_overflow(addend, carry, &sum);

    return __builtin_add_overflow(*limb, sum, limb) | is_full;
}

int zs_limbs_add(struct zs_exact_limbs *limbs, const struct zs_alloc *alloc, int32_t base,
    const uint64_t *addend, uint32_t n)
{
    uint64_t fill = zs_limb_sign(addend[n - 1]);
    uint64_t carry = 0;
    uint64_t *data;
    uint64_t old_top;
    uint32_t i;

    if (!is_covered(limbs, base, base + (int32_t)n)) {
        int rc = cover(limbs, alloc, base, base + (int32_t)n);
        if (rc != ZS_OK)
            return rc;
    }
    data = data_of(limbs);
    old_top = data[limbs->len - 1];
    i = (uint32_t)(base - limbs->base);
    for (uint32_t j = 0; j < n; i++, j++)
        carry = add_limb(&data[i], addend[j], carry);
    /* fill + carry is 0 when nothing is left to add: 0 + 0, or all ones + 1. */
    for (; i < limbs->len && fill + carry != 0; i++)
        carry = add_limb(&data[i], fill, carry);
    /* Two of one sign whose sum has the other: the sign moves to the spare limb. */
    if (((old_top ^ data[limbs->len - 1]) & ~(old_top ^ fill)) >> 63 != 0)
        data[limbs->len++] = fill;
    return ZS_OK;
}

int zs_limbs_make(struct zs_exact_limbs *limbs, const struct zs_alloc *alloc, int32_t base,
    uint32_t n, uint64_t **data)
{
    if (limbs->wide == NULL && n > narrow_cap) {
        limbs->wide = zs_alloc_get(alloc, ZS_LIMBS_MAX * sizeof(**data));
        if (limbs->wide == NULL)
            return ZS_NOMEM;
    }
    *data = data_of(limbs);
    limbs->base = base;
    limbs->len = n;
    return ZS_OK;
}
