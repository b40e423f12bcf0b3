/* distinct, as a plain struct over a trace. */
#include <check.h>

#include "core/distinct.h"
#include "tests/check_alloc.h"
#include "tests/delta_text.h"
#include "tests/operator_law.h"
#include "tests/plain_state.h"
#include "tests/property.h"
#include "tests/suite.h"

enum { CASES = 300 };

/* A table of examples: deltas in, deltas out. */

static const struct {
    const char *in;
    const char *out;
} examples[] = {
    {"a/x+1", "a/x+1"}, {"a/x+2", ""}, {"a/x-2", ""}, {"a/x-1", "a/x-1"},
    {"a/x-1", ""}, /* below zero */
    {"a/x+1", ""}, /* zero again */
    {"a/x+1", "a/x+1"}, {"a/x-5 b/x+5", "a/x-1 b/x+1"},
    {"b/+1 b/xx+1", "b/+1 b/xx+1"}, /* values around one that is there */
    {"/x+1 b/x-5", "/x+1 b/x-1"},
    {"!a/bad+2", "!a/bad+2"}, /* errors pass through with their weights */
};

START_TEST(distinct_shows_what_has_become_and_ceased_to_be_positive)
{
    struct zs_trace *trace = NULL;
    struct zs_delta in = {0};
    struct zs_delta out = {0};

    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &trace), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&out, &zs_alloc_libc), ZS_OK);
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        struct zs_distinct distinct = {&zs_alloc_libc, trace};
        zs_delta_reset(&in);
        zs_delta_reset(&out);
        ck_assert_int_eq(delta_read(examples[i].in, &in), ZS_OK);
        ck_assert_int_eq(zs_delta_consolidate(&in), ZS_OK);
        ck_assert_int_eq(zs_distinct_step(&distinct, &in, &out), ZS_OK);
        ck_assert_str_eq(delta_text(&out), examples[i].out);
    }
    zs_delta_clear(&in);
    zs_delta_clear(&out);
    zs_trace_free(trace);
}
END_TEST

/* The law. */

struct contestant {
    enum { IN_MEMORY, PLAIN, NAIVE } how;
    enum operator_fault fault; /* of the naive one */
};

static const struct graph_node node = {.kind = GRAPH_DISTINCT};

static int step_real(void *state, const struct zs_delta *in, struct zs_delta *out)
{
    return zs_distinct_step(state, in, out);
}

static const char *check(const void *subject, struct random *random)
{
    const struct contestant *contestant = subject;
    struct plain_control control = {PLAIN_SOUND};
    struct zs_distinct distinct = {&zs_alloc_libc, NULL};
    const char *violation;

    if (contestant->how == NAIVE)
        return operator_check_naive(contestant->fault, &node, random);
    if (contestant->how == PLAIN)
        distinct.trace = plain_trace_new(&control);
    else
        ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &distinct.trace), ZS_OK);
    violation = operator_check(&(struct subject){node, step_real, &distinct}, random);
    zs_trace_free(distinct.trace);
    return violation;
}

static const struct property incremental = {OPERATOR_INCREMENTAL, check};

START_TEST(the_integral_of_distinct_is_distinct_of_the_integral)
{
    static const struct contestant in_memory = {.how = IN_MEMORY};
    static const struct contestant plain = {.how = PLAIN};
    static const struct contestant naive = {.how = NAIVE};

    property_must_hold(&incremental, "in memory", &in_memory, CASES);
    property_must_hold(&incremental, "plain", &plain, CASES);
    property_must_hold(&incremental, "naive", &naive, CASES);
}
END_TEST

START_TEST(the_law_of_distinct_catches_rivals)
{
    enum operator_fault fault = (enum operator_fault)_i;
    struct property law = {operator_fault_tag(fault), check};
    struct contestant contestant = {NAIVE, fault};

    property_must_catch(&(struct rival){operator_fault_name(fault), &contestant, &law}, CASES);
}
END_TEST

/* Failures. */

START_TEST(a_weight_that_leaves_64_bits_is_an_overflow_and_leaves_the_trace)
{
    static const char *const deltas[][2] = {
        {"a/x+9223372036854775807", "a/x+1"}, {"a/x-9223372036854775808", "a/x-1"}};
    struct zs_trace *trace = NULL;
    struct zs_delta in = {0};
    struct zs_delta out = {0};
    struct zs_distinct distinct;

    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &trace), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&out, &zs_alloc_libc), ZS_OK);
    distinct = (struct zs_distinct){&zs_alloc_libc, trace};
    ck_assert_int_eq(delta_read(deltas[_i][0], &in), ZS_OK);
    ck_assert_int_eq(zs_distinct_step(&distinct, &in, &out), ZS_OK);
    zs_delta_reset(&in);
    ck_assert_int_eq(delta_read(deltas[_i][1], &in), ZS_OK);
    ck_assert_int_eq(zs_distinct_step(&distinct, &in, &out), ZS_OVERFLOW);
    zs_delta_reset(&out);
    ck_assert_int_eq(zs_trace_range(trace, zs_span_all(), 0, out.rows), ZS_OK);
    ck_assert_str_eq(delta_text(&out), deltas[_i][0]);
    zs_delta_clear(&in);
    zs_delta_clear(&out);
    zs_trace_free(trace);
}
END_TEST

/* A step in a transaction of the trace's own, rolled back where it fails. */
struct bench {
    struct zs_distinct distinct;
    struct zs_delta in;
    struct zs_delta out;
};

static int act(void *ctx)
{
    struct bench *bench = ctx;
    struct zs_trace *trace = bench->distinct.trace;
    int rc = trace->methods->begin(trace);

    zs_delta_reset(&bench->out);
    if (rc != ZS_OK)
        return rc;
    rc = zs_distinct_step(&bench->distinct, &bench->in, &bench->out);
    if (rc == ZS_OK)
        trace->methods->commit(trace);
    else
        trace->methods->rollback(trace);
    return rc;
}

static void unchanged(void *ctx)
{
    struct bench *bench = ctx;
    struct zs_delta state = {0};

    ck_assert_int_eq(zs_delta_init(&state, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(
        zs_trace_range(bench->distinct.trace, zs_span_all(), 0, state.rows), ZS_OK);
    ck_assert_str_eq(delta_text(&state), "a/x+1 b/x+1");
    zs_delta_clear(&state);
}

START_TEST(every_allocation_may_fail)
{
    struct check_alloc check_alloc;
    struct bench bench;

    check_alloc_init(&check_alloc);
    bench.distinct.alloc = &check_alloc.alloc;
    ck_assert_int_eq(zs_memory_trace_new(&check_alloc.alloc, &bench.distinct.trace), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench.in, &check_alloc.alloc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench.out, &check_alloc.alloc), ZS_OK);
    ck_assert_int_eq(delta_read("a/x+1 b/x+1", &bench.in), ZS_OK);
    ck_assert_int_eq(act(&bench), ZS_OK);
    zs_delta_reset(&bench.in);
    ck_assert_int_eq(delta_read("a/x+1 a/y+2 b/x-1 !a/bad+1", &bench.in), ZS_OK);
    ck_assert_uint_gt(check_alloc_sweep(&check_alloc, act, unchanged, &bench), 2);
    ck_assert_str_eq(delta_text(&bench.out), "a/y+1 b/x-1 !a/bad+1");
    zs_delta_clear(&bench.in);
    zs_delta_clear(&bench.out);
    zs_trace_free(bench.distinct.trace);
    check_alloc_end(&check_alloc);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("distinct");
    TCase *tcase = tcase_create("distinct");

    random_announce();
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, distinct_shows_what_has_become_and_ceased_to_be_positive);
    tcase_add_test(tcase, the_integral_of_distinct_is_distinct_of_the_integral);
    tcase_add_loop_test(
        tcase, the_law_of_distinct_catches_rivals, OPERATOR_SOUND + 1, OPERATOR_FAULTS);
    tcase_add_loop_test(
        tcase, a_weight_that_leaves_64_bits_is_an_overflow_and_leaves_the_trace, 0, 2);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
