/* Inputs: what has been pushed becomes the delta of the next tick; or a function is asked for
** it. */
#include "core/node.h"
#include "core/pending.h"

struct input_node {
    struct zs_node node;
    struct zs_pending pending;
};

static int eval(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    (void)in;
    return zs_pending_take(&((struct input_node *)node)->pending, tick->depth, out->rows);
}

static void commit(struct zs_node *node, unsigned depth)
{
    zs_pending_commit(&((struct input_node *)node)->pending, depth);
}

static void rollback(struct zs_node *node, unsigned depth)
{
    zs_pending_rollback(&((struct input_node *)node)->pending, depth);
}

static void clear(struct zs_node *node)
{
    zs_pending_clear(&((struct input_node *)node)->pending);
}

static const struct zs_node_methods methods = {
    .eval = eval,
    .commit = commit,
    .rollback = rollback,
    .clear = clear,
    .has_stream = true,
};

int zs_circuit_input(struct zs_circuit *circuit, struct zs_input *input, struct zs_stream *out)
{
    const struct zs_alloc *alloc = zs_circuit_alloc(circuit);
    struct input_node *made = zs_node_new(alloc, sizeof(*made), &methods);
    int rc;

    *input = (struct zs_input){0};
    *out = (struct zs_stream){0};
    if (made == NULL)
        return ZS_NOMEM;
    zs_pending_init(&made->pending, alloc);
    made->node.runs_on_nothing = true;
    rc = zs_circuit_attach(circuit, &made->node, NULL, 0, out);
    *input = (struct zs_input){out->circuit, out->node};
    return rc;
}

int zs_circuit_push(
    struct zs_circuit *circuit, struct zs_input input, const struct zs_batch *rows)
{
    struct zs_stream handle = {input.circuit, input.node};
    struct zs_node *node = NULL;
    int rc = zs_circuit_find(circuit, handle, &methods, &node);

    if (rc == ZS_OK)
        rc = zs_pending_push(
            &((struct input_node *)node)->pending, rows, zs_circuit_depth(circuit));
    return rc;
}

int zs_circuit_give(struct zs_circuit *circuit, struct zs_input input, struct zs_batch *rows)
{
    struct zs_stream handle = {input.circuit, input.node};
    struct zs_node *node = NULL;
    int rc = zs_circuit_find(circuit, handle, &methods, &node);

    if (rc == ZS_OK)
        rc = zs_pending_give(
            &((struct input_node *)node)->pending, rows, zs_circuit_depth(circuit));
    return rc;
}

struct pull_node {
    struct zs_node node;
    zs_pull_fn *fn;
    void *ctx; /* borrowed */
};

static int eval_pull(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    struct pull_node *self = (struct pull_node *)node;

    (void)in;
    (void)tick;
    return self->fn(self->ctx, out);
}

static const struct zs_node_methods pull_methods = {.eval = eval_pull, .has_stream = true};

int zs_circuit_pull(
    struct zs_circuit *circuit, zs_pull_fn *fn, void *ctx, struct zs_stream *out)
{
    struct pull_node *made =
        zs_node_new(zs_circuit_alloc(circuit), sizeof(*made), &pull_methods);

    *out = (struct zs_stream){0};
    if (made == NULL)
        return ZS_NOMEM;
    made->fn = fn;
    made->ctx = ctx;
    made->node.runs_on_nothing = true;
    return zs_circuit_attach(circuit, &made->node, NULL, 0, out);
}
