/* aggregate, as a plain struct over cells, with folds small enough to be seen through. */
#include <check.h>

#include "core/aggregate.h"
#include "tests/check_alloc.h"
#include "tests/delta_text.h"
#include "tests/operator_law.h"
#include "tests/plain_state.h"
#include "tests/property.h"
#include "tests/suite.h"

enum { CASES = 150 };

/* An aggregate with all that it needs. */
struct bench {
    struct zs_cells *cells;
    struct zs_trace *multiset;
    struct zs_delta in;
    struct zs_delta out;
    struct zs_aggregate aggregate;
};

static void set_up(
    struct bench *bench, const struct zs_alloc *alloc, const struct zs_fold *fold)
{
    ck_assert_int_eq(zs_memory_cells_new(alloc, &bench->cells), ZS_OK);
    ck_assert_int_eq(zs_memory_trace_new(alloc, &bench->multiset), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench->in, alloc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench->out, alloc), ZS_OK);
    bench->aggregate = (struct zs_aggregate){alloc, fold, bench->cells, bench->multiset, NULL};
}

static void tear_down(struct bench *bench)
{
    zs_delta_clear(&bench->in);
    zs_delta_clear(&bench->out);
    zs_cells_free(bench->cells);
    zs_trace_free(bench->multiset);
}

static int step(struct bench *bench, const char *in)
{
    int rc;

    zs_delta_reset(&bench->in);
    zs_delta_reset(&bench->out);
    rc = delta_read(in, &bench->in);
    if (rc == ZS_OK)
        rc = zs_delta_consolidate(&bench->in);
    return rc == ZS_OK ? zs_aggregate_step(&bench->aggregate, &bench->in, &bench->out) : rc;
}

/* Examples. "n:s" is a count and the sum of the values' lengths; s of 4, 9, ... is an error. */

struct example {
    const char *in;
    const char *out;
    size_t n_cells; /* afterwards */
};

static const struct example of_groups[] = {
    {"", "", 0},
    {"a/xx+1 b/x+1", "a/1:2+1 b/1:1+1", 2},
    {"a/x+1", "a/1:2-1 a/2:3+1", 2},
    {"a/x+1 a/x-1", "", 2},
    {"a/x+1", "a/2:3-1 !a/bad 3:4+1", 2}, /* an error takes the row's place */
    {"a/xx-1 a/yy+1", "", 2},             /* stays while it is the same */
    {"a/xx+2 a/x-4", "!a/bad 1:4+1 !a/bad 3:4-1", 2},
    {"a/x+1", "a/2:5+1 !a/bad 1:4-1", 2}, /* and retracts */
    {"b/x-1", "b/1:1-1", 1},              /* a group that empties disappears, cell and all */
    {"b/x-1", "", 2},                     /* less than nothing is no row, but a state */
    {"b/xx+2", "b/1:3+1", 2},
    {"!c/bad+1", "!c/bad+1", 2},
};

static const struct example of_a_global_group[] = {
    {"", "/0:0+1", 1},
    {"", "", 1},
    {"/x+2", "/0:0-1 /2:2+1", 1},
    {"/xx+1", "/2:2-1 !/bad 3:4+1", 1},
    {"/x-2 /xx-1", "/0:0+1 !/bad 3:4-1", 1}, /* the state is empty again, the row is not gone */
    {"", "", 1},
    {"a/x+1", "a/1:1+1", 2}, /* keys it should not be given are groups like any other */
    {"a/x-1", "a/1:1-1", 1},
};

static void run_examples(const struct zs_fold *fold, const struct example *examples, size_t n)
{
    struct bench bench;

    set_up(&bench, &zs_alloc_libc, fold);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(step(&bench, examples[i].in), ZS_OK);
        ck_assert_str_eq(delta_text(&bench.out), examples[i].out);
        ck_assert_uint_eq(zs_memory_cells_len(bench.cells), examples[i].n_cells);
    }
    tear_down(&bench);
}

START_TEST(a_touched_group_gives_up_its_old_row_for_its_new_one)
{
    run_examples(&small_count, of_groups, sizeof(of_groups) / sizeof(of_groups[0]));
}
END_TEST

START_TEST(a_global_group_has_its_row_from_the_first_step_on)
{
    run_examples(&small_count_global, of_a_global_group,
        sizeof(of_a_global_group) / sizeof(of_a_global_group[0]));
}
END_TEST

START_TEST(a_global_group_whose_first_step_brings_rows_shows_only_their_sum)
{
    struct bench bench;

    set_up(&bench, &zs_alloc_libc, &small_count_global);
    ck_assert_int_eq(step(&bench, "/x+1 /y+1"), ZS_OK);
    ck_assert_str_eq(delta_text(&bench.out), "/2:2+1");
    ck_assert_uint_eq(zs_batch_len(bench.out.rows), 1); /* not 0:0 and back */
    tear_down(&bench);
}
END_TEST

START_TEST(only_touched_groups_are_looked_at)
{
    struct plain_control control = {PLAIN_SOUND};
    struct bench bench;

    set_up(&bench, &zs_alloc_libc, &small_count);
    bench.aggregate.states = plain_cells_new(&control);
    ck_assert_int_eq(step(&bench, "a/x+1 b/x+1 c/x+1"), ZS_OK);
    control.n_calls = 0;
    ck_assert_int_eq(step(&bench, "b/x+1"), ZS_OK);
    ck_assert_int_eq(control.n_calls, 2); /* one get, one put */
    control.n_calls = 0;
    ck_assert_int_eq(step(&bench, "b/x+1 b/y-1"), ZS_OK);
    ck_assert_int_eq(control.n_calls, 1); /* the same state need not be put */
    zs_cells_free(bench.aggregate.states);
    tear_down(&bench);
}
END_TEST

START_TEST(a_step_without_rows_only_looks_whether_the_global_group_has_its_row)
{
    struct plain_control control = {PLAIN_SOUND};
    struct bench bench;

    set_up(&bench, &zs_alloc_libc, &small_least_global);
    bench.aggregate.states = plain_cells_new(&control);
    bench.aggregate.multiset = plain_trace_new(&control);
    ck_assert_int_eq(step(&bench, "/x+1"), ZS_OK);
    control.n_calls = 0;
    ck_assert_int_eq(step(&bench, ""), ZS_OK);
    ck_assert_int_eq(control.n_calls, 1);
    zs_cells_free(bench.aggregate.states);
    zs_trace_free(bench.aggregate.multiset);
    tear_down(&bench);
}
END_TEST

/* The law. */

struct contestant {
    enum { IN_MEMORY, PLAIN, NAIVE } how;
    unsigned variant;
    enum operator_fault fault; /* of the naive one */
};

static int step_real(void *state, const struct zs_delta *in, struct zs_delta *out)
{
    return zs_aggregate_step(state, in, out);
}

static const char *check(const void *subject, struct random *random)
{
    const struct contestant *contestant = subject;
    struct graph_node node = {.kind = GRAPH_AGGREGATE, .variant = contestant->variant};
    struct plain_control control = {PLAIN_SOUND};
    struct zs_aggregate aggregate = {
        .alloc = &zs_alloc_libc, .fold = graph_fold(contestant->variant)};
    const char *violation;

    if (contestant->how == NAIVE)
        return operator_check_naive(contestant->fault, &node, random);
    if (contestant->how == PLAIN) {
        aggregate.states = plain_cells_new(&control);
        aggregate.multiset = plain_trace_new(&control);
    } else {
        ck_assert_int_eq(zs_memory_cells_new(&zs_alloc_libc, &aggregate.states), ZS_OK);
        ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &aggregate.multiset), ZS_OK);
    }
    violation = operator_check(&(struct subject){node, step_real, &aggregate}, random);
    zs_cells_free(aggregate.states);
    zs_trace_free(aggregate.multiset);
    return violation;
}

static const struct property incremental = {OPERATOR_INCREMENTAL, check};

START_TEST(the_integral_of_aggregate_is_aggregate_of_the_integral)
{
    struct contestant contestant = {IN_MEMORY, (unsigned)_i, OPERATOR_SOUND};

    property_must_hold(&incremental, "in memory", &contestant, CASES);
    contestant.how = PLAIN;
    property_must_hold(&incremental, "plain", &contestant, CASES);
    contestant.how = NAIVE;
    property_must_hold(&incremental, "naive", &contestant, CASES);
}
END_TEST

START_TEST(the_law_of_aggregate_catches_rivals)
{
    enum operator_fault fault = (enum operator_fault)_i;
    struct property law = {operator_fault_tag(fault), check};

    for (unsigned variant = 0; variant < 4; variant++) {
        struct contestant contestant = {NAIVE, variant, fault};
        property_must_catch(
            &(struct rival){operator_fault_name(fault), &contestant, &law}, CASES);
    }
}
END_TEST

/* Failures. */

static int begin_all(struct bench *bench)
{
    int rc = bench->cells->methods->begin(bench->cells);

    if (rc != ZS_OK)
        return rc;
    rc = bench->multiset->methods->begin(bench->multiset);
    if (rc != ZS_OK)
        bench->cells->methods->rollback(bench->cells);
    return rc;
}

/* A step in a transaction, which is rolled back in any case. */
static int act(void *ctx)
{
    struct bench *bench = ctx;
    int rc = begin_all(bench);

    zs_delta_reset(&bench->out);
    if (rc != ZS_OK)
        return rc;
    rc = zs_aggregate_step(&bench->aggregate, &bench->in, &bench->out);
    bench->cells->methods->rollback(bench->cells);
    bench->multiset->methods->rollback(bench->multiset);
    return rc;
}

/* Nothing is lost: what came is taken back to the last row. */
static void unchanged(void *ctx)
{
    struct bench *bench = ctx;
    ck_assert_uint_eq(zs_memory_cells_len(bench->cells), 3);
}

START_TEST(every_allocation_may_fail)
{
    struct check_alloc check_alloc;
    struct bench bench;

    check_alloc_init(&check_alloc);
    set_up(&bench, &check_alloc.alloc, graph_fold((unsigned)_i));
    ck_assert_int_eq(step(&bench, "/x+1 a/x+1 b/yy+2"), ZS_OK);
    zs_delta_reset(&bench.in);
    ck_assert_int_eq(delta_read("a/x-1 a/y+1 b/z+1 c/x+1 !d/bad+1", &bench.in), ZS_OK);
    ck_assert_uint_gt(check_alloc_sweep(&check_alloc, act, unchanged, &bench), 5);
    ck_assert_int_eq(step(&bench, "/x-1 a/x-1 b/yy-2"), ZS_OK);
    ck_assert_uint_eq(zs_memory_cells_len(bench.cells), graph_fold((unsigned)_i)->is_global);
    tear_down(&bench);
    check_alloc_end(&check_alloc);
}
END_TEST

START_TEST(a_fold_that_fails_gives_its_status_and_leaves_its_group)
{
    struct bench bench;

    set_up(&bench, &zs_alloc_libc, &small_count);
    ck_assert_int_eq(step(&bench, "a/x+9223372036854775807"), ZS_OK);
    ck_assert_int_eq(step(&bench, "a/y+1"), ZS_OVERFLOW);
    ck_assert_int_eq(step(&bench, "a/x-9223372036854775806"), ZS_OK);
    ck_assert_str_eq(
        delta_text(&bench.out), "a/1:1+1 a/9223372036854775807:9223372036854775807-1");
    tear_down(&bench);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("aggregate");
    TCase *tcase = tcase_create("aggregate");

    random_announce();
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_touched_group_gives_up_its_old_row_for_its_new_one);
    tcase_add_test(tcase, a_global_group_has_its_row_from_the_first_step_on);
    tcase_add_test(tcase, a_global_group_whose_first_step_brings_rows_shows_only_their_sum);
    tcase_add_test(tcase, only_touched_groups_are_looked_at);
    tcase_add_test(tcase, a_step_without_rows_only_looks_whether_the_global_group_has_its_row);
    tcase_add_loop_test(tcase, the_integral_of_aggregate_is_aggregate_of_the_integral, 0, 4);
    tcase_add_loop_test(
        tcase, the_law_of_aggregate_catches_rivals, OPERATOR_SOUND + 1, OPERATOR_FAULTS);
    tcase_add_loop_test(tcase, every_allocation_may_fail, 0, 4);
    tcase_add_test(tcase, a_fold_that_fails_gives_its_status_and_leaves_its_group);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
