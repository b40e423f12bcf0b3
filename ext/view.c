/* A maintained view: its errors, and opening it. */
#include "ext/view.h"

#include <stdarg.h>
#include <string.h>

#include "ext/called.h"
#include "ext/capture.h"
#include "ext/reader.h"
#include "ext/shadow.h"
#include "ext/state.h"
#include "ext/statement.h"

int ls_view_fail(struct ls_view *view, int rc, const char *format, ...)
{
    va_list arguments;
    char *said;

    va_start(arguments, format);
    said = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    sqlite3_free(view->base.zErrMsg);
    view->base.zErrMsg = sqlite3_mprintf("lockstep: view %s: %s", view->name, said);
    sqlite3_free(said);
    return rc == SQLITE_OK ? SQLITE_ERROR : rc;
}

int ls_view_refuse_busy(struct ls_view *view)
{
    return view->is_busy
               ? ls_view_fail(view, SQLITE_LOCKED,
                     "it is being brought up to date: what that calls can't change it")
               : SQLITE_OK;
}

void ls_view_forgive(struct ls_view *view)
{
    sqlite3_free(view->base.zErrMsg);
    view->base.zErrMsg = NULL;
}

/* What to do about what SQLite says of a query, or of what is made of it, that goes past a limit
** of its own or wants what the connection lacks; "" for all else. */
static const char *advice_on(const char *said)
{
    static const struct {
        const char *begins, *advice;
    } known[] = {
        {"parser stack overflow",
            ": its query is nested too deeply for this SQLite; write inner subqueries as views,"
            " or in WITH"},
        {"VIEWs and/or subqueries nested too deep",
            ": let it read fewer views one through another"},
        {"Expression tree is too large",
            ": write it shorter, as in x IN (1, 2) for x = 1 OR x = 2"},
        {"no such collation sequence: ", ": register it on this connection"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strncmp(said, known[i].begins, strlen(known[i].begins)) == 0)
            return known[i].advice;
    return "";
}

int ls_view_fail_with(struct ls_view *view, int rc, char *message)
{
    sqlite3 *db = view->connection->db;
    const char *said = message != NULL                 ? message
                       : (rc & 0xff) == SQLITE_CORRUPT ? "the stored state is damaged"
                                                       : ls_said(db, rc);

    if (rc == SQLITE_NOMEM || rc == SQLITE_INTERRUPT)
        rc = ls_view_fail(view, rc, "%s", sqlite3_errstr(rc));
    else if (rc == LS_SINK_IS_HIDDEN)
        rc = ls_view_fail(
            view, SQLITE_ERROR, "the table main.lockstep_sink hides Lockstep's own: rename it");
    else if (rc == SQLITE_MISMATCH && sqlite3_errcode(db) == SQLITE_OK)
        rc = ls_view_fail(view, rc, LS_MALFORMED_TEXT " in a key");
    else if ((rc & 0xff) == SQLITE_CORRUPT)
        rc = ls_view_fail(view, rc,
            "%s; INSERT INTO \"%w\"(lockstep) VALUES('rebuild') makes it anew", said,
            view->name);
    else
        rc = ls_view_fail(view, rc, "%s%s", said, advice_on(said));
    sqlite3_free(message);
    return rc;
}

int ls_view_column(const struct ls_view *view, const char *name)
{
    for (int i = 0; i < view->n_columns; i++)
        if (sqlite3_stricmp(view->columns[i].name, name) == 0)
            return i;
    return -1;
}

/* Opening. */

static void forget_positions(struct ls_view *view)
{
    for (size_t i = 0; i < view->n_positions * LS_N_LOG_STATEMENTS; i++)
        sqlite3_finalize(view->log_statements[i]);
    sqlite3_free(view->log_statements);
    sqlite3_free(view->positions);
    view->log_statements = NULL;
    view->positions = NULL;
    view->n_positions = 0;
}

static int make_positions(struct ls_view *view)
{
    size_t n = view->definition->plan->n_tables;

    view->positions = zs_alloc_zeroed(&ls_alloc, n * sizeof(*view->positions));
    view->log_statements =
        zs_alloc_zeroed(&ls_alloc, n * LS_N_LOG_STATEMENTS * sizeof(*view->log_statements));
    if (view->positions == NULL || view->log_statements == NULL)
        return SQLITE_NOMEM;
    view->n_positions = n;
    return SQLITE_OK;
}

void ls_view_close(struct ls_view *view)
{
    int rc = view->pipeline == NULL ? SQLITE_OK : ls_view_detach_cursors(view);

    (void)rc; /* the cursors have been told to fail */
    ls_pipeline_free(view->pipeline);
    ls_definition_free(view->definition);
    view->pipeline = NULL;
    view->definition = NULL;
    for (int i = 0; i < LS_N_STATE_STATEMENTS; i++) {
        sqlite3_finalize(view->state_statements[i]);
        view->state_statements[i] = NULL;
    }
    forget_positions(view);
    for (int i = 0; i < LS_N_IDLE; i++)
        ls_reader_free(&view->idle[i]);
    sqlite3_finalize(view->cookie_statement);
    sqlite3_finalize(view->temp_cookie_statement);
    view->cookie_statement = view->temp_cookie_statement = NULL;
    for (int i = 0; i < LS_N_GLANCES; i++) {
        sqlite3_finalize(view->glances[i].statement);
        view->glances[i].statement = NULL;
    }
    view->is_provisional = view->is_ahead = false;
    ls_returning_forget(&view->returning);
    ls_course_end(view);
    ls_replies_forget(&view->replies);
    view->token = -1;
    view->must_check = true; /* what was stepped in is gone */
}

/* The schema's version, and that of the TEMP schema, whose triggers also fire. */
static int read_cookies(struct ls_view *view, sqlite3_int64 *cookie, sqlite3_int64 *temp_cookie)
{
    int rc = SQLITE_OK;

    if (view->cookie_statement == NULL)
        rc = ls_prepare(view->connection->db, &view->cookie_statement,
            "PRAGMA \"%w\".schema_version", view->schema);
    if (rc == SQLITE_OK && view->temp_cookie_statement == NULL)
        rc = ls_prepare(
            view->connection->db, &view->temp_cookie_statement, "PRAGMA temp.schema_version");
    if (rc == SQLITE_OK)
        rc = ls_step_integer(view->cookie_statement, cookie);
    return rc == SQLITE_OK ? ls_step_integer(view->temp_cookie_statement, temp_cookie) : rc;
}

static int check_count(struct ls_view *view, int n)
{
    if (n == view->n_columns)
        return SQLITE_OK;
    return ls_view_fail(view, SQLITE_ERROR,
        "its query gives %d columns now, not %d: drop the view and create it again", n,
        view->n_columns);
}

/* A table that it reads was dropped, say, or a function is not there on this connection. Another
** view, which its query reads, says itself what to do. Takes the message. */
static int fail_of_query(struct ls_view *view, int rc, char *message)
{
    static const char ours[] = "lockstep: ";
    const char *said, *advice;

    if ((rc & 0xff) != SQLITE_ERROR)
        return ls_view_fail_with(view, rc, message);
    said = message == NULL ? ls_said(view->connection->db, rc) : message;
    advice = advice_on(said);
    if (strncmp(said, ours, sizeof(ours) - 1) == 0)
        rc = ls_view_fail(view, rc, "%s", said + sizeof(ours) - 1);
    else
        rc = ls_view_fail(view, rc, "%s%s, or drop the view", said,
            advice[0] == '\0' ? ": put back what its query needs" : advice);
    sqlite3_free(message);
    return rc;
}

/* Does SQLite itself still read the definition? It judges names, and what a view may call. */
static int probe_query(struct ls_view *view)
{
    sqlite3_stmt *probe;
    int rc = ls_prepare(view->connection->db, &probe, "SELECT * FROM \"%w\".\"%w_query\"",
        view->schema, view->name);

    if (rc != SQLITE_OK)
        return fail_of_query(view, rc, NULL);
    rc = check_count(view, sqlite3_column_count(probe));
    sqlite3_finalize(probe);
    return rc;
}

/* Are there as many columns in the plan? The query of another view that it reads may give more than
** that view was created with, which is all that SQLite knows of. */
static int check_plan(struct ls_view *view)
{
    const struct zsql_plan *plan = view->definition->plan;
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];

    return check_count(view, (int)(root->n_columns - plan->n_hidden));
}

/* Are the plan's columns those that <view>_data was made for? A table that was dropped may have
** come back as another. */
static int check_columns(struct ls_view *view)
{
    const struct zsql_plan *plan = view->definition->plan;
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];

    for (int i = 0; i < view->n_columns; i++) {
        const struct ls_view_column *column = &view->columns[i];
        enum ls_affinity affinity = ls_affinity_of(root->columns[i].type);

        if (affinity == LS_NUMERIC)
            affinity = LS_NONE; /* as it is stored */
        if (affinity != ls_affinity_of(column->type) ||
            sqlite3_stricmp(root->columns[i].collation_name, column->collation) != 0)
            return ls_view_fail(view, SQLITE_ERROR,
                "its query gives column %s another type or collation now: drop the view and"
                " create it again",
                column->name);
    }
    return SQLITE_OK;
}

static int read_definition(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    char *text = NULL, *message = NULL;
    int rc = ls_definition_text(db, view->schema, view->name, &text);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    rc = text == NULL
             ? ls_view_fail(view, SQLITE_ERROR,
                   "its query, the view %s_query, is missing: INSERT INTO"
                   " \"%w\"(lockstep) VALUES('rebuild') makes it as CREATE was given it",
                   view->name, view->name)
             : probe_query(view);
    if (rc != SQLITE_OK) {
        sqlite3_free(text);
        return rc;
    }
    rc = ls_definition_read(db, view->schema, text, &view->definition, &message);
    sqlite3_free(text);
    if (rc != SQLITE_OK)
        return fail_of_query(view, rc, message);
    rc = check_plan(view);
    if (rc == SQLITE_OK)
        rc = ls_shadow_check(view);
    if (rc == SQLITE_OK && !view->has_no_data)
        rc = check_columns(view);
    if (rc != SQLITE_OK)
        return rc;
    if (make_positions(view) != SQLITE_OK)
        return ls_view_fail_with(view, SQLITE_NOMEM, NULL);
    rc = ls_pipeline_new(db, &view->connection->batchtables, &view->connection->relations,
        view->schema, view->name, view->definition->plan, view->definition->tables,
        view->connection->hash_bits, &view->pipeline);
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}

/* Is all there that the view stores? Is what capture does enough for it, and has it been? */
static int check_capture(struct ls_view *view)
{
    view->lacks_capture = view->lacks_tables;
    for (size_t i = 0; i < view->n_positions; i++) {
        struct ls_capture capture;
        int rc = ls_capture_read(view->connection->db, view->definition->tables[i], &capture);

        if (rc != SQLITE_OK)
            return ls_view_fail_with(view, rc, NULL);
        if (!capture.is_whole || !ls_state_is_logged(view, i, &capture.logged))
            view->lacks_capture = true;
    }
    view->needs_rebuild = view->lacks_capture;
    return SQLITE_OK;
}

int ls_view_open(struct ls_view *view)
{
    sqlite3_int64 cookie = 0, temp_cookie = 0;
    bool was_busy = view->is_busy;
    int rc = read_cookies(view, &cookie, &temp_cookie);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (view->pipeline != NULL && cookie == view->cookie && temp_cookie == view->temp_cookie)
        return SQLITE_OK;
    ls_view_close(view);
    view->is_busy = true; /* SQLite computes a LIMIT */
    rc = read_definition(view);
    if (rc == SQLITE_OK)
        rc = check_capture(view);
    if (rc == SQLITE_OK)
        rc = ls_called_begin(view);
    view->is_busy = was_busy;
    view->cookie = cookie;
    view->temp_cookie = temp_cookie;
    if (rc != SQLITE_OK)
        ls_view_close(view);
    return rc;
}
