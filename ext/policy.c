/* When a read may write.
**
** A read stores in autocommit mode, when it is the only statement that runs, and when more is
** pending than a threshold: small where committing disturbs nobody (WAL, memory), larger with a
** rollback journal, where a commit waits for readers. It also stores in a write transaction of
** its own connection, where the lock is held anyway, to bound the overlay. It never turns a
** user's read transaction into a write transaction. After a failure it waits until more is
** pending, twice as much if the failure has cost the overlay; where a rebuild has failed, twice
** as many reads run the query before the next. */
#include "ext/policy.h"

#include <string.h>

#include "ext/statement.h"

enum { MOST_SKIPPED = 63 };
/* Rows of a log; one costs as much as so many of a scan. */
enum { FEW_OPEN = 64, MANY_OPEN = 1000, SCANNED_FOR_ONE = 16 };
enum { CHEAP_THRESHOLD = 4000, JOURNAL_THRESHOLD = 8000, TRANSACTION_THRESHOLD = 20000 };

/* Does a commit disturb nobody? */
static bool has_cheap_commits(struct ls_view *view)
{
    char *mode = NULL;
    bool is_cheap = ls_query_text(view->connection->db, &mode, "PRAGMA \"%w\".journal_mode",
                        view->schema) == SQLITE_OK &&
                    mode != NULL && (strcmp(mode, "wal") == 0 || strcmp(mode, "memory") == 0);

    sqlite3_free(mode);
    return is_cheap;
}

static size_t threshold_of(struct ls_view *view, const struct ls_moment *moment)
{
    if (moment->in_write)
        return TRANSACTION_THRESHOLD;
    return has_cheap_commits(view) ? CHEAP_THRESHOLD : JOURNAL_THRESHOLD;
}

/* May this read write at all? A statement that runs beside it could be reading what is written.
 */
bool ls_policy_may_write(const struct ls_view *view, const struct ls_moment *moment)
{
    const struct ls_connection *connection = view->connection;

    return !moment->is_readonly && !connection->is_working && !connection->is_looking &&
           moment->n_running <= 1 && moment->n_writing == 0 &&
           (moment->in_write || moment->is_autocommit);
}

/* Rolls a transaction of ours back. While an interrupt holds no statement runs, ROLLBACK as
** little as another; but one that would write, and is kept from it, takes its transaction
** with it. That one has no blanks, as they would let the interrupt keep it from being
** parsed. Failing both, we return a failure that SQLite lets no transaction outlive. */
static int roll_back(struct ls_view *view, int rc)
{
    sqlite3 *db = view->connection->db;

    for (int i = 0; i < 2 && !sqlite3_get_autocommit(db); i++) {
        int undone = ls_exec(db, "ROLLBACK");

        if (undone != SQLITE_OK)
            undone = ls_exec(db, "UPDATE\"%w\".\"%w_state\"SET\"dirty\"=\"dirty\";",
                view->schema, view->name);
        (void)undone;
    }
    return sqlite3_get_autocommit(db) ? rc : SQLITE_IOERR;
}

/* Runs fn in a transaction of our own. A read waits for nobody: with a rollback journal the
** commit would, as long as PRAGMA busy_timeout says, for others to have read. */
static int in_savepoint(struct ls_view *view, int (*fn)(struct ls_view *view))
{
    sqlite3 *db = view->connection->db;
    sqlite3_int64 timeout = 0;
    int rc = ls_query_integer(db, 0, &timeout, "PRAGMA busy_timeout");

    if (timeout > 0)
        sqlite3_busy_timeout(db, 0);
    if (rc == SQLITE_OK)
        rc = ls_exec(db, "SAVEPOINT lockstep_store");
    if (rc == SQLITE_OK)
        rc = fn(view);
    if (rc == SQLITE_OK) {
        rc = ls_exec(db, "RELEASE lockstep_store");
        view->must_drop |= rc != SQLITE_OK;
        if ((rc & 0xff) == SQLITE_CONSTRAINT)
            rc = SQLITE_AUTH; /* a commit hook of the user's has said no */
    }
    /* Rolling back to the savepoint would keep the lock, and releasing it would try to commit
    ** again. */
    if (rc != SQLITE_OK)
        rc = roll_back(view, rc);
    if (timeout > 0)
        sqlite3_busy_timeout(db, (int)timeout);
    return rc;
}

/* Runs fn, which writes. */
static int write_by(
    struct ls_view *view, const struct ls_moment *moment, int (*fn)(struct ls_view *view))
{
    struct ls_connection *connection = view->connection;
    sqlite3_int64 last_rowid = sqlite3_last_insert_rowid(connection->db);
    int rc;

    connection->is_working = true;
    if (moment->in_write) {
        rc = ls_connection_enroll(connection); /* to be told of a rollback */
        if (rc == SQLITE_OK)
            rc = fn(view);
    } else {
        rc = in_savepoint(view, fn);
    }
    sqlite3_set_last_insert_rowid(connection->db, last_rowid);
    connection->is_working = false;
    return rc;
}

/* Is it a failure to write that is no reason why a read should fail? It is one where it may
** have ended the user's transaction. */
static bool is_hindrance(int rc, const struct ls_moment *moment)
{
    static const int codes[] = {SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_CANTOPEN,
        SQLITE_FULL, SQLITE_IOERR, SQLITE_AUTH};

    if (moment->in_write && ls_is_doomed(rc))
        return false;
    for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
        if ((rc & 0xff) == codes[i])
            return true;
    return false;
}

/* Changes pending in memory, or rows of the log not yet in the stored state. */
static size_t weight_of(const struct ls_view *view)
{
    size_t pending = ls_pipeline_pending(view->pipeline);
    size_t unstored = 0;

    for (size_t i = 0; i < view->n_positions; i++)
        unstored += (size_t)(view->positions[i].taken - view->positions[i].stored);
    return pending > unstored ? pending : unstored;
}

bool ls_view_is_worth_storing(const struct ls_view *view)
{
    return weight_of(view) >= CHEAP_THRESHOLD;
}

int ls_policy_store(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer)
{
    size_t weight = weight_of(view);
    int rc;

    view->wants_store = false;
    if (weight < CHEAP_THRESHOLD || weight < view->store_after)
        return SQLITE_OK;
    if (!ls_policy_may_write(view, moment) || view->is_provisional || view->is_ahead) {
        view->wants_store = true; /* a later read may, though nothing has changed by then */
        return SQLITE_OK;
    }
    if (weight < threshold_of(view, moment))
        return SQLITE_OK;
    rc = write_by(view, moment, ls_view_store);
    view->store_after = 0;
    if (rc == SQLITE_OK)
        return SQLITE_OK;
    view->must_check = true;
    if (!is_hindrance(rc, moment))
        return rc;
    ls_view_forgive(view);
    view->store_after = weight + (view->must_drop ? weight : weight / 8);
    /* Where the overlay was cut down half way the answer is made again, from what is stored. */
    return view->must_drop ? ls_view_catch_up_again(view, moment, answer) : SQLITE_OK;
}

bool ls_policy_skips(struct ls_view *view)
{
    if (view->n_to_skip == 0)
        return false;
    view->n_to_skip--;
    return true;
}

/* With a rollback journal a commit wants all others out of the file. Whether they are is tried
** before a view is built, and before the schema is mended: to take that back would end the
** statement that reads. */
static int touch(struct ls_view *view)
{
    return ls_exec(view->connection->db, "UPDATE \"%w\".\"%w_state\" SET dirty = dirty",
        view->schema, view->name);
}

int ls_policy_rebuild(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer)
{
    int rc = SQLITE_OK;

    *answer = LS_BY_QUERY;
    if (!ls_policy_may_write(view, moment))
        return SQLITE_OK;
    if (ls_policy_skips(view))
        return SQLITE_OK;
    if (!moment->in_write && !has_cheap_commits(view))
        rc = write_by(view, moment, touch);
    if (!is_hindrance(rc, moment))
        rc = write_by(view, moment, ls_view_take_large);
    if (rc == SQLITE_OK) {
        view->n_skipped = 0;
        *answer = LS_BY_STATE;
        return SQLITE_OK;
    }
    view->must_check = true;
    view->needs_rebuild |= !is_hindrance(rc, moment);
    if (!view->is_failing && !is_hindrance(rc, moment))
        return rc;
    /* What was built was for nothing, and might be again. */
    if (!view->is_failing)
        view->n_to_skip = view->n_skipped =
            view->n_skipped < MOST_SKIPPED ? 2 * view->n_skipped + 1 : MOST_SKIPPED;
    ls_view_forgive(view);
    return ls_view_open(view); /* which the failure may have left closed */
}

int ls_policy_weigh_open(struct ls_view *view, sqlite3_int64 unseen,
    const struct ls_moment *moment, enum ls_answer *answer)
{
    sqlite3_int64 rows = -1;
    char *message = NULL;
    int rc = SQLITE_OK;

    if (!view->has_open_candidates || !moment->is_within_changes || unseen <= FEW_OPEN)
        return SQLITE_OK;
    rc = ls_pipeline_size(view->pipeline, &rows, &message);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, message);
    if (unseen > (rows < 0 ? MANY_OPEN : rows / SCANNED_FOR_ONE))
        *answer = LS_BY_QUERY;
    return SQLITE_OK;
}
