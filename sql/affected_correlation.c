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

/* The WHERE of a core within the core around. */
struct where {
    struct zsql_inquiry *inquiry;
    struct zsql_core *around, *core;
    struct zsql_items items;
};

/* By one comparison, X of the core around, Y of the subquery's own sources. */
static int by_comparison(
    void *ctx, const struct zsql_comparison *comparison, const char **condition)
{
    const struct where *where = ctx;
    struct zsql_inquiry *inquiry = where->inquiry;
    struct zsql_reach x = zsql_reach_of(where->around->bound, comparison->x);
    const char *values = NULL;
    int rc = ZS_OK;

    if (zsql_affected_is_readable(inquiry, &x, where->items) &&
        zsql_comparison_is_of_use(comparison))
        rc = zsql_affected_values(
            inquiry, where->core, comparison->y, ZSQL_NULLS_MATCH_NOTHING, &values);
    return rc != ZS_OK || values == NULL
               ? rc
               : zsql_affected_add(inquiry, where->items.first == 0 ? where->around : NULL,
                     comparison, values, condition);
}

/* The comparisons of a term, of struct zsql_comparison. */
static int read_term(
    struct zsql_arena *arena, const struct zsql_expr *term, struct zsql_list *list)
{
    int rc = ZS_OK;

    for (size_t j = 0; rc == ZS_OK && j < ZSQL_N_READINGS; j++) {
        struct zsql_comparison *made = zsql_arena_get(arena, sizeof(*made));

        if (made == NULL)
            return ZS_NOMEM;
        if (zsql_comparison_read(term, j, made))
            rc = zsql_list_append(arena, list, made);
    }
    return rc == ZS_OK ? zsql_comparisons_of_alternatives(arena, term, list) : rc;
}

/* What follows of all alternatives at once is told first. */
static int by_term(struct where *where, const struct zsql_expr *term, struct zsql_found *found,
    const char **condition)
{
    const char *first = *condition;
    struct zsql_list comparisons = {0};
    int rc = read_term(where->inquiry->planner->arena, term, &comparisons);

    for (size_t i = 0; rc == ZS_OK && i < comparisons.n; i++) {
        const struct zsql_comparison *comparison = comparisons.items[i];
        const char *before = *condition;

        rc = by_comparison(where, comparison, condition);
        if (*condition != before && comparison->op == ZSQL_OP_EQUAL)
            found->has_equality = true;
        else if (*condition != before)
            found->has_range = true;
    }
    return rc == ZS_OK && *condition == first ? zsql_affected_by_either(where->inquiry, term,
                                                    by_comparison, where, found, condition)
                                              : rc;
}

static int by_where(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_core *core, struct zsql_items items, struct zsql_found *found,
    const char **condition)
{
    struct where where = {inquiry, around, core, items};
    struct zsql_list terms = {0};
    int rc = zsql_expr_terms(inquiry->planner->arena, core->where, &terms);

    for (size_t i = 0; rc == ZS_OK && i < terms.n; i++)
        rc = by_term(&where, terms.items[i], found, condition);
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
