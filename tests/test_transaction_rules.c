/* What is allowed in a transaction and what is not, who is told of it, and what it costs. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/check_alloc.h"
#include "tests/delta_text.h"
#include "tests/graph.h"
#include "tests/plain_state.h"
#include "tests/small_circuit.h"
#include "tests/suite.h"

/* Rules. */

START_TEST(a_commit_or_rollback_needs_an_open_transaction)
{
    struct small small;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_circuit_commit(small.circuit), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_uint_eq(zs_circuit_depth(small.circuit), 2);
    ck_assert_int_eq(zs_circuit_commit(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_MISUSE);
    ck_assert_uint_eq(zs_circuit_depth(small.circuit), 0);
    zs_circuit_free(small.circuit);
}
END_TEST

START_TEST(an_output_is_not_taken_in_a_transaction)
{
    struct small small;
    struct zs_delta sum = {0};

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_delta_init(&sum, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_take(small.circuit, small.output, &sum), ZS_MISUSE);
    ck_assert_str_eq(delta_text(&sum), "");
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_OK);
    ck_assert_str_eq(small_take(small.circuit, small.output), "a/x+1");
    zs_delta_clear(&sum);
    zs_circuit_free(small.circuit);
}
END_TEST

START_TEST(what_was_pushed_inside_is_dropped_and_what_was_pending_is_pending_again)
{
    struct small small;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/outside+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "b/inside+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "c/further+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(
        small_current(small.circuit, small.rows), "a/outside+1 b/inside+1 c/further+1");
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, small.rows), "a/outside+1 b/inside+1");
    ck_assert_int_eq(zs_circuit_commit(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, small.rows), "a/outside+1");
    zs_circuit_free(small.circuit);
}
END_TEST

/* Who is told. */

struct shared {
    struct small small;
    struct plain_control control;
    struct zs_trace *traces[3];
    struct zs_cells *cells;
};

/* Three traces and cells: given twice to one operator, or to several, or two to one. */
static void build_shared(struct shared *shared, const struct zs_alloc *alloc)
{
    struct zs_stream counts;

    shared->control = (struct plain_control){PLAIN_SOUND};
    for (unsigned i = 0; i < 3; i++)
        shared->traces[i] = plain_trace_new(&shared->control);
    shared->cells = plain_cells_new(&shared->control);
    small_build(&shared->small, alloc);
    ck_assert_int_eq(zs_circuit_store(shared->small.circuit, shared->small.rows,
                         shared->traces[2], shared->traces[2]),
        ZS_OK);
    ck_assert_int_eq(zs_circuit_store(shared->small.circuit, shared->small.unique,
                         shared->traces[0], shared->traces[1]),
        ZS_OK);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(zs_circuit_aggregate(shared->small.circuit, shared->small.rows,
                             &small_count, shared->cells, shared->traces[1], &counts),
            ZS_OK);
}

static void free_shared(struct shared *shared)
{
    zs_circuit_free(shared->small.circuit);
    for (unsigned i = 0; i < 3; i++)
        zs_trace_free(shared->traces[i]);
    zs_cells_free(shared->cells);
}

static void expect_depth(const struct shared *shared, unsigned depth)
{
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(plain_trace_depth(shared->traces[i]), depth);
    ck_assert_uint_eq(plain_cells_depth(shared->cells), depth);
    ck_assert_uint_eq(zs_circuit_depth(shared->small.circuit), depth);
}

START_TEST(state_that_operators_share_is_told_once)
{
    struct shared shared;

    build_shared(&shared, &zs_alloc_libc);
    ck_assert_int_eq(zs_circuit_begin(shared.small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(shared.small.circuit), ZS_OK);
    ck_assert_int_eq(shared.control.n_begins, 2 * 4);
    expect_depth(&shared, 2);
    ck_assert_int_eq(zs_circuit_commit(shared.small.circuit), ZS_OK);
    ck_assert_int_eq(shared.control.n_ends, 4);
    expect_depth(&shared, 1);
    ck_assert_int_eq(zs_circuit_rollback(shared.small.circuit), ZS_OK);
    ck_assert_int_eq(shared.control.n_ends, 2 * 4);
    expect_depth(&shared, 0);
    free_shared(&shared);
}
END_TEST

START_TEST(a_begin_that_one_member_refuses_has_begun_nothing)
{
    struct shared shared;
    int rc = ZS_CALLBACK;
    long n = 0;

    build_shared(&shared, &zs_alloc_libc);
    ck_assert_int_eq(zs_circuit_begin(shared.small.circuit), ZS_OK);
    while (rc == ZS_CALLBACK) {
        shared.control.fails_after = ++n;
        rc = zs_circuit_begin(shared.small.circuit);
        shared.control.fails_after = 0;
        expect_depth(&shared, 1 + (rc == ZS_OK));
    }
    ck_assert_int_eq(rc, ZS_OK);
    ck_assert_int_eq(n, 5);
    free_shared(&shared);
}
END_TEST

static int begin_twice(void *ctx)
{
    struct shared *shared = ctx;
    int rc = zs_circuit_begin(shared->small.circuit);

    if (rc == ZS_OK) {
        rc = zs_circuit_begin(shared->small.circuit);
        ck_assert_int_eq(zs_circuit_rollback(shared->small.circuit), ZS_OK);
        if (rc == ZS_OK)
            ck_assert_int_eq(zs_circuit_commit(shared->small.circuit), ZS_OK);
    }
    return rc;
}

static void has_begun_nothing(void *ctx)
{
    struct shared *shared = ctx;
    expect_depth(shared, 0);
    ck_assert_int_eq(zs_circuit_step(shared->small.circuit), ZS_OK);
}

START_TEST(a_begin_that_runs_out_of_memory_has_begun_nothing)
{
    struct check_alloc check_alloc;
    struct shared shared;

    check_alloc_init(&check_alloc);
    build_shared(&shared, &check_alloc.alloc);
    ck_assert_uint_gt(
        check_alloc_sweep(&check_alloc, begin_twice, has_begun_nothing, &shared), 1);
    free_shared(&shared);
    check_alloc_end(&check_alloc);
}
END_TEST

START_TEST(freeing_the_circuit_rolls_back_what_it_borrowed)
{
    struct small small;
    struct zs_trace *trace = NULL;

    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &trace), ZS_OK);
    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_circuit_store(small.circuit, small.rows, trace, NULL), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
        ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1 b/y+1"), ZS_OK);
        ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    }
    ck_assert_str_eq(small_trace(trace), "a/x+3 b/y+2");
    zs_circuit_free(small.circuit);
    ck_assert_str_eq(small_trace(trace), "a/x+1");
    zs_trace_free(trace);
}
END_TEST

START_TEST(an_operator_that_is_built_in_a_transaction_outlives_its_rollback)
{
    struct small small;
    struct plain_control control = {PLAIN_SOUND};
    struct zs_trace *trace = plain_trace_new(&control);

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    control.fails_after = 2;
    ck_assert_int_eq(zs_circuit_store(small.circuit, small.rows, trace, NULL), ZS_CALLBACK);
    ck_assert_uint_eq(plain_trace_depth(trace), 0);
    control.fails_after = 0;
    ck_assert_int_eq(zs_circuit_store(small.circuit, small.rows, trace, NULL), ZS_OK);
    ck_assert_uint_eq(plain_trace_depth(trace), 2);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_trace(trace), "a/x+1");
    ck_assert_int_eq(zs_circuit_commit(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_OK);
    ck_assert_str_eq(small_trace(trace), "");
    ck_assert_int_eq(small_push(small.circuit, small.input, "b/y+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_trace(trace), "b/y+1");
    zs_circuit_free(small.circuit);
    zs_trace_free(trace);
}
END_TEST

/* Cost, in what is asked of the allocation table, and in bytes. */

struct meter {
    struct zs_alloc alloc;
    unsigned long n_calls;
    size_t n_bytes;
};

static void *meter_resize(void *ctx, void *p, size_t n)
{
    struct meter *meter = ctx;
    meter->n_calls++;
    meter->n_bytes += n;
    return realloc(p, n);
}

static void meter_release(void *ctx, void *p)
{
    (void)ctx;
    free(p);
}

/* n keys in every kind of state, then one transaction that touches three of them. */
static struct meter measure(unsigned n, bool is_committed)
{
    struct meter meter = {.alloc = {meter_resize, meter_release, &meter}};
    struct small small;
    struct zs_stream counts;
    struct zs_trace *trace = NULL;
    struct zs_delta rows = {0};

    small_build(&small, &meter.alloc);
    ck_assert_int_eq(zs_memory_trace_new(&meter.alloc, &trace), ZS_OK);
    ck_assert_int_eq(
        zs_circuit_aggregate(small.circuit, small.rows, &small_least, NULL, NULL, &counts),
        ZS_OK);
    ck_assert_int_eq(zs_circuit_store(small.circuit, counts, trace, NULL), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&rows, &meter.alloc), ZS_OK);
    for (unsigned i = 0; i < n; i++) {
        char key[16];
        struct model_bytes bytes;
        snprintf(key, sizeof(key), "%06u", i * 7);
        bytes = model_text(key);
        ck_assert_int_eq(
            zs_batch_add(rows.rows, model_as_bytes(&bytes), model_as_bytes(&bytes), 1), ZS_OK);
    }
    ck_assert_int_eq(zs_circuit_push(small.circuit, small.input, rows.rows), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    /* A small tick, so that what the edges hold is the same whatever n is. */
    ck_assert_int_eq(small_push(small.circuit, small.input, "000007/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);

    meter.n_calls = meter.n_bytes = 0;
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(
        small_push(small.circuit, small.input, "000000/x+1 000000/y+1 000014/000014-1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_int_eq(
        is_committed ? zs_circuit_commit(small.circuit) : zs_circuit_rollback(small.circuit),
        ZS_OK);
    zs_circuit_free(small.circuit);
    zs_trace_free(trace);
    zs_delta_clear(&rows);
    return meter;
}

START_TEST(a_transaction_costs_the_keys_that_it_touches_whatever_the_size_of_the_state)
{
    struct meter small = measure(100, _i == 0);
    struct meter large = measure(10000, _i == 0);

    printf("%s: %lu allocations, %zu bytes at 100 keys; %lu, %zu at 10,000\n",
        _i == 0 ? "commit" : "rollback", small.n_calls, small.n_bytes, large.n_calls,
        large.n_bytes);
    ck_assert_uint_eq(small.n_calls, large.n_calls);
    ck_assert_uint_eq(small.n_bytes, large.n_bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transaction rules");
    TCase *tcase = tcase_create("transaction rules");

    tcase_add_test(tcase, a_commit_or_rollback_needs_an_open_transaction);
    tcase_add_test(tcase, an_output_is_not_taken_in_a_transaction);
    tcase_add_test(
        tcase, what_was_pushed_inside_is_dropped_and_what_was_pending_is_pending_again);
    tcase_add_test(tcase, state_that_operators_share_is_told_once);
    tcase_add_test(tcase, a_begin_that_one_member_refuses_has_begun_nothing);
    tcase_add_test(tcase, a_begin_that_runs_out_of_memory_has_begun_nothing);
    tcase_add_test(tcase, freeing_the_circuit_rolls_back_what_it_borrowed);
    tcase_add_test(tcase, an_operator_that_is_built_in_a_transaction_outlives_its_rollback);
    tcase_add_loop_test(tcase,
        a_transaction_costs_the_keys_that_it_touches_whatever_the_size_of_the_state, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
