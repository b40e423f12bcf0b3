/* From a statement's row to an element of a Z-set. */
#include "ext/encoder.h"

#include <string.h>

#include "ext/statement.h"

int ls_text_encoding(sqlite3 *db, const char *schema, int *utf16)
{
    char *name = NULL;
    int rc = ls_query_text(db, &name, "PRAGMA \"%w\".encoding", schema);

    *utf16 = -1;
    if (rc == SQLITE_OK && name != NULL && strcmp(name, "UTF-16le") == 0)
        *utf16 = 0;
    if (rc == SQLITE_OK && name != NULL && strcmp(name, "UTF-16be") == 0)
        *utf16 = 1;
    sqlite3_free(name);
    return rc;
}

enum zs_collation ls_database_collation(enum zs_collation collation, int utf16)
{
    if (collation != ZS_BINARY || utf16 < 0)
        return collation;
    return utf16 == 0 ? ZS_BINARY_16LE : ZS_BINARY_16BE;
}

/* Room for the keys; and how many of them are the first columns, when they are set. */
static int make_keys(struct ls_encoder *encoder)
{
    encoder->keys = zs_alloc_zeroed(&ls_alloc, encoder->n_keys * sizeof(*encoder->keys));
    return encoder->keys == NULL ? ZS_NOMEM : ZS_OK;
}

static void count_leading(struct ls_encoder *encoder)
{
    while (encoder->n_leading < encoder->n_keys &&
           encoder->keys[encoder->n_leading].column == encoder->n_leading)
        encoder->n_leading++;
}

int ls_encoder_order(struct ls_encoder *encoder, const struct zsql_order *order, size_t n,
    size_t n_columns, int utf16)
{
    *encoder = (struct ls_encoder){.is_keyed = true, .n_keys = n, .n_columns = n_columns};
    if (make_keys(encoder) != ZS_OK)
        return ZS_NOMEM;
    for (size_t i = 0; i < n; i++)
        encoder->keys[i] = (struct ls_key){
            order[i].column, {ls_database_collation(order[i].collation, utf16),
                                 order[i].is_descending, order[i].has_nulls_last}};
    count_leading(encoder);
    return ZS_OK;
}

int ls_encoder_key_by(struct ls_encoder *encoder, const int *columns,
    const enum zs_collation *collations, size_t n, size_t n_columns)
{
    *encoder = (struct ls_encoder){.is_keyed = true, .n_keys = n, .n_columns = n_columns};
    if (make_keys(encoder) != ZS_OK)
        return ZS_NOMEM;
    for (size_t i = 0; i < n; i++)
        encoder->keys[i] = (struct ls_key){(size_t)columns[i], {.collation = collations[i]}};
    count_leading(encoder);
    return ZS_OK;
}

int ls_encoder_init(struct ls_encoder *encoder, const struct zsql_operator *output,
    const struct zsql_operator *consumer, int utf16)
{
    bool is_grouped = consumer != NULL && consumer->kind == ZSQL_AGGREGATE_BY;

    if (consumer != NULL && consumer->kind == ZSQL_TOP)
        return ls_encoder_order(
            encoder, consumer->order, consumer->n_order, output->n_columns, utf16);
    *encoder = (struct ls_encoder){.is_keyed = is_grouped,
        .n_keys = is_grouped ? consumer->n_keys : 0,
        .n_columns = output->n_columns};
    if (make_keys(encoder) != ZS_OK)
        return ZS_NOMEM;
    for (size_t i = 0; i < encoder->n_keys; i++) {
        encoder->keys[i].column = i;
        encoder->keys[i].order.collation =
            ls_database_collation(consumer->columns[i].collation, utf16);
    }
    count_leading(encoder);
    return ZS_OK;
}

void ls_encoder_clear(struct ls_encoder *encoder)
{
    sqlite3_free(encoder->keys);
    *encoder = (struct ls_encoder){.keys = NULL};
}

static int append(const struct ls_encoder *encoder, size_t i, const struct zs_value *read,
    struct zs_buffer *key, struct zs_buffer *value)
{
    int rc = ls_read_status(read);

    if (rc == ZS_OK && i < encoder->n_leading)
        rc = zs_row_append_order(key, read, &encoder->keys[i].order);
    return rc == ZS_OK ? zs_row_append_identity(value, read) : rc;
}

/* The keys from the first on, which may be any columns. */
static int append_keys(
    const struct ls_encoder *encoder, size_t first, struct zs_bytes row, struct zs_buffer *key)
{
    size_t column = 0, at = 0;
    int rc = ZS_OK;

    for (size_t i = first; rc == ZS_OK && i < encoder->n_keys; i++) {
        struct zs_value value;

        if (encoder->keys[i].column < column)
            column = at = 0;
        for (; rc == ZS_OK && column < encoder->keys[i].column; column++)
            rc = zs_row_skip(row, &at);
        if (rc == ZS_OK)
            rc = zs_row_read(row, &at, &value);
        if (rc == ZS_OK)
            rc = zs_row_append_order(key, &value, &encoder->keys[i].order);
        column++;
    }
    return rc;
}

int ls_encode(const struct ls_encoder *encoder, sqlite3_stmt *statement, int first,
    struct zs_buffer *key, struct zs_buffer *value)
{
    int rc = ZS_OK;

    zs_buffer_reset(key);
    zs_buffer_reset(value);
    for (size_t i = 0; rc == ZS_OK && i < encoder->n_columns; i++) {
        struct zs_value read = ls_column(statement, first + (int)i);
        rc = append(encoder, i, &read, key, value);
    }
    return rc != ZS_OK || encoder->n_leading == encoder->n_keys
               ? rc
               : append_keys(encoder, encoder->n_leading, zs_buffer_bytes(value), key);
}

int ls_encode_arguments(const struct ls_encoder *encoder, sqlite3_value **arguments,
    struct zs_value *read, struct zs_buffer *value)
{
    int rc = ZS_OK;

    zs_buffer_reset(value);
    for (size_t i = 0; rc == ZS_OK && i < encoder->n_columns; i++) {
        read[i] = ls_value(arguments[i]);
        rc = ls_read_status(&read[i]);
        if (rc == ZS_OK)
            rc = zs_row_append_identity(value, &read[i]);
    }
    return rc;
}

int ls_encode_key_of(
    const struct ls_encoder *encoder, const struct zs_value *read, struct zs_buffer *key)
{
    int rc = ZS_OK;

    zs_buffer_reset(key);
    for (size_t i = 0; rc == ZS_OK && i < encoder->n_keys; i++)
        rc = zs_row_append_order(key, &read[encoder->keys[i].column], &encoder->keys[i].order);
    return rc;
}

int ls_encoder_key(const struct ls_encoder *encoder, struct zs_bytes row, struct zs_buffer *key)
{
    zs_buffer_reset(key);
    return append_keys(encoder, 0, row, key);
}
