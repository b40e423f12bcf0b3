/* Random SQL values that lie close together. */
#include "tests/random_value.h"

#include <math.h>
#include <string.h>

/* A power of two and a bit, of either sign. */
static int64_t random_integer(struct random *random)
{
    uint64_t magnitude = UINT64_C(1) << random_below(random, 64);
    int64_t integer = (int64_t)(magnitude + (uint64_t)random_between(random, -2, 2));

    if (random_once_in(random, 4))
        return random_between(random, -3, 3);
    return random_once_in(random, 2) ? integer : (int64_t)(0 - (uint64_t)integer);
}

static double random_bits(struct random *random)
{
    uint64_t bits = random_next(random);
    double real;

    memcpy(&real, &bits, sizeof(real));
    return isnan(real) ? 0.0 : real;
}

static double random_real(struct random *random)
{
    double real = (double)random_integer(random);

    switch (random_below(random, 8)) {
    case 0:
        return random_bits(random);
    case 1:
        return nextafter(real, INFINITY);
    case 2:
        return nextafter(real, -INFINITY);
    case 3:
        return real + 0.5;
    case 4:
        return ldexp(real, (int)random_between(random, -1100, 1000));
    case 5:
        return random_once_in(random, 2) ? -0.0 : 5e-324;
    case 6:
        return random_once_in(random, 2) ? INFINITY : -INFINITY;
    default:
        return real;
    }
}

static const char *const pieces[] = {"a", "A", "b", "B", "z", "Z", "[", "@", "`", "{", " ",
    "  ", "\x01", "\x02", "\x7f", "\xc3\xa9", "\xc3\x89", "\xe2\x82\xac", "\xef\xbf\xbd",
    "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "\x80", "\xbf\xbf", "\xc0\x80", "\xe2\x82", "\xf0",
    "\xf8\x88\x80\x80\x80", "\xff", "\xfe", "\xfd\xbf\xbf\xbf\xbf\xbf"};

static size_t put_piece(struct random *random, uint8_t *to)
{
    unsigned i = random_below(random, sizeof(pieces) / sizeof(pieces[0]) + 2);
    size_t len;

    if (i >= sizeof(pieces) / sizeof(pieces[0])) {
        *to = 0;
        return 1;
    }
    len = strlen(pieces[i]);
    memcpy(to, pieces[i], len);
    return len;
}

static void random_bytes(struct random *random, struct random_value *out)
{
    unsigned n_pieces = random_below(random, 6);
    size_t len = 0;

    for (unsigned i = 0; i < n_pieces; i++)
        len += put_piece(random, out->bytes + len);
    out->value.bytes = (struct zs_bytes){out->bytes, len};
}

void random_value(struct random *random, struct random_value *out)
{
    out->value.type = (enum zs_type)random_below(random, 5);
    switch (out->value.type) {
    case ZS_INTEGER:
        out->value.integer = random_integer(random);
        break;
    case ZS_REAL:
        out->value.real = random_real(random);
        break;
    case ZS_TEXT:
    case ZS_BLOB:
        random_bytes(random, out);
        break;
    case ZS_NULL:
        break;
    }
}

/* In place: a letter's case, a space or a NUL at the end, a byte less. */
static void change_bytes(struct random *random, struct random_value *out)
{
    size_t *len = &out->value.bytes.len;
    unsigned i = *len == 0 ? 0 : random_below(random, (unsigned)*len);

    switch (random_below(random, 5)) {
    case 0:
        for (size_t j = 0; j < *len; j++)
            out->bytes[j] ^=
                (out->bytes[j] & 0xdf) >= 'A' && (out->bytes[j] & 0xdf) <= 'Z' ? 0x20 : 0;
        break;
    case 1:
        if (*len < RANDOM_TEXT_MAX)
            out->bytes[(*len)++] = random_once_in(random, 2) ? ' ' : 0;
        break;
    case 2:
        *len -= *len > 0;
        break;
    case 3:
        if (*len > 0)
            out->bytes[i] = (uint8_t)random_below(random, 3);
        break;
    default:
        break;
    }
}

void random_value_near(
    struct random *random, const struct random_value *near, struct random_value *out)
{
    *out = *near;
    switch (near->value.type) {
    case ZS_INTEGER:
        if (random_once_in(random, 2))
            out->value =
                (struct zs_value){.type = ZS_REAL, .real = (double)near->value.integer};
        else if (random_once_in(random, 2) && near->value.integer < INT64_MAX)
            out->value.integer++;
        break;
    case ZS_REAL:
        if (random_once_in(random, 2))
            out->value.real = nextafter(near->value.real, INFINITY);
        else if (fabs(near->value.real) < 0x1p63)
            out->value =
                (struct zs_value){.type = ZS_INTEGER, .integer = (int64_t)near->value.real};
        break;
    case ZS_TEXT:
    case ZS_BLOB:
        out->value.bytes.data = out->bytes;
        change_bytes(random, out);
        break;
    case ZS_NULL:
        random_value(random, out);
        break;
    }
}
