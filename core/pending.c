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
    zs_alloc_free(pending->alloc, pending->parts);
    zs_batch_free(pending->spare);
    zs_pending_init(pending, pending->alloc);
}

static bool is_empty(const struct zs_pending *pending)
{
    return pending->n_parts == 0 || pending->parts[pending->n_parts - 1].taken_at != not_taken;
}

/* Adds an empty part. */
static int add_part(struct zs_pending *pending, unsigned depth)
{
    struct zs_batch *rows = pending->spare;
    int rc = zs_alloc_reserve(pending->alloc, &pending->parts, &pending->cap_parts,
        pending->n_parts + 1, sizeof(*pending->parts));

    if (rc == ZS_OK && rows == NULL)
        rc = zs_batch_new(pending->alloc, &rows);
    if (rc != ZS_OK)
        return rc;
    pending->spare = NULL;
    pending->parts[pending->n_parts++] = (struct zs_pending_part){rows, depth, not_taken};
    return ZS_OK;
}

/* Of parts that are gone one empty batch is kept. */
static void free_rows(struct zs_pending *pending, struct zs_batch *rows)
{
    if (pending->spare != NULL) {
        zs_batch_free(rows);
        return;
    }
    zs_batch_reset(rows);
    pending->spare = rows;
}

/* The part that a push adds to; *is_new says whether there was none. */
static int part_for_push(
    struct zs_pending *pending, unsigned depth, struct zs_pending_part **part, bool *is_new)
{
    int rc = ZS_OK;

    *is_new = is_empty(pending) || pending->parts[pending->n_parts - 1].pushed_at != depth;
    if (*is_new)
        rc = add_part(pending, depth);
    *part = rc == ZS_OK ? &pending->parts[pending->n_parts - 1] : NULL;
    return rc;
}

int zs_pending_push(struct zs_pending *pending, const struct zs_batch *rows, unsigned depth)
{
    struct zs_pending_part *part;
    bool is_new;
    int rc;

    if (zs_batch_len(rows) == 0)
        return ZS_OK;
    rc = part_for_push(pending, depth, &part, &is_new);
    if (rc != ZS_OK)
        return rc;
    rc = zs_batch_add_all(part->rows, rows, 1);
    if (rc != ZS_OK && is_new)
        free_rows(pending, pending->parts[--pending->n_parts].rows);
    return rc;
}

int zs_pending_give(struct zs_pending *pending, struct zs_batch *rows, unsigned depth)
{
    struct zs_pending_part *part;
    bool is_new;
    int rc;

    if (zs_batch_len(rows) == 0)
        return ZS_OK;
    rc = part_for_push(pending, depth, &part, &is_new);
    if (rc == ZS_OK && is_new)
        zs_batch_swap(part->rows, rows);
    else if (rc == ZS_OK)
        rc = zs_batch_add_all(part->rows, rows, 1);
    if (rc == ZS_OK)
        zs_batch_reset(rows);
    return rc;
}

/* Frees the parts that no rollback could make pending again. */
static void drop_settled(struct zs_pending *pending)
{
    size_t n_kept = 0;

    for (size_t i = 0; i < pending->n_parts; i++) {
        if (pending->parts[i].taken_at <= pending->parts[i].pushed_at)
            free_rows(pending, pending->parts[i].rows);
        else
            pending->parts[n_kept++] = pending->parts[i];
    }
    pending->n_parts = n_kept;
}

/* Adds a part to out; moves it where no rollback could ask for it. One that moves is the only
** one to be taken, so that nothing can fail afterwards. */
static int take_part(struct zs_pending_part *part, unsigned depth, struct zs_batch *out)
{
    if (part->taken_at != not_taken)
        return ZS_OK;
    if (part->pushed_at < depth || zs_batch_len(out) > 0)
        return zs_batch_add_all(out, part->rows, 1);
    zs_batch_swap(out, part->rows);
    return ZS_OK;
}

int zs_pending_take(struct zs_pending *pending, unsigned depth, struct zs_batch *out)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < pending->n_parts; i++)
        rc = take_part(&pending->parts[i], depth, out);
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
        free_rows(pending, pending->parts[--pending->n_parts].rows);
    for (size_t i = 0; i < pending->n_parts; i++) {
        if (pending->parts[i].taken_at == depth)
            pending->parts[i].taken_at = not_taken;
    }
}
