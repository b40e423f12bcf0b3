/* delay, differentiate and integrate, as plain structs: over random streams of ticks, whole and
** in pieces, with transactions around them. */
#include <check.h>

#include "core/temporal.h"
#include "tests/check_alloc.h"
#include "tests/delta_text.h"
#include "tests/graph.h"
#include "tests/property.h"
#include "tests/suite.h"

enum { CASES = 300, TICKS = 30, DEPTH_MAX = 3 };

enum kind { DELAY, DIFFERENTIATE, INTEGRATE, KINDS };

enum fault {
    REAL,
    NAIVE,
    NEGATES,
    COMES_LATE,       /* by a tick more */
    COMES_AT_ONCE,    /* passes on what comes in */
    FORGETS_PIECES,   /* remembers the first piece of a tick only */
    REPEATS,          /* what a tick brings, in every piece of it */
    IGNORES_ROLLBACK, /* what it remembers stays */
    LOSES_ERRORS,     /* of what it remembers */
    FAULTS
};

static const char *const fault_names[FAULTS] = {
    "the operator",
    "naive",
    "an operator with the wrong sign",
    "an operator that comes late",
    "an operator that comes at once",
    "an operator that forgets pieces",
    "an operator that repeats itself in each piece",
    "an operator that is not rolled back",
    "an operator that loses errors",
};

/* Does the fault differ from what the operator does? */
static bool is_rival_of(enum fault fault, enum kind kind)
{
    return !(fault == COMES_LATE && kind == INTEGRATE);
}

/* What the operator's state is a function of: the deltas of all ticks so far. */
struct history {
    struct model_delta ticks[TICKS + 1];
    unsigned n;
};

static void copy_history(struct history *to, const struct history *from)
{
    for (unsigned i = 0; i < to->n; i++)
        model_delta_clear(&to->ticks[i]);
    for (unsigned i = 0; i < from->n; i++)
        model_delta_copy(&to->ticks[i], &from->ticks[i]);
    to->n = from->n;
}

static void clear_history(struct history *history)
{
    copy_history(history, &(struct history){.n = 0});
}

/* Of the last tick of the history: what the operator makes of it. */
static void read_history(
    enum kind kind, const struct history *history, unsigned late, struct model_delta *out)
{
    unsigned n = history->n;
    unsigned first = kind == INTEGRATE ? 1 : n;

    if (kind == DELAY)
        first = n > 0 ? n - 1 : 0;
    if (kind == DELAY && first >= late + 1)
        model_delta_add_all(out, &history->ticks[first - 1 - late], 1);
    for (unsigned i = first; kind != DELAY && i >= 1 && i <= n; i++)
        model_delta_add_all(out, &history->ticks[i - 1], 1);
    if (kind == DIFFERENTIATE && n >= 2 + late)
        model_delta_add_all(out, &history->ticks[n - 2 - late], -1);
}

/* The subjects: the real operators, and a naive one with its faults. */

struct subject {
    enum kind kind;
    enum fault fault;
    struct zs_delay delay;
    struct zs_integral integral;
    struct history seen[DEPTH_MAX + 1]; /* by the naive one, at the begin of each depth */
    unsigned depth;
};

static int open_subject(struct subject *subject, const struct zs_alloc *alloc)
{
    int rc = zs_delay_init(&subject->delay, alloc);

    if (rc == ZS_OK)
        rc = zs_memory_trace_new(alloc, &subject->integral.rows);
    if (rc == ZS_OK)
        rc = zs_memory_trace_new(alloc, &subject->integral.errors);
    return rc;
}

static void close_subject(struct subject *subject)
{
    zs_delay_clear(&subject->delay);
    zs_trace_free(subject->integral.rows);
    zs_trace_free(subject->integral.errors);
    for (unsigned i = 0; i <= DEPTH_MAX; i++)
        clear_history(&subject->seen[i]);
}

static int step_real(struct subject *subject, const struct zs_tick *tick,
    const struct zs_delta *in, struct zs_delta *out)
{
    if (subject->kind == DELAY)
        return zs_delay_step(&subject->delay, tick, in, out);
    if (subject->kind == DIFFERENTIATE)
        return zs_differentiate_step(&subject->delay, tick, in, out);
    return zs_integrate_step(&subject->integral, tick, in, out);
}

static void step_naive(struct subject *subject, const struct zs_tick *tick,
    const struct zs_delta *in, struct model_delta *out)
{
    struct history *seen = &subject->seen[subject->depth];
    enum fault fault = subject->fault;
    unsigned late = fault == COMES_LATE;
    bool is_first = !tick->is_continued || fault == REPEATS;
    struct model_delta piece = {0};
    struct model_delta whole = {0};

    if (!tick->is_continued)
        model_delta_clear(&seen->ticks[seen->n++]);
    model_delta_add(&piece, in, 1);
    if (fault == LOSES_ERRORS)
        model_clear(&piece.errors);
    if (!tick->is_continued || fault != FORGETS_PIECES)
        model_delta_add_all(&seen->ticks[seen->n - 1], &piece, 1);
    if (is_first)
        read_history(subject->kind, seen, late, &whole);
    else if (subject->kind != DELAY)
        model_delta_add_all(&whole, &piece, 1);
    if (fault == COMES_AT_ONCE) {
        model_delta_clear(&whole);
        model_delta_add(&whole, in, 1);
    }
    model_delta_add_all(out, &whole, fault == NEGATES ? -1 : 1);
    model_delta_clear(&piece);
    model_delta_clear(&whole);
}

static int begin(struct subject *subject)
{
    int rc = subject->integral.rows->methods->begin(subject->integral.rows);

    if (rc == ZS_OK)
        rc = subject->integral.errors->methods->begin(subject->integral.errors);
    copy_history(&subject->seen[subject->depth + 1], &subject->seen[subject->depth]);
    subject->depth++;
    return rc;
}

static void commit(struct subject *subject)
{
    zs_delay_commit(&subject->delay, subject->depth);
    subject->integral.rows->methods->commit(subject->integral.rows);
    subject->integral.errors->methods->commit(subject->integral.errors);
    copy_history(&subject->seen[subject->depth - 1], &subject->seen[subject->depth]);
    subject->depth--;
}

static void roll_back(struct subject *subject)
{
    if (subject->fault == IGNORES_ROLLBACK) {
        commit(subject);
        return;
    }
    zs_delay_rollback(&subject->delay, subject->depth);
    subject->integral.rows->methods->rollback(subject->integral.rows);
    subject->integral.errors->methods->rollback(subject->integral.errors);
    subject->depth--;
}

/* The law: the pieces of every tick add up to what the history of whole ticks says. */

#define TEMPORAL "[temporal]"

struct law {
    struct subject subject;
    struct random *random;
    struct history past[DEPTH_MAX + 1];
    struct model_delta sums[DEPTH_MAX + 1]; /* of what the pieces of the last tick made */
    unsigned depth;
};

static int random_piece(struct random *random, struct zs_delta *delta)
{
    int rc;

    zs_delta_reset(delta);
    rc = random_below(random, 3) == 0 ? ZS_OK : graph_random_rows(random, delta->rows);
    if (rc == ZS_OK && random_below(random, 3) == 0)
        rc = graph_random_rows(random, delta->errors);
    return rc == ZS_OK ? zs_delta_consolidate(delta) : rc;
}

static bool step(struct law *law, bool is_continued)
{
    struct zs_tick tick = {law->depth, is_continued};
    struct history *past = &law->past[law->depth];
    struct model_delta *sum = &law->sums[law->depth];
    struct model_delta expected = {0};
    struct zs_delta in = {0};
    struct zs_delta out = {0};
    bool holds;

    ck_assert_int_eq(zs_delta_init(&in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&out, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(random_piece(law->random, &in), ZS_OK);
    if (!is_continued) {
        model_delta_clear(&past->ticks[past->n++]);
        model_delta_clear(sum);
    }
    model_delta_add(&past->ticks[past->n - 1], &in, 1);
    if (law->subject.fault == REAL) {
        ck_assert_int_eq(step_real(&law->subject, &tick, &in, &out), ZS_OK);
        model_delta_add(sum, &out, 1);
    } else {
        step_naive(&law->subject, &tick, &in, sum);
    }
    read_history(law->subject.kind, past, 0, &expected);
    holds = model_delta_equal(&expected, sum);
    model_delta_clear(&expected);
    zs_delta_clear(&in);
    zs_delta_clear(&out);
    return holds;
}

/* Where is_kept, what happened since the begin happened to the outer one. */
static void end(struct law *law, bool is_kept)
{
    if (is_kept) {
        commit(&law->subject);
        copy_history(&law->past[law->depth - 1], &law->past[law->depth]);
        model_delta_copy(&law->sums[law->depth - 1], &law->sums[law->depth]);
    } else {
        roll_back(&law->subject);
    }
    law->depth--;
}

static void open_transaction(struct law *law)
{
    ck_assert_int_eq(begin(&law->subject), ZS_OK);
    copy_history(&law->past[law->depth + 1], &law->past[law->depth]);
    model_delta_copy(&law->sums[law->depth + 1], &law->sums[law->depth]);
    law->depth++;
}

static bool act(struct law *law)
{
    unsigned choice = random_below(law->random, 9);
    unsigned n = law->past[law->depth].n;

    if (choice < 2 && law->depth < DEPTH_MAX)
        open_transaction(law);
    else if (choice < 4 && law->depth > 0)
        end(law, choice == 2);
    else if (choice < 7 && n > 0)
        return step(law, true);
    else if (n < TICKS)
        return step(law, false);
    return true;
}

static const char *check(const void *contestant, struct random *random)
{
    const enum fault *fault = contestant;
    struct law law = {.random = random};
    bool holds = true;

    do
        law.subject.kind = random_below(random, KINDS);
    while (!is_rival_of(*fault, law.subject.kind));
    law.subject.fault = *fault;
    ck_assert_int_eq(open_subject(&law.subject, &zs_alloc_libc), ZS_OK);
    for (unsigned i = 0; holds && i < 60; i++)
        holds = act(&law);
    while (law.depth > 0)
        end(&law, false);
    close_subject(&law.subject);
    for (unsigned i = 0; i <= DEPTH_MAX; i++) {
        clear_history(&law.past[i]);
        model_delta_clear(&law.sums[i]);
    }
    return holds ? NULL : property_violated(TEMPORAL, "operator %u", law.subject.kind);
}

static const struct property temporal = {TEMPORAL, check};

START_TEST(a_temporal_operator_is_a_function_of_the_ticks_so_far_whole_or_in_pieces)
{
    static const enum fault real = REAL;
    static const enum fault naive = NAIVE;

    property_must_hold(&temporal, fault_names[real], &real, CASES);
    property_must_hold(&temporal, fault_names[naive], &naive, CASES);
}
END_TEST

START_TEST(the_law_of_temporal_operators_catches_rivals)
{
    enum fault fault = (enum fault)_i;
    property_must_catch(&(struct rival){fault_names[fault], &fault, &temporal}, CASES);
}
END_TEST

/* Examples: ticks in, ticks out. */

static const struct {
    const char *in;
    const char *out[KINDS];
} examples[] = {
    {"a/x+1", {"", "a/x+1", "a/x+1"}},
    {"a/x+2 !e/bad+1", {"a/x+1", "a/x+1 !e/bad+1", "a/x+3 !e/bad+1"}},
    {"", {"a/x+2 !e/bad+1", "a/x-2 !e/bad-1", "a/x+3 !e/bad+1"}},
    {"b/y+1", {"", "b/y+1", "a/x+3 b/y+1 !e/bad+1"}},
};

START_TEST(ticks_are_delayed_summed_and_told_apart)
{
    const struct zs_tick tick = {0, false};
    struct subject subject = {.kind = (enum kind)_i};
    struct zs_delta in = {0};
    struct zs_delta out = {0};

    ck_assert_int_eq(open_subject(&subject, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&out, &zs_alloc_libc), ZS_OK);
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        zs_delta_reset(&in);
        zs_delta_reset(&out);
        ck_assert_int_eq(delta_read(examples[i].in, &in), ZS_OK);
        ck_assert_int_eq(step_real(&subject, &tick, &in, &out), ZS_OK);
        ck_assert_str_eq(delta_text(&out), examples[i].out[_i]);
    }
    zs_delta_clear(&in);
    zs_delta_clear(&out);
    close_subject(&subject);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("temporal");
    TCase *tcase = tcase_create("temporal");

    random_announce();
    tcase_set_timeout(tcase, 60);
    tcase_add_test(
        tcase, a_temporal_operator_is_a_function_of_the_ticks_so_far_whole_or_in_pieces);
    tcase_add_loop_test(tcase, the_law_of_temporal_operators_catches_rivals, NAIVE + 1, FAULTS);
    tcase_add_loop_test(tcase, ticks_are_delayed_summed_and_told_apart, 0, KINDS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
