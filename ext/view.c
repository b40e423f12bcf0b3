/* A maintained view: opening it, bringing it up to date. */
#include "ext/view.h"

#include <stdarg.h>
#include <string.h>

#include "ext/capture.h"
#include "ext/glance.h"
#include "ext/policy.h"
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

void ls_view_forgive(struct ls_view *view)
{
    sqlite3_free(view->base.zErrMsg);
    view->base.zErrMsg = NULL;
}

int ls_view_fail_with(struct ls_view *view, int rc, char *message)
{
    sqlite3 *db = view->connection->db;
    const char *said = message != NULL                 ? message
                       : (rc & 0xff) == SQLITE_CORRUPT ? "the stored state is damaged"
                                                       : sqlite3_errmsg(db);

    if (rc == SQLITE_NOMEM || rc == SQLITE_INTERRUPT)
        rc = ls_view_fail(view, rc, "%s", sqlite3_errstr(rc));
    else if (rc == SQLITE_MISMATCH && sqlite3_errcode(db) == SQLITE_OK)
        rc = ls_view_fail(view, rc, LS_MALFORMED_TEXT " in a key");
    else if ((rc & 0xff) == SQLITE_CORRUPT)
        rc = ls_view_fail(view, rc,
            "%s; INSERT INTO \"%w\"(lockstep) VALUES('rebuild') makes it anew", said,
            view->name);
    else
        rc = ls_view_fail(view, rc, "%s", said);
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

/* Levels. */

static int push_level(struct ls_view *view)
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

/* Takes part in the write transaction. The sink stands in the database main: where that can't be
** written, or another connection has locked it, a transaction of another database can't be
** followed, and *answer says so. */
static int join_levels(struct ls_view *view, bool in_write, enum ls_answer *answer)
{
    int rc = in_write ? ls_connection_enroll(view->connection) : SQLITE_OK;

    if ((rc & 0xff) == SQLITE_READONLY || (rc & 0xff) == SQLITE_BUSY) {
        *answer = LS_BY_QUERY;
        return SQLITE_OK;
    }
    while (rc == SQLITE_OK && ls_pipeline_depth(view->pipeline) < view->connection->levels)
        rc = push_level(view);
    return rc;
}

void ls_view_roll_back(struct ls_view *view, unsigned levels)
{
    view->must_check = true;
    if (view->pipeline == NULL)
        return;
    if (view->is_stepping) {
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
}

void ls_view_merge(struct ls_view *view, unsigned levels)
{
    while (view->pipeline != NULL && !view->is_stepping &&
           ls_pipeline_depth(view->pipeline) > levels)
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
    view->is_provisional = false;
    view->too_many = 0;
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
    if (view->pipeline != NULL && ls_view_detach_cursors(view) != SQLITE_OK)
        view->must_check = true;
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
    sqlite3_finalize(view->ends);
    view->cookie_statement = view->temp_cookie_statement = view->ends = NULL;
    view->is_provisional = false;
    view->token = -1;
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

/* Does SQLite itself still read the definition? It judges names, and what a view may call. */
static int probe_query(struct ls_view *view)
{
    sqlite3_stmt *probe;
    int rc = ls_prepare(view->connection->db, &probe, "SELECT * FROM \"%w\".\"%w_query\"",
        view->schema, view->name);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (sqlite3_column_count(probe) != view->n_columns)
        rc = ls_view_fail(view, SQLITE_ERROR,
            "its query gives %d columns now, not %d: drop the view and create it again",
            sqlite3_column_count(probe), view->n_columns);
    sqlite3_finalize(probe);
    return rc;
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
    if (rc == SQLITE_OK)
        rc = ls_definition_read(db, view->schema, text, &view->definition, &message);
    sqlite3_free(text);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, message);
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
    int rc = read_cookies(view, &cookie, &temp_cookie);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (view->pipeline != NULL && cookie == view->cookie && temp_cookie == view->temp_cookie)
        return SQLITE_OK;
    ls_view_close(view);
    rc = read_definition(view);
    if (rc == SQLITE_OK)
        rc = check_capture(view);
    view->cookie = cookie;
    view->temp_cookie = temp_cookie;
    if (rc != SQLITE_OK)
        ls_view_close(view);
    return rc;
}

/* Does the view show rowids that are no column? */
static bool shows_moving_rowids(const struct ls_view *view)
{
    const struct ls_definition *definition = view->definition;

    for (size_t i = 0; i < definition->plan->n_tables; i++) {
        const struct zsql_table *table = &definition->plan->tables[i];

        if (table->n_columns > 0 && table->columns[0] < 0 &&
            definition->tables[i]->rowid_column < 0)
            return true;
    }
    return false;
}

static bool is_elsewhere(const struct ls_view *view)
{
    for (size_t i = 0; i < view->n_positions; i++)
        if (view->positions[i].found != view->positions[i].stored)
            return true;
    return false;
}

/* Is a row known by a rowid that is no column? */
static bool knows_moving_rowids(const struct ls_view *view)
{
    const struct ls_definition *definition = view->definition;

    for (size_t i = 0; i < definition->plan->n_tables; i++)
        if (definition->tables[i]->key < 0 && definition->tables[i]->rowid_column < 0)
            return true;
    return false;
}

/* VACUUM gives rows new rowids, tells no trigger, and moves the schema's version. Does the
** state hold such: as a column, or as the key of a row that fails? */
static int check_rowids(struct ls_view *view)
{
    bool holds_rowids = shows_moving_rowids(view);
    int rc = SQLITE_OK;

    if (view->cookie == view->stored_cookie)
        return SQLITE_OK;
    if (!holds_rowids && knows_moving_rowids(view))
        rc = ls_pipeline_error(view->pipeline, &holds_rowids, NULL);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (holds_rowids)
        view->needs_rebuild = true;
    return SQLITE_OK;
}

/* Did capture, which is enough now, miss nothing since it was last known to? A user's trigger may have
** come and gone; or ours, as where a table is copied, dropped and renamed, and its triggers are then
** made again. What a transaction has not committed is not relied on later. */
static int check_moves(struct ls_view *view, const struct ls_state *state)
{
    sqlite3 *db = view->connection->db;
    struct ls_mark now;
    int rc;

    if (state->token != view->seen_token)
        view->seen = state->mark;
    view->seen_token = state->token;
    if (view->cookie == view->seen.version)
        return SQLITE_OK;
    rc = ls_mark_read(db, view->schema, &now);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (!ls_mark_is_explained(&view->seen, &now) && !ls_mark_is_explained(&state->mark, &now))
        view->needs_rebuild = true;
    else if (!view->needs_rebuild && sqlite3_txn_state(db, view->schema) != SQLITE_TXN_WRITE)
        view->seen = now;
    return SQLITE_OK;
}

/* Compares what the overlay rests on with the stored state, and drops it where they differ. */
static int check_state(struct ls_view *view)
{
    struct ls_state state;
    int rc = ls_state_read(view, &state);

    if (rc != SQLITE_OK)
        return rc;
    if (view->must_drop || state.token != view->token || is_elsewhere(view)) {
        view->token = state.token;
        for (size_t i = 0; i < view->n_positions; i++)
            view->positions[i].stored = view->positions[i].found;
        view->stored_cookie = state.mark.version;
        view->needs_rebuild = view->lacks_capture; /* another may have made it anew */
        ls_view_drop_overlay(view);
    }
    view->counts = state.counts;
    if (state.is_usable)
        rc = check_rowids(view);
    if (state.is_usable && rc == SQLITE_OK)
        rc = check_moves(view, &state);
    if (!state.is_usable)
        view->needs_rebuild = true;
    view->must_check = rc != SQLITE_OK;
    return rc;
}

/* Steps over what the logs have that the overlay has not. Where a row can't be computed the query
** says so itself, or does without it; the next step tries again. */
static int take(struct ls_view *view, sqlite3_int64 unseen, enum ls_answer *answer)
{
    char *message = NULL;
    struct ls_taken taken;
    int rc = ls_view_detach_cursors(view);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    view->is_stepping = true;
    rc = ls_pipeline_take(view->pipeline, view->connection->step_bytes, view->positions,
        view->cookie != view->stored_cookie, &taken, &message);
    view->is_stepping = false;
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, message);
    if (view->must_drop)
        return ls_view_fail(view, SQLITE_ABORT, "the transaction was rolled back meanwhile");
    view->has_candidates = taken.has_candidates;
    if (taken.is_lost)
        view->needs_rebuild = true;
    if (taken.is_failing)
        *answer = LS_BY_QUERY;
    if (taken.is_large) {
        view->way = LS_IN_PIECES;
        view->too_many = unseen;
    }
    if (!taken.is_lost && !taken.is_failing && !taken.is_large)
        for (size_t i = 0; i < view->n_positions; i++)
            view->positions[i].taken = view->positions[i].end;
    return SQLITE_OK;
}

/* Does a log end before what was taken in? */
static bool is_cut_short(const struct ls_view *view)
{
    for (size_t i = 0; i < view->n_positions; i++)
        if (view->positions[i].end < view->positions[i].taken)
            return true;
    return false;
}

static sqlite3_int64 count_unseen(const struct ls_view *view)
{
    sqlite3_int64 n = 0;

    for (size_t i = 0; i < view->n_positions; i++)
        n += view->positions[i].end - view->positions[i].taken;
    return n;
}

/* How many rows the logs have that the overlay has not. A log that ends before what was taken in is
** another than that: an older snapshot of the file, say. */
static int find_end(struct ls_view *view, bool is_known, sqlite3_int64 *unseen)
{
    char *message = NULL;
    int rc = is_known ? SQLITE_OK : ls_pipeline_end(view->pipeline, view->positions, &message);

    if (rc == SQLITE_OK && is_cut_short(view))
        ls_view_drop_overlay(view);
    *unseen = count_unseen(view);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, message);
    if (is_cut_short(view))
        view->needs_rebuild = true;
    return SQLITE_OK;
}

/* Is so much unseen that it does not fit into memory, or that it would cost more to step than to make
** the state anew? */
static int weigh(struct ls_view *view, sqlite3_int64 unseen, const struct ls_moment *moment)
{
    sqlite3_int64 rows = -1;
    char *message = NULL;
    int rc = SQLITE_OK;

    view->way = view->too_many > 0 && unseen >= view->too_many ? LS_IN_PIECES : LS_AT_ONCE;
    if (unseen <= LS_MANY_ROWS)
        return SQLITE_OK;
    if (!view->connection->is_working &&
        (!ls_policy_may_write(view, moment) || ls_policy_skips(view)))
        return SQLITE_OK;
    rc = ls_pipeline_size(view->pipeline, &rows, &message);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, message);
    if (rows >= 0 && unseen > rows / 2)
        view->way = LS_ANEW;
    return SQLITE_OK;
}

/* Outside a running write statement, what is stepped in is there to stay, up to a rollback. In
** the middle of one it is undone when the statement is over. Within one statement the logs only
** grow, so the step is continued by later reads, unless it rests on base rows, which may be
** half changed. */
static int catch_up(
    struct ls_view *view, const struct ls_moment *moment, bool is_known, enum ls_answer *answer)
{
    bool in_statement = moment->in_write && moment->n_writing > 0;
    sqlite3_int64 unseen;
    int rc;

    view->way = LS_AT_ONCE;
    if (view->is_provisional && view->has_candidates)
        ls_view_drop_provisional(view);
    rc = find_end(view, is_known, &unseen);
    if (rc == SQLITE_OK && unseen > 0)
        rc = weigh(view, unseen, moment);
    if (rc != SQLITE_OK || unseen == 0 || view->needs_rebuild || view->way != LS_AT_ONCE)
        return rc;
    rc = join_levels(view, moment->in_write, answer);
    if (rc == SQLITE_OK && *answer == LS_BY_QUERY)
        return SQLITE_OK;
    if (rc == SQLITE_OK && in_statement && !view->is_provisional) {
        rc = ls_code_of(ls_result_keep_up(ls_pipeline_result(view->pipeline)));
        if (rc == SQLITE_OK)
            rc = push_level(view);
    }
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    view->is_provisional |= in_statement;
    return take(view, unseen, answer);
}

int ls_view_catch_up_again(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer)
{
    struct ls_moment no_write = *moment;
    int rc = ls_view_open(view);

    no_write.is_readonly = true;
    if (rc == SQLITE_OK)
        rc = check_state(view);
    if (rc == SQLITE_OK && !view->needs_rebuild)
        rc = catch_up(view, &no_write, false, answer);
    if (view->needs_rebuild || view->way != LS_AT_ONCE)
        *answer = LS_BY_QUERY;
    return rc;
}

/* Compares the stored state, and what a glance goes by later. */
static int look_anew(struct ls_view *view)
{
    int rc = check_state(view);

    if (rc != SQLITE_OK || view->needs_rebuild)
        return rc;
    rc = ls_glance_begin(view);
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}

/* Opens the view, unless a glance tells that in this write transaction nothing but its logs has changed
** since it was brought up to date: *is_known. */
static int open_or_glance(struct ls_view *view, bool may_glance, bool *is_known)
{
    int rc = SQLITE_OK;

    *is_known = false;
    if (may_glance)
        rc = ls_glance(view, is_known);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    return *is_known ? SQLITE_OK : ls_view_open(view);
}

/* Brings an open view up to date. */
static int refresh(
    struct ls_view *view, const struct ls_moment *moment, bool is_known, enum ls_answer *answer)
{
    int rc = is_known ? SQLITE_OK : look_anew(view);

    if (rc == SQLITE_OK && moment->in_write && moment->is_between_row_and_log) {
        *answer = LS_BY_QUERY;
        return SQLITE_OK;
    }
    if (rc == SQLITE_OK && !view->needs_rebuild)
        rc = catch_up(view, moment, is_known, answer);
    if (rc == SQLITE_OK && (view->needs_rebuild || view->way != LS_AT_ONCE))
        rc = ls_policy_rebuild(view, moment, answer);
    else if (rc == SQLITE_OK && *answer == LS_BY_STATE)
        rc = ls_policy_store(view, moment, answer);
    if (*answer == LS_BY_QUERY)
        view->must_check = true;
    return rc;
}

int ls_view_refresh(struct ls_view *view, enum ls_answer *answer)
{
    struct ls_connection *connection = view->connection;
    bool in_write = sqlite3_txn_state(connection->db, view->schema) == SQLITE_TXN_WRITE;
    bool reads_uncommitted, is_same, is_known;
    enum ls_sharing sharing = LS_SHARES_NOTHING;
    unsigned data_version = 0;
    struct ls_moment moment;
    int rc = SQLITE_OK;

    *answer = LS_BY_STATE;
    if (!in_write) /* what is seen in a write is its own */
        rc = ls_connection_sharing(connection, &sharing);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    reads_uncommitted = sharing == LS_SHARES_UNCOMMITTED;
    sqlite3_file_control(
        connection->db, view->schema, SQLITE_FCNTL_DATA_VERSION, &data_version);
    is_same = view->pipeline != NULL && !view->must_check && data_version == view->data_version;
    /* In a shared cache the logs are looked at, which keeps others from writing them, and so
    ** from changing what the view rests on, up to the transaction's end. */
    if (is_same && !in_write && sharing == LS_SHARES_NOTHING && !view->is_provisional &&
        !view->wants_store)
        return SQLITE_OK;
    rc = open_or_glance(view, is_same && in_write && !view->needs_rebuild, &is_known);
    if (rc != SQLITE_OK)
        return rc;
    ls_moment_now(view, in_write, &moment);
    if (view->is_provisional && moment.n_writing == 0)
        ls_view_drop_provisional(view);
    /* The logs may show what another connection of a shared cache will take back, which no version
    ** tells. */
    if (reads_uncommitted) {
        *answer = LS_BY_QUERY;
        view->must_check = true;
        return SQLITE_OK;
    }
    rc = refresh(view, &moment, is_known, answer);
    view->data_version = data_version;
    if (rc != SQLITE_OK)
        view->must_check = true;
    return rc;
}
