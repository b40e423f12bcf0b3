/* The linear operators as nodes: each holds a function of the user's and no state. */
#include "core/linear.h"
#include "core/node.h"

struct linear_node {
    struct zs_node node;
    union {
        zs_linear_fn *linear;
        zs_map_fn *map;
        zs_flat_map_fn *flat_map;
        zs_filter_fn *filter;
        zs_key_fn *key;
    };
    void *ctx; /* borrowed */
};

static int eval_linear(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    struct linear_node *self = (struct linear_node *)node;
    (void)tick;
    return zs_delta_linear(self->linear, self->ctx, in[0], out);
}

static int eval_map(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    struct linear_node *self = (struct linear_node *)node;
    (void)tick;
    return zs_delta_map(node->alloc, self->map, self->ctx, in[0], out);
}

static int eval_flat_map(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    struct linear_node *self = (struct linear_node *)node;
    (void)tick;
    return zs_delta_flat_map(node->alloc, self->flat_map, self->ctx, in[0], out);
}

static int eval_filter(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    struct linear_node *self = (struct linear_node *)node;
    (void)tick;
    return zs_delta_filter(self->filter, self->ctx, in[0], out);
}

static int eval_index_by(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    struct linear_node *self = (struct linear_node *)node;
    (void)tick;
    return zs_delta_index_by(node->alloc, self->key, self->ctx, in[0], out);
}

static int eval_plus(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    (void)node;
    (void)tick;
    return zs_delta_plus(in[0], in[1], out);
}

static int eval_negate(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    (void)node;
    (void)tick;
    return zs_delta_negate(in[0], out);
}

static const struct zs_node_methods linear_methods = {.eval = eval_linear, .has_stream = true};
static const struct zs_node_methods map_methods = {.eval = eval_map, .has_stream = true};
static const struct zs_node_methods flat_map_methods = {
    .eval = eval_flat_map, .has_stream = true};
static const struct zs_node_methods filter_methods = {.eval = eval_filter, .has_stream = true};
static const struct zs_node_methods index_by_methods = {
    .eval = eval_index_by, .has_stream = true};
static const struct zs_node_methods plus_methods = {.eval = eval_plus, .has_stream = true};
static const struct zs_node_methods negate_methods = {.eval = eval_negate, .has_stream = true};

/* The node's function is still to be set. */
static int attach(struct zs_circuit *circuit, const struct zs_node_methods *methods, void *ctx,
    struct zs_stream in, struct zs_stream *out, struct linear_node **made)
{
    *out = (struct zs_stream){0};
    *made = zs_node_new(zs_circuit_alloc(circuit), sizeof(**made), methods);
    if (*made == NULL)
        return ZS_NOMEM;
    (*made)->ctx = ctx;
    return zs_circuit_attach(circuit, &(*made)->node, &in, 1, out);
}

int zs_circuit_linear(struct zs_circuit *circuit, struct zs_stream in, zs_linear_fn *fn,
    void *ctx, struct zs_stream *out)
{
    struct linear_node *made;
    int rc = attach(circuit, &linear_methods, ctx, in, out, &made);
    if (rc == ZS_OK)
        made->linear = fn;
    return rc;
}

int zs_circuit_map(struct zs_circuit *circuit, struct zs_stream in, zs_map_fn *fn, void *ctx,
    struct zs_stream *out)
{
    struct linear_node *made;
    int rc = attach(circuit, &map_methods, ctx, in, out, &made);
    if (rc == ZS_OK)
        made->map = fn;
    return rc;
}

int zs_circuit_flat_map(struct zs_circuit *circuit, struct zs_stream in, zs_flat_map_fn *fn,
    void *ctx, struct zs_stream *out)
{
    struct linear_node *made;
    int rc = attach(circuit, &flat_map_methods, ctx, in, out, &made);
    if (rc == ZS_OK)
        made->flat_map = fn;
    return rc;
}

int zs_circuit_filter(struct zs_circuit *circuit, struct zs_stream in, zs_filter_fn *fn,
    void *ctx, struct zs_stream *out)
{
    struct linear_node *made;
    int rc = attach(circuit, &filter_methods, ctx, in, out, &made);
    if (rc == ZS_OK)
        made->filter = fn;
    return rc;
}

int zs_circuit_index_by(struct zs_circuit *circuit, struct zs_stream in, zs_key_fn *fn,
    void *ctx, struct zs_stream *out)
{
    struct linear_node *made;
    int rc = attach(circuit, &index_by_methods, ctx, in, out, &made);
    if (rc == ZS_OK)
        made->key = fn;
    return rc;
}

int zs_circuit_plus(
    struct zs_circuit *circuit, struct zs_stream a, struct zs_stream b, struct zs_stream *out)
{
    const struct zs_stream in[2] = {a, b};
    struct zs_node *made = zs_node_new(zs_circuit_alloc(circuit), sizeof(*made), &plus_methods);

    *out = (struct zs_stream){0};
    if (made == NULL)
        return ZS_NOMEM;
    return zs_circuit_attach(circuit, made, in, 2, out);
}

int zs_circuit_negate(struct zs_circuit *circuit, struct zs_stream in, struct zs_stream *out)
{
    struct linear_node *made;
    return attach(circuit, &negate_methods, NULL, in, out, &made);
}
