/* What looks at a database and its views, and gives rows that only the extension knows. Tags:
** look       it failed, and no view that it names does
** integrity  PRAGMA integrity_check finds what it does not find in the twin */
#include "tests/diff_engine.h"

/* Does the view's query fail, so that what looks at the view may, too? */
static bool fails(struct diff_world *world, unsigned connection, unsigned view)
{
    diff_world_query(world, connection, view, DIFF_ORACLE_QUERY, &world->b);
    return world->b.rc != SQLITE_OK;
}

bool diff_look(struct diff_world *world, const struct diff_step *step)
{
    unsigned connection = step->connection;

    if (!world->engine->loads_extension || connection == DIFF_PLAIN_CONNECTION ||
        !diff_world_has_view(world, connection, step->view))
        return true;
    diff_result_query(&world->a, world->real.db[connection],
        diff_world_render(world, DIFF_IN_PLACE, step->sql));
    if (world->a.rc == SQLITE_OK || diff_is_busy(world->a.rc) ||
        fails(world, connection, step->view))
        return true;
    return diff_world_fail(world, "look", (int)step->view, "on connection %u: %s\n%s",
        connection, diff_world_render(world, DIFF_IN_PLACE, step->sql), world->a.error);
}

static bool some_view_fails(struct diff_world *world, unsigned connection)
{
    for (unsigned i = 0; i < world->c->n_views; i++) {
        if (diff_world_has_view(world, connection, i) && fails(world, connection, i))
            return true;
    }
    return false;
}

/* Since 3.44 it looks at virtual tables, too. */
bool diff_integrity(struct diff_world *world, const struct diff_step *step)
{
    unsigned connection = step->connection;
    struct diff_result twin = {0};
    const char *sql = diff_world_render(world, DIFF_AS_VIEW, step->sql);

    diff_result_query(&world->a, world->real.db[connection], sql);
    diff_result_query(&twin, world->twin.db[connection], sql);
    bool is_right = diff_is_busy(world->a.rc) || diff_is_busy(twin.rc) ||
                    (world->a.rc == twin.rc && diff_result_is_same(&world->a, &twin)) ||
                    some_view_fails(world, connection);
    if (!is_right) {
        diff_world_fail(world, "integrity", -1, "on connection %u: %s\n%s", connection,
            diff_world_render(world, DIFF_AS_VIEW, step->sql), world->a.error);
        diff_show_both(world, "here", &world->a, "without the extension", &twin);
    }
    diff_result_free(&twin);
    return is_right;
}
