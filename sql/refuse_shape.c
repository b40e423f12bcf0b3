/* Refusals that need no names resolved. ORDER BY is not looked at: order is not kept. */
#include <string.h>

#include "sql/refuse.h"
#include "sql/template.h"
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
        return expr->select != NULL && expr->select->ctes.n > 0
                   ? zsql_refuse(message, "WITH in a subquery is not maintained yet")
                   : ZS_OK;
    }
}

/* A join that may give rows without a match on either side is looked at as a whole. */
static int refuse_member(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    const struct refuser *refuser = ctx;

    (void)core;
    if (from->kind == ZSQL_FROM_SELECT && from->select->ctes.n > 0)
        return zsql_refuse(refuser->message, "WITH in a subquery is not maintained yet");
    return ZS_OK;
}

/* ORDER BY is not looked at: order is not kept. */
static int refuse_core(struct refuser *refuser, struct zsql_core *core)
{
    int rc;

    if (core->is_values)
        return zsql_refuse(refuser->message, "VALUES is not maintained");
    if (core->from.n == 0)
        return zsql_refuse(refuser->message, "a SELECT without FROM is not maintained");
    rc = zsql_core_walk(core, refuse_node, refuser);
    return rc == ZS_OK ? zsql_core_walk_from(core, refuse_member, refuser) : rc;
}

int zsql_refuse_shape(struct zsql_arena *arena, const char *text, struct zsql_select *select,
    struct zsql_message *message)
{
    static const char *const compounds[] = {"", "UNION", "UNION ALL", "EXCEPT", "INTERSECT"};
    struct refuser refuser = {arena, text, message};
    const struct zsql_core *core;

    if (strchr(text, ZSQL_MARK_BEGINS) != NULL)
        return zsql_refuse(message, "the byte 1 in its text is not maintained");
    if (select->ctes.n > 0)
        return zsql_refuse(message, "WITH is not maintained yet");
    if (select->cores.n > 1) {
        core = select->cores.items[1];
        return zsql_refuse(message, "%s is not maintained yet", compounds[core->compound]);
    }
    if (select->limit != NULL)
        return zsql_refuse(message, "LIMIT is not maintained yet");
    return refuse_core(&refuser, select->cores.items[0]);
}
