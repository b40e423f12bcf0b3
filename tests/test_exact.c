/* Exact sums: cases by hand, the bytes, failures; the laws, and rivals that they catch. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/exact.h"
#include "tests/check_alloc.h"
#include "tests/exact_laws.h"
#include "tests/suite.h"

static struct zs_exact sum;
static struct zs_buffer bytes;

static void setup(void)
{
    zs_exact_init(&sum, &zs_alloc_libc);
    zs_buffer_init(&bytes, &zs_alloc_libc);
}

static void teardown(void)
{
    zs_exact_clear(&sum);
    zs_buffer_clear(&bytes);
}

static void add(double value, int64_t weight)
{
    ck_assert_int_eq(zs_exact_add_real(&sum, value, weight), ZS_OK);
}

static void add_integer(int64_t value, int64_t weight)
{
    ck_assert_int_eq(zs_exact_add_integer(&sum, value, weight), ZS_OK);
}

static void assert_bits(double value, double expected)
{
    ck_assert_msg(
        memcmp(&value, &expected, sizeof(value)) == 0 || (isnan(value) && isnan(expected)),
        "%a, expected %a", value, expected);
}

enum { addends_max = 10 };

static const struct {
    const char *name;
    double addends[addends_max]; /* zeros follow */
    double expected;
} cases[] = {
    {"nothing", {0}, 0},
    {"a negative zero", {-0.0}, 0},
    {"a cancelled sum", {-1.5, 1.5}, 0},
    {"a tenth ten times", {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}, 1},
    {"a large one that leaves", {1, 1e16, -1e16}, 1},
    {"small beside large", {1e308, 1e-308, -1e308}, 1e-308},
    {"an overflow that heals", {1e308, 1e308, -1e308}, 1e308},
    {"an overflow", {1e308, 1e308}, INFINITY},
    {"an overflow below", {-1e308, -1e308}, -INFINITY},
    {"the largest", {DBL_MAX}, DBL_MAX},
    {"the largest and less than half a last place", {DBL_MAX, 0x1.fffffffffffffp969}, DBL_MAX},
    {"the largest and half a last place", {DBL_MAX, 0x1p970}, INFINITY},
    {"the least", {0x1p-1074}, 0x1p-1074},
    {"the least, negative", {-0x1p-1074}, -0x1p-1074},
    {"subnormals", {0x1p-1074, 0x3p-1074, -0x1p-1073}, 0x1p-1073},
    {"subnormals that become normal", {0x1p-1023, 0x1p-1023}, 0x1p-1022},
    {"a tie to the even one below", {1, 0x1p-53}, 1},
    {"a tie to the even one above", {1, 0x1p-52, 0x1p-53}, 1 + 0x1p-51},
    {"just above a tie", {1, 0x1p-53, 0x1p-1074}, 1 + 0x1p-52},
    {"just below a tie", {1, 0x1p-53, -0x1p-1074}, 1},
    {"a tie far from the addend's limb", {0x1p64, 0x1p11}, 0x1p64},
    {"a tie of a negative sum", {-1, -0x1p-52, -0x1p-53}, -1 - 0x1p-51},
    {"a negative sum with ones in its lowest limb", {-0x1p64, -1}, -0x1p64},
    {"rounded up to a power of two", {0x1.fffffffffffffp0, 0x1p-53}, 2},
    {"a borrow through many limbs", {1e300, -0x1p-1074}, 1e300},
    {"a carry through many limbs", {-0x1p-1074, 1, 0x1p-1074}, 1},
    {"an infinity", {1, INFINITY, -1e308}, INFINITY},
    {"a negative infinity", {1, -INFINITY, 1e308, 1e308}, -INFINITY},
    {"infinities of both signs", {INFINITY, -INFINITY}, NAN},
    {"no number", {1, NAN}, NAN},
};

START_TEST(a_sum_of_reals_is_rounded_once)
{
    for (int i = 0; i < addends_max; i++)
        add(cases[_i].addends[i], 1);
    assert_bits(zs_exact_read_real(&sum), cases[_i].expected);
}
END_TEST

START_TEST(a_retraction_cancels_its_insertion)
{
    ck_assert_int_eq(zs_exact_append(&sum, &bytes), ZS_OK);
    ck_assert_uint_eq(bytes.len, 1);
    for (int i = 0; i < addends_max; i++)
        add(cases[_i].addends[i], 3);
    ck_assert(!zs_exact_is_zero(&sum));
    for (int i = 0; i < addends_max; i++)
        add(cases[_i].addends[i], -3);
    ck_assert(zs_exact_is_zero(&sum));
    ck_assert_int_eq(zs_exact_append(&sum, &bytes), ZS_OK);
    ck_assert_uint_eq(bytes.len, 2);
    ck_assert_uint_eq(bytes.data[0], bytes.data[1]);
}
END_TEST

START_TEST(integers_are_exact_over_int64)
{
    int64_t value = 0;

    add_integer(INT64_MAX, 1);
    ck_assert(zs_exact_read_integer(&sum, &value));
    ck_assert_int_eq(value, INT64_MAX);
    assert_bits(zs_exact_read_real(&sum), 0x1p63);
    add_integer(1, 1);
    ck_assert(!zs_exact_read_integer(&sum, &value));
    add_integer(INT64_MIN, 2);
    ck_assert(zs_exact_read_integer(&sum, &value));
    ck_assert_int_eq(value, INT64_MIN);
    add_integer(-1, 1);
    ck_assert(!zs_exact_read_integer(&sum, &value));
    add_integer(INT64_MAX, 1);
    add_integer(2, 1);
    ck_assert(zs_exact_read_integer(&sum, &value));
    ck_assert_int_eq(value, 0);
    ck_assert_int_eq(sum.n_integers, 7);
    ck_assert_int_eq(sum.n_reals, 0);
}
END_TEST

START_TEST(an_integer_times_the_least_weight_is_exact)
{
    add_integer(INT64_MIN, INT64_MIN);
    assert_bits(zs_exact_read_real(&sum), 0x1p126);
    add_integer(INT64_MIN, INT64_MAX);
    assert_bits(zs_exact_read_real(&sum), 0x1p63);
    ck_assert_int_eq(sum.n_integers, -1);
}
END_TEST

START_TEST(a_real_times_the_largest_weight_is_exact)
{
    add(DBL_MAX, INT64_MAX);
    assert_bits(zs_exact_read_real(&sum), INFINITY);
    add(DBL_MAX, -INT64_MAX);
    add(DBL_MAX, 1);
    assert_bits(zs_exact_read_real(&sum), DBL_MAX);
    add(DBL_MAX, -1);
    add(0x1p-1074, INT64_MIN);
    assert_bits(zs_exact_read_real(&sum), -0x1p-1011);
}
END_TEST

START_TEST(a_power_of_two_times_the_least_weight_is_exact_at_every_place)
{
    for (int exponent = -1074; exponent < 960; exponent++) {
        zs_exact_clear(&sum);
        add(ldexp(1, exponent), INT64_MIN);
        assert_bits(zs_exact_read_real(&sum), -ldexp(1, exponent + 63));
    }
}
END_TEST

START_TEST(a_count_that_leaves_int64_changes_nothing)
{
    struct zs_exact other;

    add_integer(5, INT64_MAX);
    add(2.5, INT64_MIN);
    add(INFINITY, INT64_MAX);
    ck_assert_int_eq(sum.n_reals, -1);
    ck_assert_int_eq(zs_exact_append(&sum, &bytes), ZS_OK);
    ck_assert_int_eq(zs_exact_add_integer(&sum, 5, 1), ZS_OVERFLOW);
    ck_assert_int_eq(zs_exact_add_real(&sum, 2.5, INT64_MIN), ZS_OVERFLOW);
    ck_assert_int_eq(zs_exact_add_real(&sum, INFINITY, 1), ZS_OVERFLOW);
    zs_exact_init(&other, &zs_alloc_libc);
    ck_assert_int_eq(zs_exact_add_integer(&other, 1, 1), ZS_OK);
    ck_assert_int_eq(zs_exact_add(&sum, &other), ZS_OVERFLOW);
    zs_exact_clear(&other);
    ck_assert_int_eq(zs_exact_append(&sum, &bytes), ZS_OK);
    ck_assert_mem_eq(bytes.data, bytes.data + bytes.len / 2, bytes.len / 2);
}
END_TEST

START_TEST(a_sum_that_outgrows_its_limbs_is_refused_unchanged)
{
    unsigned n = 0;
    size_t len;
    size_t at = 0;

    add_integer(1, 1);
    add(DBL_MAX, 1);
    add(0, -1);
    add_integer(0, -1);
    while (zs_exact_add(&sum, &sum) == ZS_OK)
        n++;
    ck_assert_uint_ge(n, 300);
    ck_assert_int_eq(zs_exact_append(&sum, &bytes), ZS_OK);
    len = bytes.len;
    ck_assert_int_eq(zs_exact_add(&sum, &sum), ZS_OVERFLOW);
    ck_assert_int_eq(zs_exact_read(zs_buffer_bytes(&bytes), &at, &sum), ZS_OK);
    ck_assert_int_eq(zs_exact_append(&sum, &bytes), ZS_OK);
    ck_assert_uint_eq(bytes.len, 2 * len);
    ck_assert_mem_eq(bytes.data, bytes.data + len, len);
}
END_TEST

START_TEST(a_sum_that_fills_its_place_takes_a_carry)
{
    size_t at = 0;

    add(0x1p-64, 1);
    add(0x1p318, 1);
    ck_assert_int_eq(zs_exact_append(&sum, &bytes), ZS_OK);
    zs_exact_clear(&sum);
    ck_assert_int_eq(zs_exact_read(zs_buffer_bytes(&bytes), &at, &sum), ZS_OK);
    ck_assert_ptr_null(sum.limbs.wide);
    add(0x1p318, 1);
    assert_bits(zs_exact_read_real(&sum), 0x1p319);
    add(0x1p319, 1);
    assert_bits(zs_exact_read_real(&sum), 0x1p320);
}
END_TEST

/* Bytes that format 1 fixes for good. */
static const struct {
    double real;
    int64_t integer;
    int64_t weight; /* of both */
    size_t len;
    uint8_t bytes[16];
} encodings[] = {
    {0, 0, 0, 1, {0x10}},
    {0, 1, 1, 6, {0x1b, 2, 2, 0, 0, 1}},
    {0, -1, 1, 6, {0x1b, 2, 2, 0, 0, 0xff}},
    {0, 256, 1, 6, {0x1b, 2, 2, 2, 0, 1}},
    {0, 128, 1, 7, {0x1b, 2, 2, 0, 1, 0x80, 0}},
    {0, -128, 1, 6, {0x1b, 2, 2, 0, 0, 0x80}},
    {0.5, 0, -1, 6, {0x1b, 1, 1, 1, 0, 0x80}},
    {1.5, 0, 64, 8, {0x1b, 0x80, 1, 0x80, 1, 0, 0, 0x60}},
    {0x1p-1074, 0, 1, 7, {0x1b, 2, 2, 0x8d, 2, 0, 0x40}},
    {-INFINITY, 0, 1, 6, {0x17, 2, 2, 0, 0, 2}},
    {NAN, 0, 1, 6, {0x17, 2, 2, 2, 0, 0}},
};

START_TEST(the_bytes_of_format_1_are_fixed)
{
    add_integer(encodings[_i].integer, encodings[_i].weight);
    add(encodings[_i].real, encodings[_i].weight);
    ck_assert_int_eq(zs_exact_append(&sum, &bytes), ZS_OK);
    ck_assert_uint_eq(bytes.len, encodings[_i].len);
    ck_assert_mem_eq(bytes.data, encodings[_i].bytes, bytes.len);
}
END_TEST

/* What follows the len bytes would be taken by a reader that went too far. */
static const struct {
    const char *fault;
    size_t len;
    uint8_t bytes[16];
} refusals[] = {
    {"nothing", 0, {0x10}},
    {"another version", 1, {0x20}},
    {"a missing count", 1, {0x11}},
    {"a zero count", 2, {0x11, 0}},
    {"a long varint", 3, {0x11, 0x82, 0}},
    {"a varint past 64 bits", 11,
        {0x11, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}},
    {"zero specials", 4, {0x14, 0, 0, 0}},
    {"missing limbs", 1, {0x18}},
    {"a missing length", 2, {0x18, 0}},
    {"a missing byte", 4, {0x18, 0, 1, 0x80}},
    {"missing bytes", 4, {0x18, 0, 3, 1, 1, 1, 1}},
    {"a length past 64 bits", 12,
        {0x18, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}},
    {"a zero", 4, {0x18, 0, 0, 0}},
    {"a zero byte first", 5, {0x18, 0, 1, 0, 1}},
    {"a sign twice", 5, {0x18, 0, 1, 1, 0}},
    {"a negative sign twice", 5, {0x18, 0, 1, 0x80, 0xff}},
    {"an exponent too low", 5, {0x18, 0x8f, 2, 0, 1}},
    {"bits below 2^-1074", 5, {0x18, 0x8d, 2, 0, 0x20}},
    {"an exponent too high", 5, {0x18, 0xf0, 2, 0, 1}},
    {"too many bytes for the exponent", 6, {0x18, 0xee, 2, 1, 1, 1}},
};

START_TEST(bytes_that_no_append_wrote_are_refused)
{
    struct zs_bytes refused = {refusals[_i].bytes, refusals[_i].len};
    size_t at = 0;

    add(1e300, 1);
    ck_assert_int_eq(zs_exact_read(refused, &at, &sum), ZS_CORRUPT);
    ck_assert_uint_eq(at, 0);
    assert_bits(zs_exact_read_real(&sum), 1e300);
}
END_TEST

/* ctx is the allocation table. */
static int narrow_then_wide(void *ctx)
{
    const struct zs_alloc *alloc = ctx;
    struct zs_exact wide;
    struct zs_exact copy;
    struct zs_buffer out;
    size_t at = 0;
    int rc;

    zs_exact_init(&wide, alloc);
    zs_exact_init(&copy, alloc);
    zs_buffer_init(&out, alloc);
    rc = zs_exact_add_real(&wide, 1, 1);
    ck_assert_int_eq(rc, ZS_OK); /* takes no memory */
    rc = zs_exact_add_real(&wide, 1e300, 1);
    if (rc == ZS_NOMEM) {
        ck_assert_int_eq(wide.n_reals, 1);
        assert_bits(zs_exact_read_real(&wide), 1);
    }
    if (rc == ZS_OK)
        rc = zs_exact_add(&copy, &wide);
    if (rc == ZS_OK)
        rc = zs_exact_append(&wide, &out);
    if (rc == ZS_OK)
        rc = zs_exact_read(zs_buffer_bytes(&out), &at, &copy);
    ck_assert_uint_eq(at, rc == ZS_OK ? out.len : 0);
    zs_exact_clear(&wide);
    zs_exact_clear(&copy);
    zs_buffer_clear(&out);
    return rc;
}

/* narrow_then_wide has looked itself. */
static void look_no_further(void *ctx)
{
    (void)ctx;
}

START_TEST(every_allocation_may_fail)
{
    struct check_alloc check;

    check_alloc_init(&check);
    ck_assert_uint_ge(
        check_alloc_sweep(&check, narrow_then_wide, look_no_further, &check.alloc), 4);
    check_alloc_end(&check);
}
END_TEST

enum { n_cases = 10000 };

START_TEST(the_exact_sum_keeps_the_law)
{
    property_must_hold(&exact_properties[_i], "exact.h", &exact_summer, n_cases);
}
END_TEST

START_TEST(the_laws_catch_every_rival)
{
    struct rival rival = {exact_rivals[_i].name, &exact_rivals[_i].summer,
        &exact_properties[exact_rivals[_i].caught_by]};
    property_must_catch(&rival, n_cases);
}
END_TEST

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

int main(void)
{
    Suite *suite = suite_create("exact sums");
    TCase *tcase = tcase_create("cases");
    TCase *laws = tcase_create("laws");

    random_announce();
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_sum_of_reals_is_rounded_once, 0, N_OF(cases));
    tcase_add_loop_test(tcase, a_retraction_cancels_its_insertion, 0, N_OF(cases));
    tcase_add_test(tcase, integers_are_exact_over_int64);
    tcase_add_test(tcase, an_integer_times_the_least_weight_is_exact);
    tcase_add_test(tcase, a_real_times_the_largest_weight_is_exact);
    tcase_add_test(tcase, a_power_of_two_times_the_least_weight_is_exact_at_every_place);
    tcase_add_test(tcase, a_count_that_leaves_int64_changes_nothing);
    tcase_add_test(tcase, a_sum_that_outgrows_its_limbs_is_refused_unchanged);
    tcase_add_test(tcase, a_sum_that_fills_its_place_takes_a_carry);
    tcase_add_loop_test(tcase, the_bytes_of_format_1_are_fixed, 0, N_OF(encodings));
    tcase_add_loop_test(tcase, bytes_that_no_append_wrote_are_refused, 0, N_OF(refusals));
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(laws, 300);
    tcase_add_loop_test(laws, the_exact_sum_keeps_the_law, 0, EXACT_N_LAWS);
    tcase_add_loop_test(laws, the_laws_catch_every_rival, 0, (int)n_exact_rivals);
    suite_add_tcase(suite, laws);
    return suite_run(suite);
}
