/* The virtual table module `lockstep`: a view as a table. */
#include "ext/viewtable.h"

#include "ext/best_index.h"
#include "ext/check.h"
#include "ext/command.h"
#include "ext/create.h"
#include "ext/cursor.h"
#include "ext/statement.h"

/* Rows have no rowid; SQLite does not ask for one of a WITHOUT ROWID table. */
static int view_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    (void)cursor;
    *rowid = 0;
    return SQLITE_OK;
}

/* The only write is a command: INSERT INTO v(lockstep) VALUES(...). */
static int view_update(sqlite3_vtab *vtab, int argc, sqlite3_value **argv, sqlite3_int64 *rowid)
{
    struct ls_view *view = (struct ls_view *)vtab;

    *rowid = sqlite3_last_insert_rowid(view->connection->db); /* a command inserts no row */
    if (argc > 1 && sqlite3_value_type(argv[0]) == SQLITE_NULL &&
        sqlite3_value_type(argv[2 + view->n_columns]) != SQLITE_NULL)
        return ls_command(view, (const char *)sqlite3_value_text(argv[2 + view->n_columns]));
    return ls_view_fail(view, SQLITE_READONLY,
        "it can't be changed itself: change the tables that it is made from");
}

/* From 3.44 on SQLite's structure has a field more: it reads as many as iVersion says, and an
** older one no more than it knows. Headers that are older lack it, so it stands behind
** theirs. */
static const struct {
    sqlite3_module module;
#if SQLITE_VERSION_NUMBER < 3044000
    int (*xIntegrity)(sqlite3_vtab *, const char *, const char *, int, char **);
#endif
} view_module = {
    .module =
        {
            .iVersion = 4,
            .xCreate = ls_view_create,
            .xConnect = ls_view_connect,
            .xBestIndex = ls_best_index,
            .xDisconnect = ls_view_disconnect,
            .xDestroy = ls_view_destroy,
            .xOpen = ls_cursor_open,
            .xClose = ls_cursor_close,
            .xFilter = ls_cursor_filter,
            .xNext = ls_cursor_next,
            .xEof = ls_cursor_eof,
            .xColumn = ls_cursor_column,
            .xRowid = view_rowid,
            .xUpdate = view_update,
            .xRename = ls_view_rename,
            .xShadowName = ls_view_shadow_name,
#if SQLITE_VERSION_NUMBER >= 3044000
            .xIntegrity = ls_check_integrity,
        },
#else
        },
    .xIntegrity = ls_check_integrity,
#endif
};

int ls_viewtable_register(struct ls_connection *connection)
{
    connection->references++;
    return sqlite3_create_module_v2(
        connection->db, "lockstep", &view_module.module, connection, ls_connection_release);
}
