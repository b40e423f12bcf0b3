/* distinct, top, aggregate and join as nodes: the operators, and the members that are their
** state. */
#include "core/aggregate.h"
#include "core/distinct.h"
#include "core/join.h"
#include "core/node.h"
#include "core/top.h"

struct distinct_node {
    struct zs_node node;
    struct zs_distinct distinct;
};

struct top_node {
    struct zs_node node;
    struct zs_top top;
};

struct aggregate_node {
    struct zs_node node;
    struct zs_aggregate aggregate;
    struct zs_aggregate_scratch scratch;
};

struct join_node {
    struct zs_node node;
    struct zs_join join;
};

static int eval_distinct(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    (void)tick;
    return zs_distinct_step(&((struct distinct_node *)node)->distinct, in[0], out);
}

static int eval_top(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    (void)tick;
    return zs_top_step(&((struct top_node *)node)->top, in[0], out);
}

static int eval_aggregate(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    (void)tick;
    return zs_aggregate_step(&((struct aggregate_node *)node)->aggregate, in[0], out);
}

static void clear_aggregate(struct zs_node *node)
{
    zs_aggregate_scratch_clear(&((struct aggregate_node *)node)->scratch);
}

static int eval_join(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    (void)tick;
    return zs_join_step(&((struct join_node *)node)->join, in[0], in[1], out);
}

static const struct zs_node_methods distinct_methods = {
    .eval = eval_distinct, .has_stream = true};
static const struct zs_node_methods top_methods = {.eval = eval_top, .has_stream = true};
static const struct zs_node_methods aggregate_methods = {
    .eval = eval_aggregate, .clear = clear_aggregate, .has_stream = true};
static const struct zs_node_methods join_methods = {.eval = eval_join, .has_stream = true};

int zs_circuit_distinct(struct zs_circuit *circuit, struct zs_stream in, struct zs_trace *trace,
    struct zs_stream *out)
{
    const struct zs_alloc *alloc = zs_circuit_alloc(circuit);
    struct distinct_node *made = zs_node_new(alloc, sizeof(*made), &distinct_methods);
    int rc;

    *out = (struct zs_stream){0};
    if (made == NULL)
        return ZS_NOMEM;
    rc = zs_node_keep_trace(&made->node, &trace);
    if (rc != ZS_OK) {
        zs_node_free(&made->node);
        return rc;
    }
    made->distinct = (struct zs_distinct){alloc, trace};
    return zs_circuit_attach(circuit, &made->node, &in, 1, out);
}

int zs_circuit_top(struct zs_circuit *circuit, struct zs_stream in, int64_t offset,
    int64_t limit, struct zs_trace *trace, struct zs_cells *floor, struct zs_stream *out)
{
    const struct zs_alloc *alloc = zs_circuit_alloc(circuit);
    struct top_node *made;
    int rc;

    *out = (struct zs_stream){0};
    if (offset < 0)
        return ZS_MISUSE;
    made = zs_node_new(alloc, sizeof(*made), &top_methods);
    if (made == NULL)
        return ZS_NOMEM;
    rc = zs_node_keep_trace(&made->node, &trace);
    if (rc != ZS_OK) {
        zs_node_free(&made->node);
        return rc;
    }
    made->top = (struct zs_top){alloc, trace, offset, limit, floor};
    return zs_circuit_attach(circuit, &made->node, &in, 1, out);
}

/* States that the caller keeps go with a multiset that the caller keeps, or with none. */
static int keep_groups(struct zs_node *node, struct zs_aggregate *aggregate)
{
    bool is_in_memory = aggregate->states == NULL;
    int rc = zs_node_keep_cells(node, &aggregate->states);

    if (rc == ZS_OK && (is_in_memory || aggregate->multiset != NULL))
        rc = zs_node_keep_trace(node, &aggregate->multiset);
    return rc;
}

int zs_circuit_aggregate(struct zs_circuit *circuit, struct zs_stream in,
    const struct zs_fold *fold, struct zs_cells *states, struct zs_trace *multiset,
    struct zs_stream *out)
{
    const struct zs_alloc *alloc = zs_circuit_alloc(circuit);
    struct aggregate_node *made = zs_node_new(alloc, sizeof(*made), &aggregate_methods);
    int rc;

    *out = (struct zs_stream){0};
    if (made == NULL)
        return ZS_NOMEM;
    zs_aggregate_scratch_init(&made->scratch, alloc);
    made->aggregate = (struct zs_aggregate){alloc, fold, states, multiset, &made->scratch};
    made->node.runs_on_nothing = fold->is_global;
    rc = keep_groups(&made->node, &made->aggregate);
    if (rc != ZS_OK) {
        zs_node_free(&made->node);
        return rc;
    }
    return zs_circuit_attach(circuit, &made->node, &in, 1, out);
}

int zs_circuit_join(struct zs_circuit *circuit, struct zs_stream left, struct zs_stream right,
    zs_join_fn *fn, void *ctx, struct zs_trace *left_trace, struct zs_trace *right_trace,
    struct zs_stream *out)
{
    const struct zs_stream in[2] = {left, right};
    const struct zs_alloc *alloc = zs_circuit_alloc(circuit);
    struct join_node *made = zs_node_new(alloc, sizeof(*made), &join_methods);
    bool is_shared = left_trace != NULL && left_trace == right_trace;
    int rc;

    *out = (struct zs_stream){0};
    if (made == NULL)
        return ZS_NOMEM;
    made->join = (struct zs_join){alloc, fn, ctx, left_trace, right_trace};
    rc = is_shared ? ZS_MISUSE : zs_node_keep_trace(&made->node, &made->join.left);
    if (rc == ZS_OK)
        rc = zs_node_keep_trace(&made->node, &made->join.right);
    if (rc != ZS_OK) {
        zs_node_free(&made->node);
        return rc;
    }
    return zs_circuit_attach(circuit, &made->node, in, 2, out);
}
