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

int ls_encoder_init(struct ls_encoder *encoder, const struct zsql_operator *output,
    const struct zsql_operator *consumer, int utf16)
{
    bool is_grouped = consumer != NULL && consumer->kind == ZSQL_AGGREGATE_BY;

    *encoder = (struct ls_encoder){.is_grouped = is_grouped,
        .n_keys = is_grouped ? consumer->n_keys : 0,
        .n_columns = output->n_columns};
    encoder->collations =
        zs_alloc_zeroed(&ls_alloc, encoder->n_keys * sizeof(*encoder->collations));
    if (encoder->collations == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < encoder->n_keys; i++)
        encoder->collations[i] = ls_database_collation(consumer->columns[i].collation, utf16);
    return ZS_OK;
}

void ls_encoder_clear(struct ls_encoder *encoder)
{
    sqlite3_free(encoder->collations);
    *encoder = (struct ls_encoder){.collations = NULL};
}

static int append(const struct ls_encoder *encoder, size_t i, const struct zs_value *read,
    struct zs_buffer *key, struct zs_buffer *value)
{
    int rc = ZS_OK;

    if (ls_is_out_of_memory(read))
        return ZS_NOMEM;
    if (i < encoder->n_keys)
        rc = zs_row_append_comparison(key, read, encoder->collations[i]);
    return rc == ZS_OK ? zs_row_append_identity(value, read) : rc;
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
    return rc;
}

int ls_encode_arguments(const struct ls_encoder *encoder, sqlite3_value **arguments,
    struct zs_buffer *key, struct zs_buffer *value)
{
    int rc = ZS_OK;

    zs_buffer_reset(key);
    zs_buffer_reset(value);
    for (size_t i = 0; rc == ZS_OK && i < encoder->n_columns; i++) {
        struct zs_value read = ls_value(arguments[i]);
        rc = append(encoder, i, &read, key, value);
    }
    return rc;
}

int ls_encoder_key(const struct ls_encoder *encoder, struct zs_bytes row, struct zs_buffer *key)
{
    size_t at = 0;
    int rc = ZS_OK;

    zs_buffer_reset(key);
    for (size_t i = 0; rc == ZS_OK && i < encoder->n_keys; i++) {
        struct zs_value value;

        rc = zs_row_read(row, &at, &value);
        if (rc == ZS_OK)
            rc = zs_row_append_comparison(key, &value, encoder->collations[i]);
    }
    return rc;
}
