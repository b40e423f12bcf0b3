/* The engines that must pass, and the search for one by name. */
#include "tests/diff_engine.h"

#include <string.h>

static void create_plain(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    diff_text_add(sql, "CREATE VIEW %s", world->c->home);
    diff_text_add_name(sql, world->c->views[view].name);
    diff_text_add(sql, " AS ");
    diff_render_view(world->c, &world->names, DIFF_AS_VIEW, view, sql);
}

static void drop_plain(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    diff_text_add(sql, "DROP VIEW %s", diff_place(world->c));
    diff_text_add_name(sql, world->c->views[view].name);
}

static void create_lockstep(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    diff_text_add(sql, "CREATE VIRTUAL TABLE %s", world->c->home);
    diff_text_add_name(sql, world->c->views[view].name);
    diff_text_add(sql, " USING lockstep(%s", world->c->views[view].options);
    diff_render_view(world->c, &world->names, DIFF_AS_VIEW, view, sql);
    diff_text_add(sql, ")");
}

static void drop_lockstep(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    diff_text_add(sql, "DROP TABLE %s", diff_place(world->c));
    diff_text_add_name(sql, world->c->views[view].name);
}

/* Reads of views scan tables backwards, so that they show other members of their groups. */
static void read_backwards(sqlite3 *db, bool begins)
{
    diff_world_execute(db, begins ? "PRAGMA reverse_unordered_selects = ON"
                                  : "PRAGMA reverse_unordered_selects = OFF");
}

#define EVERYTHING                                                                             \
    .with_many_connections = true, .with_failing_queries = true, .with_probes = true,          \
    .with_user_triggers = true, .with_ddl = true, .with_mid_statement = true,                  \
    .with_late_views = true, .with_rowid = true, .with_foreign_keys = true,                    \
    .with_distinct_groups = true, .with_homes = true, .with_between = true

static const struct diff_engine engines[] = {
    {.name = "lockstep",
        .can = {EVERYTHING, .with_inexact_sums = true, .with_commands = true,
            .with_unanimous = true, .composed = 100},
        .loads_extension = true,
        .create = create_lockstep,
        .drop = drop_lockstep},
    {.name = "plain",
        .can = {EVERYTHING, .with_inexact_sums = true, .composed = 100},
        .create = create_plain,
        .drop = drop_plain},
    {.name = "backwards",
        .can = {EVERYTHING, .composed = 100},
        .create = create_plain,
        .drop = drop_plain,
        .reading = read_backwards},
};
enum { n_engines = sizeof engines / sizeof *engines };

const struct diff_engine *diff_engine_at(unsigned i)
{
    if (i < n_engines)
        return &engines[i];
    return i - n_engines < diff_n_rivals ? &diff_rivals[i - n_engines] : NULL;
}

const struct diff_engine *diff_engine_find(const char *name)
{
    const struct diff_engine *engine;
    for (unsigned i = 0; (engine = diff_engine_at(i)) != NULL; i++) {
        if (strcmp(engine->name, name) == 0)
            return engine;
    }
    return NULL;
}
