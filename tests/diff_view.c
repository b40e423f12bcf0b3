/* Random views of the class that is maintained: filters and projections, DISTINCT, GROUP BY
** with its aggregates, and aggregates of everything. */
#include "tests/diff_compose.h"
#include "tests/diff_view.h"

#include <stdio.h>
#include <string.h>

struct maker {
    struct diff_case *c;
    struct diff_random *random;
    struct diff_view *v;
    const struct diff_table *t;
};

static bool percent(struct maker *m, unsigned chance)
{
    return diff_random_percent(m->random, chance);
}

static char letter(const char *collation)
{
    return collation[0]; /* BINARY, NOCASE, RTRIM */
}

static const char *take(struct maker *m, struct diff_text *text)
{
    return diff_arena_take(&m->c->arena, text);
}

static unsigned some_column(struct maker *m)
{
    return diff_random_below(m->random, m->t->n_columns);
}

static const char *condition(struct maker *m)
{
    struct diff_text text = {0};
    diff_condition(m->c, m->random, m->v->table, &text);
    return take(m, &text);
}

static struct diff_expression bare_column(struct maker *m, unsigned i)
{
    const struct diff_column *column = &m->t->columns[i];
    return (struct diff_expression){
        .text = diff_arena_print(&m->c->arena, "`t%u.%u`", m->v->table, i),
        .spec = letter(column->collation),
        .is_firm = column->is_firm,
        .is_bare = true,
        .affinity = strstr(column->type, "TEXT") || strstr(column->type, "CHAR") ? 'T' : 'o'};
}

/* An expression over one column that SQLite computes. */
static struct diff_expression computed(struct maker *m)
{
    static const char *const before[] = {"substr(", "typeof(", "length(", "coalesce(", "", "",
        "", "lower(", "", "CASE WHEN ", "round(", ""};
    static const char *const after[] = {", 1, 1)", ")", ")", ", 'z')", " IS NULL", " || '!'",
        " COLLATE NOCASE", ")", " + 1", " > 'a' THEN 'high' ELSE 'low' END", ")", " % 2"};
    unsigned i = diff_random_below(m->random, 12);
    struct diff_expression column = bare_column(m, some_column(m));
    if (m->c->may_fail && percent(m, 12))
        return (struct diff_expression){
            diff_arena_print(&m->c->arena, "json_extract(%s, '$.a')", column.text), 'B', false,
            false, 0};
    return (struct diff_expression){
        diff_arena_print(&m->c->arena, "%s%s%s", before[i], column.text, after[i]),
        i == 6 ? 'N' : 'B', i == 1 || i == 2 || i == 4 || i == 5 || i == 9, false,
        i == 6 ? column.affinity : 0};
}

struct diff_expression diff_view_expression(struct diff_case *c, struct diff_random *random,
    struct diff_view *view, unsigned chance_of_bare)
{
    struct maker m = {c, random, view, &c->tables[view->table]};
    return percent(&m, chance_of_bare) ? bare_column(&m, some_column(&m)) : computed(&m);
}

static struct diff_view_column *add_column(struct maker *m, struct diff_expression expression)
{
    struct diff_view_column *column = &m->v->columns[m->v->n_columns++];
    *column = (struct diff_view_column){.text = expression.text,
        .spec = 'E',
        .collation = expression.spec,
        .affinity = expression.affinity != 0 ? expression.affinity : '-'};
    return column;
}

/* Names columns, sometimes oddly and sometimes not at all. A bare column is left without a name
** only once, so that names stay apart. */
static void name_columns(struct maker *m)
{
    for (unsigned i = 0; i < m->v->n_columns; i++) {
        struct diff_view_column *column = &m->v->columns[i];
        bool is_repeated = false;
        for (unsigned k = 0; k < i; k++)
            is_repeated = is_repeated || strcmp(m->v->columns[k].text, column->text) == 0;
        bool is_bare = column->text[0] == '`' && strchr(column->text + 1, '`')[1] == 0;
        if (is_bare && !is_repeated && !m->c->options.with_ddl && percent(m, 20))
            continue;
        column->alias =
            diff_arena_print(&m->c->arena, percent(m, 90) ? "c%u" : "odd \"name\" %u", i);
    }
}

static void make_projection(struct maker *m)
{
    unsigned n = 1 + diff_random_below(m->random, 4);

    if (!m->c->options.with_ddl && percent(m, 10)) {
        m->v->sees_all_columns = true;
        for (unsigned i = 0; i < m->t->n_columns && i < DIFF_VIEW_COLUMNS; i++)
            add_column(m, bare_column(m, i))->is_filterable = true;
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        struct diff_expression e = diff_view_expression(m->c, m->random, m->v, 75);
        if (m->t->has_rowid && m->c->options.with_rowid && percent(m, 8))
            e = (struct diff_expression){"rowid", 'B', true, false, 'o'};
        add_column(m, e)->is_filterable = true;
    }
    name_columns(m);
}

static void make_distinct(struct maker *m)
{
    m->v->is_distinct = true;
    for (unsigned n = 1 + diff_random_below(m->random, 3); n > 0; n--) {
        struct diff_expression e = diff_view_expression(m->c, m->random, m->v, 70);
        struct diff_view_column *column = add_column(m, e);
        column->spec = e.spec;
        column->member = e.text;
        column->is_group_key = true;
        column->is_filterable = true;
    }
    name_columns(m);
}

static void shuffle_columns(struct maker *m)
{
    for (unsigned i = m->v->n_columns; i > 1; i--) {
        unsigned k = diff_random_below(m->random, i);
        struct diff_view_column column = m->v->columns[i - 1];
        m->v->columns[i - 1] = m->v->columns[k];
        m->v->columns[k] = column;
    }
}

/* Says key in GROUP BY: by its text, or by position or alias where a column shows it. */
static const char *group_reference(struct maker *m, const char *key)
{
    for (unsigned i = 0; i < m->v->n_columns; i++) {
        const struct diff_view_column *column = &m->v->columns[i];
        if (!column->is_group_key || column->text != key)
            continue;
        if (percent(m, 20))
            return diff_arena_print(&m->c->arena, "%u", i + 1);
        if (column->alias == NULL || percent(m, 60))
            return key;
        struct diff_text text = {0};
        diff_text_add_name(&text, column->alias);
        return take(m, &text);
    }
    return key;
}

/* DISTINCT over groups: of rows that compare equal, any may stand for the others. */
static void make_distinct_groups(struct maker *m)
{
    m->v->is_distinct = true;
    for (unsigned i = 0; i < m->v->n_columns; i++) {
        struct diff_view_column *column = &m->v->columns[i];
        if (column->spec != 'E')
            continue;
        column->spec = 'B';
        column->is_filterable = false;
    }
}

static void make_groups(struct maker *m)
{
    static const unsigned weights[] = {60, 30, 10};
    struct diff_expression keys[DIFF_KEYS];
    unsigned n_keys = 1 + diff_random_weighted(m->random, weights, 3);

    for (unsigned i = 0; i < n_keys; i++) {
        keys[i] = diff_view_expression(m->c, m->random, m->v, 75);
        if (percent(m, 88)) {
            struct diff_view_column *column = add_column(m, keys[i]);
            column->spec = keys[i].spec;
            column->member = keys[i].text;
            column->is_group_key = true;
            column->is_filterable = true;
        }
    }
    unsigned n_aggregates = diff_random_below(m->random, 4) + (m->v->n_columns == 0);
    for (unsigned i = 0; i < n_aggregates; i++)
        *add_column(m, (struct diff_expression){0}) =
            diff_view_aggregate(m->c, m->random, m->v);
    if (m->c->options.with_distinct_groups && percent(m, 12))
        make_distinct_groups(m);
    shuffle_columns(m);
    name_columns(m);
    for (unsigned i = 0; i < n_keys; i++)
        m->v->groups[m->v->n_groups++] = group_reference(m, keys[i].text);
    if (percent(m, 25))
        m->v->having = diff_view_having(m->c, m->random, m->v);
}

static void make_global(struct maker *m)
{
    for (unsigned n = 1 + diff_random_below(m->random, 4); n > 0; n--)
        *add_column(m, (struct diff_expression){0}) =
            diff_view_aggregate(m->c, m->random, m->v);
    name_columns(m);
    if (percent(m, 10))
        m->v->having = diff_view_having(m->c, m->random, m->v);
}

static void make_options(struct maker *m)
{
    struct diff_text text = {0};
    unsigned column = diff_random_below(m->random, m->v->n_columns);

    diff_text_reset(&text);
    if (percent(m, 20))
        diff_text_add(&text, "maintain=commit, ");
    else if (percent(m, 15))
        diff_text_add(&text, "maintain=read, ");
    if (m->v->columns[column].alias != NULL && percent(m, 15)) {
        diff_text_add(&text, "index=(");
        diff_text_add_name(&text, m->v->columns[column].alias);
        diff_text_add(&text, percent(m, 30) ? " DESC), " : "), ");
    }
    m->v->options = take(m, &text);
}

static void make_view(struct maker *m, unsigned number)
{
    static const char *const orders[] = {"1", "1 DESC", "1 NULLS LAST", "1 DESC NULLS FIRST"};
    static void (*const shapes[])(struct maker *) = {
        make_groups, make_global, make_distinct, make_projection};
    static const unsigned weights[] = {50, 13, 15, 22};

    m->v->name = diff_arena_print(&m->c->arena, percent(m, 88) ? "v%u" : "View \"%u\"", number);
    shapes[diff_random_weighted(m->random, weights, 4)](m);
    if (m->c->may_fail && percent(m, 5))
        m->v->where = diff_arena_print(&m->c->arena,
            "json_extract(`t%u.%u`, '$.a') IS NOT NULL", m->v->table, some_column(m));
    else if (percent(m, 45))
        m->v->where = condition(m);
    if (percent(m, 10))
        m->v->order = orders[diff_random_below(m->random, 4)];
    make_options(m);
}

static void make_composed(struct maker *m, unsigned number)
{
    m->v->name = diff_arena_print(&m->c->arena, "v%u", number);
    diff_compose(m->c, m->random, m->v);
    make_options(m);
}

void diff_case_make_views(struct diff_case *c, struct diff_random *random)
{
    unsigned n = 1 + diff_random_below(random, DIFF_VIEWS);
    bool may_compose = c->options.composed > 0 && !c->may_fail;

    if (may_compose && diff_random_percent(random, 30))
        diff_compose_plain_view(c, random);
    for (unsigned i = 0; i < n; i++) {
        struct diff_view *v = &c->views[c->n_views++];
        v->table = diff_random_below(random, c->n_tables);
        struct maker m = {c, random, v, &c->tables[v->table]};
        if (may_compose && diff_random_percent(random, c->options.composed))
            make_composed(&m, i);
        else
            make_view(&m, i);
    }
}
