/* What stands in FROM: tables, subqueries, CTEs, views, VALUES and json_each. */
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

void diff_scope_add(struct diff_scope *scope, struct diff_composed_column column)
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
        diff_scope_add(scope, (struct diff_composed_column){
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

/* Columns by their names, or of what has no name u<item>_0, u<item>_1, ... */
static void add_columns(struct diff_composer *m, struct diff_scope *scope,
    const struct diff_relation *relation, bool is_named)
{
    unsigned item = m->n_items++;
    for (unsigned i = 0; i < relation->n; i++) {
        struct diff_composed_column column = relation->columns[i];
        column.text = is_named
                          ? diff_compose_print(m, "a%u.%s", item, relation->columns[i].text)
                          : diff_compose_print(m, "u%u_%u", item, i);
        column.item = (int)item;
        column.is_key = false;
        diff_scope_add(scope, column);
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
        diff_text_add(
            out, "%s%s AS u%u_%u", i > 0 ? ", " : "", relation.columns[i].text, m->n_items, i);
    diff_text_add(out, is_named ? "" : " FROM (");
    diff_text_add_bytes(out, query.data, query.len);
    if (is_named)
        diff_text_add(out, ") AS a%u", m->n_items);
    else
        diff_text_add(out, "))");
    diff_text_free(&query);
    add_columns(m, scope, &relation, is_named);
}

/* Adds a query to WITH, sometimes with names of its own for the columns. */
static void make_cte(struct diff_composer *m, const char *query, struct diff_relation *relation)
{
    static const char *const hints[] = {"", "", "", "MATERIALIZED ", "NOT MATERIALIZED "};
    unsigned i = m->n_ctes++;
    bool is_renamed = diff_chance(m, 25);

    diff_text_add(&m->ctes, "%sq%u", i > 0 ? ", " : "WITH ", i);
    for (unsigned k = 0; is_renamed && k < relation->n; k++) {
        relation->columns[k].text = diff_compose_print(m, "k%u", k);
        diff_text_add(&m->ctes, "%sk%u", k > 0 ? ", " : "(", k);
    }
    diff_text_add(&m->ctes, "%s AS %s(", is_renamed ? ")" : "", hints[diff_choose(m, 5)]);
    diff_text_add_bytes(&m->ctes, query, strlen(query));
    diff_text_add(&m->ctes, ") ");
    m->cte[i] = *relation;
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
        i = m->n_ctes < 2 ? m->n_ctes : 1; /* the query may have made one itself */
        if (m->n_ctes < 2)
            make_cte(m, text.data, &relation);
        diff_text_free(&text);
    }
    diff_text_add(out, "q%u AS a%u", i, m->n_items);
    add_relation(m, scope, &m->cte[i]);
}

/* An earlier view that the engine keeps. A virtual table's column has an affinity where an
** expression's in a query has none: such a one is cast, or only shown. */
static bool add_view(struct diff_composer *m, struct diff_scope *scope, struct diff_text *out)
{
    unsigned v = m->n_readable > 0 ? diff_choose(m, m->n_readable) : 0;
    const struct diff_view *view = &m->c->views[v];
    struct diff_relation relation;
    bool is_cast = diff_chance(m, 60);

    if (m->n_readable == 0 || view->relation == NULL)
        return false;
    m->n_read += view->n_bytes;
    relation = *view->relation;
    diff_text_add(out, is_cast ? "(SELECT " : "`v%u` AS a%u", v, m->n_items);
    for (unsigned i = 0; i < relation.n; i++) {
        struct diff_composed_column *column = &relation.columns[i];
        bool has_type = column->affinity != 0 && column->affinity != 'S' && !column->is_mixed;
        const char *type = column->kind == 'I'   ? "INTEGER"
                           : column->kind == 'T' ? "TEXT"
                                                 : NULL;

        if (is_cast && !has_type && type != NULL) {
            diff_text_add(out, "%sCAST(%s AS %s) AS %s", i > 0 ? ", " : "", column->text, type,
                column->text);
            column->affinity = column->kind == 'T' ? 'T' : 'N';
            column->letter = 'B';
        } else {
            if (is_cast)
                diff_text_add(out, "%s%s", i > 0 ? ", " : "", column->text);
            column->is_mixed = column->is_mixed || !has_type;
        }
    }
    if (is_cast)
        diff_text_add(out, " FROM `v%u`) AS a%u", v, m->n_items);
    m->is_rough = m->is_rough || view->is_rough;
    add_relation(m, scope, &relation);
    return true;
}

/* Rows of constants. Of a kind that is neither I nor T, anything. */
void diff_compose_values(struct diff_composer *m, const struct diff_relation *like,
    struct diff_relation *relation, struct diff_text *out)
{
    static const char *const integers[] = {"1", "2", "0", "NULL", "3"};
    static const char *const texts[] = {"'a'", "'b'", "NULL", "''", "'A'"};
    static const char *const others[] = {"1", "'a'", "NULL", "0.5", "1.0"};
    unsigned n_rows = 1 + diff_choose(m, 3);

    for (unsigned row = 0; row < n_rows; row++) {
        for (unsigned i = 0; i < like->n; i++) {
            char kind = like->columns[i].kind;
            const char *const *words = kind == 'I' ? integers : kind == 'T' ? texts : others;
            diff_text_add(out, "%s%s",
                i > 0     ? ", "
                : row > 0 ? "), ("
                          : "VALUES (",
                words[diff_choose(m, 5)]);
        }
    }
    diff_text_add(out, ")");
    *relation = (struct diff_relation){.n = like->n, .rows = n_rows};
    for (unsigned i = 0; i < like->n; i++) {
        char kind = like->columns[i].kind;
        bool is_firm = kind == 'I' || kind == 'T';
        relation->columns[i] =
            (struct diff_composed_column){.text = diff_compose_print(m, "column%u", i + 1),
                .domain = kind == 'T' ? DIFF_TEXTS : DIFF_INTEGERS,
                .kind = is_firm ? kind : 'O',
                .letter = 'B',
                .is_firm = is_firm};
    }
}

static void add_values(struct diff_composer *m, struct diff_scope *scope, struct diff_text *out)
{
    static const char kinds[] = {'I', 'T', 'O'};
    struct diff_relation like = {.n = 1 + diff_choose(m, 3)}, relation;

    for (unsigned i = 0; i < like.n; i++)
        like.columns[i].kind = kinds[diff_choose(m, 3)];
    diff_text_add(out, "(");
    diff_compose_values(m, &like, &relation, out);
    diff_text_add(out, ") AS a%u", m->n_items);
    add_relation(m, scope, &relation);
}

static void add_plain_view(
    struct diff_composer *m, struct diff_scope *scope, struct diff_text *out)
{
    diff_text_add(out, "%s AS a%u", m->c->plain_view, m->n_items);
    add_relation(m, scope, m->c->plain_relation);
}

/* The elements of what is valid JSON in a column of the items before, or of a constant. */
static bool add_json(struct diff_composer *m, struct diff_scope *scope,
    const struct diff_scope *before, struct diff_text *out)
{
    static const char *const names[] = {"key", "value", "type"};
    static const char *const functions[] = {"json_each", "json_each", "json_each", "json_tree"};
    static const char *const paths[] = {"", "", "", ", '$.a'"};
    struct diff_composed_column of = {.text = "'[1, 2, null, \"a\", {\"a\": 1}]'"};
    unsigned item = m->n_items;

    if (before == NULL || (!diff_chance(m, 20) && !diff_compose_pick(m, before, &of)))
        return false;
    m->n_items++;
    diff_text_add(out, "%s(CASE WHEN json_valid(%s) THEN %s END%s) AS a%u",
        functions[diff_choose(m, 4)], of.text, of.text, paths[diff_choose(m, 4)], item);
    for (int i = 0; i < 3; i++)
        diff_scope_add(scope, (struct diff_composed_column){
                                  .text = diff_compose_print(m, "a%u.%s", item, names[i]),
                                  .domain = i == 1 ? DIFF_INTEGERS : DIFF_TEXTS,
                                  .kind = i == 2 ? 'T' : 'O',
                                  .letter = 'B',
                                  .is_firm = i == 2,
                                  .item = (int)item});
    scope->rows = 2;
    return true;
}

/* Functions stand only behind what they may name. */
void diff_compose_item(struct diff_composer *m, struct diff_scope *item,
    const struct diff_scope *before, struct diff_wish wish, struct diff_text *out)
{
    item->n = 0;
    if (before != NULL && !m->is_plain && diff_may(m, DIFF_JSON_EACH, 7) &&
        add_json(m, item, before, out))
        return;
    if (!m->is_plain && diff_may(m, DIFF_VIEW, 9) && add_view(m, item, out))
        return;
    if (wish.depth < 2 && diff_may(m, DIFF_FROM_SUBQUERY, 14))
        add_subquery(m, item, wish.depth, out);
    else if (wish.depth < 2 && !m->is_plain && diff_may(m, DIFF_CTE, 10))
        add_cte(m, item, wish.depth, out);
    else if (!m->is_plain && m->c->plain_view != NULL && diff_may(m, DIFF_PLAIN_VIEW, 10))
        add_plain_view(m, item, out);
    else if (before != NULL && diff_may(m, DIFF_VALUES, 4))
        add_values(m, item, out);
    else
        add_table(m, item, out);
}
