/* ALTER TABLE under views: on both sides, and from then on the case's templates have new
** names. */
#include <stdio.h>
#include <string.h>

#include "tests/diff_world.h"

/* Where another connection reads an older schema, it knows no new names. */
static bool is_quiet(const struct diff_world *world, unsigned connection)
{
    for (unsigned i = 0; i < DIFF_CURSORS; i++) {
        if (world->cursors[i].real != NULL && world->cursors[i].connection != connection)
            return false;
    }
    for (unsigned i = 0; i < world->c->n_connections; i++) {
        if (!sqlite3_get_autocommit(world->real.db[i]))
            return false;
    }
    return true;
}

void diff_alter_text(
    struct diff_world *world, const struct diff_step *step, struct diff_text *sql)
{
    diff_text_add(sql, "ALTER TABLE %s", diff_place(world->c));
    diff_text_add_name(sql, world->names.tables[step->table]);
    if (step->kind == DIFF_ADD_COLUMN) {
        diff_text_add(sql, " ADD COLUMN %s", step->sql);
        return;
    }
    diff_text_add(sql, " RENAME ");
    if (step->kind == DIFF_RENAME_COLUMN)
        diff_text_add_name(sql, world->names.columns[step->table][step->column]);
    diff_text_add(sql, " TO ");
    diff_text_add_name(sql, step->sql);
}

void diff_names_change(struct diff_names *names, const struct diff_step *step)
{
    if (step->kind == DIFF_RENAME_TABLE)
        names->tables[step->table] = step->sql;
    else if (step->kind == DIFF_RENAME_COLUMN)
        names->columns[step->table][step->column] = step->sql;
}

/* Without the extension nothing is renamed beside a view that SQLite can't read there, as one
** over a view that is kept. */
static bool has_unreadable_query(struct diff_world *world, unsigned connection)
{
    for (unsigned i = 0; i < world->c->n_views; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (diff_world_reads(world, connection, i, k))
                return true;
        }
    }
    return false;
}

bool diff_is_hidden(struct diff_world *world, unsigned connection)
{
    const char *query = "SELECT 1 FROM temp.sqlite_schema AS a JOIN `h`sqlite_schema AS b"
                        " ON a.name = b.name COLLATE NOCASE LIMIT 1";

    if (!world->c->options.with_between || strcmp(world->c->home, "temp.") == 0)
        return false;
    struct diff_text sql = {0};
    diff_render(world->c, &world->names, DIFF_AS_VIEW, query, &sql);
    diff_result_query(&world->a, world->real.db[connection], sql.data);
    diff_text_free(&sql);
    return world->a.n > 0;
}

/* 3.40.1 renames no column of a TEMP table that a trigger names. */
static bool is_beyond_sqlite(struct diff_world *world, const struct diff_step *step)
{
    return (step->kind == DIFF_RENAME_COLUMN && strcmp(world->c->home, "temp.") == 0) ||
           diff_is_hidden(world, step->connection);
}

bool diff_alter(struct diff_world *world, const struct diff_step *step)
{
    struct diff_text sql = {0};

    if (!is_quiet(world, step->connection) || is_beyond_sqlite(world, step) ||
        (step->connection == DIFF_PLAIN_CONNECTION &&
            has_unreadable_query(world, step->connection)))
        return true;
    diff_alter_text(world, step, &sql);
    diff_world_forget_names(world);
    diff_cursors_touch(world, step->connection);
    diff_result_query(&world->a, world->real.db[step->connection], sql.data);
    if (!diff_is_busy(world->a.rc)) {
        diff_result_query(&world->b, world->twin.db[step->connection], sql.data);
        if (world->a.rc != SQLITE_OK && world->b.rc == SQLITE_OK)
            diff_world_fail(world, "alter", -1, "%s\n%s", sql.data, world->a.error);
        world->is_over = world->b.rc != SQLITE_OK && world->a.rc == SQLITE_OK;
    }
    if (world->a.rc == SQLITE_OK)
        diff_names_change(&world->names, step);
    diff_twin_follow(world, step->connection);
    diff_text_free(&sql);
    return world->mismatch->tag == NULL;
}
