/* Escaped bytes. */
#include "core/escape.h"

#include <string.h>

static size_t escaped_len(struct zs_bytes bytes)
{
    size_t len = bytes.len;
    for (size_t i = 0; i < bytes.len; i++)
        len += bytes.data[i] <= 1;
    return len;
}

int zs_escape_append(struct zs_buffer *out, struct zs_bytes bytes)
{
    size_t len = escaped_len(bytes);
    uint8_t *to;
    int rc;

    if (len == bytes.len)
        return zs_buffer_append(out, bytes.data, len);
    rc = zs_buffer_reserve(out, len);
    if (rc != ZS_OK)
        return rc;
    to = out->data + out->len;
    for (size_t i = 0; i < bytes.len; i++) {
        uint8_t byte = bytes.data[i];
        if (byte <= 1)
            *to++ = 1;
        *to++ = byte <= 1 ? byte + 1 : byte;
    }
    out->len += len;
    return ZS_OK;
}

int zs_escape_skip(struct zs_bytes bytes, size_t *at)
{
    const uint8_t *end = NULL;

    if (*at < bytes.len)
        end = memchr(bytes.data + *at, ZS_ESCAPE_END, bytes.len - *at);
    if (end == NULL)
        return ZS_CORRUPT;
    *at = (size_t)(end - bytes.data) + 1;
    return ZS_OK;
}

int zs_escape_undo(struct zs_buffer *out, struct zs_bytes escaped)
{
    size_t len = out->len;
    int rc = zs_buffer_reserve(out, escaped.len);

    for (size_t i = 0; rc == ZS_OK && i < escaped.len; i++) {
        uint8_t byte = escaped.data[i];
        if (byte <= 1) {
            bool is_pair = byte == 1 && i + 1 < escaped.len;
            byte = is_pair ? escaped.data[++i] - 1 : UINT8_MAX;
            if (byte > 1)
                rc = ZS_CORRUPT;
        }
        if (rc == ZS_OK)
            out->data[out->len++] = byte;
    }
    if (rc != ZS_OK)
        out->len = len;
    return rc;
}
