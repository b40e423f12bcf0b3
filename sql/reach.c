/* What an expression reads. */
#include "sql/reach.h"

static int visit_reach(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct zsql_reach *reach = ctx;

    (void)descend;
    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_reach, ctx);
    if (expr->select != NULL || expr->kind == ZSQL_IN_TABLE)
        reach->has_select = true;
    if (expr->binding != ZSQL_COLUMN)
        return ZS_OK;
    if (expr->scope == reach->bound)
        reach->sources |= (uint64_t)1 << (expr->source % 64);
    else
        reach->has_outer = true;
    return ZS_OK;
}

struct zsql_reach zsql_reach_of(const struct zsql_bound *bound, struct zsql_expr *expr)
{
    struct zsql_reach reach = {.bound = bound};
    int rc = zsql_expr_walk(expr, visit_reach, &reach);

    if (rc != ZS_OK || bound->sources.n > 64)
        reach.has_select = true; /* nothing is known */
    return reach;
}

/* Only the core's own columns, and some. */
bool zsql_reach_is_own(const struct zsql_reach *reach)
{
    return reach->sources != 0 && !reach->has_outer && !reach->has_select;
}

const struct zsql_source *zsql_source_at(const struct zsql_bound *bound, size_t i)
{
    return bound->sources.items[i];
}

/* Do all sources that are read satisfy first <= item < end? */
bool zsql_reach_is_within(const struct zsql_reach *reach, size_t first, size_t end)
{
    for (size_t i = 0; i < reach->bound->sources.n; i++) {
        size_t item = zsql_source_at(reach->bound, i)->item;
        if ((reach->sources >> i & 1) != 0 && (item < first || item >= end))
            return false;
    }
    return true;
}
