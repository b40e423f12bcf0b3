/* The levels of a view's overlay: one for the write transaction, one for each savepoint in it,
** and one for a step in the middle of a statement. With each the positions in the logs go back too.
**
** That one is the topmost, and stays so when savepoints are released. Where one begins it becomes one
** with the level below: a rollback to the savepoint leaves what was stepped in before. */
#include "ext/statement.h"
#include "ext/view.h"

int ls_view_push_level(struct ls_view *view)
{
    size_t n = view->n_positions, first = ls_pipeline_depth(view->pipeline) * n;
    int rc = zs_alloc_reserve(
        &ls_alloc, &view->marks, &view->marks_cap, first + n, sizeof(*view->marks));

    if (rc != ZS_OK)
        return SQLITE_NOMEM;
    rc = ls_pipeline_begin(view->pipeline);
    for (size_t i = 0; rc == SQLITE_OK && i < n; i++)
        view->marks[first + i] = view->positions[i].taken;
    return rc;
}

static void pop_level(struct ls_view *view)
{
    size_t first;

    ls_pipeline_rollback(view->pipeline);
    first = ls_pipeline_depth(view->pipeline) * view->n_positions;
    for (size_t i = 0; i < view->n_positions; i++)
        view->positions[i].taken = view->marks[first + i];
}

bool ls_view_is_announced(const struct ls_view *view)
{
    const struct ls_connection *connection = view->connection;

    return connection->is_enrolled || sqlite3_stricmp(view->schema, "main") == 0 ||
           sqlite3_txn_state(connection->db, "main") == SQLITE_TXN_WRITE;
}

int ls_view_join_levels(struct ls_view *view, bool in_write, enum ls_answer *answer)
{
    int rc = in_write ? ls_connection_enroll(view->connection) : SQLITE_OK;

    if ((rc & 0xff) == SQLITE_READONLY || (rc & 0xff) == SQLITE_BUSY) {
        *answer = LS_BY_QUERY;
        return SQLITE_OK;
    }
    while (rc == SQLITE_OK && ls_pipeline_depth(view->pipeline) < view->connection->levels)
        rc = ls_view_push_level(view);
    return rc;
}

void ls_view_roll_back(struct ls_view *view, unsigned levels)
{
    view->must_check = true;
    ls_course_end(view);
    if (view->pipeline == NULL)
        return;
    if (view->is_busy) {
        view->must_drop = true;
        return;
    }
    if (ls_pipeline_depth(view->pipeline) <= levels)
        return;
    if (ls_view_detach_cursors(view) != SQLITE_OK)
        view->must_drop = true; /* no memory: the cursors have been told to fail */
    while (ls_pipeline_depth(view->pipeline) > levels)
        pop_level(view);
    view->is_provisional = false;
    view->is_ahead = ls_pipeline_is_ahead(view->pipeline);
    view->ahead_at = -1;
}

void ls_view_merge(struct ls_view *view, unsigned levels)
{
    while (
        view->pipeline != NULL && !view->is_busy && ls_pipeline_depth(view->pipeline) > levels)
        ls_pipeline_commit(view->pipeline);
}

void ls_view_drop_provisional(struct ls_view *view)
{
    bool must_check = view->must_check;

    if (view->pipeline == NULL || !view->is_provisional)
        return;
    ls_view_roll_back(view, ls_pipeline_depth(view->pipeline) - 1);
    view->must_check = must_check;
}

void ls_view_drop_ahead(struct ls_view *view)
{
    ls_view_drop_provisional(view);
    if (view->is_ahead)
        ls_view_drop_overlay(view);
}

/* It may rest on base rows that are about to vanish, or on one whose log is still to come; or nobody
** tells of a rollback. */
void ls_view_settle_provisional(struct ls_view *view)
{
    if (view->pipeline == NULL || !(view->is_provisional || view->is_ahead))
        return;
    if (view->has_open_candidates || view->is_ahead || view->is_busy ||
        !view->connection->is_enrolled) {
        ls_view_drop_ahead(view);
        return;
    }
    ls_view_merge(view, view->connection->levels);
    view->is_provisional = false;
}

/* What it has been told of a row that is ahead of its log, that log says by now, or will. */
void ls_view_begin_savepoint(struct ls_view *view, unsigned levels)
{
    if (view->pipeline == NULL || !view->is_provisional || view->is_busy)
        return;
    if (view->has_open_candidates) {
        ls_view_drop_provisional(view);
        return;
    }
    ls_view_merge(view, levels);
    view->is_provisional = false;
}

void ls_view_drop_overlay(struct ls_view *view)
{
    if (view->pipeline == NULL)
        return;
    ls_view_roll_back(view, 0);
    if (ls_view_detach_cursors(view) != SQLITE_OK)
        view->must_check = true;
    ls_pipeline_drop(view->pipeline);
    for (size_t i = 0; i < view->n_positions; i++)
        view->positions[i].taken = view->positions[i].stored;
    view->must_drop = false;
    view->is_provisional = view->is_ahead = false;
    ls_pipeline_forget_ahead(view->pipeline);
    view->too_many = 0;
}
