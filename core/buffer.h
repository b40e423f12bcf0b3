/* A growable run of bytes, and a borrowed slice of one. */
#ifndef ZS_BUFFER_H
#define ZS_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/alloc.h"
#include "core/status.h"

/* Borrowed: says nothing about who owns data. data may be NULL where len is 0. */
struct zs_bytes {
    const uint8_t *data;
    size_t len;
};

struct zs_buffer {
    const struct zs_alloc *alloc; /* borrowed */
    uint8_t *data;
    size_t len;
    size_t cap;
};

/* An empty buffer that owns nothing yet; cannot fail. */
void zs_buffer_init(struct zs_buffer *buffer, const struct zs_alloc *alloc);

/* Frees the bytes; the buffer is empty and usable again. */
void zs_buffer_clear(struct zs_buffer *buffer);

/* Forgets the bytes and keeps the memory. */
static inline void zs_buffer_reset(struct zs_buffer *buffer)
{
    buffer->len = 0;
}

/* Room for n more bytes. ZS_NOMEM leaves the buffer unchanged. */
ZS_CHECKED int zs_buffer_reserve(struct zs_buffer *buffer, size_t n);

ZS_CHECKED static inline int zs_buffer_append(
    struct zs_buffer *buffer, const void *data, size_t n)
{
    int rc = n <= buffer->cap - buffer->len ? ZS_OK : zs_buffer_reserve(buffer, n);
    if (rc == ZS_OK && n > 0) {
        memcpy(buffer->data + buffer->len, data, n);
        buffer->len += n;
    }
    return rc;
}

ZS_CHECKED static inline int zs_buffer_append_byte(struct zs_buffer *buffer, uint8_t byte)
{
    return zs_buffer_append(buffer, &byte, 1);
}

/* One of any length; for the functions below, of which most calls are about one byte. */
ZS_CHECKED int zs_buffer_append_long_varint(struct zs_buffer *buffer, uint64_t n);
ZS_CHECKED int zs_bytes_read_long_varint(struct zs_bytes bytes, size_t *at, uint64_t *n);

/* Unsigned LEB128: seven bits a byte, least significant first, at most ten bytes. */
ZS_CHECKED static inline int zs_buffer_append_varint(struct zs_buffer *buffer, uint64_t n)
{
    return n < 0x80 ? zs_buffer_append_byte(buffer, (uint8_t)n)
                    : zs_buffer_append_long_varint(buffer, n);
}

/* Reads a varint at *at, which moves past it. ZS_CORRUPT if it does not end within bytes or
** exceeds 64 bits; then *at is unchanged. */
ZS_CHECKED static inline int zs_bytes_read_varint(
    struct zs_bytes bytes, size_t *at, uint64_t *n)
{
    if (*at >= bytes.len || bytes.data[*at] >= 0x80)
        return zs_bytes_read_long_varint(bytes, at, n);
    *n = bytes.data[(*at)++];
    return ZS_OK;
}

/* Valid until the buffer changes. */
static inline struct zs_bytes zs_buffer_bytes(const struct zs_buffer *buffer)
{
    return (struct zs_bytes){buffer->data, buffer->len};
}

/* memcmp order, a prefix before what it begins: negative, 0, positive. */
static inline int zs_bytes_compare(struct zs_bytes a, struct zs_bytes b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n == 0 ? 0 : memcmp(a.data, b.data, n);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static inline bool zs_bytes_equal(struct zs_bytes a, struct zs_bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

#endif
