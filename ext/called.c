/* A statement that is compiled anew with all others. It outlives the pipeline, so that what came
** about before the schema moved is seen.
**
** SQLite compiles all anew for indexes, virtual tables and TEMP tables too, and does not tell why.
** An index of our own is not taken for a function; one of the user's and a virtual table may be,
** which costs making the view once more; and a TEMP table is not, for they come and go often. */
#include "ext/called.h"

#include "ext/statement.h"

int ls_called_begin(struct ls_view *view)
{
    const struct ls_definition *definition = view->definition;

    view->rests_on_users = definition->calls_others || definition->collates;
    if (view->witness != NULL || (!definition->calls_like && !view->rests_on_users))
        return SQLITE_OK;
    return ls_prepare(view->connection->db, &view->witness, "SELECT 1");
}

/* Has it been compiled anew since the last look? */
static int look(struct ls_view *view, bool *is_anew)
{
    sqlite3_int64 one;
    int rc = view->witness == NULL ? SQLITE_OK : ls_step_integer(view->witness, &one);

    if (rc == SQLITE_OK && view->witness != NULL &&
        sqlite3_stmt_status(view->witness, SQLITE_STMTSTATUS_REPREPARE, true) > 0)
        *is_anew = true;
    return rc;
}

int ls_called_check(struct ls_view *view)
{
    sqlite3_int64 temp_cookie = view->temp_cookie;
    int rc;

    if (view->witness == NULL)
        return SQLITE_OK;
    rc = look(view, &view->is_called_anew);
    if (rc != SQLITE_OK || !view->is_called_anew)
        return rc;
    view->is_called_anew = false;
    view->must_check = true;
    ls_view_close(view);
    rc = ls_view_open(view);
    /* Also where it can't be opened: what it calls may be gone, to come back as another. */
    if (view->rests_on_users && temp_cookie == view->temp_cookie) {
        view->has_missed = true;
        view->good_token = -1;
    }
    return rc;
}

/* Looks at all views, that one included, which is in no list while it is created. What was our own
** doing they don't take for more. */
static int look_at_all(struct ls_view *view, bool is_own)
{
    bool ignored = false;
    int rc = look(view, is_own ? &ignored : &view->is_called_anew);

    for (struct ls_view *other = view->connection->views; rc == SQLITE_OK && other != NULL;
         other = other->next)
        rc = look(other, is_own ? &ignored : &other->is_called_anew);
    return rc;
}

int ls_called_exec(struct ls_view *view, const char *text)
{
    int rc = look_at_all(view, false);

    if (rc == SQLITE_OK)
        rc = sqlite3_exec(view->connection->db, text, NULL, NULL, NULL);
    return rc == SQLITE_OK ? look_at_all(view, true) : rc;
}
