/* The integral of a stream. */
#include "core/integral.h"

static int add_batch(struct zs_trace *trace, const struct zs_batch *batch)
{
    return zs_trace_apply_all(trace, zs_batch_items(batch), zs_batch_len(batch));
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
