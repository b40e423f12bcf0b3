/* Steps that die everywhere they can. */
#include "tests/death.h"

#include "tests/check_alloc.h"

static void arm(
    struct history_run *run, struct check_alloc *alloc, enum death death, unsigned long n)
{
    if (death == DEATH_BY_ALLOCATION)
        check_alloc_fail(alloc, n);
    else if (death == DEATH_BY_CALLBACK)
        run->rig->callbacks_until_failure = (long)n;
    else
        run->rig->control.fails_after = (long)n;
}

/* What fails once is not to fail later. */
static void disarm(struct history_run *run, struct check_alloc *alloc)
{
    check_alloc_fail(alloc, 0);
    run->rig->callbacks_until_failure = 0;
    run->rig->control.fails_after = 0;
}

static void push_everywhere(struct history_run *run)
{
    for (unsigned i = 0; i < 2 * run->graph->n; i++)
        history_act(run, HISTORY_PUSH);
}

/* Until the rollback nothing else is allowed. */
static void expect_refusals(struct history_run *run)
{
    struct zs_circuit *circuit = run->rig->circuit;
    const struct zs_delta *delta;
    struct zs_batch *rows = NULL;
    struct zs_stream out;

    history_expect(run, "batch_new", zs_batch_new(&zs_alloc_libc, &rows), ZS_OK);
    history_expect(run, "a push after death",
        zs_circuit_push(circuit, run->rig->inputs[0], rows), ZS_MISUSE);
    history_expect(run, "a step after death", zs_circuit_step(circuit), ZS_MISUSE);
    history_expect(run, "a begin after death", zs_circuit_begin(circuit), ZS_MISUSE);
    history_expect(run, "a commit after death", zs_circuit_commit(circuit), ZS_MISUSE);
    history_expect(run, "building after death",
        zs_circuit_plus(circuit, run->rig->streams[0], run->rig->streams[0], &out), ZS_MISUSE);
    history_expect(run, "current after death",
        zs_circuit_current(circuit, run->rig->streams[0], &delta), ZS_MISUSE);
    zs_batch_free(rows);
}

static void live_on(struct history_run *run)
{
    history_act(run, HISTORY_ROLLBACK);
    history_compare(run);
    history_act_at_random(run, 4);
    history_finish(run);
}

/* The step, in a transaction of its own. */
static int die(
    struct history_run *run, struct check_alloc *alloc, enum death death, unsigned long n)
{
    int rc;

    if (run->depth == RIG_DEPTH_MAX)
        history_act(run, HISTORY_COMMIT);
    history_act(run, HISTORY_BEGIN);
    push_everywhere(run);
    arm(run, alloc, death, n);
    rc = rig_step(run->rig);
    disarm(run, alloc);
    return rc;
}

/* *has_died is false where the step has fewer than n calls. */
static const char *die_at(
    const struct death_case *subject, struct random random, unsigned long n, bool *has_died)
{
    struct check_alloc alloc;
    struct history_run run;
    int rc;

    check_alloc_init(&alloc);
    history_open(&run, &subject->history, &alloc.alloc, &random);
    history_act_at_random(&run, subject->history.n_actions);
    rc = die(&run, &alloc, subject->death, n);
    *has_died = rc != ZS_OK;
    if (*has_died) {
        history_expect(&run, "a dying step", rc,
            subject->death == DEATH_BY_ALLOCATION ? ZS_NOMEM : ZS_CALLBACK);
        expect_refusals(&run);
    }
    live_on(&run);
    history_close(&run);
    check_alloc_end(&alloc);
    return run.complaint;
}

const char *death_check(const void *subject, struct random *random)
{
    const struct death_case *death_case = subject;
    const char *complaint = NULL;
    bool has_died = true;

    for (unsigned long n = 1; complaint == NULL && has_died; n++) {
        complaint = die_at(death_case, *random, n, &has_died);
        *death_case->n_deaths += has_died;
    }
    return complaint;
}
