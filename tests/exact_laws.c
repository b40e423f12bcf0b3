/* The laws of exact sums. The oracle is MPFR with bits enough to be exact. */
#include "tests/exact_laws.h"

#include <math.h>
#include <string.h>

#define MPFR_USE_INTMAX_T
#include <mpfr.h>

enum {
    exact_bits = 4200,
    addends_max = 40,
};

struct addend {
    bool is_integer;
    int64_t integer;
    double real;
    int64_t weight;
};

struct addends {
    struct addend at[addends_max];
    unsigned n;
};

static double random_sign(struct random *random)
{
    return (random_next(random) & 1) != 0 ? -1.0 : 1.0;
}

static double any_bits(struct random *random)
{
    uint64_t bits = random_next(random);
    double value;

    memcpy(&value, &bits, sizeof(value));
    return isfinite(value) ? value : 0x1p1000;
}

/* Finite, and of the kinds that hurt. */
static double random_real(struct random *random)
{
    double sign = random_sign(random);

    switch (random_below(random, 8)) {
    case 0:
        return any_bits(random);
    case 1:
        return sign * (double)random_below(random, 100000) / 100;
    case 2: /* halves of a last place of 1, and what breaks their tie */
        return sign * ldexp(1, -(int)random_below(random, 110));
    case 3:
        return sign * (1 + ldexp((double)random_below(random, 16), -52));
    case 4: /* subnormal */
        return sign * ldexp((double)(random_next(random) >> 12), -1074);
    case 5:
        return sign * ldexp(1 + (double)random_below(random, 3),
                          -1074 + (int)random_below(random, 64));
    case 6: /* about the largest */
        return sign * ldexp(0x1.fffffffffffffp0, 1023 - (int)random_below(random, 60));
    default:
        return sign * 0.0;
    }
}

static double random_special(struct random *random)
{
    static const double specials[] = {INFINITY, -INFINITY, NAN};
    return specials[random_below(random, 3)];
}

static int64_t random_integer(struct random *random)
{
    static const int64_t extremes[] = {INT64_MAX, INT64_MIN, INT64_MIN + 1, 0, 1, -1};

    if (random_below(random, 3) == 0)
        return extremes[random_below(random, 6)];
    return (int64_t)random_next(random) >> random_below(random, 64);
}

static int64_t random_weight(struct random *random)
{
    if (random_below(random, 4) != 0)
        return (random_next(random) & 1) != 0 ? -1 : 1;
    return (int64_t)random_next(random) >> (8 + random_below(random, 56));
}

static struct addend random_addend(struct random *random, unsigned integers, unsigned specials)
{
    struct addend addend = {.is_integer = random_below(random, 100) < integers};

    addend.weight = random_weight(random);
    if (addend.is_integer)
        addend.integer = random_integer(random);
    else
        addend.real =
            random_below(random, 100) < specials ? random_special(random) : random_real(random);
    return addend;
}

/* Percentages of integers, and of NaN and infinities among reals. */
static void draw(
    struct random *random, unsigned integers, unsigned specials, struct addends *addends)
{
    addends->n = 1 + random_below(random, addends_max);
    for (unsigned i = 0; i < addends->n; i++)
        addends->at[i] = random_addend(random, integers, specials);
}

static void shuffle(struct random *random, struct addends *addends)
{
    for (unsigned i = addends->n; i > 1; i--) {
        unsigned j = random_below(random, i);
        struct addend moved = addends->at[j];
        addends->at[j] = addends->at[i - 1];
        addends->at[i - 1] = moved;
    }
}

static void add_times(struct sum *sum, const struct addend *addend, int64_t weight)
{
    if (addend->is_integer)
        sum->kind->add_integer(sum, addend->integer, weight);
    else
        sum->kind->add_real(sum, addend->real, weight);
}

static void add_each(struct sum *sum, const struct addends *addends, int sign)
{
    for (unsigned i = 0; i < addends->n; i++)
        add_times(sum, &addends->at[i], sign * addends->at[i].weight);
}

static struct sum sum_of(const struct summer *kind, const struct addends *addends)
{
    struct sum sum;

    sum_init(&sum, kind);
    add_each(&sum, addends, 1);
    return sum;
}

static bool has_same_bytes(const struct sum *a, const struct sum *b)
{
    struct zs_buffer bytes_a;
    struct zs_buffer bytes_b;
    bool is_same;

    zs_buffer_init(&bytes_a, &zs_alloc_libc);
    zs_buffer_init(&bytes_b, &zs_alloc_libc);
    a->kind->append(a, &bytes_a);
    b->kind->append(b, &bytes_b);
    is_same = zs_bytes_equal(zs_buffer_bytes(&bytes_a), zs_buffer_bytes(&bytes_b));
    zs_buffer_clear(&bytes_a);
    zs_buffer_clear(&bytes_b);
    return is_same;
}

static bool is_same_double(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

/* The laws: NULL, or a message that begins with the law's tag. */

static const char *check_oracle(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct addends addends;
    struct sum sum;
    mpfr_t total;
    mpfr_t part;

    draw(random, random_below(random, 3) == 0 ? 30 : 0, 0, &addends);
    sum_init(&sum, kind);
    mpfr_inits2(exact_bits, total, part, (mpfr_ptr)NULL);
    mpfr_set_zero(total, 1);
    for (unsigned i = 0; i < addends.n && message == NULL; i++) {
        const struct addend *addend = &addends.at[i];
        if (addend->is_integer)
            mpfr_set_sj(part, addend->integer, MPFR_RNDN);
        else
            mpfr_set_d(part, addend->real, MPFR_RNDN);
        mpfr_mul_si(part, part, addend->weight, MPFR_RNDN);
        mpfr_add(total, total, part, MPFR_RNDN);
        add_times(&sum, addend, addend->weight);
        if (!is_same_double(kind->read_real(&sum), mpfr_get_d(total, MPFR_RNDN) + 0.0))
            message = "[oracle] is not the exact sum rounded once";
    }
    mpfr_clears(total, part, (mpfr_ptr)NULL);
    sum_clear(&sum);
    return message;
}

static const char *check_integer(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct sum sum;
    __int128 total = 0;
    unsigned n = 1 + random_below(random, 20);

    sum_init(&sum, kind);
    for (unsigned i = 0; i < n && message == NULL; i++) {
        int64_t value = random_integer(random);
        int64_t weight = (int64_t)random_below(random, 7) - 3;
        int64_t read = 0;
        bool is_read;

        total += (__int128)value * weight;
        kind->add_integer(&sum, value, weight);
        is_read = kind->read_integer(&sum, &read);
        if (is_read != (total >= INT64_MIN && total <= INT64_MAX))
            message = "[integer] is read exactly where int64 holds it";
        else if (is_read && read != (int64_t)total)
            message = "[integer] reads another one";
        kind->add_real(&sum, 0x1p-1074, 1);
        if (message == NULL && kind->read_integer(&sum, &read))
            message = "[integer] does not see a fraction";
        kind->add_real(&sum, 0x1p-1074, -1);
    }
    sum_clear(&sum);
    return message;
}

static const char *check_special(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct sum sum;
    int64_t n[3] = {0};
    double expected;

    sum_init(&sum, kind);
    for (unsigned i = random_below(random, 4); i > 0; i--)
        kind->add_real(&sum, random_real(random), random_weight(random));
    for (unsigned i = 1 + random_below(random, 6); i > 0; i--) {
        double value = random_special(random);
        int64_t weight = (int64_t)random_below(random, 3) - 1;
        n[isnan(value) ? 0 : value > 0 ? 1 : 2] += weight;
        kind->add_real(&sum, value, weight);
    }
    expected = n[0] != 0 || (n[1] != 0 && n[2] != 0) ? NAN : n[1] != 0 ? INFINITY : -INFINITY;
    if (n[0] != 0 || n[1] != 0 || n[2] != 0) {
        if (!is_same_double(kind->read_real(&sum), expected))
            message = "[special] NaN and infinities";
    }
    sum_clear(&sum);
    return message;
}

static const char *check_counts(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    struct addends addends;
    struct sum sum;
    int64_t n_integers = 0;
    int64_t n_reals = 0;
    bool is_right;

    draw(random, 50, 10, &addends);
    for (unsigned i = 0; i < addends.n; i++)
        *(addends.at[i].is_integer ? &n_integers : &n_reals) += addends.at[i].weight;
    sum = sum_of(kind, &addends);
    is_right = sum.exact.n_integers == n_integers && sum.exact.n_reals == n_reals;
    sum_clear(&sum);
    return is_right ? NULL : "[counts] are not the sums of the weights";
}

static const char *check_inverse(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct addends addends;
    struct sum sum;
    struct sum zero;

    draw(random, 30, 5, &addends);
    sum_init(&zero, kind);
    sum = sum_of(kind, &addends);
    shuffle(random, &addends);
    add_each(&sum, &addends, -1);
    if (!has_same_bytes(&sum, &zero))
        message = "[inverse] leaves something over";
    sum_clear(&sum);
    sum_clear(&zero);
    return message;
}

static const char *check_order(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct addends addends;
    struct sum sum;
    struct sum parts[2];

    draw(random, 30, 3, &addends);
    sum = sum_of(kind, &addends);
    shuffle(random, &addends);
    sum_init(&parts[0], kind);
    sum_init(&parts[1], kind);
    for (unsigned i = 0; i < addends.n; i++)
        add_times(&parts[random_below(random, 2)], &addends.at[i], addends.at[i].weight);
    kind->add(&parts[0], &parts[1]);
    if (!has_same_bytes(&sum, &parts[0]))
        message = "[order] shows in the bytes";
    else if (!is_same_double(kind->read_real(&sum), kind->read_real(&parts[0])))
        message = "[order] shows in the sum";
    kind->add(&parts[0], &parts[0]);
    add_each(&sum, &addends, 1);
    if (message == NULL && !has_same_bytes(&sum, &parts[0]))
        message = "[order] a sum added to itself";
    sum_clear(&sum);
    sum_clear(&parts[0]);
    sum_clear(&parts[1]);
    return message;
}

static const char *check_weight(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct addend addend = random_addend(random, 30, 3);
    struct sum at_once;
    struct sum in_parts;
    int64_t part = random_weight(random);
    unsigned times = random_below(random, 20);

    sum_init(&at_once, kind);
    sum_init(&in_parts, kind);
    add_times(&at_once, &addend, addend.weight + times);
    add_times(&in_parts, &addend, part);
    add_times(&in_parts, &addend, addend.weight - part);
    for (unsigned i = 0; i < times; i++)
        add_times(&in_parts, &addend, 1);
    if (!has_same_bytes(&at_once, &in_parts))
        message = "[weight] is not how often";
    sum_clear(&at_once);
    sum_clear(&in_parts);
    return message;
}

static const char *check_round_trip(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct addends addends;
    struct sum sum;
    struct sum copy;
    struct zs_buffer bytes;
    size_t at = 0;

    draw(random, 30, 5, &addends);
    sum = sum_of(kind, &addends);
    draw(random, 30, 0, &addends);
    copy = sum_of(kind, &addends);
    zs_buffer_init(&bytes, &zs_alloc_libc);
    kind->append(&sum, &bytes);
    if (!kind->read(&copy, zs_buffer_bytes(&bytes), &at) || at != bytes.len)
        message = "[round trip] does not read what it wrote";
    add_each(&sum, &addends, 1);
    add_each(&copy, &addends, 1);
    if (message == NULL && !has_same_bytes(&sum, &copy))
        message = "[round trip] reads another sum";
    zs_buffer_clear(&bytes);
    sum_clear(&sum);
    sum_clear(&copy);
    return message;
}

static const char *check_size(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct sum sum;
    struct zs_buffer bytes;
    int least = (int)random_below(random, 2046 - 64) - 1022;
    bool is_signed = random_below(random, 2) == 0;

    sum_init(&sum, kind);
    zs_buffer_init(&bytes, &zs_alloc_libc);
    for (unsigned i = random_below(random, 30); i > 0; i--) {
        double value = ldexp(1 + (double)(random_next(random) >> 12) * 0x1p-52, least);
        int64_t weight = (int64_t)(random_next(random) >> (5 + random_below(random, 59)));
        value =
            ldexp(value, (int)random_below(random, 64)) * (is_signed ? random_sign(random) : 1);
        kind->add_real(&sum, value, weight);
        if (least == 0)
            kind->add_integer(&sum, random_integer(random), weight);
    }
    kind->append(&sum, &bytes);
    if (bytes.len > 64)
        message = "[size] more than 64 bytes";
    zs_buffer_clear(&bytes);
    sum_clear(&sum);
    return message;
}

/* Bytes that are read, whoever made them, are those that it writes. */
static const char *check_corrupt(const void *subject, struct random *random)
{
    const struct summer *kind = subject;
    const char *message = NULL;
    struct addends addends;
    struct sum sum;
    struct zs_buffer bytes;
    struct zs_buffer again;
    uint8_t *exact_size; /* so that ASan sees a byte too many */
    size_t at = 0;

    draw(random, 30, 5, &addends);
    addends.n = 1 + random_below(random, 5) % addends.n;
    sum = sum_of(kind, &addends);
    zs_buffer_init(&bytes, &zs_alloc_libc);
    zs_buffer_init(&again, &zs_alloc_libc);
    kind->append(&sum, &bytes);
    for (unsigned i = random_below(random, 4); i > 0; i--)
        bytes.data[random_below(random, (unsigned)bytes.len)] ^=
            (uint8_t)(1u << random_below(random, 8));
    if (random_below(random, 3) == 0)
        bytes.len = random_below(random, (unsigned)bytes.len + 1);
    exact_size = zs_alloc_get(&zs_alloc_libc, bytes.len);
    if (bytes.len > 0)
        memcpy(exact_size, bytes.data, bytes.len);
    if (kind->read(&sum, (struct zs_bytes){exact_size, bytes.len}, &at)) {
        kind->append(&sum, &again);
        if (again.len != at || memcmp(again.data, exact_size, at) != 0)
            message = "[corrupt] reads what it would not write";
    }
    zs_alloc_free(&zs_alloc_libc, exact_size);
    zs_buffer_clear(&bytes);
    zs_buffer_clear(&again);
    sum_clear(&sum);
    return message;
}

const struct property exact_properties[] = {
    [EXACT_ORACLE] = {"[oracle]", check_oracle},
    [EXACT_INTEGER] = {"[integer]", check_integer},
    [EXACT_SPECIAL] = {"[special]", check_special},
    [EXACT_COUNTS] = {"[counts]", check_counts},
    [EXACT_INVERSE] = {"[inverse]", check_inverse},
    [EXACT_ORDER] = {"[order]", check_order},
    [EXACT_WEIGHT] = {"[weight]", check_weight},
    [EXACT_ROUND_TRIP] = {"[round trip]", check_round_trip},
    [EXACT_SIZE] = {"[size]", check_size},
    [EXACT_CORRUPT] = {"[corrupt]", check_corrupt},
};
