/* A statement that is compiled anew with all others. */
#include "ext/called.h"

#include "ext/statement.h"

static int n_compiled(const struct ls_view *view)
{
    return sqlite3_stmt_status(view->witness, SQLITE_STMTSTATUS_REPREPARE, false);
}

int ls_called_begin(struct ls_view *view)
{
    if (!view->definition->calls_like && !view->definition->calls_others)
        return SQLITE_OK;
    return ls_prepare(view->connection->db, &view->witness, "SELECT 1");
}

int ls_called_check(struct ls_view *view)
{
    sqlite3_int64 cookie = view->cookie, temp_cookie = view->temp_cookie, one;
    bool calls_others;
    int rc;

    if (view->witness == NULL)
        return SQLITE_OK;
    rc = ls_step_integer(view->witness, &one);
    if (rc != SQLITE_OK || n_compiled(view) == 0)
        return rc;
    calls_others = view->definition->calls_others;
    view->must_check = true;
    ls_view_close(view);
    rc = ls_view_open(view);
    if (rc == SQLITE_OK && calls_others && cookie == view->cookie &&
        temp_cookie == view->temp_cookie) {
        view->has_missed = true;
        view->good_token = -1;
    }
    return rc;
}
