/* ORDER BY: which columns order the rows.
**
** A term that is a result column is that column. Any other expression is computed as one more
** result, which the view does not show. It joins the core's results before they are looked at,
** so that all that is done with those is done with it. A SELECT DISTINCT takes such a value
** from any one of the equal rows. */
#include <string.h>

#include "sql/limit.h"
#include "sql/planner.h"

static struct zsql_expr *without_collate(struct zsql_expr *expr)
{
    while (expr->kind == ZSQL_COLLATE)
        expr = expr->operands.items[0];
    return expr;
}

/* The number of the result that an expression is, or -1. */
static long find_output(const struct zsql_bound *bound, struct zsql_expr *expr)
{
    for (size_t i = 0; expr->binding == ZSQL_OUTPUT && i < bound->outputs.n; i++) {
        const struct zsql_output *output = bound->outputs.items[i];
        if (output->expr == expr->target)
            return (long)i;
    }
    for (size_t i = 0; i < bound->outputs.n; i++) {
        const struct zsql_output *output = bound->outputs.items[i];
        if (zsql_bound_equal(output->expr, expr))
            return (long)i;
    }
    return -1;
}

static int hide_term(struct zsql_arena *arena, struct zsql_core *core, struct zsql_expr *expr)
{
    struct zsql_result *result = zsql_arena_get(arena, sizeof(*result));
    struct zsql_output *output = zsql_arena_get(arena, sizeof(*output));
    int rc = result == NULL || output == NULL ? ZS_NOMEM : ZS_OK;

    if (rc != ZS_OK)
        return rc;
    result->kind = ZSQL_RESULT;
    result->expr = expr;
    rc = zsql_list_append(arena, &core->results, result);
    if (rc != ZS_OK || find_output(core->bound, expr) >= 0)
        return rc;
    output->expr = expr;
    output->name = zsql_text_format(arena, "order %zu", ++core->bound->n_hidden);
    return output->name == NULL ? ZS_NOMEM
                                : zsql_list_append(arena, &core->bound->outputs, output);
}

int zsql_plan_hide_terms(struct zsql_arena *arena, struct zsql_select *select)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && select->cores.n == 1 && i < select->order.n; i++) {
        const struct zsql_term *term = select->order.items[i];
        struct zsql_expr *expr = without_collate(term->expr);

        if (expr->binding != ZSQL_OUTPUT && !zsql_expr_is_literal(expr))
            rc = hide_term(arena, select->cores.items[0], expr);
    }
    return rc;
}

/* Is a term of a compound's ORDER BY, of which the names are not bound, the expression of a
** result? SQLite has found one that is, by the names of that core's tables. */
static bool repeats(const struct zsql_expr *expr, const struct zsql_expr *result)
{
    if (expr->kind == ZSQL_NAME && result->binding == ZSQL_COLUMN)
        return zsql_same_name(expr->name.text, result->name.text) &&
               (expr->table.text == NULL ||
                   zsql_same_name(expr->table.text, zsql_bound_source(result)->name));
    if (expr->kind != result->kind || expr->op != result->op ||
        expr->is_negated != result->is_negated || expr->has_base != result->has_base ||
        expr->has_else != result->has_else || expr->operands.n != result->operands.n ||
        expr->select != NULL || (expr->name.text == NULL) != (result->name.text == NULL))
        return false;
    if (expr->call != NULL &&
        (expr->call->is_star != result->call->is_star || expr->call->order.n > 0 ||
            expr->call->is_distinct != result->call->is_distinct ||
            expr->call->filter != NULL || result->call->filter != NULL))
        return false;
    if (expr->name.text != NULL &&
        !(expr->kind == ZSQL_STRING ? strcmp(expr->name.text, result->name.text) == 0
                                    : zsql_same_name(expr->name.text, result->name.text)))
        return false;
    for (size_t i = 0; i < expr->operands.n; i++)
        if (!repeats(expr->operands.items[i], result->operands.items[i]))
            return false;
    return true;
}

/* Of a compound: a term names a result of any core, the leftmost first, or repeats one. */
static long find_in_compound(const struct zsql_select *select, struct zsql_expr *expr)
{
    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];

        if (i == 0 && expr->binding == ZSQL_OUTPUT)
            return find_output(core->bound, expr);
        for (size_t j = 0; expr->kind != ZSQL_NAME && j < core->bound->outputs.n; j++) {
            const struct zsql_output *output = core->bound->outputs.items[j];
            if (repeats(expr, output->expr))
                return (long)j;
        }
        for (size_t j = 0; expr->kind == ZSQL_NAME && j < core->bound->outputs.n; j++) {
            const struct zsql_output *output = core->bound->outputs.items[j];
            bool is_column = output->expr->binding == ZSQL_COLUMN;
            const char *name = is_column ? output->expr->name.text : output->alias;

            if (expr->table.text == NULL && output->alias != NULL &&
                zsql_same_name(output->alias, expr->name.text))
                return (long)j;
            if (is_column && zsql_same_name(name, expr->name.text) &&
                (expr->table.text == NULL ||
                    zsql_same_name(zsql_bound_source(output->expr)->name, expr->table.text)))
                return (long)j;
        }
    }
    return -1;
}

long zsql_plan_find_term(const struct zsql_select *select, struct zsql_expr *expr)
{
    const struct zsql_core *core = select->cores.items[0];

    expr = without_collate(expr);
    if (expr->binding != ZSQL_OUTPUT && zsql_expr_is_literal(expr))
        return -1;
    return select->cores.n > 1 ? find_in_compound(select, expr)
                               : find_output(core->bound, expr);
}

static int refuse_term(struct zsql_planner *planner, const struct zsql_expr *expr)
{
    const char *text = zsql_text_quote(planner->arena, planner->text, expr->span);

    if (text == NULL)
        return ZS_NOMEM;
    return zsql_refuse(planner->message,
        "ORDER BY %s of a compound is not maintained: give it by its position", text);
}

/* The collation: that of COLLATE, else of the column. */
static int find_collation(struct zsql_planner *planner, const struct zsql_select *select,
    struct zsql_expr *expr, struct zsql_order *order)
{
    struct zsql_output_column column = {0};
    int rc;

    if (select->cores.n > 1 && expr->kind != ZSQL_COLLATE) {
        rc = zsql_plan_compound_collation(
            planner, select, select->cores.n, order->column, &column);
    } else {
        column = zsql_plan_describe(expr, "");
        rc = zsql_plan_collation(planner, expr, "ORDER BY", &column.collation);
    }
    order->collation = column.collation;
    order->collation_name = column.collation_name;
    return rc;
}

static int read_term(struct zsql_planner *planner, const struct zsql_select *select,
    const struct zsql_term *term, struct zsql_order *orders, size_t *n)
{
    struct zsql_expr *expr = without_collate(term->expr);
    struct zsql_order order = {.is_descending = term->is_descending};
    long column;
    int rc;

    if (expr->binding != ZSQL_OUTPUT && zsql_expr_is_literal(expr))
        return ZS_OK;
    column = zsql_plan_find_term(select, expr);
    if (column < 0)
        return refuse_term(planner, expr);
    order.column = (size_t)column;
    order.has_nulls_last = term->nulls == ZSQL_NULLS_DEFAULT ? term->is_descending
                                                             : term->nulls == ZSQL_NULLS_LAST;
    rc = find_collation(planner, select, term->expr, &order);
    if (rc == ZS_OK)
        orders[(*n)++] = order;
    return rc;
}

static int read_limit(struct zsql_planner *planner, struct zsql_expr *expr, int64_t *number)
{
    return zsql_limit_read(
        planner->arena, planner->text, planner->catalogue, planner->message, expr, number);
}

static bool is_ordered_by(
    const struct zsql_order *orders, size_t n, size_t column, enum zs_collation collation)
{
    for (size_t i = 0; i < n; i++) {
        if (orders[i].column == column && orders[i].collation == collation)
            return true;
    }
    return false;
}

/* Adds to the order by which LIMIT takes rows of a compound all columns, as the compound
** compares them, which is how its text is settled (see unsettled.c). */
static int order_compound(struct zsql_planner *planner, const struct zsql_select *select,
    size_t n_columns, struct zsql_order **orders, size_t *n)
{
    struct zsql_order *all = zsql_arena_get(planner->arena, (*n + n_columns) * sizeof(*all));
    int rc = all == NULL ? ZS_NOMEM : ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < *n; i++)
        all[i] = (*orders)[i];
    *orders = all;
    for (size_t i = 0; rc == ZS_OK && i < n_columns; i++) {
        struct zsql_output_column column = {0};

        rc = zsql_plan_compound_collation(planner, select, select->cores.n, i, &column);
        if (rc == ZS_OK && !is_ordered_by(all, *n, i, column.collation))
            all[(*n)++] = (struct zsql_order){.column = i,
                .collation = column.collation,
                .collation_name = column.collation_name};
    }
    return rc;
}

static int add_top(struct zsql_planner *planner, const struct zsql_select *select,
    struct zsql_operator *result, struct zsql_plan *plan)
{
    const struct zsql_core *core = select->cores.items[0];
    size_t n_columns = result->n_columns - plan->n_hidden, n_order = plan->n_order;
    struct zsql_order *orders = (struct zsql_order *)plan->order;
    int64_t limit = 1, offset = 0;
    struct zsql_operator *top;
    int rc = select->is_first ? ZS_OK : read_limit(planner, select->limit, &limit);

    if (rc == ZS_OK && select->cores.n > 1)
        rc = order_compound(planner, select, n_columns, &orders, &n_order);

    if (rc == ZS_OK && select->offset != NULL)
        rc = read_limit(planner, select->offset, &offset);
    if (rc == ZS_OK)
        rc = zsql_plan_top(planner, result, orders, n_order, n_columns, limit, offset, &top);
    zsql_plan_compare_rows(plan, result->n_columns);
    plan->may_have_other_rows |= core->is_distinct && plan->n_hidden > 0;
    return rc;
}

bool zsql_plan_is_cut(const struct zsql_select *select)
{
    return select->limit != NULL || select->is_first;
}

int zsql_plan_order(struct zsql_planner *planner, const struct zsql_select *select,
    struct zsql_operator *result, struct zsql_plan *plan)
{
    const struct zsql_core *core = select->cores.items[0];
    struct zsql_order *orders =
        zsql_arena_get(planner->arena, select->order.n * sizeof(*orders));
    int rc = orders == NULL ? ZS_NOMEM : ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < select->order.n; i++)
        rc = read_term(planner, select, select->order.items[i], orders, &plan->n_order);
    plan->order = orders;
    plan->n_hidden = core->bound->n_hidden;
    return rc == ZS_OK && zsql_plan_is_cut(select) ? add_top(planner, select, result, plan)
                                                   : rc;
}
