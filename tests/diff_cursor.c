/* A cursor's rows are those of the moment at which it was opened, unless its own connection
** writes meanwhile: then SQLite promises nothing of them, and it must only end well. */
#include "tests/diff_world.h"

#include <limits.h>
#include <string.h>

static void close_one(struct diff_cursor *cursor)
{
    sqlite3_finalize(cursor->real);
    sqlite3_finalize(cursor->twin);
    diff_result_free(&cursor->shown);
    diff_result_free(&cursor->expected);
    *cursor = (struct diff_cursor){0};
}

void diff_cursors_close(struct diff_world *world, unsigned connection)
{
    for (unsigned i = 0; i < DIFF_CURSORS; i++) {
        if (world->cursors[i].connection == connection)
            close_one(&world->cursors[i]);
    }
}

void diff_cursors_touch(struct diff_world *world, unsigned connection)
{
    for (unsigned i = 0; i < DIFF_CURSORS; i++) {
        if (world->cursors[i].connection == connection)
            world->cursors[i].is_touched = true;
    }
}

static bool is_right(struct diff_world *world, struct diff_cursor *cursor)
{
    const char *error = cursor->shown.error;

    if (cursor->expected.rc != SQLITE_OK)
        return true;
    if (cursor->shown.rc != SQLITE_OK)
        return diff_is_busy(cursor->shown.rc) ||
               (cursor->is_touched && (strstr(error, "abort") != NULL ||
                                          strstr(error, "integer overflow") != NULL ||
                                          strstr(error, "malformed JSON") != NULL));
    return cursor->is_touched ||
           diff_compare_rows(world, cursor->view, &cursor->shown, &cursor->expected);
}

static void tell(struct diff_world *world, struct diff_cursor *cursor)
{
    diff_world_fail(world, "cursor", (int)cursor->view, "%s on connection %u: %s",
        world->c->views[cursor->view].name, cursor->connection, cursor->shown.error);
    diff_show_both(world, "cursor", &cursor->shown, "query", &cursor->expected);
}

/* Reads on; where a side comes to its end the other does, too, and both are compared. */
static bool read_on(struct diff_world *world, struct diff_cursor *cursor, unsigned rows)
{
    bool is_open = diff_result_fetch(&cursor->shown, cursor->real, rows);
    bool is_open_there = diff_result_fetch(&cursor->expected, cursor->twin, rows);

    if (is_open && is_open_there)
        return true;
    if (is_open)
        diff_result_fetch(&cursor->shown, cursor->real, UINT_MAX);
    if (is_open_there)
        diff_result_fetch(&cursor->expected, cursor->twin, UINT_MAX);
    bool result = is_right(world, cursor);
    if (!result)
        tell(world, cursor);
    close_one(cursor);
    return result;
}

bool diff_cursor_open(struct diff_world *world, const struct diff_step *step)
{
    struct diff_cursor *cursor = &world->cursors[step->cursor];
    unsigned connection = step->connection;
    struct diff_text sql = {0};

    close_one(cursor);
    if (connection == DIFF_PLAIN_CONNECTION ||
        !diff_world_has_view(world, connection, step->view))
        return true;
    cursor->connection = connection;
    cursor->view = step->view;
    diff_text_add(&sql, "SELECT * FROM %s", diff_place(world->c));
    diff_text_add_name(&sql, world->c->views[step->view].name);
    sqlite3_prepare_v2(world->real.db[connection], sql.data, -1, &cursor->real, NULL);
    sqlite3_prepare_v2(world->twin.db[connection], sql.data, -1, &cursor->twin, NULL);
    diff_text_free(&sql);
    if (cursor->real != NULL && cursor->twin != NULL)
        return read_on(world, cursor, step->rows);
    close_one(cursor); /* a check tells whether that is right */
    return true;
}

bool diff_cursor_go_on(struct diff_world *world, const struct diff_step *step)
{
    struct diff_cursor *cursor = &world->cursors[step->cursor];

    return cursor->real == NULL || read_on(world, cursor, step->rows);
}
