/* A batch: a delta on its way through a step. Elements are pairs (key, value) of bytes, each
** with a weight; an element without a key has the empty key. Adding is cheap and unordered;
** consolidating sorts by (key, value), sums the weights of equal elements and drops zeros. */
#ifndef ZS_BATCH_H
#define ZS_BATCH_H

#include "core/buffer.h"

struct zs_item {
    struct zs_bytes key;
    struct zs_bytes value;
    int64_t weight;
};

struct zs_batch;

ZS_CHECKED int zs_batch_new(const struct zs_alloc *alloc, struct zs_batch **batch);
void zs_batch_free(struct zs_batch *batch);

/* Copies the element. A batch that is filled in ascending order is consolidated. ZS_NOMEM
** leaves the batch unchanged. Amortised O(length). */
ZS_CHECKED int zs_batch_add(
    struct zs_batch *batch, struct zs_bytes key, struct zs_bytes value, int64_t weight);

/* The same for an element, of a weight other than 0, that comes after all that the consolidated
** batch holds, for which the caller answers: it stays consolidated. */
ZS_CHECKED int zs_batch_add_last(
    struct zs_batch *batch, struct zs_bytes key, struct zs_bytes value, int64_t weight);

/* Adds every element of other, weights multiplied by sign (1 or -1). ZS_OVERFLOW where that
** leaves 64 bits. On error the batch is unchanged. */
ZS_CHECKED int zs_batch_add_all(struct zs_batch *batch, const struct zs_batch *other, int sign);

/* Canonical form: ascending, one item an element, no zero weight. ZS_OVERFLOW where a sum of
** weights as a whole leaves 64 bits: the order of addition does not matter. On error the batch
** holds the same items as before, in any order. Does nothing to a batch that is canonical.
** O(n log n). */
ZS_CHECKED int zs_batch_consolidate(struct zs_batch *batch);

/* The items, ascending where the batch is consolidated. Borrowed, valid until it changes. */
size_t zs_batch_len(const struct zs_batch *batch);
const struct zs_item *zs_batch_items(const struct zs_batch *batch);
bool zs_batch_is_consolidated(const struct zs_batch *batch);

/* Exchanges what two batches of one allocation table hold. O(1). */
void zs_batch_swap(struct zs_batch *a, struct zs_batch *b);

/* Empties it and keeps the memory, up to about 2 MiB. */
void zs_batch_reset(struct zs_batch *batch);

/* What flows on an edge of the circuit: rows, and errors of rows that could not be computed.
** Both are Z-sets. An error's value is its message; its key says where it arose. Errors retract
** like rows. */
struct zs_delta {
    struct zs_batch *rows;
    struct zs_batch *errors;
};

ZS_CHECKED int zs_delta_init(struct zs_delta *delta, const struct zs_alloc *alloc);
void zs_delta_clear(struct zs_delta *delta); /* frees both; accepts a zeroed delta */
void zs_delta_reset(struct zs_delta *delta);
ZS_CHECKED int zs_delta_add_all(struct zs_delta *delta, const struct zs_delta *other, int sign);
ZS_CHECKED int zs_delta_consolidate(struct zs_delta *delta);

#endif
