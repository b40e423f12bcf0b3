/* INSERT: rows, SELECT, defaults, every conflict clause, and UPSERT. */
#include "tests/diff_statement.h"

#include <string.h>

static bool percent(struct diff_writer *w, unsigned chance)
{
    return diff_random_percent(w->random, chance);
}

void diff_write_conflict(struct diff_writer *w)
{
    static const char *const clauses[] = {" OR REPLACE", " OR REPLACE", " OR REPLACE",
        " OR IGNORE", " OR IGNORE", " OR FAIL", " OR ABORT", " OR ROLLBACK", NULL};
    if (percent(w, 50))
        diff_text_add(w->out, "%s", diff_random_word(w->random, clauses));
}

unsigned diff_writable_column(struct diff_writer *w)
{
    for (;;) {
        unsigned i = diff_random_below(w->random, w->t->n_columns);
        if (!w->t->columns[i].is_generated)
            return i;
    }
}

void diff_write_returning(struct diff_writer *w)
{
    unsigned view, column;

    if (!percent(w, 6))
        return;
    if (w->c->options.with_mid_statement && diff_readable_view(w, &view, &column))
        diff_text_add(w->out, " RETURNING (SELECT count(*) FROM `v%u`)", view);
    else
        diff_text_add(w->out, " RETURNING *");
}

/* Chooses the columns to give, as a bit mask, and writes them unless they are all. */
static unsigned write_columns(struct diff_writer *w)
{
    unsigned mask = 0, all = 0;
    const char *separator = "(";

    for (unsigned i = 0; i < w->t->n_columns; i++) {
        if (w->t->columns[i].is_generated)
            continue;
        all |= 1u << i;
        if (percent(w, 82))
            mask |= 1u << i;
    }
    if (mask == 0 || (mask == all && percent(w, 40)))
        return all;
    for (unsigned i = 0; i < w->t->n_columns; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        diff_text_add(w->out, "%s`t%u.%u`", separator, w->table, i);
        separator = ", ";
    }
    diff_text_add(w->out, ")");
    return mask;
}

static void write_row(struct diff_writer *w, unsigned mask)
{
    const char *separator = "(";
    for (unsigned i = 0; i < w->t->n_columns; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        diff_text_add(w->out, "%s", separator);
        diff_literal(w->c, w->random, &w->t->columns[i], w->out);
        separator = ", ";
    }
    diff_text_add(w->out, ")");
}

static void write_rows(struct diff_writer *w)
{
    static const unsigned weights[] = {45, 25, 18, 8, 4};
    unsigned n = 1 + diff_random_weighted(w->random, weights, 5);
    unsigned mask = write_columns(w);

    diff_text_add(w->out, " VALUES ");
    for (unsigned i = 0; i < n; i++) {
        if (i > 0)
            diff_text_add(w->out, ", ");
        write_row(w, mask);
    }
}

void diff_write_insert(struct diff_writer *w)
{
    bool is_replace = percent(w, 12);
    diff_text_add(w->out, is_replace ? "REPLACE" : "INSERT");
    if (!is_replace)
        diff_write_conflict(w);
    diff_text_add(w->out, " INTO `t%u`", w->table);
    if (percent(w, 5))
        diff_text_add(w->out, " DEFAULT VALUES");
    else
        write_rows(w);
    diff_write_returning(w);
}

/* A value for the target column: of the source's like column, a literal, or a failing
 * expression. */
static void write_selected(struct diff_writer *w, unsigned source, unsigned column)
{
    const struct diff_table *s = &w->c->tables[source];
    unsigned from = column < s->n_columns && percent(w, 70)
                        ? column
                        : diff_random_below(w->random, s->n_columns);
    if (percent(w, 65))
        diff_text_add(w->out, "`t%u.%u`", source, from);
    else if (percent(w, 12))
        diff_text_add(w->out, "CASE WHEN `t%u.%u` > 1 THEN json('[') ELSE 1 END", source, from);
    else
        diff_literal(w->c, w->random, &w->t->columns[column], w->out);
}

static void write_select(struct diff_writer *w, unsigned mask)
{
    unsigned source = diff_random_below(w->random, w->c->n_tables);
    const char *separator = " SELECT ";
    for (unsigned i = 0; i < w->t->n_columns; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        diff_text_add(w->out, "%s", separator);
        write_selected(w, source, i);
        separator = ", ";
    }
    /* An index of a view's would give them in another order. */
    diff_text_add(w->out, " FROM `t%u` NOT INDEXED", source);
    if (percent(w, 70)) {
        diff_text_add(w->out, " WHERE ");
        diff_condition(w->c, w->random, source, w->out);
    }
    diff_text_add(w->out, " LIMIT %u", 1 + diff_random_below(w->random, 5));
}

bool diff_countable_view(struct diff_writer *w, unsigned *view)
{
    if (w->c->n_views == 0 || w->c->may_fail)
        return false;
    *view = diff_random_below(w->random, w->c->n_views);
    return true;
}

bool diff_readable_view(struct diff_writer *w, unsigned *view, unsigned *column)
{
    unsigned first = diff_random_below(w->random, w->c->n_views);
    for (unsigned i = 0; i < w->c->n_views; i++) {
        *view = (first + i) % w->c->n_views;
        const struct diff_view *v = &w->c->views[*view];
        *column = diff_random_below(w->random, v->n_columns);
        if (v->text == NULL && v->table == w->table && v->columns[*column].spec == 'E' &&
            !w->c->may_fail)
            return true;
    }
    return false;
}

void diff_write_insert_select(struct diff_writer *w)
{
    unsigned view, column, target = diff_writable_column(w);

    diff_text_add(w->out, "INSERT");
    diff_write_conflict(w);
    diff_text_add(w->out, " INTO `t%u`", w->table);
    if (w->c->options.with_mid_statement && percent(w, 15) && w->c->is_exact &&
        diff_readable_view(w, &view, &column)) {
        diff_text_add(w->out, "(`t%u.%u`) SELECT * FROM (SELECT ", w->table, target);
        diff_view_column_name(&w->c->views[view].columns[column], w->out);
        diff_text_add(w->out, " FROM `v%u` ORDER BY 1) LIMIT 4", view);
    } else {
        write_select(w, write_columns(w));
    }
    diff_write_returning(w);
}

/* The columns that a conflict is looked for in: a unique one where there is one. */
static void write_target(struct diff_writer *w)
{
    for (unsigned i = 0; i < w->t->n_columns; i++) {
        if (w->t->columns[i].is_unique && percent(w, 75)) {
            diff_text_add(w->out, "(`t%u.%u`)", w->table, i);
            return;
        }
    }
    if (w->t->n_constraints > 0 && strncmp(w->t->constraints[0], "PRIMARY", 7) == 0 &&
        percent(w, 70))
        diff_text_add(w->out, "(`t%u.0`, `t%u.1`)", w->table, w->table);
}

static void write_assignment(struct diff_writer *w, unsigned column)
{
    diff_text_add(w->out, "`t%u.%u` = ", w->table, column);
    if (percent(w, 60))
        diff_text_add(w->out, "excluded.`t%u.%u`", w->table, column);
    else if (percent(w, 30))
        diff_text_add(w->out, "`t%u`.`t%u.%u` || 'b'", w->table, w->table, column);
    else
        diff_literal(w->c, w->random, &w->t->columns[column], w->out);
}

void diff_write_upsert(struct diff_writer *w)
{
    diff_text_add(w->out, "INSERT");
    if (percent(w, 20))
        diff_write_conflict(w);
    diff_text_add(w->out, " INTO `t%u`", w->table);
    write_rows(w);
    diff_text_add(w->out, " ON CONFLICT");
    if (percent(w, 85))
        write_target(w);
    if (percent(w, 20)) {
        diff_text_add(w->out, " DO NOTHING");
        return;
    }
    diff_text_add(w->out, " DO UPDATE SET ");
    write_assignment(w, diff_writable_column(w));
    if (percent(w, 50)) {
        diff_text_add(w->out, ", ");
        write_assignment(w, diff_writable_column(w));
    }
    if (percent(w, 30))
        diff_text_add(
            w->out, " WHERE excluded.`t%u.%u` IS NOT NULL", w->table, diff_writable_column(w));
    diff_write_returning(w);
}

const char *diff_statement_fill(struct diff_case *c, struct diff_random *random, unsigned table)
{
    struct diff_text text = {0};
    struct diff_writer w = {c, random, table, &c->tables[table], &text};
    diff_text_add(&text, "INSERT OR IGNORE INTO `t%u`", table);
    write_rows(&w);
    return diff_arena_take(&c->arena, &text);
}
