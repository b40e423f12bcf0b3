/* distinct: compares each touched element's weight before and after. */
#include "core/distinct.h"

enum { BLOCK = 64 }; /* items at a time */

static int step_block(const struct zs_distinct *distinct, const struct zs_item *items, size_t n,
    struct zs_batch *out)
{
    int64_t before[BLOCK];
    int rc = zs_trace_update(distinct->trace, distinct->alloc, items, n, before);

    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        /* The trace has checked that the sum stays within 64 bits. */
        int change = (before[i] + items[i].weight > 0) - (before[i] > 0);
        if (change != 0)
            rc = zs_batch_add(out, items[i].key, items[i].value, change);
    }
    return rc;
}

int zs_distinct_step(
    const struct zs_distinct *distinct, const struct zs_delta *delta, struct zs_delta *out)
{
    const struct zs_item *items = zs_batch_items(delta->rows);
    size_t n = zs_batch_len(delta->rows);
    int rc = zs_batch_add_all(out->errors, delta->errors, 1);

    for (size_t i = 0; rc == ZS_OK && i < n; i += BLOCK)
        rc = step_block(distinct, items + i, n - i < BLOCK ? n - i : BLOCK, out->rows);
    return rc;
}
