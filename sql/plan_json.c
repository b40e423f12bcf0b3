/* JSON over groups. JSON functions mark their results as JSON for one another, and a stored
** value has no mark: where a function that looks for it reads a key or an aggregate that has
** one, lockstep_json() puts it back. */
#include <string.h>

#include "sql/planner.h"

enum kind { PLAIN, PERHAPS_JSON, JSON };

static bool is_any_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (zsql_same_name(name, names[i]))
            return true;
    }
    return false;
}

static bool is_json_function(const struct zsql_expr *expr)
{
    char start[5] = "";

    strncat(start, expr->name.text, sizeof(start) - 1);
    return zsql_same_name(start, "json");
}

static enum kind kind_of(struct zsql_expr *expr);

/* Built-in aggregates give back no mark, but for min and max that of their argument. */
static enum kind kind_of_aggregate(const struct zsql_expr *call)
{
    static const char *const plain[] = {
        "count", "sum", "total", "avg", "group_concat", "string_agg"};
    static const char *const picks[] = {"min", "max"};
    bool is_builtin = call->call->function.is_builtin;
    enum kind kind = call->operands.n == 1 ? kind_of(call->operands.items[0]) : PLAIN;

    if (is_builtin && is_any_of(call->name.text, plain, sizeof(plain) / sizeof(plain[0])))
        return PLAIN;
    if (is_builtin && is_any_of(call->name.text, picks, sizeof(picks) / sizeof(picks[0])))
        return kind;
    return kind == PLAIN ? PLAIN : PERHAPS_JSON;
}

static enum kind kind_of_call(const struct zsql_expr *call)
{
    static const char *const always[] = {"json", "json_array", "json_object", "json_insert",
        "json_replace", "json_set", "json_remove", "json_patch", "json_quote",
        "json_group_array", "json_group_object"};

    if (is_any_of(call->name.text, always, sizeof(always) / sizeof(always[0])) &&
        call->call->function.is_builtin)
        return JSON;
    if (is_json_function(call))
        return PERHAPS_JSON;
    return call->call->is_aggregate ? kind_of_aggregate(call) : PLAIN;
}

static enum kind kind_of(struct zsql_expr *expr)
{
    expr = zsql_bound_target(expr);
    if (expr->kind == ZSQL_CALL)
        return kind_of_call(expr);
    return expr->kind == ZSQL_BINARY && expr->op == ZSQL_OP_ARROW ? JSON : PLAIN;
}

static int refuse(
    const struct zsql_planner *planner, struct zsql_expr *expr, const struct zsql_expr *call)
{
    const char *text = zsql_text_quote(planner->arena, planner->text, expr->span);

    if (text == NULL)
        return ZS_NOMEM;
    return zsql_refuse(planner->message, "%s inside %s() over groups is not maintained yet",
        text, call->name.text);
}

struct marking {
    struct zsql_planner *planner;
    const struct zsql_expr *call;
};

static int visit(void *ctx, struct zsql_expr *expr, bool *descend)
{
    const struct marking *marking = ctx;
    struct zsql_planner *planner = marking->planner;
    struct zsql_expr *target = zsql_bound_target(expr);
    enum kind kind = kind_of(target);

    *descend = !zsql_plan_is_stored(planner, target);
    if (*descend && target != expr)
        return zsql_expr_walk(target, visit, ctx);
    if (*descend || kind == PLAIN)
        return ZS_OK;
    return kind == JSON ? zsql_list_append(planner->arena, &planner->marked, target)
                        : refuse(planner, target, marking->call);
}

int zsql_plan_mark_json(struct zsql_planner *planner, struct zsql_expr *call)
{
    struct marking marking = {planner, call};
    int rc = ZS_OK;

    if (call->call->function.is_builtin && !is_json_function(call))
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < call->operands.n; i++)
        rc = zsql_expr_walk(call->operands.items[i], visit, &marking);
    return rc;
}

bool zsql_plan_is_marked(const struct zsql_planner *planner, const struct zsql_expr *expr)
{
    for (size_t i = 0; i < planner->marked.n; i++) {
        if (planner->marked.items[i] == expr)
            return true;
    }
    return false;
}

bool zsql_is_taken_as_json(const struct zsql_expr *subquery, const struct zsql_core *around,
    const struct zsql_output *value)
{
    const struct zsql_list *outputs = &around->bound->outputs;

    for (size_t i = 0; i < outputs->n; i++) {
        if (((const struct zsql_output *)outputs->items[i])->expr == subquery)
            return false; /* it is shown */
    }
    return kind_of(value->expr) == JSON;
}
