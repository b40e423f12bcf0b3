/* The result of a view, over <view>_data.
**
** A row lives in the table at the lockstep_row (its INTEGER PRIMARY KEY, which VACUUM leaves
** alone)
** that is its hash (XXH3 of the identity encoding, 63 bits),
** or at the next free one behind it: open addressing with linear probing, so that a row is
** found
** by its contents in O(log n) with no index of its own. A row that is deleted pulls back those
** that were pushed behind it, so that every row is reached from its hash without a gap.
**
** A pending record in memory, under the row: three 64-bit integers, the row's weight in the
** table
** (0: it is not there), its rowid there, and its weight now. Format of no file: memory only. */
#include "ext/result.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/cells.h"
#include "ext/statement.h"

enum { GET, INSERT, DELETE, UPDATE, MOVE, N_STATEMENTS };

struct record {
    int64_t stored_weight;
    int64_t rowid;
    int64_t weight;
};

struct ls_result {
    struct zs_trace trace;
    sqlite3 *db;
    char *schema;
    char *view;
    int n_columns;
    uint64_t hash_mask;
    struct zs_cells *memory;
    sqlite3_stmt *statements[N_STATEMENTS];
    struct zs_buffer row; /* a stored row on its way */
    int code;
};

static int failed(struct ls_result *result, int rc)
{
    result->code = rc;
    return rc == SQLITE_NOMEM ? ZS_NOMEM : ZS_CALLBACK;
}

static int64_t home_of(const struct ls_result *result, struct zs_bytes row)
{
    return (int64_t)(XXH3_64bits(row.data, row.len) & result->hash_mask);
}

/* Rowids run from 0 to the mask and then from 0 again. */
static int64_t after(const struct ls_result *result, int64_t rowid)
{
    return (int64_t)(((uint64_t)rowid + 1) & result->hash_mask);
}

static char *insert_text(const struct ls_result *result)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendf(
        text, "INSERT INTO \"%w\".\"%w_data\" VALUES(", result->schema, result->view);
    for (int i = 0; i < result->n_columns; i++)
        sqlite3_str_appendf(text, "?%d, ", i + 2);
    sqlite3_str_appendf(text, "?%d, ?1)", result->n_columns + 2);
    return sqlite3_str_finish(text);
}

static int prepared(struct ls_result *result, int which, sqlite3_stmt **statement)
{
    static const char *const texts[N_STATEMENTS] = {
        [GET] = "SELECT * FROM \"%w\".\"%w_data\" WHERE lockstep_row = ?1",
        [DELETE] = "DELETE FROM \"%w\".\"%w_data\" WHERE lockstep_row = ?1",
        [UPDATE] = "UPDATE \"%w\".\"%w_data\" SET lockstep_weight = ?2 WHERE lockstep_row = ?1",
        [MOVE] = "UPDATE \"%w\".\"%w_data\" SET lockstep_row = ?2 WHERE lockstep_row = ?1",
    };
    int rc = SQLITE_OK;

    if (result->statements[which] == NULL && which == INSERT)
        rc = ls_prepare_text(result->db, &result->statements[which], insert_text(result));
    else if (result->statements[which] == NULL)
        rc = ls_prepare(
            result->db, &result->statements[which], texts[which], result->schema, result->view);
    *statement = result->statements[which];
    return rc;
}

int ls_row_of_columns(struct zs_buffer *row, sqlite3_stmt *statement, int first, int n_columns)
{
    int rc = ZS_OK;

    for (int i = 0; rc == ZS_OK && i < n_columns; i++) {
        struct zs_value value = ls_column(statement, first + i);
        rc = ls_is_out_of_memory(&value) ? ZS_NOMEM : zs_row_append_identity(row, &value);
    }
    return rc;
}

/* The row at a rowid: into result->row, with its weight. */
static int read_slot(struct ls_result *result, int64_t rowid, int64_t *weight, bool *found)
{
    sqlite3_stmt *statement;
    int status = ZS_OK;
    int rc = prepared(result, GET, &statement);

    *found = false;
    zs_buffer_reset(&result->row);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 1, rowid);
    if (rc != SQLITE_OK)
        return failed(result, rc);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        status = ls_row_of_columns(&result->row, statement, 0, result->n_columns);
        *weight = sqlite3_column_int64(statement, result->n_columns);
        *found = status == ZS_OK;
    }
    rc = sqlite3_reset(statement);
    return rc != SQLITE_OK ? failed(result, rc) : status;
}

/* Where the row is stored: walks from its home until it is met or a rowid is free. */
static int locate(struct ls_result *result, struct zs_bytes row, struct record *record)
{
    int64_t rowid = home_of(result, row);

    *record = (struct record){0, 0, 0};
    for (;;) {
        int64_t weight;
        bool found;
        int rc = read_slot(result, rowid, &weight, &found);

        if (rc != ZS_OK || !found)
            return rc;
        if (zs_bytes_equal(zs_buffer_bytes(&result->row), row)) {
            *record = (struct record){weight, rowid, weight};
            return ZS_OK;
        }
        rowid = after(result, rowid);
    }
}

static struct zs_bytes record_bytes(const struct record *record)
{
    return (struct zs_bytes){(const uint8_t *)record, sizeof(*record)};
}

static int result_apply(
    struct zs_trace *trace, struct zs_bytes key, struct zs_bytes row, int64_t weight)
{
    struct ls_result *result = (struct ls_result *)trace;
    struct record record;
    struct zs_bytes value;
    bool found;
    int rc = zs_cells_get(result->memory, row, &value, &found);

    (void)key;
    if (rc != ZS_OK)
        return rc;
    if (found)
        memcpy(&record, value.data, sizeof(record));
    else
        rc = locate(result, row, &record);
    if (rc != ZS_OK)
        return rc;
    if (__builtin_add_overflow(record.weight, weight, &record.weight))
        return ZS_OVERFLOW;
    if (record.weight == record.stored_weight)
        return zs_cells_remove(result->memory, row);
    return zs_cells_put(result->memory, row, record_bytes(&record));
}

static int result_begin(struct zs_trace *trace)
{
    struct zs_cells *memory = ((struct ls_result *)trace)->memory;
    return memory->methods->begin(memory);
}

static void result_commit(struct zs_trace *trace)
{
    struct zs_cells *memory = ((struct ls_result *)trace)->memory;
    memory->methods->commit(memory);
}

static void result_rollback(struct zs_trace *trace)
{
    struct zs_cells *memory = ((struct ls_result *)trace)->memory;
    memory->methods->rollback(memory);
}

static void result_free(struct zs_trace *trace)
{
    ls_result_free((struct ls_result *)trace);
}

/* Operators only write a result; cursors read it through the functions below. */
static const struct zs_trace_methods result_methods = {
    .apply = result_apply,
    .begin = result_begin,
    .commit = result_commit,
    .rollback = result_rollback,
    .free = result_free,
};

int ls_result_new(sqlite3 *db, const char *schema, const char *view, int n_columns,
    int hash_bits, struct ls_result **result)
{
    struct ls_result *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc = made == NULL ? ZS_NOMEM : ZS_OK;

    *result = NULL;
    if (rc != ZS_OK)
        return rc;
    made->trace.methods = &result_methods;
    made->db = db;
    made->n_columns = n_columns;
    made->hash_mask = ((uint64_t)1 << hash_bits) - 1;
    zs_buffer_init(&made->row, &ls_alloc);
    made->schema = sqlite3_mprintf("%s", schema);
    made->view = sqlite3_mprintf("%s", view);
    if (made->schema == NULL || made->view == NULL)
        rc = ZS_NOMEM;
    if (rc == ZS_OK)
        rc = zs_memory_cells_new(&ls_alloc, &made->memory);
    if (rc == ZS_OK)
        *result = made;
    else
        ls_result_free(made);
    return rc;
}

void ls_result_free(struct ls_result *result)
{
    if (result == NULL)
        return;
    for (int i = 0; i < N_STATEMENTS; i++)
        sqlite3_finalize(result->statements[i]);
    zs_cells_free(result->memory);
    zs_buffer_clear(&result->row);
    sqlite3_free(result->schema);
    sqlite3_free(result->view);
    sqlite3_free(result);
}

struct zs_trace *ls_result_trace(struct ls_result *result)
{
    return &result->trace;
}

size_t ls_result_pending(const struct ls_result *result)
{
    return zs_memory_cells_len(result->memory);
}

void ls_result_forget(struct ls_result *result)
{
    zs_memory_cells_clear(result->memory);
}

int ls_result_code(const struct ls_result *result)
{
    return result->code;
}

int ls_result_is_pending(struct ls_result *result, struct zs_bytes row, bool *pending)
{
    struct zs_bytes value;
    return zs_cells_get(result->memory, row, &value, pending);
}

int ls_result_next(struct ls_result *result, struct zs_bytes from, struct zs_bytes *row,
    int64_t *weight, bool *found)
{
    struct record record;
    struct zs_bytes value;
    int rc = result->memory->methods->seek(result->memory, from, true, row, &value, found);

    if (rc == ZS_OK && *found) {
        memcpy(&record, value.data, sizeof(record));
        *weight = record.weight;
    }
    return rc;
}

/* Storing. Rows go in by ascending hash, so that a large store writes each page once. */

struct pending {
    int64_t home;
    size_t at; /* in the copied rows */
    size_t len;
    struct record record;
};

static int by_home(const void *a, const void *b)
{
    int64_t x = ((const struct pending *)a)->home, y = ((const struct pending *)b)->home;
    return (x > y) - (x < y);
}

/* Copies what is pending, for its memory can't be walked while statements run. */
static int gather(struct ls_result *result, struct zs_buffer *rows, struct pending **list,
    size_t *n, size_t *cap)
{
    struct zs_buffer from;
    struct zs_bytes row, value;
    bool found;
    int rc;

    zs_buffer_init(&from, &ls_alloc);
    for (;;) {
        struct pending *item;

        rc = result->memory->methods->seek(
            result->memory, zs_buffer_bytes(&from), true, &row, &value, &found);
        if (rc != ZS_OK || !found)
            break;
        rc = zs_alloc_reserve(&ls_alloc, list, cap, *n + 1, sizeof(**list));
        if (rc != ZS_OK)
            break;
        item = &(*list)[*n];
        *item = (struct pending){home_of(result, row), rows->len, row.len, {0, 0, 0}};
        memcpy(&item->record, value.data, sizeof(item->record));
        rc = zs_buffer_append(rows, row.data, row.len);
        zs_buffer_reset(&from);
        if (rc == ZS_OK)
            rc = zs_buffer_append(&from, row.data, row.len);
        if (rc == ZS_OK)
            rc = zs_buffer_append_byte(&from, 0);
        if (rc != ZS_OK)
            break;
        (*n)++;
    }
    zs_buffer_clear(&from);
    return rc;
}

static int run_two(sqlite3_stmt *statement, int64_t first, int64_t second)
{
    int rc = sqlite3_bind_int64(statement, 1, first);
    if (rc == SQLITE_OK && sqlite3_bind_parameter_count(statement) > 1)
        rc = sqlite3_bind_int64(statement, 2, second);
    return rc != SQLITE_OK ? rc : ls_run(statement);
}

/* Rows pushed behind the one that is gone move up, as far as their own home allows. */
static int close_gap(struct ls_result *result, int64_t gap, bool *has_moved)
{
    int64_t rowid = gap;
    sqlite3_stmt *move;
    int rc = SQLITE_OK;

    for (;;) {
        int64_t weight, home;
        bool found;

        rowid = after(result, rowid);
        if (read_slot(result, rowid, &weight, &found) != ZS_OK)
            return result->code != SQLITE_OK ? result->code : SQLITE_NOMEM;
        if (!found)
            return SQLITE_OK;
        home = home_of(result, zs_buffer_bytes(&result->row));
        /* May it stand at the gap? Only if its home is not behind the gap. */
        if ((((uint64_t)rowid - (uint64_t)home) & result->hash_mask) <
            (((uint64_t)rowid - (uint64_t)gap) & result->hash_mask))
            continue;
        rc = prepared(result, MOVE, &move);
        if (rc == SQLITE_OK)
            rc = run_two(move, rowid, gap);
        if (rc != SQLITE_OK)
            return rc;
        *has_moved = true;
        gap = rowid;
    }
}

static int insert_row(
    struct ls_result *result, int64_t rowid, struct zs_bytes row, int64_t weight)
{
    sqlite3_stmt *statement;
    size_t at = 0;
    int rc = prepared(result, INSERT, &statement);

    for (int i = 0; rc == SQLITE_OK && i < result->n_columns; i++) {
        struct zs_value value;
        if (zs_row_read(row, &at, &value) != ZS_OK)
            return SQLITE_CORRUPT_VTAB;
        rc = ls_bind(statement, i + 2, &value);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, result->n_columns + 2, weight);
    if (rc != SQLITE_OK)
        return rc;
    for (;;) {
        rc = sqlite3_bind_int64(statement, 1, rowid);
        if (rc == SQLITE_OK)
            rc = ls_run(statement);
        if ((rc & 0xff) != SQLITE_CONSTRAINT)
            return rc;
        rowid = after(result, rowid);
    }
}

static int store_one(
    struct ls_result *result, const struct pending *item, struct zs_bytes row, bool *has_moved)
{
    struct record record = item->record;
    sqlite3_stmt *statement;
    int rc;

    if (record.weight < 0)
        return SQLITE_CORRUPT_VTAB;
    if (record.stored_weight == 0)
        return record.weight == 0 ? SQLITE_OK
                                  : insert_row(result, item->home, row, record.weight);
    if (*has_moved) {
        if (locate(result, row, &record) != ZS_OK)
            return result->code != SQLITE_OK ? result->code : SQLITE_NOMEM;
        record.weight = item->record.weight;
    }
    rc = prepared(result, record.weight == 0 ? DELETE : UPDATE, &statement);
    if (rc == SQLITE_OK)
        rc = run_two(statement, record.rowid, record.weight);
    if (rc == SQLITE_OK && record.weight == 0)
        rc = close_gap(result, record.rowid, has_moved);
    return rc;
}

int ls_result_store(struct ls_result *result)
{
    struct zs_buffer rows;
    struct pending *list = NULL;
    size_t n = 0, cap = 0;
    bool has_moved = false;
    int rc;

    if (ls_result_pending(result) == 0)
        return SQLITE_OK;
    zs_buffer_init(&rows, &ls_alloc);
    result->code = SQLITE_OK;
    rc = gather(result, &rows, &list, &n, &cap) == ZS_OK ? SQLITE_OK : SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        qsort(list, n, sizeof(*list), by_home);
    for (size_t i = 0; rc == SQLITE_OK && i < n; i++) {
        struct zs_bytes row = {rows.data + list[i].at, list[i].len};
        rc = store_one(result, &list[i], row, &has_moved);
    }
    sqlite3_free(list);
    zs_buffer_clear(&rows);
    return rc;
}
