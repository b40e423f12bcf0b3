/* Aggregates that SQLite computes anew for a group: the call itself is run over a table of the
** columns that it reads, so that DISTINCT, FILTER, ORDER BY and what its arguments are marked
** as are SQLite's business. */
#include "sql/planner.h"

struct reader {
    struct zsql_planner *planner;
    struct zsql_list columns; /* of struct zsql_expr: what the call reads */
};

/* Is it a subquery that gives a row of several columns, which is no value? */
static bool is_row(const struct zsql_expr *expr)
{
    const struct zsql_core *core;
    const struct zsql_expr *first;

    if (expr->kind != ZSQL_SUBQUERY)
        return false;
    core = expr->select->cores.items[0];
    first = core->is_values ? core->rows.items[0] : NULL;
    return (first != NULL ? first->operands.n
                          : core->bound->outputs.n - core->bound->n_hidden) > 1;
}

static bool compares_row(const struct zsql_expr *expr)
{
    for (size_t i = 0; i < expr->operands.n; i++) {
        if (is_row(expr->operands.items[i]))
            return true;
    }
    return false;
}

/* A zsql_replace_fn: a column of the core's rows as one of the call's; and a subquery, or what
** compares the row that it gives, which is left to where the rows come from. */
static int read_value(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct reader *reader = ctx;
    struct zsql_planner *planner = reader->planner;

    if (expr->binding != ZSQL_COLUMN && expr->select == NULL && expr->kind != ZSQL_IN_TABLE &&
        !compares_row(expr))
        return ZS_OK;
    return zsql_plan_read_listed(planner, &reader->columns, expr, sight, text);
}

/* Do the arguments from number on stand for the columns? */
static bool is_run(
    const struct zsql_planner *planner, const struct zsql_list *columns, size_t i)
{
    if (columns->n > planner->arguments.n - i)
        return false;
    for (size_t j = 0; j < columns->n; j++) {
        const struct zsql_argument *argument = planner->arguments.items[i + j];
        if (argument->filter != NULL || argument->expr == NULL ||
            !zsql_bound_equal(argument->expr, columns->items[j]))
            return false;
    }
    return true;
}

static int find_run(
    struct zsql_planner *planner, const struct zsql_list *columns, unsigned *number)
{
    int rc = ZS_OK;

    for (size_t i = 0; i < planner->arguments.n; i++) {
        *number = (unsigned)i;
        if (is_run(planner, columns, i))
            return ZS_OK;
    }
    *number = (unsigned)planner->arguments.n;
    for (size_t i = 0; rc == ZS_OK && i < columns->n; i++) {
        struct zsql_argument *argument = zsql_arena_get(planner->arena, sizeof(*argument));
        if (argument == NULL)
            return ZS_NOMEM;
        argument->expr = columns->items[i];
        rc = zsql_list_append(planner->arena, &planner->arguments, argument);
    }
    return rc;
}

int zsql_plan_refold(struct zsql_planner *planner, struct zsql_expr *call,
    struct zs_fold_spec *spec, const char **text, const char **order)
{
    struct reader reader = {.planner = planner};
    int rc = zsql_text_write(
        planner->arena, planner->text, &planner->edits, call, read_value, &reader, text);

    if (rc != ZS_OK)
        return rc;
    *order = "";
    *spec = (struct zs_fold_spec){.kind = ZS_REFOLD, .n_arguments = 1};
    if (reader.columns.n == 0) /* it reads nothing: a column to tell how many rows there are */
        return zsql_plan_add_argument(
            planner, (struct zsql_argument){NULL, NULL}, &spec->argument);
    if (call->call->order.n == 0)
        rc = zsql_plan_row_order(planner, &reader.columns, order);
    if (rc != ZS_OK)
        return rc;
    spec->n_arguments = (unsigned)reader.columns.n;
    return find_run(planner, &reader.columns, &spec->argument);
}
