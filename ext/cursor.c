/* Reading a view: how a cursor begins, by what is asked, and what it shows of its current row. */
#include "ext/cursor.h"

#include "ext/absent.h"
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
    cursor->reply = NULL;
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
    struct ls_cursor *cursor;
    int rc = view->lacks_collations ? ls_absent_end(view) : SQLITE_OK;

    *opened = NULL;
    if (rc != SQLITE_OK)
        return rc;
    cursor = take_spare(view);
    if (cursor == NULL)
        cursor = make_cursor(view);
    if (cursor == NULL)
        return SQLITE_NOMEM;
    cursor->view = view;
    cursor->next = view->cursors;
    view->n_openings += view->cursors == NULL;
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
    ls_reply_release(cursor->reply);
    if (view->spare != NULL || cursor->made.cap > SPARE_MAX || cursor->other.cap > SPARE_MAX ||
        cursor->pending.ahead.cap > SPARE_MAX)
        ls_cursor_free(cursor);
    else
        lay_by(cursor);
    return SQLITE_OK;
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
    int rc = ls_cursor_code(cursor, ls_result_show(result));

    if (rc == SQLITE_OK)
        rc = ls_cursor_code(
            cursor, ls_narrow_pending(view, items, argv, &cursor->pending, &is_ordered));
    has_stored = rc != SQLITE_OK || (int64_t)ls_result_n_hidden(result) != view->counts.rows;
    if (rc == SQLITE_OK && has_stored)
        rc = ls_cursor_code(
            cursor, zs_alloc_reserve(&ls_alloc, &cursor->values, &cursor->values_cap,
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
    return ls_cursor_code(cursor, ls_pending_next(&cursor->pending));
}

/* One row at most, which memory knows or comes to know. */
static int read_one(
    struct ls_cursor *cursor, struct zs_bytes place, const struct ls_question *question)
{
    struct zs_bytes row;
    int status = ls_result_find(
        ls_pipeline_result(cursor->view->pipeline), place, &row, &cursor->copies);

    if (status == ZS_OK)
        ls_replies_note(&cursor->view->replies, question, (size_t)cursor->view->n_columns, row,
            cursor->copies);
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

/* What was answered to the same question before, if that is known. */
static bool remember(struct ls_cursor *cursor, const char *items, int argc,
    sqlite3_value **argv, struct ls_question *question)
{
    struct ls_view *view = cursor->view;
    const struct ls_result *result = ls_pipeline_result(view->pipeline);

    question->len = 0;
    if (!ls_replies_are_of(&view->replies, ls_result_version(result)) ||
        ls_pipeline_location(view->pipeline)->n_keys == 0 || ls_result_reads_ahead(result))
        return false;
    ls_question_make(question, items, argc, argv);
    cursor->reply = ls_replies_find(&view->replies, question);
    if (cursor->reply == NULL)
        return false;
    cursor->row = cursor->reply->row;
    cursor->copies = cursor->reply->weight;
    cursor->phase = cursor->copies > 0 ? LS_FOUND : LS_END;
    return true;
}

static int read_state(
    struct ls_cursor *cursor, const char *items, int argc, sqlite3_value **argv)
{
    const struct zsql_plan *plan = cursor->view->definition->plan;
    struct ls_question question;
    bool is_one;
    int rc;

    if (remember(cursor, items, argc, argv, &question))
        return SQLITE_OK;
    rc = ls_code_of(ls_narrow_place(cursor->view, items, argv, &cursor->other, &is_one));
    cursor->n_read = (int)plan->operators[plan->n_operators - 1]->n_columns;
    if (rc == SQLITE_OK && is_one)
        return read_one(cursor, zs_buffer_bytes(&cursor->other), &question);
    if (rc == SQLITE_OK)
        rc = read_rows(cursor, items, argc, argv);
    return rc == SQLITE_OK ? ls_cursor_advance(cursor) : rc;
}

static int read_query(
    struct ls_cursor *cursor, const char *items, int argc, sqlite3_value **argv)
{
    int rc = ls_reader_open(cursor->view, &cursor->reader, true, items, argc, argv);

    cursor->n_read = cursor->view->n_columns;
    cursor->phase = LS_QUERIED;
    return rc == SQLITE_OK ? ls_cursor_advance(cursor) : rc;
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
    ls_reply_release(cursor->reply);
    cursor->reply = NULL;
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
    int rc = ls_cursor_encode_row(cursor);
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
    return ls_cursor_code(cursor, status);
}

int ls_cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    struct ls_cursor *cursor = (struct ls_cursor *)base;
    int n_columns = cursor->view->n_columns;
    struct zs_value value;
    int status = ZS_OK;
    size_t at;

    if (cursor->reply != NULL && column < n_columns) {
        ls_result(context, &cursor->reply->values[column]);
        return SQLITE_OK;
    }
    if (column == n_columns + 1)
        return result_key(cursor, context);
    if (column >= n_columns)
        return SQLITE_OK; /* the command column is NULL */
    if (cursor->shows_statement) {
        if (cursor->phase == LS_QUERIED)
            sqlite3_result_value(
                context, sqlite3_column_value(cursor->reader.statement, column));
        else
            ls_result_of(context, cursor->values[column]);
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
        return ls_cursor_code(cursor, status);
    if (cursor->n_known == column)
        cursor->starts[++cursor->n_known] = at;
    ls_result(context, &value);
    return SQLITE_OK;
}
