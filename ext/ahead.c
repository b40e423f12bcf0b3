/* A row that is read ahead of its log. What it adds is kept, to be taken back when the log says the same:
** so what has been taken in is the log up to its end, and that row, at any time. Where a level begins
** meanwhile, rolling back to it brings it back. */
#include "ext/source_private.h"

#include "ext/statement.h"

void ls_source_expect(struct ls_source *source, const sqlite3_int64 *rowid)
{
    source->expects = rowid != NULL;
    source->expected = rowid == NULL ? 0 : *rowid;
}

bool ls_source_is_ahead(const struct ls_source *source)
{
    return source->expects || zs_batch_len(source->ahead.rows) > 0 ||
           zs_batch_len(source->ahead.errors) > 0;
}

int ls_source_begin_level(struct ls_source *source, unsigned level)
{
    struct ls_kept_ahead *kept;
    int status;

    if (zs_batch_len(source->ahead.rows) == 0 && zs_batch_len(source->ahead.errors) == 0)
        return SQLITE_OK;
    status = zs_alloc_reserve(
        &ls_alloc, &source->kept, &source->kept_cap, source->n_kept + 1, sizeof(*kept));
    if (status != ZS_OK)
        return SQLITE_NOMEM;
    kept = &source->kept[source->n_kept];
    *kept = (struct ls_kept_ahead){.level = level};
    status = zs_delta_init(&kept->ahead, source->alloc);
    if (status == ZS_OK)
        status = zs_delta_add_all(&kept->ahead, &source->ahead, 1);
    if (status == ZS_OK)
        source->n_kept++;
    else
        zs_delta_clear(&kept->ahead);
    return ls_code_of(status);
}

void ls_source_end_levels(struct ls_source *source, unsigned level)
{
    while (source->n_kept > 0 && source->kept[source->n_kept - 1].level >= level)
        zs_delta_clear(&source->kept[--source->n_kept].ahead);
}

void ls_source_undo_levels(struct ls_source *source, unsigned level)
{
    source->expects = false;
    zs_delta_reset(&source->ahead);
    ls_source_end_levels(source, level + 1);
    if (source->n_kept > 0 && source->kept[source->n_kept - 1].level == level) {
        struct zs_delta *kept = &source->kept[source->n_kept - 1].ahead, none = source->ahead;

        source->ahead = *kept;
        *kept = none;
    }
    ls_source_end_levels(source, level);
}

int ls_source_expected_key(
    struct ls_source *source, struct zs_value *key, sqlite3_stmt **statement, bool *found)
{
    int rc;

    *statement = NULL;
    *found = source->table->key < 0;
    if (*found) {
        key[0] = (struct zs_value){.type = ZS_INTEGER, .integer = source->expected};
        return SQLITE_OK;
    }
    rc = ls_source_prepared(source, LS_KEY_OF, statement);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(*statement, 1, source->expected);
    if (rc != SQLITE_OK || sqlite3_step(*statement) != SQLITE_ROW)
        return rc;
    *found = true;
    return ls_source_read_key(source, *statement, key);
}

/* Reads the row expected into source->ahead. */
static int read_expected(struct ls_source *source)
{
    struct zs_value *key = zs_alloc_get(&ls_alloc, (size_t)source->n_key * sizeof(*key));
    sqlite3_stmt *statement = NULL;
    bool found = false;
    int rc =
        key == NULL ? SQLITE_NOMEM : ls_source_expected_key(source, key, &statement, &found);

    if (rc == SQLITE_OK && found)
        rc = ls_source_add_one(source, LS_BY_KEY, 0, key, 1, &source->ahead);
    sqlite3_free(key);
    if (rc == SQLITE_OK)
        return sqlite3_reset(statement);
    (void)sqlite3_reset(statement);
    return rc;
}

int ls_source_take_ahead(struct ls_source *source, bool is_counted, struct zs_delta *delta)
{
    int rc = ls_code_of(zs_delta_add_all(delta, &source->ahead, -1));

    if (rc != SQLITE_OK)
        return rc;
    zs_delta_reset(&source->ahead);
    if (source->expects)
        rc = read_expected(source);
    return rc == SQLITE_OK && !is_counted
               ? ls_code_of(zs_delta_add_all(delta, &source->ahead, 1))
               : rc;
}
