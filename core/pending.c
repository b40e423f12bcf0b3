/* Pending rows as parts, each of which was pushed, and perhaps taken, at some depth.
**
** Invariant: parts stand in the order of their pushes, their pushed_at ascends, those taken
** come first, and taken_at > pushed_at: a part that is taken by the transaction that pushed
** it is freed at once, since no rollback could ask for it. */
#include "core/pending.h"

#include <limits.h>

static const unsigned not_taken = UINT_MAX;

struct zs_pending_part {
    struct zs_batch *rows;
    unsigned pushed_at;
    unsigned taken_at;
};

void zs_pending_init(struct zs_pending *pending, const struct zs_alloc *alloc)
{
    *pending = (struct zs_pending){.alloc = alloc};
}

void zs_pending_clear(struct zs_pending *pending)
{
    for (size_t i = 0; i < pending->n_parts; i++)
        zs_batch_free(pending->parts[i].rows);
    if (pending->parts != NULL)
        zs_alloc_free(pending->alloc, pending->parts);
    zs_pending_init(pending, pending->alloc);
}

bool zs_pending_is_empty(const struct zs_pending *pending)
{
    return pending->n_parts == 0 || pending->parts[pending->n_parts - 1].taken_at != not_taken;
}

static int add_part(struct zs_pending *pending, const struct zs_batch *rows, unsigned depth)
{
    struct zs_batch *copy = NULL;
    int rc = zs_alloc_reserve(pending->alloc, &pending->parts, &pending->cap_parts,
        pending->n_parts + 1, sizeof(*pending->parts));

    if (rc == ZS_OK)
        rc = zs_batch_new(pending->alloc, &copy);
    if (rc == ZS_OK)
        rc = zs_batch_add_all(copy, rows, 1);
    if (rc == ZS_OK)
        pending->parts[pending->n_parts++] = (struct zs_pending_part){copy, depth, not_taken};
    else
        zs_batch_free(copy);
    return rc;
}

int zs_pending_push(struct zs_pending *pending, const struct zs_batch *rows, unsigned depth)
{
    struct zs_pending_part *last;

    if (zs_batch_len(rows) == 0)
        return ZS_OK;
    if (zs_pending_is_empty(pending))
        return add_part(pending, rows, depth);
    last = &pending->parts[pending->n_parts - 1];
    return last->pushed_at == depth ? zs_batch_add_all(last->rows, rows, 1)
                                    : add_part(pending, rows, depth);
}

/* Frees the parts that no rollback could make pending again. */
static void drop_settled(struct zs_pending *pending)
{
    size_t n_kept = 0;

    for (size_t i = 0; i < pending->n_parts; i++) {
        if (pending->parts[i].taken_at <= pending->parts[i].pushed_at)
            zs_batch_free(pending->parts[i].rows);
        else
            pending->parts[n_kept++] = pending->parts[i];
    }
    pending->n_parts = n_kept;
}

int zs_pending_take(struct zs_pending *pending, unsigned depth, struct zs_batch *out)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < pending->n_parts; i++) {
        if (pending->parts[i].taken_at == not_taken)
            rc = zs_batch_add_all(out, pending->parts[i].rows, 1);
    }
    if (rc != ZS_OK)
        return rc;
    for (size_t i = 0; i < pending->n_parts; i++) {
        if (pending->parts[i].taken_at == not_taken)
            pending->parts[i].taken_at = depth;
    }
    drop_settled(pending);
    return ZS_OK;
}

void zs_pending_commit(struct zs_pending *pending, unsigned depth)
{
    for (size_t i = 0; i < pending->n_parts; i++) {
        struct zs_pending_part *part = &pending->parts[i];
        if (part->pushed_at == depth)
            part->pushed_at = depth - 1;
        if (part->taken_at == depth)
            part->taken_at = depth - 1;
    }
    drop_settled(pending);
}

void zs_pending_rollback(struct zs_pending *pending, unsigned depth)
{
    while (pending->n_parts > 0 && pending->parts[pending->n_parts - 1].pushed_at == depth)
        zs_batch_free(pending->parts[--pending->n_parts].rows);
    for (size_t i = 0; i < pending->n_parts; i++) {
        if (pending->parts[i].taken_at == depth)
            pending->parts[i].taken_at = not_taken;
    }
}
