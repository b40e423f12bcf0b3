/* FROM: tables, subqueries, CTEs, plain views and json_each, joined in every way. */
#include <string.h>

#include "tests/diff_compose.h"

/* Tables are emptied where a case is made smaller. */
static unsigned some_table(struct diff_composer *m)
{
    unsigned first = diff_choose(m, m->c->n_tables);
    for (unsigned i = 0; i < m->c->n_tables; i++) {
        unsigned t = (first + i) % m->c->n_tables;
        if (m->c->tables[t].n_columns > 0)
            return t;
    }
    return 0;
}

static void add_column(struct diff_scope *scope, struct diff_composed_column column)
{
    if (scope->n < DIFF_SCOPE_COLUMNS)
        scope->columns[scope->n++] = column;
}

static char affinity_of(const struct diff_column *column)
{
    if (strstr(column->type, "TEXT") || strstr(column->type, "CHAR"))
        return 'T';
    if (strcmp(column->type, "REAL") == 0)
        return 'R';
    return strcmp(column->type, "BLOB") == 0 || column->type[0] == 0 ? 'B' : 'N';
}

static char kind_of(const struct diff_column *column)
{
    char affinity = affinity_of(column);
    if (!column->is_firm || affinity == 'B')
        return 'O';
    return affinity == 'N' ? 'I' : affinity;
}

static void add_table(struct diff_composer *m, struct diff_scope *scope, struct diff_text *out)
{
    unsigned t = some_table(m), item = m->n_items++;
    const struct diff_table *table = &m->c->tables[t];

    diff_text_add(out, "`t%u` AS a%u", t, item);
    for (unsigned i = 0; i < table->n_columns; i++) {
        const struct diff_column *column = &table->columns[i];
        add_column(scope, (struct diff_composed_column){
                              .text = diff_compose_print(m, "a%u.`t%u.%u`", item, t, i),
                              .domain = column->domain,
                              .kind = kind_of(column),
                              .letter = column->collation[0],
                              .is_firm = column->is_firm,
                              .affinity = affinity_of(column),
                              .item = (int)item,
                              .is_key = (int)i == table->rowid_column});
    }
    scope->rows = 10;
}

/* Columns c0, c1, ... of a name, or without one u<item>_0, u<item>_1, ... */
static void add_columns(struct diff_composer *m, struct diff_scope *scope,
    const struct diff_relation *relation, bool is_named)
{
    unsigned item = m->n_items++;
    for (unsigned i = 0; i < relation->n; i++) {
        struct diff_composed_column column = relation->columns[i];
        column.text = diff_compose_print(m, is_named ? "a%u.c%u" : "u%u_%u", item, i);
        column.item = (int)item;
        column.is_key = false;
        add_column(scope, column);
    }
    scope->rows = relation->rows;
}

static void add_relation(
    struct diff_composer *m, struct diff_scope *scope, const struct diff_relation *relation)
{
    add_columns(m, scope, relation, true);
}

static void add_subquery(
    struct diff_composer *m, struct diff_scope *scope, unsigned depth, struct diff_text *out)
{
    struct diff_relation relation;
    struct diff_wish wish = {.depth = depth + 1};
    struct diff_text query = {0};
    bool is_named = diff_chance(m, 75);

    diff_compose_query(m, NULL, wish, &relation, &query);
    diff_text_add(out, is_named ? "(" : "(SELECT ");
    for (unsigned i = 0; !is_named && i < relation.n; i++)
        diff_text_add(out, "%sc%u AS u%u_%u", i > 0 ? ", " : "", i, m->n_items, i);
    diff_text_add(out, is_named ? "" : " FROM (");
    diff_text_add_bytes(out, query.data, query.len);
    if (is_named)
        diff_text_add(out, ") AS a%u", m->n_items);
    else
        diff_text_add(out, "))");
    diff_text_free(&query);
    add_columns(m, scope, &relation, is_named);
}

/* One of WITH, which is made on the way; a second use of it is as likely. */
static void add_cte(
    struct diff_composer *m, struct diff_scope *scope, unsigned depth, struct diff_text *out)
{
    unsigned i = diff_choose(m, 2);

    if (i >= m->n_ctes) {
        struct diff_relation relation;
        struct diff_wish wish = {.depth = depth + 1};
        struct diff_text text = {0};
        diff_compose_query(m, NULL, wish, &relation, &text);
        i = m->n_ctes; /* the query may have made one itself */
        if (i == 2) {
            diff_text_free(&text);
            i = 1;
        } else {
            diff_text_add(&m->ctes, "%sq%u AS (", i > 0 ? ", " : "WITH ", i);
            diff_text_add_bytes(&m->ctes, text.data, text.len);
            diff_text_add(&m->ctes, ") ");
            diff_text_free(&text);
            m->cte[i] = relation;
            m->n_ctes++;
        }
    }
    diff_text_add(out, "q%u AS a%u", i, m->n_items);
    add_relation(m, scope, &m->cte[i]);
}

static void add_plain_view(
    struct diff_composer *m, struct diff_scope *scope, struct diff_text *out)
{
    diff_text_add(out, "%s AS a%u", m->c->plain_view, m->n_items);
    add_relation(m, scope, m->c->plain_relation);
}

/* The elements of what is valid JSON in a column of the items before. */
static bool add_json(struct diff_composer *m, struct diff_scope *scope,
    const struct diff_scope *before, struct diff_text *out)
{
    static const char *const names[] = {"key", "value", "type"};
    struct diff_composed_column of;
    unsigned item = m->n_items;

    if (!diff_compose_pick(m, before, &of))
        return false;
    m->n_items++;
    diff_text_add(
        out, "json_each(CASE WHEN json_valid(%s) THEN %s END) AS a%u", of.text, of.text, item);
    for (int i = 0; i < 3; i++)
        add_column(scope, (struct diff_composed_column){
                              .text = diff_compose_print(m, "a%u.%s", item, names[i]),
                              .domain = i == 1 ? DIFF_INTEGERS : DIFF_TEXTS,
                              .kind = i == 2 ? 'T' : 'O',
                              .letter = 'B',
                              .is_firm = i == 2,
                              .item = (int)item});
    scope->rows = 2;
    return true;
}

/* Whether the view has json_each of this join: only behind what it may name. */
static void add_item(struct diff_composer *m, struct diff_scope *item,
    const struct diff_scope *before, struct diff_wish wish, struct diff_text *out)
{
    item->n = 0;
    if (before != NULL && !m->is_plain && diff_may(m, DIFF_JSON_EACH, 7) &&
        add_json(m, item, before, out))
        return;
    if (wish.depth < 2 && diff_may(m, DIFF_FROM_SUBQUERY, 14))
        add_subquery(m, item, wish.depth, out);
    else if (wish.depth < 2 && !m->is_plain && diff_may(m, DIFF_CTE, 10))
        add_cte(m, item, wish.depth, out);
    else if (!m->is_plain && m->c->plain_view != NULL && diff_may(m, DIFF_PLAIN_VIEW, 10))
        add_plain_view(m, item, out);
    else
        add_table(m, item, out);
}

/* A column of the item beside one of those before, equal in most cases. */
static const char *meeting(
    struct diff_composer *m, const struct diff_scope *before, const struct diff_scope *item)
{
    static const char *const operators[] = {"=", "=", "=", "=", "=", "=", "=", "IS", "<", ">="};
    struct diff_scope inner = *item, earlier = *before;
    struct diff_composed_column a, b;

    inner.outer = earlier.outer = NULL;
    if (!diff_compose_pick(m, &inner, &a) || !diff_compose_pick(m, &earlier, &b))
        return "1";
    /* one of the same kind, where it is soon found */
    for (unsigned i = 0; i < 3 && a.kind != b.kind; i++)
        diff_compose_pick(m, &earlier, &b);
    return diff_compose_print(m, "%s %s %s", a.text, operators[diff_choose(m, 10)], b.text);
}

/* A column of the item is what a subquery gives for a row of those before: NULL where there is
** none. */
static const char *latest(struct diff_composer *m, const struct diff_scope *before,
    const struct diff_scope *item, unsigned depth)
{
    struct diff_scope inner = *item;
    struct diff_composed_column a;
    const char *first = diff_compose_first(m, before, depth + 1);

    inner.outer = NULL;
    if (first == NULL || !diff_compose_pick(m, &inner, &a))
        return NULL;
    return diff_chance(m, 50) ? diff_compose_print(m, "%s = %s", a.text, first)
                              : diff_compose_print(m, "%s = %s", first, a.text);
}

static void add_on(struct diff_composer *m, const struct diff_scope *before,
    const struct diff_scope *item, struct diff_wish wish, struct diff_text *out)
{
    struct diff_scope both = *before;
    const char *test = NULL, *meets = NULL;

    for (unsigned i = 0; i < item->n; i++)
        add_column(&both, item->columns[i]);
    if (wish.depth < 2 && diff_may(m, DIFF_SUBQUERY_IN_ON, 5) && diff_may(m, DIFF_FIRST, 100))
        meets = latest(m, before, item, wish.depth);
    diff_text_add(out, " ON %s", meets != NULL ? meets : meeting(m, before, item));
    if (diff_chance(m, 25))
        diff_text_add(out, "%s%s", diff_chance(m, 25) ? " OR " : " AND ",
            diff_chance(m, 30) ? meeting(m, before, item)
                               : diff_compose_condition(m, &both, 3));
    if (wish.depth < 2 && diff_may(m, DIFF_SUBQUERY_IN_ON, 6))
        test = diff_compose_test(m, &both, 2);
    if (test != NULL)
        diff_text_add(out, " AND %s", test);
}

static bool may_compare(const struct diff_composed_column *column)
{
    return !column->is_loose && !column->is_mixed;
}

/* The column's name, behind that of what it is of, if that has one. */
static const char *own_name(const struct diff_composed_column *column)
{
    const char *dot = strchr(column->text, '.');
    return dot != NULL ? dot + 1 : column->text;
}

/* A name that the item shares with what stands before, for USING; NULL where there is none. A
** table's names are those that it has at first. */
static const char *shared_name(
    struct diff_composer *m, const struct diff_scope *before, const struct diff_scope *item)
{
    struct diff_names names = {0};
    diff_names_init(&names, m->c);
    for (unsigned i = 0; i < item->n; i++) {
        struct diff_text a = {0}, b = {0};
        const char *found = NULL;
        diff_render(m->c, &names, DIFF_AS_VIEW, own_name(&item->columns[i]), &a);
        for (unsigned k = 0; k < before->n && found == NULL; k++) {
            diff_text_reset(&b);
            diff_render(m->c, &names, DIFF_AS_VIEW, own_name(&before->columns[k]), &b);
            if (strcmp(a.data, b.data) == 0 && may_compare(&before->columns[k]) &&
                may_compare(&item->columns[i]))
                found = own_name(&item->columns[i]);
        }
        diff_text_free(&a);
        diff_text_free(&b);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* NATURAL compares what the names say, loose columns too. */
static bool has_loose(const struct diff_scope *scope)
{
    for (unsigned i = 0; i < scope->n; i++) {
        if (!may_compare(&scope->columns[i]))
            return true;
    }
    return false;
}

static const char *outer_join(struct diff_composer *m)
{
    if (diff_may(m, DIFF_LEFT, 70))
        return " LEFT JOIN ";
    if (diff_may(m, DIFF_RIGHT, 50))
        return " RIGHT JOIN ";
    if (diff_may(m, DIFF_FULL, 60))
        return " FULL JOIN ";
    return " LEFT JOIN ";
}

static bool may_be_outer(struct diff_composer *m)
{
    uint64_t outer =
        UINT64_C(1) << DIFF_LEFT | UINT64_C(1) << DIFF_RIGHT | UINT64_C(1) << DIFF_FULL;
    return (m->c->options.without & outer) == 0 && diff_chance(m, 40);
}

static void join_one(struct diff_composer *m, struct diff_scope *scope, struct diff_wish wish,
    struct diff_text *out);

/* A join of two in parentheses. */
static void add_parentheses(struct diff_composer *m, struct diff_scope *item,
    struct diff_wish wish, struct diff_text *out)
{
    struct diff_wish within = {.depth = wish.depth + 1};

    diff_text_add(out, "(");
    add_item(m, item, NULL, within, out);
    join_one(m, item, within, out);
    diff_text_add(out, ")");
}

static void join_one(struct diff_composer *m, struct diff_scope *scope, struct diff_wish wish,
    struct diff_text *out)
{
    struct diff_scope item = {.outer = NULL};
    struct diff_text text = {0};
    const char *name;

    if (wish.depth < 2 && scope->rows < 50 && diff_may(m, DIFF_PARENTHESES, 8))
        add_parentheses(m, &item, wish, &text);
    else
        add_item(m, &item, scope, wish, &text);
    bool is_large = scope->rows * item.rows > 150;
    bool is_function = strncmp(text.data, "json_each", 9) == 0;
    bool is_outer = may_be_outer(m);
    const char *join = !is_outer ? " JOIN " : is_function ? " LEFT JOIN " : outer_join(m);
    if (!is_outer)
        m->uses |= UINT64_C(1) << DIFF_JOIN;
    double rows = scope->rows * item.rows;
    if (!is_large && !is_outer && diff_may(m, DIFF_COMMA, 20)) {
        diff_text_add(out, ", %s", text.data);
    } else if (!is_large && !is_outer && diff_may(m, DIFF_CROSS, 8)) {
        diff_text_add(out, " CROSS JOIN %s", text.data);
    } else if (!is_large && !has_loose(scope) && !has_loose(&item) && !is_function &&
               diff_may(m, DIFF_NATURAL, 8)) {
        diff_text_add(out, " NATURAL%s%s", join, text.data);
    } else if (!is_function && (name = shared_name(m, scope, &item)) != NULL &&
               diff_may(m, DIFF_USING, 12)) {
        diff_text_add(out, "%s%s USING (%s)", join, text.data, name);
        rows /= 4;
    } else {
        diff_text_add(out, "%s%s", join, text.data);
        add_on(m, scope, &item, wish, out);
        rows /= 4;
    }
    diff_text_free(&text);
    for (unsigned i = 0; i < item.n; i++)
        add_column(scope, item.columns[i]);
    scope->rows = rows < 1 ? 1 : rows;
}

/* A subquery of one row that is compared with what stands before, and read nowhere else. */
static void join_value(struct diff_composer *m, const struct diff_scope *scope,
    struct diff_wish wish, struct diff_text *out)
{
    static const char *const forms[] = {"%s = %s", "%s > %s", "%s <= %s", "%s <> %s",
        "%s BETWEEN %s AND 2", "%s IS %s OR 0", "CASE WHEN %s >= %s THEN 1 END"};
    struct diff_scope inner = {.outer = NULL}, alone = *scope;
    struct diff_composed_column a, b;
    struct diff_text from = {0};
    unsigned number = m->n_items++;

    wish.depth++;
    diff_compose_from(m, &inner, wish, &from);
    alone.outer = NULL;
    if (diff_compose_pick(m, &inner, &a) && diff_compose_pick(m, &alone, &b)) {
        const char *value = diff_compose_print(m, "a%u.c0", number);

        diff_text_add(out, " JOIN (SELECT %s(%s) AS c0%s) AS a%u ON ",
            a.is_firm ? "max" : "count", a.text, from.data, number);
        diff_text_add(
            out, "%s", diff_compose_print(m, forms[diff_choose(m, 7)], b.text, value));
        m->uses |= UINT64_C(1) << DIFF_JOIN | UINT64_C(1) << DIFF_FROM_SUBQUERY;
    }
    diff_text_free(&from);
}

void diff_compose_from(struct diff_composer *m, struct diff_scope *scope, struct diff_wish wish,
    struct diff_text *out)
{
    static const unsigned chances[] = {72, 40, 25}; /* of one more item */

    diff_text_add(out, " FROM ");
    add_item(m, scope, NULL, wish, out);
    for (unsigned i = 0; i < 3; i++) {
        unsigned chance = wish.depth == 0 ? chances[i] : chances[i] / 3;
        bool is_left_out = (m->c->options.without >> DIFF_JOIN & 1) != 0;
        if (is_left_out || scope->rows > 250 || !diff_chance(m, chance))
            break;
        join_one(m, scope, wish, out);
    }
    if (wish.depth == 0 && diff_may(m, DIFF_JOIN, 8) && diff_may(m, DIFF_FROM_SUBQUERY, 100))
        join_value(m, scope, wish, out);
}
