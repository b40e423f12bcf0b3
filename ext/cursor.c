/* Reading a view.
**
** A row that is pending in memory is skipped where the table has it, and comes from memory in
** the second phase or, where rows come in an order, in its place between the stored ones; a row
** of weight n comes n times. Before the state changes under an open cursor, it reads on to its
** end into a spool (ls_view_detach_cursors), so that it shows what was so when it began. */
#include "ext/cursor.h"

#include <stdlib.h>
#include <string.h>

#include "ext/narrow.h"
#include "ext/reader.h"
#include "ext/statement.h"

enum { SPARE_MAX = 32768 }; /* bytes of a buffer that is worth keeping */

/* A correlated subquery opens a cursor for each row, and closes it: the last one serves
** again. */
static struct ls_cursor *take_spare(struct ls_view *view)
{
    struct ls_cursor *cursor = view->spare;

    view->spare = NULL;
    if (cursor != NULL && cursor->n_columns != view->n_columns) {
        ls_cursor_free(cursor);
        return NULL;
    }
    return cursor;
}

/* What xFilter does not set. */
static void lay_by(struct ls_cursor *cursor)
{
    cursor->phase = LS_END;
    cursor->kept = NULL;
    cursor->pending.result = NULL;
    cursor->pending.is_at_end = true;
    cursor->view->spare = cursor;
}

static struct ls_cursor *make_cursor(const struct ls_view *view)
{
    struct ls_cursor *cursor = zs_alloc_zeroed(
        &ls_alloc, sizeof(*cursor) + (size_t)(view->n_columns + 1) * sizeof(*cursor->starts));

    if (cursor == NULL)
        return NULL;
    cursor->phase = LS_END;
    cursor->n_columns = view->n_columns;
    ls_pending_init(&cursor->pending);
    zs_buffer_init(&cursor->made, &ls_alloc);
    zs_buffer_init(&cursor->other, &ls_alloc);
    return cursor;
}

int ls_cursor_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **opened)
{
    struct ls_view *view = (struct ls_view *)vtab;
    struct ls_cursor *cursor = take_spare(view);

    *opened = NULL;
    if (cursor == NULL)
        cursor = make_cursor(view);
    if (cursor == NULL)
        return SQLITE_NOMEM;
    cursor->view = view;
    cursor->next = view->cursors;
    view->cursors = cursor;
    *opened = &cursor->base;
    return SQLITE_OK;
}

void ls_cursor_free(struct ls_cursor *cursor)
{
    if (cursor == NULL)
        return;
    ls_pending_clear(&cursor->pending);
    zs_buffer_clear(&cursor->made);
    zs_buffer_clear(&cursor->other);
    sqlite3_free(cursor->values);
    sqlite3_free(cursor);
}

int ls_cursor_close(sqlite3_vtab_cursor *base)
{
    struct ls_cursor *cursor = (struct ls_cursor *)base;
    struct ls_view *view = cursor->view;
    struct ls_cursor **link = &view->cursors;

    while (*link != cursor)
        link = &(*link)->next;
    *link = cursor->next;
    ls_reader_lay_by(view, &cursor->reader);
    ls_spool_free(cursor->kept);
    if (view->spare != NULL || cursor->made.cap > SPARE_MAX || cursor->other.cap > SPARE_MAX ||
        cursor->pending.ahead.cap > SPARE_MAX)
        ls_cursor_free(cursor);
    else
        lay_by(cursor);
    return SQLITE_OK;
}

static int code_of(struct ls_cursor *cursor, int status)
{
    int rc = ls_code_of(status);

    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(cursor->view, rc, NULL);
}

/* The statement's row as bytes, to be kept or compared. */
static int encode_row(struct ls_cursor *cursor)
{
    int status;

    if (cursor->row.data != NULL)
        return SQLITE_OK;
    zs_buffer_reset(&cursor->made);
    status = ls_row_of_columns(&cursor->made, cursor->reader.statement, 0, cursor->n_read);
    if (status == ZS_OK)
        cursor->row = zs_buffer_bytes(&cursor->made);
    return code_of(cursor, status);
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
    return status == ZS_CORRUPT ? fail_of_damage(cursor) : code_of(cursor, status);
}

static int next_pending(struct ls_cursor *cursor)
{
    int status = ls_pending_next(&cursor->pending);

    if (cursor->pending.is_at_end)
        cursor->phase = LS_END;
    cursor->row = cursor->pending.row;
    cursor->copies = cursor->pending.weight;
    return code_of(cursor, status);
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
    return code_of(cursor, status);
}

/* The pending row that the walk stands on becomes the current one, and the walk goes on. */
static int take_pending(struct ls_cursor *cursor)
{
    int status;

    zs_buffer_reset(&cursor->made);
    status = zs_buffer_append(&cursor->made, cursor->pending.row.data, cursor->pending.row.len);
    cursor->row = zs_buffer_bytes(&cursor->made);
    cursor->copies = cursor->pending.weight;
    return code_of(cursor, status == ZS_OK ? ls_pending_next(&cursor->pending) : status);
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

/* To the next row, whatever phase it is in. */
static int advance(struct ls_cursor *cursor)
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
    return advance(cursor);
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
        rc = encode_row(cursor);
    if (rc == SQLITE_OK)
        rc = code_of(cursor, zs_buffer_append(&current, cursor->row.data, cursor->row.len));
    while (rc == SQLITE_OK) {
        rc = advance(cursor);
        if (rc != SQLITE_OK || cursor->phase == LS_END)
            break;
        rc = encode_row(cursor);
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

static bool joins(const struct zsql_plan *plan)
{
    for (size_t i = 0; i < plan->n_operators; i++)
        if (plan->operators[i]->kind == ZSQL_JOIN)
            return true;
    return false;
}

/* Errors of rows make every read fail, until the rows are corrected. Where a join reads what
** has failed, the query may do without it, as where no row is joined to it, or say so
** itself. */
static int look_for_errors(struct ls_view *view, enum ls_answer *answer)
{
    char *said = NULL;
    bool found;
    int rc;

    view->is_busy = true; /* the row is computed again */
    rc = ls_pipeline_error(view->pipeline, &found, &said);
    view->is_busy = false;
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (found && joins(view->definition->plan))
        *answer = LS_BY_QUERY;
    else if (found)
        rc = ls_view_fail(view, SQLITE_ERROR, "%s", said);
    sqlite3_free(said);
    return rc;
}

/* From the stored rows and what is pending: where an order is asked for, and something is
** pending, both are merged. Where all that is stored is hidden, what is pending is all there
** is. */
static int read_rows(
    struct ls_cursor *cursor, const char *items, int argc, sqlite3_value **argv)
{
    struct ls_view *view = cursor->view;
    struct ls_result *result = ls_pipeline_result(view->pipeline);
    bool is_ordered, has_stored;
    int rc = code_of(cursor, ls_result_show(result));

    if (rc == SQLITE_OK)
        rc = code_of(
            cursor, ls_narrow_pending(view, items, argv, &cursor->pending, &is_ordered));
    has_stored = rc != SQLITE_OK || (int64_t)ls_result_n_hidden(result) != view->counts.rows;
    if (rc == SQLITE_OK && has_stored)
        rc = code_of(cursor, zs_alloc_reserve(&ls_alloc, &cursor->values, &cursor->values_cap,
                                 (size_t)cursor->n_read, sizeof(*cursor->values)));
    if (rc == SQLITE_OK && has_stored)
        rc = ls_reader_open(view, &cursor->reader, false, items, argc, argv);
    if (rc != SQLITE_OK)
        return rc;
    cursor->phase = has_stored ? LS_STORED : LS_PENDING;
    cursor->reads_all = argc == 0;
    cursor->n_stored = (int64_t)ls_result_n_hidden(result);
    cursor->n_rows = view->counts.rows;
    cursor->token = view->token;
    if (!is_ordered || cursor->pending.result == NULL)
        return SQLITE_OK;
    cursor->phase = LS_MERGED;
    cursor->statement_state = has_stored ? LS_NOT_STEPPED : LS_AT_END;
    return code_of(cursor, ls_pending_next(&cursor->pending));
}

/* One row at most, which memory knows or comes to know. */
static int read_one(struct ls_cursor *cursor, struct zs_bytes place)
{
    struct zs_bytes row;
    int status = ls_result_find(
        ls_pipeline_result(cursor->view->pipeline), place, &row, &cursor->copies);

    if (status == ZS_OK && cursor->copies > 0) {
        zs_buffer_reset(&cursor->made);
        status = zs_buffer_append(&cursor->made, row.data, row.len);
        cursor->row = zs_buffer_bytes(&cursor->made);
        cursor->phase = LS_FOUND;
    }
    if (status == ZS_CALLBACK)
        return ls_result_code(ls_pipeline_result(cursor->view->pipeline));
    return ls_code_of(status);
}

static int read_state(
    struct ls_cursor *cursor, const char *items, int argc, sqlite3_value **argv)
{
    const struct zsql_plan *plan = cursor->view->definition->plan;
    bool is_one;
    int rc = ls_code_of(ls_narrow_place(cursor->view, items, argv, &cursor->other, &is_one));

    cursor->n_read = (int)plan->operators[plan->n_operators - 1]->n_columns;
    if (rc == SQLITE_OK && is_one)
        return read_one(cursor, zs_buffer_bytes(&cursor->other));
    if (rc == SQLITE_OK)
        rc = read_rows(cursor, items, argc, argv);
    return rc == SQLITE_OK ? advance(cursor) : rc;
}

static int read_query(
    struct ls_cursor *cursor, const char *items, int argc, sqlite3_value **argv)
{
    int rc = ls_reader_open(cursor->view, &cursor->reader, true, items, argc, argv);

    cursor->n_read = cursor->view->n_columns;
    cursor->phase = LS_QUERIED;
    return rc == SQLITE_OK ? advance(cursor) : rc;
}

int ls_cursor_filter(
    sqlite3_vtab_cursor *base, int number, const char *items, int argc, sqlite3_value **argv)
{
    struct ls_cursor *cursor = (struct ls_cursor *)base;
    struct ls_view *view = cursor->view;
    enum ls_answer answer;
    int rc;

    (void)number;
    cursor->phase = LS_END;
    cursor->broken = SQLITE_OK;
    cursor->saw_rollback = false;
    cursor->row.data = NULL;
    cursor->n_known = 0;
    cursor->shows_statement = false;
    if (cursor->reader.statement != NULL)
        (void)sqlite3_reset(cursor->reader.statement);
    ls_spool_free(cursor->kept);
    cursor->kept = NULL;
    rc = ls_view_refresh(view, items, &answer);
    if (rc == SQLITE_OK && answer == LS_BY_STATE)
        rc = look_for_errors(view, &answer);
    if (rc == SQLITE_OK)
        rc = answer == LS_BY_STATE ? read_state(cursor, items, argc, argv)
                                   : read_query(cursor, items, argc, argv);
    if (rc == SQLITE_OK)
        return SQLITE_OK;
    cursor->phase = LS_END;
    return view->base.zErrMsg != NULL ? rc : ls_view_fail_with(view, rc, NULL);
}

/* lockstep_key, the hidden primary key: the row, and which of its copies. */
static int result_key(struct ls_cursor *cursor, sqlite3_context *context)
{
    struct zs_buffer key;
    int rc = encode_row(cursor);
    int status;

    if (rc != SQLITE_OK)
        return rc;
    zs_buffer_init(&key, &ls_alloc);
    status = zs_buffer_append(&key, cursor->row.data, cursor->row.len);
    if (status == ZS_OK)
        status = zs_buffer_append_varint(&key, (uint64_t)cursor->copies);
    if (status == ZS_OK)
        sqlite3_result_blob64(context, key.data, key.len, SQLITE_TRANSIENT);
    zs_buffer_clear(&key);
    return code_of(cursor, status);
}

int ls_cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    struct ls_cursor *cursor = (struct ls_cursor *)base;
    int n_columns = cursor->view->n_columns;
    struct zs_value value;
    int status = ZS_OK;
    size_t at;

    if (column == n_columns + 1)
        return result_key(cursor, context);
    if (column >= n_columns)
        return SQLITE_OK; /* the command column is NULL */
    if (cursor->shows_statement) {
        sqlite3_result_value(context,
            cursor->phase == LS_QUERIED ? sqlite3_column_value(cursor->reader.statement, column)
                                        : cursor->values[column]);
        return SQLITE_OK;
    }
    while (cursor->n_known < column && status == ZS_OK) {
        at = cursor->starts[cursor->n_known];
        status = zs_row_skip(cursor->row, &at);
        cursor->starts[++cursor->n_known] = at;
    }
    at = cursor->starts[column];
    if (status == ZS_OK)
        status = zs_row_read(cursor->row, &at, &value);
    if (status != ZS_OK)
        return code_of(cursor, status);
    if (cursor->n_known == column)
        cursor->starts[++cursor->n_known] = at;
    ls_result(context, &value);
    return SQLITE_OK;
}
