/* From a statement's row to an element of a Z-set: what the operator that reads it expects. */
#ifndef LS_ENCODER_H
#define LS_ENCODER_H

#include "core/fold.h"
#include "core/row.h"
#include "core/top.h"
#include "ext/api.h"
#include "sql/plan.h"

enum { LS_MOST_ARGUMENTS = 100 }; /* columns: a function of SQLite may have 127 arguments */

/* A column of the rows that is a term of their key. */
struct ls_key {
    size_t column;
    struct zs_order order; /* as the database's encoding orders text */
};

/* For an aggregate: key = comparison encoding of the first n_keys columns. For a top: key = its
** order's terms. value = identity encoding of all columns. */
struct ls_encoder {
    bool is_keyed; /* what reads it has keys, if only of no columns */
    size_t n_keys;
    struct ls_key *keys;
    size_t n_leading; /* of the keys: these are the first columns, as they come */
    size_t n_columns;
};

/* Of an operator's output that consumer reads (NULL: nobody, it is the result). utf16 is as
** ls_text_encoding gives it. Allocated with ls_alloc; ls_encoder_clear frees it. */
ZS_CHECKED int ls_encoder_init(struct ls_encoder *encoder, const struct zsql_operator *output,
    const struct zsql_operator *consumer, int utf16);

/* Of rows of n_columns that are put in order, by their columns. Likewise. */
ZS_CHECKED int ls_encoder_order(struct ls_encoder *encoder, const struct zsql_order *order,
    size_t n, size_t n_columns, int utf16);
/* Of rows of n_columns whose key is some of them, by these collations. Likewise. */
ZS_CHECKED int ls_encoder_key_by(struct ls_encoder *encoder, const int *columns,
    const enum zs_collation *collations, size_t n, size_t n_columns);
void ls_encoder_clear(struct ls_encoder *encoder);

/* Reads columns first.. of the statement's row, as many as there are columns. key and value are
** reset. ZS_NOMEM, or what ls_read_status says. */
ZS_CHECKED int ls_encode(const struct ls_encoder *encoder, sqlite3_stmt *statement, int first,
    struct zs_buffer *key, struct zs_buffer *value);

/* The same of a function's arguments: what they are goes to read, which has room for the
** columns, and the value; then, while the arguments are there, the key of what was read. */
ZS_CHECKED int ls_encode_arguments(const struct ls_encoder *encoder, sqlite3_value **arguments,
    struct zs_value *read, struct zs_buffer *value);
ZS_CHECKED int ls_encode_key_of(
    const struct ls_encoder *encoder, const struct zs_value *read, struct zs_buffer *key);

/* The key of a row that is encoded already; key is reset. */
ZS_CHECKED int ls_encoder_key(
    const struct ls_encoder *encoder, struct zs_bytes row, struct zs_buffer *key);

/* The collation as text of the database is ordered. */
enum zs_collation ls_database_collation(enum zs_collation collation, int utf16);

/* -1 for UTF-8, 0 for UTF-16LE, 1 for UTF-16BE. */
ZS_CHECKED int ls_text_encoding(sqlite3 *db, const char *schema, int *utf16);

#endif
