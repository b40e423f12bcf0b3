/* Rows of SQL values as bytes: the identity encoding.
**
** Format 1, a tag byte and its payload:
**   0x00        NULL
**   0x10 + n    INTEGER: its n low bytes in two's complement, as few as will do (none for 0)
**   0x20 + n    REAL: the n high bytes of its IEEE bits, the others being zero
**   0x30, 0x31  TEXT, BLOB: varint length, bytes
** Numbers of several bytes are big-endian. Equal values have equal bytes. */
#include "core/row.h"

#include <math.h>
#include <string.h>

enum {
    ID_NULL = 0x00,
    ID_INTEGER = 0x10,
    ID_REAL = 0x20,
    ID_TEXT = 0x30,
    ID_BLOB = 0x31,

    NUMBER_MAX = 9,
};

/* A NaN cannot be told from NULL. */
static enum zs_type type_of(const struct zs_value *value)
{
    return value->type == ZS_REAL && isnan(value->real) ? ZS_NULL : value->type;
}

static uint64_t bits_of(double real)
{
    uint64_t bits;
    memcpy(&bits, &real, sizeof(bits));
    return bits;
}

static uint64_t big_endian(uint64_t bits)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(bits) : bits;
}

/* The high n bytes of bits, after the tag. out has room for eight, however few they are. */
static size_t put_bytes(uint8_t *out, unsigned tag, uint64_t bits, unsigned n)
{
    out[0] = (uint8_t)(tag + n);
    bits = big_endian(bits);
    memcpy(out + 1, &bits, sizeof(bits));
    return 1 + n;
}

static size_t put_integer(uint8_t *out, int64_t integer)
{
    uint64_t sign = integer < 0 ? UINT64_MAX : 0;
    uint64_t significant = (uint64_t)integer ^ sign;
    unsigned n;

    if (integer == 0)
        return put_bytes(out, ID_INTEGER, 0, 0);
    /* n bytes hold an integer if the bits above them repeat its sign, which takes one bit. */
    n = significant == 0 ? 1 : (64u - (unsigned)__builtin_clzll(significant)) / 8 + 1;
    return put_bytes(out, ID_INTEGER, (uint64_t)integer << (64 - 8 * n), n);
}

static size_t put_real(uint8_t *out, double real)
{
    uint64_t bits = bits_of(real);
    unsigned n = bits == 0 ? 0 : 8 - (unsigned)__builtin_ctzll(bits) / 8;

    return put_bytes(out, ID_REAL, bits, n);
}

static int append_counted(struct zs_buffer *row, uint8_t tag, struct zs_bytes bytes)
{
    size_t len = row->len;
    int rc = zs_buffer_append_byte(row, tag);
    if (rc == ZS_OK)
        rc = zs_buffer_append_varint(row, bytes.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(row, bytes.data, bytes.len);
    if (rc != ZS_OK)
        row->len = len;
    return rc;
}

/* Room for a number. */
static int reserve_number(struct zs_buffer *row)
{
    return row->cap - row->len < NUMBER_MAX ? zs_buffer_reserve(row, NUMBER_MAX) : ZS_OK;
}

int zs_row_append_integer(struct zs_buffer *row, int64_t integer)
{
    int rc = reserve_number(row);
    if (rc == ZS_OK)
        row->len += put_integer(row->data + row->len, integer);
    return rc;
}

int zs_row_append_real(struct zs_buffer *row, double real)
{
    int rc;

    if (isnan(real))
        return zs_buffer_append_byte(row, ID_NULL);
    rc = reserve_number(row);
    if (rc == ZS_OK)
        row->len += put_real(row->data + row->len, real);
    return rc;
}

int zs_row_append_identity(struct zs_buffer *row, const struct zs_value *value)
{
    switch (value->type) {
    case ZS_INTEGER:
        return zs_row_append_integer(row, value->integer);
    case ZS_REAL:
        return zs_row_append_real(row, value->real);
    case ZS_TEXT:
        return append_counted(row, ID_TEXT, value->bytes);
    case ZS_BLOB:
        return append_counted(row, ID_BLOB, value->bytes);
    case ZS_NULL:
        break;
    }
    return zs_buffer_append_byte(row, ID_NULL);
}

static int read_counted(
    struct zs_bytes row, size_t *at, enum zs_type type, struct zs_value *value)
{
    size_t i = *at + 1;
    uint64_t len;

    if (zs_bytes_read_varint(row, &i, &len) != ZS_OK || len > row.len - i)
        return ZS_CORRUPT;
    if (i > *at + 2 && row.data[i - 1] == 0)
        return ZS_CORRUPT; /* a varint longer than it need be */
    value->type = type;
    value->bytes = (struct zs_bytes){row.data + i, (size_t)len};
    *at = i + (size_t)len;
    return ZS_OK;
}

/* n bytes, one to eight, of those that are there, at the top of a number. */
static uint64_t read_bytes(const uint8_t *from, size_t n, size_t n_there)
{
    uint64_t bits = 0;

    if (n_there >= sizeof(bits)) {
        memcpy(&bits, from, sizeof(bits));
        return big_endian(bits) & UINT64_MAX << (64 - 8 * n);
    }
    for (size_t i = 0; i < n; i++)
        bits |= (uint64_t)from[i] << (56 - 8 * i);
    return bits;
}

/* Does the first of n bytes merely repeat the sign of the second, or stand for zero alone? */
static bool is_too_long(const uint8_t *integer, size_t n)
{
    if (n < 2)
        return n == 1 && integer[0] == 0;
    return integer[0] == ((integer[1] & 0x80) != 0 ? 0xff : 0);
}

/* Of n bytes, the last one not zero: what has the exponent of infinity and is longer. */
static bool is_nan(const uint8_t *real, size_t n)
{
    return n >= 2 && (real[0] & 0x7f) == 0x7f && real[1] >= 0xf0 && (n > 2 || real[1] > 0xf0);
}

/* Is the number at at, of a payload of n bytes, what put_integer or put_real writes? Nothing
** else is read: then equal values have equal bytes, wherever they came from. */
static bool is_number_sound(struct zs_bytes row, size_t at, size_t *n)
{
    uint8_t tag = row.data[at];
    const uint8_t *payload = row.data + at + 1;

    *n = tag & 0x0f;
    if (*n > 8 || *n >= row.len - at)
        return false;
    if (tag < ID_REAL)
        return !is_too_long(payload, *n);
    return *n == 0 || (payload[*n - 1] != 0 && !is_nan(payload, *n));
}

static int read_number(struct zs_bytes row, size_t *at, struct zs_value *value)
{
    const uint8_t *payload = row.data + *at + 1;
    bool is_integer = row.data[*at] < ID_REAL;
    uint64_t bits;
    size_t n;

    if (!is_number_sound(row, *at, &n))
        return ZS_CORRUPT;
    bits = n == 0 ? 0 : read_bytes(payload, n, row.len - *at - 1);
    if (is_integer) {
        value->type = ZS_INTEGER;
        value->integer = n == 0 ? 0 : (int64_t)bits >> (64 - 8 * n);
    } else {
        value->type = ZS_REAL;
        memcpy(&value->real, &bits, sizeof(bits));
    }
    *at += 1 + n;
    return ZS_OK;
}

int zs_row_read(struct zs_bytes row, size_t *at, struct zs_value *value)
{
    uint8_t tag;

    if (*at >= row.len)
        return ZS_CORRUPT;
    tag = row.data[*at];
    if (tag >= ID_INTEGER && tag < ID_TEXT)
        return read_number(row, at, value);
    if (tag == ID_TEXT || tag == ID_BLOB)
        return read_counted(row, at, tag == ID_TEXT ? ZS_TEXT : ZS_BLOB, value);
    if (tag != ID_NULL)
        return ZS_CORRUPT;
    *value = (struct zs_value){.type = ZS_NULL};
    *at += 1;
    return ZS_OK;
}

int zs_row_skip(struct zs_bytes row, size_t *at)
{
    struct zs_value value;
    size_t n;

    if (*at >= row.len || row.data[*at] < ID_INTEGER || row.data[*at] >= ID_TEXT)
        return zs_row_read(row, at, &value);
    if (!is_number_sound(row, *at, &n))
        return ZS_CORRUPT;
    *at += 1 + n;
    return ZS_OK;
}

bool zs_value_is_identical(const struct zs_value *a, const struct zs_value *b)
{
    if (type_of(a) != type_of(b))
        return false;
    switch (type_of(a)) {
    case ZS_INTEGER:
        return a->integer == b->integer;
    case ZS_REAL:
        return bits_of(a->real) == bits_of(b->real);
    case ZS_TEXT:
    case ZS_BLOB:
        return zs_bytes_equal(a->bytes, b->bytes);
    case ZS_NULL:
        break;
    }
    return true;
}
