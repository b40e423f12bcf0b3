/* Exact sums as bytes.
**
** Format 1:
**   tag      0x10, plus the flags below for what follows; a zero sum is the tag alone
**   flag 1   n_integers: not zero
**   flag 2   n_reals: not zero
**   flag 4   n_nan, n_plus_infinity, n_minus_infinity: not all zero
**   flag 8   exponent, length - 1, then length bytes: the finite part, not zero, is a two's
**            complement integer, least significant byte first, times 256^exponent. Its first
**            byte is not zero, its last does not merely repeat the sign of the one before
** Counts and the exponent are varints of zigzag numbers (0, -1, 1, -2, ...), the length is a
** varint; a varint has no trailing zero byte. */
#include <string.h>

#include "core/exact_limbs.h"

enum {
    format_tag = 0x10,
    has_integers = 1,
    has_reals = 2,
    has_specials = 4,
    has_limbs = 8,
};

enum {
    first_byte = 8 * ZS_LIMB_LOWEST, /* of the limbs */
    lowest_byte = first_byte + 1,    /* holds 2^-1074 */
    below_doubles = 0x3f,            /* its bits below that one */
    end_byte = 8 * ZS_LIMB_END,
    numbers_max = 1 + 7 * ZS_VARINT_MAX, /* bytes of all but the limbs */
};

/* From the machine's order of bytes to least significant first, and back. */
static uint64_t little_endian(uint64_t limb)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(limb) : limb;
}

static size_t put_zigzag(uint8_t *out, int64_t n)
{
    return zs_varint_put(out, zs_zigzag(n));
}

/* How many bytes at the end of a canonical view merely repeat the sign. */
static unsigned redundant_bytes(struct zs_limbs_view view)
{
    uint64_t top = view.data[view.len - 1];
    uint64_t significant = top ^ zs_limb_sign(top);

    /* A sign bit is needed above the significant ones. */
    return significant == 0 ? 7 : (unsigned)(__builtin_clzll(significant) - 1) / 8;
}

/* Limb i on, but for its first bytes, 64 bits. */
static uint64_t limb_without(struct zs_limbs_view view, uint32_t i, unsigned skipped)
{
    uint64_t next = i + 1 < view.len ? view.data[i + 1] : 0;
    return skipped == 0 ? view.data[i]
                        : view.data[i] >> 8 * skipped | next << (64 - 8 * skipped);
}

/* Whole limbs are written; what is too much of the last one does not count. */
static size_t put_limbs(uint8_t *out, struct zs_limbs_view view)
{
    unsigned skipped = (unsigned)__builtin_ctzll(view.data[0]) / 8;
    size_t n = 8 * (size_t)view.len - skipped - redundant_bytes(view);
    size_t len = put_zigzag(out, 8 * view.base + (int)skipped);

    len += zs_varint_put(out + len, n - 1);
    for (uint32_t i = 0; i < view.len; i++) {
        uint64_t limb = little_endian(limb_without(view, i, skipped));
        memcpy(out + len + 8 * i, &limb, sizeof(limb));
    }
    return len + n;
}

int zs_exact_append(const struct zs_exact *exact, struct zs_buffer *out)
{
    struct zs_limbs_view view = zs_limbs_canonical(&exact->limbs);
    uint8_t tag = format_tag;
    size_t len = 1;
    uint8_t *bytes;
    size_t room = numbers_max + 8 * (size_t)view.len;
    int rc = out->cap - out->len < room ? zs_buffer_reserve(out, room) : ZS_OK;

    if (rc != ZS_OK)
        return rc;
    bytes = out->data + out->len;

    if (exact->n_integers != 0) {
        tag |= has_integers;
        len += put_zigzag(bytes + len, exact->n_integers);
    }
    if (exact->n_reals != 0) {
        tag |= has_reals;
        len += put_zigzag(bytes + len, exact->n_reals);
    }
    if (zs_exact_has_specials(exact)) {
        tag |= has_specials;
        len += put_zigzag(bytes + len, exact->n_nan);
        len += put_zigzag(bytes + len, exact->n_plus_infinity);
        len += put_zigzag(bytes + len, exact->n_minus_infinity);
    }
    if (view.len > 0) {
        tag |= has_limbs;
        len += put_limbs(bytes + len, view);
    }
    bytes[0] = tag;
    out->len += len;
    return ZS_OK;
}

/* A varint in its one shortest form. */
static inline int read_varint(struct zs_bytes bytes, size_t *at, uint64_t *n)
{
    size_t start = *at;
    int rc = zs_bytes_read_varint(bytes, at, n);

    if (rc == ZS_OK && *at - start > 1 && bytes.data[*at - 1] == 0)
        return ZS_CORRUPT;
    return rc;
}

static inline int read_zigzag(struct zs_bytes bytes, size_t *at, int64_t *n)
{
    uint64_t zigzag = 0;
    int rc = read_varint(bytes, at, &zigzag);

    *n = zs_unzigzag(zigzag);
    return rc;
}

static int read_counts(struct zs_bytes bytes, size_t *at, uint8_t tag, struct zs_exact *exact)
{
    int rc = ZS_OK;

    if ((tag & has_integers) != 0) {
        rc = read_zigzag(bytes, at, &exact->n_integers);
        if (rc == ZS_OK && exact->n_integers == 0)
            rc = ZS_CORRUPT;
    }
    if (rc == ZS_OK && (tag & has_reals) != 0) {
        rc = read_zigzag(bytes, at, &exact->n_reals);
        if (rc == ZS_OK && exact->n_reals == 0)
            rc = ZS_CORRUPT;
    }
    if (rc == ZS_OK && (tag & has_specials) != 0) {
        rc = read_zigzag(bytes, at, &exact->n_nan);
        if (rc == ZS_OK)
            rc = read_zigzag(bytes, at, &exact->n_plus_infinity);
        if (rc == ZS_OK)
            rc = read_zigzag(bytes, at, &exact->n_minus_infinity);
        if (rc == ZS_OK && !zs_exact_has_specials(exact))
            rc = ZS_CORRUPT;
    }
    return rc;
}

/* Are these n bytes times 256^exponent what put_limbs would write? */
static bool is_canonical(const uint8_t *data, size_t n, int64_t exponent)
{
    uint8_t sign = (data[n - 1] & 0x80) != 0 ? 0xff : 0;
    bool is_redundant = n > 1 && data[n - 1] == sign && ((data[n - 2] ^ sign) & 0x80) == 0;
    bool is_too_fine = exponent == lowest_byte && (data[0] & below_doubles) != 0;

    return data[0] != 0 && !is_redundant && !is_too_fine;
}

/* Sets limbs, which are zero, to n bytes times 256^exponent. */
static int unpack(const uint8_t *data, uint32_t n, int32_t exponent, struct zs_exact *exact)
{
    uint32_t skipped = (uint32_t)(exponent - first_byte) % 8;
    uint32_t n_limbs = (skipped + n + 7) / 8;
    uint64_t *limbs;
    int rc = zs_limbs_make(&exact->limbs, exact->alloc,
        ZS_LIMB_LOWEST + (exponent - first_byte) / 8, n_limbs, &limbs);

    if (rc != ZS_OK)
        return rc;
    limbs[0] = 0;
    limbs[n_limbs - 1] = little_endian(
        zs_limb_sign((uint64_t)data[n - 1] << 56) << (n_limbs == 1 ? 8 * skipped : 0));
    memcpy((uint8_t *)limbs + skipped, data, n);
    for (uint32_t i = 0; i < n_limbs; i++)
        limbs[i] = little_endian(limbs[i]);
    return ZS_OK;
}

static int read_limbs(struct zs_bytes bytes, size_t *at, struct zs_exact *exact)
{
    int64_t exponent = 0;
    uint64_t n = 0;
    int rc = read_zigzag(bytes, at, &exponent);

    if (rc == ZS_OK)
        rc = read_varint(bytes, at, &n);
    if (rc != ZS_OK)
        return rc;
    if (exponent < lowest_byte || exponent >= end_byte ||
        n >= (uint64_t)(end_byte - exponent) || n >= bytes.len - *at)
        return ZS_CORRUPT;
    n++;
    if (!is_canonical(bytes.data + *at, n, exponent))
        return ZS_CORRUPT;
    rc = unpack(bytes.data + *at, (uint32_t)n, (int32_t)exponent, exact);
    *at += n;
    return rc;
}

int zs_exact_read(struct zs_bytes bytes, size_t *at, struct zs_exact *exact)
{
    struct zs_exact sum;
    size_t end = *at;
    uint8_t tag;
    int rc;

    if (end >= bytes.len)
        return ZS_CORRUPT;
    tag = bytes.data[end++];
    if ((tag & 0xf0) != format_tag)
        return ZS_CORRUPT;
    zs_exact_init(&sum, exact->alloc);
    rc = read_counts(bytes, &end, tag, &sum);
    if (rc == ZS_OK && (tag & has_limbs) != 0)
        rc = read_limbs(bytes, &end, &sum);
    if (rc != ZS_OK)
        return rc;
    zs_alloc_free(exact->alloc, exact->limbs.wide);
    *exact = sum;
    *at = end;
    return ZS_OK;
}
