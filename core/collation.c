/* How texts compare.
**
** Keys: the bytes themselves; without trailing spaces (RTRIM); as UTF-16; or, NOCASE, folded
** and cut at the first NUL. Where there is one, a NUL and the length of the whole text in
** eight bytes, big-endian, take the place of the rest: SQLite's NOCASE stops at a NUL that
** both have, and the lengths decide. */
#include "core/collation.h"

#include <string.h>

#include "core/escape.h"

static int sign_of(size_t a, size_t b)
{
    return (int)(a > b) - (int)(a < b);
}

static struct zs_bytes without_spaces(struct zs_bytes text)
{
    while (text.len > 0 && text.data[text.len - 1] == ' ')
        text.len--;
    return text;
}

/* NOCASE */

static uint8_t fold(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

static struct zs_bytes before_nul(struct zs_bytes text)
{
    const uint8_t *nul = text.len == 0 ? NULL : memchr(text.data, 0, text.len);
    return nul == NULL ? text : (struct zs_bytes){text.data, (size_t)(nul - text.data)};
}

/* Folding makes no byte of 0 or 1 nor changes one, so it may come after the escaping. */
static int append_folded(struct zs_buffer *key, struct zs_bytes text)
{
    size_t start = key->len;
    struct zs_bytes head = before_nul(text);
    uint8_t tail[9] = {0};
    int rc = zs_escape_append(key, head);

    if (rc != ZS_OK)
        return rc;
    for (size_t i = start; i < key->len; i++)
        key->data[i] = fold(key->data[i]);
    if (head.len == text.len)
        return ZS_OK;
    for (unsigned i = 0; i < 8; i++)
        tail[1 + i] = (uint8_t)((uint64_t)text.len >> (56 - 8 * i));
    return zs_escape_append(key, (struct zs_bytes){tail, sizeof(tail)});
}

static int compare_folded(struct zs_bytes a, struct zs_bytes b)
{
    struct zs_bytes a_head = before_nul(a);
    struct zs_bytes b_head = before_nul(b);

    for (size_t i = 0; i < a_head.len && i < b_head.len; i++) {
        int order = fold(a_head.data[i]) - fold(b_head.data[i]);
        if (order != 0)
            return order;
    }
    if (a_head.len != b_head.len)
        return sign_of(a_head.len, b_head.len);
    return sign_of(a.len, b.len);
}

/* UTF-16 */

/* One character of UTF-8 as SQLite's decoder reads it, valid or not, except that U+FFFE, U+FFFF
** and lone surrogates stay what they are: text of a UTF-16 database may hold them. */
static uint32_t next_character(struct zs_bytes text, size_t *at)
{
    uint32_t c = text.data[(*at)++];

    if (c < 0xc0)
        return c;
    c &= c < 0xe0 ? 0x1f : c < 0xf0 ? 0x0f : c < 0xf8 ? 0x07 : c < 0xfc ? 0x03 : c < 0xfe;
    while (*at < text.len && (text.data[*at] & 0xc0) == 0x80)
        c = c << 6 | (text.data[(*at)++] & 0x3f);
    return c < 0x80 ? 0xfffd : c;
}

/* Text in UTF-8 read as the bytes of a UTF-16 database's. */
struct units {
    struct zs_bytes text; /* borrowed */
    size_t at;
    bool is_little;
    uint8_t n;
    uint8_t i;
    uint8_t bytes[4];
};

static void put_unit(struct units *units, uint32_t unit)
{
    units->bytes[units->n++] = (uint8_t)(units->is_little ? unit : unit >> 8);
    units->bytes[units->n++] = (uint8_t)(units->is_little ? unit >> 8 : unit);
}

static void read_character(struct units *units)
{
    uint32_t c = next_character(units->text, &units->at);

    units->n = 0;
    units->i = 0;
    if (c > 0xffff) {
        put_unit(units, 0xd800 | ((c - 0x10000) >> 10 & 0x3ff));
        c = 0xdc00 | (c & 0x3ff);
    }
    put_unit(units, c);
}

/* -1 at the end. */
static int next_byte(struct units *units)
{
    if (units->i == units->n) {
        if (units->at == units->text.len)
            return -1;
        read_character(units);
    }
    return units->bytes[units->i++];
}

static int append_utf16(struct zs_buffer *key, struct zs_bytes text, bool is_little)
{
    struct units units = {.text = text, .is_little = is_little};
    int rc = ZS_OK;

    while (rc == ZS_OK && units.at < text.len) {
        read_character(&units);
        rc = zs_escape_append(key, (struct zs_bytes){units.bytes, units.n});
    }
    return rc;
}

static int compare_utf16(struct zs_bytes a, struct zs_bytes b, bool is_little)
{
    struct units a_units = {.text = a, .is_little = is_little};
    struct units b_units = {.text = b, .is_little = is_little};

    for (;;) {
        int a_byte = next_byte(&a_units);
        int b_byte = next_byte(&b_units);
        if (a_byte != b_byte || a_byte < 0)
            return a_byte - b_byte;
    }
}

int zs_collation_append_key(
    struct zs_buffer *key, struct zs_bytes text, enum zs_collation collation)
{
    switch (collation) {
    case ZS_NOCASE:
        return append_folded(key, text);
    case ZS_RTRIM:
        return zs_escape_append(key, without_spaces(text));
    case ZS_BINARY_16LE:
    case ZS_BINARY_16BE:
        return append_utf16(key, text, collation == ZS_BINARY_16LE);
    case ZS_BINARY:
        break;
    }
    return zs_escape_append(key, text);
}

int zs_collation_compare(struct zs_bytes a, struct zs_bytes b, enum zs_collation collation)
{
    switch (collation) {
    case ZS_NOCASE:
        return compare_folded(a, b);
    case ZS_RTRIM:
        return zs_bytes_compare(without_spaces(a), without_spaces(b));
    case ZS_BINARY_16LE:
    case ZS_BINARY_16BE:
        return compare_utf16(a, b, collation == ZS_BINARY_16LE);
    case ZS_BINARY:
        break;
    }
    return zs_bytes_compare(a, b);
}
