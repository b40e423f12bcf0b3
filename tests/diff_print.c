/* A case as a script for the sqlite3 shell, which ends with the view and its query side by
 * side. */
#include "tests/diff_shrink.h"

#include <stdlib.h>
#include <string.h>

static void print_tables(const struct diff_world *world, FILE *out)
{
    for (unsigned t = 0; t < world->c->n_tables; t++) {
        const struct diff_table *table = &world->c->tables[t];
        struct diff_text text = {0};
        if (table->n_columns == 0)
            continue;
        diff_render_table(world->c, &world->names, t, &text);
        fprintf(out, "%s;\n", text.data);
        for (unsigned i = 0; i < table->n_extras; i++) {
            diff_text_reset(&text);
            diff_render(world->c, &world->names, DIFF_AS_VIEW, table->extras[i], &text);
            fprintf(out, "%s;\n", text.data);
        }
        diff_text_free(&text);
    }
}

/* SELECT of a view and of its query; only the former where the query does not matter. */
static void print_view(struct diff_world *world, unsigned view, bool with_query, FILE *out)
{
    struct diff_text text = {0};
    diff_text_add_name(&text, world->c->views[view].name);
    if (with_query) {
        fprintf(out, "SELECT 'view', * FROM %s;\n", text.data);
        diff_text_reset(&text);
        diff_render_view(world->c, &world->names, world->oracle, view, &text);
        fprintf(out, "SELECT 'query', * FROM (%s);\n", text.data);
    } else {
        fprintf(out, "SELECT * FROM %s;\n", text.data);
    }
    diff_text_free(&text);
}

static void print_step(
    struct diff_world *world, const struct diff_step *step, bool is_last, FILE *out)
{
    struct diff_text text = {0};

    switch (step->kind) {
    case DIFF_CREATE_VIEW:
        world->engine->create(world, step->view, &text);
        fprintf(out, "%s;\n", text.data);
        break;
    case DIFF_DROP_VIEW:
        world->engine->drop(world, step->view, &text);
        fprintf(out, "%s;\n", text.data);
        break;
    case DIFF_CHECK:
        for (unsigned i = 0; i < world->c->n_views; i++) {
            if (step->mask >> i & 1)
                print_view(world, i, is_last, out);
        }
        break;
    case DIFF_COMMAND:
        diff_text_add_name(&text, world->c->views[step->view].name);
        fprintf(out, "INSERT INTO %s(lockstep) VALUES('%s');\n", text.data, step->sql);
        break;
    case DIFF_LOOK:
        diff_render(world->c, &world->names, DIFF_IN_PLACE, step->sql, &text);
        fprintf(out, "%s;\n", text.data);
        break;
    case DIFF_OPEN_CURSOR:
        fprintf(out, "-- cursor %u reads %u rows of view %s\n", step->cursor, step->rows,
            world->c->views[step->view].name);
        break;
    case DIFF_GO_ON:
        fprintf(out, "-- cursor %u reads %u rows more\n", step->cursor, step->rows);
        break;
    case DIFF_REOPEN:
        fprintf(out, "-- this connection is closed and opened again\n");
        break;
    case DIFF_COMPARE_TABLES:
        fprintf(out, "-- the tables are compared with their twins\n");
        break;
    case DIFF_ADD_COLUMN:
    case DIFF_RENAME_TABLE:
    case DIFF_RENAME_COLUMN:
        diff_alter_text(world, step, &text);
        fprintf(out, "%s;\n", text.data);
        diff_names_change(&world->names, step);
        break;
    default:
        diff_render(world->c, &world->names, DIFF_AS_VIEW, step->sql, &text);
        fprintf(out, "%s;\n", text.data);
    }
    if (step->kind == DIFF_PROBE && is_last) {
        diff_text_reset(&text);
        diff_render(world->c, &world->names, world->oracle, step->sql, &text);
        fprintf(out, "%s;\n", text.data);
    }
    diff_text_free(&text);
}

void diff_print_script(const struct diff_case *c, const struct diff_engine *engine,
    const struct diff_mismatch *mismatch, FILE *out)
{
    struct diff_world world = {.c = c, .engine = engine};
    unsigned connection = 0;

    diff_names_init(&world.names, c);
    world.oracle = engine->loads_extension ? DIFF_AS_ORACLE : DIFF_AS_PLAIN;
    fprintf(out, "-- seed %llu, engine %s, %u connections, %s, %s\n",
        (unsigned long long)c->seed, engine->name, c->n_connections,
        c->is_file ? c->journal_mode : "in memory", c->encoding);
    if (engine->loads_extension)
        fprintf(out, ".load ./lockstep\n");
    fprintf(out, ".mode quote\n");
    if (strcmp(c->encoding, "UTF-8") != 0)
        fprintf(out, "PRAGMA encoding = '%s';\n", c->encoding);
    if (engine->loads_extension && c->step_bytes > 0)
        fprintf(out, "SELECT lockstep_step_bytes(%u);\n", c->step_bytes);
    if (c->has_foreign_keys)
        fprintf(out, "PRAGMA foreign_keys = ON;\n");
    if (strcmp(c->home, "aux.") == 0)
        fprintf(out, "ATTACH 'aux.db' AS aux;\n");
    print_tables(&world, out);
    for (unsigned i = 0; i < c->n_steps; i++) {
        if (c->steps[i].connection != connection) {
            connection = c->steps[i].connection;
            fprintf(out, "-- connection %u%s\n", connection,
                connection == DIFF_PLAIN_CONNECTION ? ", without the extension" : "");
        }
        print_step(&world, &c->steps[i], i + 1 == c->n_steps, out);
    }
    if (mismatch->tag != NULL)
        fprintf(out, "-- %s\n%s", mismatch->tag, mismatch->detail.data);
}
