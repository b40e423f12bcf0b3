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

static bool is_sum(enum zs_fold_kind kind)
{
    return kind == ZS_SUM || kind == ZS_TOTAL || kind == ZS_AVG;
}

/* The slot of an argument, made where there is none yet. The arrays have room. */
static unsigned slot_of(struct ls_encoder *encoder, int column, bool is_numeric)
{
    size_t i;

    for (i = encoder->n_keys; i < encoder->n_slots; i++)
        if (encoder->slots[i].column == column && encoder->slots[i].is_numeric == is_numeric)
            break;
    encoder->slots[i] = (struct ls_slot){column, is_numeric};
    if (i == encoder->n_slots)
        encoder->n_slots++;
    return (unsigned)(i - encoder->n_keys);
}

int ls_encoder_init(struct ls_encoder *encoder, const struct zsql_operator *output,
    const struct zsql_operator *consumer, int utf16, struct zs_fold_spec **specs)
{
    bool is_grouped = consumer != NULL && consumer->kind == ZSQL_AGGREGATE_BY;
    size_t n_specs = is_grouped ? consumer->n_specs : 0;
    size_t n_slots = output->n_columns + 2 * n_specs;

    *encoder = (struct ls_encoder){.n_keys = is_grouped ? consumer->n_keys : 0};
    *specs = NULL;
    encoder->slots = zs_alloc_zeroed(&ls_alloc, n_slots * sizeof(*encoder->slots));
    encoder->collations =
        zs_alloc_zeroed(&ls_alloc, encoder->n_keys * sizeof(*encoder->collations));
    *specs = zs_alloc_zeroed(&ls_alloc, n_specs * sizeof(**specs));
    if (encoder->slots == NULL || encoder->collations == NULL || *specs == NULL) {
        ls_encoder_clear(encoder);
        sqlite3_free(*specs);
        *specs = NULL;
        return ZS_NOMEM;
    }
    encoder->n_slots = is_grouped ? encoder->n_keys : output->n_columns;
    for (size_t i = 0; i < encoder->n_slots; i++)
        encoder->slots[i].column = (int)i;
    for (size_t i = 0; i < encoder->n_keys; i++)
        encoder->collations[i] = ls_database_collation(output->columns[i].collation, utf16);
    for (size_t i = 0; i < n_specs; i++) {
        struct zs_fold_spec *spec = &(*specs)[i];

        *spec = consumer->specs[i];
        spec->collation = ls_database_collation(spec->collation, utf16);
        if (spec->kind != ZS_COUNT_ROWS)
            spec->argument = slot_of(encoder, (int)(encoder->n_keys + spec->argument),
                is_sum(spec->kind) && !spec->is_distinct);
    }
    return ZS_OK;
}

void ls_encoder_clear(struct ls_encoder *encoder)
{
    sqlite3_free(encoder->slots);
    sqlite3_free(encoder->collations);
    *encoder = (struct ls_encoder){.slots = NULL};
}

int ls_encode(const struct ls_encoder *encoder, sqlite3_stmt *statement, int first,
    struct zs_buffer *key, struct zs_buffer *value)
{
    int rc = ZS_OK;

    zs_buffer_reset(key);
    zs_buffer_reset(value);
    for (size_t i = 0; rc == ZS_OK && i < encoder->n_slots; i++) {
        int column = first + encoder->slots[i].column;
        struct zs_value read;

        if (!encoder->slots[i].is_numeric)
            read = ls_column(statement, column);
        else if (ls_numeric(sqlite3_column_value(statement, column), &read) != SQLITE_OK)
            return ZS_NOMEM;
        if (ls_is_out_of_memory(&read))
            return ZS_NOMEM;
        if (i < encoder->n_keys)
            rc = zs_row_append_comparison(key, &read, encoder->collations[i]);
        if (rc == ZS_OK)
            rc = zs_row_append_identity(value, &read);
    }
    return rc;
}
