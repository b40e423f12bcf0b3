/* Random queries over views: equality, ranges, IN, OR, ORDER BY, joins, counts. They show and
** compare only columns for which every right member gives the same. */
#include "tests/diff_case.h"

struct maker {
    struct diff_case *c;
    struct diff_random *random;
    unsigned view;
    const struct diff_view *v;
    unsigned usable[DIFF_VIEW_COLUMNS];
    unsigned n_usable;
    struct diff_text out;
    struct diff_text spec;
    bool is_ordered;
};

void diff_view_column_name(const struct diff_view_column *column, struct diff_text *out)
{
    if (column->alias != NULL)
        diff_text_add_name(out, column->alias);
    else
        diff_text_add(out, "%s", column->text);
}

static void look_at(struct maker *m, unsigned view)
{
    m->view = view;
    m->v = &m->c->views[view];
    m->n_usable = 0;
    for (unsigned i = 0; i < m->v->n_columns; i++) {
        if (m->v->columns[i].is_filterable)
            m->usable[m->n_usable++] = i;
    }
}

static unsigned some_column(struct maker *m)
{
    return m->usable[diff_random_below(m->random, m->n_usable)];
}

static void add_name(struct maker *m, const char *table, unsigned column)
{
    diff_text_add(&m->out, "%s.", table);
    diff_view_column_name(&m->v->columns[column], &m->out);
}

static void add_literal(struct maker *m)
{
    const struct diff_table *t = &m->c->tables[m->v->table];
    unsigned i = diff_random_below(m->random, t->n_columns);
    diff_literal(m->c, m->random, &t->columns[i], &m->out);
}

static void show(struct maker *m, unsigned column)
{
    add_name(m, "a", column);
    diff_text_add(&m->spec, "%c", m->v->columns[column].spec);
}

/* Where equal values may come in any order, or one may stand for all. */
static void show_loosely(struct maker *m, unsigned column)
{
    add_name(m, "a", column);
    diff_text_add(&m->spec, "%c", m->v->columns[column].collation);
}

static void show_some(struct maker *m)
{
    diff_text_add(&m->out, "SELECT ");
    unsigned n = 1 + diff_random_below(m->random, 3);
    for (unsigned i = 0; i < n; i++) {
        diff_text_add(&m->out, i > 0 ? ", " : "");
        show(m, some_column(m));
    }
    diff_text_add(&m->out, " FROM `v%u` AS a", m->view);
}

static void add_term(struct maker *m)
{
    static const char *const operators[] = {
        " = ", " = ", " = ", " > ", " < ", " >= ", " <= ", " IS ", " <> ", NULL};
    unsigned shape = diff_random_below(m->random, 10);

    add_name(m, "a", some_column(m));
    if (shape < 6) {
        diff_text_add(&m->out, "%s", diff_random_word(m->random, operators));
        add_literal(m);
    } else if (shape == 6) {
        diff_text_add(&m->out, " IS NULL");
    } else if (shape == 7) {
        diff_text_add(&m->out, " BETWEEN ");
        add_literal(m);
        diff_text_add(&m->out, " AND ");
        add_literal(m);
    } else {
        diff_text_add(&m->out, " IN (");
        add_literal(m);
        diff_text_add(&m->out, ", ");
        add_literal(m);
        diff_text_add(&m->out, ")");
    }
}

static void filtered(struct maker *m)
{
    static const char *const joints[] = {"", " AND ", " OR ", NULL};
    const char *joint = diff_random_word(m->random, joints);
    show_some(m);
    diff_text_add(&m->out, " WHERE ");
    add_term(m);
    diff_text_add(&m->out, "%s", joint);
    if (joint[0] != 0)
        add_term(m);
}

static void ordered(struct maker *m)
{
    static const char *const ways[] = {"", "", " DESC", " ASC NULLS LAST", NULL};
    unsigned first = some_column(m), second = some_column(m);

    diff_text_add(&m->out, "SELECT ");
    show_loosely(m, first);
    diff_text_add(&m->out, ", ");
    show_loosely(m, second);
    diff_text_add(&m->out, " FROM `v%u` AS a", m->view);
    if (diff_random_percent(m->random, 25)) {
        diff_text_add(&m->out, " WHERE ");
        add_term(m);
    }
    diff_text_add(&m->out, " ORDER BY ");
    add_name(m, "a", first);
    diff_text_add(&m->out, "%s, ", diff_random_word(m->random, ways));
    add_name(m, "a", second);
    if (diff_random_percent(m->random, 40))
        diff_text_add(&m->out, " LIMIT 3 OFFSET %u", diff_random_below(m->random, 3));
    m->is_ordered = true;
}

static void distinct(struct maker *m)
{
    unsigned column = some_column(m);
    diff_text_add(&m->out, "SELECT DISTINCT ");
    show_loosely(m, column);
    diff_text_add(&m->out, " FROM `v%u` AS a", m->view);
}

static void counted(struct maker *m)
{
    diff_text_add(&m->spec, "E");
    diff_text_add(&m->out, "SELECT count(*) FROM `v%u` AS a", m->view);
    if (m->n_usable > 0 && diff_random_percent(m->random, 50)) {
        diff_text_add(&m->out, " WHERE ");
        add_term(m);
    }
}

/* A virtual table's column cannot be without affinity, as an expression's in a VIEW is: only
** where it is compared with a column of TEXT affinity does that tell. */
static bool is_comparable(const struct diff_view_column *a, const struct diff_view_column *b)
{
    if (a->affinity == '?' || b->affinity == '?')
        return false;
    return !(a->affinity == 'T' && b->affinity == '-') &&
           !(a->affinity == '-' && b->affinity == 'T');
}

static void joined(struct maker *m)
{
    unsigned view = m->view, column = some_column(m);
    const struct diff_view_column *left = &m->v->columns[column];
    bool is_left = diff_random_percent(m->random, 35);

    diff_text_add(&m->spec, "EE");
    diff_text_add(&m->out, "SELECT count(*), count(");
    add_name(m, "a", column);
    look_at(m, diff_random_below(m->random, m->c->n_views));
    diff_text_add(&m->out, ") FROM `v%u` AS a %sJOIN `v%u` AS b ON a.", view,
        is_left ? "LEFT " : "", m->view);
    diff_view_column_name(left, &m->out);
    unsigned other = m->n_usable > 0 ? some_column(m) : 0;
    if (m->n_usable == 0 || !is_comparable(left, &m->v->columns[other])) {
        diff_text_add(&m->out, " IS NULL");
        return;
    }
    diff_text_add(&m->out, " = ");
    add_name(m, "b", other);
}

void diff_probe(struct diff_case *c, struct diff_random *random, unsigned connection)
{
    static void (*const shapes[])(struct maker *) = {
        filtered, ordered, distinct, counted, joined};
    static const unsigned weights[] = {50, 16, 6, 10, 18};
    struct maker m = {.c = c, .random = random};

    look_at(&m, diff_random_below(random, c->n_views));
    if (m.n_usable == 0)
        counted(&m);
    else
        shapes[diff_random_weighted(random, weights, 5)](&m);
    struct diff_step *step = diff_case_add(c, DIFF_PROBE, connection);
    step->sql = diff_arena_take(&c->arena, &m.out);
    step->spec = diff_arena_take(&c->arena, &m.spec);
    step->is_ordered = m.is_ordered;
}
