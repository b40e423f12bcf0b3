/* Rows as bytes: cases, the laws, and rivals that the laws catch. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check_alloc.h"
#include "tests/must.h"
#include "tests/random_value.h"
#include "tests/row_laws.h"
#include "tests/suite.h"

#define TEXT(literal)                                                                          \
    {                                                                                          \
        .type = ZS_TEXT, .bytes = {(const uint8_t *)literal, sizeof(literal) - 1 }             \
    }
#define BLOB(literal)                                                                          \
    {                                                                                          \
        .type = ZS_BLOB, .bytes = {(const uint8_t *)literal, sizeof(literal) - 1 }             \
    }
#define INTEGER(n)                                                                             \
    {                                                                                          \
        .type = ZS_INTEGER, .integer = n                                                       \
    }
#define REAL(x)                                                                                \
    {                                                                                          \
        .type = ZS_REAL, .real = x                                                             \
    }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void assert_hex(const struct zs_buffer *buffer, const char *hex)
{
    char shown[200];

    for (size_t i = 0; i < buffer->len; i++)
        snprintf(shown + 2 * i, 3, "%02x", buffer->data[i]);
    shown[2 * buffer->len] = '\0';
    ck_assert_str_eq(shown, hex);
}

/* Format 1 of both encodings: stored keys outlive the program that wrote them. */
static const struct {
    struct zs_value value;
    enum zs_collation collation;
    const char *identity;
    const char *comparison;
} formats[] = {
    {{.type = ZS_NULL}, ZS_BINARY, "00", "01"},
    {INTEGER(0), ZS_BINARY, "10", "50"},
    {INTEGER(1), ZS_BINARY, "1101", "5200"},
    {INTEGER(-1), ZS_BINARY, "11ff", "4eff"},
    {INTEGER(127), ZS_BINARY, "117f", "58fc"},
    {INTEGER(128), ZS_BINARY, "120080", "5900"},
    {INTEGER(1000000), ZS_BINARY, "130f4240", "65e924"},
    {INTEGER(INT64_MAX), ZS_BINARY, "187fffffffffffffff", "90fffffffffffffffffc"},
    {INTEGER(INT64_MIN), ZS_BINARY, "188000000000000000", "0fff"},
    {REAL(0.0), ZS_BINARY, "20", "50"},
    {REAL(-0.0), ZS_BINARY, "2180", "50"},
    {REAL(1.0), ZS_BINARY, "223ff0", "5200"},
    {REAL(0.5), ZS_BINARY, "223fe0", "5107ff00"},
    {REAL(-2.5), ZS_BINARY, "22c004", "4dbf"},
    {REAL(1e300), ZS_BINARY, "287e37e43c8800759c", "920be47f21f311013b6780"},
    {REAL(5e-324), ZS_BINARY, "280000000000000001", "5103ce00"},
    {REAL(INFINITY), ZS_BINARY, "227ff0", "93"},
    {REAL(-INFINITY), ZS_BINARY, "22fff0", "0d"},
    {TEXT(""), ZS_BINARY, "3000", "a000"},
    {TEXT("aB"), ZS_BINARY, "30026142", "a0614200"},
    {TEXT("aB"), ZS_NOCASE, "30026142", "a0616200"},
    {TEXT("A\0Bc"), ZS_NOCASE, "300441004263", "a061010101010101010101010101010101010400"},
    {TEXT("a  "), ZS_RTRIM, "3003612020", "a06100"},
    {TEXT("a\0\1"), ZS_BINARY, "3003610001", "a0610101010200"},
    {TEXT("a\xe2\x82\xac"), ZS_BINARY_16LE, "300461e282ac", "a0610101ac2000"},
    {TEXT("\xf0\x9f\x98\x80"), ZS_BINARY_16BE, "3004f09f9880", "a0d83dde010100"},
    {BLOB("\0\xff"), ZS_NOCASE, "310200ff", "b00101ff00"},
};

START_TEST(a_value_is_encoded_as_the_format_says)
{
    struct zs_buffer buffer;

    zs_buffer_init(&buffer, &zs_alloc_libc);
    ck_assert_int_eq(zs_row_append_identity(&buffer, &formats[_i].value), ZS_OK);
    assert_hex(&buffer, formats[_i].identity);
    zs_buffer_reset(&buffer);
    ck_assert_int_eq(
        zs_row_append_comparison(&buffer, &formats[_i].value, formats[_i].collation), ZS_OK);
    assert_hex(&buffer, formats[_i].comparison);
    zs_buffer_clear(&buffer);
}
END_TEST

/* Ascending, values of one line equal. */
static const struct {
    int line;
    struct zs_value value;
} numbers[] = {
    {0, {.type = ZS_NULL}},
    {1, REAL(-INFINITY)},
    {2, REAL(-1.7976931348623157e308)},
    {3, REAL(-9223372036854777856.0)},
    {4, INTEGER(INT64_MIN)},
    {4, REAL(-0x1p63)},
    {5, INTEGER(INT64_MIN + 1)},
    {6, INTEGER(-9007199254740993)},
    {7, INTEGER(-9007199254740992)},
    {7, REAL(-9007199254740992.0)},
    {8, REAL(-1.5)},
    {9, INTEGER(-1)},
    {9, REAL(-1.0)},
    {10, REAL(-0.5)},
    {11, REAL(-2.2250738585072014e-308)},
    {12, REAL(-2.225073858507201e-308)},
    {13, REAL(-5e-324)},
    {14, INTEGER(0)},
    {14, REAL(0.0)},
    {14, REAL(-0.0)},
    {15, REAL(5e-324)},
    {16, REAL(2.225073858507201e-308)},
    {17, REAL(2.2250738585072014e-308)},
    {18, REAL(0.99999999999999989)},
    {19, INTEGER(1)},
    {19, REAL(1.0)},
    {20, REAL(1.0000000000000002)},
    {21, INTEGER(2)},
    {22, INTEGER(9007199254740992)},
    {22, REAL(9007199254740992.0)},
    {23, INTEGER(9007199254740993)},
    {24, INTEGER(9007199254740994)},
    {24, REAL(9007199254740994.0)},
    {25, REAL(0x1.fffffffffffffp62)},
    {26, INTEGER(INT64_MAX)},
    {27, REAL(0x1p63)},
    {28, REAL(0x1p64)},
    {29, REAL(1.7976931348623157e308)},
    {30, REAL(INFINITY)},
    {31, TEXT("")},
    {32, BLOB("")},
};

START_TEST(numbers_compare_exactly_up_to_the_ends_of_their_range)
{
    struct zs_buffer keys[2];

    for (unsigned i = 0; i < 2; i++)
        zs_buffer_init(&keys[i], &zs_alloc_libc);
    for (size_t j = 0; j < COUNT(numbers); j++) {
        const struct zs_value *a = &numbers[_i].value;
        const struct zs_value *b = &numbers[j].value;
        int expected = numbers[_i].line - numbers[j].line;
        int order;

        zs_buffer_reset(&keys[0]);
        zs_buffer_reset(&keys[1]);
        ck_assert_int_eq(zs_row_append_comparison(&keys[0], a, ZS_BINARY), ZS_OK);
        ck_assert_int_eq(zs_row_append_comparison(&keys[1], b, ZS_BINARY), ZS_OK);
        order = zs_bytes_compare(zs_buffer_bytes(&keys[0]), zs_buffer_bytes(&keys[1]));
        ck_assert_msg((order > 0) - (order < 0) == (expected > 0) - (expected < 0),
            "keys of numbers %d and %zu: %d", _i, j, order);
        order = zs_value_compare(a, b, ZS_BINARY);
        ck_assert_msg((order > 0) - (order < 0) == (expected > 0) - (expected < 0),
            "numbers %d and %zu: %d", _i, j, order);
    }
    for (unsigned i = 0; i < 2; i++)
        zs_buffer_clear(&keys[i]);
}
END_TEST

START_TEST(a_nan_is_a_null)
{
    struct zs_value nan_value = REAL(NAN);
    struct zs_value null_value = {.type = ZS_NULL};
    struct zs_buffer buffer;

    zs_buffer_init(&buffer, &zs_alloc_libc);
    ck_assert_int_eq(zs_row_append_identity(&buffer, &nan_value), ZS_OK);
    ck_assert_int_eq(zs_row_append_comparison(&buffer, &nan_value, ZS_BINARY), ZS_OK);
    assert_hex(&buffer, "0001");
    ck_assert_int_eq(zs_value_compare(&nan_value, &null_value, ZS_BINARY), 0);
    ck_assert(zs_value_is_identical(&nan_value, &null_value));
    zs_buffer_clear(&buffer);
}
END_TEST

/* Bytes that no append wrote, and why. */
static const struct {
    const char *why;
    const char *bytes;
    size_t len;
} corrupt[] = {
    {"nothing", "", 0},
    {"an unknown tag", "\x01", 1},
    {"a tag past the integers", "\x19", 1},
    {"a tag past the reals", "\x29", 1},
    {"a tag past all", "\x32", 1},
    {"an integer cut short", "\x12\x01", 2},
    {"an integer longer than it need be", "\x12\x00\x01", 3},
    {"a zero with a byte", "\x11\x00", 2},
    {"minus one in two bytes", "\x12\xff\xff", 3},
    {"a real cut short", "\x22\x3f", 2},
    {"a real with a zero at its end", "\x23\x3f\xf0\x00", 4},
    {"a NaN", "\x22\x7f\xf8", 3},
    {"text without its length", "\x30", 1},
    {"text cut short", "\x30\x02\x61", 3},
    {"a length longer than it need be", "\x30\x81\x00\x61", 4},
    {"a length past all memory", "\x31\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},
};

START_TEST(bytes_that_no_append_wrote_are_corrupt)
{
    struct zs_bytes row = {(const uint8_t *)corrupt[_i].bytes, corrupt[_i].len};
    struct zs_value value = INTEGER(42);
    size_t at = 0;

    ck_assert_msg(zs_row_read(row, &at, &value) == ZS_CORRUPT, "%s", corrupt[_i].why);
    ck_assert_msg(at == 0 && value.type == ZS_INTEGER && value.integer == 42, "%s changed",
        corrupt[_i].why);
    ck_assert_int_eq(zs_row_skip(row, &at), ZS_CORRUPT);
}
END_TEST

/* Exactly as many bytes as there are: a sanitizer sees a read past them. */
START_TEST(random_bytes_are_read_as_an_append_would_write_them_or_not_at_all)
{
    struct random random = random_new(1);
    struct zs_buffer again;

    zs_buffer_init(&again, &zs_alloc_libc);
    for (unsigned i = 0; i < 20000; i++) {
        size_t len = random_below(&random, 14);
        uint8_t *bytes = malloc(len + (len == 0));
        struct zs_bytes row = {bytes, len};
        struct zs_value value;
        size_t at = 0;

        ck_assert_ptr_nonnull(bytes);
        for (size_t j = 0; j < len; j++)
            bytes[j] = (uint8_t)(random_once_in(&random, 2) ? random_below(&random, 0x34)
                                                            : random_next(&random));
        if (zs_row_read(row, &at, &value) == ZS_OK) {
            zs_buffer_reset(&again);
            ck_assert_int_eq(zs_row_append_identity(&again, &value), ZS_OK);
            ck_assert(zs_bytes_equal(zs_buffer_bytes(&again), (struct zs_bytes){bytes, at}));
        }
        at = 0;
        if (zs_row_skip_comparison(row, &at) == ZS_OK)
            ck_assert_uint_le(at, len);
        else
            ck_assert_uint_eq(at, 0);
        free(bytes);
    }
    zs_buffer_clear(&again);
}
END_TEST

START_TEST(a_key_that_is_an_integer_is_known)
{
    static const struct {
        struct zs_value value;
        int64_t integer; /* -1: it is none, or negative */
    } keys[] = {
        {{.type = ZS_INTEGER, .integer = 0}, 0},
        {{.type = ZS_REAL, .real = -0.0}, 0},
        {{.type = ZS_REAL, .real = 3}, 3},
        {{.type = ZS_REAL, .real = 0x1p62}, (int64_t)1 << 62},
        {{.type = ZS_REAL, .real = 0x1p63}, -1},
        {{.type = ZS_REAL, .real = 0.5}, -1},
        {{.type = ZS_REAL, .real = 2.5}, -1},
        {{.type = ZS_REAL, .real = 1e300}, -1},
        {{.type = ZS_REAL, .real = INFINITY}, -1},
        {{.type = ZS_REAL, .real = -INFINITY}, -1},
        {{.type = ZS_INTEGER, .integer = -1}, -1},
        {{.type = ZS_INTEGER, .integer = INT64_MIN}, -1},
        {{.type = ZS_NULL}, -1},
        {{.type = ZS_TEXT, .bytes = {(const uint8_t *)"1", 1}}, -1},
        {{.type = ZS_BLOB, .bytes = {(const uint8_t *)"1", 1}}, -1},
    };
    struct random random = random_new(3);
    struct zs_buffer key;
    int64_t integer;

    zs_buffer_init(&key, &zs_alloc_libc);
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        bool is_one;

        zs_buffer_reset(&key);
        ck_assert_int_eq(zs_row_append_comparison(&key, &keys[i].value, ZS_BINARY), ZS_OK);
        is_one = zs_row_is_comparison_of_integer(zs_buffer_bytes(&key), &integer);
        ck_assert_int_eq(is_one ? integer : -1, keys[i].integer);
        /* Two values are none. */
        ck_assert_int_eq(zs_row_append_comparison(&key, &keys[i].value, ZS_BINARY), ZS_OK);
        ck_assert(!zs_row_is_comparison_of_integer(zs_buffer_bytes(&key), &integer));
    }
    for (unsigned i = 0; i < 20000; i++) {
        struct zs_value value = {.type = ZS_INTEGER,
            .integer = (int64_t)(random_next(&random) >> (1 + random_below(&random, 63)))};
        struct zs_bytes whole;

        zs_buffer_reset(&key);
        ck_assert_int_eq(zs_row_append_comparison(&key, &value, ZS_BINARY), ZS_OK);
        whole = zs_buffer_bytes(&key);
        ck_assert(zs_row_is_comparison_of_integer(whole, &integer));
        ck_assert_int_eq(integer, value.integer);
        whole.len--;
        ck_assert(!zs_row_is_comparison_of_integer(whole, &integer));
    }
    zs_buffer_clear(&key);
}
END_TEST

START_TEST(a_row_is_read_value_by_value)
{
    struct random random = random_new(2);

    for (unsigned i = 0; i < 500; i++) {
        struct random_value values[5];
        struct zs_buffer row;
        size_t at = 0;
        size_t skipped = 0;

        zs_buffer_init(&row, &zs_alloc_libc);
        for (unsigned j = 0; j < COUNT(values); j++) {
            random_value(&random, &values[j]);
            ck_assert_int_eq(zs_row_append_identity(&row, &values[j].value), ZS_OK);
        }
        for (unsigned j = 0; j < COUNT(values); j++) {
            struct zs_value value;
            ck_assert_int_eq(zs_row_read(zs_buffer_bytes(&row), &at, &value), ZS_OK);
            ck_assert(zs_value_is_identical(&value, &values[j].value));
            ck_assert_int_eq(zs_row_skip(zs_buffer_bytes(&row), &skipped), ZS_OK);
            ck_assert_uint_eq(at, skipped);
        }
        ck_assert_uint_eq(at, row.len);
        zs_buffer_clear(&row);
    }
}
END_TEST

static size_t put_unit(uint8_t *to, uint16_t unit, enum zs_collation collation)
{
    bool is_little = collation == ZS_BINARY_16LE;
    to[0] = (uint8_t)(is_little ? unit : unit >> 8);
    to[1] = (uint8_t)(is_little ? unit >> 8 : unit);
    return 2;
}

/* Up to four characters: pairs of surrogates, a lone lead at the end, U+FFFF and the like. The
** first is a letter, lest SQLite take U+FFFE for a mark of the byte order. */
static size_t random_units(struct random *random, enum zs_collation collation, uint8_t *to)
{
    static const uint16_t singles[] = {
        0x61, 0x00, 0xe9, 0x20ac, 0xd7ff, 0xe000, 0xfffd, 0xfffe, 0xffff};
    static const uint16_t leads[] = {0xd800, 0xd83d, 0xdbff};
    size_t len = put_unit(to, 'a', collation);

    for (unsigned n = random_below(random, 4); n > 0; n--) {
        if (random_once_in(random, 2)) {
            uint16_t single = singles[random_below(random, COUNT(singles))];
            len += put_unit(to + len, single, collation);
            continue;
        }
        len += put_unit(to + len, leads[random_below(random, COUNT(leads))], collation);
        if (n == 1 && random_once_in(random, 2))
            break;
        len += put_unit(to + len, random_once_in(random, 2) ? 0xdc00 : 0xdfff, collation);
    }
    return len;
}

/* It comes to core by way of UTF-8, which has no proper place for a lone surrogate. */
START_TEST(text_of_a_utf16_database_orders_as_its_code_units_do)
{
    enum zs_collation collation = _i == 0 ? ZS_BINARY_16LE : ZS_BINARY_16BE;
    struct row_oracle *oracle = row_oracle_new();
    struct random random = random_new(3);

    for (unsigned i = 0; i < 4000; i++) {
        uint8_t raw[2][20];
        struct zs_bytes units[2];
        struct zs_buffer keys[2];
        int order;
        int expected;

        for (unsigned j = 0; j < 2; j++) {
            struct zs_value text = {.type = ZS_TEXT};
            units[j] = (struct zs_bytes){raw[j], random_units(&random, collation, raw[j])};
            text.bytes = row_oracle_read_utf16(oracle, units[j], collation);
            zs_buffer_init(&keys[j], &zs_alloc_libc);
            ck_assert_int_eq(zs_row_append_comparison(&keys[j], &text, collation), ZS_OK);
        }
        expected = zs_bytes_compare(units[0], units[1]);
        order = zs_bytes_compare(zs_buffer_bytes(&keys[0]), zs_buffer_bytes(&keys[1]));
        ck_assert_int_eq((order > 0) - (order < 0), (expected > 0) - (expected < 0));
        zs_buffer_clear(&keys[0]);
        zs_buffer_clear(&keys[1]);
    }
    row_oracle_free(oracle);
}
END_TEST

/* What SQLite makes of broken UTF-8 when it stores it as UTF-16, core makes of it too. */
START_TEST(broken_utf8_orders_as_what_a_utf16_database_would_store)
{
    enum zs_collation collation = _i == 0 ? ZS_BINARY_16LE : ZS_BINARY_16BE;
    struct row_oracle *oracle = row_oracle_new();
    struct random random = random_new(7);

    for (unsigned i = 0; i < 4000; i++) {
        struct random_value value;
        struct zs_value stored = {.type = ZS_TEXT};
        struct zs_buffer keys[2];

        do
            random_value(&random, &value);
        while (value.value.type != ZS_TEXT);
        stored.bytes = row_oracle_read_back(oracle, value.value.bytes, collation);
        for (unsigned j = 0; j < 2; j++) {
            zs_buffer_init(&keys[j], &zs_alloc_libc);
            must(zs_row_append_comparison(
                     &keys[j], j == 0 ? &value.value : &stored, collation) == ZS_OK);
        }
        must(zs_bytes_equal(zs_buffer_bytes(&keys[0]), zs_buffer_bytes(&keys[1])));
        zs_buffer_clear(&keys[0]);
        zs_buffer_clear(&keys[1]);
    }
    row_oracle_free(oracle);
}
END_TEST

/* Out of memory */

struct append_act {
    struct check_alloc check;
    struct zs_buffer buffer;
    const struct zs_value *value;
    int collation; /* -1: identity */
};

static int append(void *ctx)
{
    struct append_act *act = ctx;
    if (act->collation < 0)
        return zs_row_append_identity(&act->buffer, act->value);
    return zs_row_append_comparison(
        &act->buffer, act->value, (enum zs_collation)act->collation);
}

static void assert_appended_nothing(void *ctx)
{
    struct append_act *act = ctx;
    assert_hex(&act->buffer, "61");
}

START_TEST(an_append_without_memory_leaves_the_buffer_as_it_was)
{
    struct append_act act = {.value = &formats[_i].value};

    for (act.collation = -1; act.collation <= ZS_BINARY_16BE; act.collation++) {
        check_alloc_init(&act.check);
        zs_buffer_init(&act.buffer, &act.check.alloc);
        ck_assert_int_eq(zs_buffer_append_byte(&act.buffer, 'a'), ZS_OK);
        check_alloc_sweep(&act.check, append, assert_appended_nothing, &act);
        zs_buffer_clear(&act.buffer);
        check_alloc_end(&act.check);
    }
}
END_TEST

/* The laws */

static const struct property *const properties[] = {
    &row_is_reversible, &row_identity, &row_order, &row_compare, &row_prefix, &row_tuple};

START_TEST(the_encodings_keep_their_laws)
{
    struct row_coder coder = row_coder_complete((struct row_coder){.read = NULL});
    struct row_subject subject = {&coder, row_oracle_new()};

    property_must_hold(properties[_i], "row.h", &subject, 10000);
    row_oracle_free(subject.oracle);
}
END_TEST

START_TEST(the_laws_catch_every_rival)
{
    for (const struct row_rival *rival = row_rivals; rival->name != NULL; rival++) {
        struct row_coder coder = row_coder_complete(rival->coder);
        struct row_subject subject = {&coder, row_oracle_new()};
        struct rival caught = {rival->name, &subject, rival->caught_by};
        property_must_catch(&caught, 10000);
        row_oracle_free(subject.oracle);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("row");
    TCase *cases = tcase_create("cases");
    TCase *laws = tcase_create("laws");

    random_announce();
    tcase_add_loop_test(cases, a_value_is_encoded_as_the_format_says, 0, COUNT(formats));
    tcase_add_loop_test(
        cases, numbers_compare_exactly_up_to_the_ends_of_their_range, 0, COUNT(numbers));
    tcase_add_test(cases, a_nan_is_a_null);
    tcase_add_loop_test(cases, bytes_that_no_append_wrote_are_corrupt, 0, COUNT(corrupt));
    tcase_add_test(cases, random_bytes_are_read_as_an_append_would_write_them_or_not_at_all);
    tcase_add_test(cases, a_key_that_is_an_integer_is_known);
    tcase_add_test(cases, a_row_is_read_value_by_value);
    tcase_add_loop_test(cases, text_of_a_utf16_database_orders_as_its_code_units_do, 0, 2);
    tcase_add_loop_test(cases, broken_utf8_orders_as_what_a_utf16_database_would_store, 0, 2);
    tcase_add_loop_test(
        cases, an_append_without_memory_leaves_the_buffer_as_it_was, 0, COUNT(formats));
    tcase_add_loop_test(laws, the_encodings_keep_their_laws, 0, COUNT(properties));
    tcase_add_test(laws, the_laws_catch_every_rival);
    tcase_set_timeout(cases, 60);
    tcase_set_timeout(laws, 120);
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, laws);
    return suite_run(suite);
}
