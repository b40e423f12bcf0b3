/* When a read may write.
**
** A read stores in autocommit mode, when it is the only statement that runs, and when more is
** pending than a threshold: small where committing disturbs nobody (WAL, memory), larger with a
** rollback journal, where a commit waits for readers. It also stores in a write transaction of
** its own connection, where the lock is held anyway, to bound the overlay. It never turns a
** user's read transaction into a write transaction. After a failure it waits until twice as
** much is pending. */
#include "ext/policy.h"

#include <string.h>

#include "ext/statement.h"

enum { CHEAP_THRESHOLD = 4000, JOURNAL_THRESHOLD = 8000, TRANSACTION_THRESHOLD = 20000 };

static size_t threshold_of(struct ls_view *view, const struct ls_moment *moment)
{
    char *mode = NULL;
    size_t threshold = JOURNAL_THRESHOLD;

    if (moment->in_write)
        return TRANSACTION_THRESHOLD;
    if (ls_query_text(view->connection->db, &mode, "PRAGMA \"%w\".journal_mode",
            view->schema) == SQLITE_OK &&
        mode != NULL && (strcmp(mode, "wal") == 0 || strcmp(mode, "memory") == 0))
        threshold = CHEAP_THRESHOLD;
    sqlite3_free(mode);
    return threshold;
}

/* May this read write at all? A statement that runs beside it could be reading what is written.
 */
bool ls_policy_may_write(const struct ls_view *view, const struct ls_moment *moment)
{
    return !moment->is_readonly && !view->connection->is_working && moment->n_running <= 1 &&
           moment->n_writing == 0 && (moment->in_write || moment->is_autocommit);
}

/* Runs fn in a savepoint of its own where no transaction is open. *was_locked: another
** connection was in the way, and nothing was done. */
static int in_savepoint(struct ls_view *view, const struct ls_moment *moment,
    int (*fn)(struct ls_view *view), bool *was_locked)
{
    struct ls_connection *connection = view->connection;
    sqlite3_int64 last_rowid = sqlite3_last_insert_rowid(connection->db);
    int rc = SQLITE_OK;

    connection->is_working = true;
    if (!moment->in_write)
        rc = ls_exec(connection->db, "SAVEPOINT lockstep_store");
    else
        rc = ls_connection_enroll(connection); /* to be told of a rollback */
    if (rc == SQLITE_OK)
        rc = fn(view);
    if (!moment->in_write) {
        if (rc == SQLITE_OK)
            rc = ls_exec(connection->db, "RELEASE lockstep_store");
        /* The whole transaction is ours. Rolling back to the savepoint would keep the lock, and
        ** releasing it would try to commit again. */
        if (rc != SQLITE_OK && !sqlite3_get_autocommit(connection->db)) {
            int undone = ls_exec(connection->db, "ROLLBACK");
            (void)undone;
        }
    }
    sqlite3_set_last_insert_rowid(connection->db, last_rowid);
    connection->is_working = false;
    *was_locked = (rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED ||
                  (rc & 0xff) == SQLITE_READONLY;
    return rc;
}

static int store(struct ls_view *view)
{
    return ls_view_store(view, false);
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
    bool was_locked;
    int rc;

    view->wants_store = false;
    if (weight < CHEAP_THRESHOLD || weight < view->store_after)
        return SQLITE_OK;
    if (!ls_policy_may_write(view, moment) || view->is_provisional) {
        view->wants_store = true; /* a later read may, though nothing has changed by then */
        return SQLITE_OK;
    }
    if (weight < threshold_of(view, moment))
        return SQLITE_OK;
    rc = in_savepoint(view, moment, store, &was_locked);
    view->store_after = rc == SQLITE_OK ? 0 : 2 * weight;
    if (rc == SQLITE_OK)
        return SQLITE_OK;
    view->must_check = true;
    if (!was_locked && rc != SQLITE_FULL && (rc & 0xff) != SQLITE_IOERR)
        return rc;
    /* The overlay may have been cut down half way: make the answer again from what is stored.
     */
    view->must_drop = true;
    return ls_view_catch_up_again(view, answer);
}

int ls_policy_rebuild(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer)
{
    bool was_locked;
    int rc;

    *answer = LS_BY_QUERY;
    if (!ls_policy_may_write(view, moment))
        return SQLITE_OK;
    rc = in_savepoint(view, moment, ls_view_rebuild, &was_locked);
    if (rc == SQLITE_OK)
        *answer = LS_BY_STATE;
    if (rc != SQLITE_OK) {
        view->must_check = true;
        view->needs_rebuild = view->needs_rebuild || !was_locked;
    }
    if (rc != SQLITE_OK && view->is_failing) {
        ls_view_forgive(view);
        return SQLITE_OK;
    }
    return was_locked ? SQLITE_OK : rc;
}
