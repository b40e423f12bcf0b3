/* LIMIT and OFFSET name no column, so that they are the same for as long as the view lives. */
#include "sql/limit.h"

#include "sql/text.h"

static int refuse(struct zsql_arena *arena, const char *text, struct zsql_message *message,
    const char *format, const struct zsql_expr *expr)
{
    const char *quoted = zsql_text_quote(arena, text, expr->span);

    return quoted == NULL ? ZS_NOMEM : zsql_refuse(message, format, quoted);
}

static int visit_select(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *has_select = ctx;

    (void)descend;
    *has_select = *has_select || expr->select != NULL || expr->kind == ZSQL_IN_TABLE;
    return ZS_OK;
}

int zsql_limit_read(struct zsql_arena *arena, const char *text,
    const struct zsql_catalogue *catalogue, struct zsql_message *message,
    struct zsql_expr *expr, int64_t *number)
{
    bool has_select = false, is_number = false;
    const char *written;
    int rc = zsql_expr_walk(expr, visit_select, &has_select);

    if (rc == ZS_OK && has_select)
        return refuse(arena, text, message,
            "the subquery in LIMIT %s is not maintained: say LIMIT where the view is read",
            expr);
    if (rc == ZS_OK)
        rc = zsql_text_write(arena, text, NULL, expr, NULL, NULL, &written);
    if (rc == ZS_OK)
        rc = catalogue->limit(catalogue->ctx, written, number, &is_number);
    return rc == ZS_OK && !is_number
               ? refuse(arena, text, message, "datatype mismatch: LIMIT %s is no integer", expr)
               : rc;
}

int zsql_refuse_limit(struct zsql_arena *arena, const char *text,
    const struct zsql_catalogue *catalogue, struct zsql_message *message,
    const struct zsql_select *select)
{
    int64_t number;
    int rc = ZS_OK;

    if (select->limit != NULL)
        rc = zsql_limit_read(arena, text, catalogue, message, select->limit, &number);
    if (rc == ZS_OK && select->offset != NULL)
        rc = zsql_limit_read(arena, text, catalogue, message, select->offset, &number);
    return rc;
}
