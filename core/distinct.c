/* distinct: compares each touched element's weight before and after. */
#include "core/distinct.h"

/* found comes with room for one item, which it may hold afterwards. */
static int read_weight(
    struct zs_trace *trace, const struct zs_item *item, struct zs_batch *found, int64_t *weight)
{
    struct zs_span at_least = {.from = item->value};
    int rc;

    *weight = 0;
    zs_batch_reset(found);
    rc = zs_trace_lookup(trace, item->key, at_least, 1, found);
    if (rc == ZS_OK && zs_batch_len(found) > 0 &&
        zs_bytes_equal(zs_batch_items(found)[0].value, item->value))
        *weight = zs_batch_items(found)[0].weight;
    return rc;
}

static int step_element(const struct zs_distinct *distinct, const struct zs_item *item,
    struct zs_batch *found, struct zs_batch *out)
{
    int64_t before;
    int change;
    int rc = read_weight(distinct->trace, item, found, &before);

    if (rc == ZS_OK)
        rc = zs_trace_apply(distinct->trace, item->key, item->value, item->weight);
    if (rc != ZS_OK)
        return rc;
    /* The trace has checked that the sum stays within 64 bits. */
    change = (before + item->weight > 0) - (before > 0);
    return change == 0 ? ZS_OK : zs_batch_add(out, item->key, item->value, change);
}

int zs_distinct_step(
    const struct zs_distinct *distinct, const struct zs_delta *delta, struct zs_delta *out)
{
    const struct zs_item *items = zs_batch_items(delta->rows);
    size_t n = zs_batch_len(delta->rows);
    struct zs_batch *found = NULL;
    int rc = zs_batch_add_all(out->errors, delta->errors, 1);

    if (rc == ZS_OK && n > 0)
        rc = zs_batch_new(distinct->alloc, &found);
    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = step_element(distinct, &items[i], found, out->rows);
    zs_batch_free(found);
    return rc;
}
