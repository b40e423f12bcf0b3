/* Which subqueries an operator of the plan computes better than SQLite. */
#include "sql/compared.h"
#include "sql/planner.h"
#include "sql/reach.h"

/* Does a value that is compared tell by itself which rows of the core around it touches? Of
** groups it tells none. */
static bool tells_rows(const struct zsql_bound *value)
{
    const struct zsql_bound *around = value->place.around->bound;
    struct zsql_compared compared;
    struct zsql_reach reach;

    if (around->is_aggregate || zsql_scalar_compared(value, &compared) != ZS_OK ||
        compared.term == NULL)
        return false;
    reach = zsql_reach_of(around, compared.comparison.x);
    return zsql_reach_is_own(&reach);
}

bool zsql_plan_is_of_first(const struct zsql_expr *expr)
{
    const struct zsql_select *select = expr->select;
    const struct zsql_bound *inner = ((const struct zsql_core *)select->cores.items[0])->bound;

    return (expr->kind == ZSQL_SUBQUERY || expr->kind == ZSQL_EXISTS) && select->cores.n == 1 &&
           zsql_plan_passes_on(select) && !inner->is_correlated && inner->sources.n > 0 &&
           (expr->kind == ZSQL_EXISTS || !tells_rows(inner));
}

bool zsql_plan_is_worth_making(const struct zsql_select *select)
{
    const struct zsql_core *first = select->cores.items[0];
    bool is_split = false;
    size_t n_sources = 0;

    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];
        if (core->is_values || core->bound->is_correlated)
            return false;
        n_sources += core->bound->sources.n;
        is_split = is_split || zsql_plan_is_split(select->cores.items[i]);
    }
    if (!select->is_first && zsql_plan_passes_on(select))
        return is_split || zsql_plan_makes_reals(select);
    return n_sources > 0 && (zsql_plan_is_cut(select) || select->cores.n > 1 ||
                                first->is_distinct || first->bound->is_aggregate);
}
