/* The real circuit of a graph, and the faults that stand between it and the checker. */
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

static int linear(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct rig_function *function = ctx;
    int rc = count_callback(function->rig);

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(in); i++) {
        const struct zs_item *item = &zs_batch_items(in)[i];
        struct model_element element = {
            model_bytes(item->key), model_bytes(item->value), item->weight};
        struct graph_image images[2];
        unsigned n = graph_images(function->node->variant, &element, images);
        for (unsigned k = 0; rc == ZS_OK && k < n; k++)
            rc = zs_batch_add(images[k].is_error ? out->errors : out->rows,
                model_as_bytes(&images[k].element.key),
                model_as_bytes(&images[k].element.value), images[k].element.weight);
    }
    return rc;
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

static int add_aggregate(const struct builder *builder, unsigned i, struct zs_stream in)
{
    struct rig *rig = builder->rig;
    const struct zs_fold *real = graph_fold(rig->graph->nodes[i].variant);
    int rc = ZS_OK;

    rig->folds[i] = (struct rig_fold){{change, read, real->is_global}, real, rig};
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
    case GRAPH_DISTINCT:
        return add_distinct(builder, i, in);
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

void rig_free(struct rig *rig)
{
    if (rig == NULL)
        return;
    zs_circuit_free(rig->circuit);
    for (unsigned i = 0; i < GRAPH_NODES; i++) {
        zs_trace_free(rig->given_traces[i]);
        zs_cells_free(rig->given_cells[i]);
        zs_trace_free(rig->stored_rows[i]);
        zs_trace_free(rig->stored_errors[i]);
        model_delta_clear(&rig->shown[i]);
        model_delta_clear(&rig->excess[i]);
        model_clear(&rig->kept_pushes[i]);
    }
    free(rig);
}

/* Running. */

int rig_push(struct rig *rig, unsigned input, const struct zs_batch *rows)
{
    if (rig->fault == RIG_KEEPS_PUSHES && zs_circuit_depth(rig->circuit) > 0)
        model_add_batch(&rig->kept_pushes[input], rows, 1);
    return zs_circuit_push(rig->circuit, rig->inputs[input], rows);
}

int rig_step(struct rig *rig)
{
    for (unsigned i = 0; i < rig->graph->n; i++)
        model_clear(&rig->kept_pushes[i]);
    rig->is_showing = false;
    return zs_circuit_step(rig->circuit);
}

int rig_begin(struct rig *rig)
{
    return zs_circuit_begin(rig->circuit);
}

int rig_commit(struct rig *rig)
{
    return zs_circuit_commit(rig->circuit);
}

/* Remembers what the streams show, for the faults that do not let go of it. */
static int keep_streams(struct rig *rig)
{
    int rc = ZS_OK;

    for (unsigned i = 0; rc == ZS_OK && i < rig->graph->n; i++) {
        const struct zs_delta *delta;
        rc = zs_circuit_current(rig->circuit, rig->streams[i], &delta);
        if (rc == ZS_OK) {
            model_delta_clear(&rig->shown[i]);
            model_delta_add(&rig->shown[i], delta, 1);
            if (rig->fault == RIG_KEEPS_SINKS)
                model_delta_add(&rig->excess[i], delta, 1);
        }
    }
    rig->is_showing = rig->fault == RIG_KEEPS_STREAMS;
    return rc;
}

static int push_again(struct rig *rig)
{
    int rc = ZS_OK;

    for (unsigned i = 0; rc == ZS_OK && i < rig->graph->n; i++) {
        struct zs_batch *rows = NULL;
        if (rig->graph->nodes[i].kind != GRAPH_INPUT)
            continue;
        rc = zs_batch_new(&zs_alloc_libc, &rows);
        if (rc == ZS_OK)
            rc = model_to_batch(&rig->kept_pushes[i], rows);
        if (rc == ZS_OK)
            rc = zs_circuit_push(rig->circuit, rig->inputs[i], rows);
        zs_batch_free(rows);
    }
    return rc;
}

int rig_rollback(struct rig *rig)
{
    uint64_t ticks = zs_circuit_ticks(rig->circuit);
    int rc = ZS_OK;

    if (rig->fault == RIG_KEEPS_SINKS || rig->fault == RIG_KEEPS_STREAMS)
        rc = keep_streams(rig);
    if (rc != ZS_OK)
        return rc;
    rc = zs_circuit_rollback(rig->circuit);
    if (rig->fault == RIG_KEEPS_TICKS)
        rig->excess_ticks += ticks - zs_circuit_ticks(rig->circuit);
    if (rc == ZS_OK && rig->fault == RIG_KEEPS_PUSHES)
        rc = push_again(rig);
    return rc;
}

int rig_take(struct rig *rig, unsigned node, struct model_delta *sum)
{
    struct zs_delta out = {0};
    int rc = zs_delta_init(&out, &zs_alloc_libc);

    if (rc == ZS_OK)
        rc = zs_circuit_take(rig->circuit, rig->outputs[node], &out);
    if (rc == ZS_OK) {
        model_delta_add(sum, &out, 1);
        model_delta_add_all(sum, &rig->excess[node], 1);
        model_delta_clear(&rig->excess[node]);
        if (rig->fault == RIG_TAKES_TWICE)
            model_delta_copy(&rig->excess[node], sum);
    }
    zs_delta_clear(&out);
    return rc;
}

/* Is the batch canonical, as the rig shows it? */
static bool is_canonical_batch(const struct rig *rig, const struct zs_batch *batch)
{
    return zs_batch_is_consolidated(batch) && model_is_canonical(batch) &&
           !(rig->fault == RIG_SCATTERS && zs_batch_len(batch) > 0);
}

int rig_current(struct rig *rig, unsigned node, struct model_delta *delta, bool *is_canonical)
{
    const struct zs_delta *real;
    int rc = zs_circuit_current(rig->circuit, rig->streams[node], &real);

    if (rc != ZS_OK)
        return rc;
    *is_canonical =
        is_canonical_batch(rig, real->rows) && is_canonical_batch(rig, real->errors);
    if (rig->is_showing)
        model_delta_add_all(delta, &rig->shown[node], 1);
    else
        model_delta_add(delta, real,
            rig->fault == RIG_NEGATES && rig->graph->nodes[node].kind != GRAPH_INPUT ? -1 : 1);
    if (rig->fault == RIG_DROPS_ERRORS)
        model_clear(&delta->errors);
    return ZS_OK;
}

int rig_stored(struct rig *rig, unsigned node, struct model_delta *stored)
{
    struct zs_delta out = {0};
    int rc = zs_delta_init(&out, &zs_alloc_libc);

    if (rc == ZS_OK)
        rc = zs_trace_range(rig->stored_rows[node], zs_span_all(), 0, out.rows);
    if (rc == ZS_OK)
        rc = zs_trace_range(rig->stored_errors[node], zs_span_all(), 0, out.errors);
    if (rc == ZS_OK)
        model_delta_add(stored, &out, 1);
    zs_delta_clear(&out);
    return rc;
}

uint64_t rig_ticks(const struct rig *rig)
{
    return rig->fault == RIG_STANDS_STILL ? 0
                                          : zs_circuit_ticks(rig->circuit) + rig->excess_ticks;
}
