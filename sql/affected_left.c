/* What a change can touch by ON of a left join: X of what stands before, Y of the member that
** it joins, whose rows the change touches. */
#include "sql/affected_private.h"

#include "sql/binder.h"

static struct zsql_expr *column_of(
    struct zsql_arena *arena, const struct zsql_bound *bound, size_t source, int column)
{
    struct zsql_expr *expr = zsql_arena_get(arena, sizeof(*expr));

    if (expr == NULL)
        return NULL;
    expr->kind = ZSQL_NAME;
    expr->depth = 1;
    expr->name.text = zsql_source_at(bound, source)->relation.columns[column].name;
    expr->binding = ZSQL_COLUMN;
    expr->scope = bound->core->bound;
    expr->source = (unsigned)source;
    expr->column = column;
    return expr;
}

int zsql_merged_pair(struct zsql_arena *arena, const struct zsql_bound *bound,
    const struct zsql_source *source, const char *name, struct zsql_expr **x,
    struct zsql_expr **y)
{
    *x = *y = NULL;
    for (size_t i = 0; i < bound->sources.n && *y == NULL; i++) {
        int column = zsql_bind_find(zsql_source_at(bound, i), name);

        if (zsql_source_at(bound, i) == source)
            *y = column_of(arena, bound, i, column);
        else if (*x == NULL && column >= 0)
            *x = column_of(arena, bound, i, column);
    }
    return *x == NULL || *y == NULL ? ZS_NOMEM : ZS_OK;
}

/* The equalities of a member's USING or NATURAL, where the member is one source. */
static int by_merged(
    struct zsql_inquiry *inquiry, struct zsql_core *core, size_t item, const char **condition)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < core->bound->sources.n; i++) {
        const struct zsql_source *source = zsql_source_at(core->bound, i);

        for (size_t j = 0; rc == ZS_OK && j < source->merged.n; j++) {
            struct zsql_expr *x, *y;
            const char *values = NULL;

            if (source->from != core->from.items[item])
                continue;
            rc = zsql_merged_pair(
                inquiry->planner->arena, core->bound, source, source->merged.items[j], &x, &y);
            if (rc == ZS_OK && source->from->kind == ZSQL_FROM_SELECT)
                rc = zsql_affected_column(inquiry, inquiry->occurrence->core->bound,
                    (size_t)y->column, ZSQL_NULLS_MATCH_NOTHING, &values);
            else if (rc == ZS_OK)
                rc = zsql_affected_values(inquiry, core, y, ZSQL_BEFORE_NULLS, &values);
            if (rc == ZS_OK && values != NULL)
                rc = zsql_affected_add(inquiry, core,
                    &(struct zsql_comparison){x, y, ZSQL_OP_EQUAL, true}, values, condition);
        }
    }
    return rc;
}

/* "SELECT Y FROM member WHERE ...": of the rows of a member by itself that a condition is
** about. */
static int write_values(struct zsql_inquiry *inquiry, struct zsql_core *core, size_t item,
    struct zsql_expr *y, const char *of_member, const char **values)
{
    int rc = zsql_affected_all(inquiry, core, (struct zsql_items){item, item + 1}, y, values);

    if (rc == ZS_OK)
        *values = zsql_text_format(inquiry->planner->arena, "%s WHERE %s", *values, of_member);
    return rc == ZS_OK && *values == NULL ? ZS_NOMEM : rc;
}

/* Those of the rows of a member that the change of the occurrence touches: it is in the member,
** or in a subquery there, which need not be the one whose column Y is. */
static int find_values(struct zsql_inquiry *inquiry, struct zsql_core *core, size_t item,
    struct zsql_expr *y, const char **values)
{
    const struct zsql_occurrence *occurrence = inquiry->occurrence;
    const struct zsql_bound *inner = occurrence->core->bound;

    *values = NULL;
    if (occurrence->core == core)
        return zsql_affected_values(inquiry, core, y,
            core->from.items[item] == occurrence->from ? ZSQL_BEFORE_NULLS
                                                       : ZSQL_NULLS_MATCH_NOTHING,
            values);
    if (y->binding != ZSQL_COLUMN || zsql_bound_source(y)->from != inner->place.from)
        return ZS_OK;
    return zsql_affected_column(
        inquiry, inner, (size_t)y->column, ZSQL_NULLS_MATCH_NOTHING, values);
}

struct on {
    struct zsql_inquiry *inquiry;
    struct zsql_core *core;
    size_t item;
    const char *of_member;
};

/* By one comparison, X of what stands before, Y of the member. */
static int by_comparison(
    void *ctx, const struct zsql_comparison *comparison, const char **condition)
{
    const struct on *on = ctx;
    struct zsql_core *core = on->core;
    struct zsql_reach x = zsql_reach_of(core->bound, comparison->x);
    struct zsql_reach y = zsql_reach_of(core->bound, comparison->y);
    const char *values = NULL;
    int rc;

    if (!zsql_comparison_is_of_use(comparison) || !zsql_reach_is_own(&x) ||
        !zsql_reach_is_own(&y) || !zsql_reach_is_within(&x, 0, on->item) ||
        !zsql_reach_is_within(&y, on->item, on->item + 1))
        return ZS_OK;
    rc = on->of_member != NULL
             ? write_values(on->inquiry, core, on->item, comparison->y, on->of_member, &values)
             : find_values(on->inquiry, core, on->item, comparison->y, &values);
    return rc == ZS_OK && values != NULL
               ? zsql_affected_add(on->inquiry, core, comparison, values, condition)
               : rc;
}

int zsql_affected_by_on(struct zsql_inquiry *inquiry, struct zsql_core *core, size_t item,
    const char *of_member, const char **condition)
{
    const struct zsql_from *member = core->from.items[item];
    struct on on = {inquiry, core, item, of_member};
    struct zsql_list terms = {0};
    struct zsql_found found = {false, false};
    int rc = zsql_expr_terms(inquiry->planner->arena, member->on, &terms);

    for (size_t i = 0; rc == ZS_OK && i < ZSQL_N_READINGS * terms.n; i++) {
        struct zsql_comparison comparison;

        if (zsql_comparison_read(
                terms.items[i / ZSQL_N_READINGS], i % ZSQL_N_READINGS, &comparison))
            rc = by_comparison(&on, &comparison, condition);
    }
    for (size_t i = 0; rc == ZS_OK && *condition == NULL && i < terms.n; i++)
        rc = zsql_affected_by_either(
            inquiry, terms.items[i], by_comparison, &on, &found, condition);
    return rc;
}

int zsql_affected_by_left_join(
    struct zsql_inquiry *inquiry, struct zsql_core *core, size_t item, const char **condition)
{
    int rc = by_merged(inquiry, core, item, condition);

    if (rc == ZS_OK)
        rc = zsql_affected_by_on(inquiry, core, item, NULL, condition);
    return rc == ZS_OK && core->from.items[item] == inquiry->occurrence->from
               ? zsql_affected_by_lookup(inquiry, condition)
               : rc;
}
