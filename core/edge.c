/* A stream's delta and its undo record, as a list of deltas with lifetimes: each was made at
** some depth and perhaps dropped at some depth.
**
** Invariant: the list, now at its end, is in the order of making; made_at ascends; those that
** have been dropped come first, and their dropped_at ascends; dropped_at > made_at: what is
** dropped by the transaction that made it is freed at once, since no rollback could ask for
** it. The last in the list is never dropped.
**
** So what a transaction has made is the end of the list, and what it has dropped stands just
** before that. */
#include "core/edge.h"

#include <limits.h>

enum { SPARE_MAX = 1000 }; /* items of a delta that is worth keeping */

static const unsigned not_dropped = UINT_MAX;

int zs_edge_init(struct zs_edge *edge, const struct zs_alloc *alloc)
{
    *edge = (struct zs_edge){.alloc = alloc};
    return zs_delta_init(&edge->now, alloc);
}

static void forget_sum(struct zs_edge *edge)
{
    if (edge->has_sum)
        zs_delta_clear(&edge->sum);
    edge->has_sum = false;
}

/* A delta that nobody asks for any more: a small one is kept for the next tick. */
static void discard(struct zs_edge *edge, struct zs_delta *delta)
{
    if (edge->has_spare || zs_batch_len(delta->rows) > SPARE_MAX ||
        zs_batch_len(delta->errors) > SPARE_MAX) {
        zs_delta_clear(delta);
        return;
    }
    zs_delta_reset(delta);
    edge->spare = *delta;
    edge->has_spare = true;
}

static int take_fresh(struct zs_edge *edge, struct zs_delta *fresh)
{
    if (!edge->has_spare)
        return zs_delta_init(fresh, edge->alloc);
    *fresh = edge->spare;
    edge->has_spare = false;
    return ZS_OK;
}

void zs_edge_clear(struct zs_edge *edge)
{
    for (size_t i = 0; i < edge->n_past; i++)
        zs_delta_clear(&edge->past[i].delta);
    if (edge->past != NULL)
        zs_alloc_free(edge->alloc, edge->past);
    zs_delta_clear(&edge->now);
    if (edge->has_spare)
        zs_delta_clear(&edge->spare);
    forget_sum(edge);
    *edge = (struct zs_edge){.alloc = edge->alloc};
}

/* The first of the earlier pieces; n_past where there is none. */
static size_t first_piece(const struct zs_edge *edge)
{
    size_t i = edge->n_past;
    while (i > 0 && edge->past[i - 1].dropped_at == not_dropped)
        i--;
    return i;
}

static bool is_empty(const struct zs_delta *delta)
{
    return zs_batch_len(delta->rows) == 0 && zs_batch_len(delta->errors) == 0;
}

bool zs_edge_is_quiet(const struct zs_edge *edge)
{
    return is_empty(&edge->now);
}

bool zs_edge_is_empty(const struct zs_edge *edge)
{
    bool is_all_empty = is_empty(&edge->now);

    for (size_t i = first_piece(edge); is_all_empty && i < edge->n_past; i++)
        is_all_empty = is_empty(&edge->past[i].delta);
    return is_all_empty;
}

int zs_edge_add_to(const struct zs_edge *edge, int sign, struct zs_delta *out)
{
    int rc = ZS_OK;

    for (size_t i = first_piece(edge); rc == ZS_OK && i < edge->n_past; i++)
        rc = zs_delta_add_all(out, &edge->past[i].delta, sign);
    return rc == ZS_OK ? zs_delta_add_all(out, &edge->now, sign) : rc;
}

int zs_edge_read(struct zs_edge *edge, const struct zs_delta **delta)
{
    int rc;

    *delta = &edge->now;
    if (first_piece(edge) == edge->n_past)
        return ZS_OK;
    *delta = &edge->sum;
    if (edge->has_sum)
        return ZS_OK;
    rc = zs_delta_init(&edge->sum, edge->alloc);
    if (rc == ZS_OK)
        rc = zs_edge_add_to(edge, 1, &edge->sum);
    if (rc == ZS_OK)
        rc = zs_delta_consolidate(&edge->sum);
    edge->has_sum = rc == ZS_OK;
    if (rc != ZS_OK) {
        zs_delta_clear(&edge->sum);
        *delta = NULL;
    }
    return rc;
}

/* Drops the pieces of the tick that is over. */
static void drop_pieces(struct zs_edge *edge, unsigned depth)
{
    size_t i = first_piece(edge);

    for (; i < edge->n_past && edge->past[i].made_at < depth; i++)
        edge->past[i].dropped_at = depth;
    for (size_t k = i; k < edge->n_past; k++)
        discard(edge, &edge->past[k].delta);
    edge->n_past = i;
}

int zs_edge_renew(struct zs_edge *edge, const struct zs_tick *tick)
{
    bool is_kept = tick->is_continued || edge->now_made_at < tick->depth;
    struct zs_delta fresh;
    int rc = ZS_OK;

    if (is_kept) {
        rc = zs_alloc_reserve(
            edge->alloc, &edge->past, &edge->cap_past, edge->n_past + 1, sizeof(*edge->past));
        if (rc == ZS_OK)
            rc = take_fresh(edge, &fresh);
    }
    if (rc != ZS_OK)
        return rc;
    forget_sum(edge);
    if (!tick->is_continued)
        drop_pieces(edge, tick->depth);
    if (is_kept) {
        edge->past[edge->n_past++] = (struct zs_edge_past){
            edge->now, edge->now_made_at, tick->is_continued ? not_dropped : tick->depth};
        edge->now = fresh;
        edge->now_made_at = tick->depth;
    } else {
        zs_delta_reset(&edge->now);
    }
    return ZS_OK;
}

/* What is left of this transaction is the outer one's. */
static void hand_out(struct zs_edge_past *past, unsigned depth)
{
    if (past->made_at == depth)
        past->made_at = depth - 1;
    if (past->dropped_at == depth)
        past->dropped_at = depth - 1;
}

void zs_edge_commit(struct zs_edge *edge, unsigned depth)
{
    size_t first = edge->n_past;
    size_t n_kept;

    if (edge->now_made_at != depth)
        return;
    edge->now_made_at = depth - 1;
    while (first > 0 && edge->past[first - 1].made_at == depth)
        first--;
    while (first > 0 && edge->past[first - 1].dropped_at == depth)
        first--;
    n_kept = first;
    for (size_t i = first; i < edge->n_past; i++) {
        hand_out(&edge->past[i], depth);
        if (edge->past[i].dropped_at <= edge->past[i].made_at)
            discard(edge, &edge->past[i].delta);
        else
            edge->past[n_kept++] = edge->past[i];
    }
    edge->n_past = n_kept;
}

void zs_edge_rollback(struct zs_edge *edge, unsigned depth)
{
    if (edge->now_made_at != depth)
        return;
    forget_sum(edge);
    while (edge->now_made_at == depth) {
        struct zs_edge_past *last = &edge->past[--edge->n_past];
        discard(edge, &edge->now);
        edge->now = last->delta;
        edge->now_made_at = last->made_at;
    }
    for (size_t i = edge->n_past; i > 0 && edge->past[i - 1].dropped_at == depth; i--)
        edge->past[i - 1].dropped_at = not_dropped;
}
