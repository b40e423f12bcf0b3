/* The linear operators: each looks at one element at a time and keeps its weight. */
#include "core/linear.h"

int zs_delta_linear(
    zs_linear_fn *fn, void *ctx, const struct zs_delta *in, struct zs_delta *out)
{
    int rc = zs_batch_add_all(out->errors, in->errors, 1);
    if (rc == ZS_OK && zs_batch_len(in->rows) > 0)
        rc = fn(ctx, in->rows, out);
    return rc;
}

int zs_delta_map(const struct zs_alloc *alloc, zs_map_fn *fn, void *ctx,
    const struct zs_delta *in, struct zs_delta *out)
{
    const struct zs_item *items = zs_batch_items(in->rows);
    size_t n = zs_batch_len(in->rows);
    struct zs_buffer key;
    struct zs_buffer value;
    int rc = zs_batch_add_all(out->errors, in->errors, 1);

    zs_buffer_init(&key, alloc);
    zs_buffer_init(&value, alloc);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        zs_buffer_reset(&key);
        zs_buffer_reset(&value);
        rc = fn(ctx, &items[i], &key, &value);
        if (rc == ZS_OK)
            rc = zs_batch_add(
                out->rows, zs_buffer_bytes(&key), zs_buffer_bytes(&value), items[i].weight);
    }
    zs_buffer_clear(&key);
    zs_buffer_clear(&value);
    return rc;
}

int zs_delta_filter(
    zs_filter_fn *fn, void *ctx, const struct zs_delta *in, struct zs_delta *out)
{
    const struct zs_item *items = zs_batch_items(in->rows);
    size_t n = zs_batch_len(in->rows);
    int rc = zs_batch_add_all(out->errors, in->errors, 1);

    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        bool keep = false;
        rc = fn(ctx, &items[i], &keep);
        if (rc == ZS_OK && keep)
            rc = zs_batch_add(out->rows, items[i].key, items[i].value, items[i].weight);
    }
    return rc;
}

int zs_delta_index_by(const struct zs_alloc *alloc, zs_key_fn *fn, void *ctx,
    const struct zs_delta *in, struct zs_delta *out)
{
    const struct zs_item *items = zs_batch_items(in->rows);
    size_t n = zs_batch_len(in->rows);
    struct zs_buffer key;
    int rc = zs_batch_add_all(out->errors, in->errors, 1);

    zs_buffer_init(&key, alloc);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        zs_buffer_reset(&key);
        rc = fn(ctx, &items[i], &key);
        if (rc == ZS_OK)
            rc =
                zs_batch_add(out->rows, zs_buffer_bytes(&key), items[i].value, items[i].weight);
    }
    zs_buffer_clear(&key);
    return rc;
}

int zs_delta_plus(const struct zs_delta *a, const struct zs_delta *b, struct zs_delta *out)
{
    int rc = zs_delta_add_all(out, a, 1);
    if (rc == ZS_OK)
        rc = zs_delta_add_all(out, b, 1);
    return rc;
}
