/* Random histories of circuits. The naive side makes a transaction by copying everything. */
#include "tests/history.h"

#include "tests/property.h"

void history_complain(struct history_run *run, const char *tag, const char *what, unsigned i)
{
    if (run->complaint == NULL)
        run->complaint = property_violated(tag, "%s %u", what, i);
}

struct world *history_now(struct history_run *run)
{
    return &run->worlds[run->depth];
}

void history_expect(struct history_run *run, const char *call, int rc, int expected)
{
    if (rc != expected)
        history_complain(run, HISTORY_STATUS, call, (unsigned)rc);
}

static void check_status(struct history_run *run, const char *call, int rc)
{
    history_expect(run, call, rc, ZS_OK);
}

/* Comparing. */

static const char *tag_of_stream(const struct history_run *run, unsigned i)
{
    if (run->last == HISTORY_ROLLBACK)
        return HISTORY_ROLLBACK_TAG;
    return run->graph->nodes[i].kind == GRAPH_INPUT ? HISTORY_PENDING : HISTORY_INCREMENTAL;
}

static void compare_stream(struct history_run *run, unsigned i)
{
    struct world *world = history_now(run);
    struct model_delta expected = {0};
    struct model_delta shown = {0};
    bool is_canonical = true;

    model_delta_add_all(&expected, &world->now[i], 1);
    model_delta_add_all(&expected, &world->before[i], -1);
    check_status(run, "current", rig_current(run->rig, i, &shown, &is_canonical));
    if (!is_canonical)
        history_complain(run, HISTORY_CANONICAL, "stream", i);
    if (!model_delta_equal(&expected, &shown))
        history_complain(run, tag_of_stream(run, i), "stream", i);
    model_delta_clear(&expected);
    model_delta_clear(&shown);
}

static void compare_stored(struct history_run *run, unsigned i)
{
    struct model_delta stored = {0};

    if (run->rig->stored_rows[i] == NULL)
        return;
    check_status(run, "range", rig_stored(run->rig, i, &stored));
    if (!model_delta_equal(&history_now(run)->now[i], &stored))
        history_complain(run,
            run->last == HISTORY_ROLLBACK ? HISTORY_ROLLBACK_TAG : HISTORY_STORED,
            "the store of stream", i);
    model_delta_clear(&stored);
}

void history_compare(struct history_run *run)
{
    if (rig_ticks(run->rig) != history_now(run)->ticks)
        history_complain(run, HISTORY_TICKS, "not", (unsigned)history_now(run)->ticks);
    for (unsigned i = 0; i < run->graph->n; i++)
        compare_stream(run, i);
    for (unsigned i = 0; i < run->graph->n; i++)
        compare_stored(run, i);
}

/* Acting. */

static void push(struct history_run *run)
{
    const struct graph *graph = run->graph;
    unsigned i = random_below(run->random, graph->n);
    struct zs_batch *rows = NULL;
    int rc;

    while (graph->nodes[i].kind != GRAPH_INPUT)
        i = random_below(run->random, i);
    rc = zs_batch_new(&zs_alloc_libc, &rows);
    if (rc == ZS_OK)
        rc = graph_random_rows(run->random, rows);
    if (rc == ZS_OK)
        rc = rig_push(run->rig, i, rows);
    check_status(run, "push", rc);
    model_add_batch(&history_now(run)->pending[i], rows, 1);
    zs_batch_free(rows);
}

static void take(struct history_run *run)
{
    for (unsigned i = 0; run->depth == 0 && i < run->graph->n; i++) {
        struct world *world = history_now(run);
        struct model_delta sum = {0};
        if (!run->graph->nodes[i].is_output || random_below(run->random, 2) == 0)
            continue;
        check_status(run, "take", rig_take(run->rig, i, &sum));
        model_delta_add_all(&sum, &world->taken[i], 1);
        if (!model_delta_equal(&sum, &world->now[i]))
            history_complain(run, HISTORY_SINK, "the output of stream", i);
        model_delta_copy(&world->taken[i], &world->now[i]);
        model_delta_clear(&sum);
    }
}

void history_act(struct history_run *run, enum history_action action)
{
    struct world *world = history_now(run);

    run->last = action;
    switch (action) {
    case HISTORY_PUSH:
        push(run);
        break;
    case HISTORY_STEP:
        check_status(run, "step", rig_step(run->rig));
        world_step(world);
        break;
    case HISTORY_TAKE:
        take(run);
        break;
    case HISTORY_BEGIN:
        check_status(run, "begin", rig_begin(run->rig));
        run->depth++;
        world_copy(history_now(run), world);
        break;
    case HISTORY_COMMIT:
        check_status(run, "commit", rig_commit(run->rig));
        run->depth--;
        world_copy(history_now(run), world);
        break;
    case HISTORY_ROLLBACK:
        check_status(run, "rollback", rig_rollback(run->rig));
        run->depth--;
        break;
    }
}

static enum history_action choose(struct history_run *run)
{
    static const enum history_action choices[] = {HISTORY_PUSH, HISTORY_PUSH, HISTORY_PUSH,
        HISTORY_STEP, HISTORY_STEP, HISTORY_STEP, HISTORY_TAKE, HISTORY_BEGIN, HISTORY_BEGIN,
        HISTORY_COMMIT, HISTORY_ROLLBACK};
    enum history_action action = choices[random_below(run->random, 11)];

    if (action == HISTORY_BEGIN && run->depth == RIG_DEPTH_MAX)
        return HISTORY_STEP;
    if (action >= HISTORY_BEGIN && !run->history->has_transactions)
        return HISTORY_PUSH;
    if ((action == HISTORY_COMMIT || action == HISTORY_ROLLBACK) && run->depth == 0)
        return HISTORY_BEGIN;
    return action;
}

void history_act_at_random(struct history_run *run, unsigned n)
{
    for (unsigned i = 0; run->complaint == NULL && i < n; i++) {
        history_act(run, choose(run));
        history_compare(run);
    }
}

void history_finish(struct history_run *run)
{
    while (run->complaint == NULL && run->depth > 0) {
        history_act(run, random_below(run->random, 2) == 0 ? HISTORY_COMMIT : HISTORY_ROLLBACK);
        history_compare(run);
    }
    for (unsigned i = 0; run->complaint == NULL && i < 2; i++) {
        push(run);
        history_act(run, HISTORY_STEP);
        history_compare(run);
        history_act(run, HISTORY_TAKE);
    }
}

void history_open(struct history_run *run, const struct history *history,
    const struct zs_alloc *alloc, struct random *random)
{
    *run = (struct history_run){.history = history, .random = random, .graph = history->graph};
    if (run->graph == NULL) {
        graph_random(&run->random_graph, 3 + random_below(random, GRAPH_NODES - 2), random);
        run->graph = &run->random_graph;
    }
    for (unsigned i = 0; i <= RIG_DEPTH_MAX; i++)
        world_init(&run->worlds[i], run->graph);
    check_status(run, "building",
        rig_new(alloc, run->graph, history->fault, history->plain_fault,
            history->has_plain_state, &run->rig));
}

void history_close(struct history_run *run)
{
    rig_free(run->rig);
    for (unsigned i = 0; i <= RIG_DEPTH_MAX; i++)
        world_clear(&run->worlds[i]);
}

const char *history_check(const void *subject, struct random *random)
{
    const struct history *history = subject;
    struct history_run run;

    history_open(&run, history, &zs_alloc_libc, random);
    history_act_at_random(&run, history->n_actions);
    history_finish(&run);
    history_close(&run);
    return run.complaint;
}
