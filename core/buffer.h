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
static inline void zs_buffer_init(struct zs_buffer *buffer, const struct zs_alloc *alloc)
{
    *buffer = (struct zs_buffer){.alloc = alloc};
}

/* Frees the bytes; the buffer is empty and usable again. */
static inline void zs_buffer_clear(struct zs_buffer *buffer)
{
    if (buffer->cap > 0)
        zs_alloc_free(buffer->alloc, buffer->data);
    zs_buffer_init(buffer, buffer->alloc);
}

/* Forgets the bytes and keeps the memory. */
static inline void zs_buffer_reset(struct zs_buffer *buffer)
{
    buffer->len = 0;
}

/* Room for n more bytes. ZS_NOMEM leaves the buffer unchanged. */
ZS_CHECKED int zs_buffer_reserve(struct zs_buffer *buffer, size_t n);

/* memcpy, without a call or a loop where n is small: the first bytes and the last, which may
** overlap. */
static inline void zs_copy(uint8_t *to, const void *from, size_t n)
{
    const uint8_t *bytes = from; /* NULL where n is 0 */
    uint64_t first;
    uint64_t last;

    if (n > 2 * sizeof(first)) {
        memcpy(to, from, n);
    } else if (n >= sizeof(first)) {
        memcpy(&first, bytes, sizeof(first));
        memcpy(&last, bytes + n - sizeof(last), sizeof(last));
        memcpy(to, &first, sizeof(first));
        memcpy(to + n - sizeof(last), &last, sizeof(last));
    } else if (n >= 4) {
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + n - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + n - 4, &last, 4);
    } else if (n > 0) {
        uint8_t middle = bytes[n / 2];
        uint8_t final = bytes[n - 1];
        to[0] = bytes[0];
        to[n / 2] = middle;
        to[n - 1] = final;
    }
}

ZS_CHECKED static inline int zs_buffer_append(
    struct zs_buffer *buffer, const void *data, size_t n)
{
    int rc = n <= buffer->cap - buffer->len ? ZS_OK : zs_buffer_reserve(buffer, n);
    if (rc == ZS_OK && n > 0) {
        zs_copy(buffer->data + buffer->len, data, n);
        buffer->len += n;
    }
    return rc;
}

/* Bytes in place of what the buffer held, which are not its own; ZS_NOMEM leaves it empty. */
ZS_CHECKED static inline int zs_buffer_set(struct zs_buffer *buffer, struct zs_bytes bytes)
{
    zs_buffer_reset(buffer);
    return zs_buffer_append(buffer, bytes.data, bytes.len);
}

ZS_CHECKED static inline int zs_buffer_append_byte(struct zs_buffer *buffer, uint8_t byte)
{
    return zs_buffer_append(buffer, &byte, 1);
}

/* Unsigned LEB128: seven bits a byte, least significant first, at most ten bytes. */
enum { ZS_VARINT_MAX = 10 };

/* Signed numbers as unsigned ones, so that small ones have short varints: 0, -1, 1, -2, ... are
** 0, 1, 2, 3, ...; and back. */
static inline uint64_t zs_zigzag(int64_t n)
{
    return (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0);
}

static inline int64_t zs_unzigzag(uint64_t zigzag)
{
    return (int64_t)(zigzag >> 1 ^ (zigzag & 1 ? UINT64_MAX : 0));
}

/* Writes a varint where there is room for it; how many bytes it took. */
static inline size_t zs_varint_put(uint8_t *out, uint64_t n)
{
    size_t len = 0;

    for (; n >= 0x80; n >>= 7)
        out[len++] = (uint8_t)(n | 0x80);
    out[len++] = (uint8_t)n;
    return len;
}

ZS_CHECKED static inline int zs_buffer_append_varint(struct zs_buffer *buffer, uint64_t n)
{
    int rc = buffer->cap - buffer->len < ZS_VARINT_MAX
                 ? zs_buffer_reserve(buffer, ZS_VARINT_MAX)
                 : ZS_OK;
    if (rc == ZS_OK)
        buffer->len += zs_varint_put(buffer->data + buffer->len, n);
    return rc;
}

/* One of any length; for the following, of which most calls are about one byte or two. */
ZS_CHECKED int zs_bytes_read_long_varint(struct zs_bytes bytes, size_t *at, uint64_t *n);

/* Reads a varint at *at, which moves past it. ZS_CORRUPT if it does not end within bytes or
** exceeds 64 bits; then *at is unchanged. */
ZS_CHECKED static inline int zs_bytes_read_varint(
    struct zs_bytes bytes, size_t *at, uint64_t *n)
{
    size_t i = *at;

    if (i >= bytes.len)
        return ZS_CORRUPT;
    *n = bytes.data[i++];
    if (*n >= 0x80) {
        if (i >= bytes.len || bytes.data[i] >= 0x80)
            return zs_bytes_read_long_varint(bytes, at, n);
        *n = (*n & 0x7f) | (uint64_t)bytes.data[i++] << 7;
    }
    *at = i;
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

/* memcmp(a, b, n) == 0, without a call or a loop where n is small, likewise. */
static inline bool zs_is_same(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint64_t first[2] = {0};
    uint64_t last[2] = {0};

    if (n > 2 * sizeof(*first))
        return memcmp(a, b, n) == 0;
    if (n >= sizeof(*first)) {
        memcpy(&first[0], a, sizeof(*first));
        memcpy(&first[1], b, sizeof(*first));
        memcpy(&last[0], a + n - sizeof(*last), sizeof(*last));
        memcpy(&last[1], b + n - sizeof(*last), sizeof(*last));
    } else if (n >= 4) {
        memcpy(&first[0], a, 4);
        memcpy(&first[1], b, 4);
        memcpy(&last[0], a + n - 4, 4);
        memcpy(&last[1], b + n - 4, 4);
    } else {
        return n == 0 || (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
    }
    return first[0] == first[1] && last[0] == last[1];
}

static inline bool zs_bytes_equal(struct zs_bytes a, struct zs_bytes b)
{
    return a.len == b.len && zs_is_same(a.data, b.data, a.len);
}

#endif
