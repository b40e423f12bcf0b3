/* "SELECT group_concat(x) FROM (SELECT x FROM t ORDER BY y)" becomes
**
**   SELECT group_concat(x) FROM (SELECT x, y AS lockstep_order_1 FROM t ORDER BY y)
**
** by which the aggregate's rows can be sorted outside of the subquery (plan_row_order.c). */
#include "sql/sorting.h"

#include "sql/planner.h"
#include "sql/rewrite.h"

static int find_list(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *found = ctx;

    *descend = expr->select == NULL;
    *found = *found || (expr->call != NULL && expr->call->is_aggregate &&
                           expr->call->order.n == 0 && zsql_plan_is_refold(expr));
    return ZS_OK;
}

/* Does a bound core compute such an aggregate? Where it shows `*`, nothing can be added. */
static bool has_list(const struct zsql_core *core)
{
    bool found = false;

    for (size_t i = 0; i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];

        if (result->kind != ZSQL_RESULT ||
            zsql_expr_walk(result->expr, find_list, &found) != ZS_OK)
            return false;
    }
    return zsql_expr_walk(core->having, find_list, &found) == ZS_OK && found;
}

static int show(struct zsql_rewriting *rewriting, const struct zsql_select *select)
{
    const char *shown = "";
    uint32_t at = zsql_lex(rewriting->text, zsql_results_end(select->cores.items[0])).start;

    for (size_t i = 0; i < select->order.n; i++) {
        struct zsql_expr *expr = ((const struct zsql_term *)select->order.items[i])->expr;
        const char *term;
        int rc;

        if (zsql_plan_find_term(select, expr) >= 0)
            continue;
        rc = zsql_text_write(rewriting->arena, rewriting->text, NULL, expr, NULL, NULL, &term);
        if (rc == ZS_OK)
            shown = zsql_text_format(
                rewriting->arena, "%s, (%s) AS lockstep_order_%zu", shown, term, i + 1);
        if (rc != ZS_OK || shown == NULL)
            return rc != ZS_OK ? rc : ZS_NOMEM;
    }
    if (*shown == '\0')
        return ZS_OK;
    shown = zsql_text_format(rewriting->arena, "%s ", shown);
    return shown == NULL ? ZS_NOMEM
                         : zsql_edits_add(rewriting->arena, &rewriting->edits,
                               (struct zsql_span){at, at}, shown);
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct zsql_rewriting *rewriting = ctx;
    const struct zsql_select *select = from->kind == ZSQL_FROM_SELECT ? from->select : NULL;
    const struct zsql_core *inner = select != NULL ? select->cores.items[0] : NULL;

    if (core->from.n > 1 || select == NULL || select->order.n == 0 || select->cores.n > 1 ||
        inner->is_values || inner->is_distinct)
        return ZS_OK;
    rewriting->wants_names = true;
    return rewriting->is_bound && has_list(core) ? show(rewriting, select) : ZS_OK;
}

int zsql_show_sorting(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_message *message, const char **spelled)
{
    return zsql_rewrite(arena, catalogue, text, visit_from, message, spelled);
}
