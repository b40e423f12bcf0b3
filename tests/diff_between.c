/* What else a program does between statements and reads, and what changes no row of a table or a
** view: it looks at views and their plans, checks the database, makes TEMP tables, views and
** triggers, some of names that others have, keeps cursors open, gathers statistics, attaches. */
#include "tests/diff_statement.h"

#include <string.h>

struct maker {
    struct diff_case *c;
    struct diff_random *random;
    unsigned connection;
    unsigned all_views;
};

static bool percent(struct maker *m, unsigned chance)
{
    return diff_random_percent(m->random, chance);
}

static bool has_extension(const struct maker *m)
{
    return m->connection != DIFF_PLAIN_CONNECTION;
}

/* Writers of views with maintain=commit need the extension. */
static bool may_write(const struct maker *m)
{
    return has_extension(m) || !diff_case_has_commit_views(m->c);
}

static const char *print_number(struct maker *m, const char *format, unsigned n)
{
    return diff_arena_print(&m->c->arena, format, diff_random_below(m->random, n));
}

static void add_sql(struct maker *m, const char *sql)
{
    diff_case_add(m->c, DIFF_SQL, m->connection)->sql = sql;
}

static void add_check(struct maker *m)
{
    if (has_extension(m))
        diff_case_add(m->c, DIFF_CHECK, m->connection)->mask = m->all_views;
}

/* A query about views; %s is the name of one, as a string or as a template. */
static void add_look(struct maker *m)
{
    static const char *const of_strings[] = {"SELECT * FROM lockstep_plan('%s')",
        "SELECT * FROM lockstep_plan('%s')", "SELECT lockstep_dot('%s')", NULL};
    static const char *const of_names[] = {"EXPLAIN QUERY PLAN SELECT * FROM %s",
        "EXPLAIN SELECT * FROM %s", "SELECT count(*) FROM %s", "SELECT 1 FROM %s LIMIT 1",
        "SELECT * FROM lockstep_views", "SELECT * FROM pragma_table_list", NULL};
    unsigned view = diff_random_below(m->random, m->c->n_views);
    struct diff_text name = {0};

    if (!has_extension(m))
        return;
    bool is_string = percent(m, 50);
    if (is_string)
        diff_text_add(&name, "%s", m->c->views[view].name);
    else
        diff_text_add(&name, "`v%u`", view);
    struct diff_step *step = diff_case_add(m->c, DIFF_LOOK, m->connection);
    step->sql = diff_arena_print(&m->c->arena,
        diff_random_word(m->random, is_string ? of_strings : of_names), name.data);
    step->view = view;
    diff_text_free(&name);
}

static void add_integrity(struct maker *m)
{
    static const char *const ways[] = {"PRAGMA integrity_check", "PRAGMA integrity_check",
        "PRAGMA quick_check", "PRAGMA integrity_check(`v0`)", "PRAGMA quick_check(`t0`)", NULL};

    diff_case_add(m->c, DIFF_INTEGRITY, m->connection)->sql = diff_random_word(m->random, ways);
}

static void add_command(struct maker *m)
{
    static const char *const words[] = {"integrity-check", "store", "rebuild", NULL};

    if (!has_extension(m) || !m->c->options.with_commands)
        return;
    struct diff_step *step = diff_case_add(m->c, DIFF_COMMAND, m->connection);
    step->sql = diff_random_word(m->random, words);
    step->view = diff_random_below(m->random, m->c->n_views);
}

static void add_go_on(struct maker *m, unsigned cursor)
{
    struct diff_step *step = diff_case_add(m->c, DIFF_GO_ON, m->connection);

    step->cursor = cursor;
    step->rows = percent(m, 40) ? 1 : 1000000;
}

static void add_any_go_on(struct maker *m)
{
    add_go_on(m, diff_random_below(m->random, DIFF_CURSORS));
}

/* Half of the cursors stay open over what writes nothing: then it is known which rows they have. */
static void add_open(struct maker *m)
{
    unsigned cursor = diff_random_below(m->random, DIFF_CURSORS);
    struct diff_step *step = diff_case_add(m->c, DIFF_OPEN_CURSOR, m->connection);

    step->view = diff_random_below(m->random, m->c->n_views);
    step->cursor = cursor;
    step->rows = 1 + diff_random_below(m->random, 3);
    if (percent(m, 50))
        return;
    while (percent(m, 60))
        diff_between(m->c, m->random, m->connection, m->all_views);
    add_go_on(m, cursor);
}

/* A name that is mostly taken in the database of the case, unless that is TEMP itself. */
static void add_hiding_name(struct maker *m, struct diff_text *out)
{
    static const char *const endings[] = {"_data", "_query", "_state", "_trace", NULL};
    static const char *const others[] = {
        "lockstep_log_1", "lockstep_log_2", "lockstep_position", "lockstep_index", NULL};
    static const unsigned weights[] = {30, 20, 20, 15, 15};
    unsigned view = diff_random_below(m->random, m->c->n_views);

    bool is_temp = strcmp(m->c->home, "temp.") == 0;

    switch (is_temp ? 4 : diff_random_weighted(m->random, weights, 5)) {
    case 0:
        diff_text_add(out, "`t%u`", diff_random_below(m->random, m->c->n_tables));
        return;
    case 1:
        diff_text_add(out, "`v%u`", view);
        return;
    case 2:
        diff_text_add_name(out, diff_arena_print(&m->c->arena, "%s%s", m->c->views[view].name,
                                    diff_random_word(m->random, endings)));
        return;
    case 3:
        diff_text_add(out, "%s", diff_random_word(m->random, others));
        return;
    default:
        diff_text_add(out, "between_%u", diff_random_below(m->random, 3));
    }
}

/* A TEMP table or view comes; mostly it goes again soon, for what it hides can't be reached by
** the statements of the case. */
static void add_temp(struct maker *m)
{
    struct diff_text name = {0};
    unsigned table = diff_random_below(m->random, m->c->n_tables);
    bool is_view = percent(m, 30);

    add_hiding_name(m, &name);
    if (is_view)
        add_sql(m, diff_arena_print(&m->c->arena,
                       "CREATE TEMP VIEW %s AS SELECT * FROM `h``t%u`", name.data, table));
    else if (percent(m, 40))
        add_sql(m, diff_arena_print(&m->c->arena,
                       "CREATE TEMP TABLE %s AS SELECT * FROM `h``t%u`", name.data, table));
    else
        add_sql(m, diff_arena_print(&m->c->arena, "CREATE TEMP TABLE %s(a, b)", name.data));
    if (percent(m, 80)) {
        if (percent(m, 40))
            add_look(m);
        if (percent(m, 60))
            add_check(m);
        if (may_write(m) && percent(m, 40))
            add_sql(m, diff_statement_fill(m->c, m->random, table));
        add_sql(m, diff_arena_print(
                       &m->c->arena, "DROP %s temp.%s", is_view ? "VIEW" : "TABLE", name.data));
    }
    diff_text_free(&name);
}

/* README: what a TEMP trigger does to a row of its table before Lockstep's triggers fire is seen by
** the connection that has it, once it has read the views, which no lock must keep it from. */
static bool is_seen(const struct maker *m, unsigned table, const char *trigger)
{
    const char *body = strstr(trigger, " BEGIN");
    const char name[] = {'`', 't', (char)('0' + table), '`', 0};

    return m->c->n_connections == 1 ||
           (strstr(trigger, " AFTER ") != NULL && strstr(body, "raise(") == NULL &&
               strstr(body, name) == NULL);
}

static void add_temp_trigger(struct maker *m)
{
    unsigned table = diff_random_below(m->random, m->c->n_tables);
    const char *trigger =
        diff_trigger(m->c, m->random, table, print_number(m, "TEMP TRIGGER temp_%u", 3));

    if (m->c->options.with_user_triggers && is_seen(m, table, trigger)) {
        add_sql(m, trigger);
        add_check(m);
    } else {
        add_sql(m, print_number(m, "DROP TRIGGER IF EXISTS temp.temp_%u", 3));
    }
}

/* What leaves rows as they are. (PRAGMA optimize goes by the reads that there were, which the twin
** has not seen all.) */
static void add_maintenance(struct maker *m)
{
    static const char *const ways[] = {"ANALYZE", "ANALYZE `t0`", "REINDEX", "REINDEX `t0`",
        "VACUUM", "PRAGMA shrink_memory", "PRAGMA cache_size = 3",
        "ATTACH ':memory:' AS between", "DETACH between", "CREATE TABLE `h`more_1(a)",
        "CREATE TABLE `h`more_2(a)", "DROP TABLE `h`more_1", "DROP TABLE `h`more_2",
        "CREATE VIEW `h`more_3 AS SELECT 1", "DROP VIEW `h`more_3", NULL};

    add_sql(m, diff_random_word(m->random, ways));
}

/* Reads that can't store. */
static void add_read_only(struct maker *m)
{
    add_sql(m, "PRAGMA query_only = 1");
    add_check(m);
    if (percent(m, 50))
        add_look(m);
    add_sql(m, "PRAGMA query_only = 0");
}

void diff_between(
    struct diff_case *c, struct diff_random *random, unsigned connection, unsigned all_views)
{
    static void (*const ways[])(struct maker *) = {add_look, add_integrity, add_command,
        add_open, add_any_go_on, add_temp, add_temp_trigger, add_maintenance, add_read_only};
    static const unsigned weights[] = {25, 12, 8, 12, 12, 20, 8, 10, 3};
    struct maker m = {c, random, connection, all_views};

    ways[diff_random_weighted(random, weights, sizeof weights / sizeof *weights)](&m);
}
