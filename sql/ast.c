/* Walking the tree. Recursion is as deep as the tree, ZSQL_MAX_DEPTH at most. */
#include "sql/ast.h"

int zsql_expr_walk(struct zsql_expr *expr, zsql_visit_fn *visit, void *ctx)
{
    bool descend = true;
    int rc;

    if (expr == NULL)
        return ZS_OK;
    rc = visit(ctx, expr, &descend);
    if (!descend)
        return rc;
    for (size_t i = 0; rc == ZS_OK && i < expr->operands.n; i++)
        rc = zsql_expr_walk(expr->operands.items[i], visit, ctx);
    if (rc == ZS_OK && expr->call != NULL)
        rc = zsql_expr_walk(expr->call->filter, visit, ctx);
    return rc;
}
