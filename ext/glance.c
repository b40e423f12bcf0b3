/* SQLite compiles a statement anew before it runs if the schema of a database that it reads has
** moved, if the TEMP schema has, or if a rollback has taken either back; it counts that. So a
** statement that reads the ends of the logs tells of the schema, too.
**
** The stored state is what it was where its token and the positions in the logs are, none of
** which is lost, and no store is half done. */
#include "ext/glance.h"

#include "ext/state.h"
#include "ext/statement.h"

/* The columns of LS_AT_ALL; and of each log its end, and its position, which LS_AT_LOGS has
** not. */
enum { TOKEN, IS_USABLE, N_OF_STATE };

static char *glance_text(const struct ls_view *view, enum ls_glance_kind kind)
{
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    const char *separator = "";

    sqlite3_str_appendf(text, "SELECT ");
    if (kind == LS_AT_ALL)
        sqlite3_str_appendf(text, "token, dirty = 0 AND format = %d, ", LS_FORMAT);
    for (size_t i = 0; i < view->n_positions; i++) {
        int log = view->definition->tables[i]->log;

        sqlite3_str_appendf(text,
            "%s(SELECT lockstep_seq FROM \"%w\".lockstep_log_%d"
            " ORDER BY lockstep_seq DESC LIMIT 1)", /* a third less than max() */
            separator, view->schema, log);
        if (kind == LS_AT_ALL)
            sqlite3_str_appendf(text,
                ", (SELECT seq FROM \"%w\".lockstep_position WHERE view = %Q AND log = %d"
                " AND checksum IS NOT NULL)",
                view->schema, view->name, log);
        separator = ", ";
    }
    if (kind == LS_AT_ALL)
        sqlite3_str_appendf(text, " FROM \"%w\".\"%w_state\"", view->schema, view->name);
    return sqlite3_str_finish(text);
}

static int n_compiled(const struct ls_glance *glance)
{
    return sqlite3_stmt_status(glance->statement, SQLITE_STMTSTATUS_REPREPARE, false);
}

int ls_glance_begin(struct ls_view *view)
{
    int rc = SQLITE_OK;

    for (int i = 0; rc == SQLITE_OK && i < LS_N_GLANCES; i++) {
        struct ls_glance *glance = &view->glances[i];

        if (glance->statement == NULL)
            rc =
                ls_prepare_text(view->connection->db, &glance->statement, glance_text(view, i));
        if (rc == SQLITE_OK)
            glance->n_compiled = n_compiled(glance);
    }
    return rc;
}

/* Is what a row of LS_AT_ALL says of the stored state what the overlay rests on? */
static bool is_same_state(const struct ls_view *view, sqlite3_stmt *row)
{
    if (sqlite3_column_int64(row, TOKEN) != view->token ||
        sqlite3_column_int(row, IS_USABLE) == 0)
        return false;
    for (size_t i = 0; i < view->n_positions; i++) {
        int column = N_OF_STATE + 2 * (int)i + 1;

        if (sqlite3_column_type(row, column) != SQLITE_INTEGER ||
            sqlite3_column_int64(row, column) != view->positions[i].stored)
            return false;
    }
    return true;
}

int ls_glance(struct ls_view *view, enum ls_glance_kind kind, bool *is_known)
{
    struct ls_glance *glance = &view->glances[kind];
    int first = kind == LS_AT_ALL ? N_OF_STATE : 0, stride = kind == LS_AT_ALL ? 2 : 1;
    int rc;

    *is_known = false;
    if (glance->statement == NULL)
        return SQLITE_OK;
    *is_known = sqlite3_step(glance->statement) == SQLITE_ROW;
    if (*is_known && kind == LS_AT_ALL)
        *is_known = is_same_state(view, glance->statement);
    for (size_t i = 0; *is_known && i < view->n_positions; i++) {
        view->positions[i].end =
            sqlite3_column_int64(glance->statement, first + stride * (int)i);
        *is_known = view->positions[i].end >= view->positions[i].taken;
    }
    rc = sqlite3_reset(glance->statement);
    *is_known = *is_known && n_compiled(glance) == glance->n_compiled;
    return (rc & 0xff) == SQLITE_ERROR ? SQLITE_OK
                                       : rc; /* a log is gone: the schema has moved */
}
