/* Running a case step by step. Tags of what is found, besides those of diff_compare.c:
**   statement  a statement of the user's had another outcome than without views
**   rowid      the same, in last_insert_rowid() only
**   alter      ALTER TABLE failed that does not without views
**   refused    a composed view is not maintained, where all should be
**   create     a view could not be created, or dropped      command  a command failed
**   close      a connection would not close */
#include <stdio.h>
#include <string.h>

#include "tests/diff_engine.h"

const char *diff_ignored_tag;

/* What a program can see of a statement. */
struct outcome {
    int rc;
    char error[300];
    int changes;
    sqlite3_int64 last_rowid;
    int is_autocommit;
};

/* A read that stores may change changes(), so it means something after a write only. */
static bool is_write(const char *sql)
{
    static const char *const words[] = {"INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", NULL};
    for (unsigned i = 0; words[i] != NULL; i++) {
        if (strncmp(sql, words[i], strlen(words[i])) == 0)
            return true;
    }
    return false;
}

static struct outcome run_on(sqlite3 *db, const char *sql, struct diff_result *rows)
{
    struct outcome outcome;
    diff_result_query(rows, db, sql);
    outcome.rc = rows->rc & 0xff;
    sqlite3_snprintf(sizeof outcome.error, outcome.error, "%s", rows->error);
    outcome.changes = rows->rc == SQLITE_OK && is_write(sql) ? sqlite3_changes(db) : 0;
    outcome.last_rowid = sqlite3_last_insert_rowid(db);
    outcome.is_autocommit = sqlite3_get_autocommit(db);
    return outcome;
}

/* The tag of what differs, NULL where nothing does. */
static const char *difference(
    struct diff_world *world, const struct outcome *a, const struct outcome *b)
{
    if (a->rc != b->rc || strcmp(a->error, b->error) != 0 || a->changes != b->changes ||
        a->is_autocommit != b->is_autocommit || !diff_result_is_same(&world->a, &world->b))
        return "statement";
    return a->last_rowid != b->last_rowid ? "rowid" : NULL;
}

static void describe(struct diff_world *world, const char *where, const struct outcome *outcome,
    const struct diff_result *rows)
{
    struct diff_text *out = &world->mismatch->detail;
    diff_text_add(out, "%s: code %d %s, changes %d, last rowid %lld, autocommit %d\n", where,
        outcome->rc, outcome->error, outcome->changes, (long long)outcome->last_rowid,
        outcome->is_autocommit);
    diff_result_print(rows, "    ", out);
}

/* After what the twin does not do, or does in its own way. */
static void take_last_rowid(struct diff_world *world, unsigned connection)
{
    sqlite3_set_last_insert_rowid(
        world->twin.db[connection], sqlite3_last_insert_rowid(world->real.db[connection]));
}

/* The table that a statement writes, which it names first, is another one for all views. */
static void note_change(struct diff_world *world, const char *sql)
{
    const char *name = strstr(sql, "`t");

    for (unsigned i = 0; name != NULL && i < world->c->n_views; i++)
        world->courses[i].changed |= 1u << (name[2] - '0');
}

/* Where a lock keeps the schema from being read, SQLite may say that there is no such table. */
static bool is_locked_out(struct diff_world *world, unsigned connection, int rc)
{
    return diff_is_busy(rc) ||
           (strstr(world->a.error, "no such table") != NULL &&
               diff_is_busy(sqlite3_exec(world->real.db[connection],
                   "SELECT 1 FROM main.sqlite_schema LIMIT 1", NULL, NULL, NULL)));
}

/* Runs a statement on both sides. Where a lock forbids it here, which the twin need not know
** of, it is left out there. */
static bool run_sql(struct diff_world *world, const struct diff_step *step)
{
    unsigned connection = step->connection;
    const char *sql = diff_world_render(world, DIFF_AS_VIEW, step->sql);

    if (strcmp(sql, "VACUUM") == 0 && diff_is_hidden(world, connection))
        return true;
    if (world->engine->before != NULL)
        world->engine->before(world, sql);
    sql = diff_world_render(world, DIFF_AS_VIEW, step->sql);
    if (is_write(sql) || strncmp(sql, "ROLLBACK", 8) == 0)
        diff_cursors_touch(world, connection);
    struct outcome real = run_on(world->real.db[connection], sql, &world->a);
    world->n_statements++;
    if (is_locked_out(world, connection, real.rc)) {
        take_last_rowid(world, connection);
        return true;
    }
    if (strcmp(sql, "VACUUM") == 0) /* a view that was made anew may have made an index */
        diff_twin_follow(world, connection);
    struct outcome twin = run_on(world->twin.db[connection], sql, &world->b);
    /* the twin holds a lock of its own; or SQLite takes it for damaged, as it does with a cursor
    ** open over a GROUP BY when its table, in memory, is written and a savepoint begins */
    if (diff_is_busy(twin.rc) || twin.rc == SQLITE_CORRUPT) {
        world->is_over = true;
        return true;
    }
    if (real.rc != SQLITE_OK || strcmp(sql, "VACUUM") == 0) { /* an accidental rowid */
        take_last_rowid(world, connection);
        twin.last_rowid = real.last_rowid;
    }
    if (real.changes > 0)
        note_change(world, step->sql);
    const char *tag = difference(world, &real, &twin);
    if (tag != NULL && diff_ignored_tag != NULL && strcmp(tag, diff_ignored_tag) == 0) {
        take_last_rowid(world, connection);
    } else if (tag != NULL) {
        diff_world_fail(world, tag, -1, "on connection %u: %s", connection, sql);
        describe(world, "here", &real, &world->a);
        describe(world, "without the extension", &twin, &world->b);
        return false;
    }
    if (world->engine->after != NULL)
        world->engine->after(world, sql);
    return true;
}

/* A case that was made smaller may have lost what the view needs. */
static bool has_valid_query(struct diff_world *world, const struct diff_step *step)
{
    sqlite3_stmt *statement = NULL;
    diff_text_reset(&world->sql);
    diff_render_view(world->c, &world->names, world->oracle, step->view, &world->sql);
    int rc = sqlite3_prepare_v2(
        world->real.db[step->connection], world->sql.data, -1, &statement, NULL);
    sqlite3_finalize(statement);
    return rc == SQLITE_OK;
}

/* Notes once what became of a composed view. Is it a refusal that may be? */
static bool is_only_refused(
    struct diff_world *world, const struct diff_step *step, int rc, const char *message)
{
    const struct diff_view *view = &world->c->views[step->view];
    bool is_refusal = rc == SQLITE_ERROR && diff_is_refusal(message);

    if (view->text == NULL || (rc != SQLITE_OK && !is_refusal))
        return false;
    if ((world->noted >> step->view & 1) == 0)
        diff_survey_note(
            &world->counts->survey, world->c->seed, view, is_refusal ? message : NULL);
    world->noted |= 1u << step->view;
    if (is_refusal && world->counts->refusals_fail)
        diff_world_fail(world, "refused", (int)step->view, "%s", message);
    return is_refusal;
}

/* A view is created behind those that it reads, and dropped before them. */
static bool is_out_of_order(struct diff_world *world, const struct diff_step *step)
{
    const char *text = world->c->views[step->view].text;

    for (unsigned i = 0; i < world->c->n_views; i++) {
        char name[] = {'`', 'v', (char)('0' + i), '`', 0};
        bool is_wrong = step->kind == DIFF_CREATE_VIEW
                            ? text != NULL && strstr(text, name) != NULL &&
                                  !diff_world_has_view(world, step->connection, i)
                            : diff_world_reads(world, step->connection, i, step->view);
        if (is_wrong)
            return true;
    }
    return false;
}

static bool run_view_step(struct diff_world *world, const struct diff_step *step)
{
    struct diff_text sql = {0};
    char *message = NULL;
    bool creates = step->kind == DIFF_CREATE_VIEW;
    const char *name = world->c->views[step->view].name;

    bool is_there;
    if (!diff_world_find_view(world, step->connection, step->view, &is_there) ||
        creates == is_there || is_out_of_order(world, step))
        return true;
    if (creates && !has_valid_query(world, step)) {
        world->counts->survey.invalid += world->c->views[step->view].text != NULL;
        return true;
    }
    (creates ? world->engine->create : world->engine->drop)(world, step->view, &sql);
    int rc = sqlite3_exec(world->real.db[step->connection], sql.data, NULL, NULL, &message);
    bool is_refused = creates && is_only_refused(world, step, rc & 0xff, message);
    if (rc != SQLITE_OK && !is_refused && !diff_is_busy(rc))
        diff_world_fail(world, "create", (int)step->view, "on connection %u: %s\n%s",
            step->connection, message, sql.data);
    sqlite3_free(message);
    if (rc == SQLITE_OK) {
        diff_text_reset(&sql);
        diff_text_add(&sql, creates ? "CREATE VIEW %s" : "DROP VIEW %s",
            creates ? world->c->home : diff_place(world->c));
        diff_text_add_name(&sql, name);
        diff_text_add(&sql, creates ? " AS " : "");
        if (creates)
            diff_render_view(world->c, &world->names, world->oracle, step->view, &sql);
        diff_world_set_up(world, world->twin.db[step->connection], sql.data);
        diff_twin_follow(world, step->connection);
        if (creates && world->engine->created != NULL)
            world->engine->created(world, step->view);
    }
    take_last_rowid(world, step->connection);
    diff_text_free(&sql);
    return world->mismatch->tag == NULL;
}

static bool run_command(struct diff_world *world, const struct diff_step *step)
{
    struct diff_text sql = {0};
    const char *name = world->c->views[step->view].name;

    if (!diff_world_has_view(world, step->connection, step->view))
        return true;
    diff_text_add(&sql, "INSERT INTO %s", diff_place(world->c));
    diff_text_add_name(&sql, name);
    diff_text_add(&sql, "(lockstep) VALUES('%s')", step->sql);
    diff_result_query(&world->a, world->real.db[step->connection], sql.data);
    take_last_rowid(world, step->connection);
    diff_text_free(&sql);
    if (world->a.rc == SQLITE_OK || diff_is_busy(world->a.rc))
        return true;
    diff_world_query(world, step->connection, step->view, DIFF_ORACLE_QUERY, &world->b);
    if (world->b.rc != SQLITE_OK)
        return true;
    return diff_world_fail(world, "command", (int)step->view, "%s of %s on connection %u: %s",
        step->sql, name, step->connection, world->a.error);
}

static bool run_check(struct diff_world *world, const struct diff_step *step)
{
    for (unsigned i = 0; i < world->c->n_views; i++) {
        if ((step->mask >> i & 1) == 0 || !diff_world_has_view(world, step->connection, i))
            continue;
        if (!diff_compare_view(world, step->connection, i))
            return false;
    }
    return true;
}

static bool run_step(struct diff_world *world, const struct diff_step *step)
{
    bool ignored;

    switch (step->kind) {
    case DIFF_SQL:
        return run_sql(world, step);
    case DIFF_CREATE_VIEW:
    case DIFF_DROP_VIEW:
        return run_view_step(world, step);
    case DIFF_CHECK:
        return run_check(world, step);
    case DIFF_PROBE:
        return diff_compare_probe(world, step);
    case DIFF_COMMAND:
        return run_command(world, step);
    case DIFF_COMPARE_TABLES:
        return diff_compare_tables(world, step->connection);
    case DIFF_LOOK:
        return diff_look(world, step);
    case DIFF_INTEGRITY:
        return diff_integrity(world, step);
    case DIFF_OPEN_CURSOR:
        return diff_cursor_open(world, step);
    case DIFF_GO_ON:
        return diff_cursor_go_on(world, step);
    case DIFF_REOPEN:
        if (diff_world_find_view(world, step->connection, 0, &ignored))
            diff_world_reopen(world, step->connection);
        return world->mismatch->tag == NULL;
    default:
        return diff_alter(world, step);
    }
}

/* Did SQLite damage a table without our help? 3.40.1 does where a trigger deletes the row that
** an UPSERT is about to update: rows are then out of order, and a scan and a look-up differ. It
** loses an index's entry where an UPDATE replaces a row of which a foreign key then sets
** another to NULL. */
static bool is_damage(const char *message)
{
    return strstr(message, "out of order") != NULL ||
           strstr(message, "missing from index") != NULL ||
           strstr(message, "wrong # of entries in index") != NULL;
}

static bool is_damaged(struct diff_world *world)
{
    bool is_found = false;

    for (unsigned i = 0; i < world->c->n_connections && !is_found; i++) {
        sqlite3_stmt *statement;
        sqlite3_prepare_v2(world->twin.db[i], "PRAGMA integrity_check", -1, &statement, NULL);
        while (!is_found && sqlite3_step(statement) == SQLITE_ROW)
            is_found = is_damage((const char *)sqlite3_column_text(statement, 0));
        sqlite3_finalize(statement);
    }
    return is_found;
}

bool diff_replay(const struct diff_case *c, const struct diff_engine *engine,
    const char *folder, struct diff_mismatch *mismatch, struct diff_counts *counts)
{
    struct diff_world world;

    diff_text_free(&mismatch->detail);
    *mismatch = (struct diff_mismatch){.view = -1};
    diff_world_open(&world, c, engine, folder, mismatch);
    world.counts = counts;
    for (unsigned i = 0; i < c->n_steps && mismatch->tag == NULL && !world.is_over; i++) {
        world.step = i;
        if (c->steps[i].connection >= c->n_connections)
            continue;
        if (!run_step(&world, &c->steps[i]))
            break;
    }
    if (mismatch->tag != NULL && is_damaged(&world)) {
        mismatch->tag = NULL;
        world.is_over = true;
    }
    for (unsigned i = 0; i < c->n_views; i++) {
        if ((world.noted >> i & 1) != 0)
            diff_survey_course(&counts->survey, &c->views[i], &world.courses[i]);
    }
    counts->statements += world.n_statements;
    counts->comparisons += world.n_comparisons;
    counts->cut_short += world.is_over;
    diff_world_close(&world);
    return mismatch->tag == NULL;
}
