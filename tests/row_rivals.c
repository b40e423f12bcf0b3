/* Encodings of rows with one fault each. */
#include <string.h>

#include "tests/row_laws.h"

/* Identity */

/* 1 and 1.0 are the same. */
static int identity_of_numbers(struct zs_buffer *row, const struct zs_value *value)
{
    struct zs_value real = {.type = ZS_REAL, .real = (double)value->integer};

    if (value->type == ZS_INTEGER && (int64_t)real.real == value->integer)
        return zs_row_append_identity(row, &real);
    return zs_row_append_identity(row, value);
}

/* Text and blob are the same. */
static int identity_of_bytes(struct zs_buffer *row, const struct zs_value *value)
{
    struct zs_value text = *value;

    if (value->type == ZS_BLOB)
        text.type = ZS_TEXT;
    return zs_row_append_identity(row, &text);
}

/* -0.0 comes back as 0.0. */
static int identity_without_sign(struct zs_buffer *row, const struct zs_value *value)
{
    struct zs_value positive = *value;

    if (value->type == ZS_REAL && value->real == 0)
        positive.real = 0;
    return zs_row_append_identity(row, &positive);
}

/* Text ends at its first NUL. */
static int read_to_nul(struct zs_bytes row, size_t *at, struct zs_value *value)
{
    int rc = zs_row_read(row, at, value);

    if (rc == ZS_OK && value->type == ZS_TEXT)
        value->bytes.len = strnlen((const char *)value->bytes.data, value->bytes.len);
    return rc;
}

/* Comparison */

/* Integers by way of a double: 2^53 + 1 is lost. */
static int key_of_doubles(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    struct zs_value real = {.type = ZS_REAL, .real = (double)value->integer};

    return zs_row_append_comparison(row, value->type == ZS_INTEGER ? &real : value, collation);
}

/* Negative numbers in the order of their magnitudes. */
static int key_of_magnitudes(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    size_t at = row->len + 1;
    int rc = zs_row_append_comparison(row, value, collation);

    if (rc == ZS_OK && value->type == ZS_INTEGER && value->integer < 0)
        for (; at < row->len; at++)
            row->data[at] ^= 0xff;
    return rc;
}

/* Integers before reals. */
static int key_by_type(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    int rc = ZS_OK;
    if (value->type == ZS_REAL)
        rc = zs_buffer_append_byte(row, 0x9f);
    return rc == ZS_OK ? zs_row_append_comparison(row, value, collation) : rc;
}

/* Bytes as they are: no escape, and an end that they may hold. */
static int key_unescaped(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    int rc;

    if (value->type != ZS_BLOB)
        return zs_row_append_comparison(row, value, collation);
    rc = zs_buffer_append_byte(row, 0xb0);
    if (rc == ZS_OK)
        rc = zs_buffer_append(row, value->bytes.data, value->bytes.len);
    return rc == ZS_OK ? zs_buffer_append_byte(row, 0) : rc;
}

/* Nothing says where bytes end. */
static int key_unended(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    int rc = zs_row_append_comparison(row, value, collation);
    if (value->type == ZS_TEXT || value->type == ZS_BLOB)
        row->len--;
    return rc;
}

/* NOCASE text cut at its first NUL, without the length. */
static int key_of_nocase_to_nul(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    struct zs_value text = *value;

    if (value->type == ZS_TEXT && collation == ZS_NOCASE)
        text.bytes.len = strnlen((const char *)value->bytes.data, value->bytes.len);
    return zs_row_append_comparison(row, &text, collation);
}

static int key_without_rtrim(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    return zs_row_append_comparison(row, value, collation == ZS_RTRIM ? ZS_BINARY : collation);
}

static int key_without_utf16(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    return zs_row_append_comparison(
        row, value, collation == ZS_BINARY_16BE ? ZS_BINARY : collation);
}

static int key_of_the_other_end(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation)
{
    return zs_row_append_comparison(
        row, value, collation == ZS_BINARY_16LE ? ZS_BINARY_16BE : collation);
}

/* Comparing */

static int compare_without_folding(
    const struct zs_value *a, const struct zs_value *b, enum zs_collation collation)
{
    return zs_value_compare(a, b, collation == ZS_NOCASE ? ZS_BINARY : collation);
}

static int compare_by_doubles(
    const struct zs_value *a, const struct zs_value *b, enum zs_collation collation)
{
    if (a->type == ZS_INTEGER && b->type == ZS_REAL)
        return ((double)a->integer > b->real) - ((double)a->integer < b->real);
    return zs_value_compare(a, b, collation);
}

const struct row_rival row_rivals[] = {
    {"1 is 1.0", {.append_identity = identity_of_numbers}, &row_identity},
    {"text is blob", {.append_identity = identity_of_bytes}, &row_identity},
    {"-0.0 is 0.0", {.append_identity = identity_without_sign}, &row_is_reversible},
    {"reads to NUL", {.read = read_to_nul}, &row_is_reversible},
    {"integers as doubles", {.append_comparison = key_of_doubles}, &row_order},
    {"negatives by magnitude", {.append_comparison = key_of_magnitudes}, &row_order},
    {"integers before reals", {.append_comparison = key_by_type}, &row_order},
    {"unescaped", {.append_comparison = key_unescaped}, &row_prefix},
    {"unended", {.append_comparison = key_unended}, &row_prefix},
    {"unended in tuples", {.append_comparison = key_unended}, &row_tuple},
    {"NOCASE to the NUL", {.append_comparison = key_of_nocase_to_nul}, &row_order},
    {"RTRIM does not trim", {.append_comparison = key_without_rtrim}, &row_order},
    {"UTF-16 as UTF-8", {.append_comparison = key_without_utf16}, &row_order},
    {"UTF-16 of the other end", {.append_comparison = key_of_the_other_end}, &row_order},
    {"compares unfolded", {.compare = compare_without_folding}, &row_compare},
    {"compares as doubles", {.compare = compare_by_doubles}, &row_compare},
    {.name = NULL},
};
