/* The exact sum of doubles and integers: an abelian group, rounded once when read.
**
** Whatever is added can be taken back with nothing left over, in any order. Finite addends go
** into a sparse fixed-point integer that covers every double; infinities are counted by sign,
** integers and reals are counted apart so that a reader knows what was added. NaN is counted
** too. Serialised, a sum of finite values that span less than 2^64 in magnitude takes at most
** 64 bytes (ten more for each of NaN and the infinities that is in it). The serialised form is
** canonical (equal sums of equal counts have equal bytes); its format, version 1, is in
** exact_format.c. */
#ifndef ZS_EXACT_H
#define ZS_EXACT_H

#include "core/buffer.h"

struct zs_exact {
    const struct zs_alloc *alloc; /* borrowed */
    int64_t n_integers;           /* how many integers, by weight */
    int64_t n_reals;              /* how many reals, NaN and infinities included */
    int64_t n_nan;
    int64_t n_plus_infinity;
    int64_t n_minus_infinity;
    /* The finite part, private: see exact.c. */
    struct zs_exact_limbs {
        int32_t base;
        uint32_t len;
        uint64_t narrow[6];
        uint64_t *wide;
    } limbs;
};

/* Zero; owns nothing yet and cannot fail. */
static inline void zs_exact_init(struct zs_exact *exact, const struct zs_alloc *alloc)
{
    exact->alloc = alloc;
    exact->n_integers = 0;
    exact->n_reals = 0;
    exact->n_nan = 0;
    exact->n_plus_infinity = 0;
    exact->n_minus_infinity = 0;
    exact->limbs.base = 0;
    exact->limbs.len = 0;
    exact->limbs.wide = NULL;
}

/* Frees; back to zero. */
static inline void zs_exact_clear(struct zs_exact *exact)
{
    if (exact->limbs.wide != NULL)
        zs_alloc_free(exact->alloc, exact->limbs.wide);
    zs_exact_init(exact, exact->alloc);
}

/* Is NaN or an infinity in it? */
static inline bool zs_exact_has_specials(const struct zs_exact *exact)
{
    return (exact->n_nan | exact->n_plus_infinity | exact->n_minus_infinity) != 0;
}

/* Adds value times weight (weight may be negative). ZS_OVERFLOW where a count leaves 64 bits or
** the finite part 2^1400 (which takes 2^300 additions of the largest double), ZS_NOMEM; both
** leave the sum unchanged. O(1) amortised where magnitudes do not vary wildly. */
ZS_CHECKED int zs_exact_add_integer(struct zs_exact *exact, int64_t value, int64_t weight);
ZS_CHECKED int zs_exact_add_real(struct zs_exact *exact, double value, int64_t weight);
ZS_CHECKED int zs_exact_add(struct zs_exact *exact, const struct zs_exact *other);

/* The sum rounded to nearest, ties to even; a zero sum reads +0.0; an overflow past the largest
** double reads as infinity; NaN where NaN or infinities of both signs are in it. */
double zs_exact_read_real(const struct zs_exact *exact);

/* The finite part as an integer, false where it is none or leaves int64. */
bool zs_exact_read_integer(const struct zs_exact *exact, int64_t *value);

bool zs_exact_is_zero(const struct zs_exact *exact); /* counts and sum */

/* Self-delimiting. read replaces exact, which was initialised; ZS_CORRUPT for bytes that no
** append wrote, ZS_NOMEM; then exact is unchanged. */
ZS_CHECKED int zs_exact_append(const struct zs_exact *exact, struct zs_buffer *out);
ZS_CHECKED int zs_exact_read(struct zs_bytes bytes, size_t *at, struct zs_exact *exact);

#endif
