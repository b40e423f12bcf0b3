/* Rows of SQL values as bytes: the comparison encoding, and comparing without it.
**
** Format 1, a tag byte and its payload:
**   0x01        NULL
**   0x50        zero; the other numbers lie around it, at 0x50 + c or, negative, at 0x50 - c:
**               c = 1 below 1, c = 2 + e from 2^e to 2^(e+1) for e < 64, c = 66 from there on,
**               c = 67 infinity. Where c is 1 or 66 follows the exponent e + 2048 in two bytes,
**               big-endian; then, but for infinity, the fraction bits of the magnitude
**               1.fff * 2^e from the top, seven a byte; the lowest bit of a byte is set if more
**               bits follow. A negative number's bytes after the tag are complemented.
**   0xA0        TEXT: the collation's key (collation.c), escaped and ended (escape.h)
**   0xB0        BLOB: its bytes, escaped and ended */
#include "core/row.h"

#include <math.h>
#include <string.h>

#include "core/collation.h"
#include "core/escape.h"

enum {
    KEY_NULL = 0x01,
    KEY_ZERO = 0x50,
    KEY_TEXT = 0xA0,
    KEY_BLOB = 0xB0,

    CLASS_BELOW_ONE = 1,
    CLASS_ONE = 2, /* + exponent */
    CLASS_HUGE = 66,
    CLASS_INFINITY = 67,

    EXPONENT_BIAS = 2048,
    FRACTION_MAX = 9, /* bytes of the longest fraction */
    NUMBER_MAX = 1 + 2 + FRACTION_MAX,
};

/* A NaN cannot be told from NULL. */
static enum zs_type type_of(const struct zs_value *value)
{
    return value->type == ZS_REAL && isnan(value->real) ? ZS_NULL : value->type;
}

/* A finite number but zero: fraction is what follows the leading one bit, from the top. */
struct magnitude {
    bool is_negative;
    int exponent;
    uint64_t fraction;
};

static struct magnitude normalise(bool is_negative, uint64_t bits, int exponent_of_top)
{
    int n_zeros = __builtin_clzll(bits);
    bits <<= n_zeros;
    return (struct magnitude){is_negative, exponent_of_top - n_zeros, bits << 1};
}

static struct magnitude magnitude_of_integer(int64_t integer)
{
    uint64_t bits = (uint64_t)integer;
    return normalise(integer < 0, integer < 0 ? -bits : bits, 63);
}

static struct magnitude magnitude_of_real(double real)
{
    uint64_t bits;
    int exponent;
    uint64_t fraction;

    memcpy(&bits, &real, sizeof(bits));
    exponent = (int)(bits >> 52 & 0x7ff);
    fraction = bits << 12;
    if (exponent == 0)
        return normalise(bits >> 63, fraction, -1023);
    return (struct magnitude){bits >> 63, exponent - 1023, fraction};
}

static size_t put_magnitude(uint8_t *out, struct magnitude number)
{
    uint8_t flip = number.is_negative ? 0xff : 0;
    int class = number.exponent < 0 ? CLASS_BELOW_ONE : CLASS_ONE + number.exponent;
    size_t n = 1;

    if (class > CLASS_HUGE)
        class = CLASS_HUGE;
    out[0] = (uint8_t)(KEY_ZERO + (number.is_negative ? -class : class));
    if (class == CLASS_BELOW_ONE || class == CLASS_HUGE) {
        out[n++] = (uint8_t)((number.exponent + EXPONENT_BIAS) >> 8) ^ flip;
        out[n++] = (uint8_t)(number.exponent + EXPONENT_BIAS) ^ flip;
    }
    do {
        uint8_t seven = (uint8_t)(number.fraction >> 57);
        number.fraction <<= 7;
        out[n++] = (uint8_t)(seven << 1 | (number.fraction != 0)) ^ flip;
    } while (number.fraction != 0);
    return n;
}

static size_t put_number(uint8_t *out, const struct zs_value *value)
{
    if (value->type == ZS_INTEGER ? value->integer == 0 : value->real == 0) {
        out[0] = KEY_ZERO;
        return 1;
    }
    if (value->type == ZS_REAL && isinf(value->real)) {
        out[0] = value->real < 0 ? KEY_ZERO - CLASS_INFINITY : KEY_ZERO + CLASS_INFINITY;
        return 1;
    }
    return put_magnitude(out, value->type == ZS_INTEGER ? magnitude_of_integer(value->integer)
                                                        : magnitude_of_real(value->real));
}

static int append_number(struct zs_buffer *row, const struct zs_value *value)
{
    int rc = row->cap - row->len < NUMBER_MAX ? zs_buffer_reserve(row, NUMBER_MAX) : ZS_OK;

    if (rc == ZS_OK)
        row->len += put_number(row->data + row->len, value);
    return rc;
}

int zs_row_append_comparison(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    enum zs_type type = type_of(value);
    size_t len = row->len;
    int rc;

    if (type == ZS_NULL)
        return zs_buffer_append_byte(row, KEY_NULL);
    if (type == ZS_INTEGER || type == ZS_REAL)
        return append_number(row, value);
    rc = zs_buffer_append_byte(row, type == ZS_TEXT ? KEY_TEXT : KEY_BLOB);
    if (rc == ZS_OK && type == ZS_TEXT)
        rc = zs_collation_append_key(row, value->bytes, collation);
    else if (rc == ZS_OK)
        rc = zs_escape_append(row, value->bytes);
    if (rc == ZS_OK)
        rc = zs_buffer_append_byte(row, ZS_ESCAPE_END);
    if (rc != ZS_OK)
        row->len = len;
    return rc;
}

static int skip_fraction(struct zs_bytes row, size_t *at, size_t from, bool is_negative)
{
    uint8_t last = is_negative ? 1 : 0;

    for (size_t i = from; i < row.len && i - from < FRACTION_MAX; i++) {
        if ((row.data[i] & 1) == last) {
            *at = i + 1;
            return ZS_OK;
        }
    }
    return ZS_CORRUPT;
}

int zs_row_skip_comparison(struct zs_bytes row, size_t *at)
{
    uint8_t tag;
    int class;

    if (*at >= row.len)
        return ZS_CORRUPT;
    tag = row.data[*at];
    if (tag == KEY_TEXT || tag == KEY_BLOB)
        return zs_escape_skip(row, at);
    class = tag < KEY_ZERO ? KEY_ZERO - tag : tag - KEY_ZERO;
    if (tag == KEY_NULL || class == 0 || class == CLASS_INFINITY) {
        *at += 1;
        return ZS_OK;
    }
    if (class > CLASS_INFINITY)
        return ZS_CORRUPT;
    return skip_fraction(row, at,
        *at + (class == CLASS_BELOW_ONE || class == CLASS_HUGE ? 3 : 1), tag < KEY_ZERO);
}

bool zs_row_is_comparison_of_integer(struct zs_bytes row, int64_t *integer)
{
    uint64_t bits = 0; /* behind the leading one, from the top */
    int exponent, shift = 57;
    size_t at = 0;

    if (row.len == 0 || row.data[0] < KEY_ZERO || row.data[0] >= KEY_ZERO + CLASS_ONE + 63)
        return false;
    *integer = 0;
    if (row.data[0] == KEY_ZERO)
        return row.len == 1;
    exponent = row.data[0] - KEY_ZERO - CLASS_ONE;
    do {
        if (++at == row.len || at > FRACTION_MAX)
            return false;
        bits |= shift >= 0 ? (uint64_t)(row.data[at] >> 1) << shift
                           : (uint64_t)(row.data[at] >> 1) >> -shift;
        shift -= 7;
    } while ((row.data[at] & 1) != 0);
    if (exponent < 0 || at + 1 != row.len || (bits << exponent) != 0)
        return false;
    *integer =
        (int64_t)((uint64_t)1 << exponent | (exponent == 0 ? 0 : bits >> (64 - exponent)));
    return true;
}

static int sign_of(bool is_greater, bool is_less)
{
    return (int)is_greater - (int)is_less;
}

/* Exact: a double that lies within int64 is split into its integer and what is left. */
static int compare_integer_real(int64_t integer, double real)
{
    int64_t whole;

    if (real >= 0x1p63)
        return -1;
    if (real < -0x1p63)
        return 1;
    whole = (int64_t)real;
    if (integer != whole)
        return sign_of(integer > whole, integer < whole);
    return sign_of((double)whole > real, (double)whole < real);
}

static int compare_numbers(const struct zs_value *a, const struct zs_value *b)
{
    if (a->type == ZS_INTEGER && b->type == ZS_INTEGER)
        return sign_of(a->integer > b->integer, a->integer < b->integer);
    if (a->type == ZS_INTEGER)
        return compare_integer_real(a->integer, b->real);
    if (b->type == ZS_INTEGER)
        return -compare_integer_real(b->integer, a->real);
    return sign_of(a->real > b->real, a->real < b->real);
}

int zs_value_compare(
    const struct zs_value *a, const struct zs_value *b, enum zs_collation collation)
{
    /* How the types rank: NULL, numbers, text, blobs. */
    static const uint8_t rank[] = {
        [ZS_NULL] = 0, [ZS_INTEGER] = 1, [ZS_REAL] = 1, [ZS_TEXT] = 2, [ZS_BLOB] = 3};
    int a_rank = rank[type_of(a)];
    int b_rank = rank[type_of(b)];

    if (a_rank != b_rank)
        return a_rank - b_rank;
    switch (type_of(a)) {
    case ZS_INTEGER:
    case ZS_REAL:
        return compare_numbers(a, b);
    case ZS_TEXT:
        return zs_collation_compare(a->bytes, b->bytes, collation);
    case ZS_BLOB:
        return zs_bytes_compare(a->bytes, b->bytes);
    case ZS_NULL:
        break;
    }
    return 0;
}
