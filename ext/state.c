/* The stored state's own description.
**
** <view>_state has one row:
**   format    LS_FORMAT
**   token     a random number, another at every store: what an overlay rests on
**   dirty     1 while a store is under way, or after one that failed: make the state anew
**   sqlite    the SQLite that computed it: functions change between versions
**   maintain  'read' or 'commit'
** lockstep_position(view, log, seq) has a row a view and log: rows of the log up to seq are in
** the
** stored state. When every view is at the end the log is emptied and positions begin at 0
** again. */
#include "ext/state.h"

#include <string.h>

#include "ext/statement.h"

int ls_state_read(struct ls_view *view, struct ls_state *state)
{
    sqlite3 *db = view->connection->db;
    bool found = false;
    int rc = SQLITE_OK;

    *state = (struct ls_state){0, 0, false};
    if (view->state_statement == NULL)
        rc = ls_prepare(db, &view->state_statement,
            "SELECT s.token, p.seq, s.dirty = 0 AND s.format = %d AND s.sqlite = %Q"
            " FROM \"%w\".\"%w_state\" AS s, \"%w\".lockstep_position AS p"
            " WHERE p.view = %Q AND p.log = %d",
            LS_FORMAT, sqlite3_libversion(), view->schema, view->name, view->schema, view->name,
            view->definition->table->log);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (sqlite3_step(view->state_statement) == SQLITE_ROW) {
        found = true;
        state->token = sqlite3_column_int64(view->state_statement, 0);
        state->seq = sqlite3_column_int64(view->state_statement, 1);
        state->is_usable = sqlite3_column_int(view->state_statement, 2) != 0;
    }
    rc = sqlite3_reset(view->state_statement);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (!found)
        state->token = -1; /* no position: the log is not the one it knew */
    return SQLITE_OK;
}

bool ls_state_is_logged(const struct ls_view *view, const struct ls_logged *logged)
{
    const struct zsql_operator *source = view->definition->plan->operators[0];

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
    int rc = ls_exec(view->connection->db, "UPDATE \"%w\".\"%w_state\" SET dirty = 1",
        view->schema, view->name);
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}

int ls_state_write(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    sqlite3_int64 token;
    int rc;

    sqlite3_randomness(sizeof(token), &token);
    token &= 0x7fffffffffffffff;
    rc = ls_exec(db,
        "UPDATE \"%w\".\"%w_state\" SET token = %lld, dirty = 0, format = %d, sqlite = %Q;"
        "UPDATE \"%w\".lockstep_position SET seq = %lld WHERE view = %Q AND log = %d",
        view->schema, view->name, token, LS_FORMAT, sqlite3_libversion(), view->schema,
        view->taken, view->name, view->definition->table->log);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    view->token = token;
    view->stored_seq = view->taken;
    return SQLITE_OK;
}

int ls_state_trim(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    int log = view->definition->table->log;
    sqlite3_int64 least = 0, last = 0;
    int rc = ls_query_integer(db, 0, &least,
        "SELECT min(seq) FROM \"%w\".lockstep_position WHERE log = %d", view->schema, log);

    if (rc == SQLITE_OK)
        rc = ls_query_integer(db, 0, &last,
            "SELECT max(lockstep_seq) FROM \"%w\".lockstep_log_%d", view->schema, log);
    if (rc == SQLITE_OK && last > least && least > 0)
        rc = ls_exec(db, "DELETE FROM \"%w\".lockstep_log_%d WHERE lockstep_seq <= %lld",
            view->schema, log, least);
    else if (rc == SQLITE_OK && last > 0 && last <= least) {
        rc = ls_exec(db,
            "DELETE FROM \"%w\".lockstep_log_%d;"
            "UPDATE \"%w\".lockstep_position SET seq = 0 WHERE log = %d",
            view->schema, log, view->schema, log);
        if (rc == SQLITE_OK)
            view->taken = view->stored_seq = 0;
    }
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}
