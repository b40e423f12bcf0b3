/* UPDATE and DELETE: values, keys, rowids, from other tables, half failing; and the choice
** among all statements. */
#include "tests/diff_statement.h"

static bool percent(struct diff_writer *w, unsigned chance)
{
    return diff_random_percent(w->random, chance);
}

static void write_where(struct diff_writer *w, unsigned chance_of_all)
{
    if (percent(w, chance_of_all))
        return;
    diff_text_add(w->out, " WHERE ");
    if (w->t->has_rowid && percent(w, 8))
        diff_text_add(w->out, "rowid %% 2 = 1");
    else
        diff_condition(w->c, w->random, w->table, w->out);
}

static void write_update_head(struct diff_writer *w)
{
    diff_text_add(w->out, "UPDATE");
    diff_write_conflict(w);
    diff_text_add(w->out, " `t%u` SET ", w->table);
}

static void write_value(struct diff_writer *w, unsigned column)
{
    unsigned view;
    unsigned other = diff_random_below(w->random, w->t->n_columns);

    if (w->c->options.with_mid_statement && percent(w, 12) && diff_countable_view(w, &view)) {
        diff_text_add(w->out, "(SELECT count(*) FROM `v%u`)", view);
    } else if (percent(w, 65)) {
        diff_literal(w->c, w->random, &w->t->columns[column], w->out);
    } else if (percent(w, 40)) {
        diff_text_add(w->out, "`t%u.%u`", w->table, other);
    } else if (w->t->columns[column].domain == DIFF_TEXTS) {
        diff_text_add(w->out, percent(w, 50) ? "upper(`t%u.%u`)" : "substr(`t%u.%u`, 2)",
            w->table, column);
    } else {
        diff_text_add(w->out, percent(w, 50) ? "`t%u.%u` + 1" : "-`t%u.%u`", w->table, column);
    }
}

void diff_write_update(struct diff_writer *w)
{
    write_update_head(w);
    for (unsigned n = 1 + diff_random_below(w->random, 2); n > 0; n--) {
        unsigned column = diff_writable_column(w);
        diff_text_add(w->out, "`t%u.%u` = ", w->table, column);
        write_value(w, column);
        diff_text_add(w->out, n > 1 ? ", " : "");
    }
    write_where(w, 12);
    diff_write_returning(w);
}

void diff_write_update_from(struct diff_writer *w)
{
    unsigned source = diff_random_below(w->random, w->c->n_tables);
    const struct diff_table *s = &w->c->tables[source];
    unsigned column = diff_writable_column(w);

    write_update_head(w);
    diff_text_add(w->out,
        "`t%u.%u` = s.`t%u.%u` FROM `t%u` AS s WHERE `t%u`.`t%u.%u` = s.`t%u.%u`", w->table,
        column, source, diff_random_below(w->random, s->n_columns), source, w->table, w->table,
        diff_random_below(w->random, w->t->n_columns), source,
        diff_random_below(w->random, s->n_columns));
}

/* Moves rows among keys: shifts, mirrors and swaps. */
void diff_write_key_change(struct diff_writer *w)
{
    static const char *const forms[] = {" + 1", " - 1", " * -1", " + 2", NULL};
    struct diff_text name = {0};

    if (w->t->rowid_column < 0 && w->t->has_rowid && percent(w, 50))
        diff_text_add(&name, "%s", percent(w, 50) ? "rowid" : "_rowid_");
    else
        diff_text_add(&name, "`t%u.0`", w->table);
    write_update_head(w);
    if (percent(w, 45))
        diff_text_add(w->out, "%s = CASE %s WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE %s END", name.data,
            name.data, name.data);
    else if (percent(w, 30))
        diff_text_add(w->out, "%s = 4 - %s", name.data, name.data);
    else
        diff_text_add(
            w->out, "%s = %s%s", name.data, name.data, diff_random_word(w->random, forms));
    write_where(w, 60);
    diff_text_free(&name);
}

void diff_write_failing_update(struct diff_writer *w)
{
    unsigned column = diff_writable_column(w);
    unsigned test = diff_random_below(w->random, w->t->n_columns);
    diff_text_add(w->out, "UPDATE");
    diff_write_conflict(w);
    diff_text_add(w->out, " `t%u` SET `t%u.%u` = CASE WHEN `t%u.%u` ", w->table, w->table,
        column, w->table, test);
    diff_text_add(w->out, percent(w, 50) ? "> 1" : "IS NULL");
    diff_text_add(w->out, " THEN json('{') ELSE ");
    diff_literal(w->c, w->random, &w->t->columns[column], w->out);
    diff_text_add(w->out, " END");
}

void diff_write_delete(struct diff_writer *w)
{
    diff_text_add(w->out, "DELETE FROM `t%u`", w->table);
    write_where(w, 14);
    diff_write_returning(w);
}

const char *diff_statement(struct diff_case *c, struct diff_random *random)
{
    static void (*const kinds[])(struct diff_writer *) = {diff_write_insert,
        diff_write_insert_select, diff_write_upsert, diff_write_update, diff_write_update_from,
        diff_write_key_change, diff_write_failing_update, diff_write_delete, diff_write_limited,
        diff_write_with, diff_write_through_view};
    static const unsigned weights[] = {34, 8, 11, 16, 4, 6, 3, 18, 4, 3, 4};
    struct diff_text text = {0};
    unsigned table = diff_random_below(random, c->n_tables);
    struct diff_writer w = {c, random, table, &c->tables[table], &text};

    kinds[diff_random_weighted(random, weights, 11)](&w);
    return diff_arena_take(&c->arena, &text);
}
