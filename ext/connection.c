/* What the extension knows of one connection. */
#include "ext/view.h"

#include "ext/shadow.h"
#include "ext/statement.h"

void ls_connection_release(void *held)
{
    struct ls_connection *connection = held;

    if (--connection->references > 0)
        return;
    ls_batchtable_free_all(connection->batchtables);
    ls_relation_free_all(connection->relations);
    sqlite3_free(connection);
}

int ls_connection_enroll(struct ls_connection *connection)
{
    sqlite3_int64 last_rowid = sqlite3_last_insert_rowid(connection->db);
    int rc;

    if (connection->is_enrolled)
        return SQLITE_OK;
    rc = ls_exec(connection->db, "INSERT INTO main.lockstep_sink(log) VALUES(0)");
    if (rc == SQLITE_OK && !connection->is_enrolled) {
        rc = ls_exec(
            connection->db, "DELETE FROM main.lockstep_sink WHERE rowid = last_insert_rowid()");
        rc = ls_may_pass(rc) ? rc : LS_SINK_IS_HIDDEN;
    }
    sqlite3_set_last_insert_rowid(connection->db, last_rowid);
    return rc;
}

static struct ls_view *find(
    struct ls_connection *connection, const char *schema, const char *name)
{
    for (struct ls_view *view = connection->views; view != NULL; view = view->next)
        if (sqlite3_stricmp(view->schema, schema) == 0 &&
            sqlite3_stricmp(view->name, name) == 0)
            return view;
    return NULL;
}

int ls_connection_view(struct ls_connection *connection, const char *schema, const char *name,
    struct ls_view **view)
{
    sqlite3_stmt *probe;
    int rc;

    *view = find(connection, schema, name);
    if (*view != NULL)
        return SQLITE_OK;
    rc = ls_prepare(connection->db, &probe, "SELECT 1 FROM \"%w\".\"%w\"", schema, name);
    sqlite3_finalize(probe);
    *view = find(connection, schema, name); /* one that can't be read is connected too */
    return (rc & 0xff) == SQLITE_ERROR ? SQLITE_OK : rc; /* no such table */
}

int ls_connection_each_schema(struct ls_connection *connection, ls_schema_fn *fn, void *ctx)
{
    sqlite3_stmt *schemas;
    int rc = ls_prepare(connection->db, &schemas, "SELECT name FROM pragma_database_list");

    while (rc == SQLITE_OK && sqlite3_step(schemas) == SQLITE_ROW) {
        const char *schema = (const char *)sqlite3_column_text(schemas, 0);
        enum ls_positions positions;

        rc = ls_shadow_positions(connection->db, schema, &positions);
        if (rc == SQLITE_OK && positions != LS_NO_POSITIONS)
            rc = fn(ctx, schema);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(schemas);
    sqlite3_finalize(schemas);
    return rc;
}

static int connect_schema(void *ctx, const char *schema)
{
    struct ls_connection *connection = ctx;
    sqlite3_stmt *names;
    struct ls_view *view;
    int rc = ls_prepare(
        connection->db, &names, "SELECT DISTINCT view FROM \"%w\".lockstep_position", schema);

    while (rc == SQLITE_OK && sqlite3_step(names) == SQLITE_ROW)
        rc = ls_connection_view(
            connection, schema, (const char *)sqlite3_column_text(names, 0), &view);
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(names);
    sqlite3_finalize(names);
    return rc;
}

/* What connecting them all rested on: the main schema's version, and how many databases; TEMP
** only where it has views. */
static int read_stamp(struct ls_connection *connection, sqlite3_int64 *cookie, sqlite3_int64 *n)
{
    int rc = SQLITE_OK;

    if (connection->cookie_statement == NULL)
        rc = ls_prepare(
            connection->db, &connection->cookie_statement, "PRAGMA main.schema_version");
    if (rc == SQLITE_OK && connection->count_statement == NULL)
        rc = ls_prepare(connection->db, &connection->count_statement,
            "SELECT count(*) + (SELECT count(*) FROM temp.sqlite_schema"
            " WHERE name = 'lockstep_position') FROM pragma_database_list WHERE name <> "
            "'temp'");
    if (rc == SQLITE_OK)
        rc = ls_step_integer(connection->cookie_statement, cookie);
    return rc == SQLITE_OK ? ls_step_integer(connection->count_statement, n) : rc;
}

/* Of memory that connections share, SQLite counts a part as this one's: equal counts say that
** there is none. */
static int shares_cache(struct ls_connection *connection, bool *shares)
{
    int all = 0, part = 0, highest;
    int rc =
        sqlite3_db_status(connection->db, SQLITE_DBSTATUS_CACHE_USED, &all, &highest, false);

    if (rc == SQLITE_OK)
        rc = sqlite3_db_status(
            connection->db, SQLITE_DBSTATUS_CACHE_USED_SHARED, &part, &highest, false);
    *shares = all != part;
    return rc;
}

/* SQLite compiles a PRAGMA anew each time that it runs: it is asked last. */
int ls_connection_sharing(struct ls_connection *connection, enum ls_sharing *sharing)
{
    sqlite3_int64 reads_uncommitted = 0;
    bool shares;
    int rc = shares_cache(connection, &shares);

    if (rc == SQLITE_OK && shares)
        rc = ls_query_integer(connection->db, 0, &reads_uncommitted, "PRAGMA read_uncommitted");
    *sharing = reads_uncommitted != 0 ? LS_SHARES_UNCOMMITTED
               : shares               ? LS_SHARES_CACHE
                                      : LS_SHARES_NOTHING;
    return rc;
}

int ls_connection_connect_all(struct ls_connection *connection)
{
    sqlite3_int64 cookie = 0, n = 0;
    int rc = read_stamp(connection, &cookie, &n);

    if (rc != SQLITE_OK || (n == 1 && cookie == connection->connected_cookie))
        return rc;
    rc = ls_connection_each_schema(connection, connect_schema, connection);
    if (rc == SQLITE_OK)
        connection->connected_cookie = cookie;
    return rc;
}

/* Finalizes the connection's statements, for it may be closing. */
static void forget(struct ls_connection *connection)
{
    sqlite3_finalize(connection->cookie_statement);
    sqlite3_finalize(connection->count_statement);
    connection->cookie_statement = connection->count_statement = NULL;
    connection->connected_cookie = -1;
}

void ls_connection_doubt(struct ls_connection *connection)
{
    for (struct ls_view *view = connection->views; view != NULL; view = view->next)
        view->must_check = true;
}

void ls_connection_hold(struct ls_connection *connection)
{
    connection->holds_views = true;
}

void ls_connection_let_go(struct ls_connection *connection)
{
    struct ls_view *view = connection->held;

    connection->holds_views = false;
    connection->held = NULL;
    if (connection->views == NULL)
        forget(connection);
    while (view != NULL) {
        struct ls_view *next = view->next;

        ls_view_free(view);
        view = next;
    }
}

void ls_connection_remove(struct ls_connection *connection, struct ls_view *view)
{
    struct ls_view **link = &connection->views;

    while (*link != view)
        link = &(*link)->next;
    *link = view->next;
    view->next = connection->held;
    connection->held = view;
    if (!connection->holds_views)
        ls_connection_let_go(connection);
}
