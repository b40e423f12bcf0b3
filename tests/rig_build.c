/* The real circuit of a graph: the functions of its variants, and its nodes in order. */
#include "tests/rig.h"

#include <stdlib.h>

/* The user's functions. */

static int count_callback(struct rig *rig)
{
    rig->n_callbacks++;
    return rig->callbacks_until_failure > 0 && --rig->callbacks_until_failure == 0 ? ZS_CALLBACK
                                                                                   : ZS_OK;
}

static int append(struct zs_buffer *buffer, const struct model_bytes *bytes)
{
    return zs_buffer_append(buffer, bytes->data, bytes->len);
}

static int map(
    void *ctx, const struct zs_item *item, struct zs_buffer *key, struct zs_buffer *value)
{
    struct rig_function *function = ctx;
    struct model_bytes old_key = model_bytes(item->key);
    struct model_bytes old_value = model_bytes(item->value);
    struct model_bytes new_key;
    struct model_bytes new_value;
    int rc = count_callback(function->rig);

    graph_map(function->node->variant, &old_key, &old_value, &new_key, &new_value);
    if (rc == ZS_OK)
        rc = append(key, &new_key);
    if (rc == ZS_OK)
        rc = append(value, &new_value);
    return rc;
}

static int filter(void *ctx, const struct zs_item *item, bool *keep)
{
    struct rig_function *function = ctx;
    struct model_bytes key = model_bytes(item->key);
    struct model_bytes value = model_bytes(item->value);

    *keep = graph_keeps(function->node->variant, &key, &value);
    return count_callback(function->rig);
}

static int index_by(void *ctx, const struct zs_item *item, struct zs_buffer *key)
{
    struct rig_function *function = ctx;
    struct model_bytes old_key = model_bytes(item->key);
    struct model_bytes value = model_bytes(item->value);
    struct model_bytes new_key;
    int rc = count_callback(function->rig);

    graph_key(function->node->variant, &old_key, &value, &new_key);
    return rc == ZS_OK ? append(key, &new_key) : rc;
}

static int add_images(
    unsigned variant, const struct zs_item *item, int64_t weight, struct zs_delta *out)
{
    struct model_element element = {model_bytes(item->key), model_bytes(item->value), weight};
    struct graph_image images[2];
    unsigned n = graph_images(variant, &element, images);
    int rc = ZS_OK;

    for (unsigned k = 0; rc == ZS_OK && k < n; k++)
        rc = zs_batch_add(images[k].is_error ? out->errors : out->rows,
            model_as_bytes(&images[k].element.key), model_as_bytes(&images[k].element.value),
            images[k].element.weight);
    return rc;
}

static int linear(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct rig_function *function = ctx;
    int rc = count_callback(function->rig);

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(in); i++) {
        const struct zs_item *item = &zs_batch_items(in)[i];
        rc = add_images(function->node->variant, item, item->weight, out);
    }
    return rc;
}

static int flat_map(void *ctx, const struct zs_item *item, struct zs_delta *images)
{
    struct rig_function *function = ctx;
    int rc = count_callback(function->rig);

    return rc == ZS_OK ? add_images(function->node->variant, item, 1, images) : rc;
}

static int join(void *ctx, struct zs_bytes key, struct zs_bytes left, struct zs_bytes right,
    struct zs_buffer *out_key, struct zs_buffer *out_value)
{
    struct rig_function *function = ctx;
    struct model_bytes from[3] = {model_bytes(key), model_bytes(left), model_bytes(right)};
    struct model_bytes to[2];
    int rc = count_callback(function->rig);

    graph_pair(function->node->variant, &from[0], &from[1], &from[2], &to[0], &to[1]);
    if (rc == ZS_OK)
        rc = append(out_key, &to[0]);
    return rc == ZS_OK ? append(out_value, &to[1]) : rc;
}

static int change(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    const struct zs_item *items, size_t n, struct zs_trace *multiset,
    struct zs_buffer *new_state)
{
    const struct rig_fold *self = (const struct rig_fold *)fold;
    int rc = count_callback(self->rig);

    return rc != ZS_OK
               ? rc
               : self->real->change(self->real, key, state, items, n, multiset, new_state);
}

static int read(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    struct zs_buffer *result, enum zs_reading *reading)
{
    const struct rig_fold *self = (const struct rig_fold *)fold;
    int rc = count_callback(self->rig);

    return rc != ZS_OK ? rc : self->real->read(self->real, key, state, result, reading);
}

/* Building. */

struct builder {
    struct rig *rig;
    const struct zs_alloc *alloc;
    bool has_plain_state;
};

static int give_trace(const struct builder *builder, struct zs_trace **trace)
{
    if (!builder->has_plain_state)
        return zs_memory_trace_new(builder->alloc, trace);
    *trace = plain_trace_new(&builder->rig->control);
    return ZS_OK;
}

static int give_cells(const struct builder *builder, struct zs_cells **cells)
{
    if (!builder->has_plain_state)
        return zs_memory_cells_new(builder->alloc, cells);
    *cells = plain_cells_new(&builder->rig->control);
    return ZS_OK;
}

static int add_distinct(const struct builder *builder, unsigned i, struct zs_stream in)
{
    struct rig *rig = builder->rig;
    int rc = ZS_OK;

    if (rig->graph->nodes[i].has_given_state)
        rc = give_trace(builder, &rig->given_traces[i]);
    if (rc == ZS_OK)
        rc = zs_circuit_distinct(rig->circuit, in, rig->given_traces[i], &rig->streams[i]);
    return rc;
}

static int add_top(const struct builder *builder, unsigned i, struct zs_stream in)
{
    struct rig *rig = builder->rig;
    unsigned variant = rig->graph->nodes[i].variant;
    int rc = ZS_OK;

    if (rig->graph->nodes[i].has_given_state)
        rc = give_trace(builder, &rig->given_traces[i]);
    if (rc == ZS_OK)
        rc = zs_circuit_top(rig->circuit, in, graph_offset(variant), graph_limit(variant),
            rig->given_traces[i], NULL, &rig->streams[i]);
    return rc;
}

static int add_aggregate(const struct builder *builder, unsigned i, struct zs_stream in)
{
    struct rig *rig = builder->rig;
    const struct zs_fold *real = graph_fold(rig->graph->nodes[i].variant);
    int rc = ZS_OK;

    rig->folds[i] = (struct rig_fold){
        {.change = change, .read = read, .is_global = real->is_global}, real, rig};
    if (rig->graph->nodes[i].has_given_state) {
        rc = give_cells(builder, &rig->given_cells[i]);
        if (rc == ZS_OK)
            rc = give_trace(builder, &rig->given_traces[i]);
    }
    if (rc == ZS_OK)
        rc = zs_circuit_aggregate(rig->circuit, in, &rig->folds[i].fold, rig->given_cells[i],
            rig->given_traces[i], &rig->streams[i]);
    return rc;
}

static int add_join(
    const struct builder *builder, unsigned i, struct zs_stream left, struct zs_stream right)
{
    struct rig *rig = builder->rig;
    bool has_given_left = rig->graph->nodes[i].has_given_state;
    bool has_given_right = rig->graph->nodes[i].variant < 6;
    int rc = has_given_left ? give_trace(builder, &rig->given_traces[i]) : ZS_OK;

    if (rc == ZS_OK && has_given_right)
        rc = give_trace(builder, &rig->given_right[i]);
    if (rc == ZS_OK)
        rc = zs_circuit_join(rig->circuit, left, right, join, &rig->functions[i],
            rig->given_traces[i], rig->given_right[i], &rig->streams[i]);
    return rc;
}

static int add_node(const struct builder *builder, unsigned i)
{
    struct rig *rig = builder->rig;
    const struct graph_node *node = &rig->graph->nodes[i];
    struct rig_function *function = &rig->functions[i];
    struct zs_stream in = rig->streams[node->in[0]];
    struct zs_stream *out = &rig->streams[i];

    *function = (struct rig_function){rig, node};
    switch (node->kind) {
    case GRAPH_INPUT:
        return zs_circuit_input(rig->circuit, &rig->inputs[i], out);
    case GRAPH_MAP:
        return zs_circuit_map(rig->circuit, in, map, function, out);
    case GRAPH_FILTER:
        return zs_circuit_filter(rig->circuit, in, filter, function, out);
    case GRAPH_INDEX_BY:
        return zs_circuit_index_by(rig->circuit, in, index_by, function, out);
    case GRAPH_LINEAR:
        return zs_circuit_linear(rig->circuit, in, linear, function, out);
    case GRAPH_PLUS:
        return zs_circuit_plus(rig->circuit, in, rig->streams[node->in[1]], out);
    case GRAPH_FLAT_MAP:
        return zs_circuit_flat_map(rig->circuit, in, flat_map, function, out);
    case GRAPH_NEGATE:
        return zs_circuit_negate(rig->circuit, in, out);
    case GRAPH_DELAY:
        return zs_circuit_delay(rig->circuit, in, out);
    case GRAPH_INTEGRATE:
        return zs_circuit_integrate(rig->circuit, in, out);
    case GRAPH_DIFFERENTIATE:
        return zs_circuit_differentiate(rig->circuit, in, out);
    case GRAPH_JOIN:
        return add_join(builder, i, in, rig->streams[node->in[1]]);
    case GRAPH_DISTINCT:
        return add_distinct(builder, i, in);
    case GRAPH_TOP:
        return add_top(builder, i, in);
    case GRAPH_AGGREGATE:
        return add_aggregate(builder, i, in);
    default:
        abort();
    }
}

static int add_ends(const struct builder *builder, unsigned i)
{
    struct rig *rig = builder->rig;
    int rc = ZS_OK;

    if (rig->graph->nodes[i].is_output)
        rc = zs_circuit_output(rig->circuit, rig->streams[i], &rig->outputs[i]);
    if (rc != ZS_OK || !rig->graph->nodes[i].is_stored)
        return rc;
    rc = give_trace(builder, &rig->stored_rows[i]);
    if (rc == ZS_OK)
        rc = give_trace(builder, &rig->stored_errors[i]);
    if (rc == ZS_OK)
        rc = zs_circuit_store(
            rig->circuit, rig->streams[i], rig->stored_rows[i], rig->stored_errors[i]);
    return rc;
}

int rig_new(const struct zs_alloc *alloc, const struct graph *graph, enum rig_fault fault,
    enum plain_fault plain_fault, bool has_plain_state, struct rig **rig)
{
    struct builder builder = {calloc(1, sizeof(**rig)), alloc, has_plain_state};
    int rc;

    if (builder.rig == NULL)
        abort();
    *rig = builder.rig;
    (*rig)->graph = graph;
    (*rig)->alloc = alloc;
    (*rig)->fault = fault;
    (*rig)->control.fault = plain_fault;
    rc = zs_circuit_new(alloc, &(*rig)->circuit);
    for (unsigned i = 0; rc == ZS_OK && i < graph->n; i++) {
        rc = add_node(&builder, i);
        if (rc == ZS_OK)
            rc = add_ends(&builder, i);
    }
    return rc;
}
