/* distinct and aggregate as nodes: the operators, and the members that are their state. */
#include "core/aggregate.h"
#include "core/distinct.h"
#include "core/node.h"

struct distinct_node {
    struct zs_node node;
    struct zs_distinct distinct;
};

struct aggregate_node {
    struct zs_node node;
    struct zs_aggregate aggregate;
};

static int eval_distinct(struct zs_node *node, const struct zs_delta *const *in, unsigned depth,
    struct zs_delta *out)
{
    (void)depth;
    return zs_distinct_step(&((struct distinct_node *)node)->distinct, in[0], out);
}

static int eval_aggregate(struct zs_node *node, const struct zs_delta *const *in,
    unsigned depth, struct zs_delta *out)
{
    (void)depth;
    return zs_aggregate_step(&((struct aggregate_node *)node)->aggregate, in[0], out);
}

static const struct zs_node_methods distinct_methods = {
    .eval = eval_distinct, .has_stream = true};
static const struct zs_node_methods aggregate_methods = {
    .eval = eval_aggregate, .has_stream = true};

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
    made->aggregate = (struct zs_aggregate){alloc, fold, states, multiset};
    made->node.runs_on_nothing = fold->is_global;
    rc = keep_groups(&made->node, &made->aggregate);
    if (rc != ZS_OK) {
        zs_node_free(&made->node);
        return rc;
    }
    return zs_circuit_attach(circuit, &made->node, &in, 1, out);
}
