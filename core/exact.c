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
    lowest_exponent = -1022, /* of a normal double */
};
static const uint64_t mantissa_mask = ((uint64_t)1 << mantissa_bits) - 1;
static const uint64_t half = (uint64_t)1 << 63;

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

/* Limb i of the magnitude of what view shows. The first limb is not zero: the carry of a
** negation ends in it. */
static uint64_t magnitude_limb(struct zs_limbs_view view, uint64_t sign, int i)
{
    return i < 0 ? 0 : (view.data[i] ^ sign) - (i == 0 ? sign : 0);
}

/* The double nearest, ties to even. It is made of the magnitude's first 64 bits from its
** leading one on, and of whether there are more. */
static double round_limbs(struct zs_limbs_view view)
{
    uint64_t sign = zs_limb_sign(view.data[view.len - 1]);
    int last = (int)view.len - 1 - (magnitude_limb(view, sign, (int)view.len - 1) == 0);
    uint64_t high = magnitude_limb(view, sign, last);
    uint64_t low = magnitude_limb(view, sign, last - 1);
    int n_zeros = __builtin_clzll(high);
    uint64_t top = n_zeros == 0 ? high : high << n_zeros | low >> (64 - n_zeros);
    bool is_more = last > 1 || low << n_zeros != 0;
    /* What is too small for a normal double has fewer bits. */
    int exponent = 64 * (view.base + last) + 63 - n_zeros - lowest_exponent;
    int n_dropped = exponent < 0 ? 11 - exponent : 11;
    uint64_t bits = (uint64_t)exponent_mask << mantissa_bits;
    double value;

    if (exponent < exponent_mask - 1) {
        uint64_t rest = top << (64 - n_dropped);
        bits = ((uint64_t)(exponent < 0 ? 0 : exponent) << mantissa_bits) + (top >> n_dropped);
        /* The hidden bit, and a carry out of the mantissa, count the exponent up. */
        bits += rest > half || (rest == half && (is_more || (bits & 1) != 0));
    }
    bits |= sign << 63;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Of what holds some that is not finite. */
static double read_special(const struct zs_exact *exact)
{
    if (exact->n_nan != 0 || (exact->n_plus_infinity != 0 && exact->n_minus_infinity != 0))
        return NAN;
    return exact->n_plus_infinity != 0 ? INFINITY : -INFINITY;
}

double zs_exact_read_real(const struct zs_exact *exact)
{
    struct zs_limbs_view view;

    if (zs_exact_has_specials(exact))
        return read_special(exact);
    view = zs_limbs_canonical(&exact->limbs);
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
    return exact->n_integers == 0 && exact->n_reals == 0 && !zs_exact_has_specials(exact) &&
           zs_limbs_canonical(&exact->limbs).len == 0;
}
