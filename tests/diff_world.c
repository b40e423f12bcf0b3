/* Opening, closing, and running SQL on both sides. */
#include "tests/diff_world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/diff_engine.h"

struct sqlite3_api_routines;
int sqlite3_lockstep_init(sqlite3 *db, char **error, const struct sqlite3_api_routines *api);

bool diff_is_busy(int rc)
{
    return (rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED;
}

bool diff_world_fail(
    struct diff_world *world, const char *tag, int view, const char *format, ...)
{
    char line[1000];
    va_list arguments;

    if (world->mismatch->tag != NULL)
        return false;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    world->mismatch->tag = tag;
    world->mismatch->step = world->step;
    world->mismatch->view = view;
    diff_text_add(&world->mismatch->detail, "%s\n", line);
    return false;
}

void diff_world_execute(sqlite3 *db, const char *sql)
{
    char *message = NULL;
    int rc = sqlite3_exec(db, sql, NULL, NULL, &message);
    if (rc == SQLITE_OK || diff_is_busy(rc)) {
        sqlite3_free(message);
        return;
    }
    fprintf(stderr, "differential: %s in: %s\n", message, sql);
    exit(2);
}

void diff_world_set_up(struct diff_world *world, sqlite3 *db, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        diff_world_fail(world, "setup", -1, "%s in: %s", message, sql);
    sqlite3_free(message);
}

const char *diff_world_render(
    struct diff_world *world, enum diff_reading reading, const char *sql)
{
    diff_text_reset(&world->sql);
    diff_render(world->c, &world->names, reading, sql, &world->sql);
    return world->sql.data;
}

/* bits(x), an aggregate of the program's own: all values in one, by exclusive or. */

static void take_bits(sqlite3_context *context, int n, sqlite3_value **values)
{
    sqlite3_int64 *bits = sqlite3_aggregate_context(context, sizeof *bits);
    (void)n;
    if (bits != NULL && sqlite3_value_type(values[0]) != SQLITE_NULL)
        *bits ^=
            4 * sqlite3_value_int64(values[0]) + sqlite3_value_type(values[0]) / SQLITE_TEXT;
}

static void give_bits(sqlite3_context *context)
{
    const sqlite3_int64 *bits = sqlite3_aggregate_context(context, 0);
    sqlite3_result_int64(context, bits != NULL ? *bits : -1);
}

static void open_one(struct diff_world *world, struct diff_side *side, unsigned connection)
{
    sqlite3 **db = &side->db[connection];
    char *message = NULL;

    if (sqlite3_open(side->path, db) != SQLITE_OK) {
        fprintf(stderr, "differential: cannot open %s: %s\n", side->path, sqlite3_errmsg(*db));
        exit(2);
    }
    sqlite3_create_function(
        *db, "bits", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL, take_bits, give_bits);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    if (world->engine->loads_extension && connection != DIFF_PLAIN_CONNECTION &&
        sqlite3_lockstep_init(*db, &message, NULL) != SQLITE_OK) {
        fprintf(stderr, "differential: cannot start the extension: %s\n",
            message != NULL ? message : sqlite3_errmsg(*db));
        exit(2);
    }
    /* Another connection's builds store at every piece. */
    if (world->engine->loads_extension && connection == 1)
        diff_world_execute(*db, "SELECT lockstep_build_bytes(1000)");
    if (world->engine->loads_extension && world->c->step_bytes > 0 &&
        connection != DIFF_PLAIN_CONNECTION) {
        char text[60];

        snprintf(text, sizeof(text), "SELECT lockstep_step_bytes(%u)", world->c->step_bytes);
        diff_world_execute(*db, text);
    }
    diff_world_execute(*db, "PRAGMA synchronous = OFF");
    /* 3.40.1 loses rows of a join by an automatic index over an RTRIM column. */
    diff_world_execute(*db, "PRAGMA automatic_index = OFF");
    if (strcmp(world->c->journal_mode, "memory") == 0)
        diff_world_execute(*db, "PRAGMA journal_mode = memory");
    if (world->c->has_foreign_keys)
        diff_world_execute(*db, "PRAGMA foreign_keys = ON");
}

/* Where another connection has locked the file, nothing can be compared any more. */
static void attach_file(struct diff_world *world, struct diff_side *side, unsigned connection)
{
    const char *mode = world->c->journal_mode;
    struct diff_text text = {0};

    diff_text_add(&text, "ATTACH '%s%s' AS aux", side->path, world->c->is_file ? "-aux" : "");
    diff_world_execute(side->db[connection], text.data);
    diff_text_reset(&text);
    diff_text_add(&text, "PRAGMA aux.journal_mode = %s", mode);
    if (sqlite3_db_filename(side->db[connection], "aux") == NULL)
        world->is_over = true;
    else if (connection == 0 || strcmp(mode, "memory") == 0)
        diff_world_execute(side->db[connection], text.data);
    diff_text_free(&text);
}

/* In main, tables of the names that TEMP ones hide. */
static void add_hidden(struct diff_world *world, sqlite3 *db)
{
    struct diff_text text = {0};

    for (unsigned t = 0; t < world->c->n_tables; t++) {
        diff_text_reset(&text);
        diff_text_add(&text, "CREATE TABLE main.");
        diff_text_add_name(&text, world->c->tables[t].name);
        diff_text_add(&text, "(hidden)");
        diff_world_execute(db, text.data);
    }
    diff_text_free(&text);
}

/* Where another database is the home, main has a table, so that its encoding is known. */
static void attach(struct diff_world *world, struct diff_side *side, unsigned connection)
{
    const char *home = world->c->home;

    if (*home != 0 && connection == 0)
        diff_world_execute(side->db[0], "CREATE TABLE IF NOT EXISTS main.stranger(a)");
    if (strcmp(home, "aux.") == 0)
        attach_file(world, side, connection);
    if (strcmp(home, "temp.") == 0)
        add_hidden(world, side->db[connection]);
}

static void remove_files(const char *path)
{
    static const char *const endings[] = {
        "", "-journal", "-wal", "-shm", "-aux", "-aux-journal", "-aux-wal", "-aux-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct diff_text name = {0};
        diff_text_add(&name, "%s%s", path, endings[i]);
        unlink(name.data);
        diff_text_free(&name);
    }
}

static void open_side(
    struct diff_world *world, struct diff_side *side, const char *folder, const char *file)
{
    struct diff_text text = {0};

    diff_text_add(&text, "%s/%s", folder, file);
    side->path = strdup(world->c->is_file ? text.data : ":memory:");
    if (world->c->is_file)
        remove_files(side->path);
    for (unsigned i = 0; i < world->c->n_connections; i++) {
        open_one(world, side, i);
        diff_text_reset(&text);
        diff_text_add(&text, "PRAGMA encoding = '%s'; PRAGMA journal_mode = %s",
            world->c->encoding, world->c->journal_mode);
        if (i == 0)
            diff_world_execute(side->db[0], text.data);
        attach(world, side, i);
    }
    diff_text_free(&text);
}

static void create_tables(struct diff_world *world, sqlite3 *db)
{
    for (unsigned t = 0; t < world->c->n_tables; t++) {
        if (world->c->tables[t].n_columns == 0)
            continue;
        diff_text_reset(&world->sql);
        diff_render_table(world->c, &world->names, t, &world->sql);
        diff_world_set_up(world, db, world->sql.data);
        for (unsigned i = 0; i < world->c->tables[t].n_extras; i++)
            diff_world_set_up(world, db,
                diff_world_render(world, DIFF_AS_VIEW, world->c->tables[t].extras[i]));
    }
}

void diff_world_open(struct diff_world *world, const struct diff_case *c,
    const struct diff_engine *engine, const char *folder, struct diff_mismatch *mismatch)
{
    *world = (struct diff_world){.c = c, .engine = engine, .mismatch = mismatch};
    diff_names_init(&world->names, c);
    open_side(world, &world->real, folder, "real.db");
    open_side(world, &world->twin, folder, "twin.db");
    create_tables(world, world->real.db[0]);
    create_tables(world, world->twin.db[0]);
    diff_result_query(&world->a, world->real.db[0], "SELECT exact_sum(1)");
    world->has_exact = world->a.rc == SQLITE_OK;
    world->oracle = world->has_exact ? DIFF_AS_ORACLE : DIFF_AS_PLAIN;
}

static void close_one(struct diff_world *world, struct diff_side *side, unsigned connection)
{
    int rc = sqlite3_close(side->db[connection]);
    if (rc != SQLITE_OK) {
        diff_world_fail(world, "close", -1, "sqlite3_close: %s", sqlite3_errstr(rc));
        sqlite3_close_v2(side->db[connection]);
    }
    side->db[connection] = NULL;
}

void diff_world_reopen(struct diff_world *world, unsigned connection)
{
    if (!world->c->is_file)
        return;
    diff_world_forget_connection(world, connection);
    diff_cursors_close(world, connection);
    close_one(world, &world->real, connection);
    close_one(world, &world->twin, connection);
    open_one(world, &world->real, connection);
    open_one(world, &world->twin, connection);
    attach(world, &world->real, connection);
    attach(world, &world->twin, connection);
}

static void close_side(struct diff_world *world, struct diff_side *side)
{
    for (unsigned i = 0; i < world->c->n_connections; i++)
        close_one(world, side, i);
    if (world->c->is_file)
        remove_files(side->path);
    free((char *)side->path);
}

void diff_world_close(struct diff_world *world)
{
    if (world->engine->forget != NULL)
        world->engine->forget(world);
    diff_world_forget(world);
    for (unsigned i = 0; i < DIFF_CONNECTIONS; i++)
        diff_cursors_close(world, i);
    close_side(world, &world->real);
    close_side(world, &world->twin);
    diff_result_free(&world->a);
    diff_result_free(&world->b);
    diff_result_free(&world->c_a);
    diff_result_free(&world->c_b);
    diff_result_free(&world->members);
    for (unsigned i = 0; i < DIFF_VIEWS; i++)
        diff_course_free(&world->courses[i]);
    diff_text_free(&world->sql);
}

static int look_for(
    struct diff_world *world, struct diff_side *side, unsigned connection, const char *name)
{
    sqlite3_stmt **statement = &side->has_view[connection];
    struct diff_text text = {0};
    int prepared = SQLITE_OK;

    diff_text_add(&text, "SELECT 1 FROM %ssqlite_schema WHERE name = ?", world->c->home);
    if (*statement == NULL)
        prepared = sqlite3_prepare_v2(side->db[connection], text.data, -1, statement, NULL);
    diff_text_free(&text);
    if (prepared != SQLITE_OK)
        return SQLITE_ERROR;
    sqlite3_bind_text(*statement, 1, name, -1, SQLITE_STATIC);
    int rc = sqlite3_step(*statement);
    sqlite3_reset(*statement);
    return rc;
}

/* The database under test is asked too, so that both hold the same locks. */
bool diff_world_find_view(
    struct diff_world *world, unsigned connection, unsigned view, bool *is_there)
{
    const char *name = world->c->views[view].name;
    int rc = look_for(world, &world->twin, connection, name);

    look_for(world, &world->real, connection, name);
    *is_there = rc == SQLITE_ROW;
    return rc == SQLITE_ROW || rc == SQLITE_DONE;
}

bool diff_world_has_view(struct diff_world *world, unsigned connection, unsigned view)
{
    bool is_there;
    return diff_world_find_view(world, connection, view, &is_there) && is_there;
}

bool diff_world_reads(
    struct diff_world *world, unsigned connection, unsigned view, unsigned other)
{
    const char *text = world->c->views[view].text;
    char name[] = {'`', 'v', (char)('0' + other), '`', 0};
    return text != NULL && strstr(text, name) != NULL &&
           diff_world_has_view(world, connection, view);
}
