/* Reading a view.
**
** A row that is pending in memory is skipped where the table has it, and comes from memory in
** the second phase or, where rows come in an order, in its place between the stored ones; a row of
** weight n comes n times. Before the state changes under an open
** cursor, it reads on to its end into a spool (ls_view_detach_cursors), so that it shows what
** was so when it began. */
#include "ext/cursor.h"

#include <stdlib.h>
#include <string.h>

#include "ext/selection.h"
#include "ext/statement.h"

int ls_cursor_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **opened)
{
    struct ls_view *view = (struct ls_view *)vtab;
    struct ls_cursor *cursor = zs_alloc_zeroed(&ls_alloc, sizeof(*cursor));

    *opened = NULL;
    if (cursor != NULL)
        cursor->starts =
            zs_alloc_zeroed(&ls_alloc, (size_t)(view->n_columns + 1) * sizeof(*cursor->starts));
    if (cursor == NULL || cursor->starts == NULL) {
        sqlite3_free(cursor);
        return SQLITE_NOMEM;
    }
    cursor->view = view;
    cursor->phase = LS_END;
    zs_buffer_init(&cursor->made, &ls_alloc);
    cursor->next = view->cursors;
    view->cursors = cursor;
    *opened = &cursor->base;
    return SQLITE_OK;
}

static void lay_by(struct ls_cursor *cursor);

int ls_cursor_close(sqlite3_vtab_cursor *base)
{
    struct ls_cursor *cursor = (struct ls_cursor *)base;
    struct ls_cursor **link = &cursor->view->cursors;

    while (*link != cursor)
        link = &(*link)->next;
    *link = cursor->next;
    lay_by(cursor);
    zs_buffer_clear(&cursor->made);
    ls_spool_free(cursor->kept);
    ls_ordered_clear(&cursor->ordered);
    sqlite3_free(cursor->starts);
    sqlite3_free(cursor);
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
    status = ls_row_of_columns(&cursor->made, cursor->statement, 0, cursor->n_read);
    if (status == ZS_OK)
        cursor->row = zs_buffer_bytes(&cursor->made);
    return code_of(cursor, status);
}

static int end_phase(struct ls_cursor *cursor, enum ls_phase next)
{
    int rc = sqlite3_reset(cursor->statement);

    cursor->phase = next;
    cursor->position = 0;
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(cursor->view, rc, NULL);
}

static bool step(struct ls_cursor *cursor)
{
    bool is_row;

    cursor->is_stepping = true;
    is_row = sqlite3_step(cursor->statement) == SQLITE_ROW;
    cursor->is_stepping = false;
    return is_row;
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

/* The next stored row, those that memory speaks of left out. Behind the columns comes its weight. */
static int next_stored(struct ls_cursor *cursor, bool *found)
{
    int status;

    if (!step(cursor))
        return end_stored(cursor);
    cursor->n_stored++;
    status = ls_result_check(cursor->statement, cursor->n_read, &cursor->copies);
    cursor->shows_statement = *found = status == ZS_OK;
    return status == ZS_CORRUPT ? fail_of_damage(cursor) : code_of(cursor, status);
}

static void next_pending(struct ls_cursor *cursor)
{
    const struct ls_result *result = ls_pipeline_result(cursor->view->pipeline);

    if (!ls_result_next(result, &cursor->position, &cursor->row, &cursor->copies))
        cursor->phase = LS_END;
}

/* Does a pending row come next? The statement stands on the stored row that is to come. */
static int choose(struct ls_cursor *cursor, bool *is_pending)
{
    int rc;

    *is_pending = ls_ordered_next(&cursor->ordered) != NULL;
    if (!*is_pending || cursor->statement_state == LS_AT_END)
        return SQLITE_OK;
    rc = encode_row(cursor);
    if (rc != SQLITE_OK)
        return rc;
    return code_of(cursor, ls_ordered_is_before(&cursor->ordered, cursor->row, is_pending));
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
    if (is_pending) {
        const struct zs_item *item = ls_ordered_next(&cursor->ordered);

        cursor->ordered.at++;
        cursor->row = item->value;
        cursor->copies = item->weight;
    } else {
        cursor->statement_state = LS_NOT_STEPPED;
        cursor->copies = sqlite3_column_int64(cursor->statement, cursor->n_read);
    }
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
        next_pending(cursor);
    if (cursor->phase == LS_KEPT)
        rc = next_kept(cursor);
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
    if (cursor->statement != NULL)
        (void)sqlite3_reset(cursor->statement);
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

/* Lays the cursor's statement by for the next that needs the same. */
static void lay_by(struct ls_cursor *cursor)
{
    struct ls_idle *idle = cursor->view->idle;
    int i = 0;

    if (cursor->statement == NULL)
        return;
    (void)sqlite3_reset(cursor->statement);
    while (i < LS_N_IDLE - 1 && idle[i].statement != NULL)
        i++;
    sqlite3_finalize(idle[i].statement);
    sqlite3_free(idle[i].text);
    idle[i] = (struct ls_idle){cursor->statement_text, cursor->statement};
    cursor->statement = NULL;
    cursor->statement_text = NULL;
}

/* Makes the statement, or takes the one of an earlier time where it is the same. */
static int prepare(struct ls_cursor *cursor, char *text)
{
    struct ls_idle *idle = cursor->view->idle;
    int rc = SQLITE_OK;

    if (text == NULL)
        return SQLITE_NOMEM;
    lay_by(cursor);
    cursor->statement_text = text;
    for (int i = 0; i < LS_N_IDLE; i++) {
        if (idle[i].statement == NULL || strcmp(idle[i].text, text) != 0)
            continue;
        cursor->statement = idle[i].statement;
        sqlite3_free(idle[i].text);
        idle[i] = (struct ls_idle){NULL, NULL};
        return SQLITE_OK;
    }
    rc = ls_prepare(cursor->view->connection->db, &cursor->statement, "%s", text);
    if (rc != SQLITE_OK) {
        sqlite3_free(cursor->statement_text);
        cursor->statement_text = NULL;
    }
    return rc;
}

/* Errors of rows make every read fail, until the rows are corrected. */
static int fail_of_error(struct ls_view *view)
{
    char *said = NULL;
    bool found;
    int rc = ls_pipeline_error(view->pipeline, &found, &said);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (!found)
        return SQLITE_OK;
    rc = ls_view_fail(view, SQLITE_ERROR, "%s", said);
    sqlite3_free(said);
    return rc;
}

/* Where rows come in an order, what is pending is put in its place. */
static int begin_order(struct ls_cursor *cursor, const char *items)
{
    struct ls_view *view = cursor->view;
    struct ls_result *result = ls_pipeline_result(view->pipeline);
    struct zsql_order *order;
    size_t n;
    int rc = ls_selection_order(view, items, &order, &n);

    if (rc == SQLITE_OK && n > 0 && ls_result_pending(result) > 0) {
        rc =
            code_of(cursor, ls_ordered_begin(&cursor->ordered, order, n, (size_t)cursor->n_read,
                                ls_pipeline_utf16(view->pipeline), result));
        cursor->phase = LS_MERGED;
        cursor->statement_state = LS_NOT_STEPPED;
    }
    sqlite3_free(order);
    return rc;
}

/* From the stored rows and what is pending. */
static int read_state(
    struct ls_cursor *cursor, const char *items, int argc, sqlite3_value **argv)
{
    struct ls_view *view = cursor->view;
    const struct zsql_plan *plan = view->definition->plan;
    struct ls_result *result = ls_pipeline_result(view->pipeline);
    int rc = code_of(cursor, ls_result_show(result));

    if (rc != SQLITE_OK)
        return rc;
    cursor->n_read = (int)plan->operators[plan->n_operators - 1]->n_columns;
    cursor->phase = LS_STORED;
    cursor->reads_all = argc == 0;
    cursor->n_stored = (int64_t)ls_result_n_hidden(result);
    cursor->n_rows = view->counts.rows;
    rc = prepare(cursor, ls_selection_text(view, items, argv));
    if (rc == SQLITE_OK)
        rc = ls_selection_bind(view, items, cursor->statement, argv);
    if (rc == SQLITE_OK && ls_result_n_hidden(result) > 0)
        rc = ls_result_bind(result, cursor->statement, argc + 1);
    return rc == SQLITE_OK ? begin_order(cursor, items) : rc;
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
    cursor->row.data = NULL;
    if (cursor->statement != NULL)
        (void)sqlite3_reset(cursor->statement);
    ls_spool_free(cursor->kept);
    cursor->kept = NULL;
    ls_ordered_clear(&cursor->ordered);
    rc = ls_view_refresh(view, &answer);
    if (rc == SQLITE_OK && answer == LS_BY_STATE)
        rc = fail_of_error(view);
    if (rc != SQLITE_OK)
        return rc;
    if (answer == LS_BY_STATE) {
        rc = read_state(cursor, items, argc, argv);
    } else {
        cursor->n_read = view->n_columns;
        rc = prepare(cursor, ls_selection_query(view, items));
        cursor->phase = LS_QUERIED;
    }
    if (rc != SQLITE_OK) {
        cursor->phase = LS_END;
        return ls_view_fail_with(view, rc, NULL);
    }
    return advance(cursor);
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
        sqlite3_result_value(context, sqlite3_column_value(cursor->statement, column));
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
