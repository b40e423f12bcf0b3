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

static bool is_comparison(const struct zsql_expr *expr)
{
    return expr->kind == ZSQL_BINARY &&
           (expr->op == ZSQL_OP_EQUAL ||
               (expr->op >= ZSQL_OP_LESS && expr->op <= ZSQL_OP_GREATER_EQUAL));
}

static bool keeps_out_null(const struct zsql_expr *term, const struct zsql_expr *column)
{
    if (term == NULL)
        return false;
    if (term->kind == ZSQL_BINARY && term->op == ZSQL_OP_AND)
        return keeps_out_null(term->operands.items[0], column) ||
               keeps_out_null(term->operands.items[1], column);
    if (term->kind == ZSQL_UNARY && term->op == ZSQL_OP_ISNULL)
        return term->is_negated && is_column(term->operands.items[0], column);
    if (term->kind == ZSQL_BINARY && term->op == ZSQL_OP_IS)
        return term->is_negated && is_column(term->operands.items[0], column) &&
               is_null(term->operands.items[1]);
    return is_comparison(term) && (is_column(term->operands.items[0], column) ||
                                      is_column(term->operands.items[1], column));
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
