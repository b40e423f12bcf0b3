/* Walking the tree. Recursion is as deep as the tree, ZSQL_MAX_DEPTH at most. */
#include "sql/ast.h"

#include <string.h>

#include "sql/text.h"

bool zsql_from_is_never(const struct zsql_from *from)
{
    return (from->join & ZSQL_JOIN_LEFT) != 0 && (from->join & ZSQL_JOIN_RIGHT) == 0 &&
           from->on != NULL && from->on->kind == ZSQL_INTEGER &&
           strcmp(from->on->name.text, "0") == 0;
}

bool zsql_from_is_using(const struct zsql_from *from, const char *name)
{
    for (size_t i = 0; i < from->using.n; i++) {
        if (zsql_same_name(((const struct zsql_name *)from->using.items[i])->text, name))
            return true;
    }
    return false;
}

uint32_t zsql_from_end(const struct zsql_from *from)
{
    return from->alias.text != NULL ? from->alias.span.end : from->span.end;
}

uint32_t zsql_results_end(const struct zsql_core *core)
{
    const struct zsql_result *last = core->results.items[core->results.n - 1];

    if (last->kind != ZSQL_RESULT)
        return last->span.end;
    return last->alias.text != NULL ? last->alias.span.end : last->expr->span.end;
}

int zsql_expr_terms(struct zsql_arena *arena, struct zsql_expr *expr, struct zsql_list *terms)
{
    int rc;

    if (expr == NULL)
        return ZS_OK;
    if (expr->kind != ZSQL_BINARY || expr->op != ZSQL_OP_AND)
        return zsql_list_append(arena, terms, expr);
    rc = zsql_expr_terms(arena, expr->operands.items[0], terms);
    return rc == ZS_OK ? zsql_expr_terms(arena, expr->operands.items[1], terms) : rc;
}

bool zsql_expr_is_literal(const struct zsql_expr *expr)
{
    if (expr->binding == ZSQL_OUTPUT)
        expr = expr->target;
    if (expr->kind == ZSQL_UNARY && expr->op == ZSQL_OP_MINUS)
        expr = expr->operands.items[0];
    return expr->kind <= ZSQL_BLOB || expr->binding == ZSQL_TEXT ||
           expr->binding == ZSQL_BOOLEAN;
}

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

/* The walk over a whole SELECT is one over expressions that goes on into what hangs on them. */
struct whole {
    zsql_visit_fn *visit;           /* or NULL */
    zsql_visit_from_fn *visit_from; /* or NULL */
    void *ctx;
};

static int walk_select(const struct zsql_select *select, struct whole *whole);
static int visit_whole(void *ctx, struct zsql_expr *expr, bool *descend);

static int walk_exprs(const struct zsql_list *exprs, struct whole *whole)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < exprs->n; i++)
        rc = zsql_expr_walk(exprs->items[i], visit_whole, whole);
    return rc;
}

static int walk_terms(const struct zsql_list *terms, struct whole *whole)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < terms->n; i++) {
        const struct zsql_term *term = terms->items[i];
        rc = zsql_expr_walk(term->expr, visit_whole, whole);
    }
    return rc;
}

static int walk_window(const struct zsql_window *window, struct whole *whole)
{
    int rc = walk_exprs(&window->partition, whole);

    if (rc == ZS_OK)
        rc = walk_terms(&window->order, whole);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(window->from.expr, visit_whole, whole);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(window->to.expr, visit_whole, whole);
    return rc;
}

static int visit_whole(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct whole *whole = ctx;
    int rc = whole->visit == NULL ? ZS_OK : whole->visit(whole->ctx, expr, descend);

    if (!*descend)
        return rc;
    if (rc == ZS_OK && expr->select != NULL)
        rc = walk_select(expr->select, whole);
    if (rc == ZS_OK && expr->call != NULL)
        rc = walk_terms(&expr->call->order, whole);
    if (rc == ZS_OK && expr->call != NULL && expr->call->window != NULL)
        rc = walk_window(expr->call->window, whole);
    return rc;
}

static int walk_from(struct zsql_core *core, struct zsql_from *from, struct whole *whole)
{
    int rc = whole->visit_from == NULL ? ZS_OK : whole->visit_from(whole->ctx, core, from);

    if (rc == ZS_OK)
        rc = walk_exprs(&from->arguments, whole);
    if (rc == ZS_OK && from->select != NULL)
        rc = walk_select(from->select, whole);
    for (size_t i = 0; rc == ZS_OK && i < from->items.n; i++)
        rc = walk_from(core, from->items.items[i], whole);
    return rc == ZS_OK ? zsql_expr_walk(from->on, visit_whole, whole) : rc;
}

static int walk_core(struct zsql_core *core, struct whole *whole)
{
    int rc = walk_exprs(&core->rows, whole);

    for (size_t i = 0; rc == ZS_OK && i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        rc = zsql_expr_walk(result->expr, visit_whole, whole);
    }
    for (size_t i = 0; rc == ZS_OK && i < core->from.n; i++)
        rc = walk_from(core, core->from.items[i], whole);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(core->where, visit_whole, whole);
    if (rc == ZS_OK)
        rc = walk_exprs(&core->group_by, whole);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(core->having, visit_whole, whole);
    for (size_t i = 0; rc == ZS_OK && i < core->windows.n; i++)
        rc = walk_window(core->windows.items[i], whole);
    return rc;
}

static int walk_select(const struct zsql_select *select, struct whole *whole)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < select->ctes.n; i++) {
        const struct zsql_cte *cte = select->ctes.items[i];
        rc = walk_select(cte->select, whole);
    }
    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++)
        rc = walk_core(select->cores.items[i], whole);
    if (rc == ZS_OK)
        rc = walk_terms(&select->order, whole);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(select->limit, visit_whole, whole);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(select->offset, visit_whole, whole);
    return rc;
}

int zsql_select_walk(struct zsql_select *select, zsql_visit_fn *visit, void *ctx)
{
    struct whole whole = {visit, NULL, ctx};
    return walk_select(select, &whole);
}

int zsql_core_walk(struct zsql_core *core, zsql_visit_fn *visit, void *ctx)
{
    struct whole whole = {visit, NULL, ctx};
    return walk_core(core, &whole);
}

int zsql_select_walk_from(struct zsql_select *select, zsql_visit_from_fn *visit, void *ctx)
{
    struct whole whole = {NULL, visit, ctx};
    return walk_select(select, &whole);
}

int zsql_core_walk_from(struct zsql_core *core, zsql_visit_from_fn *visit, void *ctx)
{
    struct whole whole = {NULL, visit, ctx};
    return walk_core(core, &whole);
}

int zsql_expr_walk_from(struct zsql_expr *expr, zsql_visit_from_fn *visit, void *ctx)
{
    struct whole whole = {NULL, visit, ctx};
    return zsql_expr_walk(expr, visit_whole, &whole);
}

int zsql_member_walk_from(
    struct zsql_core *core, struct zsql_from *member, zsql_visit_from_fn *visit, void *ctx)
{
    struct whole whole = {NULL, visit, ctx};
    return walk_from(core, member, &whole);
}
