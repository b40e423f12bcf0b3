/* Reading <view>_data by what xBestIndex has chosen. */
#include "ext/selection.h"

#include <string.h>

#include "ext/argument.h"
#include "ext/statement.h"

bool ls_item_next(const char **items, struct ls_item *item)
{
    const char *at = *items;

    if (*at == '\0')
        return false;
    item->column = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        item->column = 10 * item->column + (*at - '0');
    item->op = *at;
    *items = at + 2;
    if (item->op == 'v')
        item->column = -1;
    return true;
}

bool ls_item_is_constraint(const struct ls_item *item)
{
    return item->column >= 0 && item->op != '+' && item->op != '-';
}

/* <view>_data does not have NUMERIC: see create.c. */
enum ls_affinity ls_selection_affinity(const struct ls_view *view, int column)
{
    return ls_pipeline_location(view->pipeline)->affinities[column];
}

/* Of a column, what is let through besides. */
static void append_strays(sqlite3_str *text, const char *name, bool texts, bool numbers)
{
    if (texts)
        sqlite3_str_appendf(text, " OR (\"%w\" >= '' AND \"%w\" < x'')", name, name);
    if (numbers)
        sqlite3_str_appendf(text, " OR \"%w\" < ''", name);
}

/* One constraint. SQLite may compare with either side turned into the other's type. What the
** other side is is not known here; rows too many are no harm, so what could be meant then is
** let through:
**   for a number, where the column is not numeric, every text: either may be compared as the other
**   for a text, where the column has no affinity, every number: it may be compared as text
**   below a text, where the column is not numeric, every text that may be compared as a number,
**   which is below all texts: it begins with a space, a sign, a point or a digit
** As far as the order of SQLite's types does not let it through as it is. */
static void append_one(const struct ls_view *view, sqlite3_str *text,
    const struct ls_item *item, int parameter, int type)
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
    enum ls_affinity affinity = ls_selection_affinity(view, item->column);
    bool is_numeric = ls_affinity_is_numeric(affinity);

    sqlite3_str_appendf(text, "(\"%w\" %s ", name, sign);
    if (type == SQLITE_TEXT && is_below && !is_numeric)
        sqlite3_str_appendf(text, "max(?%d COLLATE \"%w\", ':')", parameter,
            view->columns[item->column].collation);
    else
        sqlite3_str_appendf(text, "?%d", parameter);
    append_strays(text, name, is_number && !is_numeric && (!is_above || affinity == LS_TEXT),
        type == SQLITE_TEXT && affinity == LS_NONE && !is_below);
    sqlite3_str_appendf(text, ")");
}

/* The same of several values at once. */
static void append_several(const struct ls_view *view, sqlite3_str *text,
    const struct ls_item *item, int parameter, const struct ls_argument *argument)
{
    const char *name = view->columns[item->column].name;
    enum ls_affinity affinity = ls_selection_affinity(view, item->column);
    int n = ls_argument_n_parameters(argument);

    if (argument->is_any) {
        sqlite3_str_appendf(text, "1");
        return;
    }
    sqlite3_str_appendf(text, "(\"%w\" IN (", name);
    for (int i = 0; i < n; i++)
        sqlite3_str_appendf(text, "%s?%d", i > 0 ? "," : "", parameter + i);
    sqlite3_str_appendf(text, ")");
    append_strays(text, name, argument->has_number && !ls_affinity_is_numeric(affinity),
        argument->has_text && affinity == LS_NONE);
    sqlite3_str_appendf(text, ")");
}

/* All constraints, as WHERE; *parameter is the number of the first parameter, then of the next. */
static void append_constraints(const struct ls_view *view, sqlite3_str *text, const char *items,
    const struct ls_arguments *arguments, int *parameter)
{
    struct ls_item item;

    for (int i = 0; ls_item_next(&items, &item) && ls_item_is_constraint(&item); i++) {
        const struct ls_argument *argument = &arguments->items[i];

        sqlite3_str_appendf(text, i == 0 ? " WHERE " : " AND ");
        if (argument->is_several)
            append_several(view, text, &item, *parameter, argument);
        else
            append_one(view, text, &item, *parameter, sqlite3_value_type(argument->value));
        *parameter += ls_argument_n_parameters(argument);
    }
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

int ls_selection_value(const struct ls_view *view, const struct ls_item *item,
    sqlite3_value *argument, struct zs_value *value)
{
    int rc;

    *value = ls_value(argument);
    rc = ls_code_of(ls_read_status(value));
    return rc == SQLITE_OK && value->type == ZS_TEXT &&
                   ls_affinity_is_numeric(ls_selection_affinity(view, item->column))
               ? read_number(argument, value)
               : rc;
}

static int bind_several(
    sqlite3_stmt *statement, int parameter, const struct ls_argument *argument)
{
    int rc = SQLITE_OK;

    for (int i = 0; rc == SQLITE_OK && i < ls_argument_n_parameters(argument); i++)
        rc = (size_t)i < argument->n
                 ? sqlite3_bind_value(statement, parameter + i, argument->values[i])
                 : sqlite3_bind_null(statement, parameter + i);
    return rc;
}

static int bind_one(const struct ls_view *view, sqlite3_stmt *statement, int parameter,
    const struct ls_item *item, sqlite3_value *argument)
{
    struct zs_value value;
    int rc = ls_selection_value(view, item, argument, &value);

    return rc == SQLITE_OK ? ls_bind(statement, parameter, &value) : rc;
}

int ls_selection_bind(const struct ls_view *view, const char *items, sqlite3_stmt *statement,
    const struct ls_arguments *arguments)
{
    struct ls_item item;
    int parameter = 1;
    int rc = SQLITE_OK;

    if (sqlite3_bind_parameter_count(statement) == 0)
        return SQLITE_OK; /* the query as it is */
    for (int i = 0; rc == SQLITE_OK && i < arguments->n && ls_item_next(&items, &item); i++) {
        const struct ls_argument *argument = &arguments->items[i];

        rc = argument->is_several
                 ? bind_several(statement, parameter, argument)
                 : bind_one(view, statement, parameter, &item, argument->value);
        parameter += ls_argument_n_parameters(argument);
    }
    return rc;
}

/* Order */

/* NULLs that are not where SQLite has them stand by an expression of their own, so that an
** index can be made of it. */
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

struct zsql_order ls_selection_term(const struct ls_view *view, int column, bool is_descending)
{
    const char *name = view->columns[column].collation;
    struct zsql_order term = {.column = (size_t)column,
        .collation_name = name,
        .is_descending = is_descending,
        .has_nulls_last = is_descending};

    (void)ls_collation_of(name, &term.collation); /* who orders by it has asked the same */
    return term;
}

/* Statements */

char *ls_selection_text(
    struct ls_view *view, const char *items, const struct ls_arguments *arguments)
{
    const struct zsql_plan *plan = view->definition->plan;
    sqlite3_str *text = sqlite3_str_new(view->connection->db);
    const char *comma = " ORDER BY ";
    struct ls_item item;
    int parameter = 1;

    sqlite3_str_appendf(text, "SELECT * FROM \"%w\".\"%w_data\"", view->schema, view->name);
    append_constraints(view, text, items, arguments, &parameter);
    if (ls_result_n_hidden(ls_pipeline_result(view->pipeline)) > 0)
        sqlite3_str_appendf(text, "%s NOT lockstep_hides(lockstep_row, ?%d)",
            arguments->n == 0 ? " WHERE" : " AND", parameter);
    while (ls_item_next(&items, &item)) {
        struct zsql_order term;

        if (item.column < 0 && plan->n_order > 0) {
            sqlite3_str_appendf(text, "%s", comma);
            ls_selection_append_order(text, view, plan);
        }
        if (item.column < 0 || ls_item_is_constraint(&item))
            continue;
        term = ls_selection_term(view, item.column, item.op == '-');
        append_term(text, comma, view->columns[item.column].name, &term);
        comma = ", ";
    }
    return sqlite3_str_finish(text);
}

void ls_selection_append_exact(sqlite3_str *text, const struct ls_view *view)
{
    const struct zsql_plan *plan = view->definition->plan;

    sqlite3_str_append(text, plan->exact_text, (int)(plan->exact_body - plan->exact_text));
    for (int i = 0; plan->makes_reals && i < view->n_columns; i++)
        sqlite3_str_appendf(text, "%s ''", i > 0 ? "," : "SELECT");
    sqlite3_str_appendf(
        text, "%s%s", plan->makes_reals ? " WHERE 0 UNION ALL " : "", plan->exact_body);
}

/* The query's columns go by the view's names, whatever their own are. */
static void append_named_query(sqlite3_str *text, const struct ls_view *view)
{
    sqlite3_str_appendf(text, "WITH lockstep_rows(");
    for (int i = 0; i < view->n_columns; i++)
        sqlite3_str_appendf(text, "%s\"%w\"", i > 0 ? ", " : "", view->columns[i].name);
    sqlite3_str_appendf(text, ") AS (");
    ls_selection_append_exact(text, view);
    sqlite3_str_appendf(text, ") SELECT * FROM lockstep_rows");
}

/* Does the query give the rows as they are wanted: all, or in its own order, which it need not
** keep where it is a part of another? */
static bool is_as_it_is(const struct ls_view *view, const char *items)
{
    struct ls_item item;
    bool has_own = false, has_others = false;

    while (ls_item_next(&items, &item)) {
        has_own = has_own || (item.column < 0 && view->definition->plan->n_order > 0);
        has_others = has_others || item.column >= 0;
    }
    return has_own || !has_others;
}

char *ls_selection_query(
    const struct ls_view *view, const char *items, const struct ls_arguments *arguments)
{
    sqlite3_str *text;
    const char *comma = " ORDER BY ";
    struct ls_item item;
    int parameter = 1;
    bool has_affinities = !view->definition->plan->makes_reals;

    if (is_as_it_is(view, items))
        return sqlite3_mprintf("%s", view->definition->plan->exact_text);
    text = sqlite3_str_new(view->connection->db);
    append_named_query(text, view);
    if (has_affinities) /* else SQLite finds which of all rows are meant */
        append_constraints(view, text, items, arguments, &parameter);
    while (ls_item_next(&items, &item)) {
        if (!ls_item_is_constraint(&item) && item.column >= 0) {
            sqlite3_str_appendf(text, "%s%d COLLATE \"%w\"%s", comma, item.column + 1,
                view->columns[item.column].collation, item.op == '-' ? " DESC" : "");
            comma = ", ";
        }
    }
    return sqlite3_str_finish(text);
}
