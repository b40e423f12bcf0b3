/* The end of a view in the schema, and its new names. */
#include "ext/create.h"

#include "ext/capture.h"
#include "ext/indexes.h"
#include "ext/statement.h"

/* The logs that no view reads any more, with their triggers. */
static int drop_unread_logs(sqlite3 *db, const char *schema)
{
    sqlite3_stmt *statement;
    int rc;

    do {
        sqlite3_int64 log = 0;

        rc = ls_query_integer(db, 0, &log,
            "SELECT max(CAST(substr(name, 14) AS INTEGER)) FROM \"%w\".sqlite_schema"
            " WHERE name GLOB 'lockstep_log_[0-9]*' AND CAST(substr(name, 14) AS INTEGER)"
            " NOT IN (SELECT log FROM \"%w\".lockstep_position)",
            schema, schema);
        if (rc != SQLITE_OK || log == 0)
            break;
        rc = ls_capture_drop(db, schema, (int)log);
    } while (rc == SQLITE_OK);
    if (rc == SQLITE_OK)
        rc = ls_prepare(db, &statement, "SELECT 1 FROM \"%w\".lockstep_position", schema);
    if (rc != SQLITE_OK)
        return rc;
    rc = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return rc == SQLITE_DONE  ? ls_exec(db, "DROP TABLE \"%w\".lockstep_position", schema)
           : rc == SQLITE_ROW ? SQLITE_OK
                              : rc;
}

int ls_view_destroy(sqlite3_vtab *vtab)
{
    struct ls_view *view = (struct ls_view *)vtab;
    sqlite3 *db = view->connection->db;
    sqlite3_int64 n = 0;
    int rc;

    ls_view_close(view);
    rc = ls_exec(db,
        "DROP VIEW IF EXISTS \"%w\".\"%w_query\";"
        "DROP TABLE IF EXISTS \"%w\".\"%w_data\";"
        "DROP TABLE IF EXISTS \"%w\".\"%w_trace\";"
        "DROP TABLE IF EXISTS \"%w\".\"%w_state\"",
        view->schema, view->name, view->schema, view->name, view->schema, view->name,
        view->schema, view->name);
    if (rc == SQLITE_OK)
        rc = ls_query_integer(db, 0, &n,
            "SELECT count(*) FROM \"%w\".sqlite_schema WHERE name = 'lockstep_position'",
            view->schema);
    if (rc == SQLITE_OK && n > 0)
        rc = ls_exec(db, "DELETE FROM \"%w\".lockstep_position WHERE view = %Q", view->schema,
            view->name);
    if (rc == SQLITE_OK && n > 0)
        rc = drop_unread_logs(db, view->schema);
    if (rc == SQLITE_OK)
        rc = ls_indexes_release(db, view->schema, view->name);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    return ls_view_disconnect(vtab);
}

int ls_view_rename(sqlite3_vtab *vtab, const char *name)
{
    struct ls_view *view = (struct ls_view *)vtab;
    sqlite3 *db = view->connection->db;
    char *text = NULL, *copy = sqlite3_mprintf("%s", name);
    int rc = copy == NULL ? SQLITE_NOMEM : SQLITE_OK;

    ls_view_close(view);
    if (rc == SQLITE_OK)
        rc = ls_definition_text(db, view->schema, view->name, &text);
    if (rc == SQLITE_OK && text != NULL)
        rc = ls_exec(db, "DROP VIEW \"%w\".\"%w_query\"; CREATE VIEW \"%w\".\"%w_query\" AS %s",
            view->schema, view->name, view->schema, name, text);
    sqlite3_free(text);
    if (rc == SQLITE_OK)
        rc = ls_exec(db,
            "ALTER TABLE \"%w\".\"%w_data\" RENAME TO \"%w_data\";"
            "ALTER TABLE \"%w\".\"%w_trace\" RENAME TO \"%w_trace\";"
            "ALTER TABLE \"%w\".\"%w_state\" RENAME TO \"%w_state\";"
            "UPDATE \"%w\".lockstep_position SET view = %Q WHERE view = %Q",
            view->schema, view->name, name, view->schema, view->name, name, view->schema,
            view->name, name, view->schema, name, view->name);
    if (rc == SQLITE_OK)
        rc = ls_indexes_rename(db, view->schema, view->name, name);
    if (rc != SQLITE_OK) {
        sqlite3_free(copy);
        return ls_view_fail_with(view, rc, NULL);
    }
    sqlite3_free(view->name);
    view->name = copy;
    return SQLITE_OK;
}
