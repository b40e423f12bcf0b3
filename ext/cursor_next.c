/* The rows of a cursor, one after another.
**
** A row that is pending in memory is skipped where the table has it, and comes from memory in
** the second phase or, where rows come in an order, in its place between the stored ones; a row
** of weight n comes n times. Before the state changes under an open cursor, it reads on to its
** end into a spool (ls_view_detach_cursors), so that it shows what was so when it began. */
#include "ext/cursor.h"

#include "ext/statement.h"

int ls_cursor_code(struct ls_cursor *cursor, int status)
{
    int rc = ls_code_of(status);

    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(cursor->view, rc, NULL);
}

int ls_cursor_encode_row(struct ls_cursor *cursor)
{
    int status;

    if (cursor->row.data != NULL)
        return SQLITE_OK;
    zs_buffer_reset(&cursor->made);
    status = ls_row_of_columns(&cursor->made, cursor->reader.statement, 0, cursor->n_read);
    if (status == ZS_OK)
        cursor->row = zs_buffer_bytes(&cursor->made);
    return ls_cursor_code(cursor, status);
}

static int end_phase(struct ls_cursor *cursor, enum ls_phase next)
{
    int rc = sqlite3_reset(cursor->reader.statement);

    cursor->phase = next;
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(cursor->view, rc, NULL);
}

static bool step(struct ls_cursor *cursor)
{
    bool is_row;

    cursor->is_stepping = true;
    is_row = sqlite3_step(cursor->reader.statement) == SQLITE_ROW;
    cursor->is_stepping = false;
    return is_row;
}

/* What a transaction has stored its rollback takes back, under cursors that read it: the rest
** would be that of other rows. */
static int check_rollback(struct ls_cursor *cursor)
{
    const struct ls_view *view = cursor->view;
    sqlite3_int64 token = -1;
    int rc;

    if (!cursor->saw_rollback)
        return SQLITE_OK;
    rc = ls_query_integer(view->connection->db, -1, &token,
        "SELECT token FROM \"%w\".\"%w_state\"", view->schema, view->name);
    if (rc != SQLITE_OK || token != cursor->token)
        return ls_view_fail_with(
            cursor->view, ls_is_doomed(rc) ? rc : SQLITE_ABORT_ROLLBACK, NULL);
    cursor->saw_rollback = false;
    return SQLITE_OK;
}

static int fail_of_damage(struct ls_cursor *cursor)
{
    return ls_view_fail_with(
        cursor->view, SQLITE_CORRUPT_VTAB, sqlite3_mprintf("the stored rows are damaged"));
}

/* Behind the last stored row. Were all of them read, that is as many as there are? */
static int end_stored(struct ls_cursor *cursor)
{
    int rc = end_phase(cursor, cursor->phase == LS_MERGED ? LS_MERGED : LS_PENDING);

    if (rc == SQLITE_OK && cursor->reads_all && cursor->n_stored != cursor->n_rows)
        rc = fail_of_damage(cursor);
    return rc;
}

/* The next stored row, those that memory speaks of left out. Behind the columns comes its
** weight. */
static int next_stored(struct ls_cursor *cursor, bool *found)
{
    int rc = check_rollback(cursor);
    int status;

    if (rc != SQLITE_OK)
        return rc;
    if (!step(cursor))
        return end_stored(cursor);
    cursor->n_stored++;
    status = ls_result_check(
        cursor->reader.statement, cursor->n_read, cursor->values, &cursor->copies);
    cursor->shows_statement = *found = status == ZS_OK;
    return status == ZS_CORRUPT ? fail_of_damage(cursor) : ls_cursor_code(cursor, status);
}

static int next_pending(struct ls_cursor *cursor)
{
    int status = ls_pending_next(&cursor->pending);

    if (cursor->pending.is_at_end)
        cursor->phase = LS_END;
    cursor->row = cursor->pending.row;
    cursor->copies = cursor->pending.weight;
    return ls_cursor_code(cursor, status);
}

/* Does a pending row come next? The statement stands on the stored row that is to come. */
static int choose(struct ls_cursor *cursor, bool *is_pending)
{
    int status;

    *is_pending = !cursor->pending.is_at_end;
    if (!*is_pending || cursor->statement_state == LS_AT_END)
        return SQLITE_OK;
    zs_buffer_reset(&cursor->other);
    status = ls_row_of_columns(&cursor->other, cursor->reader.statement, 0, cursor->n_read);
    if (status == ZS_OK)
        status =
            ls_pending_is_before(&cursor->pending, zs_buffer_bytes(&cursor->other), is_pending);
    return ls_cursor_code(cursor, status);
}

/* The pending row that the walk stands on becomes the current one, and the walk goes on. */
static int take_pending(struct ls_cursor *cursor)
{
    int status;

    zs_buffer_reset(&cursor->made);
    status = zs_buffer_append(&cursor->made, cursor->pending.row.data, cursor->pending.row.len);
    cursor->row = zs_buffer_bytes(&cursor->made);
    cursor->copies = cursor->pending.weight;
    return ls_cursor_code(cursor, status == ZS_OK ? ls_pending_next(&cursor->pending) : status);
}

/* The lesser of the next stored and the next pending row. */
static int next_merged(struct ls_cursor *cursor)
{
    bool found = false, is_pending;
    int rc = SQLITE_OK;

    if (cursor->statement_state == LS_NOT_STEPPED) {
        rc = next_stored(cursor, &found);
        cursor->statement_state = found ? LS_STANDS_AHEAD : LS_AT_END;
    }
    if (rc == SQLITE_OK)
        rc = choose(cursor, &is_pending);
    if (rc != SQLITE_OK)
        return rc;
    if (!is_pending && cursor->statement_state == LS_AT_END) {
        cursor->phase = LS_END;
        return SQLITE_OK;
    }
    cursor->shows_statement = !is_pending;
    if (is_pending)
        return take_pending(cursor);
    cursor->statement_state = LS_NOT_STEPPED;
    cursor->copies = sqlite3_column_int64(cursor->reader.statement, cursor->n_read);
    return SQLITE_OK;
}

/* A failure of the spool, of which the user's connection knows nothing. */
static int spool_code(struct ls_cursor *cursor, int rc)
{
    return rc == SQLITE_OK
               ? SQLITE_OK
               : ls_view_fail_with(cursor->view, rc, sqlite3_mprintf("%s", sqlite3_errstr(rc)));
}

static int next_kept(struct ls_cursor *cursor)
{
    bool found;
    int rc = ls_spool_next(cursor->kept, &cursor->row, &cursor->copies, &found);

    if (rc == SQLITE_OK && !found)
        cursor->phase = LS_END;
    return spool_code(cursor, rc);
}

static int next_queried(struct ls_cursor *cursor)
{
    cursor->copies = 1;
    cursor->shows_statement = true;
    if (step(cursor))
        return SQLITE_OK;
    return end_phase(cursor, LS_END);
}

int ls_cursor_advance(struct ls_cursor *cursor)
{
    bool found = false;
    int rc = SQLITE_OK;

    cursor->n_known = 0;
    cursor->row.data = NULL;
    cursor->shows_statement = false;
    if (cursor->phase == LS_QUERIED)
        return next_queried(cursor);
    if (cursor->phase == LS_MERGED)
        return next_merged(cursor);
    if (cursor->phase == LS_STORED)
        rc = next_stored(cursor, &found);
    if (rc == SQLITE_OK && !found && cursor->phase == LS_PENDING)
        rc = next_pending(cursor);
    if (cursor->phase == LS_KEPT)
        rc = next_kept(cursor);
    if (cursor->phase == LS_FOUND)
        cursor->phase = LS_END;
    return rc;
}

int ls_cursor_next(sqlite3_vtab_cursor *base)
{
    struct ls_cursor *cursor = (struct ls_cursor *)base;

    if (cursor->broken != SQLITE_OK)
        return ls_view_fail_with(cursor->view, cursor->broken, NULL);
    if (--cursor->copies > 0)
        return SQLITE_OK;
    return ls_cursor_advance(cursor);
}

int ls_cursor_eof(sqlite3_vtab_cursor *base)
{
    return ((struct ls_cursor *)base)->phase == LS_END;
}

/* Reads the rest into memory. The row that the cursor stands on stays its current one. */
static int detach(struct ls_cursor *cursor)
{
    struct zs_buffer current;
    int64_t copies = cursor->copies;
    struct ls_spool *kept;
    int rc;

    if (cursor->phase != LS_STORED && cursor->phase != LS_PENDING && cursor->phase != LS_MERGED)
        return SQLITE_OK;
    if (cursor->is_stepping)
        return cursor->broken = SQLITE_ABORT_ROLLBACK;
    zs_buffer_init(&current, &ls_alloc);
    rc = spool_code(cursor, ls_spool_new(cursor->view->connection->db,
                                cursor->view->connection->step_bytes / 4, &kept));
    if (rc == SQLITE_OK)
        rc = ls_cursor_encode_row(cursor);
    if (rc == SQLITE_OK)
        rc = ls_cursor_code(
            cursor, zs_buffer_append(&current, cursor->row.data, cursor->row.len));
    while (rc == SQLITE_OK) {
        rc = ls_cursor_advance(cursor);
        if (rc != SQLITE_OK || cursor->phase == LS_END)
            break;
        rc = ls_cursor_encode_row(cursor);
        if (rc == SQLITE_OK)
            rc = spool_code(cursor, ls_spool_add(kept, cursor->row, cursor->copies));
    }
    if (cursor->reader.statement != NULL)
        (void)sqlite3_reset(cursor->reader.statement);
    zs_buffer_clear(&cursor->made);
    cursor->made = current;
    cursor->row = zs_buffer_bytes(&current);
    cursor->shows_statement = false;
    cursor->n_known = 0;
    cursor->copies = copies;
    cursor->kept = kept;
    cursor->phase = LS_KEPT;
    cursor->broken = rc;
    return rc;
}

void ls_view_warn_cursors(struct ls_view *view)
{
    for (struct ls_cursor *cursor = view->cursors; cursor != NULL; cursor = cursor->next)
        cursor->saw_rollback = true;
}

int ls_view_detach_cursors(struct ls_view *view)
{
    int rc = SQLITE_OK;

    for (struct ls_cursor *cursor = view->cursors; cursor != NULL; cursor = cursor->next) {
        int detached = detach(cursor);
        if (rc == SQLITE_OK)
            rc = detached;
    }
    return rc;
}
