/* Reading <view>_data by what xBestIndex has chosen. */
#include "ext/selection.h"

#include <stdlib.h>
#include <string.h>

#include "ext/statement.h"

/* One item; the view's own order has column -1. */
struct item {
    int column;
    char op;
};

static bool next_item(const char **items, struct item *item)
{
    char *op;

    if (**items == '\0')
        return false;
    item->column = (int)strtol(*items, &op, 10);
    item->op = *op;
    *items = op + 2;
    if (item->op == 'v')
        item->column = -1;
    return true;
}

static bool is_constraint(const struct item *item)
{
    return item->column >= 0 && item->op != '+' && item->op != '-';
}

/* As the view declares the column, which <view>_data does not for NUMERIC: see create.c. */
static enum ls_affinity affinity_of(const struct ls_view *view, int column)
{
    const struct zsql_plan *plan = view->definition->plan;
    return ls_affinity_of(plan->operators[plan->n_operators - 1]->columns[column].type);
}

/* One constraint. SQLite may compare with either side turned into the other's type. What the other
** side is is not known here; rows too many are no harm, so what could be meant then is let through:
**   for a number, where the column is not numeric, every text: the number may be compared as one
**   for a text, where the column has no affinity, every number: it may be compared as text
**   below a text, where the column is not numeric, every text that may be compared as a number,
**   which is below all texts: it begins with a space, a sign, a point or a digit
** As far as the order of SQLite's types does not let it through as it is. */
static void append_constraint(const struct ls_view *view, sqlite3_str *text,
    const struct item *item, int parameter, int type)
{
    const char *name = view->columns[item->column].name;
    const char *sign = item->op == '='   ? "="
                       : item->op == 'i' ? "IS"
                       : item->op == 'g' ? ">="
                       : item->op == 'l' ? "<="
                       : item->op == '>' ? ">"
                                         : "<";
    bool is_number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    bool is_above = item->op == '>' || item->op == 'g';
    bool is_below = item->op == '<' || item->op == 'l';
    enum ls_affinity affinity = affinity_of(view, item->column);
    bool is_numeric = ls_affinity_is_numeric(affinity);

    sqlite3_str_appendf(
        text, "%s(\"%w\" %s ", parameter == 1 ? " WHERE " : " AND ", name, sign);
    if (type == SQLITE_TEXT && is_below && !is_numeric)
        sqlite3_str_appendf(text, "max(?%d COLLATE \"%w\", ':')", parameter,
            view->columns[item->column].collation);
    else
        sqlite3_str_appendf(text, "?%d", parameter);
    if (is_number && !is_numeric && !is_above)
        sqlite3_str_appendf(text, " OR (\"%w\" >= '' AND \"%w\" < x'')", name, name);
    if (type == SQLITE_TEXT && affinity == LS_NONE && !is_below)
        sqlite3_str_appendf(text, " OR \"%w\" < ''", name);
    sqlite3_str_appendf(text, ")");
}

/* A numeric column is compared with a text that spells a number as with that number. */
static int read_number(sqlite3_value *argument, struct zs_value *value)
{
    sqlite3_value *copy = sqlite3_value_dup(argument);
    int type;

    if (copy == NULL)
        return SQLITE_NOMEM;
    type = sqlite3_value_numeric_type(copy);
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        *value = ls_value(copy);
    sqlite3_value_free(copy);
    return SQLITE_OK;
}

int ls_selection_bind(const struct ls_view *view, const char *items, sqlite3_stmt *statement,
    sqlite3_value **argv)
{
    struct item item;
    int rc = SQLITE_OK;

    for (int i = 0; rc == SQLITE_OK && next_item(&items, &item) && is_constraint(&item); i++) {
        struct zs_value value = ls_value(argv[i]);

        if (value.type == ZS_TEXT && ls_affinity_is_numeric(affinity_of(view, item.column)))
            rc = read_number(argv[i], &value);
        if (rc == SQLITE_OK)
            rc = ls_bind(statement, i + 1, &value);
    }
    return rc;
}

/* Order */

/* NULLs that are not where SQLite has them stand by an expression of their own, so that an index
** can be made of it. */
static void append_term(
    sqlite3_str *text, const char *comma, const char *name, const struct zsql_order *term)
{
    sqlite3_str_appendf(text, "%s", comma);
    if (term->has_nulls_last != term->is_descending)
        sqlite3_str_appendf(
            text, "\"%w\" IS NULL%s, ", name, term->has_nulls_last ? "" : " DESC");
    sqlite3_str_appendf(text, "\"%w\" COLLATE \"%w\"%s", name, term->collation_name,
        term->is_descending ? " DESC" : "");
}

void ls_selection_append_order(
    sqlite3_str *text, const struct ls_view *view, const struct zsql_plan *plan)
{
    for (size_t i = 0; i < plan->n_order; i++) {
        const struct zsql_order *term = &plan->order[i];
        int column = (int)term->column;
        char hidden[32];

        sqlite3_snprintf(sizeof(hidden), hidden, LS_ORDER_COLUMN, column - view->n_columns + 1);
        append_term(text, i > 0 ? ", " : "",
            column < view->n_columns ? view->columns[column].name : hidden, term);
    }
}

static struct zsql_order order_of(const struct ls_view *view, const struct item *item)
{
    const char *name = view->columns[item->column].collation;
    struct zsql_order term = {.column = (size_t)item->column,
        .collation_name = name,
        .is_descending = item->op == '-',
        .has_nulls_last = item->op == '-'};

    (void)ls_collation_of(name, &term.collation); /* xBestIndex has asked the same */
    return term;
}

int ls_selection_order(
    const struct ls_view *view, const char *items, struct zsql_order **order, size_t *n)
{
    const struct zsql_plan *plan = view->definition->plan;
    size_t most = plan->n_order + strlen(items);
    struct item item;

    *n = 0;
    *order = zs_alloc_zeroed(&ls_alloc, most * sizeof(**order));
    if (*order == NULL)
        return SQLITE_NOMEM;
    while (next_item(&items, &item)) {
        for (size_t i = 0; item.column < 0 && i < plan->n_order; i++)
            (*order)[(*n)++] = plan->order[i];
        if (item.column >= 0 && !is_constraint(&item))
            (*order)[(*n)++] = order_of(view, &item);
    }
    return SQLITE_OK;
}

/* Statements */

char *ls_selection_text(struct ls_view *view, const char *items, sqlite3_value **argv)
{
    const struct zsql_plan *plan = view->definition->plan;
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    const char *comma = " ORDER BY ";
    struct item item;
    int parameter = 1;
    const char *rest = items;

    sqlite3_str_appendf(text, "SELECT * FROM \"%w\".\"%w_data\"", view->schema, view->name);
    for (; next_item(&rest, &item) && is_constraint(&item); parameter++)
        append_constraint(
            view, text, &item, parameter, sqlite3_value_type(argv[parameter - 1]));
    if (ls_result_n_hidden(ls_pipeline_result(view->pipeline)) > 0)
        sqlite3_str_appendf(text, "%s NOT lockstep_hides(lockstep_row, ?%d)",
            parameter == 1 ? " WHERE" : " AND", parameter);
    while (next_item(&items, &item)) {
        struct zsql_order term;

        if (item.column < 0 && plan->n_order > 0) {
            sqlite3_str_appendf(text, "%s", comma);
            ls_selection_append_order(text, view, plan);
        }
        if (item.column < 0 || is_constraint(&item))
            continue;
        term = order_of(view, &item);
        append_term(text, comma, view->columns[item.column].name, &term);
        comma = ", ";
    }
    return sqlite3_str_finish(text);
}

char *ls_selection_query(const struct ls_view *view, const char *items)
{
    const char *exact_text = view->definition->plan->exact_text;
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    const char *comma = ") ORDER BY ";
    struct item item;

    sqlite3_str_appendf(text, "SELECT * FROM (%s", exact_text);
    while (next_item(&items, &item)) {
        if (item.column < 0 || is_constraint(&item))
            continue;
        sqlite3_str_appendf(text, "%s%d COLLATE \"%w\"%s", comma, item.column + 1,
            view->columns[item.column].collation, item.op == '-' ? " DESC" : "");
        comma = ", ";
    }
    if (*comma == ')') { /* in its own order, which a subquery need not keep */
        sqlite3_free(sqlite3_str_finish(text));
        return sqlite3_mprintf("%s", exact_text);
    }
    return sqlite3_str_finish(text);
}
