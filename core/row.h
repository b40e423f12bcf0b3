/* Rows of SQL values as bytes, in two encodings that are never confused.
**
** identity    tells apart what any query could: 1 from 1.0, doubles by bits, 'a' from 'A'.
**             For Z-set elements: a retraction cancels exactly what was inserted. Reversible.
** comparison  equal exactly when SQL's comparison says so, and memcmp orders as it does:
**             NULL < numbers < text < blobs, 1 = 1.0, text by its collation. For keys. One way.
** Both are self-delimiting a value, so that a row is the concatenation of its values, and in
** the comparison encoding no row's encoding of n values is a proper prefix of another's.
** Format 1 is written down in row.c (identity) and comparison.c. */
#ifndef ZS_ROW_H
#define ZS_ROW_H

#include "core/buffer.h"

enum zs_type { ZS_NULL, ZS_INTEGER, ZS_REAL, ZS_TEXT, ZS_BLOB };

/* One value. For text and blobs bytes is borrowed. Text is UTF-8 as it came, valid or not, and
** may hold NUL. A NaN is not a value: it counts as NULL everywhere, as in SQLite. */
struct zs_value {
    enum zs_type type;
    union {
        int64_t integer;
        double real;
        struct zs_bytes bytes;
    };
};

/* How two texts compare (https://www.sqlite.org/datatype3.html#collation): BINARY by bytes;
** NOCASE with ASCII letters folded, up to the first NUL and then by length; RTRIM without
** trailing spaces. BINARY_16LE and BINARY_16BE order as BINARY does in a database whose text is
** UTF-16 (by the bytes of its code units). */
enum zs_collation { ZS_BINARY, ZS_NOCASE, ZS_RTRIM, ZS_BINARY_16LE, ZS_BINARY_16BE };

/* Appends one value. ZS_NOMEM leaves the buffer as it was. O(length). */
ZS_CHECKED int zs_row_append_identity(struct zs_buffer *row, const struct zs_value *value);
ZS_CHECKED int zs_row_append_integer(struct zs_buffer *row, int64_t integer); /* identity */
ZS_CHECKED int zs_row_append_real(struct zs_buffer *row, double real);        /* identity */
ZS_CHECKED int zs_row_append_comparison(
    struct zs_buffer *row, const struct zs_value *value, enum zs_collation collation);

/* Reads the identity-encoded value at *at, which moves past it; text and blobs borrow from row.
** ZS_CORRUPT for bytes that no append wrote (never reads outside row). */
ZS_CHECKED int zs_row_read(struct zs_bytes row, size_t *at, struct zs_value *value);

/* Skips one identity-encoded value. */
ZS_CHECKED int zs_row_skip(struct zs_bytes row, size_t *at);

/* Skips one comparison-encoded value. */
ZS_CHECKED int zs_row_skip_comparison(struct zs_bytes row, size_t *at);

/* Is it the comparison encoding of an integer that is not negative, or of a real equal to one? */
bool zs_row_is_comparison_of_integer(struct zs_bytes row, int64_t *integer);

/* Order of two values under a collation, as SQLite orders them: negative, 0, positive. Equal to
** the memcmp order of their comparison encodings, without making them. */
int zs_value_compare(
    const struct zs_value *a, const struct zs_value *b, enum zs_collation collation);

/* Are they the same in identity: type and bits. */
bool zs_value_is_identical(const struct zs_value *a, const struct zs_value *b);

#endif
