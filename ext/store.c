/* Writing a view's state: storing what is pending, and making it anew. */
#include <string.h>

#include "ext/capture.h"
#include "ext/create.h"
#include "ext/indexes.h"
#include "ext/pool.h"
#include "ext/state.h"
#include "ext/statement.h"
#include "ext/view.h"

bool ls_is_doomed(int rc)
{
    rc &= 0xff;
    return rc == SQLITE_NOMEM || rc == SQLITE_FULL || rc == SQLITE_IOERR ||
           rc == SQLITE_INTERRUPT;
}

bool ls_may_pass(int rc)
{
    return ls_is_doomed(rc) || (rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED;
}

/* What is pending, then the state. */
static int write_both(struct ls_view *view)
{
    int rc = ls_pipeline_store(view->pipeline);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc,
            (rc & 0xff) == SQLITE_CORRUPT ? sqlite3_mprintf("the stored state is damaged")
                                          : NULL);
    ls_pipeline_add_stored(view->pipeline, &view->counts);
    return ls_state_write(view);
}

/* All levels become one with the state: SQLite itself undoes what is stored. */
static int write_pending(struct ls_view *view)
{
    int rc = ls_view_detach_cursors(view);

    ls_connection_doubt(view->connection);
    ls_view_merge(view, 0);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    view->is_busy = true;
    rc = write_both(view);
    view->is_busy = false;
    if (rc == SQLITE_OK)
        ls_pipeline_forget(view->pipeline);
    view->too_many = 0;
    return rc;
}

int ls_view_store(struct ls_view *view)
{
    int rc = ls_state_mark_dirty(view);

    if (rc != SQLITE_OK) { /* nothing is written, and the overlay is as it was */
        view->must_check = true;
        return rc;
    }
    rc = write_pending(view);
    if (rc != SQLITE_OK)
        view->must_check = view->must_drop = true;
    return rc;
}

/* Lets capture log what this view needs of a table, and what its log holds already. It may end
** after any of its statements, in a transaction that goes on: where rows of the log are lost,
** no view's position in it counts any more, before they are. */
static int mend_capture(struct ls_view *view, size_t number)
{
    sqlite3 *db = view->connection->db;
    struct ls_table *table = view->definition->tables[number];
    int old_log = table->log;
    struct ls_capture capture;
    struct ls_logged logged;
    struct ls_mark before, after;
    int rc = ls_capture_read(db, table, &capture);

    if (rc != SQLITE_OK ||
        (capture.is_exact && ls_state_is_logged(view, number, &capture.logged)))
        return rc;
    logged = capture.logged;
    logged.columns = ls_pool_get(&table->pool, (size_t)table->n_columns + 1);
    if (logged.columns == NULL)
        return SQLITE_NOMEM;
    memcpy(logged.columns, capture.logged.columns, (size_t)table->n_columns);
    ls_state_add_needs(view, number, &logged);
    ls_capture_add_key(table, &logged);
    rc = ls_mark_read(db, view->schema, &before);
    if (rc == SQLITE_OK && !capture.is_whole)
        rc = ls_state_follow(db, view->schema, old_log, old_log, true);
    if (rc == SQLITE_OK)
        rc = ls_capture_mend(db, table, &capture, &logged);
    if (rc == SQLITE_OK)
        rc = ls_state_follow(db, view->schema, old_log, table->log, !capture.is_whole);
    if (rc == SQLITE_OK)
        rc = ls_mark_read(db, view->schema, &after);
    return rc == SQLITE_OK
               ? ls_state_excuse(db, view->schema, view->name, after.level - before.level)
               : rc;
}

/* The positions become the ends of the logs, whatever was known of them before. */
static int take_positions(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    int rc = ls_exec(
        db, "DELETE FROM \"%w\".lockstep_position WHERE view = %Q", view->schema, view->name);

    for (size_t i = 0; rc == SQLITE_OK && i < view->n_positions; i++) {
        int log = view->definition->tables[i]->log;
        sqlite3_int64 last = 0;

        rc = ls_state_end_of_log(view, i, &last);
        if (rc == SQLITE_OK)
            rc = ls_state_position(view, log, last);
        view->positions[i].taken = last;
    }
    return rc;
}

/* What was written since is in the logs, and may have been read, too. */
static int check_positions(struct ls_view *view, char **message)
{
    int rc = ls_pipeline_end(view->pipeline, view->positions, message);

    for (size_t i = 0; rc == SQLITE_OK && i < view->n_positions; i++)
        if (view->positions[i].end != view->positions[i].taken)
            rc = ls_view_fail(view, SQLITE_LOCKED,
                "what its query calls has written to table %s, which it reads",
                view->definition->tables[i]->name);
    return rc;
}

static int count_table(struct ls_view *view, const char *suffix, int64_t *n)
{
    sqlite3_int64 counted = 0;
    int rc = ls_query_integer(view->connection->db, 0, &counted,
        "SELECT count(*) FROM \"%w\".\"%w_%s\"", view->schema, view->name, suffix);

    *n = counted;
    return rc;
}

/* The view's tables, and what writes to its logs, as they should be. *lacks_indexes: those that
** its joins have use for are to be made yet. */
static int mend_all(struct ls_view *view, bool *lacks_indexes)
{
    bool may_help = false;
    int rc = ls_view_make_tables(view);

    if (rc == SQLITE_OK) /* it may end half way, in a transaction that goes on */
        rc = ls_state_mark_dirty(view);
    for (size_t i = 0; rc == SQLITE_OK && i < view->n_positions; i++)
        rc = mend_capture(view, i);
    if (rc == SQLITE_OK)
        rc = ls_indexes_may_help_build(view, &may_help);
    if (rc == SQLITE_OK && may_help)
        rc = ls_indexes_mend(view);
    *lacks_indexes = !may_help;
    return rc;
}

static int rebuild(struct ls_view *view, char **message)
{
    bool lacks_indexes = false;
    int rc = ls_view_open(view);

    if (rc == SQLITE_OK)
        rc = mend_all(view, &lacks_indexes);
    if (rc != SQLITE_OK)
        return rc;
    ls_view_close(view); /* the schema has moved */
    rc = ls_view_open(view);
    if (rc == SQLITE_OK)
        rc = take_positions(view);
    if (rc != SQLITE_OK)
        return rc;
    rc = ls_pipeline_build(
        view->pipeline, view->connection->build_bytes, &view->is_failing, message);
    if (rc == SQLITE_OK)
        rc = check_positions(view, message);
    if (rc == SQLITE_OK && lacks_indexes)
        rc = ls_indexes_mend(view);
    if (rc == SQLITE_OK)
        rc = count_table(view, "data", &view->counts.rows);
    if (rc == SQLITE_OK)
        rc = count_table(view, "trace", &view->counts.cells);
    return rc == SQLITE_OK ? ls_state_write(view) : rc;
}

int ls_view_rebuild(struct ls_view *view)
{
    char *message = NULL;
    int rc;

    ls_connection_doubt(view->connection);
    ls_view_forgive(view);
    view->is_failing = false;
    ls_view_drop_overlay(view);
    view->is_busy = true;
    rc = rebuild(view, &message);
    view->is_busy = false;
    if (rc == SQLITE_OK) {
        view->needs_rebuild = false;
        view->good_token = ls_capture_is_off(view->connection->db) ? -1 : view->token;
        view->way = LS_AT_ONCE;
        return SQLITE_OK;
    }
    view->must_check = view->must_drop = true;
    if (view->base.zErrMsg == NULL || message != NULL)
        return ls_view_fail_with(view, rc, message);
    return rc;
}

static int write_pieces(struct ls_view *view, bool *is_done, char **message)
{
    int rc = ls_state_mark_dirty(view); /* it may end half way, in a transaction that goes on */

    if (rc == SQLITE_OK)
        rc = ls_pipeline_take_in_pieces(view->pipeline, view->connection->step_bytes,
            view->positions, &view->counts, is_done, message);
    if (rc != SQLITE_OK || !*is_done)
        return rc;
    view->positions[0].taken = view->positions[0].end;
    view->too_many = 0;
    return ls_state_write(view);
}

static int take_in_pieces(struct ls_view *view, bool *is_done, char **message)
{
    int rc = ls_view_detach_cursors(view);

    ls_connection_doubt(view->connection);
    ls_view_merge(view, 0); /* SQLite itself undoes what is stored */
    if (rc != SQLITE_OK)
        return rc;
    view->is_busy = true;
    rc = write_pieces(view, is_done, message);
    view->is_busy = false;
    return rc;
}

int ls_view_take_large(struct ls_view *view)
{
    char *message = NULL;
    bool is_done = false;
    int rc;

    if (view->needs_rebuild || view->way != LS_IN_PIECES)
        return ls_view_rebuild(view);
    rc = take_in_pieces(view, &is_done, &message);
    if (rc == SQLITE_OK && !is_done)
        return ls_view_rebuild(view);
    if (rc == SQLITE_OK) {
        view->way = LS_AT_ONCE;
        return SQLITE_OK;
    }
    view->must_check = view->must_drop = true;
    return ls_view_fail_with(view, rc, message);
}
