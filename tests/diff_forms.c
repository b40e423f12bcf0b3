/* Further forms of statements that write: of the first rows by an order, behind WITH, and
** through an ordinary view that has INSTEAD OF triggers. */
#include "tests/diff_statement.h"

static bool percent(struct diff_writer *w, unsigned chance)
{
    return diff_random_percent(w->random, chance);
}

/* An order without ties. */
static void write_order(struct diff_writer *w)
{
    static const char *const directions[] = {"", " DESC", NULL};

    diff_text_add(w->out, " ORDER BY ");
    if (percent(w, 50))
        diff_text_add(
            w->out, "`t%u.%u`, ", w->table, diff_random_below(w->random, w->t->n_columns));
    if (w->t->has_rowid)
        diff_text_add(w->out, "rowid%s", diff_random_word(w->random, directions));
    else
        diff_text_add(w->out, "`t%u.0`, `t%u.1`", w->table, w->table);
    diff_text_add(w->out, " LIMIT %u", diff_random_below(w->random, 4));
    if (percent(w, 30))
        diff_text_add(w->out, " OFFSET 1");
}

/* SQLite may be built without it: then both sides say so. */
void diff_write_limited(struct diff_writer *w)
{
    unsigned column = diff_writable_column(w);

    if (percent(w, 50)) {
        diff_text_add(w->out, "DELETE FROM `t%u`", w->table);
    } else {
        diff_text_add(w->out, "UPDATE");
        diff_write_conflict(w);
        diff_text_add(w->out, " `t%u` SET `t%u.%u` = ", w->table, w->table, column);
        diff_literal(w->c, w->random, &w->t->columns[column], w->out);
    }
    write_order(w);
}

/* The rows that a CTE tells, of the very table. */
void diff_write_with(struct diff_writer *w)
{
    unsigned key = diff_random_below(w->random, w->t->n_columns);
    unsigned column = diff_writable_column(w);

    diff_text_add(w->out, "WITH chosen(x) AS (SELECT %s(`t%u.%u`) FROM `t%u`",
        percent(w, 50) ? "max" : "min", w->table, key, w->table);
    if (percent(w, 50))
        diff_text_add(w->out, " UNION SELECT `t%u.%u` FROM `t%u` WHERE `t%u.%u` IS NOT NULL",
            w->table, key, w->table, w->table, column);
    diff_text_add(w->out, ") ");
    if (percent(w, 30)) {
        diff_text_add(
            w->out, "DELETE FROM `t%u` WHERE `t%u.%u` IN chosen", w->table, w->table, key);
    } else if (percent(w, 50)) {
        diff_text_add(w->out, "UPDATE");
        diff_write_conflict(w);
        diff_text_add(w->out, " `t%u` SET `t%u.%u` = ", w->table, w->table, column);
        diff_literal(w->c, w->random, &w->t->columns[column], w->out);
        diff_text_add(w->out, " WHERE `t%u.%u` IN chosen", w->table, key);
    } else {
        diff_text_add(w->out, "INSERT");
        diff_write_conflict(w);
        diff_text_add(w->out, " INTO `t%u`(`t%u.%u`) SELECT x FROM chosen ORDER BY 1", w->table,
            w->table, column);
    }
    diff_write_returning(w);
}

void diff_write_through_view(struct diff_writer *w)
{
    const struct diff_column *columns = w->t->columns;

    switch (diff_random_below(w->random, 3)) {
    case 0:
        diff_text_add(w->out, "INSERT INTO w%u VALUES(", w->table);
        diff_literal(w->c, w->random, &columns[0], w->out);
        diff_text_add(w->out, ", ");
        diff_literal(w->c, w->random, &columns[1], w->out);
        diff_text_add(w->out, ")");
        return;
    case 1:
        diff_text_add(w->out, "UPDATE w%u SET b = ", w->table);
        diff_literal(w->c, w->random, &columns[1], w->out);
        break;
    default:
        diff_text_add(w->out, "DELETE FROM w%u", w->table);
    }
    if (percent(w, 60)) {
        diff_text_add(w->out, " WHERE a %s ", percent(w, 70) ? "IS" : ">");
        diff_literal(w->c, w->random, &columns[0], w->out);
    }
}

void diff_forms_add_view(struct diff_case *c, unsigned table)
{
    static const char *const texts[] = {
        "CREATE VIEW `h`w%u AS SELECT `t%u.0` AS a, `t%u.1` AS b FROM `t%u`",
        "CREATE TRIGGER `h`w%u_insert INSTEAD OF INSERT ON w%u BEGIN"
        " INSERT OR REPLACE INTO `t%u`(`t%u.0`, `t%u.1`) VALUES(new.a, new.b); END",
        "CREATE TRIGGER `h`w%u_update INSTEAD OF UPDATE ON w%u BEGIN"
        " UPDATE OR IGNORE `t%u` SET `t%u.1` = new.b WHERE `t%u.0` IS old.a; END",
        "CREATE TRIGGER `h`w%u_delete INSTEAD OF DELETE ON w%u BEGIN"
        " DELETE FROM `t%u` WHERE `t%u.0` IS old.a AND `t%u.1` IS old.b; END",
    };
    struct diff_table *t = &c->tables[table];

    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (t->n_extras < DIFF_EXTRAS)
            t->extras[t->n_extras++] =
                diff_arena_print(&c->arena, texts[i], table, table, table, table, table);
    }
}
