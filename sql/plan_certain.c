/* Which of a view's values are the only right ones: not what is read from a bare column, nor
** the order in a list that SQLite makes of a group. */
#include "sql/planner.h"

/* Lists whose members alone are certain. Not those of group_concat, which end at a member's
** first NUL, nor of DISTINCT members, each of which stands for equal ones. */
static bool is_list(const struct zsql_expr *call)
{
    return call->call->function.is_builtin && !call->call->is_distinct &&
           (zsql_same_name(call->name.text, "json_group_array") ||
               zsql_same_name(call->name.text, "json_group_object"));
}

/* Writes what reads the groups once more, to see what it reads. */
static int find_certainty(
    struct zsql_planner *planner, struct zsql_expr *expr, enum zsql_certainty *certainty)
{
    const char *text;
    int rc;

    planner->reads_uncertain = false;
    rc = zsql_plan_write_over_groups(planner, expr, &text);
    *certainty = planner->reads_uncertain ? ZSQL_ANY_VALUE : ZSQL_CERTAIN;
    expr = zsql_bound_target(expr);
    if (planner->reads_uncertain && expr->kind == ZSQL_CALL && expr->call->is_aggregate &&
        is_list(expr))
        *certainty = ZSQL_ANY_ORDER;
    return rc;
}

/* What a column shows comes from this core too. */
static void merge(enum zsql_certainty *certainty, const enum zsql_certainty *before, size_t n)
{
    for (size_t i = 0; before != NULL && i < n; i++) {
        if (certainty[i] < before[i])
            certainty[i] = before[i];
    }
}

int zsql_plan_certainty(struct zsql_planner *planner, struct zsql_plan *plan)
{
    const struct zsql_list *outputs = &planner->bound->outputs;
    enum zsql_certainty *certainty =
        zsql_arena_get(planner->arena, outputs->n * sizeof(*certainty));
    enum zsql_certainty of_rows = ZSQL_CERTAIN;
    int rc = certainty != NULL ? ZS_OK : ZS_NOMEM;

    if (rc == ZS_OK && planner->bound->core->having != NULL)
        rc = find_certainty(planner, planner->bound->core->having, &of_rows);
    for (size_t i = 0; rc == ZS_OK && i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        rc = find_certainty(planner, output->expr, &certainty[i]);
    }
    if (rc != ZS_OK)
        return rc;
    merge(certainty, plan->certainty, outputs->n);
    plan->certainty = certainty;
    plan->may_have_other_rows |= of_rows != ZSQL_CERTAIN;
    if (planner->bound->core->is_distinct)
        zsql_plan_compare_rows(plan, outputs->n);
    return ZS_OK;
}

void zsql_plan_compare_rows(struct zsql_plan *plan, size_t n_columns)
{
    for (size_t i = 0; plan->certainty != NULL && i < n_columns; i++)
        plan->may_have_other_rows |= plan->certainty[i] != ZSQL_CERTAIN;
}
