/* "SELECT group_concat(x) FROM (SELECT x FROM t ORDER BY y)" becomes
**
**   SELECT group_concat(x) FROM (SELECT x, y AS lockstep_order_1 FROM t ORDER BY y)
**
** by which the aggregate's rows can be sorted outside of the subquery (plan_row_order.c). */
#include "sql/sorting.h"

#include <string.h>

#include "sql/planner.h"

struct sorting {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_edits edits;
    bool is_bound;
    bool has_sorted; /* perhaps: what its aggregates are must be known */
};

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
    return (core->having == NULL || zsql_expr_walk(core->having, find_list, &found) == ZS_OK) &&
           found;
}

static int keep(void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    (void)ctx;
    (void)expr;
    (void)sight;
    *text = NULL;
    return ZS_OK;
}

/* Where another result column can be written. */
static uint32_t end_of_results(const struct sorting *sorting, const struct zsql_core *core)
{
    const struct zsql_result *last = core->results.items[core->results.n - 1];
    uint32_t end = last->kind != ZSQL_RESULT  ? last->span.end
                   : last->alias.text != NULL ? last->alias.span.end
                                              : last->expr->span.end;

    return zsql_lex(sorting->text, end).start;
}

static int show(struct sorting *sorting, const struct zsql_select *select)
{
    const struct zsql_edits none = {{NULL, 0, 0}};
    const char *shown = "";
    uint32_t at = end_of_results(sorting, select->cores.items[0]);

    for (size_t i = 0; i < select->order.n; i++) {
        struct zsql_expr *expr = ((const struct zsql_term *)select->order.items[i])->expr;
        const char *term;
        int rc;

        if (zsql_plan_find_term(select, expr) >= 0)
            continue;
        rc = zsql_text_write(sorting->arena, sorting->text, &none, expr, keep, NULL, &term);
        if (rc == ZS_OK)
            shown = zsql_text_format(
                sorting->arena, "%s, (%s) AS lockstep_order_%zu", shown, term, i + 1);
        if (rc != ZS_OK || shown == NULL)
            return rc != ZS_OK ? rc : ZS_NOMEM;
    }
    if (*shown == '\0')
        return ZS_OK;
    shown = zsql_text_format(sorting->arena, "%s ", shown);
    return shown == NULL ? ZS_NOMEM
                         : zsql_edits_add(sorting->arena, &sorting->edits,
                               (struct zsql_span){at, at}, shown);
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct sorting *sorting = ctx;
    const struct zsql_select *select = from->kind == ZSQL_FROM_SELECT ? from->select : NULL;
    const struct zsql_core *inner = select != NULL ? select->cores.items[0] : NULL;

    if (core->from.n > 1 || select == NULL || select->order.n == 0 || select->cores.n > 1 ||
        inner->is_values || inner->is_distinct)
        return ZS_OK;
    sorting->has_sorted = true;
    return sorting->is_bound && has_list(core) ? show(sorting, select) : ZS_OK;
}

int zsql_show_sorting(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_message *message, const char **spelled)
{
    struct sorting sorting = {.arena = arena, .text = text};
    struct zsql_select *select;
    uint32_t error_at;
    int rc = zsql_select_parse(arena, text, &select, &error_at);

    *spelled = text;
    if (rc == ZS_OK)
        rc = zsql_select_walk_from(select, visit_from, &sorting);
    if (rc != ZS_OK || !sorting.has_sorted)
        return rc;
    rc = zsql_bind(arena, catalogue, text, select, message);
    sorting.is_bound = true;
    if (rc == ZS_OK)
        rc = zsql_select_walk_from(select, visit_from, &sorting);
    if (rc != ZS_OK || sorting.edits.list.n == 0)
        return rc;
    zsql_edits_sort(&sorting.edits);
    *spelled = zsql_text_copy_edited(
        arena, text, &sorting.edits, (struct zsql_span){0, (uint32_t)strlen(text)});
    return *spelled == NULL ? ZS_NOMEM : ZS_OK;
}
