/* The linear operators: map, flat_map, filter, index_by, plus, negate and any function of a
** batch, as functions of deltas.
**
** A linear operator keeps no state, since the operator of a sum is the sum of the operator:
** what it makes of a delta is the delta of what it makes. Each function here adds its image
** of in to out, in's errors included, and leaves out unconsolidated. On error out holds
** anything. */
#ifndef ZS_LINEAR_H
#define ZS_LINEAR_H

#include "core/batch.h"

/* Any linear operator, a batch at a time: adds its image of in to out. in's rows are
** consolidated; its errors have been passed on already. */
typedef int zs_linear_fn(void *ctx, const struct zs_batch *in, struct zs_delta *out);

/* The linear operators an element at a time. map and index_by write the image's key and value
** (both come empty); equal images add their weights. */
typedef int zs_map_fn(
    void *ctx, const struct zs_item *item, struct zs_buffer *key, struct zs_buffer *value);
/* Adds to images, which comes empty, what one such element becomes, with weights as if its own
** were 1; they are multiplied by it (ZS_OVERFLOW). */
typedef int zs_flat_map_fn(void *ctx, const struct zs_item *item, struct zs_delta *images);
typedef int zs_filter_fn(void *ctx, const struct zs_item *item, bool *keep);
/* The element (k, v) becomes (key of it, v). */
typedef int zs_key_fn(void *ctx, const struct zs_item *item, struct zs_buffer *key);

/* fn is not called for a delta without rows. */
ZS_CHECKED int zs_delta_linear(
    zs_linear_fn *fn, void *ctx, const struct zs_delta *in, struct zs_delta *out);

ZS_CHECKED int zs_delta_map(const struct zs_alloc *alloc, zs_map_fn *fn, void *ctx,
    const struct zs_delta *in, struct zs_delta *out);

ZS_CHECKED int zs_delta_flat_map(const struct zs_alloc *alloc, zs_flat_map_fn *fn, void *ctx,
    const struct zs_delta *in, struct zs_delta *out);

ZS_CHECKED int zs_delta_filter(
    zs_filter_fn *fn, void *ctx, const struct zs_delta *in, struct zs_delta *out);

ZS_CHECKED int zs_delta_index_by(const struct zs_alloc *alloc, zs_key_fn *fn, void *ctx,
    const struct zs_delta *in, struct zs_delta *out);

ZS_CHECKED int zs_delta_plus(
    const struct zs_delta *a, const struct zs_delta *b, struct zs_delta *out);

ZS_CHECKED int zs_delta_negate(const struct zs_delta *in, struct zs_delta *out);

#endif
