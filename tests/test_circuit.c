/* The circuit without transactions: wiring, handles, steps and outputs. */
#include <check.h>

#include "tests/check_alloc.h"
#include "tests/delta_text.h"
#include "tests/history.h"
#include "tests/property.h"
#include "tests/small_circuit.h"
#include "tests/suite.h"

enum { CASES = 200 };

/* Two readings: a random circuit step by step, and the same graph over whole histories. */

START_TEST(every_stream_is_the_increment_of_the_naive_reading)
{
    static const struct property incremental = {HISTORY_INCREMENTAL, history_check};
    static const struct history in_memory = {.n_actions = 60};
    static const struct history plain = {.n_actions = 60, .has_plain_state = true};

    property_must_hold(&incremental, "in memory", &in_memory, CASES);
    property_must_hold(&incremental, "plain", &plain, CASES);
}
END_TEST

static const struct {
    const char *name;
    enum rig_fault fault;
    const char *tag;
} rivals[] = {
    {"a circuit with the wrong sign", RIG_NEGATES, HISTORY_INCREMENTAL},
    {"a circuit that drops errors", RIG_DROPS_ERRORS, HISTORY_INCREMENTAL},
    {"a circuit that shows what it has not consolidated", RIG_SCATTERS, HISTORY_CANONICAL},
    {"an output that is not emptied", RIG_TAKES_TWICE, HISTORY_SINK},
    {"a clock that stands still", RIG_STANDS_STILL, HISTORY_TICKS},
};

START_TEST(the_laws_of_circuits_catch_rivals)
{
    struct property law = {rivals[_i].tag, history_check};
    struct history history = {.fault = rivals[_i].fault, .n_actions = 60};

    property_must_catch(&(struct rival){rivals[_i].name, &history, &law}, CASES);
}
END_TEST

/* Examples. */

START_TEST(pushes_add_up_until_the_step_and_steps_until_the_take)
{
    struct small small;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1 b/y+1"), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1 b/y-1"), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, small.rows), "");
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, small.rows), "a/x+2");
    ck_assert_str_eq(small_current(small.circuit, small.unique), "a/x+1");
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x-2 c/z+7"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, small.unique), "a/x-1 c/z+1");
    ck_assert_str_eq(small_take(small.circuit, small.output), "c/z+1");
    ck_assert_str_eq(small_take(small.circuit, small.output), "");
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, small.unique), "");
    ck_assert_uint_eq(zs_circuit_ticks(small.circuit), 3);
    zs_circuit_free(small.circuit);
}
END_TEST

static int double_rows(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    int *n_calls = ctx;
    int rc = zs_batch_add_all(out->rows, in, 1);

    ++*n_calls;
    return rc == ZS_OK ? zs_batch_add_all(out->rows, in, 1) : rc;
}

START_TEST(a_linear_function_sees_consolidated_rows_and_is_not_called_without_any)
{
    struct small small;
    struct zs_stream doubled;
    int n_calls = 0;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(
        zs_circuit_linear(small.circuit, small.rows, double_rows, &n_calls, &doubled), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1 a/y+1 a/x+1 a/y-1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, doubled), "a/x+4");
    ck_assert_int_eq(n_calls, 1);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1 a/x-1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_int_eq(n_calls, 1);
    zs_circuit_free(small.circuit);
}
END_TEST

/* What a function that is asked rests on. */
struct asked {
    struct zs_trace *trace;
    int n_calls;
    int status;
};

static int all_that_is_stored(void *ctx, struct zs_delta *out)
{
    struct asked *asked = ctx;

    asked->n_calls++;
    return asked->status != ZS_OK ? asked->status
                                  : zs_trace_range(asked->trace, zs_span_all(), 0, out->rows);
}

START_TEST(a_function_is_asked_once_a_step_when_the_nodes_before_it_have_run)
{
    struct asked asked = {.status = ZS_OK};
    struct small small;
    struct zs_stream asked_for, twice;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &asked.trace), ZS_OK);
    ck_assert_int_eq(zs_circuit_store(small.circuit, small.rows, asked.trace, NULL), ZS_OK);
    ck_assert_int_eq(
        zs_circuit_pull(small.circuit, all_that_is_stored, &asked, &asked_for), ZS_OK);
    ck_assert_int_eq(zs_circuit_plus(small.circuit, asked_for, asked_for, &twice), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, twice), "a/x+2");
    ck_assert_int_eq(small_push(small.circuit, small.input, "b/y+3"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, twice), "a/x+2 b/y+6");
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK); /* also where nothing comes in */
    ck_assert_str_eq(small_current(small.circuit, twice), "a/x+2 b/y+6");
    ck_assert_int_eq(asked.n_calls, 3);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x-1"), ZS_OK);
    asked.status = ZS_INTERRUPT;
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_INTERRUPT);
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_OK);
    asked.status = ZS_OK;
    ck_assert_str_eq(small_current(small.circuit, twice), "a/x+2 b/y+6");
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, twice), "a/x+2 b/y+6");
    zs_circuit_free(small.circuit);
    zs_trace_free(asked.trace);
}
END_TEST

START_TEST(errors_flow_through_every_operator_and_retract)
{
    struct small small;
    struct zs_stream counts;
    struct zs_stream both;
    struct zs_stream unique;
    struct zs_output output;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(
        zs_circuit_aggregate(small.circuit, small.rows, &small_count, NULL, NULL, &counts),
        ZS_OK);
    ck_assert_int_eq(zs_circuit_plus(small.circuit, counts, counts, &both), ZS_OK);
    ck_assert_int_eq(zs_circuit_distinct(small.circuit, both, NULL, &unique), ZS_OK);
    ck_assert_int_eq(zs_circuit_output(small.circuit, unique, &output), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/four+1 b/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, unique), "b/1:1+1 !a/bad 1:4+2");
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, unique), "a/2:5+1 !a/bad 1:4-2");
    ck_assert_str_eq(small_take(small.circuit, output), "a/2:5+1 b/1:1+1");
    zs_circuit_free(small.circuit);
}
END_TEST

/* Failures. */

static int give_up(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    (void)in;
    (void)out;
    return *(int *)ctx;
}

START_TEST(a_step_that_fails_outside_of_a_transaction_breaks_the_circuit_for_good)
{
    struct small small;
    struct zs_stream out;
    const struct zs_delta *delta;
    struct zs_delta sum = {0};
    int status = ZS_INTERRUPT;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_delta_init(&sum, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(
        zs_circuit_linear(small.circuit, small.rows, give_up, &status, &out), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_INTERRUPT);
    status = ZS_OK;
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_BROKEN);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_BROKEN);
    ck_assert_int_eq(zs_circuit_current(small.circuit, small.rows, &delta), ZS_BROKEN);
    ck_assert_int_eq(zs_circuit_take(small.circuit, small.output, &sum), ZS_BROKEN);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_BROKEN);
    ck_assert_int_eq(zs_circuit_commit(small.circuit), ZS_BROKEN);
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_BROKEN);
    ck_assert_int_eq(zs_circuit_distinct(small.circuit, small.rows, NULL, &out), ZS_BROKEN);
    ck_assert_uint_eq(zs_circuit_ticks(small.circuit), 0);
    zs_delta_clear(&sum);
    zs_circuit_free(small.circuit);
}
END_TEST

/* Tries everything that would change the circuit under the step's feet. */
static int meddle(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct small *small = ctx;
    const struct zs_delta *delta;
    struct zs_stream stream;

    ck_assert_int_eq(zs_circuit_step(small->circuit), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_push(small->circuit, small->input, in), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_begin(small->circuit), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_commit(small->circuit), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_rollback(small->circuit), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_take(small->circuit, small->output, out), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_current(small->circuit, small->rows, &delta), ZS_MISUSE);
    ck_assert_int_eq(
        zs_circuit_plus(small->circuit, small->rows, small->rows, &stream), ZS_MISUSE);
    return zs_batch_add_all(out->rows, in, 1);
}

START_TEST(a_function_that_a_step_calls_cannot_use_the_circuit)
{
    struct small small;
    struct zs_stream out;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_circuit_linear(small.circuit, small.rows, meddle, &small, &out), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, out), "a/x+1");
    zs_circuit_free(small.circuit);
}
END_TEST

/* Sweeps: an act of building, pushing or taking, and what holds where it failed. */

struct sweep {
    struct small small;
    struct zs_delta delta;
    struct zs_stream out;
    const struct zs_alloc *alloc;
};

static int say_nothing(void *ctx, struct zs_delta *out)
{
    (void)ctx;
    (void)out;
    return ZS_OK;
}

static int build_one_of_each(void *ctx)
{
    struct sweep *sweep = ctx;
    struct zs_circuit *circuit = sweep->small.circuit;
    struct zs_stream rows = sweep->small.rows;
    struct zs_input input;
    struct zs_output output;
    int rc = zs_circuit_input(circuit, &input, &rows);

    if (rc == ZS_OK)
        rc = zs_circuit_pull(circuit, say_nothing, NULL, &sweep->out);
    if (rc == ZS_OK)
        rc = zs_circuit_linear(circuit, rows, give_up, NULL, &sweep->out);
    if (rc == ZS_OK)
        rc = zs_circuit_plus(circuit, rows, sweep->out, &sweep->out);
    if (rc == ZS_OK)
        rc = zs_circuit_distinct(circuit, rows, NULL, &sweep->out);
    if (rc == ZS_OK)
        rc = zs_circuit_aggregate(circuit, rows, &small_least, NULL, NULL, &sweep->out);
    if (rc == ZS_OK)
        rc = zs_circuit_join(circuit, rows, rows, NULL, NULL, NULL, NULL, &sweep->out);
    if (rc == ZS_OK)
        rc = zs_circuit_delay(circuit, rows, &sweep->out);
    if (rc == ZS_OK)
        rc = zs_circuit_integrate(circuit, rows, &sweep->out);
    if (rc == ZS_OK)
        rc = zs_circuit_output(circuit, sweep->out, &output);
    return rc;
}

static int make_circuit(void *ctx)
{
    struct sweep *sweep = ctx;
    struct zs_circuit *circuit;
    int rc = zs_circuit_new(sweep->alloc, &circuit);

    zs_circuit_free(circuit);
    return rc;
}

static int push_delta(void *ctx)
{
    struct sweep *sweep = ctx;
    return zs_circuit_push(sweep->small.circuit, sweep->small.input, sweep->delta.rows);
}

static int take_sum(void *ctx)
{
    struct sweep *sweep = ctx;
    return zs_circuit_take(sweep->small.circuit, sweep->small.output, &sweep->delta);
}

static void still_works(void *ctx)
{
    struct sweep *sweep = ctx;
    ck_assert_int_eq(zs_circuit_step(sweep->small.circuit), ZS_OK);
}

static void is_still_whole(void *ctx)
{
    struct sweep *sweep = ctx;
    ck_assert_str_eq(delta_text(&sweep->delta), "z/z+1");
}

START_TEST(a_call_that_runs_out_of_memory_changes_nothing)
{
    struct check_alloc check_alloc;
    struct sweep sweep = {.alloc = &check_alloc.alloc};

    check_alloc_init(&check_alloc);
    small_build(&sweep.small, sweep.alloc);
    ck_assert_int_eq(zs_delta_init(&sweep.delta, sweep.alloc), ZS_OK);
    ck_assert_int_eq(delta_read("a/x+1 b/x+2", &sweep.delta), ZS_OK);
    ck_assert_uint_gt(check_alloc_sweep(&check_alloc, make_circuit, still_works, &sweep), 0);
    ck_assert_uint_gt(
        check_alloc_sweep(&check_alloc, build_one_of_each, still_works, &sweep), 24);
    ck_assert_uint_gt(check_alloc_sweep(&check_alloc, push_delta, still_works, &sweep), 1);
    ck_assert_int_eq(zs_circuit_step(sweep.small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(sweep.small.circuit, sweep.small.rows), "a/x+1 b/x+2");
    zs_delta_reset(&sweep.delta);
    ck_assert_int_eq(delta_read("z/z+1", &sweep.delta), ZS_OK);
    ck_assert_uint_gt(check_alloc_sweep(&check_alloc, take_sum, is_still_whole, &sweep), 3);
    ck_assert_str_eq(delta_text(&sweep.delta), "a/x+1 b/x+1 z/z+1");
    zs_delta_clear(&sweep.delta);
    zs_circuit_free(sweep.small.circuit);
    check_alloc_end(&check_alloc);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("circuit");
    TCase *tcase = tcase_create("circuit");

    random_announce();
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, every_stream_is_the_increment_of_the_naive_reading);
    tcase_add_loop_test(
        tcase, the_laws_of_circuits_catch_rivals, 0, sizeof(rivals) / sizeof(rivals[0]));
    tcase_add_test(tcase, pushes_add_up_until_the_step_and_steps_until_the_take);
    tcase_add_test(
        tcase, a_linear_function_sees_consolidated_rows_and_is_not_called_without_any);
    tcase_add_test(tcase, a_function_is_asked_once_a_step_when_the_nodes_before_it_have_run);
    tcase_add_test(tcase, errors_flow_through_every_operator_and_retract);
    tcase_add_test(
        tcase, a_step_that_fails_outside_of_a_transaction_breaks_the_circuit_for_good);
    tcase_add_test(tcase, a_function_that_a_step_calls_cannot_use_the_circuit);
    tcase_add_test(tcase, a_call_that_runs_out_of_memory_changes_nothing);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
