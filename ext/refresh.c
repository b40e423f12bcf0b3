/* Bringing a view up to date: is the stored state the one that the overlay rests on, what have
** the logs that it has not, and which way of taking that in is right and costs least? */
#include "ext/called.h"
#include "ext/capture.h"
#include "ext/glance.h"
#include "ext/policy.h"
#include "ext/state.h"
#include "ext/statement.h"
#include "ext/view.h"

enum { FEW_ROWS = 16, SMALL = 1000 };

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

/* Did capture, which is enough now, miss nothing since it was last known to? A user's trigger
** may have come and gone; or ours, as where a table is copied, dropped and renamed, and its
** triggers are then made again. What a transaction has not committed is not relied on later. */
static int check_moves(struct ls_view *view, const struct ls_state *state)
{
    sqlite3 *db = view->connection->db;
    struct ls_mark now;
    int rc;

    if (state->token != view->seen_token)
        view->seen = state->mark;
    view->seen_token = state->token;
    view->may_be_renumbered = view->seen.level != state->mark.level;
    if (view->cookie == view->seen.version)
        return SQLITE_OK;
    rc = ls_mark_read(db, view->schema, &now);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    view->may_be_renumbered = now.level != state->mark.level;
    if (!ls_mark_is_explained(&view->seen, &now) && !ls_mark_is_explained(&state->mark, &now))
        view->needs_rebuild = true;
    else if (!view->needs_rebuild && sqlite3_txn_state(db, view->schema) != SQLITE_TXN_WRITE)
        view->seen = now;
    return SQLITE_OK;
}

/* VACUUM gives rows new rowids, tells no trigger, and moves the schema's version, but creates
** nothing. Does the state hold such: as a column, or as the key of a row that fails? */
static int check_rowids(struct ls_view *view)
{
    bool holds_rowids = shows_moving_rowids(view);
    int rc = SQLITE_OK;

    if (!view->may_be_renumbered)
        return SQLITE_OK;
    if (!holds_rowids && knows_moving_rowids(view))
        rc = ls_pipeline_error(view->pipeline, &holds_rowids, NULL);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    if (holds_rowids)
        view->needs_rebuild = true;
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
        view->needs_rebuild = view->lacks_capture; /* another may have made it anew */
        ls_view_drop_overlay(view);
    }
    view->counts = state.counts;
    if (state.is_usable)
        rc = check_moves(view, &state);
    if (state.is_usable && rc == SQLITE_OK)
        rc = check_rowids(view);
    if (!state.is_usable)
        view->needs_rebuild = true;
    view->must_check = rc != SQLITE_OK;
    return rc;
}

static sqlite3_int64 count_unseen(const struct ls_view *view)
{
    sqlite3_int64 n = 0;

    for (size_t i = 0; i < view->n_positions; i++)
        n += view->positions[i].end - view->positions[i].taken;
    return n;
}

/* Has a function that the query calls written to the view's tables while they were read? */
static int find_disturbance(struct ls_view *view, sqlite3_int64 unseen, bool *is_disturbed)
{
    char *message = NULL;
    int rc = ls_pipeline_end(view->pipeline, view->positions, &message);

    *is_disturbed = count_unseen(view) != unseen;
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, message);
}

static bool note_taken(struct ls_view *view, const struct ls_taken *taken, sqlite3_int64 unseen,
    const struct ls_moment *moment)
{
    bool is_taken = !taken->is_lost && !taken->is_failing && !taken->is_large;

    view->has_open_candidates |= taken->has_candidates && moment->is_within_changes;
    view->expects_few = unseen <= FEW_ROWS && !taken->has_candidates;
    if (taken->is_lost)
        view->needs_rebuild = true;
    if (taken->is_large) {
        view->way = LS_IN_PIECES;
        view->too_many = unseen;
    }
    if (!is_taken)
        return false;
    view->is_ahead = moment->inserts_into >= 0;
    view->ahead_at = sqlite3_total_changes64(view->connection->db);
    for (size_t i = 0; i < view->n_positions; i++)
        view->positions[i].taken = view->positions[i].end;
    return true;
}

/* Steps over what the logs have that the overlay has not, and over what they lack. Where a row can't be
** computed the query says so itself, or does without it; the next step tries again. */
static int take(struct ls_view *view, sqlite3_int64 unseen, const struct ls_moment *moment,
    enum ls_answer *answer, bool *is_taken)
{
    sqlite3 *db = view->connection->db;
    struct ls_inserted inserted = {moment->inserts_into, sqlite3_last_insert_rowid(db)};
    int n_changes = sqlite3_total_changes(db);
    bool is_disturbed = false;
    char *message = NULL;
    struct ls_taken taken;
    int rc = ls_view_detach_cursors(view);

    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    view->is_busy = true;
    rc = ls_pipeline_take(view->pipeline, view->connection->step_bytes, view->positions,
        &inserted, view->may_be_renumbered, &taken, &message);
    view->is_busy = false;
    if (taken.is_half_done)
        ls_view_roll_back(view, ls_pipeline_depth(view->pipeline) - 1);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, message);
    if (view->must_drop) { /* a function that the query calls has rolled back what is read */
        *answer = LS_BY_QUERY;
        return SQLITE_OK;
    }
    if (sqlite3_total_changes(db) != n_changes)
        rc = find_disturbance(view, unseen, &is_disturbed);
    if (is_disturbed)
        view->must_drop = true;
    else if (rc == SQLITE_OK)
        *is_taken = note_taken(view, &taken, unseen, moment);
    if (is_disturbed || taken.is_failing)
        *answer = LS_BY_QUERY;
    return rc;
}

/* Does a log end before what was taken in? */
static bool is_cut_short(const struct ls_view *view)
{
    for (size_t i = 0; i < view->n_positions; i++)
        if (view->positions[i].end < view->positions[i].taken)
            return true;
    return false;
}

/* How many rows the logs have that the overlay has not. A log that ends before what was taken
** in is another than that: an older snapshot of the file, say. */
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

/* Is so much unseen that it does not fit into memory, or that it would cost more to step than
** to make the state anew? */
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

/* A row is ahead of its log: does that still lack it, although something has changed since? */
static bool has_turned(const struct ls_view *view, const struct ls_moment *moment)
{
    return view->is_ahead &&
           (moment->inserts_into < 0 ||
               sqlite3_total_changes64(view->connection->db) != view->ahead_at);
}

/* A savepoint may have begun while the view was busy. */
static bool is_doubtful(const struct ls_view *view)
{
    return view->has_open_candidates || !view->connection->is_enrolled ||
           ls_pipeline_depth(view->pipeline) <= view->connection->levels;
}

/* Outside a running write statement, what is stepped in is there to stay, up to a rollback. In
** the middle of one it is undone when the statement is over. Within one statement the logs only
** grow, so the step is continued by later reads, unless it rests on base rows that may be about
** to vanish. Where nobody announces a rollback to the view, the next read undoes it, in whatever
** transaction that comes.
**
** A row that was inserted, and is not logged yet, is taken in ahead of its log (source.h). */
static int catch_up(
    struct ls_view *view, const struct ls_moment *moment, bool is_known, enum ls_answer *answer)
{
    bool is_announced = !moment->in_write || ls_view_is_announced(view);
    bool in_statement = moment->in_write && (moment->n_writing > 0 || !is_announced);
    bool has_more, was_ahead, was_provisional, is_taken = false;
    sqlite3_int64 unseen;
    int rc;

    view->way = LS_AT_ONCE;
    view->must_check |= !is_announced;
    if (view->is_provisional && is_doubtful(view))
        ls_view_drop_provisional(view);
    rc = find_end(view, is_known, &unseen);
    if (rc == SQLITE_OK && unseen == 0 && has_turned(view, moment)) {
        ls_view_drop_ahead(view);
        unseen = count_unseen(view);
    }
    if (rc == SQLITE_OK && unseen > 0)
        rc = weigh(view, unseen, moment);
    has_more = unseen > 0 || (moment->inserts_into >= 0 && !view->is_ahead);
    if (rc != SQLITE_OK || !has_more || view->needs_rebuild || view->way != LS_AT_ONCE)
        return rc;
    if (in_statement)
        rc = ls_policy_weigh_open(view, unseen, moment, answer);
    if (rc != SQLITE_OK || *answer == LS_BY_QUERY)
        return rc;
    rc = ls_view_join_levels(view, moment->in_write && is_announced, answer);
    if (rc == SQLITE_OK && *answer == LS_BY_QUERY)
        return SQLITE_OK;
    if (rc == SQLITE_OK && in_statement && !view->is_provisional) {
        rc = ls_code_of(ls_result_keep_up(ls_pipeline_result(view->pipeline)));
        if (rc == SQLITE_OK)
            rc = ls_view_push_level(view);
        view->has_open_candidates = false;
    }
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    view->is_provisional |= in_statement;
    was_ahead = view->is_ahead;
    was_provisional = view->is_provisional;
    rc = take(view, unseen, moment, answer, &is_taken);
    if (!is_taken && (was_ahead || moment->inserts_into >= 0)) {
        ls_view_drop_provisional(view); /* what is ahead may have been forgotten */
        if (!was_provisional)
            ls_view_drop_overlay(view);
    } else if (!in_statement)
        ls_view_settle_provisional(view);
    return rc;
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

/* Is what is stored older than what was missed? A rollback may bring that back which has been
** made anew since, up to the commit. */
static void check_missed(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;

    if (ls_capture_is_off(db)) {
        view->has_missed = true;
        view->good_token = -1;
    }
    if (!view->has_missed)
        return;
    if (view->good_token < 0 || view->token != view->good_token) /* a token of -1 is unknown */
        view->needs_rebuild = true;
    else if (sqlite3_txn_state(db, view->schema) != SQLITE_TXN_WRITE)
        view->has_missed = false;
}

/* Compares the stored state, and what a glance goes by later. */
static int look_anew(struct ls_view *view)
{
    int rc = check_state(view);

    check_missed(view);
    if (rc != SQLITE_OK || view->needs_rebuild)
        return rc;
    rc = ls_glance_begin(view);
    return rc == SQLITE_OK ? SQLITE_OK : ls_view_fail_with(view, rc, NULL);
}

/* May a glance tell what has changed? Not where the schema has moved in a transaction, and is
** looked at again when that is over. */
static bool may_glance(const struct ls_view *view, bool is_own_write)
{
    return view->pipeline != NULL && !view->must_check && !view->needs_rebuild &&
           (is_own_write || view->cookie == view->seen.version);
}

/* Opens the view, unless a glance tells that nothing but its logs has changed since it was
** brought up to date: *is_known. */
static int open_or_glance(struct ls_view *view, bool is_own_write, bool *is_known)
{
    int rc = SQLITE_OK;

    *is_known = false;
    if (may_glance(view, is_own_write) && !ls_capture_is_off(view->connection->db))
        rc = ls_glance(view, is_own_write ? LS_AT_LOGS : LS_AT_ALL, is_known);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    return *is_known ? SQLITE_OK : ls_view_open(view);
}

/* Reads what the log has, if that is likely to be so little, which takes one statement, not two.
** What the query calls there may write to the log. */
static bool look_at_few(struct ls_view *view)
{
    sqlite3 *db = view->connection->db;
    sqlite3_int64 n_changes = sqlite3_total_changes64(db);
    bool is_known;

    if (!view->expects_few || !may_glance(view, true) || ls_capture_is_off(db))
        return false;
    view->is_busy = true;
    is_known = ls_pipeline_look(view->pipeline, view->connection->step_bytes, view->positions);
    view->is_busy = false;
    view->expects_few = is_known;
    if (view->must_check || sqlite3_total_changes64(db) != n_changes) {
        ls_pipeline_end_look(view->pipeline);
        is_known = false;
    }
    return is_known;
}

/* Is there more that the logs lack than they are going to say of one row? SQLite's rowid for one that it is
** yet to choose is none to rely on. */
static bool lacks_more(const struct ls_view *view, const struct ls_moment *moment)
{
    return moment->is_between_row_and_log &&
           (moment->inserts_into < 0 || sqlite3_last_insert_rowid(view->connection->db) == -1);
}

/* Brings an open view up to date. */
static int refresh(
    struct ls_view *view, const struct ls_moment *moment, bool is_known, enum ls_answer *answer)
{
    int rc = is_known ? SQLITE_OK : look_anew(view);

    if (rc == SQLITE_OK && moment->in_write && lacks_more(view, moment)) {
        *answer = LS_BY_QUERY;
        view->must_check = true; /* a rollback of the statement moves no version */
        return SQLITE_OK;
    }
    if (rc == SQLITE_OK && !view->needs_rebuild)
        rc = catch_up(view, moment, is_known, answer);
    if (rc == SQLITE_OK && (view->needs_rebuild || view->way != LS_AT_ONCE)) {
        ls_view_drop_ahead(view);
        rc = ls_policy_rebuild(view, moment, answer);
    } else if (rc == SQLITE_OK && *answer == LS_BY_STATE)
        rc = ls_policy_store(view, moment, answer);
    if (*answer == LS_BY_QUERY)
        view->must_check = true;
    return rc;
}

/* Where a look that began after n_changes ends. */
static int end_look(struct ls_view *view, const struct ls_moment *moment,
    sqlite3_int64 n_changes, const char *place, enum ls_answer answer, int rc)
{
    if (rc != SQLITE_OK)
        view->must_check = true;
    else if (answer == LS_BY_STATE)
        ls_course_note(view, moment, n_changes, place);
    return rc;
}

/* What has a statement with RETURNING inserted? */
static int find_inserted(struct ls_view *view, struct ls_moment *moment)
{
    sqlite3_int64 rows = -1;
    char *message = NULL;
    int rc = SQLITE_OK;

    if (view->pipeline != NULL && !ls_returning_has_judged(&view->returning, moment->returning))
        rc = ls_pipeline_size(view->pipeline, &rows, &message);
    sqlite3_free(message);
    if (rc != SQLITE_OK)
        return rc;
    return ls_returning_inserts(&view->returning, view->connection->db, view->definition,
        moment->returning, rows >= 0 && rows < SMALL, &moment->inserts_into);
}

/* Looks whether anything has changed at all, and if so what. */
static int look(struct ls_view *view, const char *place, enum ls_answer *answer)
{
    struct ls_connection *connection = view->connection;
    bool in_write = sqlite3_txn_state(connection->db, view->schema) == SQLITE_TXN_WRITE;
    sqlite3_int64 n_changes = sqlite3_total_changes64(connection->db);
    bool reads_uncommitted, is_same, is_known;
    enum ls_sharing sharing = LS_SHARES_NOTHING;
    unsigned data_version = 0;
    struct ls_moment moment;
    int rc = SQLITE_OK;

    rc = ls_called_check(view);
    if (rc == SQLITE_OK && !in_write) /* what is seen in a write is its own */
        rc = ls_connection_sharing(connection, &sharing);
    if (rc != SQLITE_OK)
        return view->base.zErrMsg != NULL ? rc : ls_view_fail_with(view, rc, NULL);
    reads_uncommitted = sharing == LS_SHARES_UNCOMMITTED;
    sqlite3_file_control(connection->db, view->file, SQLITE_FCNTL_DATA_VERSION, &data_version);
    is_same = view->pipeline != NULL && !view->must_check && data_version == view->data_version;
    /* In a shared cache the logs are looked at, which keeps others from writing them, and so
    ** from changing what the view rests on, up to the transaction's end. */
    if (is_same && !in_write && sharing == LS_SHARES_NOTHING && !view->is_provisional &&
        !view->wants_store)
        return SQLITE_OK;
    rc = open_or_glance(view, is_same && in_write, &is_known);
    if (rc != SQLITE_OK)
        return rc;
    ls_moment_now(view, in_write, &moment);
    if (moment.n_writing == 0 && !view->is_ahead)
        ls_view_settle_provisional(view);
    if (moment.returning != NULL)
        rc = find_inserted(view, &moment);
    if (rc != SQLITE_OK)
        return ls_view_fail_with(view, rc, NULL);
    /* The logs may show what another connection of a shared cache will take back, which no
    ** version tells. */
    if (reads_uncommitted) {
        *answer = LS_BY_QUERY;
        view->must_check = true;
        return SQLITE_OK;
    }
    rc = refresh(view, &moment, is_known, answer);
    view->data_version = data_version;
    return end_look(view, &moment, n_changes, place, *answer, rc);
}

/* The same for another read of the statement that was noted. */
static int look_again(struct ls_view *view, const char *place, enum ls_answer *answer)
{
    struct ls_moment moment = view->course.moment;
    sqlite3_int64 n_changes = sqlite3_total_changes64(view->connection->db);
    bool is_known = look_at_few(view);
    int rc = SQLITE_OK;

    if (view->must_drop) { /* what the query calls has rolled back what is read */
        *answer = LS_BY_QUERY;
        view->must_check = true;
        return SQLITE_OK;
    }
    if (!is_known)
        rc = open_or_glance(view, true, &is_known);
    if (view->course.n_places == 0)
        moment.inserts_into = -1; /* read anew, it may have the table elsewhere */
    if (rc == SQLITE_OK)
        rc = refresh(view, &moment, is_known, answer);
    if (view->pipeline != NULL)
        ls_pipeline_end_look(view->pipeline);
    return end_look(view, &moment, n_changes, place, *answer, rc);
}

int ls_view_refresh(struct ls_view *view, const char *place, enum ls_answer *answer)
{
    bool is_same;

    *answer = view->is_busy ? LS_BY_QUERY : LS_BY_STATE;
    if (view->is_busy) /* what its own query calls reads it */
        return view->pipeline == NULL ? ls_view_refuse_busy(view) : SQLITE_OK;
    if (!ls_course_goes_on(view, place, &is_same))
        return look(view, place, answer);
    return is_same ? SQLITE_OK : look_again(view, place, answer);
}
