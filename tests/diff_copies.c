/* The rival that people write by hand: AFTER triggers keep a copy of the table, and the view
** reads the copy. It loses the rows that REPLACE displaces, for which no trigger fires. */
#include <stdio.h>
#include <string.h>

#include "tests/diff_rival.h"

static const char *const copies[DIFF_TABLES] = {"copy0", "copy1", "copy2"};

/* Adds what a list of the table's columns needs: %s of format is each column's quoted name. */
static void add_list(struct diff_world *world, unsigned table, const char *before,
    const char *separator, const char *after, struct diff_text *sql)
{
    for (unsigned i = 0; i < world->c->tables[table].n_columns; i++) {
        diff_text_add(sql, "%s%s", i > 0 ? separator : "", before);
        diff_text_add_name(sql, world->names.columns[table][i]);
        diff_text_add(sql, "%s", after);
    }
}

static void add_copy(struct diff_world *world, unsigned table, struct diff_text *sql)
{
    const struct diff_table *t = &world->c->tables[table];

    diff_text_add(sql, "CREATE TABLE %s(", copies[table]);
    for (unsigned i = 0; i < t->n_columns; i++) {
        const struct diff_column *column = &t->columns[i];
        diff_text_add(sql, "%s", i > 0 ? ", " : "");
        diff_text_add_name(sql, column->name);
        diff_text_add(sql, " %s COLLATE %s",
            strcmp(column->type, "ANY") == 0 ? "" : column->type, column->collation);
    }
    diff_text_add(sql, "); INSERT INTO %s SELECT * FROM ", copies[table]);
    diff_text_add_name(sql, t->name);
    diff_text_add(sql, ";");
}

static void add_insertion(struct diff_world *world, unsigned table, struct diff_text *sql)
{
    diff_text_add(sql, " INSERT INTO %s VALUES(", copies[table]);
    add_list(world, table, "new.", ", ", "", sql);
    diff_text_add(sql, ");");
}

static void add_deletion(struct diff_world *world, unsigned table, struct diff_text *sql)
{
    const struct diff_table *t = &world->c->tables[table];

    diff_text_add(sql, " DELETE FROM %s WHERE rowid = (SELECT rowid FROM %s WHERE ",
        copies[table], copies[table]);
    for (unsigned i = 0; i < t->n_columns; i++) {
        diff_text_add(sql, "%s quote(", i > 0 ? " AND " : "");
        diff_text_add_name(sql, t->columns[i].name);
        diff_text_add(sql, ") = quote(old.");
        diff_text_add_name(sql, t->columns[i].name);
        diff_text_add(sql, ")");
    }
    diff_text_add(sql, " LIMIT 1);");
}

static void add_trigger(struct diff_world *world, unsigned table, const char *event,
    bool deletes, bool inserts, struct diff_text *sql)
{
    diff_text_add(sql, "CREATE TRIGGER copy_%s_%u AFTER %s ON ", event, table, event);
    diff_text_add_name(sql, world->c->tables[table].name);
    diff_text_add(sql, " BEGIN");
    if (deletes)
        add_deletion(world, table, sql);
    if (inserts)
        add_insertion(world, table, sql);
    diff_text_add(sql, " END;");
}

void diff_copies_create(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    unsigned table = world->c->views[view].table;
    struct diff_names names = world->names;
    bool is_first = true;

    for (unsigned i = 0; i < world->c->n_views; i++) {
        if (world->c->views[i].table == table && diff_world_has_view(world, 0, i))
            is_first = false;
    }
    if (is_first) {
        add_copy(world, table, sql);
        add_trigger(world, table, "INSERT", false, true, sql);
        add_trigger(world, table, "DELETE", true, false, sql);
        add_trigger(world, table, "UPDATE", true, true, sql);
    }
    names.tables[table] = copies[table];
    diff_text_add(sql, "CREATE VIEW ");
    diff_text_add_name(sql, world->c->views[view].name);
    diff_text_add(sql, " AS ");
    diff_render_view(world->c, &names, world->oracle, view, sql);
}

void diff_copies_drop(struct diff_world *world, unsigned view, struct diff_text *sql)
{
    unsigned table = world->c->views[view].table;

    diff_text_add(sql, "DROP VIEW ");
    diff_text_add_name(sql, world->c->views[view].name);
    diff_text_add(sql, "; DROP TABLE IF EXISTS %s", copies[table]);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const events[] = {"INSERT", "DELETE", "UPDATE"};
        diff_text_add(sql, "; DROP TRIGGER IF EXISTS copy_%s_%u", events[i], table);
    }
}
