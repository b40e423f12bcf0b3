/* Exact sums: what is counted, how addends enter the limbs, and the one rounding. */
#include "core/exact.h"

#include <math.h>
#include <string.h>

#include "core/exact_limbs.h"

/* The parts of a double (IEEE 754 binary64): sign, exponent, mantissa. */
enum {
    mantissa_bits = 52,
    exponent_mask = 0x7ff,
    lowest_bit = -64 * ZS_LIMB_LOWEST,
};
static const uint64_t mantissa_mask = ((uint64_t)1 << mantissa_bits) - 1;

void zs_exact_init(struct zs_exact *exact, const struct zs_alloc *alloc)
{
    *exact = (struct zs_exact){.alloc = alloc};
}

void zs_exact_clear(struct zs_exact *exact)
{
    zs_alloc_free(exact->alloc, exact->limbs.wide);
    zs_exact_init(exact, exact->alloc);
}

int zs_exact_add_integer(struct zs_exact *exact, int64_t value, int64_t weight)
{
    __int128 product = (__int128)value * weight;
    uint64_t addend[2] = {(uint64_t)product, (uint64_t)(product >> 64)};
    uint32_t n = addend[1] == zs_limb_sign(addend[0]) ? 1 : 2;
    int64_t n_integers;
    int rc = ZS_OK;

    if (__builtin_add_overflow(exact->n_integers, weight, &n_integers))
        return ZS_OVERFLOW;
    if (product != 0)
        rc = zs_limbs_add(&exact->limbs, exact->alloc, 0, addend, n);
    if (rc == ZS_OK)
        exact->n_integers = n_integers;
    return rc;
}

static uint64_t magnitude(int64_t weight)
{
    return weight < 0 ? (uint64_t)0 - (uint64_t)weight : (uint64_t)weight;
}

/* Adds product * 2^position units of 2^-1088. A product has at most 53 + 63 bits, so that
** shifted within a limb it fits three limbs and a sign. */
static int add_product(
    struct zs_exact *exact, unsigned __int128 product, unsigned position, bool is_negative)
{
    unsigned shift = position % 64;
    unsigned __int128 low = product << shift;
    uint64_t high = shift == 0 ? 0 : (uint64_t)(product >> (128 - shift));
    uint64_t addend[3];

    if (is_negative) {
        high = ~high + (low == 0);
        low = -low;
    }
    addend[0] = (uint64_t)low;
    addend[1] = (uint64_t)(low >> 64);
    addend[2] = high;
    return zs_limbs_add(&exact->limbs, exact->alloc, ZS_LIMB_LOWEST + (int32_t)(position / 64),
        addend, high == zs_limb_sign(addend[1]) ? 2 : 3);
}

static int add_special(struct zs_exact *exact, double value, int64_t weight)
{
    int64_t *n = value != value ? &exact->n_nan
                 : value > 0    ? &exact->n_plus_infinity
                                : &exact->n_minus_infinity;
    int64_t sum;

    if (__builtin_add_overflow(*n, weight, &sum))
        return ZS_OVERFLOW;
    *n = sum;
    return ZS_OK;
}

/* A finite value is mantissa * 2^(exponent - 1075), with the hidden bit where it is normal. */
static int add_finite(struct zs_exact *exact, uint64_t bits, int64_t weight)
{
    uint64_t mantissa = bits & mantissa_mask;
    unsigned exponent = (unsigned)(bits >> mantissa_bits) & exponent_mask;

    if (exponent == 0)
        exponent = 1;
    else
        mantissa |= mantissa_mask + 1;
    if (mantissa == 0 || weight == 0)
        return ZS_OK;
    return add_product(exact, (unsigned __int128)mantissa * magnitude(weight),
        exponent - 1075 + lowest_bit, (bits >> 63 != 0) != (weight < 0));
}

int zs_exact_add_real(struct zs_exact *exact, double value, int64_t weight)
{
    uint64_t bits;
    int64_t n_reals;
    int rc;

    memcpy(&bits, &value, sizeof(bits));
    if (__builtin_add_overflow(exact->n_reals, weight, &n_reals))
        return ZS_OVERFLOW;
    if (((bits >> mantissa_bits) & exponent_mask) == exponent_mask)
        rc = add_special(exact, value, weight);
    else
        rc = add_finite(exact, bits, weight);
    if (rc == ZS_OK)
        exact->n_reals = n_reals;
    return rc;
}

int zs_exact_add(struct zs_exact *exact, const struct zs_exact *other)
{
    struct zs_limbs_view view = zs_limbs_canonical(&other->limbs);
    struct zs_exact sum = *exact;
    uint64_t addend[ZS_LIMBS_MAX]; /* a copy, as other may be exact itself */
    int rc = ZS_OK;

    if (__builtin_add_overflow(exact->n_integers, other->n_integers, &sum.n_integers) ||
        __builtin_add_overflow(exact->n_reals, other->n_reals, &sum.n_reals) ||
        __builtin_add_overflow(exact->n_nan, other->n_nan, &sum.n_nan) ||
        __builtin_add_overflow(
            exact->n_plus_infinity, other->n_plus_infinity, &sum.n_plus_infinity) ||
        __builtin_add_overflow(
            exact->n_minus_infinity, other->n_minus_infinity, &sum.n_minus_infinity))
        return ZS_OVERFLOW;
    if (view.len > 0) {
        memcpy(addend, view.data, view.len * sizeof(*addend));
        rc = zs_limbs_add(&sum.limbs, sum.alloc, view.base, addend, view.len);
    }
    if (rc == ZS_OK)
        *exact = sum;
    return rc;
}

/* The 64 bits of a magnitude that begin at bit 64 * base + at, zeros outside of it. */
static uint64_t bits_at(const uint64_t *data, uint32_t len, int at)
{
    int limb = at >= 0 ? at / 64 : -((63 - at) / 64);
    int shift = at - 64 * limb;
    uint64_t low = limb >= 0 && limb < (int)len ? data[limb] : 0;
    uint64_t high = limb + 1 >= 0 && limb + 1 < (int)len ? data[limb + 1] : 0;

    return shift == 0 ? low : low >> shift | high << (64 - shift);
}

/* Is any bit below bit at set? The first limb is not zero, so only the limb of at needs a look
** where it is the first. */
static bool is_any_below(const uint64_t *data, int at)
{
    if (at <= 0)
        return false;
    return at >= 64 || (data[0] & (((uint64_t)1 << at) - 1)) != 0;
}

/* The bits of the double nearest to a magnitude, ties to even. Its first limb is not zero, its
** last may be. */
static uint64_t round_magnitude(const uint64_t *data, int32_t base, uint32_t len)
{
    int last = data[len - 1] != 0 ? (int)len - 1 : (int)len - 2;
    int top = 64 * last + 63 - __builtin_clzll(data[last]);
    int least = -1074 - 64 * base; /* the last bit that a double can have */
    int low = top - mantissa_bits > least ? top - mantissa_bits : least;
    int exponent = low - least;
    uint64_t mantissa = bits_at(data, len, low);
    bool is_half = (bits_at(data, len, low - 1) & 1) != 0;

    if (exponent >= exponent_mask - 1)
        return (uint64_t)exponent_mask << mantissa_bits;
    if (is_half && (is_any_below(data, low - 1) || (mantissa & 1) != 0))
        mantissa++;
    /* The hidden bit, and a carry out of the mantissa, count the exponent up. */
    return ((uint64_t)exponent << mantissa_bits) + mantissa;
}

static double round_limbs(struct zs_limbs_view view)
{
    uint64_t sign = zs_limb_sign(view.data[view.len - 1]);
    uint64_t data[ZS_LIMBS_MAX];
    uint64_t bits;
    double value;

    /* The first limb is not zero: the carry of a negation ends in it. */
    for (uint32_t i = 0; i < view.len; i++)
        data[i] = view.data[i] ^ sign;
    data[0] -= sign;
    bits = round_magnitude(data, view.base, view.len) | sign << 63;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

double zs_exact_read_real(const struct zs_exact *exact)
{
    struct zs_limbs_view view = zs_limbs_canonical(&exact->limbs);

    if (exact->n_nan != 0 || (exact->n_plus_infinity != 0 && exact->n_minus_infinity != 0))
        return NAN;
    if (exact->n_plus_infinity != 0)
        return INFINITY;
    if (exact->n_minus_infinity != 0)
        return -INFINITY;
    return view.len == 0 ? 0.0 : round_limbs(view);
}

bool zs_exact_read_integer(const struct zs_exact *exact, int64_t *value)
{
    struct zs_limbs_view view = zs_limbs_canonical(&exact->limbs);

    if (view.len > 1 || view.base != 0)
        return false;
    *value = view.len == 0 ? 0 : (int64_t)view.data[0];
    return true;
}

bool zs_exact_is_zero(const struct zs_exact *exact)
{
    return exact->n_integers == 0 && exact->n_reals == 0 && exact->n_nan == 0 &&
           exact->n_plus_infinity == 0 && exact->n_minus_infinity == 0 &&
           zs_limbs_canonical(&exact->limbs).len == 0;
}
