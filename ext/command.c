/* Commands to a view. The INSERT that carries one holds a write transaction already.
**
** A trigger may carry one too, in the middle of a statement that changes rows of the view's
** tables: a row may be changed and not logged, or a candidate logged whose row is yet to be
** displaced, and what is stored there could never be put right by the log. The statement's
** triggers are compiled besides, so that capture can't be mended under it. So nothing is
** stored or made there: a store is put off to the commit, and a rebuild to the next read. */
#include "ext/command.h"

#include <string.h>

#include "ext/aside.h"
#include "ext/check.h"
#include "ext/create.h"
#include "ext/policy.h"
#include "ext/spelling.h"
#include "ext/state.h"
#include "ext/statement.h"

static int store(struct ls_view *view)
{
    enum ls_answer answer;
    int rc = ls_view_refresh(view, NULL, &answer);

    if (rc == SQLITE_OK && answer == LS_BY_STATE && !view->needs_rebuild)
        return ls_view_store(view);
    return rc == SQLITE_OK ? ls_view_take_large(view) : rc;
}

static int rebuild(struct ls_view *view)
{
    int rc;

    ls_view_close(view);
    rc = ls_aside_damaged(view);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    rc = ls_view_make_query(view);
    if (rc == SQLITE_OK)
        rc = ls_view_open(view);
    if (rc == SQLITE_OK)
        rc = ls_view_rebuild(view);
    if ((rc & 0xff) == SQLITE_CORRUPT && rc != SQLITE_CORRUPT_VTAB)
        rc = ls_view_fail(view, rc,
            "the file itself is damaged: PRAGMA integrity_check tells where, and .recover in"
            " the sqlite3 shell saves what can be read");
    return rc;
}

static int check(struct ls_view *view)
{
    return ls_check(view, true);
}

/* In the middle of a statement. */

/* Without the sink no commit is announced; then the next read, or store, does it. */
static int store_later(struct ls_view *view)
{
    int rc = ls_connection_enroll(view->connection);

    if (ls_is_doomed(rc))
        return ls_view_fail_with(view, rc, NULL);
    view->is_put_off = rc == SQLITE_OK;
    return SQLITE_OK;
}

/* The mark goes with a rollback of the statement. A view whose tables are missing is made anew
** anyway. */
static int rebuild_later(struct ls_view *view)
{
    struct ls_connection *connection = view->connection;
    int rc = store_later(view);

    if (rc != SQLITE_OK)
        return rc;
    connection->is_working = true;
    rc = ls_state_mark_dirty(view);
    connection->is_working = false;
    view->must_check = true;
    ls_course_end(view);
    if (rc != SQLITE_ERROR)
        return rc;
    ls_view_forgive(view);
    return SQLITE_OK;
}

/* As a read would look at it; where that asks the query, there is nothing to compare. */
static int check_within(struct ls_view *view)
{
    struct ls_connection *connection = view->connection;
    struct ls_moment moment;
    int rc = ls_view_open(view);

    if (rc != SQLITE_OK)
        return rc;
    ls_moment_now(view, true, &moment);
    if (moment.is_between_row_and_log)
        return ls_view_fail(view, SQLITE_LOCKED,
            "'integrity-check' can't be answered in the middle of a statement that may have"
            " changed what the view reads: run it by itself");
    connection->is_looking = true;
    rc = ls_check(view, true);
    connection->is_looking = false;
    return rc;
}

static const struct command {
    const char *name;
    int (*run)(struct ls_view *view);
    int (*run_within)(struct ls_view *view); /* in the middle of a statement */
} commands[] = {
    {"rebuild", rebuild, rebuild_later},
    {"store", store, store_later},
    {"integrity-check", check, check_within},
};

/* Within, the statement that carries the command does not count as one that writes: its own
** work is this. */
static int run(struct ls_view *view, const struct command *command)
{
    struct ls_connection *connection = view->connection;
    int rc = ls_connection_enroll(connection);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    ls_view_drop_ahead(view);
    connection->is_working = true;
    rc = command->run(view);
    connection->is_working = false;
    return rc;
}

/* Does a statement insert into that name? INTO is a keyword that has no other use. *names_schema:
** and into that schema. */
static bool inserts_into(const char *text, const struct ls_view *view, bool *names_schema)
{
    struct zsql_token token = zsql_lex(text, 0);

    while (token.kind != TK_END_OF_TEXT &&
           (token.end - token.start != 4 || !ls_token_spells(text, token, "INTO")))
        token = zsql_lex(text, token.end);
    if (token.kind == TK_END_OF_TEXT)
        return false;
    token = zsql_lex(text, token.end);
    *names_schema = zsql_lex(text, token.end).kind == TK_DOT;
    if (*names_schema) {
        if (!ls_token_spells(text, token, view->schema))
            return false;
        token = zsql_lex(text, zsql_lex(text, token.end).end);
    }
    return token.kind != TK_END_OF_TEXT && ls_token_spells(text, token, view->name);
}

/* Is a statement that writes the command's own, not one whose trigger carries it? A virtual table
** has no triggers. Where no schema is given, another's table of that name may be meant, but only
** TEMP triggers lead from there to the view. */
static int find_own_statement(struct ls_view *view, bool *is_there)
{
    sqlite3 *db = view->connection->db;
    sqlite3_stmt *statement = NULL;
    bool names_schema = false;

    *is_there = false;
    while (!*is_there && (statement = sqlite3_next_stmt(db, statement)) != NULL) {
        const char *text = sqlite3_sql(statement);

        *is_there = text != NULL && sqlite3_stmt_busy(statement) &&
                    !sqlite3_stmt_readonly(statement) &&
                    inserts_into(text, view, &names_schema);
    }
    if (*is_there && !names_schema) {
        sqlite3_int64 n = 0;
        int rc = ls_query_integer(db, 0, &n,
            "SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger'"
            " AND tbl_name = %Q COLLATE NOCASE",
            view->name);

        if (rc != SQLITE_OK)
            return ls_view_fail_with(view, rc, NULL);
        *is_there = n == 0;
    }
    return SQLITE_OK;
}

static int run_where_it_stands(struct ls_view *view, const struct command *command)
{
    sqlite3 *db = view->connection->db;
    sqlite3_int64 last_rowid = sqlite3_last_insert_rowid(db);
    struct ls_moment moment;
    bool is_own = false;
    int rc = SQLITE_OK;

    ls_moment_now(view, true, &moment);
    if (!view->connection->is_working)
        rc = find_own_statement(view, &is_own);
    if (rc != SQLITE_OK)
        return rc;
    if (view->connection->is_working || (is_own && moment.n_writing > 1))
        return ls_view_fail(view, SQLITE_LOCKED,
            "'%s' can't run in the middle of another statement", command->name);
    rc = is_own ? run(view, command) : command->run_within(view);
    sqlite3_set_last_insert_rowid(db, last_rowid);
    return rc;
}

int ls_command(struct ls_view *view, const char *name)
{
    if (view->is_busy)
        return ls_view_refuse_busy(view);
    for (size_t i = 0; name != NULL && i < sizeof(commands) / sizeof(*commands); i++)
        if (sqlite3_stricmp(name, commands[i].name) == 0)
            return run_where_it_stands(view, &commands[i]);
    return ls_view_fail(view, SQLITE_ERROR,
        "unknown command '%s': there are 'rebuild', 'store' and 'integrity-check'",
        name == NULL ? "" : name);
}
