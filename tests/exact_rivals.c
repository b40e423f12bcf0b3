/* Sums with one fault each: what people write instead of an exact sum, and slips in writing
 * one. */
#include "tests/exact_laws.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define MPFR_USE_INTMAX_T
#include <mpfr.h>

/* An assertion of Check's writes to a file each time; there are too many here. */
static void must(int rc)
{
    if (rc != ZS_OK)
        ck_abort_msg("status %d", rc);
}

void sum_init(struct sum *sum, const struct summer *kind)
{
    *sum = (struct sum){.kind = kind};
    zs_exact_init(&sum->exact, &zs_alloc_libc);
}

void sum_clear(struct sum *sum)
{
    zs_exact_clear(&sum->exact);
}

/* The exact sum. */

static void exact_add_integer(struct sum *sum, int64_t value, int64_t weight)
{
    must(zs_exact_add_integer(&sum->exact, value, weight));
}

static void exact_add_real(struct sum *sum, double value, int64_t weight)
{
    must(zs_exact_add_real(&sum->exact, value, weight));
}

static void exact_add(struct sum *sum, const struct sum *other)
{
    must(zs_exact_add(&sum->exact, &other->exact));
}

static double exact_read_real(const struct sum *sum)
{
    return zs_exact_read_real(&sum->exact);
}

static bool exact_read_integer(const struct sum *sum, int64_t *value)
{
    return zs_exact_read_integer(&sum->exact, value);
}

static void exact_append(const struct sum *sum, struct zs_buffer *out)
{
    must(zs_exact_append(&sum->exact, out));
}

static bool exact_read(struct sum *sum, struct zs_bytes bytes, size_t *at)
{
    return zs_exact_read(bytes, at, &sum->exact) == ZS_OK;
}

#define EXACT_FUNCTIONS                                                                        \
    .add_integer = exact_add_integer, .add_real = exact_add_real, .add = exact_add,            \
    .read_real = exact_read_real, .read_integer = exact_read_integer, .append = exact_append,  \
    .read = exact_read

const struct summer exact_summer = {EXACT_FUNCTIONS};

/* A plain double. */

static void naive_add_real(struct sum *sum, double value, int64_t weight)
{
    sum->value += value * (double)weight;
}

static void naive_add_integer(struct sum *sum, int64_t value, int64_t weight)
{
    naive_add_real(sum, (double)value, weight);
}

static void naive_add(struct sum *sum, const struct sum *other)
{
    sum->value += other->value;
}

static double naive_read_real(const struct sum *sum)
{
    return sum->value + sum->compensation;
}

static void naive_append(const struct sum *sum, struct zs_buffer *out)
{
    double value = naive_read_real(sum) + 0.0;
    must(zs_buffer_append(out, &value, sizeof(value)));
}

/* Two doubles, with the error of each addition carried along (Kahan, Babuska, Neumaier). */

static void kahan_add_real(struct sum *sum, double value, int64_t weight)
{
    double addend = value * (double)weight;
    double total = sum->value + addend;

    if (fabs(sum->value) >= fabs(addend))
        sum->compensation += (sum->value - total) + addend;
    else
        sum->compensation += (addend - total) + sum->value;
    sum->value = total;
}

static void kahan_add_integer(struct sum *sum, int64_t value, int64_t weight)
{
    kahan_add_real(sum, (double)value, weight);
}

static void kahan_add(struct sum *sum, const struct sum *other)
{
    kahan_add_real(sum, other->value, 1);
    kahan_add_real(sum, other->compensation, 1);
}

/* Limbs of 64 bits whose carry goes no further than one limb beyond the addend. */

static void carry_add_real(struct sum *sum, double value, int64_t weight)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    __int128 product = (__int128)ldexp(fraction, 53) * weight;
    unsigned position = (unsigned)(exponent - 53 + 1074 + 64); /* a limb below for small ones */
    unsigned __int128 low;
    uint64_t addend[4];
    uint64_t carry = 0;
    unsigned first = position / 64;

    low = (unsigned __int128)product << position % 64;
    addend[0] = (uint64_t)low;
    addend[1] = (uint64_t)(low >> 64);
    addend[2] = position % 64 == 0 ? (uint64_t)(product >> 127)
                                   : (uint64_t)(product >> (128 - position % 64));
    addend[3] = product < 0 ? ~(uint64_t)0 : 0;
    for (unsigned i = first; i < rival_limbs_max; i++) {
        unsigned part = i - first < 3 ? i - first : 3;
        unsigned __int128 total = (unsigned __int128)sum->limbs[i] + addend[part] + carry;
        sum->limbs[i] = (uint64_t)total;
        carry = i - first < 3 || product < 0 ? (uint64_t)(total >> 64) : 0;
    }
}

static double carry_read_real(const struct sum *sum)
{
    mpfr_t total, limb;
    double value;
    bool is_negative = sum->limbs[rival_limbs_max - 1] >> 63 != 0;
    uint64_t carry = is_negative;

    mpfr_inits2(4200, total, limb, (mpfr_ptr)NULL);
    mpfr_set_zero(total, 1);
    for (unsigned i = 0; i < rival_limbs_max; i++) {
        uint64_t part = (is_negative ? ~sum->limbs[i] : sum->limbs[i]) + carry;
        carry &= part == 0;
        mpfr_set_uj_2exp(limb, part, 64 * (long)i - 64 - 1074, MPFR_RNDN);
        mpfr_add(total, total, limb, MPFR_RNDN);
    }
    value = mpfr_get_d(total, MPFR_RNDN);
    mpfr_clears(total, limb, (mpfr_ptr)NULL);
    return is_negative ? -value : value;
}

/* Faults of reading: other roundings of the right sum. */

static void finite_part(const struct sum *sum, mpfr_t total)
{
    struct zs_exact_limbs limbs = sum->exact.limbs;
    const uint64_t *data = limbs.wide != NULL ? limbs.wide : limbs.narrow;
    mpfr_t limb;

    mpfr_init2(limb, 64);
    mpfr_set_zero(total, 1);
    for (unsigned i = 0; i < limbs.len; i++) {
        long exponent = 64 * ((long)limbs.base + (long)i);
        if (i + 1 == limbs.len)
            mpfr_set_sj_2exp(limb, (int64_t)data[i], exponent, MPFR_RNDN);
        else
            mpfr_set_uj_2exp(limb, data[i], exponent, MPFR_RNDN);
        mpfr_add(total, total, limb, MPFR_RNDN);
    }
    mpfr_clear(limb);
}

static bool is_special(const struct sum *sum)
{
    return sum->exact.n_nan != 0 || sum->exact.n_plus_infinity != 0 ||
           sum->exact.n_minus_infinity != 0;
}

static double read_rounded(const struct sum *sum, mpfr_prec_t first, mpfr_rnd_t rounding)
{
    mpfr_t total;
    double value;

    if (is_special(sum))
        return exact_read_real(sum);
    mpfr_init2(total, 4200);
    finite_part(sum, total);
    mpfr_prec_round(total, first, MPFR_RNDN);
    value = mpfr_get_d(total, rounding) + 0.0;
    mpfr_clear(total);
    return value;
}

static double twice_read_real(const struct sum *sum)
{
    return read_rounded(sum, 64, MPFR_RNDN);
}

static double truncated_read_real(const struct sum *sum)
{
    return read_rounded(sum, 4200, MPFR_RNDZ);
}

static double ties_away_read_real(const struct sum *sum)
{
    mpfr_t total;
    mpfr_t rounded;
    double value;

    if (is_special(sum))
        return exact_read_real(sum);
    mpfr_init2(total, 4200);
    mpfr_init2(rounded, 53);
    finite_part(sum, total);
    mpfr_round_nearest_away(mpfr_set, rounded, total);
    value = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clears(total, rounded, (mpfr_ptr)NULL);
    return value;
}

static double flushed_read_real(const struct sum *sum)
{
    double value = exact_read_real(sum);
    return fabs(value) < 0x1p-1022 ? 0.0 : value;
}

static double largest_read_real(const struct sum *sum)
{
    double value = exact_read_real(sum);
    return !is_special(sum) && isinf(value) ? copysign(0x1.fffffffffffffp1023, value) : value;
}

static bool rounded_read_integer(const struct sum *sum, int64_t *value)
{
    double rounded = exact_read_real(sum);

    if (!(rounded >= -0x1p63 && rounded < 0x1p63) || rounded != trunc(rounded))
        return false;
    *value = (int64_t)rounded;
    return true;
}

static bool wrapped_read_integer(const struct sum *sum, int64_t *value)
{
    struct zs_exact low = sum->exact;

    low.limbs.wide = NULL;
    if (sum->exact.limbs.wide == NULL && low.limbs.len > 1)
        low.limbs.len = 1;
    return zs_exact_read_integer(sum->exact.limbs.wide == NULL ? &low : &sum->exact, value);
}

/* Faults of adding. */

static void finite_add_real(struct sum *sum, double value, int64_t weight)
{
    if (isfinite(value))
        exact_add_real(sum, value, weight);
}

static void one_infinity_add_real(struct sum *sum, double value, int64_t weight)
{
    exact_add_real(sum, isinf(value) ? fabs(value) : value, weight);
}

static void sticky_add_real(struct sum *sum, double value, int64_t weight)
{
    exact_add_real(sum, value, isfinite(value) || weight > 0 ? weight : 0);
}

static void once_add_real(struct sum *sum, double value, int64_t weight)
{
    int64_t n_reals = sum->exact.n_reals;

    exact_add_real(sum, value, weight);
    sum->exact.n_reals = n_reals + (weight > 0) - (weight < 0);
}

static void rounded_add_real(struct sum *sum, double value, int64_t weight)
{
    int64_t n_reals = sum->exact.n_reals;

    exact_add_real(sum, value * (double)weight, 1);
    sum->exact.n_reals = n_reals + weight;
}

static void real_add_integer(struct sum *sum, int64_t value, int64_t weight)
{
    exact_add_real(sum, (double)value, weight);
}

static void uncounted_add_integer(struct sum *sum, int64_t value, int64_t weight)
{
    exact_add_integer(sum, value, weight);
    sum->exact.n_integers = 0;
}

static void countless_add(struct sum *sum, const struct sum *other)
{
    struct zs_exact finite = other->exact;

    finite.n_reals = 0;
    must(zs_exact_add(&sum->exact, &finite));
}

/* Faults of the bytes. */

static void window_append(const struct sum *sum, struct zs_buffer *out)
{
    exact_append(sum, out);
    must(zs_buffer_append_byte(out, (uint8_t)sum->exact.limbs.len));
}

static void fat_append(const struct sum *sum, struct zs_buffer *out)
{
    static const uint8_t zeros[128];

    exact_append(sum, out);
    must(zs_buffer_append(out, zeros, sizeof(zeros)));
}

static bool window_read(struct sum *sum, struct zs_bytes bytes, size_t *at)
{
    bool is_read = exact_read(sum, bytes, at) && *at < bytes.len;
    *at += is_read;
    return is_read;
}

static bool any_version_read(struct sum *sum, struct zs_bytes bytes, size_t *at)
{
    uint8_t copy[1024];

    if (bytes.len == 0 || bytes.len > sizeof(copy))
        return false;
    memcpy(copy, bytes.data, bytes.len);
    copy[*at] = (uint8_t)(0x10 | (copy[*at] & 0x0f));
    return exact_read(sum, (struct zs_bytes){copy, bytes.len}, at);
}

static bool forgetful_read(struct sum *sum, struct zs_bytes bytes, size_t *at)
{
    bool is_read = exact_read(sum, bytes, at);

    sum->exact.n_integers = 0;
    return is_read;
}

/* A field named twice holds the later value: each rival is the exact sum but for its fault. */
#pragma GCC diagnostic ignored "-Woverride-init"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Winitializer-overrides"
#endif

#define NAIVE_FUNCTIONS                                                                        \
    .add_integer = naive_add_integer, .add_real = naive_add_real, .add = naive_add,            \
    .read_real = naive_read_real, .append = naive_append
#define KAHAN_FUNCTIONS                                                                        \
    NAIVE_FUNCTIONS, .add_integer = kahan_add_integer, .add_real = kahan_add_real,             \
                     .add = kahan_add

const struct exact_rival exact_rivals[] = {
    {"a double, taken back", EXACT_INVERSE, {EXACT_FUNCTIONS, NAIVE_FUNCTIONS}},
    {"a double, in another order", EXACT_ORDER, {EXACT_FUNCTIONS, NAIVE_FUNCTIONS}},
    {"a double, rounded", EXACT_ORACLE, {EXACT_FUNCTIONS, NAIVE_FUNCTIONS}},
    {"Kahan, taken back", EXACT_INVERSE, {EXACT_FUNCTIONS, KAHAN_FUNCTIONS}},
    {"Kahan, in another order", EXACT_ORDER, {EXACT_FUNCTIONS, KAHAN_FUNCTIONS}},
    {"Kahan, rounded", EXACT_ORACLE, {EXACT_FUNCTIONS, KAHAN_FUNCTIONS}},
    {"loses a carry", EXACT_ORACLE,
        {EXACT_FUNCTIONS, .add_real = carry_add_real, .read_real = carry_read_real}},
    {"rounds twice", EXACT_ORACLE, {EXACT_FUNCTIONS, .read_real = twice_read_real}},
    {"truncates", EXACT_ORACLE, {EXACT_FUNCTIONS, .read_real = truncated_read_real}},
    {"rounds ties away from zero", EXACT_ORACLE,
        {EXACT_FUNCTIONS, .read_real = ties_away_read_real}},
    {"flushes subnormals", EXACT_ORACLE, {EXACT_FUNCTIONS, .read_real = flushed_read_real}},
    {"stops at the largest double", EXACT_ORACLE,
        {EXACT_FUNCTIONS, .read_real = largest_read_real}},
    {"reads integers rounded", EXACT_INTEGER,
        {EXACT_FUNCTIONS, .read_integer = rounded_read_integer}},
    {"wraps integers", EXACT_INTEGER, {EXACT_FUNCTIONS, .read_integer = wrapped_read_integer}},
    {"adds integers as reals", EXACT_INTEGER,
        {EXACT_FUNCTIONS, .add_integer = real_add_integer}},
    {"forgets infinities", EXACT_SPECIAL, {EXACT_FUNCTIONS, .add_real = finite_add_real}},
    {"has one infinity", EXACT_SPECIAL, {EXACT_FUNCTIONS, .add_real = one_infinity_add_real}},
    {"keeps an infinity for good", EXACT_INVERSE,
        {EXACT_FUNCTIONS, .add_real = sticky_add_real}},
    {"counts additions, not weights", EXACT_WEIGHT,
        {EXACT_FUNCTIONS, .add_real = once_add_real}},
    {"rounds value times weight", EXACT_WEIGHT,
        {EXACT_FUNCTIONS, .add_real = rounded_add_real}},
    {"does not count integers", EXACT_COUNTS,
        {EXACT_FUNCTIONS, .add_integer = uncounted_add_integer}},
    {"merges without counts", EXACT_ORDER, {EXACT_FUNCTIONS, .add = countless_add}},
    {"shows its window", EXACT_ORDER,
        {EXACT_FUNCTIONS, .append = window_append, .read = window_read}},
    {"is fat", EXACT_SIZE, {EXACT_FUNCTIONS, .append = fat_append}},
    {"forgets a count in its bytes", EXACT_ROUND_TRIP,
        {EXACT_FUNCTIONS, .read = forgetful_read}},
    {"reads any version", EXACT_CORRUPT, {EXACT_FUNCTIONS, .read = any_version_read}},
};
const size_t n_exact_rivals = sizeof(exact_rivals) / sizeof(exact_rivals[0]);
