/* top, as a plain struct over a trace; and the keys that order rows. */
#include <check.h>

#include "core/top.h"
#include "tests/check_alloc.h"
#include "tests/delta_text.h"
#include "tests/must.h"
#include "tests/operator_law.h"
#include "tests/plain_state.h"
#include "tests/property.h"
#include "tests/random_value.h"
#include "tests/suite.h"

enum { CASES = 300 };

/* Tables of examples: deltas in, deltas out. */

struct example {
    const char *in;
    const char *out;
};

static const struct example first_three[] = {
    {"a/x+1 b/x+1", "a/x+1 b/x+1"},
    {"c/x+1 d/x+1 e/x+1", "c/x+1"},
    {"b/x-1", "b/x-1 d/x+1"},                         /* the next comes in */
    {"e/x-1 f/x+1", ""},                              /* behind all that is shown */
    {"b/x+2", "b/x+2 c/x-1 d/x-1"},                   /* two places */
    {"a/x-1 b/x-2", "a/x-1 b/x-2 c/x+1 d/x+1 f/x+1"}, /* several come in at once */
    {"0/x-1", ""},                                    /* below zero: it has no place */
    {"0/x+2", "0/x+1 f/x-1"},
    {NULL, NULL},
};

static const struct example behind_one[] = {
    {"b/x+1", ""},
    {"a/x+1", "b/x+1"},
    {"a/x+1", "a/x+1 b/x-1"}, /* the copy is the second */
    {"a/x-2", "a/x-1"},
    {"c/x+1 d/x+1", "c/x+1"},
    {"b/x-1", "c/x-1 d/x+1"},
    {"!a/bad+2", "!a/bad+2"}, /* errors pass through with their weights */
    {NULL, NULL},
};

static const struct example all_behind_two[] = {
    {"a/x+1 b/x+1 c/x+3", "c/x+3"},
    {"a/x-1", "c/x-1"},
    {"d/x+1 z/x-1", "d/x+1"},
    {"0/x+5", "0/x+3 b/x+1 c/x+1"},
    {"0/x-5", "0/x-3 b/x-1 c/x-1"},
    {"z/x+2", "z/x+1"},
    {NULL, NULL},
};

static const struct {
    int64_t offset, limit;
    const struct example *examples;
} tables[] = {{0, 3, first_three}, {1, 1, behind_one}, {2, -1, all_behind_two}};

START_TEST(top_shows_the_rows_behind_the_offset_up_to_the_limit)
{
    const struct example *example = tables[_i].examples;
    struct zs_top top = {
        .alloc = &zs_alloc_libc, .offset = tables[_i].offset, .limit = tables[_i].limit};
    struct zs_delta in = {0};
    struct zs_delta out = {0};

    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &top.trace), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&out, &zs_alloc_libc), ZS_OK);
    for (; example->in != NULL; example++) {
        zs_delta_reset(&in);
        zs_delta_reset(&out);
        ck_assert_int_eq(delta_read(example->in, &in), ZS_OK);
        ck_assert_int_eq(zs_delta_consolidate(&in), ZS_OK);
        ck_assert_int_eq(zs_top_step(&top, &in, &out), ZS_OK);
        ck_assert_int_eq(zs_delta_consolidate(&out), ZS_OK);
        ck_assert_str_eq(delta_text(&out), example->out);
    }
    zs_delta_clear(&in);
    zs_delta_clear(&out);
    zs_trace_free(top.trace);
}
END_TEST

/* The law. */

enum how { IN_MEMORY, PLAIN, NAIVE, SHOWS_ONE_MORE, HIDES_ONE_MORE, HOWS };

struct contestant {
    enum how how;
    enum operator_fault fault; /* of the naive one */
};

static int step_real(void *state, const struct zs_delta *in, struct zs_delta *out)
{
    return zs_top_step(state, in, out);
}

static const char *check(const void *subject, struct random *random)
{
    const struct contestant *contestant = subject;
    struct graph_node node = {.kind = GRAPH_TOP, .variant = random_below(random, 12)};
    struct plain_control control = {PLAIN_SOUND};
    struct zs_top top = {.alloc = &zs_alloc_libc,
        .offset = graph_offset(node.variant),
        .limit = graph_limit(node.variant)};
    const char *violation;

    if (contestant->how == NAIVE)
        return operator_check_naive(contestant->fault, &node, random);
    if (contestant->how == PLAIN)
        top.trace = plain_trace_new(&control);
    else
        ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &top.trace), ZS_OK);
    top.limit += contestant->how == SHOWS_ONE_MORE;
    top.offset += contestant->how == HIDES_ONE_MORE;
    violation = operator_check(&(struct subject){node, step_real, &top}, random);
    zs_trace_free(top.trace);
    return violation;
}

static const struct property incremental = {OPERATOR_INCREMENTAL, check};

START_TEST(the_integral_of_top_is_top_of_the_integral)
{
    static const struct contestant in_memory = {.how = IN_MEMORY};
    static const struct contestant plain = {.how = PLAIN};
    static const struct contestant naive = {.how = NAIVE};

    property_must_hold(&incremental, "in memory", &in_memory, CASES);
    property_must_hold(&incremental, "plain", &plain, CASES);
    property_must_hold(&incremental, "naive", &naive, CASES);
}
END_TEST

START_TEST(the_law_of_top_catches_rivals)
{
    enum operator_fault fault = (enum operator_fault)_i;
    struct property law = {operator_fault_tag(fault), check};
    struct contestant contestant = {NAIVE, fault};

    property_must_catch(&(struct rival){operator_fault_name(fault), &contestant, &law}, CASES);
}
END_TEST

START_TEST(the_law_of_top_catches_a_place_too_many)
{
    struct contestant contestant = {.how = (enum how)_i};

    property_must_catch(&(struct rival){"one more", &contestant, &incremental}, CASES);
}
END_TEST

/* Failures. */

START_TEST(a_weight_that_leaves_64_bits_is_an_overflow)
{
    struct zs_top top = {.alloc = &zs_alloc_libc, .offset = 1, .limit = -1};
    struct zs_delta in = {0};
    struct zs_delta out = {0};

    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &top.trace), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&out, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(delta_read("a/x+9223372036854775807", &in), ZS_OK);
    ck_assert_int_eq(zs_top_step(&top, &in, &out), ZS_OK);
    ck_assert_int_eq(zs_delta_consolidate(&out), ZS_OK);
    ck_assert_str_eq(delta_text(&out), "a/x+9223372036854775806");
    zs_delta_reset(&in);
    ck_assert_int_eq(delta_read("a/x+1", &in), ZS_OK);
    ck_assert_int_eq(zs_top_step(&top, &in, &out), ZS_OVERFLOW);
    zs_delta_clear(&in);
    zs_delta_clear(&out);
    zs_trace_free(top.trace);
}
END_TEST

/* A step in a transaction of the trace's own, rolled back where it fails. */
struct bench {
    struct zs_top top;
    struct zs_delta in;
    struct zs_delta out;
};

static int act(void *ctx)
{
    struct bench *bench = ctx;
    int rc = zs_trace_begin(bench->top.trace);

    zs_delta_reset(&bench->out);
    if (rc != ZS_OK)
        return rc;
    rc = zs_top_step(&bench->top, &bench->in, &bench->out);
    if (rc == ZS_OK)
        zs_trace_commit(bench->top.trace);
    else
        zs_trace_rollback(bench->top.trace);
    return rc;
}

static void unchanged(void *ctx)
{
    struct bench *bench = ctx;
    struct zs_delta state = {0};

    ck_assert_int_eq(zs_delta_init(&state, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_trace_range(bench->top.trace, zs_span_all(), 0, state.rows), ZS_OK);
    ck_assert_str_eq(delta_text(&state), "a/x+1 b/x+1 c/x+1");
    zs_delta_clear(&state);
}

START_TEST(every_allocation_may_fail)
{
    struct check_alloc check_alloc;
    struct bench bench = {.top = {.offset = 1, .limit = 1}};

    check_alloc_init(&check_alloc);
    bench.top.alloc = &check_alloc.alloc;
    ck_assert_int_eq(zs_memory_trace_new(&check_alloc.alloc, &bench.top.trace), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench.in, &check_alloc.alloc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench.out, &check_alloc.alloc), ZS_OK);
    ck_assert_int_eq(delta_read("a/x+1 b/x+1 c/x+1", &bench.in), ZS_OK);
    ck_assert_int_eq(act(&bench), ZS_OK);
    zs_delta_reset(&bench.in);
    ck_assert_int_eq(delta_read("a/x-1 aa/y+2 !a/bad+1", &bench.in), ZS_OK);
    ck_assert_uint_gt(check_alloc_sweep(&check_alloc, act, unchanged, &bench), 2);
    ck_assert_int_eq(zs_delta_consolidate(&bench.out), ZS_OK);
    ck_assert_str_eq(delta_text(&bench.out), "aa/y+1 b/x-1 !a/bad+1");
    zs_delta_clear(&bench.in);
    zs_delta_clear(&bench.out);
    zs_trace_free(bench.top.trace);
    check_alloc_end(&check_alloc);
}
END_TEST

/* Keys. */

typedef int append_fn(
    struct zs_buffer *key, const struct zs_value *value, const struct zs_order *order);

static int forget_direction(
    struct zs_buffer *key, const struct zs_value *value, const struct zs_order *order)
{
    return zs_row_append_order(
        key, value, &(struct zs_order){order->collation, false, order->has_nulls_last});
}

static int forget_nulls(
    struct zs_buffer *key, const struct zs_value *value, const struct zs_order *order)
{
    return zs_row_append_order(key, value,
        &(struct zs_order){order->collation, order->is_descending, order->is_descending});
}

static int turn_nulls(
    struct zs_buffer *key, const struct zs_value *value, const struct zs_order *order)
{
    return zs_row_append_order(key, value,
        &(struct zs_order){order->collation, order->is_descending, !order->has_nulls_last});
}

/* Of two values, as ORDER BY has it. */
static int order_of(
    const struct zs_value *a, const struct zs_value *b, const struct zs_order *order)
{
    int sign;

    if ((a->type == ZS_NULL) != (b->type == ZS_NULL))
        return (a->type == ZS_NULL) == order->has_nulls_last ? 1 : -1;
    sign = zs_value_compare(a, b, order->collation);
    sign = (sign > 0) - (sign < 0);
    return order->is_descending ? -sign : sign;
}

static bool begins_with(struct zs_bytes bytes, struct zs_bytes head)
{
    return head.len < bytes.len &&
           zs_bytes_equal((struct zs_bytes){bytes.data, head.len}, head);
}

/* Two rows of two terms, often equal in the first. */
static const char *check_key(const void *subject, struct random *random)
{
    append_fn *const *append = subject;
    struct zs_buffer keys[2];
    int expected = 0, found;
    const char *violation = NULL;

    for (unsigned i = 0; i < 2; i++)
        zs_buffer_init(&keys[i], &zs_alloc_libc);
    for (unsigned term = 0; term < 2; term++) {
        struct zs_order order = {(enum zs_collation)random_below(random, 5),
            random_once_in(random, 2), random_once_in(random, 2)};
        struct random_value a, b;

        random_value(random, &a);
        random_value_near(random, &a, &b);
        if (random_once_in(random, 8))
            b.value = (struct zs_value){.type = ZS_NULL};
        must((*append)(&keys[0], &a.value, &order) == ZS_OK);
        must((*append)(&keys[1], &b.value, &order) == ZS_OK);
        expected = expected != 0 ? expected : order_of(&a.value, &b.value, &order);
    }
    found = zs_bytes_compare(zs_buffer_bytes(&keys[0]), zs_buffer_bytes(&keys[1]));
    found = (found > 0) - (found < 0);
    if (found != expected)
        violation = property_violated("[order]", "%d, not %d", found, expected);
    else if (begins_with(zs_buffer_bytes(&keys[0]), zs_buffer_bytes(&keys[1])))
        violation = property_violated("[prefix]", "a key is the beginning of another");
    for (unsigned i = 0; i < 2; i++)
        zs_buffer_clear(&keys[i]);
    return violation;
}

static const struct property ordered = {"[order]", check_key};

START_TEST(keys_are_in_the_order_of_their_terms)
{
    append_fn *append = zs_row_append_order;

    property_must_hold(&ordered, "keys", &append, 20000);
}
END_TEST

static append_fn *const wrong_keys[] = {forget_direction, forget_nulls, turn_nulls};

START_TEST(keys_in_another_order_are_caught)
{
    append_fn *append = wrong_keys[_i];

    property_must_catch(&(struct rival){"wrong keys", &append, &ordered}, 20000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("top");
    TCase *tcase = tcase_create("top");

    random_announce();
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, top_shows_the_rows_behind_the_offset_up_to_the_limit, 0,
        sizeof(tables) / sizeof(tables[0]));
    tcase_add_test(tcase, the_integral_of_top_is_top_of_the_integral);
    tcase_add_loop_test(
        tcase, the_law_of_top_catches_rivals, OPERATOR_SOUND + 1, OPERATOR_FAULTS);
    tcase_add_loop_test(tcase, the_law_of_top_catches_a_place_too_many, SHOWS_ONE_MORE, HOWS);
    tcase_add_test(tcase, a_weight_that_leaves_64_bits_is_an_overflow);
    tcase_add_test(tcase, every_allocation_may_fail);
    tcase_add_test(tcase, keys_are_in_the_order_of_their_terms);
    tcase_add_loop_test(
        tcase, keys_in_another_order_are_caught, 0, sizeof(wrong_keys) / sizeof(wrong_keys[0]));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
