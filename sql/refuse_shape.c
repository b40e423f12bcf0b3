/* Refusals that need no names resolved. ORDER BY is looked at when they are. */
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
        return refuse_span(
            refuser, "", expr->span, " is not deterministic: say it where the view is read");
    case ZSQL_PARAMETER:
        return refuse_span(refuser, "the parameter ", expr->span, " has no value in a view");
    case ZSQL_RAISE:
        return zsql_refuse(message, "RAISE() is for triggers only");
    case ZSQL_CALL:
        if (expr->call->window != NULL)
            return zsql_refuse(message,
                "the window function %s() is not maintained yet: say it where the view is read",
                expr->name.text);
        return ZS_OK;
    default:
        return ZS_OK;
    }
}

static int refuse_core(struct refuser *refuser, struct zsql_core *core)
{
    if (core->is_values)
        return zsql_refuse(
            refuser->message, "VALUES is not maintained: an ordinary view will do");
    return zsql_core_walk(core, refuse_node, refuser);
}

int zsql_refuse_shape(struct zsql_arena *arena, const char *text, struct zsql_select *select,
    struct zsql_message *message)
{
    struct refuser refuser = {arena, text, message};
    int rc = ZS_OK;

    if (strpbrk(text, ZSQL_MARKS) != NULL)
        return zsql_refuse(message,
            "the bytes 1 and 3 in its text are not maintained: write char(1) and char(3)");
    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++)
        rc = refuse_core(&refuser, select->cores.items[i]);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(select->limit, refuse_node, &refuser);
    return rc == ZS_OK ? zsql_expr_walk(select->offset, refuse_node, &refuser) : rc;
}
