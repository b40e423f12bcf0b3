/* The stored state's own description.
**
** <view>_state has one row:
**   format    LS_FORMAT
**   token     a random number, another at every store: what an overlay rests on
**   dirty     1 while a store is under way, or after one that failed: make the state anew
**   cookie    the schema version then: VACUUM, which may renumber rowids, moves it
**   sqlite    the SQLite that computed it: functions change between versions
**   maintain  'read' or 'commit'
**   declaration  the columns as they are declared to SQLite
** lockstep_position(view, log, seq) has a row a view and log: rows of the log up to seq are in
** the stored state. When every view is at the end the log is emptied and positions begin at 0
** again. */
#include "ext/state.h"

#include <string.h>

#include "ext/statement.h"

enum {
    READ,
    MARK_DIRTY,
    WRITE_STATE,
    WRITE_POSITION,
    LEAST,
    LAST,
    DELETE_READ,
    DELETE_ALL,
    RESTART,
    N_STATEMENTS
};

_Static_assert((int)N_STATEMENTS == (int)LS_N_STATE_STATEMENTS, "view.h has room for these");

static char *statement_text(const struct ls_view *view, int which)
{
    const char *schema = view->schema, *name = view->name;
    int log =
        view->definition == NULL ? 0 : view->definition->table->log; /* MARK_DIRTY needs none */

    switch (which) {
    case READ:
        return sqlite3_mprintf(
            "SELECT s.token, p.seq, s.cookie, s.dirty = 0 AND s.format = %d AND s.sqlite = %Q"
            " FROM \"%w\".\"%w_state\" AS s, \"%w\".lockstep_position AS p"
            " WHERE p.view = %Q AND p.log = %d",
            LS_FORMAT, sqlite3_libversion(), schema, name, schema, name, log);
    case MARK_DIRTY:
        return sqlite3_mprintf("UPDATE \"%w\".\"%w_state\" SET dirty = 1", schema, name);
    case WRITE_STATE:
        return sqlite3_mprintf("UPDATE \"%w\".\"%w_state\" SET token = ?1, cookie = ?2,"
                               " dirty = 0, format = %d, sqlite = %Q",
            schema, name, LS_FORMAT, sqlite3_libversion());
    case WRITE_POSITION:
        return sqlite3_mprintf(
            "UPDATE \"%w\".lockstep_position SET seq = ?1 WHERE view = %Q AND log = %d", schema,
            name, log);
    case LEAST:
        return sqlite3_mprintf(
            "SELECT min(seq) FROM \"%w\".lockstep_position WHERE log = %d", schema, log);
    case LAST:
        return sqlite3_mprintf(
            "SELECT max(lockstep_seq) FROM \"%w\".lockstep_log_%d", schema, log);
    case DELETE_READ:
        return sqlite3_mprintf(
            "DELETE FROM \"%w\".lockstep_log_%d WHERE lockstep_seq <= ?1", schema, log);
    case DELETE_ALL:
        return sqlite3_mprintf("DELETE FROM \"%w\".lockstep_log_%d", schema, log);
    case RESTART:
        return sqlite3_mprintf(
            "UPDATE \"%w\".lockstep_position SET seq = 0 WHERE log = %d", schema, log);
    }
    return NULL;
}

static int prepared(struct ls_view *view, int which, sqlite3_stmt **statement)
{
    int rc = SQLITE_OK;

    if (view->state_statements[which] == NULL)
        rc = ls_prepare_text(
            view->connection->db, &view->state_statements[which], statement_text(view, which));
    *statement = view->state_statements[which];
    return rc;
}

/* Runs a statement that writes, its first parameter, if it has one, bound. */
static int run(struct ls_view *view, int which, sqlite3_int64 parameter)
{
    sqlite3_stmt *statement;
    int rc = prepared(view, which, &statement);

    if (rc == SQLITE_OK && sqlite3_bind_parameter_count(statement) > 0)
        rc = sqlite3_bind_int64(statement, 1, parameter);
    return rc == SQLITE_OK ? ls_run(statement) : rc;
}

static int ask(struct ls_view *view, int which, sqlite3_int64 *value)
{
    sqlite3_stmt *statement;
    int rc = prepared(view, which, &statement);

    return rc == SQLITE_OK ? ls_step_integer(statement, value) : rc;
}

int ls_state_read(struct ls_view *view, struct ls_state *state)
{
    sqlite3_stmt *statement;
    bool found = false;
    int rc = prepared(view, READ, &statement);

    *state = (struct ls_state){0, 0, 0, false};
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        found = true;
        state->token = sqlite3_column_int64(statement, 0);
        state->seq = sqlite3_column_int64(statement, 1);
        state->cookie = sqlite3_column_int64(statement, 2);
        state->is_usable = sqlite3_column_int(statement, 3) != 0;
    }
    rc = sqlite3_reset(statement);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (!found)
        state->token = -1; /* no position: the log is not the one it knew */
    return SQLITE_OK;
}

bool ls_state_is_logged(const struct ls_view *view, const struct ls_logged *logged)
{
    const struct zsql_operator *source = view->definition->plan->operators[0];

    if (view->maintain == LS_ON_COMMIT && !logged->has_sink)
        return false;
    for (size_t i = 0; i < source->n_columns; i++) {
        int column = source->source_columns[i];

        if (column < 0 && view->definition->table->rowid_column >= 0)
            column = view->definition->table->rowid_column;
        if (column < 0 ? !logged->has_rowid : !logged->columns[column])
            return false;
    }
    return true;
}

void ls_state_add_needs(const struct ls_view *view, struct ls_logged *logged)
{
    const struct zsql_operator *source = view->definition->plan->operators[0];

    for (size_t i = 0; i < source->n_columns; i++) {
        int column = source->source_columns[i];

        if (column < 0)
            column = view->definition->table->rowid_column;
        if (column < 0)
            logged->has_rowid = true;
        else
            logged->columns[column] = true;
    }
    if (view->maintain == LS_ON_COMMIT)
        logged->has_sink = true;
}

int ls_state_mark_dirty(struct ls_view *view)
{
    int rc = run(view, MARK_DIRTY, 0);
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}

int ls_state_write(struct ls_view *view)
{
    sqlite3_stmt *statement;
    sqlite3_int64 token;
    int rc;

    sqlite3_randomness(sizeof(token), &token);
    token &= 0x7fffffffffffffff;
    rc = prepared(view, WRITE_STATE, &statement);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 2, view->cookie);
    if (rc == SQLITE_OK)
        rc = run(view, WRITE_STATE, token);
    if (rc == SQLITE_OK)
        rc = run(view, WRITE_POSITION, view->taken);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    view->token = token;
    view->stored_seq = view->taken;
    view->stored_cookie = view->cookie;
    return SQLITE_OK;
}

int ls_state_trim(struct ls_view *view)
{
    sqlite3_int64 least, last = 0;
    int rc = ask(view, LEAST, &least);

    if (rc == SQLITE_OK)
        rc = ask(view, LAST, &last);
    if (rc == SQLITE_OK && last > least && least > 0) {
        rc = run(view, DELETE_READ, least);
    } else if (rc == SQLITE_OK && last > 0 && last <= least) {
        rc = run(view, DELETE_ALL, 0);
        if (rc == SQLITE_OK)
            rc = run(view, RESTART, 0);
        if (rc == SQLITE_OK)
            view->taken = view->stored_seq = 0;
    }
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}
