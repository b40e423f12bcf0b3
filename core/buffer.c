/* A growable run of bytes. Invariant: len <= cap, and data is NULL exactly when cap is 0. */
#include "core/buffer.h"

int zs_buffer_reserve(struct zs_buffer *buffer, size_t n)
{
    if (n > SIZE_MAX - buffer->len)
        return ZS_NOMEM;
    return zs_alloc_reserve(buffer->alloc, &buffer->data, &buffer->cap, buffer->len + n, 1);
}

int zs_bytes_read_long_varint(struct zs_bytes bytes, size_t *at, uint64_t *n)
{
    uint64_t value = 0;
    size_t i = *at;

    for (unsigned shift = 0; i < bytes.len; shift += 7) {
        uint8_t byte = bytes.data[i++];
        if (shift == 63 && byte > 1)
            return ZS_CORRUPT;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *at = i;
            *n = value;
            return ZS_OK;
        }
    }
    return ZS_CORRUPT;
}
