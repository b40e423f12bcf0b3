/* The stored state's own description.
**
** <view>_state has one row:
**   format    LS_FORMAT
**   token     a random number, another at every store: what an overlay rests on
**   dirty     1 while a store is under way, or after one that failed: make the state anew
**   cookie    the schema version then
**   level     with the cookie a mark of the schema, as mark.h has it; raised by what Lockstep itself
**             has dropped since. VACUUM, which may renumber rowids, raises the schema's
**   sqlite    the SQLite that computed it: functions change between versions, and LIKE by a PRAGMA
**   maintain  'read' or 'commit'
**   indexes   1: indexes are made on base tables where joins lack them; see indexes.h
**   declaration  the columns as they are declared to SQLite
**   n_rows, n_cells  how many rows <view>_data and <view>_trace have; whether they have any is looked at
**             with the rest: one that was emptied is as good as missing
**   checksum  of all but dirty; NULL while that is set
** lockstep_position(view, log, seq, checksum) has a row a view and log: rows of the log up to
** seq are in the stored state, of all its logs at once. When every view is at the end the log
** is emptied, but for a row that says nothing, from which positions count on again. It is far
** from 1, where SQLite begins in a log that somebody else has emptied: that ends before the
** positions. The checksum is of the other three. A row of either table whose checksum is wrong
** counts as dirty, and lost. */
#include "ext/state.h"

#include <string.h>

#include "ext/shadow.h"
#include "ext/policy.h"
#include "ext/statement.h"

/* The statements of a view, and those of each of its logs. */
enum { READ, MARK_DIRTY, WRITE_STATE, N_STATEMENTS };
enum { WRITE_POSITION, LEAST, LAST, DELETE_READ, DELETE_ALL, BEGIN, RESTART, N_LOG_STATEMENTS };

_Static_assert((int)N_STATEMENTS == (int)LS_N_STATE_STATEMENTS, "view.h has room for these");
_Static_assert((int)N_LOG_STATEMENTS == (int)LS_N_LOG_STATEMENTS, "and for these");

/* Where positions begin. SQLite stores it, and a million more, in three bytes. */
enum { BEGINNING = 1000000 };

/* The columns of READ before the positions. */
enum {
    READ_TOKEN,
    READ_COOKIE,
    READ_LEVEL,
    READ_ROWS,
    READ_CELLS,
    READ_IS_USABLE,
    READ_POSITIONS
};

/* How LIKE compares, where the view has any, counts as another SQLite. */
static const char *dialect(const struct ls_view *view)
{
    return view->definition->is_case_sensitive ? " with case_sensitive_like" : "";
}

static char *read_text(const struct ls_view *view)
{
    sqlite3_str *text = sqlite3_str_new(view->connection->db);

    sqlite3_str_appendf(text,
        "SELECT token, cookie, level, n_rows, n_cells, dirty = 0 AND format = %d AND sqlite ="
        " %Q || %Q AND checksum = " LS_STATE_CHECKSUM(
            "level") " AND (n_rows > 0) = EXISTS(SELECT 1 FROM \"%w\".\"%w_data\")"
                     " AND (n_cells > 0) = EXISTS(SELECT 1 FROM \"%w\".\"%w_trace\")",
        LS_FORMAT, sqlite3_libversion(), dialect(view), view->schema, view->name, view->schema,
        view->name);
    for (size_t i = 0; i < view->n_positions; i++)
        sqlite3_str_appendf(text,
            ", (SELECT seq FROM \"%w\".lockstep_position WHERE view = %Q AND log = %d"
            " AND checksum = lockstep_checksum(view, log, seq))",
            view->schema, view->name, view->definition->tables[i]->log);
    sqlite3_str_appendf(text, " FROM \"%w\".\"%w_state\"", view->schema, view->name);
    return sqlite3_str_finish(text);
}

static char *statement_text(const struct ls_view *view, int which)
{
    switch (which) {
    case READ:
        return read_text(view);
    case MARK_DIRTY:
        return sqlite3_mprintf("UPDATE \"%w\".\"%w_state\" SET dirty = 1, checksum = NULL",
            view->schema, view->name);
    case WRITE_STATE:
        return sqlite3_mprintf(
            "UPDATE \"%w\".\"%w_state\" SET token = ?1, cookie = ?2, level = ?3, n_rows = ?4,"
            " n_cells = ?5, dirty = 0, format = %d, sqlite = %Q || %Q, checksum ="
            " lockstep_checksum(%d, ?1, ?2, ?3, %Q || %Q, maintain, indexes, declaration, ?4, "
            "?5)",
            view->schema, view->name, LS_FORMAT, sqlite3_libversion(), dialect(view), LS_FORMAT,
            sqlite3_libversion(), dialect(view));
    }
    return NULL;
}

static char *log_statement_text(const struct ls_view *view, size_t table, int which)
{
    const char *schema = view->schema;
    int log = view->definition->tables[table]->log;

    switch (which) {
    case WRITE_POSITION:
        return sqlite3_mprintf(
            "UPDATE \"%w\".lockstep_position SET seq = ?1,"
            " checksum = lockstep_checksum(view, log, ?1) WHERE view = %Q AND log = %d",
            schema, view->name, log);
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
    case BEGIN:
        return sqlite3_mprintf(
            "INSERT INTO \"%w\".lockstep_log_%d(lockstep_seq, lockstep_weight)"
            " VALUES(%d, 2)", /* a weight that no trigger writes */
            schema, log, BEGINNING);
    case RESTART: /* of those at ?1; what is damaged stays so */
        return sqlite3_mprintf(
            "UPDATE \"%w\".lockstep_position SET seq = %d, checksum = CASE checksum"
            " WHEN lockstep_checksum(view, log, ?1) THEN lockstep_checksum(view, log, %d) END"
            " WHERE log = %d",
            schema, BEGINNING, BEGINNING, log);
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

static int log_prepared(struct ls_view *view, size_t table, int which, sqlite3_stmt **statement)
{
    sqlite3_stmt **kept = &view->log_statements[table * N_LOG_STATEMENTS + (size_t)which];
    int rc = SQLITE_OK;

    if (*kept == NULL)
        rc =
            ls_prepare_text(view->connection->db, kept, log_statement_text(view, table, which));
    *statement = *kept;
    return rc;
}

/* Runs a statement that writes, its first parameter, if it has one, bound. */
static int run(sqlite3_stmt *statement, sqlite3_int64 parameter)
{
    int rc = SQLITE_OK;

    if (sqlite3_bind_parameter_count(statement) > 0)
        rc = sqlite3_bind_int64(statement, 1, parameter);
    return rc == SQLITE_OK ? ls_run(statement) : rc;
}

static int run_on_log(struct ls_view *view, size_t table, int which, sqlite3_int64 parameter)
{
    sqlite3_stmt *statement;
    int rc = log_prepared(view, table, which, &statement);

    return rc == SQLITE_OK ? run(statement, parameter) : rc;
}

static int ask_log(struct ls_view *view, size_t table, int which, sqlite3_int64 *value)
{
    sqlite3_stmt *statement;
    int rc = log_prepared(view, table, which, &statement);

    return rc == SQLITE_OK ? ls_step_integer(statement, value) : rc;
}

/* Gives a log that is empty now, and ended at `end`, its first row. */
static int begin_log(
    struct ls_view *view, size_t table, sqlite3_int64 end, sqlite3_int64 *position)
{
    int rc = run_on_log(view, table, BEGIN, 0);

    if (rc == SQLITE_OK)
        rc = run_on_log(view, table, RESTART, end);
    if (rc == SQLITE_OK)
        *position = BEGINNING;
    return rc;
}

int ls_state_end_of_log(struct ls_view *view, size_t table, sqlite3_int64 *position)
{
    int rc = ask_log(view, table, LAST, position);

    return rc == SQLITE_OK && *position == 0 ? begin_log(view, table, 0, position) : rc;
}

/* Nothing that could be brought up to date. */
static void know_nothing(struct ls_view *view, struct ls_state *state)
{
    *state = (struct ls_state){.token = -1};
    for (size_t i = 0; i < view->n_positions; i++)
        view->positions[i].found = 0;
}

int ls_state_read(struct ls_view *view, struct ls_state *state)
{
    sqlite3_stmt *statement;
    bool found = false;
    int rc;

    know_nothing(view, state);
    if (view->lacks_tables)
        return SQLITE_OK;
    rc = prepared(view, READ, &statement);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        found = true;
        state->token = sqlite3_column_int64(statement, READ_TOKEN);
        state->mark.version = sqlite3_column_int64(statement, READ_COOKIE);
        state->mark.level = sqlite3_column_int64(statement, READ_LEVEL);
        state->counts.rows = sqlite3_column_int64(statement, READ_ROWS);
        state->counts.cells = sqlite3_column_int64(statement, READ_CELLS);
        state->is_usable = sqlite3_column_int(statement, READ_IS_USABLE) != 0;
    }
    for (size_t i = 0; found && i < view->n_positions; i++) {
        found = sqlite3_column_type(statement, READ_POSITIONS + (int)i) != SQLITE_NULL;
        view->positions[i].found = sqlite3_column_int64(statement, READ_POSITIONS + (int)i);
    }
    rc = sqlite3_reset(statement);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (!found) /* no position: the log is not the one it knew */
        know_nothing(view, state);
    return SQLITE_OK;
}

/* The column that a plan's number means: the rowid is the INTEGER PRIMARY KEY where there is
** one. */
static int column_of(const struct ls_table *table, int column)
{
    return column < 0 ? table->rowid_column : column;
}

bool ls_state_is_logged(
    const struct ls_view *view, size_t table, const struct ls_logged *logged)
{
    const struct zsql_table *read = &view->definition->plan->tables[table];

    if (view->maintain == LS_ON_COMMIT && !logged->has_sink)
        return false;
    for (size_t i = 0; i < read->n_columns; i++) {
        int column = column_of(view->definition->tables[table], read->columns[i]);

        if (column < 0 ? !logged->has_rowid : !logged->columns[column])
            return false;
    }
    return true;
}

void ls_state_add_needs(const struct ls_view *view, size_t table, struct ls_logged *logged)
{
    const struct zsql_table *read = &view->definition->plan->tables[table];

    for (size_t i = 0; i < read->n_columns; i++) {
        int column = column_of(view->definition->tables[table], read->columns[i]);

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
    sqlite3_stmt *statement;
    int rc = prepared(view, MARK_DIRTY, &statement);

    if (rc == SQLITE_OK)
        rc = run(statement, 0);
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}

int ls_state_excuse(sqlite3 *db, const char *schema, const char *view, sqlite3_int64 rise)
{
    sqlite3_stmt *others = NULL;
    enum ls_positions positions = LS_NO_POSITIONS;
    int rc = rise == 0 ? SQLITE_OK : ls_shadow_positions(db, schema, &positions);

    if (rc == SQLITE_OK && positions != LS_NO_POSITIONS)
        rc = ls_prepare(db, &others,
            "SELECT DISTINCT view FROM \"%w\".lockstep_position WHERE view <> %Q", schema,
            view);
    while (rc == SQLITE_OK && others != NULL && sqlite3_step(others) == SQLITE_ROW) {
        rc = ls_exec(db,
            "UPDATE \"%w\".\"%w_state\" SET level = level + %lld, checksum = CASE checksum"
            " WHEN " LS_STATE_CHECKSUM("level") " THEN " LS_STATE_CHECKSUM(
                "level + %lld") " END",
            schema, (const char *)sqlite3_column_text(others, 0), rise, rise);
        if (rc == SQLITE_ERROR)
            rc = SQLITE_OK; /* it is damaged, or of another format: it will be made anew */
    }
    if (rc == SQLITE_OK && others != NULL)
        rc = sqlite3_reset(others);
    sqlite3_finalize(others);
    return rc;
}

int ls_state_position(struct ls_view *view, int log, sqlite3_int64 seq)
{
    return ls_exec(view->connection->db,
        "INSERT INTO \"%w\".lockstep_position(view, log, seq, checksum)"
        " VALUES(%Q, %d, %lld, lockstep_checksum(%Q, %d, %lld))",
        view->schema, view->name, log, seq, view->name, log, seq);
}

int ls_state_follow(sqlite3 *db, const char *schema, int from, int to, bool is_lost)
{
    if (is_lost)
        return ls_exec(db,
            "UPDATE \"%w\".lockstep_position SET log = %d, seq = 0, checksum = NULL"
            " WHERE log = %d",
            schema, to, from);
    return ls_exec(db,
        "UPDATE \"%w\".lockstep_position SET log = %d, checksum = CASE checksum"
        " WHEN lockstep_checksum(view, log, seq) THEN lockstep_checksum(view, %d, seq) END"
        " WHERE log = %d",
        schema, to, to, from);
}

int ls_state_rename_positions(sqlite3 *db, const char *schema, const char *from, const char *to)
{
    return ls_exec(db,
        "UPDATE \"%w\".lockstep_position SET view = %Q, checksum = CASE checksum"
        " WHEN lockstep_checksum(view, log, seq) THEN lockstep_checksum(%Q, log, seq) END"
        " WHERE view = %Q",
        schema, to, to, from);
}

/* A view that nobody reads need not keep the log from being trimmed for ever: one that is so
** far behind will be made anew when it is read, and what it has not taken in is of no use to
** it. */
static int leave_behind(
    struct ls_view *view, size_t table, sqlite3_int64 *least, sqlite3_int64 last)
{
    char *message = NULL;
    sqlite3_int64 rows = -1, first;
    int rc = SQLITE_OK;

    if (last - *least > LS_MANY_ROWS)
        rc = ls_pipeline_size(view->pipeline, &rows, &message);
    sqlite3_free(message);
    first = last - LS_MANY_ROWS - (rows > LS_MANY_ROWS ? rows : LS_MANY_ROWS);
    if (rc != SQLITE_OK || rows < 0 || *least > first)
        return rc;
    rc = ls_exec(view->connection->db,
        "UPDATE \"%w\".lockstep_position SET seq = %lld, checksum = NULL"
        " WHERE log = %d AND seq <= %lld",
        view->schema, last, view->definition->tables[table]->log, first);
    return rc == SQLITE_OK ? ask_log(view, table, LEAST, least) : rc;
}

static int trim_log(struct ls_view *view, size_t table)
{
    sqlite3_int64 least, last = 0;
    int rc = ask_log(view, table, LEAST, &least);

    if (rc == SQLITE_OK)
        rc = ask_log(view, table, LAST, &last);
    if (rc == SQLITE_OK)
        rc = leave_behind(view, table, &least, last);
    if (rc == SQLITE_OK && last > least && least > 0) {
        rc = run_on_log(view, table, DELETE_READ, least);
    } else if (rc == SQLITE_OK && last > 0 && last <= least && last != BEGINNING) {
        rc = run_on_log(view, table, DELETE_ALL, 0);
        if (rc == SQLITE_OK)
            rc = begin_log(view, table, last, &view->positions[table].taken);
    }
    return rc;
}

/* Under a new token, and not dirty any more. */
static int write_state(struct ls_view *view)
{
    sqlite3_stmt *statement;
    sqlite3_int64 token;
    int rc;

    sqlite3_randomness(sizeof(token), &token);
    token &= 0x7fffffffffffffff;
    rc = prepared(view, WRITE_STATE, &statement);
    if (rc == SQLITE_OK && view->seen.version != view->cookie)
        rc = ls_mark_read(view->connection->db, view->schema, &view->seen);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 2, view->cookie);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 3, view->seen.level);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 4, view->counts.rows);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 5, view->counts.cells);
    if (rc == SQLITE_OK)
        rc = run(statement, token);
    if (rc == SQLITE_OK && view->good_token == view->token)
        view->good_token = token;
    if (rc == SQLITE_OK)
        view->token = view->seen_token = token;
    return rc;
}

int ls_state_write(struct ls_view *view)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < view->n_positions; i++)
        rc = run_on_log(view, i, WRITE_POSITION, view->positions[i].taken);
    for (size_t i = 0; rc == SQLITE_OK && i < view->n_positions; i++)
        rc = trim_log(view, i);
    if (rc == SQLITE_OK)
        rc = write_state(view);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    for (size_t i = 0; i < view->n_positions; i++)
        view->positions[i].stored = view->positions[i].taken;
    view->may_be_renumbered = false;
    return SQLITE_OK;
}
