/* Join: the left delta against the right integral as it was, then the right delta against the
** left integral as it has become. The second product holds a x db and da x db, the cross term,
** which thus comes exactly once. */
#include "core/join.h"

/* One of the two products. */
struct product {
    const struct zs_join *join;
    bool is_left; /* the delta; the integral is that of the other side */
    struct zs_buffer key;
    struct zs_buffer value;
    struct zs_batch *out;
};

static int emit(void *ctx, const struct zs_item *item, const struct zs_item *element)
{
    struct product *product = ctx;
    const struct zs_join *join = product->join;
    const struct zs_bytes *left = product->is_left ? &item->value : &element->value;
    const struct zs_bytes *right = product->is_left ? &element->value : &item->value;
    int64_t weight;
    int rc;

    if (__builtin_mul_overflow(item->weight, element->weight, &weight))
        return ZS_OVERFLOW;
    zs_buffer_reset(&product->key);
    zs_buffer_reset(&product->value);
    rc = join->fn(join->ctx, item->key, *left, *right, &product->key, &product->value);
    if (rc != ZS_OK)
        return rc;
    return zs_batch_add(
        product->out, zs_buffer_bytes(&product->key), zs_buffer_bytes(&product->value), weight);
}

/* One side's delta: what it adds to the output, and to the integral. */
static int step_side(struct product *product, const struct zs_batch *delta, bool is_left)
{
    const struct zs_join *join = product->join;
    const struct zs_item *items = zs_batch_items(delta);
    size_t n = zs_batch_len(delta);
    int rc;

    product->is_left = is_left;
    rc = zs_trace_match(
        is_left ? join->right : join->left, join->alloc, items, n, emit, product);
    if (rc != ZS_OK)
        return rc;
    return zs_trace_apply_all(is_left ? join->left : join->right, items, n);
}

int zs_join_step(const struct zs_join *join, const struct zs_delta *left,
    const struct zs_delta *right, struct zs_delta *out)
{
    struct product product = {.join = join, .out = out->rows};
    int rc = zs_batch_add_all(out->errors, left->errors, 1);

    zs_buffer_init(&product.key, join->alloc);
    zs_buffer_init(&product.value, join->alloc);
    if (rc == ZS_OK)
        rc = zs_batch_add_all(out->errors, right->errors, 1);
    if (rc == ZS_OK)
        rc = step_side(&product, left->rows, true);
    if (rc == ZS_OK)
        rc = step_side(&product, right->rows, false);
    zs_buffer_clear(&product.key);
    zs_buffer_clear(&product.value);
    return rc;
}
