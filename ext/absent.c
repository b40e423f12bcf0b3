/* A view is connected once more when SQLite reads the schema anew, which it can be told to do. A
** statement that is asked to begin again must not have done anything yet: it returns a row, or
** ends, and is charged for its instructions then. */
#include "ext/absent.h"

#include "ext/collation.h"
#include "ext/statement.h"

int ls_absent_look(struct ls_view *view)
{
    int rc = SQLITE_OK;

    view->lacks_collations = false;
    for (int i = 0; rc == SQLITE_OK && i < view->n_columns; i++) {
        struct ls_view_column *column = &view->columns[i];
        bool is_there = true;

        if (ls_collation_is_users(column->collation))
            rc = ls_collation_find(view->connection->db, column->collation, &is_there);
        column->is_plain = !is_there;
        view->lacks_collations |= !is_there;
    }
    return rc;
}

int ls_absent_check(struct ls_view *view)
{
    for (int i = 0; i < view->n_columns; i++) {
        const struct ls_view_column *column = &view->columns[i];
        bool is_there = true;
        int rc = !column->is_plain
                     ? SQLITE_OK
                     : ls_collation_find(view->connection->db, column->collation, &is_there);

        if (rc != SQLITE_OK)
            return ls_view_fail_with(view, rc, NULL);
        if (!is_there)
            return ls_view_fail(view, SQLITE_ERROR,
                "no such collation sequence: %s: register it on this connection, or drop the"
                " view",
                column->collation);
    }
    return SQLITE_OK;
}

/* What runs on the connection. */
struct running {
    int n;         /* statements */
    int n_writing; /* of them, those that write */
    int n_begun;   /* and those that may have returned a row */
};

static struct running find_running(sqlite3 *db)
{
    struct running running = {.n = 0};

    for (sqlite3_stmt *at = sqlite3_next_stmt(db, NULL); at != NULL;
         at = sqlite3_next_stmt(db, at)) {
        if (!sqlite3_stmt_busy(at))
            continue;
        running.n++;
        running.n_writing += !sqlite3_stmt_readonly(at);
        running.n_begun += sqlite3_stmt_status(at, SQLITE_STMTSTATUS_VM_STEP, false) > 0;
    }
    return running;
}

/* Has SQLite read the schema anew, and leaves the setting that goes by the same name. */
static int read_schema_anew(sqlite3 *db)
{
    sqlite3_int64 is_writable = 0;
    int rc = ls_query_integer(db, 0, &is_writable, "PRAGMA writable_schema");

    if (rc == SQLITE_OK)
        rc = ls_exec(db, "PRAGMA writable_schema = RESET");
    return rc == SQLITE_OK && is_writable != 0 ? ls_exec(db, "PRAGMA writable_schema = ON")
                                               : rc;
}

int ls_absent_end(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    struct running running;
    int rc;

    rc = ls_absent_check(view);
    if (rc != SQLITE_OK)
        return rc;
    /* One that writes, and goes on behind this one, may need the schema as it is. */
    running = find_running(db);
    if (running.n > 1 && running.n_writing > 0)
        return ls_view_fail(view, SQLITE_ERROR,
            "its collations were registered after it was first used: read it once where no"
            " statement that writes is running");
    rc = read_schema_anew(db);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    return running.n_writing == 0 && running.n_begun == 0
               ? SQLITE_SCHEMA
               : ls_view_fail(view, SQLITE_ERROR,
                     "its collations were registered after it was first used, and are known"
                     " from now on: run the statement again");
}
