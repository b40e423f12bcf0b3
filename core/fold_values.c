/* The values of one group in the multiset. */
#include "core/fold_values.h"

int zs_values_open(struct zs_values *values, const struct zs_alloc *alloc,
    struct zs_trace *trace, struct zs_bytes group, unsigned slot)
{
    int rc;

    *values = (struct zs_values){.trace = trace};
    zs_buffer_init(&values->key, alloc);
    zs_buffer_init(&values->bound, alloc);
    if (trace == NULL)
        return ZS_MISUSE;
    rc = zs_batch_new(alloc, &values->found);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&values->key, group.data, group.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append_varint(&values->key, slot);
    return rc;
}

void zs_values_close(struct zs_values *values)
{
    zs_batch_free(values->found);
    zs_buffer_clear(&values->key);
    zs_buffer_clear(&values->bound);
}

int zs_values_apply(struct zs_values *values, struct zs_bytes element, int64_t weight)
{
    return zs_trace_apply(values->trace, zs_buffer_bytes(&values->key), element, weight);
}

int zs_values_all(struct zs_values *values, struct zs_batch *out)
{
    return zs_trace_lookup(values->trace, zs_buffer_bytes(&values->key), zs_span_all(), 0, out);
}

static int look_up(struct zs_values *values, struct zs_span span, int64_t limit)
{
    zs_batch_reset(values->found);
    return zs_trace_lookup(
        values->trace, zs_buffer_bytes(&values->key), span, limit, values->found);
}

int zs_values_weight(struct zs_values *values, struct zs_bytes element, int64_t *weight)
{
    struct zs_span span = {.from = element};
    int rc;

    *weight = 0;
    /* The least bytes above the element are it and a zero. */
    zs_buffer_reset(&values->bound);
    rc = zs_buffer_append(&values->bound, element.data, element.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append_byte(&values->bound, 0);
    span.to = zs_buffer_bytes(&values->bound);
    if (rc == ZS_OK)
        rc = look_up(values, span, 1);
    if (rc == ZS_OK && zs_batch_len(values->found) > 0)
        *weight = zs_batch_items(values->found)->weight;
    return rc;
}

int zs_values_end(struct zs_values *values, struct zs_bytes prefix, bool is_first,
    struct zs_bytes *element, int64_t *weight)
{
    struct zs_span span = zs_span_all();
    int rc = ZS_OK;

    *element = (struct zs_bytes){0};
    *weight = 0;
    if (prefix.len > 0) {
        zs_buffer_reset(&values->bound);
        rc = zs_span_prefix(prefix, &values->bound, &span);
    }
    if (rc == ZS_OK)
        rc = look_up(values, span, is_first ? 1 : -1);
    if (rc == ZS_OK && zs_batch_len(values->found) > 0) {
        *element = zs_batch_items(values->found)->value;
        *weight = zs_batch_items(values->found)->weight;
        if (*weight <= 0)
            rc = ZS_CORRUPT;
    }
    return rc;
}
