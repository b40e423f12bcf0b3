/* The format of a trace over cells. */
#include "core/trace_cells.h"

#include "core/escape.h"

struct zs_span zs_span_all(void)
{
    return (struct zs_span){0};
}

int zs_span_append_successor(struct zs_buffer *out, struct zs_bytes prefix, size_t *len)
{
    int rc = ZS_OK;

    *len = prefix.len;
    while (*len > 0 && prefix.data[*len - 1] == 0xff)
        --*len;
    if (*len > 0)
        rc = zs_buffer_append(out, prefix.data, *len);
    if (rc == ZS_OK && *len > 0)
        out->data[out->len - 1]++;
    return rc;
}

int zs_span_prefix(struct zs_bytes prefix, struct zs_buffer *end, struct zs_span *span)
{
    size_t len;
    int rc;

    *span = (struct zs_span){.from = prefix};
    zs_buffer_reset(end);
    rc = zs_span_append_successor(end, prefix, &len);
    if (rc == ZS_OK && len > 0)
        span->to = zs_buffer_bytes(end);
    return rc;
}

/* The bound of a span of keys. */
static int append_bound(
    const struct zs_cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    int rc;

    if (self->is_private)
        return zs_escape_append(out, key);
    rc = zs_buffer_append_byte(out, self->tag);
    return rc == ZS_OK ? zs_buffer_append(out, key.data, key.len) : rc;
}

/* What the cells of one key begin with. */
static int append_key(
    const struct zs_cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    int rc = append_bound(self, out, key);
    if (rc == ZS_OK && self->is_private)
        rc = zs_buffer_append_byte(out, ZS_ESCAPE_END);
    return rc;
}

int zs_trace_write_bound(
    const struct zs_cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    zs_buffer_reset(out);
    return append_bound(self, out, key);
}

int zs_trace_write_key(
    const struct zs_cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    zs_buffer_reset(out);
    return append_key(self, out, key);
}

int zs_trace_write_keys(struct zs_cells_trace *self, const struct zs_item *items, size_t n,
    bool has_values, struct zs_bytes *keys)
{
    struct zs_buffer *out = &self->keys;
    int rc = ZS_OK;

    zs_buffer_reset(out);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        size_t start = out->len;
        rc = append_key(self, out, items[i].key);
        if (rc == ZS_OK && has_values)
            rc = zs_buffer_append(out, items[i].value.data, items[i].value.len);
        keys[i].len = out->len - start;
    }
    for (size_t i = 0, start = 0; rc == ZS_OK && i < n; start += keys[i++].len)
        keys[i].data = out->data + start;
    return rc;
}

int zs_trace_write_weight(struct zs_buffer *out, int64_t weight, size_t key_len)
{
    int rc;

    zs_buffer_reset(out);
    rc = zs_buffer_append_varint(out, zs_zigzag(weight));
    return rc == ZS_OK ? zs_buffer_append_varint(out, key_len) : rc;
}

int zs_trace_read_weight(struct zs_bytes bytes, int64_t *weight, size_t *key_len)
{
    size_t at = 0;
    uint64_t zigzag;
    uint64_t len;

    if (zs_bytes_read_varint(bytes, &at, &zigzag) != ZS_OK ||
        zs_bytes_read_varint(bytes, &at, &len) != ZS_OK || at != bytes.len || len > SIZE_MAX)
        return ZS_CORRUPT;
    *weight = zs_unzigzag(zigzag);
    *key_len = (size_t)len;
    return *weight == 0 ? ZS_CORRUPT : ZS_OK;
}

int zs_trace_read_element(const struct zs_cells_trace *self, struct zs_bytes cell_key,
    struct zs_bytes cell_value, struct zs_item *element)
{
    size_t start = self->is_private ? 0 : 1;
    size_t key_len;
    int rc = zs_trace_read_weight(cell_value, &element->weight, &key_len);

    if (rc != ZS_OK)
        return rc;
    if (cell_key.len < start || key_len > cell_key.len - start)
        return ZS_CORRUPT;
    element->key = (struct zs_bytes){cell_key.data + start, key_len};
    element->value =
        (struct zs_bytes){cell_key.data + start + key_len, cell_key.len - start - key_len};
    return ZS_OK;
}

int zs_trace_read_plain_key(struct zs_cells_trace *self, struct zs_bytes *key)
{
    int rc;

    if (!self->is_private)
        return ZS_OK;
    key->len--;
    zs_buffer_reset(&self->plain_key);
    rc = zs_escape_undo(&self->plain_key, *key);
    *key = zs_buffer_bytes(&self->plain_key);
    return rc;
}
