/* The calls of a circuit, and the faults that stand between it and the checker. */
#include "tests/rig.h"

#include <stdlib.h>

void rig_free(struct rig *rig)
{
    if (rig == NULL)
        return;
    zs_circuit_free(rig->circuit);
    for (unsigned i = 0; i < GRAPH_NODES; i++) {
        zs_trace_free(rig->given_traces[i]);
        zs_trace_free(rig->given_right[i]);
        zs_cells_free(rig->given_cells[i]);
        zs_trace_free(rig->stored_rows[i]);
        zs_trace_free(rig->stored_errors[i]);
        model_delta_clear(&rig->shown[i]);
        model_delta_clear(&rig->excess[i]);
        model_clear(&rig->kept_pushes[i]);
    }
    free(rig);
}

/* A copy of the circuit's own to move from. */
static int give(struct rig *rig, unsigned input, const struct zs_batch *rows)
{
    struct zs_batch *copy = NULL;
    int rc = zs_batch_new(rig->alloc, &copy);

    if (rc == ZS_OK)
        rc = zs_batch_add_all(copy, rows, 1);
    if (rc == ZS_OK)
        rc = zs_circuit_give(rig->circuit, rig->inputs[input], copy);
    if (rc == ZS_OK && zs_batch_len(copy) > 0)
        rc = ZS_MISUSE;
    zs_batch_free(copy);
    return rc;
}

int rig_push(struct rig *rig, unsigned input, const struct zs_batch *rows)
{
    if (rig->fault == RIG_KEEPS_PUSHES && zs_circuit_depth(rig->circuit) > 0)
        model_add_batch(&rig->kept_pushes[input], rows, 1);
    return ++rig->n_pushes % 2 == 0 ? give(rig, input, rows)
                                    : zs_circuit_push(rig->circuit, rig->inputs[input], rows);
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
