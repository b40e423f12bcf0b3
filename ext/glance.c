/* SQLite compiles a statement anew before it runs if the schema of a database that it reads has moved,
** if the TEMP schema has, or if a rollback has taken either back; it counts that. So a statement that
** reads the ends of the logs tells of the schema, too. */
#include "ext/glance.h"

#include "ext/statement.h"

static char *ends_text(const struct ls_view *view)
{
    sqlite3_str *text = sqlite3_str_new(view->connection->db);

    for (size_t i = 0; i < view->n_positions; i++)
        sqlite3_str_appendf(text, "%s(SELECT max(lockstep_seq) FROM \"%w\".lockstep_log_%d)",
            i == 0 ? "SELECT " : ", ", view->schema, view->definition->tables[i]->log);
    return sqlite3_str_finish(text);
}

static int n_compiled(const struct ls_view *view)
{
    return sqlite3_stmt_status(view->ends, SQLITE_STMTSTATUS_REPREPARE, false);
}

int ls_glance_begin(struct ls_view *view)
{
    int rc = SQLITE_OK;

    if (view->ends == NULL)
        rc = ls_prepare_text(view->connection->db, &view->ends, ends_text(view));
    if (rc == SQLITE_OK)
        view->n_compiled = n_compiled(view);
    return rc;
}

int ls_glance(struct ls_view *view, bool *is_known)
{
    int rc;

    *is_known = false;
    if (view->ends == NULL)
        return SQLITE_OK;
    *is_known = sqlite3_step(view->ends) == SQLITE_ROW;
    for (size_t i = 0; *is_known && i < view->n_positions; i++) {
        view->positions[i].end = sqlite3_column_int64(view->ends, (int)i);
        *is_known = view->positions[i].end >= view->positions[i].taken;
    }
    rc = sqlite3_reset(view->ends);
    *is_known = *is_known && n_compiled(view) == view->n_compiled;
    return (rc & 0xff) == SQLITE_ERROR ? SQLITE_OK
                                       : rc; /* a log is gone: the schema has moved */
}
