/* What has been pushed to an input and not been stepped yet, with its undo record. Private to
** core/. depth is the number of open transactions; 0 means that nothing is kept. */
#ifndef ZS_PENDING_H
#define ZS_PENDING_H

#include "core/batch.h"

struct zs_pending {
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_pending_part *parts;
    size_t n_parts;
    size_t cap_parts;
    struct zs_batch *spare; /* empty, for its memory; or NULL */
};

void zs_pending_init(struct zs_pending *pending, const struct zs_alloc *alloc);
void zs_pending_clear(struct zs_pending *pending); /* accepts a zeroed one */

/* Copies rows. On error what is pending is unchanged. O(rows), whatever was pending. */
ZS_CHECKED int zs_pending_push(
    struct zs_pending *pending, const struct zs_batch *rows, unsigned depth);

/* Moves them instead, and leaves rows empty. O(1) where nothing was pending. */
ZS_CHECKED int zs_pending_give(
    struct zs_pending *pending, struct zs_batch *rows, unsigned depth);

/* Adds all that is pending to out, after which nothing is. On error out holds anything, and
** what is pending is unchanged. */
ZS_CHECKED int zs_pending_take(
    struct zs_pending *pending, unsigned depth, struct zs_batch *out);

/* End the transaction of that depth, the innermost. A rollback drops what it pushed, and
** what it took is pending again. O(parts), of which there are at most as many as pushes to
** undo. */
void zs_pending_commit(struct zs_pending *pending, unsigned depth);
void zs_pending_rollback(struct zs_pending *pending, unsigned depth);

#endif
