/* Triggers of the user's: they change rows before and after us, raise, and write other
** tables. */
#include "tests/diff_statement.h"

struct maker {
    struct diff_case *c;
    struct diff_random *random;
    unsigned table;
    const struct diff_table *t;
    struct diff_text *out;
};

static unsigned some_column(struct maker *m)
{
    return diff_random_below(m->random, m->t->n_columns);
}

static unsigned some_writable(struct maker *m)
{
    for (;;) {
        unsigned i = some_column(m);
        if (!m->t->columns[i].is_generated)
            return i;
    }
}

static void add_literal(struct maker *m, unsigned column)
{
    diff_literal(m->c, m->random, &m->t->columns[column], m->out);
}

/* WHEN a column of the row (new or old) has a certain value. */
static void add_when(struct maker *m, const char *row)
{
    unsigned column = some_column(m);
    diff_text_add(m->out, " WHEN %s.`t%u.%u` %s ", row, m->table, column,
        diff_random_percent(m->random, 70) ? "IS" : ">");
    add_literal(m, column);
}

/* Sets a column of the rows that have the row's first column. */
static void add_update(struct maker *m, const char *row)
{
    unsigned column = some_writable(m);
    diff_text_add(m->out, " UPDATE `t%u` SET `t%u.%u` = ", m->table, m->table, column);
    add_literal(m, column);
    diff_text_add(m->out, " WHERE `t%u.0` IS %s.`t%u.0`;", m->table, row, m->table);
}

static void add_deletion(struct maker *m, const char *row)
{
    unsigned column = some_column(m);
    diff_text_add(m->out, " DELETE FROM `t%u` WHERE `t%u.%u` IS %s.`t%u.%u`;", m->table,
        m->table, column, row, m->table, column);
}

static void add_raise(struct maker *m, const char *row)
{
    static const char *const ways[] = {
        "IGNORE", "IGNORE", "ABORT, 'no'", "FAIL, 'no'", "ROLLBACK, 'no'", NULL};
    (void)row;
    diff_text_add(m->out, " SELECT raise(%s);", diff_random_word(m->random, ways));
}

static void add_insertion(struct maker *m, const char *row)
{
    unsigned other = diff_random_below(m->random, m->c->n_tables);
    const char *statement = diff_statement_fill(m->c, m->random, other);
    (void)row;
    diff_text_add(m->out, " %s;", statement);
}

const char *diff_trigger(
    struct diff_case *c, struct diff_random *random, unsigned table, const char *head)
{
    static void (*const bodies[])(struct maker *, const char *) = {
        add_update, add_deletion, add_raise, add_insertion};
    static const char *const times[] = {"BEFORE", "AFTER"};
    static const char *const events[] = {"INSERT", "UPDATE", "DELETE"};
    static const unsigned weights[] = {45, 12, 28, 15};
    struct diff_text text = {0};
    struct maker m = {c, random, table, &c->tables[table], &text};
    unsigned event = diff_random_below(random, 3);
    const char *row = event == 2 ? "old" : "new";

    diff_text_add(&text, "CREATE %s %s %s ON `t%u`", head, times[diff_random_below(random, 2)],
        events[event], table);
    add_when(&m, row);
    diff_text_add(&text, " BEGIN");
    bodies[diff_random_weighted(random, weights, 4)](&m, event == 1 ? "old" : row);
    diff_text_add(&text, " END");
    return diff_arena_take(&c->arena, &text);
}
