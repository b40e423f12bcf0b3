/* NOT NULL, INTEGER PRIMARY KEY, and the terms of WHERE that no NULL gets through. */
#include "sql/never_null.h"

#include "sql/binder.h"

static bool is_column(struct zsql_expr *expr, const struct zsql_expr *column)
{
    expr = zsql_bound_target(expr);
    return expr->binding == ZSQL_COLUMN && expr->scope == column->scope &&
           expr->source == column->source && expr->column == column->column;
}

static bool is_null(struct zsql_expr *expr)
{
    return zsql_bound_target(expr)->kind == ZSQL_NULL_LITERAL;
}

size_t zsql_n_never_null(const struct zsql_expr *term)
{
    switch (term->kind) {
    case ZSQL_BINARY:
        if (term->op == ZSQL_OP_IS)
            return term->is_negated && is_null(term->operands.items[1]) ? 1 : 0;
        return term->op == ZSQL_OP_EQUAL ||
                       (term->op >= ZSQL_OP_LESS && term->op <= ZSQL_OP_GREATER_EQUAL)
                   ? 2
                   : 0;
    case ZSQL_UNARY:
        return term->op == ZSQL_OP_ISNULL && term->is_negated ? 1 : 0;
    case ZSQL_BETWEEN:
        return 1;
    case ZSQL_IN_LIST:
    case ZSQL_IN_SELECT:
        return term->is_negated ? 0 : 1;
    default:
        return 0;
    }
}

static bool keeps_out_null(const struct zsql_expr *term, const struct zsql_expr *column)
{
    if (term == NULL)
        return false;
    if (term->kind == ZSQL_BINARY && term->op == ZSQL_OP_AND)
        return keeps_out_null(term->operands.items[0], column) ||
               keeps_out_null(term->operands.items[1], column);
    for (size_t i = 0, n = zsql_n_never_null(term); i < n; i++)
        if (is_column(term->operands.items[i], column))
            return true;
    return false;
}

bool zsql_is_never_null(const struct zsql_core *core, struct zsql_expr *expr)
{
    const struct zsql_source *source;
    const struct zsql_column *column;

    expr = zsql_bound_target(expr);
    if (expr->binding != ZSQL_COLUMN || expr->is_merged || expr->scope != core->bound)
        return false;
    if (core->bound->is_aggregate && core->group_by.n == 0)
        return false; /* of no rows too */
    source = zsql_bound_source(expr);
    column = zsql_bound_column(expr);
    if (!source->is_nullable && source->from->kind == ZSQL_FROM_TABLE &&
        (zsql_bound_is_rowid(expr) || (column != NULL && column->is_not_null)))
        return true;
    return keeps_out_null(core->where, expr);
}
