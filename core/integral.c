/* The integral of a stream. */
#include "core/integral.h"

static int add_batch(struct zs_trace *trace, const struct zs_batch *batch)
{
    const struct zs_item *items = zs_batch_items(batch);
    size_t n = zs_batch_len(batch);
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = zs_trace_apply(trace, items[i].key, items[i].value, items[i].weight);
    return rc;
}

int zs_integral_add(const struct zs_integral *integral, const struct zs_delta *delta)
{
    int rc = add_batch(integral->rows, delta->rows);
    if (rc == ZS_OK && integral->errors != NULL)
        rc = add_batch(integral->errors, delta->errors);
    return rc;
}

int zs_integral_read(const struct zs_integral *integral, struct zs_delta *out)
{
    int rc = zs_trace_range(integral->rows, zs_span_all(), 0, out->rows);
    if (rc == ZS_OK && integral->errors != NULL)
        rc = zs_trace_range(integral->errors, zs_span_all(), 0, out->errors);
    return rc;
}
