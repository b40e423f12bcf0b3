/* delay, differentiate and integrate as nodes. They run at every tick: what they emit depends
** on the ticks before. */
#include "core/node.h"
#include "core/temporal.h"

struct delay_node {
    struct zs_node node;
    struct zs_delay delay;
};

struct integrate_node {
    struct zs_node node;
    struct zs_integral integral;
};

static struct zs_delay *delay_of(struct zs_node *node)
{
    return &((struct delay_node *)node)->delay;
}

static int eval_delay(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    return zs_delay_step(delay_of(node), tick, in[0], out);
}

static int eval_differentiate(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    return zs_differentiate_step(delay_of(node), tick, in[0], out);
}

static int eval_integrate(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    return zs_integrate_step(&((struct integrate_node *)node)->integral, tick, in[0], out);
}

static void commit_delay(struct zs_node *node, unsigned depth)
{
    zs_delay_commit(delay_of(node), depth);
}

static void roll_back_delay(struct zs_node *node, unsigned depth)
{
    zs_delay_rollback(delay_of(node), depth);
}

static void clear_delay(struct zs_node *node)
{
    zs_delay_clear(delay_of(node));
}

static const struct zs_node_methods delay_methods = {
    .eval = eval_delay,
    .commit = commit_delay,
    .rollback = roll_back_delay,
    .clear = clear_delay,
    .has_stream = true,
};

static const struct zs_node_methods differentiate_methods = {
    .eval = eval_differentiate,
    .commit = commit_delay,
    .rollback = roll_back_delay,
    .clear = clear_delay,
    .has_stream = true,
};

static const struct zs_node_methods integrate_methods = {
    .eval = eval_integrate, .has_stream = true};

static int attach_delay(struct zs_circuit *circuit, const struct zs_node_methods *methods,
    struct zs_stream in, struct zs_stream *out)
{
    const struct zs_alloc *alloc = zs_circuit_alloc(circuit);
    struct delay_node *made = zs_node_new(alloc, sizeof(*made), methods);

    *out = (struct zs_stream){0};
    if (made == NULL)
        return ZS_NOMEM;
    made->node.runs_on_nothing = true;
    if (zs_delay_init(&made->delay, alloc) != ZS_OK) {
        zs_node_free(&made->node);
        return ZS_NOMEM;
    }
    return zs_circuit_attach(circuit, &made->node, &in, 1, out);
}

int zs_circuit_delay(struct zs_circuit *circuit, struct zs_stream in, struct zs_stream *out)
{
    return attach_delay(circuit, &delay_methods, in, out);
}

int zs_circuit_differentiate(
    struct zs_circuit *circuit, struct zs_stream in, struct zs_stream *out)
{
    return attach_delay(circuit, &differentiate_methods, in, out);
}

int zs_circuit_integrate(struct zs_circuit *circuit, struct zs_stream in, struct zs_stream *out)
{
    struct integrate_node *made =
        zs_node_new(zs_circuit_alloc(circuit), sizeof(*made), &integrate_methods);
    int rc;

    *out = (struct zs_stream){0};
    if (made == NULL)
        return ZS_NOMEM;
    made->node.runs_on_nothing = true;
    rc = zs_node_keep_trace(&made->node, &made->integral.rows);
    if (rc == ZS_OK)
        rc = zs_node_keep_trace(&made->node, &made->integral.errors);
    if (rc != ZS_OK) {
        zs_node_free(&made->node);
        return rc;
    }
    return zs_circuit_attach(circuit, &made->node, &in, 1, out);
}
