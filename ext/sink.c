/* The sink. SQLite calls its transaction methods once something was written to it in a
** transaction; a savepoint's level n is announced as the connection's level n + 2 (1 is the
** transaction). What is known of the calls' order, the odd cases included:
**   - a level may be announced twice: the first counts;
**   - levels that were open before are not announced: they are opened with the next that is;
**   - rolling back to a level that was never announced comes as level 0, or -1 for all;
**   - xSync may run more than once, as COMMIT may be refused after it. */
#include "ext/sink.h"

#include "ext/eponym.h"
#include "ext/state.h"
#include "ext/statement.h"

enum { MOST_UNDONE = 4 }; /* rows of logs, which are stepped in once more by each read */

static struct ls_connection *connection_of(sqlite3_vtab *vtab)
{
    return ls_eponym_owner(vtab);
}

static int sink_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error)
{
    (void)argc;
    (void)argv;
    return ls_eponym_connect(db, "CREATE TABLE x(log INTEGER)", true, aux, vtab, error);
}

static int sink_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    (void)vtab;
    info->estimatedCost = 1;
    info->estimatedRows = 1;
    return SQLITE_OK;
}

static int sink_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
    (void)vtab;
    return ls_eponym_open(sizeof(**cursor), cursor);
}

static int sink_filter(
    sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv)
{
    (void)cursor;
    (void)number;
    (void)text;
    (void)argc;
    (void)argv;
    return SQLITE_OK;
}

static int sink_next(sqlite3_vtab_cursor *cursor)
{
    (void)cursor;
    return SQLITE_OK;
}

/* The sink keeps nothing. */
static int sink_eof(sqlite3_vtab_cursor *cursor)
{
    (void)cursor;
    return 1;
}

static int sink_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int i)
{
    (void)cursor;
    (void)i;
    sqlite3_result_null(context);
    return SQLITE_OK;
}

static int sink_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    (void)cursor;
    *rowid = 0;
    return SQLITE_OK;
}

/* A log's number says that a view kept at commits may have changed; anything else only enrols.
 */
static int sink_update(sqlite3_vtab *vtab, int argc, sqlite3_value **argv, sqlite3_int64 *rowid)
{
    *rowid = 0;
    if (argc == 3 && sqlite3_value_int64(argv[2]) > 0)
        connection_of(vtab)->has_commit_views = true;
    return SQLITE_OK;
}

static int sink_begin(sqlite3_vtab *vtab)
{
    struct ls_connection *connection = connection_of(vtab);

    connection->is_enrolled = true;
    connection->has_commit_views = false;
    connection->levels = 1;
    for (struct ls_view *view = connection->views; view != NULL; view = view->next) {
        ls_view_drop_provisional(view);
        view->is_put_off = false;
    }
    return SQLITE_OK;
}

static sqlite3_int64 count_taken(const struct ls_view *view)
{
    sqlite3_int64 n = 0;

    for (size_t i = 0; i < view->n_positions; i++)
        n += view->positions[i].taken;
    return n;
}

/* The transaction's last statement is over. What was taken in ahead of a log, that log says by now. */
static void settle_provisional(struct ls_connection *connection)
{
    for (struct ls_view *view = connection->views; view != NULL; view = view->next) {
        sqlite3_int64 n = count_taken(view);

        if (!view->is_ahead)
            ls_view_settle_provisional(view);
        view->n_undone = n - count_taken(view);
    }
}

/* Has a failure of a nested statement ended the transaction? Of that SQLite tells no virtual
** table while it calls xSync. */
static bool has_ended(const struct ls_connection *connection)
{
    return !connection->is_enrolled ||
           sqlite3_txn_state(connection->db, NULL) != SQLITE_TXN_WRITE;
}

/* What a failure to bring a view up to date means for the commit. As the view is left dirty, to
** be made anew by a later read, the commit goes on, unless the transaction is doomed anyway; or
** every commit counts and another connection of a shared cache reads what is to be written:
** then it is to be tried again. */
static int verdict(const struct ls_view *view, int rc)
{
    if (ls_is_doomed(rc))
        return rc;
    return (rc & 0xff) == SQLITE_LOCKED && view->maintain == LS_ON_COMMIT ? rc : SQLITE_OK;
}

/* Should a commit store it? */
static bool is_due(const struct ls_view *view)
{
    if (view->is_put_off)
        return true;
    if (view->maintain == LS_ON_COMMIT)
        return view->connection->has_commit_views;
    return view->pipeline != NULL && ls_view_is_worth_storing(view);
}

/* Where nothing but statements that write read a view, each would have to take in what all before have
** changed: the commit takes in that. What keeps it from doing so is no reason to fail, and an interrupt,
** which a commit does not heed otherwise, is none either. */
static int catch_up(struct ls_view *view)
{
    enum ls_answer answer;
    int rc = ls_view_refresh(view, NULL, &answer);

    if (!view->is_busy)
        ls_view_settle_provisional(view);
    if (rc == SQLITE_OK || has_ended(view->connection) ||
        (ls_is_doomed(rc) && rc != SQLITE_INTERRUPT))
        return rc;
    ls_view_forgive(view);
    return SQLITE_OK;
}

static int sync_view(struct ls_view *view)
{
    enum ls_answer answer;
    int rc;

    if (view->is_busy) /* a write that it calls itself */
        return ls_state_mark_dirty(view);
    if (view->is_ahead || (!is_due(view) && view->n_undone > MOST_UNDONE)) {
        rc = catch_up(view);
        if (rc != SQLITE_OK)
            return rc;
    }
    if (!is_due(view))
        return SQLITE_OK;
    rc = ls_view_refresh(view, NULL, &answer);
    if (rc == SQLITE_OK && answer == LS_BY_STATE)
        return verdict(view, ls_view_store(view));
    if (ls_is_doomed(rc) || has_ended(view->connection))
        return rc;
    if (rc == SQLITE_OK && view->way != LS_AT_ONCE && view->maintain == LS_ON_READ)
        return SQLITE_OK; /* a later read will do it */
    /* What the log can't bring up to date is marked, and made anew: now where every commit
    ** counts, else by a later read. */
    rc = ls_state_mark_dirty(view);
    if (rc == SQLITE_OK && view->maintain == LS_ON_COMMIT)
        rc = ls_view_take_large(view);
    return verdict(view, rc);
}

static int sink_sync(sqlite3_vtab *vtab)
{
    struct ls_connection *connection = connection_of(vtab);
    sqlite3_int64 last_rowid = sqlite3_last_insert_rowid(connection->db);
    int rc = SQLITE_OK;

    settle_provisional(connection);
    ls_connection_hold(connection);
    if (connection->has_commit_views)
        rc = ls_connection_connect_all(connection);
    if (!ls_may_pass(rc))
        rc = SQLITE_OK; /* a later read says what is wrong with them */
    connection->is_working = true;
    /* A failure that ends the transaction may have disconnected the views. */
    for (struct ls_view *view = connection->views;
         view != NULL && rc == SQLITE_OK && !has_ended(connection); view = view->next)
        rc = sync_view(view);
    connection->is_working = false;
    ls_connection_let_go(connection);
    sqlite3_set_last_insert_rowid(connection->db, last_rowid);
    if (rc == SQLITE_OK && has_ended(connection))
        rc = SQLITE_ABORT_ROLLBACK;
    if ((rc & 0xff) == SQLITE_LOCKED)
        rc = SQLITE_BUSY; /* the one code by which a COMMIT leaves the transaction open */
    return rc;
}

static int sink_commit(sqlite3_vtab *vtab)
{
    struct ls_connection *connection = connection_of(vtab);

    for (struct ls_view *view = connection->views; view != NULL; view = view->next) {
        ls_view_drop_ahead(view);
        ls_view_merge(view, 0);
    }
    connection->is_enrolled = false;
    connection->levels = 0;
    return SQLITE_OK;
}

static void roll_views_back(struct ls_connection *connection, unsigned levels)
{
    for (struct ls_view *view = connection->views; view != NULL; view = view->next) {
        ls_view_warn_cursors(view);
        ls_view_roll_back(view, levels);
    }
}

static int sink_rollback(sqlite3_vtab *vtab)
{
    struct ls_connection *connection = connection_of(vtab);

    roll_views_back(connection, 0);
    connection->is_enrolled = false;
    connection->levels = 0;
    return SQLITE_OK;
}

static int sink_savepoint(sqlite3_vtab *vtab, int n)
{
    struct ls_connection *connection = connection_of(vtab);

    if (connection->levels >= (unsigned)n + 2)
        return SQLITE_OK;
    for (struct ls_view *view = connection->views; view != NULL; view = view->next)
        ls_view_begin_savepoint(view, connection->levels);
    connection->levels = (unsigned)n + 2;
    return SQLITE_OK;
}

static int sink_release(sqlite3_vtab *vtab, int n)
{
    struct ls_connection *connection = connection_of(vtab);
    unsigned levels = n < 0 ? 1 : (unsigned)n + 1;

    if (connection->levels <= levels)
        return SQLITE_OK;
    connection->levels = levels;
    for (struct ls_view *view = connection->views; view != NULL; view = view->next)
        ls_view_merge(view, levels + view->is_provisional);
    return SQLITE_OK;
}

static int sink_rollback_to(sqlite3_vtab *vtab, int n)
{
    struct ls_connection *connection = connection_of(vtab);
    unsigned kept = n < 0 ? 0 : (unsigned)n + 1; /* levels older than the savepoint */

    roll_views_back(connection, kept);
    if (n < 0)
        connection->levels = 1;
    else if (connection->levels > (unsigned)n + 2)
        connection->levels = (unsigned)n + 2;
    return SQLITE_OK;
}

/* xCreate is NULL: one table a connection, under the module's name, that nobody can drop. */
static const sqlite3_module sink_module = {
    .iVersion = 2,
    .xConnect = sink_connect,
    .xBestIndex = sink_best_index,
    .xDisconnect = ls_eponym_disconnect,
    .xOpen = sink_open,
    .xClose = ls_eponym_close,
    .xFilter = sink_filter,
    .xNext = sink_next,
    .xEof = sink_eof,
    .xColumn = sink_column,
    .xRowid = sink_rowid,
    .xUpdate = sink_update,
    .xBegin = sink_begin,
    .xSync = sink_sync,
    .xCommit = sink_commit,
    .xRollback = sink_rollback,
    .xSavepoint = sink_savepoint,
    .xRelease = sink_release,
    .xRollbackTo = sink_rollback_to,
};

int ls_sink_register(struct ls_connection *connection)
{
    connection->references++;
    return sqlite3_create_module_v2(
        connection->db, "lockstep_sink", &sink_module, connection, ls_connection_release);
}
