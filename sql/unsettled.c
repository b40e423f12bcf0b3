/* Settling subqueries. */
#include "sql/unsettled.h"

#include "sql/lex.h"
#include "sql/text.h"

struct settler {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_message *message;
    struct zsql_edits *edits;
};

/* Aggregates whose value does not depend on the order of their rows. */
static bool is_settled_aggregate(const struct zsql_expr *call)
{
    static const char *const names[] = {"count", "sum", "avg", "total", "min", "max",
        "exact_sum", "exact_avg", "exact_total", "unanimous"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (zsql_same_name(call->name.text, names[i]))
            return true;
    }
    return false;
}

/* A column of the core itself that is neither in an aggregate nor of a group. */
struct bare_search {
    const struct zsql_bound *bound;
    const struct zsql_expr *found;
};

static int find_bare(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct bare_search *search = ctx;

    expr = zsql_bound_target(expr);
    for (size_t i = 0; i < search->bound->group_by.n; i++) {
        if (zsql_bound_equal(search->bound->group_by.items[i], expr)) {
            *descend = false;
            return ZS_OK;
        }
    }
    if (expr->kind == ZSQL_CALL && expr->call->is_aggregate)
        *descend = false;
    if (expr->binding == ZSQL_COLUMN && expr->scope == search->bound)
        search->found = expr;
    return ZS_OK;
}

static int refuse_bare(struct settler *settler, struct zsql_core *core)
{
    struct bare_search search = {core->bound, NULL};
    int rc = ZS_OK;

    if (!core->bound->is_aggregate)
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < core->bound->outputs.n; i++) {
        const struct zsql_output *output = core->bound->outputs.items[i];
        rc = zsql_expr_walk(output->expr, find_bare, &search);
    }
    if (rc == ZS_OK)
        rc = zsql_expr_walk(core->having, find_bare, &search);
    if (rc != ZS_OK || search.found == NULL)
        return rc;
    return zsql_refuse(settler->message,
        "the bare column %s (neither grouped nor inside an aggregate) of a subquery is not"
        " maintained yet",
        search.found->name.text);
}

static int refuse_call(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct settler *settler = ctx;

    (void)descend;
    if (expr->kind != ZSQL_CALL || !expr->call->is_aggregate || is_settled_aggregate(expr))
        return ZS_OK;
    return zsql_refuse(settler->message,
        "the aggregate %s() in a subquery is not maintained yet", expr->name.text);
}

/* Does it read nothing but a table-valued function? That gives its rows in one order. */
static bool reads_function_alone(const struct zsql_core *core)
{
    const struct zsql_from *first = core->from.n == 1 ? core->from.items[0] : NULL;

    return first != NULL && first->kind == ZSQL_FROM_FUNCTION;
}

/* Subqueries within have their own turn. */
static int refuse_core(struct settler *settler, struct zsql_core *core)
{
    int rc;

    if (reads_function_alone(core))
        return ZS_OK;
    rc = refuse_bare(settler, core);
    for (size_t i = 0; rc == ZS_OK && i < core->bound->outputs.n; i++) {
        const struct zsql_output *output = core->bound->outputs.items[i];
        rc = zsql_expr_walk(output->expr, refuse_call, settler);
    }
    return rc == ZS_OK ? zsql_expr_walk(core->having, refuse_call, settler) : rc;
}

static int refuse_select(struct settler *settler, struct zsql_select *select)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++)
        rc = refuse_core(settler, select->cores.items[i]);
    for (size_t i = 0; rc == ZS_OK && i < select->order.n; i++) {
        const struct zsql_term *term = select->order.items[i];
        rc = zsql_expr_walk(term->expr, refuse_call, settler);
    }
    return rc;
}

/* Settling. */

/* ORDER BY is written before LIMIT, or at the end, where the parenthesis closes. */
static int settle_select(struct settler *settler, struct zsql_select *select)
{
    const struct zsql_core *core = select->cores.items[0];
    bool is_compound = select->cores.n > 1;
    size_t n = core->is_values ? 0 : core->bound->outputs.n - core->bound->n_hidden;
    const char *order = select->order.n > 0 ? "," : " ORDER BY";

    if (n == 0)
        return ZS_OK;
    for (size_t i = 0; order != NULL && i < n; i++) {
        const char *comma = i > 0 ? "," : "";
        if (is_compound)
            order = zsql_text_format(settler->arena, "%s%s %zu", order, comma, i + 1);
        else
            order = zsql_text_format(
                settler->arena, "%s%s %zu COLLATE BINARY", order, comma, i + 1);
    }
    if (order == NULL)
        return ZS_NOMEM;
    return zsql_edits_add(settler->arena, settler->edits,
        (struct zsql_span){select->order_end, select->order_end}, order);
}

/* One row gives the value of a subquery. */
static bool has_one_row(const struct zsql_select *select)
{
    const struct zsql_core *core = select->cores.items[0];
    const struct zsql_from *first = core->from.n > 0 ? core->from.items[0] : NULL;

    if (first != NULL && first->made_before != NULL)
        return true; /* it is looked up */
    if (first != NULL && first->made_of != NULL)
        return has_one_row(first->made_of);
    return select->cores.n == 1 && core->bound->is_aggregate && core->group_by.n == 0;
}

static int visit_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct settler *settler = ctx;

    (void)descend;
    if (expr->select == NULL || has_one_row(expr->select) || expr->kind == ZSQL_EXISTS)
        return ZS_OK;
    if (expr->kind == ZSQL_IN_SELECT && expr->select->limit == NULL)
        return ZS_OK;
    return settle_select(settler, expr->select);
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    if (from->kind != ZSQL_FROM_SELECT || from->select->limit == NULL)
        return ZS_OK;
    return settle_select(ctx, from->select);
}

int zsql_settle(struct zsql_arena *arena, const char *text, struct zsql_core *core,
    struct zsql_edits *edits)
{
    struct settler settler = {arena, text, NULL, edits};
    int rc = zsql_core_walk(core, visit_expr, &settler);

    return rc == ZS_OK ? zsql_core_walk_from(core, visit_from, &settler) : rc;
}

int zsql_settle_limit(struct zsql_arena *arena, const char *text, struct zsql_select *select,
    struct zsql_edits *edits)
{
    struct settler settler = {arena, text, NULL, edits};
    return select->limit == NULL ? ZS_OK : settle_select(&settler, select);
}

static int refuse_in_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    return expr->select == NULL ? ZS_OK : refuse_select(ctx, expr->select);
}

static int refuse_in_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    return from->kind != ZSQL_FROM_SELECT ? ZS_OK : refuse_select(ctx, from->select);
}

int zsql_refuse_unsettled(struct zsql_arena *arena, const char *text, struct zsql_core *core,
    struct zsql_message *message)
{
    struct settler settler = {arena, text, message, NULL};
    int rc = zsql_core_walk(core, refuse_in_expr, &settler);

    return rc == ZS_OK ? zsql_core_walk_from(core, refuse_in_from, &settler) : rc;
}
