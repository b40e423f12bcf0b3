/* lockstep_views, an eponymous virtual table over the catalogue tables of every database. It
** reads what is stored, and steps no view. */
#include "ext/listing.h"

#include "ext/eponym.h"
#include "ext/shadow.h"
#include "ext/state.h"
#include "ext/statement.h"

/* A SELECT for each view. */
struct lines {
    sqlite3 *db;
    char **texts;
    size_t n, cap;
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct lines lines;
    size_t at;
    sqlite3_stmt *statement; /* of the line it stands on */
};

static int listing_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    (void)argc;
    (void)argv;
    return ls_eponym_connect(db,
        "CREATE TABLE x(schema TEXT, name TEXT, maintain TEXT, rows INTEGER, pending INTEGER,"
        " dirty INTEGER, query TEXT)",
        true, aux, vtab, error);
}

static int listing_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    (void)vtab;
    info->estimatedCost = 1000;
    info->estimatedRows = 25;
    return SQLITE_OK;
}

static int listing_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
    (void)vtab;
    return ls_eponym_open(sizeof(struct cursor), cursor);
}

static void clear(struct cursor *cursor)
{
    for (size_t i = 0; i < cursor->lines.n; i++)
        sqlite3_free(cursor->lines.texts[i]);
    sqlite3_free(cursor->lines.texts);
    sqlite3_finalize(cursor->statement);
    cursor->lines = (struct lines){.n = 0};
    cursor->statement = NULL;
}

static int listing_close(sqlite3_vtab_cursor *base)
{
    clear((struct cursor *)base);
    return ls_eponym_close(base);
}

/* Appends what is read of a table, or what stands for that where the table has no such
** column. */
static int append_read(sqlite3 *db, sqlite3_str *text, const char *schema, const char *table,
    const char *column, const char *what, const char *otherwise)
{
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(db, 0, &n,
        "SELECT count(*) FROM pragma_table_info(%Q, %Q) WHERE name = %Q", table, schema,
        column);

    if (rc == SQLITE_OK && n > 0)
        sqlite3_str_appendf(text, "(SELECT %s FROM \"%w\".\"%w\")", what, schema, table);
    else
        sqlite3_str_appendf(text, "%s", otherwise);
    return rc;
}

/* The rows of its logs that the view has not taken in. */
static int append_pending(sqlite3 *db, sqlite3_str *text, const char *schema, const char *view)
{
    sqlite3_stmt *logs;
    int rc = ls_prepare(db, &logs,
        "SELECT 'lockstep_log_' || log, 'count(*) FILTER (WHERE lockstep_seq > '"
        " || CAST(seq AS INTEGER) || ')' FROM \"%w\".lockstep_position WHERE view = %Q",
        schema, view);

    sqlite3_str_appendf(text, "0");
    while (rc == SQLITE_OK && sqlite3_step(logs) == SQLITE_ROW) {
        sqlite3_str_appendf(text, " + ");
        rc = append_read(db, text, schema, (const char *)sqlite3_column_text(logs, 0),
            "lockstep_seq", (const char *)sqlite3_column_text(logs, 1), "NULL");
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(logs);
    sqlite3_finalize(logs);
    return rc;
}

/* One view's line as a SELECT. */
static int append_view(sqlite3 *db, sqlite3_str *text, const char *schema, const char *view)
{
    char *state = sqlite3_mprintf("%s_state", view), *data = sqlite3_mprintf("%s_data", view);
    enum ls_positions positions;
    int rc = ls_shadow_positions(db, schema, &positions);

    if (state == NULL || data == NULL)
        rc = SQLITE_NOMEM;

    sqlite3_str_appendf(text, "SELECT %Q, %Q, ", schema, view);
    if (rc == SQLITE_OK)
        rc = append_read(db, text, schema, state, "maintain", "maintain", "NULL");
    sqlite3_str_appendf(text, ", ");
    if (rc == SQLITE_OK)
        rc = append_read(db, text, schema, data, "lockstep_row", "count(*)", "NULL");
    sqlite3_str_appendf(text, ", ");
    if (rc == SQLITE_OK)
        rc = append_pending(db, text, schema, view);
    sqlite3_str_appendf(text, ", ");
    if (rc == SQLITE_OK)
        rc = append_read(db, text, schema, state, "checksum",
            "dirty OR checksum IS NOT " LS_STATE_CHECKSUM("level"), "1");
    if (rc == SQLITE_OK && positions == LS_CHECKED_POSITIONS)
        sqlite3_str_appendf(text,
            " OR EXISTS (SELECT 1 FROM \"%w\".lockstep_position WHERE view = %Q"
            " AND checksum IS NOT lockstep_checksum(view, log, seq))",
            schema, view);
    sqlite3_str_appendf(text,
        ", (SELECT sql FROM \"%w\".sqlite_schema WHERE type = 'view' AND name = '%q_query')",
        schema, view);
    sqlite3_free(state);
    sqlite3_free(data);
    return rc;
}

static int add_line(struct lines *lines, const char *schema, const char *view)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    int rc = append_view(lines->db, text, schema, view);
    char *finished = sqlite3_str_finish(text);

    if (rc == SQLITE_OK &&
        (finished == NULL || zs_alloc_reserve(&ls_alloc, &lines->texts, &lines->cap,
                                 lines->n + 1, sizeof(*lines->texts)) != ZS_OK))
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        lines->texts[lines->n++] = finished;
    else
        sqlite3_free(finished);
    return rc;
}

static int add_schema(void *ctx, const char *schema)
{
    struct lines *lines = ctx;
    sqlite3_stmt *views;
    int rc = ls_prepare(lines->db, &views,
        "SELECT DISTINCT view FROM \"%w\".lockstep_position WHERE view IN"
        " (SELECT name COLLATE NOCASE FROM \"%w\".sqlite_schema) ORDER BY view",
        schema, schema);

    while (rc == SQLITE_OK && sqlite3_step(views) == SQLITE_ROW)
        rc = add_line(lines, schema, (const char *)sqlite3_column_text(views, 0));
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(views);
    sqlite3_finalize(views);
    return rc;
}

static int fail(struct cursor *cursor, int rc)
{
    sqlite3_vtab *vtab = cursor->base.pVtab;

    sqlite3_free(vtab->zErrMsg);
    vtab->zErrMsg = sqlite3_mprintf("lockstep_views: %s", ls_said(cursor->lines.db, rc));
    return rc;
}

/* Stands on the line at cursor->at, unless that is behind the last. */
static int read_line(struct cursor *cursor)
{
    int rc;

    sqlite3_finalize(cursor->statement);
    cursor->statement = NULL;
    if (cursor->at == cursor->lines.n)
        return SQLITE_OK;
    rc = sqlite3_prepare_v2(
        cursor->lines.db, cursor->lines.texts[cursor->at], -1, &cursor->statement, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(cursor->statement);
    return rc == SQLITE_ROW ? SQLITE_OK : fail(cursor, rc);
}

static int listing_next(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;

    cursor->at++;
    return read_line(cursor);
}

static int listing_filter(
    sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
    struct cursor *cursor = (struct cursor *)base;
    struct ls_connection *connection = ls_eponym_owner(base->pVtab);
    int rc;

    (void)number;
    (void)plan;
    (void)argc;
    (void)argv;
    clear(cursor);
    cursor->at = 0;
    cursor->lines.db = connection->db;
    rc = ls_connection_each_schema(connection, add_schema, &cursor->lines);
    return rc == SQLITE_OK ? read_line(cursor) : fail(cursor, rc);
}

static int listing_eof(sqlite3_vtab_cursor *base)
{
    const struct cursor *cursor = (struct cursor *)base;
    return cursor->at >= cursor->lines.n;
}

static int listing_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int i)
{
    sqlite3_result_value(context, sqlite3_column_value(((struct cursor *)base)->statement, i));
    return SQLITE_OK;
}

static int listing_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
    *rowid = (sqlite3_int64)((struct cursor *)base)->at + 1;
    return SQLITE_OK;
}

static const sqlite3_module listing_module = {
    .xConnect = listing_connect,
    .xBestIndex = listing_best_index,
    .xDisconnect = ls_eponym_disconnect,
    .xOpen = listing_open,
    .xClose = listing_close,
    .xFilter = listing_filter,
    .xNext = listing_next,
    .xEof = listing_eof,
    .xColumn = listing_column,
    .xRowid = listing_rowid,
};

int ls_listing_register(struct ls_connection *connection)
{
    connection->references++;
    return sqlite3_create_module_v2(
        connection->db, "lockstep_views", &listing_module, connection, ls_connection_release);
}
