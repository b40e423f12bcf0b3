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

static int add_times(const struct zs_batch *images, int64_t weight, struct zs_batch *out)
{
    const struct zs_item *items = zs_batch_items(images);
    size_t n = zs_batch_len(images);
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        int64_t product;
        if (__builtin_mul_overflow(items[i].weight, weight, &product))
            return ZS_OVERFLOW;
        rc = zs_batch_add(out, items[i].key, items[i].value, product);
    }
    return rc;
}

int zs_delta_flat_map(const struct zs_alloc *alloc, zs_flat_map_fn *fn, void *ctx,
    const struct zs_delta *in, struct zs_delta *out)
{
    const struct zs_item *items = zs_batch_items(in->rows);
    size_t n = zs_batch_len(in->rows);
    struct zs_delta images = {0};
    int rc = zs_batch_add_all(out->errors, in->errors, 1);

    if (rc == ZS_OK)
        rc = zs_delta_init(&images, alloc);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        zs_delta_reset(&images);
        rc = fn(ctx, &items[i], &images);
        if (rc == ZS_OK)
            rc = add_times(images.rows, items[i].weight, out->rows);
        if (rc == ZS_OK)
            rc = add_times(images.errors, items[i].weight, out->errors);
    }
    zs_delta_clear(&images);
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

int zs_delta_negate(const struct zs_delta *in, struct zs_delta *out)
{
    return zs_delta_add_all(out, in, -1);
}
