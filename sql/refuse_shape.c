/* Refusals that need no names resolved. ORDER BY is not looked at: order is not kept. */
#include "sql/refuse.h"
#include "sql/text.h"

struct refuser {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_message *message;
};

/* A refusal that cites the text, between two pieces. */
static int refuse_span(
    const struct refuser *refuser, const char *before, struct zsql_span span, const char *after)
{
    const char *text = zsql_text_quote(refuser->arena, refuser->text, span);

    if (text == NULL)
        return ZS_NOMEM;
    return zsql_refuse(refuser->message, "%s%s%s", before, text, after);
}

static int refuse_node(void *ctx, struct zsql_expr *expr, bool *descend)
{
    const struct refuser *refuser = ctx;
    struct zsql_message *message = refuser->message;

    (void)descend;
    switch (expr->kind) {
    case ZSQL_IN_SELECT:
    case ZSQL_IN_TABLE:
    case ZSQL_EXISTS:
        return refuse_span(refuser, "the subquery in ", expr->span, " is not maintained yet");
    case ZSQL_SUBQUERY:
        return refuse_span(refuser, "the subquery ", expr->span, " is not maintained yet");
    case ZSQL_CURRENT:
        return refuse_span(refuser, "", expr->span, " is not deterministic");
    case ZSQL_PARAMETER:
        return refuse_span(refuser, "the parameter ", expr->span, " has no value in a view");
    case ZSQL_RAISE:
        return zsql_refuse(message, "RAISE() is for triggers only");
    case ZSQL_CALL:
        if (expr->call->window != NULL)
            return zsql_refuse(
                message, "the window function %s() is not maintained yet", expr->name.text);
        if (expr->call->order.n > 0)
            return zsql_refuse(
                message, "ORDER BY inside %s() is not maintained yet", expr->name.text);
        return ZS_OK;
    default:
        return ZS_OK;
    }
}

static int refuse_expr(struct refuser *refuser, struct zsql_expr *expr)
{
    return zsql_expr_walk(expr, refuse_node, refuser);
}

static int refuse_from(struct refuser *refuser, const struct zsql_list *from)
{
    const struct zsql_from *item = from->n > 0 ? from->items[0] : NULL;
    const struct zsql_from *second = from->n > 1 ? from->items[1] : NULL;

    if (item == NULL)
        return zsql_refuse(refuser->message, "a SELECT without FROM is not maintained");
    if (second != NULL && (second->join & ZSQL_JOIN_COMMA) != 0)
        return zsql_refuse(refuser->message, "a join of several tables is not maintained yet");
    if (second != NULL)
        return refuse_span(refuser, "", second->join_span, " is not maintained yet");
    if (item->kind == ZSQL_FROM_JOIN)
        return item->items.n > 0 ? refuse_from(refuser, &item->items) : ZS_OK;
    if (item->kind == ZSQL_FROM_SELECT)
        return refuse_span(refuser, "the subquery ", item->span, " is not maintained yet");
    if (item->kind == ZSQL_FROM_FUNCTION)
        return zsql_refuse(refuser->message,
            "the table-valued function %s() is not maintained yet", item->name.text);
    return ZS_OK;
}

static int refuse_core(struct refuser *refuser, const struct zsql_core *core)
{
    int rc = refuse_from(refuser, &core->from);

    for (size_t i = 0; rc == ZS_OK && i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        rc = refuse_expr(refuser, result->expr);
    }
    if (rc == ZS_OK)
        rc = refuse_expr(refuser, core->where);
    for (size_t i = 0; rc == ZS_OK && i < core->group_by.n; i++)
        rc = refuse_expr(refuser, core->group_by.items[i]);
    if (rc == ZS_OK)
        rc = refuse_expr(refuser, core->having);
    return rc;
}

int zsql_refuse_shape(struct zsql_arena *arena, const char *text,
    const struct zsql_select *select, struct zsql_message *message)
{
    static const char *const compounds[] = {"", "UNION", "UNION ALL", "EXCEPT", "INTERSECT"};
    struct refuser refuser = {arena, text, message};
    const struct zsql_core *core = select->cores.items[0];

    if (select->ctes.n > 0)
        return zsql_refuse(message, "WITH is not maintained yet");
    if (select->cores.n > 1) {
        core = select->cores.items[1];
        return zsql_refuse(message, "%s is not maintained yet", compounds[core->compound]);
    }
    if (core->is_values)
        return zsql_refuse(message, "VALUES is not maintained");
    if (select->limit != NULL)
        return zsql_refuse(message, "LIMIT is not maintained yet");
    return refuse_core(&refuser, core);
}
