/* The SQL folds: cases by hand, what a change costs, failures; the laws, and rivals. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "core/fold.h"
#include "tests/check_alloc.h"
#include "tests/fold_laws.h"
#include "tests/suite.h"

enum { values_max = 6 };

#define NULL_VALUE                                                                             \
    {                                                                                          \
        .type = ZS_NULL                                                                        \
    }
#define INTEGER(n)                                                                             \
    {                                                                                          \
        .type = ZS_INTEGER, .integer = (n)                                                     \
    }
#define REAL(x)                                                                                \
    {                                                                                          \
        .type = ZS_REAL, .real = (x)                                                           \
    }
#define TEXT(text)                                                                             \
    {                                                                                          \
        .type = ZS_TEXT, .bytes = {(const uint8_t *)(text), sizeof(text) - 1 }                 \
    }
#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A trace that counts what is asked of another. */
struct counting {
    struct zs_trace base;
    struct zs_trace *inner;
    unsigned n_applies;
    unsigned n_lookups;
};

static int counting_apply(
    struct zs_trace *trace, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    struct counting *counting = (struct counting *)trace;
    counting->n_applies++;
    return zs_trace_apply(counting->inner, key, value, weight);
}

static int counting_lookup(struct zs_trace *trace, struct zs_bytes key, struct zs_span values,
    int64_t limit, struct zs_batch *out)
{
    struct counting *counting = (struct counting *)trace;
    counting->n_lookups++;
    return zs_trace_lookup(counting->inner, key, values, limit, out);
}

static const struct zs_trace_methods counting_methods = {
    .apply = counting_apply, .lookup = counting_lookup};

static struct counting multiset;
static struct zs_fold *fold;
static struct zs_buffer state;
static struct zs_buffer result;
static enum zs_reading reading;

static void setup(void)
{
    multiset = (struct counting){.base.methods = &counting_methods};
    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &multiset.inner), ZS_OK);
    fold = NULL;
    zs_buffer_init(&state, &zs_alloc_libc);
    zs_buffer_init(&result, &zs_alloc_libc);
}

static void teardown(void)
{
    zs_trace_free(multiset.inner);
    zs_fold_free(fold);
    zs_buffer_clear(&state);
    zs_buffer_clear(&result);
}

static void make_fold(unsigned n_keys, unsigned n_arguments, const struct zs_fold_spec *specs,
    unsigned n_specs, bool is_global)
{
    ck_assert_int_eq(
        zs_sql_fold_new(&zs_alloc_libc, n_keys, n_arguments, specs, n_specs, is_global, &fold),
        ZS_OK);
}

/* One step with one row. */
static int change(const struct zs_value *values, size_t n, int64_t weight)
{
    struct zs_buffer row;
    struct zs_buffer new_state;
    struct zs_item item = {.weight = weight};
    int rc;

    zs_buffer_init(&row, &zs_alloc_libc);
    zs_buffer_init(&new_state, &zs_alloc_libc);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(zs_row_append_identity(&row, &values[i]), ZS_OK);
    item.value = zs_buffer_bytes(&row);
    rc = fold->change(
        fold, item.key, zs_buffer_bytes(&state), &item, 1, &multiset.base, &new_state);
    zs_buffer_clear(&row);
    if (rc == ZS_OK) {
        zs_buffer_clear(&state);
        state = new_state;
    } else {
        zs_buffer_clear(&new_state);
    }
    return rc;
}

static void insert(struct zs_value value)
{
    ck_assert_int_eq(change(&value, 1, 1), ZS_OK);
}

static void retract(struct zs_value value)
{
    ck_assert_int_eq(change(&value, 1, -1), ZS_OK);
}

static void read(void)
{
    zs_buffer_reset(&result);
    ck_assert_int_eq(
        fold->read(fold, (struct zs_bytes){0}, zs_buffer_bytes(&state), &result, &reading),
        ZS_OK);
}

/* The row reads as these values. */
static void assert_row(const struct zs_value *values, size_t n)
{
    size_t at = 0;

    read();
    ck_assert_int_eq(reading, ZS_ROW);
    for (size_t i = 0; i < n; i++) {
        struct zs_value value;
        ck_assert_int_eq(zs_row_read(zs_buffer_bytes(&result), &at, &value), ZS_OK);
        ck_assert_msg(zs_value_is_identical(&value, &values[i]), "value %zu", i);
    }
    ck_assert_uint_eq(at, result.len);
}

static void assert_overflow(void)
{
    read();
    ck_assert_int_eq(reading, ZS_ERROR_ROW);
    ck_assert_uint_eq(result.len, strlen("integer overflow"));
    ck_assert_mem_eq(result.data, "integer overflow", result.len);
}

static const struct {
    const char *name;
    struct zs_fold_spec spec;
    unsigned n;
    struct zs_value values[values_max];
    struct zs_value expected;
} cases[] = {
    {"count of nothing", {.kind = ZS_COUNT}, 0, {{0}}, INTEGER(0)},
    {"count skips NULL", {.kind = ZS_COUNT}, 2, {NULL_VALUE, INTEGER(0)}, INTEGER(1)},
    {"count of rows", {.kind = ZS_COUNT_ROWS}, 2, {NULL_VALUE, INTEGER(0)}, INTEGER(2)},
    {"sum of nothing", {.kind = ZS_SUM}, 0, {{0}}, NULL_VALUE},
    {"sum of NULL", {.kind = ZS_SUM}, 1, {NULL_VALUE}, NULL_VALUE},
    {"sum of integers", {.kind = ZS_SUM}, 2, {INTEGER(1), INTEGER(2)}, INTEGER(3)},
    {"sum with a real", {.kind = ZS_SUM}, 2, {INTEGER(1), REAL(2)}, REAL(3)},
    {"sum beyond int64 with a real", {.kind = ZS_SUM}, 3,
        {INTEGER(INT64_MAX), INTEGER(1), REAL(0)}, REAL(0x1p63)},
    {"sum is rounded once", {.kind = ZS_SUM}, 3, {REAL(1e16), REAL(1), REAL(-1e16)}, REAL(1)},
    {"sum with an infinity", {.kind = ZS_SUM}, 2, {REAL(-INFINITY), REAL(1)}, REAL(-INFINITY)},
    {"sum of both infinities", {.kind = ZS_SUM}, 2, {REAL(INFINITY), REAL(-INFINITY)},
        NULL_VALUE},
    {"total of nothing", {.kind = ZS_TOTAL}, 0, {{0}}, REAL(0)},
    {"total of integers", {.kind = ZS_TOTAL}, 2, {INTEGER(INT64_MAX), INTEGER(INT64_MAX)},
        REAL(0x1p64)},
    {"total of -0.0", {.kind = ZS_TOTAL}, 1, {REAL(-0.0)}, REAL(0)},
    {"avg of nothing", {.kind = ZS_AVG}, 1, {NULL_VALUE}, NULL_VALUE},
    {"avg of integers", {.kind = ZS_AVG}, 3, {INTEGER(1), INTEGER(2), NULL_VALUE}, REAL(1.5)},
    {"min of nothing", {.kind = ZS_MIN}, 0, {{0}}, NULL_VALUE},
    {"min of types", {.kind = ZS_MIN}, 3, {TEXT("a"), NULL_VALUE, INTEGER(9)}, INTEGER(9)},
    {"max of types", {.kind = ZS_MAX}, 3, {TEXT("a"), NULL_VALUE, INTEGER(9)}, TEXT("a")},
    {"min by bytes", {.kind = ZS_MIN}, 2, {TEXT("a"), TEXT("B")}, TEXT("B")},
    {"min by letters", {.kind = ZS_MIN, .collation = ZS_NOCASE}, 2, {TEXT("a"), TEXT("B")},
        TEXT("a")},
    {"unanimous of nothing", {.kind = ZS_UNANIMOUS}, 0, {{0}}, NULL_VALUE},
    {"unanimous", {.kind = ZS_UNANIMOUS}, 3, {TEXT("a"), NULL_VALUE, TEXT("a")}, TEXT("a")},
    {"unanimous tells 1 from 1.0", {.kind = ZS_UNANIMOUS}, 2, {INTEGER(1), REAL(1)},
        NULL_VALUE},
    {"unanimous over DISTINCT does not", {.kind = ZS_UNANIMOUS, .is_distinct = true}, 2,
        {REAL(1), INTEGER(1)}, INTEGER(1)},
    {"count DISTINCT", {.kind = ZS_COUNT, .is_distinct = true}, 4,
        {INTEGER(1), REAL(1), NULL_VALUE, TEXT("1")}, INTEGER(2)},
    {"count DISTINCT by letters",
        {.kind = ZS_COUNT, .is_distinct = true, .collation = ZS_NOCASE}, 3,
        {TEXT("a"), TEXT("A"), TEXT("b")}, INTEGER(2)},
    {"sum DISTINCT", {.kind = ZS_SUM, .is_distinct = true}, 4,
        {INTEGER(2), INTEGER(2), REAL(2), INTEGER(3)}, INTEGER(5)},
    {"avg DISTINCT", {.kind = ZS_AVG, .is_distinct = true}, 3,
        {INTEGER(2), INTEGER(2), INTEGER(3)}, REAL(2.5)},
    {"total DISTINCT of nothing", {.kind = ZS_TOTAL, .is_distinct = true}, 0, {{0}}, REAL(0)},
};

START_TEST(an_aggregate_over_all_rows_reads_as_in_sql)
{
    make_fold(0, 1, &cases[_i].spec, 1, true);
    for (unsigned i = 0; i < cases[_i].n; i++)
        insert(cases[_i].values[i]);
    assert_row(&cases[_i].expected, 1);
}
END_TEST

START_TEST(rows_in_any_order_and_a_row_that_leaves_change_nothing)
{
    struct zs_value visitor = INTEGER(-77);

    make_fold(0, 1, &cases[_i].spec, 1, true);
    insert(visitor);
    for (unsigned i = cases[_i].n; i > 0; i--)
        insert(cases[_i].values[i - 1]);
    insert(visitor);
    retract(visitor);
    retract(visitor);
    assert_row(&cases[_i].expected, 1);
    for (unsigned i = 0; i < cases[_i].n; i++)
        retract(cases[_i].values[i]);
    ck_assert_uint_eq(state.len, 0);
}
END_TEST

START_TEST(an_overflow_reads_as_an_error_until_it_heals)
{
    static const struct zs_fold_spec specs[] = {{.kind = ZS_COUNT}, {.kind = ZS_SUM}};
    static const struct zs_value most = INTEGER(INT64_MAX);
    static const struct zs_value least = INTEGER(INT64_MIN);
    static const struct zs_value healed[] = {INTEGER(3), INTEGER(INT64_MAX - 1)};

    make_fold(0, 1, specs, 2, true);
    insert(most);
    insert(most);
    assert_overflow();
    insert(least);
    assert_row(healed, 2);
    retract(most);
    retract(most);
    insert(least);
    assert_overflow();
}
END_TEST

START_TEST(a_group_shows_key_values_that_are_present)
{
    static const struct zs_fold_spec rows = {.kind = ZS_COUNT_ROWS};
    static const struct zs_value lower = TEXT("a");
    static const struct zs_value upper = TEXT("A");
    static const struct zs_value two_lower[] = {TEXT("a"), INTEGER(2)};
    static const struct zs_value three_lower[] = {TEXT("a"), INTEGER(3)};
    static const struct zs_value one_upper[] = {TEXT("A"), INTEGER(1)};

    make_fold(1, 0, &rows, 1, false);
    read();
    ck_assert_int_eq(reading, ZS_NO_ROW);
    insert(lower);
    insert(lower);
    assert_row(two_lower, 2);
    ck_assert_uint_eq(multiset.n_applies + multiset.n_lookups, 0);
    insert(upper);
    assert_row(three_lower, 2);
    retract(lower);
    retract(lower);
    assert_row(one_upper, 2);
    retract(upper);
    ck_assert_uint_eq(state.len, 0);
}
END_TEST

START_TEST(aggregates_of_one_argument_share_its_values)
{
    static const struct zs_fold_spec specs[] = {{.kind = ZS_UNANIMOUS},
        {.kind = ZS_COUNT, .is_distinct = true, .collation = ZS_NOCASE},
        {.kind = ZS_SUM, .is_distinct = true, .collation = ZS_NOCASE},
        {.kind = ZS_MIN, .collation = ZS_NOCASE}, {.kind = ZS_MAX, .collation = ZS_NOCASE}};
    static const struct zs_value expected[] = {
        NULL_VALUE, INTEGER(2), INTEGER(12), INTEGER(5), INTEGER(7)};

    make_fold(0, 1, specs, 5, false);
    insert((struct zs_value)INTEGER(5));
    insert((struct zs_value)INTEGER(7));
    assert_row(expected, 5);
    ck_assert_uint_eq(multiset.n_applies, 2);
    ck_assert_uint_eq(multiset.n_lookups, 2);
}
END_TEST

START_TEST(a_minimum_is_looked_up_only_when_it_leaves)
{
    static const struct zs_fold_spec least = {.kind = ZS_MIN};
    static const struct zs_value two = INTEGER(2);

    make_fold(0, 1, &least, 1, false);
    insert((struct zs_value)INTEGER(1));
    insert((struct zs_value)INTEGER(1));
    insert((struct zs_value)INTEGER(2));
    ck_assert_uint_eq(multiset.n_lookups, 0);
    retract((struct zs_value)INTEGER(1));
    ck_assert_uint_eq(multiset.n_lookups, 1); /* is it gone? */
    retract((struct zs_value)INTEGER(1));
    ck_assert_uint_eq(multiset.n_lookups, 3);
    assert_row(&two, 1);
    insert((struct zs_value)INTEGER(3));
    retract((struct zs_value)INTEGER(3));
    ck_assert_uint_eq(multiset.n_lookups, 4);
}
END_TEST

/* Retractions of what was not there, after one row ('a', 5) and n_others rows ('a', 9). */
static const struct {
    const char *name;
    struct zs_fold_spec spec;
    int64_t n_others;
    struct zs_value row[2];
    int64_t weight;
} impossible[] = {
    {"more rows than there are", {.kind = ZS_COUNT_ROWS}, 0, {TEXT("a"), INTEGER(5)}, -2},
    {"other keys", {.kind = ZS_COUNT_ROWS}, 0, {TEXT("A"), INTEGER(5)}, -1},
    {"other keys", {.kind = ZS_COUNT_ROWS}, 2, {TEXT("A"), INTEGER(5)}, -1},
    {"a NULL", {.kind = ZS_COUNT}, 0, {TEXT("a"), NULL_VALUE}, -1},
    {"a NULL", {.kind = ZS_COUNT}, 2, {TEXT("a"), NULL_VALUE}, -1},
    {"a NULL", {.kind = ZS_SUM}, 0, {TEXT("a"), NULL_VALUE}, -1},
    {"another integer", {.kind = ZS_SUM}, 0, {TEXT("a"), INTEGER(6)}, -1},
    {"a real", {.kind = ZS_SUM}, 2, {TEXT("a"), REAL(5)}, -1},
    {"an infinity", {.kind = ZS_SUM}, 2, {TEXT("a"), REAL(INFINITY)}, -1},
    {"another value", {.kind = ZS_MIN}, 0, {TEXT("a"), INTEGER(6)}, -1},
    {"another value", {.kind = ZS_MIN}, 2, {TEXT("a"), INTEGER(6)}, -1},
    {"an equal value", {.kind = ZS_MAX}, 0, {TEXT("a"), REAL(5)}, -1},
    {"an equal value", {.kind = ZS_MAX}, 2, {TEXT("a"), REAL(5)}, -1},
    {"a value too often", {.kind = ZS_MAX}, 2, {TEXT("a"), INTEGER(5)}, -2},
    {"another value", {.kind = ZS_COUNT, .is_distinct = true}, 2, {TEXT("a"), INTEGER(6)}, -1},
    {"an equal value", {.kind = ZS_SUM, .is_distinct = true}, 0, {TEXT("a"), REAL(5)}, -1},
    {"an equal value", {.kind = ZS_SUM, .is_distinct = true}, 2, {TEXT("a"), REAL(5)}, -1},
    {"a value too often", {.kind = ZS_AVG, .is_distinct = true}, 2, {TEXT("a"), INTEGER(5)},
        -2},
    {"a NULL", {.kind = ZS_UNANIMOUS}, 0, {TEXT("a"), NULL_VALUE}, -1},
};

START_TEST(a_retraction_of_what_was_not_there_is_refused)
{
    static const struct zs_value row[] = {TEXT("a"), INTEGER(5)};
    static const struct zs_value other[] = {TEXT("a"), INTEGER(9)};

    make_fold(1, 1, &impossible[_i].spec, 1, false);
    ck_assert_int_eq(change(row, 2, 1), ZS_OK);
    if (impossible[_i].n_others > 0)
        ck_assert_int_eq(change(other, 2, impossible[_i].n_others), ZS_OK);
    ck_assert_int_eq(change(impossible[_i].row, 2, impossible[_i].weight), ZS_CORRUPT);
}
END_TEST

START_TEST(rows_that_do_not_fit_are_refused)
{
    static const struct zs_fold_spec sum = {.kind = ZS_SUM};
    static const struct zs_value rows[][3] = {
        {INTEGER(1), INTEGER(1), INTEGER(1)}, {INTEGER(1), TEXT("1"), NULL_VALUE}};

    make_fold(1, 1, &sum, 1, false);
    ck_assert_int_eq(change(rows[0], 1, 1), ZS_CORRUPT);
    ck_assert_int_eq(change(rows[0], 3, 1), ZS_CORRUPT);
    ck_assert_int_eq(change(rows[1], 2, 1), ZS_CORRUPT);
    ck_assert_int_eq(change(rows[0], 2, INT64_MAX), ZS_OK);
    ck_assert_int_eq(change(rows[0], 2, 1), ZS_OVERFLOW);
}
END_TEST

START_TEST(a_fold_says_whether_it_needs_a_multiset)
{
    static const struct zs_fold_spec plain = {.kind = ZS_SUM};
    static const struct zs_fold_spec ordered = {.kind = ZS_MIN};

    make_fold(0, 1, &plain, 1, true);
    ck_assert(!zs_fold_needs_multiset(fold));
    zs_fold_free(fold);
    make_fold(0, 1, &ordered, 1, true);
    ck_assert(zs_fold_needs_multiset(fold));
    zs_fold_free(fold);
    make_fold(1, 1, &plain, 1, false);
    ck_assert(zs_fold_needs_multiset(fold));
}
END_TEST

START_TEST(an_argument_out_of_range_is_refused)
{
    static const struct zs_fold_spec sum = {.kind = ZS_SUM, .argument = 1};

    ck_assert_int_eq(zs_sql_fold_new(&zs_alloc_libc, 0, 1, &sum, 1, true, &fold), ZS_MISUSE);
    ck_assert_ptr_null(fold);
    zs_fold_free(NULL);
}
END_TEST

static const struct zs_fold_spec every_kind[] = {{.kind = ZS_COUNT_ROWS}, {.kind = ZS_COUNT},
    {.kind = ZS_SUM}, {.kind = ZS_AVG}, {.kind = ZS_MIN}, {.kind = ZS_MAX},
    {.kind = ZS_SUM, .is_distinct = true}, {.kind = ZS_UNANIMOUS, .is_distinct = true}};

/* A state of format 1, fixed for good: min(x), sum(x) and count(DISTINCT x) of the rows
** ('a', 2.5) twice and ('A', 3), grouped by the first under NOCASE. */
static const struct zs_fold_spec few_kinds[] = {
    {.kind = ZS_MIN}, {.kind = ZS_SUM}, {.kind = ZS_COUNT, .is_distinct = true}};
static const uint8_t few_state[] = {1, 3, 0x30, 1, 'a', 2, /* version, rows, keys */
    2, 0x22, 0x40, 0x04,                                   /* classes and least of x */
    0x1b, 2, 4, 0, 0, 8};                                  /* sum */

START_TEST(a_state_of_format_1_is_fixed)
{
    static const struct zs_value rows[2][2] = {{TEXT("a"), REAL(2.5)}, {TEXT("A"), INTEGER(3)}};

    make_fold(1, 1, few_kinds, N_OF(few_kinds), false);
    ck_assert_int_eq(change(rows[0], 2, 2), ZS_OK);
    ck_assert_int_eq(change(rows[1], 2, 1), ZS_OK);
    ck_assert_uint_eq(state.len, sizeof(few_state));
    ck_assert_mem_eq(state.data, few_state, state.len);
}
END_TEST

/* The state above with one byte changed. */
static const struct {
    const char *fault;
    size_t at;
    uint8_t byte;
} damages[] = {
    {"another version", 0, 2},
    {"no rows", 1, 0},
    {"fewer rows than values", 1, 1},
    {"no row with the keys", 5, 0},
    {"keys of no type", 2, 0x0f},
    {"more classes than rows", 6, 4},
    {"a least value of no type", 7, 0x0f},
    {"a sum of another version", 10, 0x2b},
    {"fewer than no integers", 11, 1},
    {"fewer than no reals", 12, 3},
    {"more addends than rows", 12, 6},
};

START_TEST(a_damaged_state_is_refused)
{
    static const struct zs_value row[] = {TEXT("a"), REAL(2.5)};

    make_fold(1, 1, few_kinds, N_OF(few_kinds), false);
    ck_assert_int_eq(zs_buffer_append(&state, few_state, sizeof(few_state)), ZS_OK);
    state.data[damages[_i].at] = damages[_i].byte;
    ck_assert_int_eq(
        fold->read(fold, (struct zs_bytes){0}, zs_buffer_bytes(&state), &result, &reading),
        ZS_CORRUPT);
    ck_assert_int_eq(change(row, 2, 1), ZS_CORRUPT);
}
END_TEST

START_TEST(a_state_too_long_or_too_short_is_refused)
{
    make_fold(1, 1, few_kinds, N_OF(few_kinds), false);
    for (size_t len = 1; len <= sizeof(few_state) + 1; len++) {
        zs_buffer_reset(&state);
        zs_buffer_reset(&result);
        for (size_t i = 0; i < len; i++)
            ck_assert_int_eq(
                zs_buffer_append_byte(&state, i < sizeof(few_state) ? few_state[i] : 0), ZS_OK);
        ck_assert_int_eq(
            fold->read(fold, (struct zs_bytes){0}, zs_buffer_bytes(&state), &result, &reading),
            len == sizeof(few_state) ? ZS_OK : ZS_CORRUPT);
    }
}
END_TEST

/* The state is in memory of its exact size, so that ASan sees a byte too many. */
static void try_state(const uint8_t *bytes, size_t len, const struct zs_item *item)
{
    struct zs_bytes bad = {zs_alloc_get(&zs_alloc_libc, len), len};
    struct zs_buffer new_state;

    ck_assert_ptr_nonnull(bad.data);
    memcpy((uint8_t *)bad.data, bytes, len);
    zs_buffer_init(&new_state, &zs_alloc_libc);
    zs_buffer_reset(&result);
    (void)!fold->read(fold, item->key, bad, &result, &reading);
    (void)!fold->change(fold, item->key, bad, item, 1, &multiset.base, &new_state);
    zs_buffer_clear(&new_state);
    zs_alloc_free(&zs_alloc_libc, (uint8_t *)bad.data);
}

START_TEST(a_corrupt_state_never_crashes)
{
    static const struct zs_value row[] = {TEXT("a"), REAL(2.5)};
    static const struct zs_value other[] = {TEXT("A"), INTEGER(1000)};
    struct zs_buffer bytes;
    struct zs_item item = {.weight = -1};

    make_fold(1, 1, every_kind, N_OF(every_kind), false);
    ck_assert_int_eq(change(row, 2, 2), ZS_OK);
    ck_assert_int_eq(change(other, 2, 1), ZS_OK);
    zs_buffer_init(&bytes, &zs_alloc_libc);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(zs_row_append_identity(&bytes, &row[i]), ZS_OK);
    item.value = zs_buffer_bytes(&bytes);
    for (size_t at = 0; at < state.len; at++) {
        uint8_t good = state.data[at];
        try_state(state.data, at, &item);
        for (unsigned bad = 0; bad < 256; bad++) {
            state.data[at] = (uint8_t)bad;
            try_state(state.data, state.len, &item);
        }
        state.data[at] = good;
    }
    zs_buffer_clear(&bytes);
}
END_TEST

/* One step with two rows, into and out of a group that is there. */
struct act {
    const struct zs_alloc *alloc;
    struct zs_item items[2];
};

static int change_and_read(void *ctx)
{
    const struct act *act = ctx;
    struct zs_fold *made = NULL;
    struct zs_buffer new_state;
    struct zs_buffer row;
    int rc = zs_sql_fold_new(act->alloc, 1, 1, every_kind, N_OF(every_kind), false, &made);

    zs_buffer_init(&new_state, act->alloc);
    zs_buffer_init(&row, act->alloc);
    if (rc == ZS_OK)
        rc = made->change(made, act->items[0].key, zs_buffer_bytes(&state), act->items, 2,
            &multiset.base, &new_state);
    if (rc == ZS_OK)
        rc = made->read(made, act->items[0].key, zs_buffer_bytes(&new_state), &row, &reading);
    zs_fold_free(made);
    zs_buffer_clear(&new_state);
    zs_buffer_clear(&row);
    return rc;
}

/* What the caller's rollback does, and the group that is there. */
static void start_again(void *ctx)
{
    static const struct zs_value row[] = {TEXT("a"), REAL(1e300)};

    (void)ctx;
    zs_trace_free(multiset.inner);
    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &multiset.inner), ZS_OK);
    zs_buffer_clear(&state);
    ck_assert_int_eq(change(row, 2, 1), ZS_OK);
}

START_TEST(every_allocation_may_fail)
{
    static const struct zs_value rows[2][2] = {
        {TEXT("a"), REAL(1e300)}, {TEXT("A"), INTEGER(1)}};
    struct zs_buffer bytes[2];
    struct check_alloc check;
    struct act act = {.alloc = &check.alloc};

    check_alloc_init(&check);
    make_fold(1, 1, every_kind, N_OF(every_kind), false);
    for (int i = 0; i < 2; i++) {
        zs_buffer_init(&bytes[i], &zs_alloc_libc);
        for (int j = 0; j < 2; j++)
            ck_assert_int_eq(zs_row_append_identity(&bytes[i], &rows[i][j]), ZS_OK);
        act.items[i] =
            (struct zs_item){.value = zs_buffer_bytes(&bytes[i]), .weight = i == 0 ? -1 : 1};
    }
    start_again(NULL);
    ck_assert_uint_ge(check_alloc_sweep(&check, change_and_read, start_again, &act), 20);
    check_alloc_end(&check);
    zs_buffer_clear(&bytes[0]);
    zs_buffer_clear(&bytes[1]);
}
END_TEST

enum { n_cases = 4000 };

START_TEST(the_sql_folds_keep_the_laws)
{
    static const struct property all = {"", fold_check_history};
    static const struct fold_subject subject = {.is_naive = false};

    property_must_hold(&all, "fold.h", &subject, n_cases);
}
END_TEST

START_TEST(the_naive_fold_keeps_the_laws)
{
    static const struct property all = {"", fold_check_history};
    static const struct fold_subject subject = {.is_naive = true};

    property_must_hold(&all, "the naive fold", &subject, n_cases);
}
END_TEST

static const struct {
    enum fold_fault fault;
    const char *tag;
} rivals[] = {
    {FOLD_COUNTS_NULLS, "[count]"},
    {FOLD_FORGETS_WEIGHTS, "[count rows]"},
    {FOLD_SUMS_DOUBLES, "[sum]"},
    {FOLD_SUMS_DOUBLES, "[total]"},
    {FOLD_SUMS_DOUBLES, "[avg]"},
    {FOLD_SUMS_REALS, "[sum]"},
    {FOLD_WRAPS, "[sum]"},
    {FOLD_OVERFLOWS_ALWAYS, "[sum]"},
    {FOLD_KEEPS_OVERFLOW, "[sum]"},
    {FOLD_ADDS_INFINITIES, "[sum]"},
    {FOLD_TOTALS_NULL, "[total]"},
    {FOLD_AVERAGES_ROWS, "[avg]"},
    {FOLD_AVERAGES_INTEGERS, "[avg]"},
    {FOLD_IGNORES_DISTINCT, "[distinct]"},
    {FOLD_DISTINGUISHES_IDENTITY, "[distinct]"},
    {FOLD_IGNORES_COLLATION, "[min]"},
    {FOLD_IGNORES_COLLATION, "[max]"},
    {FOLD_KEEPS_VALUES, "[min]"},
    {FOLD_KEEPS_VALUES, "[max]"},
    {FOLD_UNANIMOUS_BY_COLLATION, "[unanimous]"},
    {FOLD_UNANIMOUS_WITH_NULL, "[unanimous]"},
    {FOLD_KEEPS_KEYS, "[keys]"},
    {FOLD_MIXES_KEYS, "[keys]"},
    {FOLD_CHOOSES_ANY, "[choice]"},
    {FOLD_CHOOSES_NULL, "[choice]"},
    {FOLD_CHOOSES_BINARY, "[choice]"},
    {FOLD_KEEPS_CHOICE, "[keys]"},
    {FOLD_FORGETS_WEIGHTS, "[refold]"},
    {FOLD_KEEPS_VALUES, "[refold]"},
    {FOLD_KEEPS_GROUP, "[group]"},
    {FOLD_LOSES_GLOBAL, "[global]"},
    {FOLD_LEAVES_STATE, "[state]"},
};

START_TEST(the_laws_catch_every_rival)
{
    struct property law = {rivals[_i].tag, fold_check_history};
    struct fold_subject subject = {true, rivals[_i].fault, rivals[_i].tag};
    struct rival rival = {rivals[_i].tag, &subject, &law};

    property_must_catch(&rival, n_cases);
}
END_TEST

START_TEST(every_fault_is_caught_by_a_law)
{
    for (enum fold_fault fault = FOLD_SOUND + 1; fault < FOLD_FAULTS; fault++) {
        size_t i = 0;
        while (i < N_OF(rivals) && rivals[i].fault != fault)
            i++;
        ck_assert_msg(i < N_OF(rivals), "fault %d", fault);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("SQL folds");
    TCase *tcase = tcase_create("cases");
    TCase *laws = tcase_create("laws");

    random_announce();
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, an_aggregate_over_all_rows_reads_as_in_sql, 0, N_OF(cases));
    tcase_add_loop_test(
        tcase, rows_in_any_order_and_a_row_that_leaves_change_nothing, 0, N_OF(cases));
    tcase_add_test(tcase, an_overflow_reads_as_an_error_until_it_heals);
    tcase_add_test(tcase, a_group_shows_key_values_that_are_present);
    tcase_add_test(tcase, aggregates_of_one_argument_share_its_values);
    tcase_add_test(tcase, a_minimum_is_looked_up_only_when_it_leaves);
    tcase_add_loop_test(
        tcase, a_retraction_of_what_was_not_there_is_refused, 0, N_OF(impossible));
    tcase_add_test(tcase, rows_that_do_not_fit_are_refused);
    tcase_add_test(tcase, a_fold_says_whether_it_needs_a_multiset);
    tcase_add_test(tcase, an_argument_out_of_range_is_refused);
    tcase_add_test(tcase, a_state_of_format_1_is_fixed);
    tcase_add_loop_test(tcase, a_damaged_state_is_refused, 0, N_OF(damages));
    tcase_add_test(tcase, a_state_too_long_or_too_short_is_refused);
    tcase_add_test(tcase, a_corrupt_state_never_crashes);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(laws, 300);
    tcase_add_test(laws, the_sql_folds_keep_the_laws);
    tcase_add_test(laws, the_naive_fold_keeps_the_laws);
    tcase_add_loop_test(laws, the_laws_catch_every_rival, 0, N_OF(rivals));
    tcase_add_test(laws, every_fault_is_caught_by_a_law);
    suite_add_tcase(suite, laws);
    return suite_run(suite);
}
