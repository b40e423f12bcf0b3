/* A batch, and what comes after it in a database without a name. Where that can't be made rows
** stay in memory: without them a reader would have to fail. */
#include "ext/spool.h"

#include <stdint.h>

#include "core/batch.h"
#include "ext/statement.h"

enum { TEMP_STORE_MEMORY = 2 };

struct ls_spool {
    struct zs_batch *rows;
    size_t at;
    size_t n_bytes;
    size_t most_bytes;
    sqlite3 *file;
    sqlite3_stmt *insert;
    sqlite3_stmt *select;
};

int ls_spool_new(sqlite3 *db, size_t most_bytes, struct ls_spool **spool)
{
    struct ls_spool *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    sqlite3_int64 store = 0;
    int rc = made == NULL ? SQLITE_NOMEM : ls_query_integer(db, 0, &store, "PRAGMA temp_store");

    *spool = NULL;
    if (rc == SQLITE_OK)
        rc = ls_code_of(zs_batch_new(&ls_alloc, &made->rows));
    if (rc != SQLITE_OK) {
        ls_spool_free(made);
        return rc;
    }
    made->most_bytes = store == TEMP_STORE_MEMORY ? SIZE_MAX : most_bytes;
    *spool = made;
    return SQLITE_OK;
}

static void close_file(struct ls_spool *spool)
{
    sqlite3_finalize(spool->insert);
    sqlite3_finalize(spool->select);
    sqlite3_close(spool->file);
    spool->insert = spool->select = NULL;
    spool->file = NULL;
}

void ls_spool_free(struct ls_spool *spool)
{
    if (spool == NULL)
        return;
    close_file(spool);
    zs_batch_free(spool->rows);
    sqlite3_free(spool);
}

static int open_file(struct ls_spool *spool)
{
    int rc =
        sqlite3_open_v2("", &spool->file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);

    if (rc == SQLITE_OK)
        rc = ls_exec(spool->file, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                                  "PRAGMA cache_size = -200;"
                                  "CREATE TABLE spool(row BLOB, copies INTEGER); BEGIN");
    if (rc == SQLITE_OK)
        rc = ls_prepare(spool->file, &spool->insert, "INSERT INTO spool VALUES(?1, ?2)");
    if (rc == SQLITE_OK)
        rc = ls_prepare(
            spool->file, &spool->select, "SELECT row, copies FROM spool ORDER BY rowid");
    if (rc != SQLITE_OK)
        close_file(spool);
    return rc;
}

static int add_to_file(struct ls_spool *spool, struct zs_bytes row, int64_t copies)
{
    int rc = sqlite3_bind_blob64(
        spool->insert, 1, row.len > 0 ? row.data : (const uint8_t *)"", row.len, SQLITE_STATIC);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(spool->insert, 2, copies);
    return rc == SQLITE_OK ? ls_run(spool->insert) : rc;
}

int ls_spool_add(struct ls_spool *spool, struct zs_bytes row, int64_t copies)
{
    if (spool->file == NULL && spool->n_bytes > spool->most_bytes &&
        open_file(spool) != SQLITE_OK)
        spool->most_bytes = SIZE_MAX;
    if (spool->file != NULL)
        return add_to_file(spool, row, copies);
    spool->n_bytes += row.len + sizeof(struct zs_item);
    return ls_code_of(zs_batch_add(spool->rows, (struct zs_bytes){NULL, 0}, row, copies));
}

static int next_in_file(
    struct ls_spool *spool, struct zs_bytes *row, int64_t *copies, bool *found)
{
    *found = sqlite3_step(spool->select) == SQLITE_ROW;
    if (!*found)
        return sqlite3_reset(spool->select);
    row->data = sqlite3_column_blob(spool->select, 0);
    row->len = (size_t)sqlite3_column_bytes(spool->select, 0);
    *copies = sqlite3_column_int64(spool->select, 1);
    return row->data == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

int ls_spool_next(struct ls_spool *spool, struct zs_bytes *row, int64_t *copies, bool *found)
{
    const struct zs_item *item;

    *found = spool->at < zs_batch_len(spool->rows);
    if (!*found)
        return spool->file == NULL ? SQLITE_OK : next_in_file(spool, row, copies, found);
    item = &zs_batch_items(spool->rows)[spool->at++];
    *row = item->value;
    *copies = item->weight;
    return SQLITE_OK;
}
