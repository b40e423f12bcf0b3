/* A view's queries on the database under test, and the statements that are kept for them. */
#include "tests/diff_engine.h"

void diff_world_forget_connection(struct diff_world *world, unsigned connection)
{
    sqlite3_stmt **statements = &world->cached[connection][0][0];
    for (unsigned i = 0; i < DIFF_VIEWS * DIFF_QUERIES; i++) {
        sqlite3_finalize(statements[i]);
        statements[i] = NULL;
    }
    sqlite3_finalize(world->real.has_view[connection]);
    sqlite3_finalize(world->twin.has_view[connection]);
    world->real.has_view[connection] = world->twin.has_view[connection] = NULL;
}

void diff_world_forget(struct diff_world *world)
{
    for (unsigned i = 0; i < DIFF_CONNECTIONS; i++)
        diff_world_forget_connection(world, i);
}

/* Reads of views go on to be kept by programs that do between two reads what they like. */
void diff_world_forget_names(struct diff_world *world)
{
    if (!world->c->options.with_between) {
        diff_world_forget(world);
        return;
    }
    for (unsigned i = 0; i < DIFF_CONNECTIONS * DIFF_VIEWS; i++) {
        sqlite3_stmt **statements = world->cached[i / DIFF_VIEWS][i % DIFF_VIEWS];
        for (unsigned query = DIFF_ORACLE_QUERY; query < DIFF_QUERIES; query++) {
            sqlite3_finalize(statements[query]);
            statements[query] = NULL;
        }
    }
}

static void render_query(struct diff_world *world, unsigned view, enum diff_query query)
{
    diff_text_reset(&world->sql);
    if (query == DIFF_MEMBERS_QUERY)
        diff_render_members(world->c, &world->names, world->oracle, view, &world->sql);
    else if (query == DIFF_ORACLE_QUERY)
        diff_render_view(world->c, &world->names, world->oracle, view, &world->sql);
    else if (query == DIFF_PLAIN_QUERY)
        diff_render_view(world->c, &world->names, DIFF_AS_PLAIN, view, &world->sql);
    else {
        diff_text_add(&world->sql, "SELECT * FROM %s", diff_place(world->c));
        diff_text_add_name(&world->sql, world->c->views[view].name);
    }
}

static void query_in_time(struct diff_world *world, unsigned connection, unsigned view,
    enum diff_query query, struct diff_result *result)
{
    sqlite3_stmt **statement = &world->cached[connection][view][query];
    sqlite3 *db = world->real.db[connection];
    bool is_hooked = query == DIFF_VIEW_QUERY && world->engine->reading != NULL;

    if (is_hooked) {
        world->engine->reading(db, true);
        render_query(world, view, query);
        diff_result_query(result, db, world->sql.data);
        world->engine->reading(db, false);
        return;
    }
    if (*statement == NULL) {
        render_query(world, view, query);
        int rc = sqlite3_prepare_v2(db, world->sql.data, -1, statement, NULL);
        if (rc != SQLITE_OK) {
            diff_result_query(result, db, world->sql.data);
            return;
        }
    }
    diff_result_run(result, *statement);
}

/* A composed view may turn out to be far too large: then the case ends. */
static int is_enough(void *millions)
{
    return --*(int *)millions <= 0;
}

void diff_world_query(struct diff_world *world, unsigned connection, unsigned view,
    enum diff_query query, struct diff_result *result)
{
    int millions = 20; /* instructions of SQLite's machine */
    bool is_bounded = world->c->views[view].text != NULL;

    if (is_bounded)
        sqlite3_progress_handler(world->real.db[connection], 1000000, is_enough, &millions);
    query_in_time(world, connection, view, query, result);
    if (is_bounded)
        sqlite3_progress_handler(world->real.db[connection], 0, NULL, NULL);
    world->is_over = world->is_over || (is_bounded && millions <= 0);
}
