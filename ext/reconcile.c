/* Reconciling (capture.h says why): a key that has a candidate counts with the row as it is now
** minus its oldest image; the images of other keys add up. */
#include <string.h>

#include "core/cells.h"
#include "ext/source_private.h"
#include "ext/statement.h"

int ls_source_read_key(struct ls_source *source, sqlite3_stmt *statement, struct zs_value *key)
{
    for (int i = 0; i < source->n_key; i++) {
        key[i] = ls_column(statement, 2 + i);
        if (ls_is_out_of_memory(&key[i]))
            return SQLITE_NOMEM;
    }
    return SQLITE_OK;
}

/* What is known of one key while reconciling. */
struct history {
    int64_t oldest_seq;
    int8_t has_image; /* the oldest entry shows a row that stood there */
    int8_t is_candidate;
};

/* Writes the key's comparison encoding to source->key and looks its history up under it. */
static int find_history(struct ls_source *source, const struct zs_value *key,
    struct zs_cells *histories, struct history *history, bool *found)
{
    struct zs_bytes cell;
    int rc = ZS_OK;

    zs_buffer_reset(&source->key);
    for (int i = 0; rc == ZS_OK && i < source->n_key; i++) {
        enum zs_collation collation = ZS_BINARY;

        (void)ls_collation_of(ls_source_key_collation(source, i), &collation);
        rc = zs_row_append_comparison(&source->key, &key[i], collation);
    }
    if (rc == ZS_OK)
        rc = zs_cells_get(histories, zs_buffer_bytes(&source->key), &cell, found);
    if (rc == ZS_OK && *found)
        memcpy(history, cell.data, sizeof(*history));
    return ls_code_of(rc);
}

/* Notes each key's oldest entry and whether it has a candidate. */
static int note_entry(struct ls_source *source, sqlite3_stmt *statement,
    const struct zs_value *key, struct zs_cells *histories)
{
    bool is_null = sqlite3_column_type(statement, 1) == SQLITE_NULL;
    int weight = sqlite3_column_int(statement, 1);
    struct history history;
    struct zs_bytes cell;
    bool found;
    int rc = find_history(source, key, histories, &history, &found);

    if (rc != SQLITE_OK)
        return rc;
    if (!found)
        history = (struct history){
            sqlite3_column_int64(statement, 0), !is_null && weight != 1, false};
    if (is_null || weight == 0)
        history.is_candidate = true;
    /* A rowid of -1 may have been given by hand, which before_insert does not see. */
    if (source->table->key < 0 && key[0].type == ZS_INTEGER && key[0].integer == -1)
        history.is_candidate = true;
    cell = (struct zs_bytes){(const uint8_t *)&history, sizeof(history)};
    return ls_code_of(zs_cells_put(histories, zs_buffer_bytes(&source->key), cell));
}

static int is_lost_key(
    const struct ls_source *source, const struct zs_value *key, const struct history *history)
{
    return source->table->key < 0 && key[0].type == ZS_INTEGER && key[0].integer == -1 &&
           !history->has_image;
}

/* The second pass over the entries: an image of a key without candidates adds up; at a
** candidate key's oldest entry the net change is made, and its other entries say nothing. */
static int settle_entry(struct ls_source *source, sqlite3_stmt *statement,
    const struct zs_value *key, struct zs_cells *histories, struct zs_delta *delta,
    bool *is_lost)
{
    sqlite3_int64 seq = sqlite3_column_int64(statement, 0);
    struct history history;
    bool found;
    int rc = find_history(source, key, histories, &history, &found);

    if (rc != SQLITE_OK || !found)
        return rc != SQLITE_OK ? rc : SQLITE_CORRUPT_VTAB;
    if (!history.is_candidate)
        return ls_source_add_one(
            source, LS_ONE, seq, key, sqlite3_column_int64(statement, 1), delta);
    if (history.oldest_seq != seq)
        return SQLITE_OK;
    if (is_lost_key(source, key, &history))
        *is_lost = true;
    rc = history.has_image ? ls_source_add_one(source, LS_ONE, seq, key, -1, delta) : SQLITE_OK;
    return rc != SQLITE_OK ? rc : ls_source_add_one(source, LS_BY_KEY, 0, key, 1, delta);
}

/* Walks the entries of a run of the log, in order. */
static int walk(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_cells *histories, struct zs_delta *delta, bool *is_lost)
{
    struct zs_value *key = zs_alloc_get(&ls_alloc, (size_t)source->n_key * sizeof(*key));
    sqlite3_stmt *statement;
    int rc = key == NULL ? SQLITE_NOMEM : ls_source_prepared(source, LS_KEYS, &statement);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 1, from + 1);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 2, last);
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        rc = ls_source_read_key(source, statement, key);
        if (rc == SQLITE_OK)
            rc = delta == NULL
                     ? note_entry(source, statement, key, histories)
                     : settle_entry(source, statement, key, histories, delta, is_lost);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    else if (key != NULL && source->statements[LS_KEYS] != NULL)
        (void)sqlite3_reset(source->statements[LS_KEYS]);
    sqlite3_free(key);
    return rc;
}

int ls_source_reconcile(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_lost)
{
    struct zs_cells *histories;
    int rc = ls_code_of(zs_memory_cells_new(&ls_alloc, &histories));

    if (rc == SQLITE_OK)
        rc = walk(source, from, last, histories, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = walk(source, from, last, histories, delta, is_lost);
    zs_cells_free(histories);
    return rc;
}
