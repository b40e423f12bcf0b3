/* The law of transactions: what is rolled back never happened, whatever happened in it. */
#include <check.h>

#include "tests/death.h"
#include "tests/delta_text.h"
#include "tests/property.h"
#include "tests/small_circuit.h"
#include "tests/suite.h"

enum { CASES = 200 };

/* Nested transactions at random, against a model that copies its whole state. */

static const struct property rollback = {HISTORY_ROLLBACK_TAG, history_check};

START_TEST(a_rollback_restores_all_that_shows_and_all_that_follows)
{
    static const struct history in_memory = {.has_transactions = true, .n_actions = 80};
    static const struct history plain = {
        .has_transactions = true, .n_actions = 80, .has_plain_state = true};

    property_must_hold(&rollback, "in memory", &in_memory, CASES);
    property_must_hold(&rollback, "plain", &plain, CASES);
}
END_TEST

static const struct {
    const char *name;
    enum rig_fault fault;
    const char *tag;
} rivals[] = {
    {"a rollback that forgets sinks", RIG_KEEPS_SINKS, HISTORY_SINK},
    {"a rollback that forgets streams", RIG_KEEPS_STREAMS, HISTORY_ROLLBACK_TAG},
    {"a rollback that keeps pushes", RIG_KEEPS_PUSHES, HISTORY_PENDING},
    {"a rollback that forgets the clock", RIG_KEEPS_TICKS, HISTORY_TICKS},
};

START_TEST(the_law_of_rollback_catches_rivals)
{
    struct property law = {rivals[_i].tag, history_check};
    struct history history = {
        .fault = rivals[_i].fault, .has_transactions = true, .n_actions = 80};

    property_must_catch(&(struct rival){rivals[_i].name, &history, &law}, CASES);
}
END_TEST

/* State that is not rolled back shows at once where it is a store's, else a tick later. */

static const struct {
    const char *name;
    enum plain_fault fault;
} state_rivals[] = {
    {"a trace that stays stale", PLAIN_STALE},
    {"an undo oldest first", PLAIN_OLDEST_FIRST},
    {"a log that an inner commit empties", PLAIN_SHALLOW},
    {"an undo that stops short", PLAIN_HALF},
};

static const struct graph stored = {
    {{GRAPH_INPUT}, {GRAPH_MAP, {0}, 0, false, true, false}}, 2};

static const struct graph grouped = {
    {{GRAPH_INPUT}, {GRAPH_AGGREGATE, {0}, 0, true, false, true}}, 2};

START_TEST(the_law_of_rollback_catches_state_that_is_not_restored)
{
    enum plain_fault fault = state_rivals[_i].fault;
    struct property at_once = {HISTORY_ROLLBACK_TAG, history_check};
    struct property later = {HISTORY_INCREMENTAL, history_check};
    struct history history = {.plain_fault = fault,
        .has_plain_state = true,
        .has_transactions = true,
        .n_actions = 80,
        .graph = &grouped};

    property_must_catch(&(struct rival){state_rivals[_i].name, &history, &later}, CASES);
    history.graph = &stored;
    if (fault == PLAIN_OLDEST_FIRST) /* additions commute: see below where they do not */
        property_must_hold(&at_once, state_rivals[_i].name, &history, CASES);
    else
        property_must_catch(&(struct rival){state_rivals[_i].name, &history, &at_once}, CASES);
}
END_TEST

/* Undoing at the ends of 64 bits must go backwards. */

struct contestant {
    bool is_plain;
    enum plain_fault fault; /* of a plain one */
};

static const char *check_extremes(const void *subject, struct random *random)
{
    static const char *const weights[] = {"a/x+9223372036854775807", "a/x-9223372036854775808"};
    static const char *const changes[][2] = {{"a/x-1", "a/x+1"}, {"a/x+1", "a/x-1"}};
    const struct contestant *contestant = subject;
    unsigned i = random_below(random, 2);
    struct plain_control control = {.fault = contestant->fault};
    struct small small;
    struct zs_trace *trace = NULL;
    const char *violation = NULL;

    if (contestant->is_plain)
        trace = plain_trace_new(&control);
    else
        ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &trace), ZS_OK);
    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_circuit_store(small.circuit, small.rows, trace, NULL), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, weights[i]), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    for (unsigned k = 0; k < 2; k++) {
        ck_assert_int_eq(small_push(small.circuit, small.input, changes[i][k]), ZS_OK);
        ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    }
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_OK);
    if (strcmp(small_trace(trace), weights[i]) != 0)
        violation = property_violated(HISTORY_ROLLBACK_TAG, "%s", small_trace(trace));
    zs_circuit_free(small.circuit);
    zs_trace_free(trace);
    return violation;
}

START_TEST(undoing_goes_newest_first_so_that_no_undo_leaves_64_bits)
{
    static const struct property at_extremes = {HISTORY_ROLLBACK_TAG, check_extremes};
    static const struct contestant in_memory = {false, PLAIN_SOUND};
    static const struct contestant sound = {true, PLAIN_SOUND};
    static const struct contestant oldest_first = {true, PLAIN_OLDEST_FIRST};

    property_must_hold(&at_extremes, "in memory", &in_memory, 8);
    property_must_hold(&at_extremes, "plain", &sound, 8);
    property_must_catch(
        &(struct rival){"an undo oldest first", &oldest_first, &at_extremes}, 8);
}
END_TEST

/* Steps that die. */

static unsigned long n_deaths;

static const struct {
    const char *name;
    enum death death;
    bool has_plain_state;
    unsigned n_cases;
    unsigned long at_least; /* so many deaths */
} deaths[] = {
    {"by allocation", DEATH_BY_ALLOCATION, false, 25, 1000},
    {"by allocation, plain state", DEATH_BY_ALLOCATION, true, 25, 1000},
    {"by callback", DEATH_BY_CALLBACK, false, 60, 500},
    {"by state", DEATH_BY_STATE, true, 60, 500},
};

START_TEST(a_step_that_dies_anywhere_and_is_rolled_back_never_was)
{
    static const struct property law = {HISTORY_ROLLBACK_TAG, death_check};
    struct death_case subject = {.history = {.has_transactions = true,
                                     .n_actions = 12,
                                     .has_plain_state = deaths[_i].has_plain_state},
        .death = deaths[_i].death,
        .n_deaths = &n_deaths};

    n_deaths = 0;
    property_must_hold(&law, deaths[_i].name, &subject, deaths[_i].n_cases);
    ck_assert_uint_ge(n_deaths, deaths[_i].at_least);
}
END_TEST

START_TEST(the_law_of_dying_steps_catches_state_that_is_not_restored)
{
    static const struct property law = {HISTORY_ROLLBACK_TAG, death_check};
    static const struct graph graph = {{{GRAPH_INPUT}, {GRAPH_MAP, {0}, 0, false, true, false},
                                           {GRAPH_FILTER, {1}, 0, false, false, false}},
        3};
    struct death_case subject = {
        .history = {.plain_fault = PLAIN_STALE, .has_plain_state = true, .graph = &graph},
        .death = DEATH_BY_CALLBACK,
        .n_deaths = &n_deaths};

    property_must_catch(&(struct rival){"a trace that stays stale", &subject, &law}, CASES);
}
END_TEST

/* Every checked addition: a push that is stepped, then one whose step overflows. */

static int count_bytes(
    void *ctx, const struct zs_item *item, struct zs_buffer *key, struct zs_buffer *value)
{
    (void)ctx;
    (void)value;
    return zs_buffer_append(key, item->key.data, item->key.len);
}

static int join_values(void *ctx, struct zs_bytes key, struct zs_bytes left,
    struct zs_bytes right, struct zs_buffer *out_key, struct zs_buffer *out_value)
{
    int rc = zs_buffer_append(out_value, left.data, left.len);

    (void)ctx;
    (void)key;
    (void)out_key;
    return rc == ZS_OK ? zs_buffer_append(out_value, right.data, right.len) : rc;
}

static int twice(void *ctx, const struct zs_item *item, struct zs_delta *images)
{
    (void)ctx;
    return zs_batch_add(images->rows, item->key, item->value, 2);
}

enum where {
    AT_INPUT,
    AT_MAP,
    AT_FLAT_MAP,
    AT_PLUS,
    AT_NEGATE,
    AT_DISTINCT,
    AT_FOLD,
    AT_JOIN,
    AT_INTEGRATE,
    AT_DIFFERENTIATE,
    AT_STORE,
    AT_OUTPUT
};

static const struct {
    enum where where;
    const char *before;
    const char *fatal;
} overflows[] = {
    {AT_INPUT, "a/x+1", "b/x+9223372036854775807 b/x+1"},
    {AT_INPUT, "a/x+1", "b/x-9223372036854775808 b/x-1"},
    {AT_MAP, "a/x+1", "b/x+9223372036854775807 b/y+1"},
    {AT_FLAT_MAP, "a/x+1", "b/x+4611686018427387904"},
    {AT_PLUS, "a/x+1", "b/x+4611686018427387904"},
    {AT_NEGATE, "a/x+1", "b/x-9223372036854775808"},
    {AT_DISTINCT, "a/x+9223372036854775807", "a/x+1"},
    {AT_DISTINCT, "a/x-9223372036854775808", "b/x+1 a/x-1"},
    {AT_FOLD, "a/x+9223372036854775807", "a/y+1"},
    {AT_JOIN, "a/x+1000000000", "b/x+1 a/x+4000000000"}, /* a product */
    {AT_JOIN, "a/x+1", "b/x+3037000500"},
    {AT_JOIN, "a/x+1", "b/x+3000000000 c/x+3000000000"}, /* a sum of products */
    {AT_INTEGRATE, "a/x+9223372036854775807", "b/x+1 a/x+1"},
    {AT_DIFFERENTIATE, "a/x+9223372036854775807", "b/x+1 a/x-2"},
    {AT_STORE, "a/x+9223372036854775807", "0/x+1 a/x+1"},
    {AT_OUTPUT, "a/x+9223372036854775807", "0/x+1 a/x+1"},
};

static int add_overflow(
    struct small *small, enum where where, struct zs_trace *trace, struct zs_output *output)
{
    struct zs_circuit *circuit = small->circuit;
    struct zs_stream rows = small->rows;
    struct zs_stream out;

    switch (where) {
    case AT_INPUT:
        return ZS_OK;
    case AT_MAP:
        return zs_circuit_map(circuit, rows, count_bytes, NULL, &out);
    case AT_FLAT_MAP:
        return zs_circuit_flat_map(circuit, rows, twice, NULL, &out);
    case AT_NEGATE:
        return zs_circuit_negate(circuit, rows, &out);
    case AT_JOIN:
        return zs_circuit_join(circuit, rows, rows, join_values, NULL, NULL, NULL, &out);
    case AT_INTEGRATE:
        return zs_circuit_integrate(circuit, rows, &out);
    case AT_DIFFERENTIATE:
        return zs_circuit_differentiate(circuit, rows, &out);
    case AT_PLUS:
        return zs_circuit_plus(circuit, rows, rows, &out);
    case AT_DISTINCT:
        return zs_circuit_distinct(circuit, rows, NULL, &out);
    case AT_FOLD:
        return zs_circuit_aggregate(circuit, rows, &small_count, NULL, NULL, &out);
    case AT_STORE:
        return zs_circuit_store(circuit, rows, trace, NULL);
    default:
        return zs_circuit_output(circuit, rows, output);
    }
}

START_TEST(a_step_that_overflows_anywhere_and_is_rolled_back_never_was)
{
    struct small small = {0};
    struct zs_trace *before = NULL;
    struct zs_trace *trace = NULL;

    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &before), ZS_OK);
    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &trace), ZS_OK);
    ck_assert_int_eq(zs_circuit_new(&zs_alloc_libc, &small.circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_input(small.circuit, &small.input, &small.rows), ZS_OK);
    /* One state in front of the addition that overflows, which has been changed by then. */
    ck_assert_int_eq(zs_circuit_aggregate(
                         small.circuit, small.rows, &small_least, NULL, NULL, &small.unique),
        ZS_OK);
    ck_assert_int_eq(zs_circuit_store(small.circuit, small.unique, before, NULL), ZS_OK);
    ck_assert_int_eq(add_overflow(&small, overflows[_i].where, trace, &small.output), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, overflows[_i].before), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);

    ck_assert_int_eq(zs_circuit_begin(small.circuit), ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, overflows[_i].fatal), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OVERFLOW);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_MISUSE);
    ck_assert_int_eq(zs_circuit_rollback(small.circuit), ZS_OK);

    ck_assert_str_eq(small_current(small.circuit, small.rows), overflows[_i].before);
    if (overflows[_i].where == AT_STORE)
        ck_assert_str_eq(small_trace(trace), overflows[_i].before);
    if (overflows[_i].where == AT_OUTPUT)
        ck_assert_str_eq(small_take(small.circuit, small.output), overflows[_i].before);
    ck_assert_int_eq(small_push(small.circuit, small.input, "c/z+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, small.unique), "c/z+1");
    ck_assert_uint_eq(zs_circuit_ticks(small.circuit), 2);
    zs_circuit_free(small.circuit);
    zs_trace_free(before);
    zs_trace_free(trace);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transaction");
    TCase *tcase = tcase_create("transaction");

    random_announce();
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, a_rollback_restores_all_that_shows_and_all_that_follows);
    tcase_add_loop_test(
        tcase, the_law_of_rollback_catches_rivals, 0, sizeof(rivals) / sizeof(rivals[0]));
    tcase_add_loop_test(tcase, the_law_of_rollback_catches_state_that_is_not_restored, 0,
        sizeof(state_rivals) / sizeof(state_rivals[0]));
    tcase_add_test(tcase, undoing_goes_newest_first_so_that_no_undo_leaves_64_bits);
    tcase_add_loop_test(tcase, a_step_that_dies_anywhere_and_is_rolled_back_never_was, 0,
        sizeof(deaths) / sizeof(deaths[0]));
    tcase_add_test(tcase, the_law_of_dying_steps_catches_state_that_is_not_restored);
    tcase_add_loop_test(tcase, a_step_that_overflows_anywhere_and_is_rolled_back_never_was, 0,
        sizeof(overflows) / sizeof(overflows[0]));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
