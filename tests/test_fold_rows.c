/* What SQL folds keep of whole rows: those whose values may stand for a group, and the
** arguments of aggregates that are computed anew. Cases by hand, formats, failures; the laws of
** both are in fold_laws.c. */
#include <check.h>
#include <string.h>

#include "core/fold.h"
#include "tests/check_alloc.h"
#include "tests/fold_model.h"
#include "tests/suite.h"

#define NULL_VALUE                                                                             \
    {                                                                                          \
        .type = ZS_NULL                                                                        \
    }
#define INTEGER(n)                                                                             \
    {                                                                                          \
        .type = ZS_INTEGER, .integer = (n)                                                     \
    }
#define TEXT(text)                                                                             \
    {                                                                                          \
        .type = ZS_TEXT, .bytes = {(const uint8_t *)(text), sizeof(text) - 1 }                 \
    }
#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct zs_trace *multiset;
static struct zs_fold *fold;
static struct zs_buffer state;
static struct zs_buffer result;
static enum zs_reading reading;
static unsigned n_computed;
static int callback_status;

static void setup(void)
{
    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &multiset), ZS_OK);
    fold = NULL;
    zs_buffer_init(&state, &zs_alloc_libc);
    zs_buffer_init(&result, &zs_alloc_libc);
    n_computed = 0;
    callback_status = ZS_OK;
}

static void teardown(void)
{
    zs_trace_free(multiset);
    zs_fold_free(fold);
    zs_buffer_clear(&state);
    zs_buffer_clear(&result);
}

/* How often the first argument is there at all: the number of the spec, then a count of rows; a
** row whose first argument is NULL makes it fail. */
static int compute(void *ctx, unsigned number, const struct zs_batch *rows,
    struct zs_buffer *value, bool *is_error)
{
    struct zs_value integer = {.type = ZS_INTEGER, .integer = number * 100};

    (void)ctx;
    n_computed++;
    for (size_t i = 0; i < zs_batch_len(rows); i++) {
        const struct zs_item *item = &zs_batch_items(rows)[i];
        if (item->value.data[0] == 0) {
            *is_error = true;
            return zs_buffer_append(value, "a NULL", 6);
        }
        integer.integer += item->weight;
    }
    return callback_status != ZS_OK ? callback_status : zs_row_append_identity(value, &integer);
}

static void make_fold(unsigned n_keys, unsigned n_arguments, const struct zs_fold_spec *specs,
    unsigned n_specs, bool is_global)
{
    ck_assert_int_eq(
        zs_sql_fold_new(&zs_alloc_libc, n_keys, n_arguments, specs, n_specs, is_global, &fold),
        ZS_OK);
    zs_fold_set_refold(fold, compute, NULL);
}

static void encode(const struct zs_value *values, size_t n, struct zs_buffer *row)
{
    zs_buffer_init(row, &zs_alloc_libc);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(zs_row_append_identity(row, &values[i]), ZS_OK);
}

/* One step with one row. */
static int change(const struct zs_value *values, size_t n, int64_t weight)
{
    struct zs_buffer row;
    struct zs_buffer new_state;
    struct zs_item item = {.weight = weight};
    int rc;

    encode(values, n, &row);
    zs_buffer_init(&new_state, &zs_alloc_libc);
    item.value = zs_buffer_bytes(&row);
    rc = fold->change(fold, item.key, zs_buffer_bytes(&state), &item, 1, multiset, &new_state);
    zs_buffer_clear(&row);
    if (rc == ZS_OK) {
        zs_buffer_clear(&state);
        state = new_state;
    } else {
        zs_buffer_clear(&new_state);
    }
    return rc;
}

static void read(void)
{
    zs_buffer_reset(&result);
    ck_assert_int_eq(
        fold->read(fold, (struct zs_bytes){0}, zs_buffer_bytes(&state), &result, &reading),
        ZS_OK);
}

static void assert_row(const struct zs_value *expected, size_t n)
{
    struct zs_buffer row;

    read();
    encode(expected, n, &row);
    ck_assert_int_eq(reading, ZS_ROW);
    ck_assert_uint_eq(result.len, row.len);
    ck_assert_mem_eq(result.data, row.data, row.len);
    zs_buffer_clear(&row);
}

static void assert_error(const char *message)
{
    read();
    ck_assert_int_eq(reading, ZS_ERROR_ROW);
    ck_assert_uint_eq(result.len, strlen(message));
    ck_assert_mem_eq(result.data, message, result.len);
}

/* Rows (key, bare value, argument), and the bare value that the first of them is chosen for by
** NOCASE. They come in the given order; then the chosen one leaves. */
static const struct {
    enum zs_choice choice;
    struct zs_value arguments[4];
    int chosen;
    int next;
} choices[] = {
    {ZS_GREATEST_ROW, {INTEGER(1), INTEGER(3), INTEGER(2), NULL_VALUE}, 1, 2},
    {ZS_LEAST_ROW, {INTEGER(2), INTEGER(3), INTEGER(1), NULL_VALUE}, 2, 0},
    {ZS_LEAST_ROW, {TEXT("b"), TEXT("C"), TEXT("a"), TEXT("B")}, 2, 3},
    {ZS_GREATEST_ROW, {TEXT("b"), TEXT("C"), TEXT("a"), TEXT("Bc")}, 1, 3},
    {ZS_LEAST_ROW, {NULL_VALUE, NULL_VALUE, TEXT("x"), NULL_VALUE}, 2, 0},
    {ZS_GREATEST_ROW, {NULL_VALUE, NULL_VALUE, INTEGER(-5), NULL_VALUE}, 2, 3},
    {ZS_LEAST_ROW, {NULL_VALUE, NULL_VALUE, NULL_VALUE, NULL_VALUE}, 0, 1},
    {ZS_GREATEST_ROW, {INTEGER(7), INTEGER(7), INTEGER(7), INTEGER(7)}, 3, 2},
};

START_TEST(the_values_shown_are_of_a_row_with_the_extreme_until_it_leaves)
{
    struct zs_value row[] = {TEXT("k"), INTEGER(0), NULL_VALUE};

    make_fold(2, 1, NULL, 0, false);
    ck_assert_int_eq(zs_fold_set_choice(fold, choices[_i].choice, 0, ZS_NOCASE), ZS_OK);
    for (int i = 0; i < 4; i++) {
        row[1].integer = i;
        row[2] = choices[_i].arguments[i];
        ck_assert_int_eq(change(row, 3, 2), ZS_OK);
    }
    row[1].integer = choices[_i].chosen;
    row[2] = choices[_i].arguments[row[1].integer];
    assert_row(row, 2);
    ck_assert_int_eq(change(row, 3, -1), ZS_OK);
    assert_row(row, 2);
    ck_assert_int_eq(change(row, 3, -1), ZS_OK);
    row[1].integer = choices[_i].next;
    assert_row(row, 2);
}
END_TEST

START_TEST(a_maximum_is_of_the_row_that_is_shown)
{
    static const struct zs_fold_spec extremes[] = {
        {.kind = ZS_MIN, .collation = ZS_NOCASE}, {.kind = ZS_MAX, .collation = ZS_NOCASE}};
    static const struct zs_value rows[2][2] = {
        {INTEGER(2), TEXT("x")}, {INTEGER(1), TEXT("X")}};

    for (int i = 0; i < 2; i++) {
        make_fold(1, 1, &extremes[i], 1, false);
        ck_assert_int_eq(
            zs_fold_set_choice(fold, i == 0 ? ZS_LEAST_ROW : ZS_GREATEST_ROW, 0, ZS_NOCASE),
            ZS_OK);
        ck_assert_int_eq(change(rows[0], 2, 1), ZS_OK);
        ck_assert_int_eq(change(rows[1], 2, 1), ZS_OK);
        assert_row(rows[1 - i], 2);
        ck_assert_int_eq(change(rows[1 - i], 2, -1), ZS_OK);
        assert_row(rows[i], 2);
        ck_assert_int_eq(change(rows[i], 2, -1), ZS_OK);
        zs_fold_free(fold);
        fold = NULL;
    }
}
END_TEST

START_TEST(the_key_shown_is_that_of_the_chosen_row)
{
    static const struct zs_value lower[] = {TEXT("a"), INTEGER(1)};
    static const struct zs_value upper[] = {TEXT("A"), INTEGER(2)};

    make_fold(1, 1, NULL, 0, false);
    ck_assert_int_eq(zs_fold_set_choice(fold, ZS_GREATEST_ROW, 0, ZS_BINARY), ZS_OK);
    ck_assert_int_eq(change(lower, 2, 1), ZS_OK);
    ck_assert_int_eq(change(upper, 2, 1), ZS_OK);
    assert_row(upper, 1);
    ck_assert_int_eq(change(upper, 2, -1), ZS_OK);
    assert_row(lower, 1);
    ck_assert_int_eq(change(lower, 2, -1), ZS_OK);
    ck_assert_uint_eq(state.len, 0);
}
END_TEST

START_TEST(a_global_group_of_no_rows_shows_nulls)
{
    static const struct zs_fold_spec count = {.kind = ZS_COUNT_ROWS};
    static const struct zs_value row[] = {TEXT("a"), INTEGER(1), INTEGER(5)};
    static const struct zs_value nothing[] = {NULL_VALUE, NULL_VALUE, INTEGER(0)};
    static const struct zs_value one[] = {TEXT("a"), INTEGER(1), INTEGER(1)};

    for (enum zs_choice choice = ZS_ANY_ROW; choice <= ZS_GREATEST_ROW; choice++) {
        make_fold(2, 1, &count, 1, true);
        ck_assert_int_eq(zs_fold_set_choice(fold, choice, 0, ZS_BINARY), ZS_OK);
        assert_row(nothing, 3);
        ck_assert_int_eq(change(row, 3, 1), ZS_OK);
        assert_row(one, 3);
        ck_assert_int_eq(change(row, 3, -1), ZS_OK);
        assert_row(nothing, 3);
        zs_fold_free(fold);
        fold = NULL;
    }
}
END_TEST

static const struct zs_fold_spec two_refolds[] = {{.kind = ZS_COUNT_ROWS},
    {.kind = ZS_REFOLD, .argument = 1, .n_arguments = 2},
    {.kind = ZS_REFOLD, .argument = 0, .n_arguments = 1}};

START_TEST(a_refold_is_computed_when_its_arguments_change)
{
    static const struct zs_value rows[][3] = {
        {INTEGER(1), INTEGER(1), INTEGER(1)}, {INTEGER(2), INTEGER(1), INTEGER(1)}};
    static const struct zs_value nothing[] = {INTEGER(0), INTEGER(100), INTEGER(200)};
    static const struct zs_value three[] = {INTEGER(3), INTEGER(103), INTEGER(203)};

    make_fold(0, 3, two_refolds, 3, true);
    assert_row(nothing, 3);
    ck_assert_int_eq(change(rows[0], 3, 2), ZS_OK);
    n_computed = 0;
    ck_assert_int_eq(change(rows[1], 3, 1), ZS_OK);
    ck_assert_uint_eq(n_computed, 2);
    assert_row(three, 3);
    ck_assert_uint_eq(n_computed, 2);
    ck_assert_int_eq(change(rows[0], 3, -2), ZS_OK);
    ck_assert_int_eq(change(rows[1], 3, -1), ZS_OK);
    ck_assert_uint_eq(state.len, 0);
    assert_row(nothing, 3);
}
END_TEST

START_TEST(an_update_that_leaves_the_arguments_computes_nothing)
{
    struct zs_buffer bytes[2], new_state;
    static const struct zs_value rows[2][3] = {
        {INTEGER(1), INTEGER(1), INTEGER(1)}, {INTEGER(2), INTEGER(1), INTEGER(1)}};
    struct zs_item items[2];

    make_fold(0, 3, &two_refolds[1], 1, false);
    ck_assert_int_eq(change(rows[0], 3, 1), ZS_OK);
    for (int i = 0; i < 2; i++) {
        encode(rows[i], 3, &bytes[i]);
        items[i] = (struct zs_item){.value = zs_buffer_bytes(&bytes[i]), .weight = 2 * i - 1};
    }
    n_computed = 0;
    zs_buffer_init(&new_state, &zs_alloc_libc);
    ck_assert_int_eq(fold->change(fold, (struct zs_bytes){0}, zs_buffer_bytes(&state), items, 2,
                         multiset, &new_state),
        ZS_OK);
    ck_assert_uint_eq(n_computed, 0);
    ck_assert_uint_eq(new_state.len, state.len);
    ck_assert_mem_eq(new_state.data, state.data, state.len);
    zs_buffer_clear(&new_state);
    zs_buffer_clear(&bytes[0]);
    zs_buffer_clear(&bytes[1]);
}
END_TEST

START_TEST(an_error_of_a_refold_reads_as_one_until_its_row_is_gone)
{
    static const struct zs_value good[] = {INTEGER(1)};
    static const struct zs_value bad[] = {NULL_VALUE};
    static const struct zs_value one[] = {INTEGER(1)};

    make_fold(0, 1, &two_refolds[2], 1, false);
    ck_assert_int_eq(change(good, 1, 1), ZS_OK);
    ck_assert_int_eq(change(bad, 1, 1), ZS_OK);
    assert_error("a NULL");
    ck_assert_int_eq(change(bad, 1, -1), ZS_OK);
    assert_row(one, 1);
}
END_TEST

START_TEST(a_function_that_fails_ends_the_step)
{
    static const struct zs_value row[] = {INTEGER(1)};

    make_fold(0, 1, &two_refolds[2], 1, true);
    callback_status = ZS_CALLBACK;
    ck_assert_int_eq(change(row, 1, 1), ZS_CALLBACK);
    ck_assert_int_eq(
        fold->read(fold, (struct zs_bytes){0}, (struct zs_bytes){0}, &result, &reading),
        ZS_CALLBACK);
    zs_fold_set_refold(fold, NULL, NULL);
    ck_assert_int_eq(
        fold->read(fold, (struct zs_bytes){0}, (struct zs_bytes){0}, &result, &reading),
        ZS_MISUSE);
}
END_TEST

START_TEST(arguments_out_of_range_are_refused)
{
    static const struct zs_fold_spec bad[] = {{.kind = ZS_REFOLD},
        {.kind = ZS_REFOLD, .argument = 1, .n_arguments = 2},
        {.kind = ZS_REFOLD, .argument = 2, .n_arguments = 1},
        {.kind = ZS_REFOLD, .n_arguments = UINT32_MAX}};

    for (size_t i = 0; i < N_OF(bad); i++)
        ck_assert_int_eq(
            zs_sql_fold_new(&zs_alloc_libc, 0, 2, &bad[i], 1, true, &fold), ZS_MISUSE);
    make_fold(1, 1, NULL, 0, false);
    ck_assert_int_eq(zs_fold_set_choice(fold, ZS_LEAST_ROW, 1, ZS_BINARY), ZS_MISUSE);
    zs_fold_free(fold);
    make_fold(0, 1, NULL, 0, false);
    ck_assert_int_eq(zs_fold_set_choice(fold, ZS_LEAST_ROW, 0, ZS_BINARY), ZS_MISUSE);
    ck_assert_int_eq(zs_fold_set_choice(fold, ZS_ANY_ROW, 9, ZS_BINARY), ZS_OK);
}
END_TEST

/* Retractions of what was not there, after one row ('a', 5) and two rows ('a', 9). */
static const struct {
    bool is_chosen;
    struct zs_value row[2];
    int64_t weight;
} impossible[] = {
    {true, {TEXT("A"), INTEGER(5)}, -1},
    {true, {TEXT("a"), INTEGER(6)}, -1},
    {true, {TEXT("a"), INTEGER(5)}, -2},
    {true, {TEXT("a"), NULL_VALUE}, -1},
    {false, {TEXT("a"), INTEGER(6)}, -1},
    {false, {TEXT("a"), INTEGER(5)}, -2},
    {false, {TEXT("a"), NULL_VALUE}, -1},
};

START_TEST(a_retraction_of_what_was_not_there_is_refused)
{
    static const struct zs_value row[] = {TEXT("a"), INTEGER(5)};
    static const struct zs_value other[] = {TEXT("a"), INTEGER(9)};
    bool is_chosen = impossible[_i].is_chosen;

    make_fold(1, 1, &two_refolds[2], is_chosen ? 0 : 1, false);
    if (is_chosen)
        ck_assert_int_eq(zs_fold_set_choice(fold, ZS_LEAST_ROW, 0, ZS_BINARY), ZS_OK);
    ck_assert_int_eq(change(row, 2, 1), ZS_OK);
    ck_assert_int_eq(change(other, 2, 2), ZS_OK);
    ck_assert_int_eq(change(impossible[_i].row, 2, impossible[_i].weight), ZS_CORRUPT);
}
END_TEST

/* A state of format 1, fixed for good: of the rows ('a', 1) and ('b', 2), the values of the one
** with the greatest, and a refold. */
static const uint8_t fixed_state[] = {1, 2, 0x30, 1, 'b', /* version, rows, values */
    1, 2, 0x11, 2};                                       /* a value, its length, 2 */

static void make_both(const struct zs_alloc *alloc)
{
    ck_assert_int_eq(zs_sql_fold_new(alloc, 1, 1, &two_refolds[2], 1, false, &fold), ZS_OK);
    zs_fold_set_refold(fold, compute, NULL);
    ck_assert_int_eq(zs_fold_set_choice(fold, ZS_GREATEST_ROW, 0, ZS_BINARY), ZS_OK);
}

START_TEST(a_state_of_format_1_is_fixed)
{
    static const struct zs_value rows[2][2] = {
        {TEXT("a"), INTEGER(1)}, {TEXT("b"), INTEGER(2)}};
    static const struct zs_value null[] = {TEXT("b"), NULL_VALUE};

    make_both(&zs_alloc_libc);
    ck_assert_int_eq(change(rows[0], 2, 1), ZS_OK);
    ck_assert_int_eq(change(rows[1], 2, 1), ZS_OK);
    ck_assert_uint_eq(state.len, sizeof(fixed_state));
    ck_assert_mem_eq(state.data, fixed_state, state.len);
    ck_assert_int_eq(change(null, 2, 1), ZS_OK);
    ck_assert_uint_eq(state.len, sizeof(fixed_state) - 2 + strlen("a NULL"));
    ck_assert_int_eq(state.data[5], 2);
    ck_assert_int_eq(state.data[6], 6);
    ck_assert_mem_eq(state.data + 7, "a NULL", 6);
}
END_TEST

START_TEST(a_damaged_state_is_refused)
{
    static const struct {
        size_t at;
        uint8_t byte;
    } damages[] = {{5, 0}, {5, 3}, {6, 3}, {6, 1}, {6, 0x80}, {2, 0x0f}};

    make_both(&zs_alloc_libc);
    for (size_t i = 0; i < N_OF(damages); i++) {
        uint8_t bytes[sizeof(fixed_state)];

        memcpy(bytes, fixed_state, sizeof(bytes));
        bytes[damages[i].at] = damages[i].byte;
        zs_buffer_reset(&result);
        ck_assert_int_eq(fold->read(fold, (struct zs_bytes){0},
                             (struct zs_bytes){bytes, sizeof(bytes)}, &result, &reading),
            ZS_CORRUPT);
    }
    for (size_t len = 1; len < sizeof(fixed_state); len++) {
        zs_buffer_reset(&result);
        ck_assert_int_eq(fold->read(fold, (struct zs_bytes){0},
                             (struct zs_bytes){fixed_state, len}, &result, &reading),
            ZS_CORRUPT);
    }
}
END_TEST

/* One step of a group that is there, on an allocation table that fails. */
struct act {
    const struct zs_alloc *alloc;
    struct zs_item item;
};

static int change_and_read(void *ctx)
{
    const struct act *act = ctx;
    struct zs_group_row before = {.reading = ZS_NO_ROW}, after = {.reading = ZS_NO_ROW};
    struct zs_fold *made = NULL;
    struct zs_buffer new_state;
    int rc = zs_sql_fold_new(act->alloc, 1, 1, &two_refolds[2], 1, false, &made);

    zs_buffer_init(&new_state, act->alloc);
    zs_buffer_init(&before.bytes, act->alloc);
    zs_buffer_init(&after.bytes, act->alloc);
    if (rc == ZS_OK) {
        zs_fold_set_refold(made, compute, NULL);
        rc = zs_fold_set_choice(made, ZS_GREATEST_ROW, 0, ZS_BINARY);
    }
    if (rc == ZS_OK)
        rc = made->step(made, act->item.key, zs_buffer_bytes(&state), &act->item, 1, multiset,
            &new_state, &before, &after);
    zs_fold_free(made);
    zs_buffer_clear(&new_state);
    zs_buffer_clear(&before.bytes);
    zs_buffer_clear(&after.bytes);
    return rc;
}

static void start_again(void *ctx)
{
    static const struct zs_value row[] = {TEXT("a"), INTEGER(1)};

    (void)ctx;
    zs_trace_free(multiset);
    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &multiset), ZS_OK);
    zs_buffer_clear(&state);
    ck_assert_int_eq(change(row, 2, 1), ZS_OK);
}

START_TEST(every_allocation_may_fail)
{
    static const struct zs_value row[] = {TEXT("b"), INTEGER(2)};
    struct check_alloc check;
    struct act act = {.alloc = &check.alloc};
    struct zs_buffer bytes;

    check_alloc_init(&check);
    make_both(&zs_alloc_libc);
    encode(row, 2, &bytes);
    act.item = (struct zs_item){.value = zs_buffer_bytes(&bytes), .weight = 1};
    start_again(NULL);
    ck_assert_uint_ge(check_alloc_sweep(&check, change_and_read, start_again, &act), 10);
    check_alloc_end(&check);
    zs_buffer_clear(&bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("SQL folds of whole rows");
    TCase *tcase = tcase_create("cases");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, the_values_shown_are_of_a_row_with_the_extreme_until_it_leaves,
        0, N_OF(choices));
    tcase_add_test(tcase, a_maximum_is_of_the_row_that_is_shown);
    tcase_add_test(tcase, the_key_shown_is_that_of_the_chosen_row);
    tcase_add_test(tcase, a_global_group_of_no_rows_shows_nulls);
    tcase_add_test(tcase, a_refold_is_computed_when_its_arguments_change);
    tcase_add_test(tcase, an_update_that_leaves_the_arguments_computes_nothing);
    tcase_add_test(tcase, an_error_of_a_refold_reads_as_one_until_its_row_is_gone);
    tcase_add_test(tcase, a_function_that_fails_ends_the_step);
    tcase_add_test(tcase, arguments_out_of_range_are_refused);
    tcase_add_loop_test(
        tcase, a_retraction_of_what_was_not_there_is_refused, 0, N_OF(impossible));
    tcase_add_test(tcase, a_state_of_format_1_is_fixed);
    tcase_add_test(tcase, a_damaged_state_is_refused);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
