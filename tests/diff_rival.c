/* Views kept as tables: after each statement the rows that the query gives are fetched, and a
** rule makes of them what the table shall show. */
#include "tests/diff_rival.h"

#include <stdlib.h>
#include <string.h>

struct diff_rival *diff_rival_of(struct diff_world *world)
{
    if (world->engine_state == NULL) {
        world->engine_state = diff_resize(NULL, sizeof(struct diff_rival));
        memset(world->engine_state, 0, sizeof(struct diff_rival));
    }
    return world->engine_state;
}

void diff_rival_forget(struct diff_world *world)
{
    struct diff_rival *rival = world->engine_state;
    for (unsigned i = 0; rival != NULL && i < DIFF_VIEWS; i++) {
        diff_result_free(&rival->fresh[i]);
        diff_result_free(&rival->shown[i]);
    }
    free(rival);
}

void diff_rival_create(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    const struct diff_view *v = &world->c->views[view];
    struct diff_text name = {0};

    diff_text_add(sql, "CREATE TABLE %s", diff_place(world->c));
    diff_text_add_name(sql, v->name);
    for (unsigned i = 0; i < v->n_columns; i++) {
        diff_text_reset(&name);
        diff_view_column_name(&v->columns[i], &name);
        diff_text_add(sql, i > 0 ? ", " : "(");
        diff_render(world->c, &world->names, DIFF_AS_VIEW, name.data, sql);
    }
    diff_text_add(sql, ")");
    diff_text_free(&name);
}

void diff_rival_drop(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    diff_text_add(sql, "DROP TABLE %s", diff_place(world->c));
    diff_text_add_name(sql, world->c->views[view].name);
}

static void bind(sqlite3_stmt *statement, int i, const struct diff_value *value)
{
    if (value->type == SQLITE_INTEGER)
        sqlite3_bind_int64(statement, i, value->integer);
    else if (value->type == SQLITE_FLOAT)
        sqlite3_bind_double(statement, i, value->real);
    else if (value->type == SQLITE_TEXT)
        sqlite3_bind_text(
            statement, i, (const char *)value->data, (int)value->len, SQLITE_STATIC);
    else if (value->type == SQLITE_BLOB)
        sqlite3_bind_blob(statement, i, value->len > 0 ? (const void *)value->data : "",
            (int)value->len, SQLITE_STATIC);
}

/* The table of the view becomes the rows. */
void diff_rival_store(struct diff_world *world, unsigned view, const struct diff_result *rows)
{
    sqlite3 *db = world->real.db[0];
    sqlite3_stmt *statement = NULL;
    struct diff_text sql = {0};
    const char *separator = " VALUES(";

    diff_text_add(&sql, "DELETE FROM %s", diff_place(world->c));
    diff_text_add_name(&sql, world->c->views[view].name);
    diff_world_execute(db, sql.data);
    diff_text_reset(&sql);
    diff_text_add(&sql, "INSERT INTO %s", diff_place(world->c));
    diff_text_add_name(&sql, world->c->views[view].name);
    for (unsigned i = 0; i < world->c->views[view].n_columns; i++) {
        diff_text_add(&sql, "%s?", separator);
        separator = ", ";
    }
    diff_text_add(&sql, ")");
    sqlite3_prepare_v2(db, sql.data, -1, &statement, NULL);
    for (size_t i = 0; i < rows->n; i++) {
        size_t at = rows->rows[i].at, end = at + rows->rows[i].len;
        sqlite3_clear_bindings(statement);
        for (int k = 1; at < end; k++) {
            struct diff_value value = diff_result_value(rows, &at);
            bind(statement, k, &value);
        }
        sqlite3_step(statement);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    diff_text_free(&sql);
}

static void copy_rows(struct diff_result *to, const struct diff_result *from)
{
    diff_result_canonical(from, "E", to);
    to->rc = from->rc;
}

static void refresh_one(struct diff_world *world, unsigned view, diff_rule *make)
{
    struct diff_rival *rival = diff_rival_of(world);
    struct diff_result fresh = {0}, shown = {0};

    diff_world_query(world, 0, view, DIFF_ORACLE_QUERY, &fresh);
    if (fresh.rc == SQLITE_OK) {
        if (make == NULL)
            copy_rows(&shown, &fresh);
        else
            make(rival, &world->c->views[view], view, &fresh, &shown);
        diff_rival_store(world, view, &shown);
        copy_rows(&rival->fresh[view], &fresh);
        copy_rows(&rival->shown[view], &shown);
    }
    diff_result_free(&fresh);
    diff_result_free(&shown);
}

void diff_rival_refresh(struct diff_world *world, const char *sql)
{
    sqlite3 *db = world->real.db[0];
    sqlite3_int64 last = sqlite3_last_insert_rowid(db);

    if (strncmp(sql, "PRAGMA query_only", 17) == 0)
        return; /* no row has changed, and none may */
    diff_world_execute(db, "SAVEPOINT refresh");
    for (unsigned i = 0; i < world->c->n_views; i++) {
        if (diff_world_has_view(world, 0, i))
            refresh_one(world, i, world->engine->rule);
    }
    diff_world_execute(db, "RELEASE refresh");
    sqlite3_set_last_insert_rowid(db, last);
}

void diff_rival_created(struct diff_world *world, unsigned view)
{
    sqlite3_int64 last = sqlite3_last_insert_rowid(world->real.db[0]);
    refresh_one(world, view, NULL);
    sqlite3_set_last_insert_rowid(world->real.db[0], last);
}
