/* A stream's delta and its undo record: a stack of deltas, at most one a transaction, since
** only the one that held at the begin can ever be wanted again. */
#include "core/edge.h"

int zs_edge_init(struct zs_edge *edge, const struct zs_alloc *alloc)
{
    *edge = (struct zs_edge){.alloc = alloc};
    return zs_delta_init(&edge->now, alloc);
}

void zs_edge_clear(struct zs_edge *edge)
{
    for (size_t i = 0; i < edge->n_past; i++)
        zs_delta_clear(&edge->past[i].delta);
    if (edge->past != NULL)
        zs_alloc_free(edge->alloc, edge->past);
    zs_delta_clear(&edge->now);
    *edge = (struct zs_edge){.alloc = edge->alloc};
}

bool zs_edge_is_empty(const struct zs_edge *edge)
{
    return zs_batch_len(edge->now.rows) == 0 && zs_batch_len(edge->now.errors) == 0;
}

static bool is_past_of(const struct zs_edge *edge, unsigned depth)
{
    return edge->n_past > 0 && edge->past[edge->n_past - 1].depth == depth;
}

static int move_aside(struct zs_edge *edge, unsigned depth)
{
    struct zs_delta fresh;
    int rc = zs_alloc_reserve(
        edge->alloc, &edge->past, &edge->cap_past, edge->n_past + 1, sizeof(*edge->past));

    if (rc == ZS_OK)
        rc = zs_delta_init(&fresh, edge->alloc);
    if (rc != ZS_OK)
        return rc;
    edge->past[edge->n_past++] = (struct zs_edge_past){depth, edge->now};
    edge->now = fresh;
    return ZS_OK;
}

int zs_edge_renew(struct zs_edge *edge, unsigned depth)
{
    if (depth > 0 && !is_past_of(edge, depth))
        return move_aside(edge, depth);
    zs_delta_reset(&edge->now);
    return ZS_OK;
}

void zs_edge_commit(struct zs_edge *edge, unsigned depth)
{
    struct zs_edge_past *last;

    if (!is_past_of(edge, depth))
        return;
    last = &edge->past[edge->n_past - 1];
    if (depth == 1 || (edge->n_past > 1 && last[-1].depth == depth - 1)) {
        zs_delta_clear(&last->delta);
        edge->n_past--;
    } else {
        last->depth = depth - 1;
    }
}

void zs_edge_rollback(struct zs_edge *edge, unsigned depth)
{
    if (!is_past_of(edge, depth))
        return;
    zs_delta_clear(&edge->now);
    edge->now = edge->past[--edge->n_past].delta;
}
