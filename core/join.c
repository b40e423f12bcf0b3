/* Join: key by key, the left delta against the right integral as it was, then the right delta
** against the left integral as it has become. The second product holds a x db and da x db,
** the cross term, which thus comes exactly once. */
#include "core/join.h"

/* What one key needs; used again for the next. */
struct scratch {
    struct zs_batch *found;
    struct zs_buffer key;
    struct zs_buffer value;
};

/* The items of a delta that are still to come. */
struct rest {
    const struct zs_item *items;
    size_t n;
};

static struct rest all_of(const struct zs_batch *rows)
{
    return (struct rest){zs_batch_items(rows), zs_batch_len(rows)};
}

/* Takes the items of the key, if any, off the rest. */
static struct rest take_key(struct rest *rest, struct zs_bytes key)
{
    struct rest taken = {rest->items, 0};

    while (taken.n < rest->n && zs_bytes_equal(taken.items[taken.n].key, key))
        taken.n++;
    rest->items += taken.n;
    rest->n -= taken.n;
    return taken;
}

static struct zs_bytes least_key(const struct rest *a, const struct rest *b)
{
    if (a->n == 0 || b->n == 0)
        return a->n > 0 ? a->items->key : b->items->key;
    return zs_bytes_compare(a->items->key, b->items->key) <= 0 ? a->items->key : b->items->key;
}

static int emit(const struct zs_join *join, const struct zs_item *left,
    const struct zs_item *right, struct scratch *scratch, struct zs_batch *out)
{
    int64_t weight;
    int rc;

    if (__builtin_mul_overflow(left->weight, right->weight, &weight))
        return ZS_OVERFLOW;
    zs_buffer_reset(&scratch->key);
    zs_buffer_reset(&scratch->value);
    rc = join->fn(
        join->ctx, left->key, left->value, right->value, &scratch->key, &scratch->value);
    if (rc != ZS_OK)
        return rc;
    return zs_batch_add(
        out, zs_buffer_bytes(&scratch->key), zs_buffer_bytes(&scratch->value), weight);
}

/* Items of one key against all that the other side's trace holds under it. */
static int match(const struct zs_join *join, struct rest items, bool is_left,
    struct scratch *scratch, struct zs_batch *out)
{
    struct zs_trace *other = is_left ? join->right : join->left;
    struct rest found;
    int rc;

    zs_batch_reset(scratch->found);
    rc = zs_trace_lookup(other, items.items->key, zs_span_all(), 0, scratch->found);
    found = all_of(scratch->found);
    for (size_t i = 0; rc == ZS_OK && i < items.n; i++) {
        for (size_t k = 0; rc == ZS_OK && k < found.n; k++)
            rc = emit(join, is_left ? &items.items[i] : &found.items[k],
                is_left ? &found.items[k] : &items.items[i], scratch, out);
    }
    return rc;
}

static int step_side(const struct zs_join *join, struct rest items, bool is_left,
    struct scratch *scratch, struct zs_batch *out)
{
    struct zs_trace *own = is_left ? join->left : join->right;
    int rc = items.n == 0 ? ZS_OK : match(join, items, is_left, scratch, out);

    for (size_t i = 0; rc == ZS_OK && i < items.n; i++)
        rc = zs_trace_apply(
            own, items.items[i].key, items.items[i].value, items.items[i].weight);
    return rc;
}

static int step_keys(const struct zs_join *join, struct rest left, struct rest right,
    struct scratch *scratch, struct zs_batch *out)
{
    int rc = ZS_OK;

    while (rc == ZS_OK && left.n + right.n > 0) {
        struct zs_bytes key = least_key(&left, &right);
        rc = step_side(join, take_key(&left, key), true, scratch, out);
        if (rc == ZS_OK)
            rc = step_side(join, take_key(&right, key), false, scratch, out);
    }
    return rc;
}

int zs_join_step(const struct zs_join *join, const struct zs_delta *left,
    const struct zs_delta *right, struct zs_delta *out)
{
    struct scratch scratch = {0};
    int rc = zs_batch_add_all(out->errors, left->errors, 1);

    zs_buffer_init(&scratch.key, join->alloc);
    zs_buffer_init(&scratch.value, join->alloc);
    if (rc == ZS_OK)
        rc = zs_batch_add_all(out->errors, right->errors, 1);
    if (rc == ZS_OK)
        rc = zs_batch_new(join->alloc, &scratch.found);
    if (rc == ZS_OK)
        rc = step_keys(join, all_of(left->rows), all_of(right->rows), &scratch, out->rows);
    zs_batch_free(scratch.found);
    zs_buffer_clear(&scratch.key);
    zs_buffer_clear(&scratch.value);
    return rc;
}
