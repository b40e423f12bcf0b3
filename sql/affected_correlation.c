/* What a change within a subquery can touch of a core around it, by the comparisons of its
** WHERE with X of that core. They may stand in the subquery itself or in one within that, which
** the change is in: for a row of the core the rows that such a SELECT filters are others only
** where a changed row of its gets through, and X compares so with it. */
#include "sql/affected_private.h"

/* Over groups any expression is read from the one member that there is. */
bool zsql_affected_is_readable(
    const struct zsql_inquiry *inquiry, const struct zsql_reach *reach, struct zsql_items items)
{
    const struct zsql_planner *planner = inquiry->planner;
    bool is_over_groups = planner->is_over_groups && reach->bound == planner->bound;

    return zsql_reach_is_own(reach) &&
           (is_over_groups || zsql_reach_is_within(reach, items.first, items.end));
}

/* By one comparison, X of the core around, Y of the subquery's own sources. */
static int by_comparison(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_core *core, struct zsql_items items, const struct zsql_comparison *comparison,
    const char **condition)
{
    struct zsql_reach x = zsql_reach_of(around->bound, comparison->x);
    const char *values = NULL;
    int rc = ZS_OK;

    if (zsql_affected_is_readable(inquiry, &x, items) && zsql_comparison_is_of_use(comparison))
        rc = zsql_affected_values(
            inquiry, core, comparison->y, ZSQL_NULLS_MATCH_NOTHING, &values);
    return rc != ZS_OK || values == NULL
               ? rc
               : zsql_affected_add(
                     inquiry, items.first == 0 ? around : NULL, comparison, values, condition);
}

/* All comparisons of WHERE, of struct zsql_comparison. */
static int read_where(struct zsql_arena *arena, struct zsql_expr *where, struct zsql_list *list)
{
    struct zsql_list terms = {0};
    int rc = zsql_expr_terms(arena, where, &terms);

    for (size_t i = 0; rc == ZS_OK && i < terms.n; i++) {
        const struct zsql_expr *term = terms.items[i];

        for (size_t j = 0; rc == ZS_OK && j < ZSQL_N_READINGS; j++) {
            struct zsql_comparison *made = zsql_arena_get(arena, sizeof(*made));

            if (made == NULL)
                return ZS_NOMEM;
            if (zsql_comparison_read(term, j, made))
                rc = zsql_list_append(arena, list, made);
        }
        if (rc == ZS_OK)
            rc = zsql_comparisons_of_alternatives(arena, term, list);
    }
    return rc;
}

static int by_where(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_core *core, struct zsql_items items, struct zsql_found *found,
    const char **condition)
{
    struct zsql_list comparisons = {0};
    int rc = read_where(inquiry->planner->arena, core->where, &comparisons);

    for (size_t i = 0; rc == ZS_OK && i < comparisons.n; i++) {
        const struct zsql_comparison *comparison = comparisons.items[i];
        const char *before = *condition;

        rc = by_comparison(inquiry, around, core, items, comparison, condition);
        if (*condition != before && comparison->op == ZSQL_OP_EQUAL)
            found->has_equality = true;
        else if (*condition != before)
            found->has_range = true;
    }
    return rc;
}

int zsql_affected_by_correlation(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, struct zsql_items items, struct zsql_found *found,
    const char **condition)
{
    const struct zsql_bound *level = inquiry->occurrence->core->bound;
    int rc = by_where(inquiry, around, level->core, items, found, condition);

    while (rc == ZS_OK && level != inner &&
           !found->has_equality) { /* one is enough to look up by */
        level = level->place.around->bound;
        rc = by_where(inquiry, around, level->core, items, found, condition);
    }
    return rc;
}
