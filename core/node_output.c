/* Where deltas leave the circuit: stores, which integrate into traces of the caller's, and
** outputs, which integrate into traces of their own until they are taken. */
#include "core/integral.h"
#include "core/node.h"

struct sink_node {
    struct zs_node node;
    struct zs_integral sum;
};

static int eval(struct zs_node *node, const struct zs_delta *const *in,
    const struct zs_tick *tick, struct zs_delta *out)
{
    (void)tick;
    (void)out;
    return zs_integral_add(&((struct sink_node *)node)->sum, in[0]);
}

static const struct zs_node_methods store_methods = {.eval = eval};
static const struct zs_node_methods output_methods = {.eval = eval};

int zs_circuit_store(struct zs_circuit *circuit, struct zs_stream in, struct zs_trace *rows,
    struct zs_trace *errors)
{
    struct sink_node *made =
        zs_node_new(zs_circuit_alloc(circuit), sizeof(*made), &store_methods);
    int rc;

    if (made == NULL)
        return ZS_NOMEM;
    made->sum = (struct zs_integral){rows, errors};
    rc = zs_node_keep_trace(&made->node, &made->sum.rows);
    if (rc == ZS_OK && errors != NULL)
        rc = zs_node_keep_trace(&made->node, &made->sum.errors);
    if (rc != ZS_OK) {
        zs_node_free(&made->node);
        return rc;
    }
    return zs_circuit_attach(circuit, &made->node, &in, 1, NULL);
}

int zs_circuit_output(struct zs_circuit *circuit, struct zs_stream in, struct zs_output *output)
{
    struct sink_node *made =
        zs_node_new(zs_circuit_alloc(circuit), sizeof(*made), &output_methods);
    struct zs_stream handle = {0};
    int rc;

    *output = (struct zs_output){0};
    if (made == NULL)
        return ZS_NOMEM;
    rc = zs_node_keep_trace(&made->node, &made->sum.rows);
    if (rc == ZS_OK)
        rc = zs_node_keep_trace(&made->node, &made->sum.errors);
    if (rc != ZS_OK) {
        zs_node_free(&made->node);
        return rc;
    }
    rc = zs_circuit_attach(circuit, &made->node, &in, 1, &handle);
    *output = (struct zs_output){handle.circuit, handle.node};
    return rc;
}

/* Adds both traces to out, or neither. */
static int read_sum(const struct sink_node *sink, struct zs_delta *out)
{
    struct zs_delta sum = {0};
    int rc = zs_delta_init(&sum, sink->node.alloc);

    if (rc == ZS_OK)
        rc = zs_integral_read(&sink->sum, &sum);
    if (rc == ZS_OK)
        rc = zs_delta_add_all(out, &sum, 1);
    zs_delta_clear(&sum);
    return rc;
}

/* Emptying the traces element by element could fail half way: new ones take their places. */
static int take(struct sink_node *sink, struct zs_delta *out)
{
    struct zs_trace *rows = NULL;
    struct zs_trace *errors = NULL;
    int rc = zs_memory_trace_new(sink->node.alloc, &rows);

    if (rc == ZS_OK)
        rc = zs_memory_trace_new(sink->node.alloc, &errors);
    if (rc == ZS_OK)
        rc = read_sum(sink, out);
    if (rc != ZS_OK) {
        zs_trace_free(rows);
        zs_trace_free(errors);
        return rc;
    }
    zs_trace_free(sink->sum.rows);
    zs_trace_free(sink->sum.errors);
    sink->sum.rows = sink->node.members[0].trace = rows;
    sink->sum.errors = sink->node.members[1].trace = errors;
    return ZS_OK;
}

int zs_circuit_take(struct zs_circuit *circuit, struct zs_output output, struct zs_delta *out)
{
    struct zs_stream handle = {output.circuit, output.node};
    struct zs_node *node = NULL;
    int rc = zs_circuit_find(circuit, handle, &output_methods, &node);

    if (rc == ZS_OK && zs_circuit_depth(circuit) > 0)
        rc = ZS_MISUSE;
    return rc == ZS_OK ? take((struct sink_node *)node, out) : rc;
}
