/* Many elements of a trace at once, whatever it is. */
#include "core/trace.h"

int zs_trace_apply_all(struct zs_trace *trace, const struct zs_item *items, size_t n)
{
    int rc = ZS_OK;

    if (trace->methods->update != NULL)
        return trace->methods->update(trace, items, n, NULL);
    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = zs_trace_apply(trace, items[i].key, items[i].value, items[i].weight);
    return rc;
}

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

int zs_trace_update(struct zs_trace *trace, const struct zs_alloc *alloc,
    const struct zs_item *items, size_t n, int64_t *before)
{
    struct zs_batch *found;
    int rc;

    if (n == 0)
        return ZS_OK;
    if (trace->methods->update != NULL)
        return trace->methods->update(trace, items, n, before);
    rc = zs_batch_new(alloc, &found);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        rc = read_weight(trace, &items[i], found, &before[i]);
        if (rc == ZS_OK)
            rc = zs_trace_apply(trace, items[i].key, items[i].value, items[i].weight);
    }
    zs_batch_free(found);
    return rc;
}

/* Items that follow each other under one key are looked up once. */
static int look_up_each(struct zs_trace *trace, const struct zs_item *items, size_t n,
    struct zs_batch *found, zs_trace_visit *visit, void *ctx)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        if (i == 0 || !zs_bytes_equal(items[i - 1].key, items[i].key)) {
            zs_batch_reset(found);
            rc = zs_trace_lookup(trace, items[i].key, zs_span_all(), 0, found);
        }
        for (size_t k = 0; rc == ZS_OK && k < zs_batch_len(found); k++)
            rc = visit(ctx, &items[i], &zs_batch_items(found)[k]);
    }
    return rc;
}

int zs_trace_match(struct zs_trace *trace, const struct zs_alloc *alloc,
    const struct zs_item *items, size_t n, zs_trace_visit *visit, void *ctx)
{
    struct zs_batch *found;
    int rc;

    if (n == 0)
        return ZS_OK;
    if (trace->methods->match != NULL)
        return trace->methods->match(trace, items, n, visit, ctx);
    rc = zs_batch_new(alloc, &found);
    if (rc == ZS_OK)
        rc = look_up_each(trace, items, n, found, visit, ctx);
    zs_batch_free(found);
    return rc;
}
