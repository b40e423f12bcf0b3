/* What a change of a source can touch where a subquery gives its key, as in
**
**   o JOIN t ON t.id = (SELECT x.id FROM x WHERE x.k = o.k ORDER BY x.d DESC LIMIT 1)
**
** By A = (SELECT c FROM f WHERE Y = X ...) with A of the source, X of others and Y of f: some
** row of f has the A of a changed row as its c, and then X is the Y of such a row,
**
**   X IN (SELECT Y FROM f WHERE c IN (SELECT A FROM changed))
**
** for SQLite would look at every row of the others, to see what the subquery gives. */
#include "sql/affected_private.h"

struct lookup {
    struct zsql_inquiry *inquiry;
    struct zsql_core *core;
    size_t item; /* the member of FROM that the source is */
    bool is_left_joined;
    const char **condition;
};

static bool is_of_member(const struct lookup *lookup, struct zsql_expr *expr)
{
    struct zsql_reach reach = zsql_reach_of(lookup->core->bound, expr);

    return zsql_reach_is_own(&reach) &&
           zsql_reach_is_within(&reach, lookup->item, lookup->item + 1);
}

/* X is not of the member itself; of what a left join joins it to, it is read before. */
static bool is_of_others(const struct lookup *lookup, struct zsql_expr *expr)
{
    struct zsql_reach reach = zsql_reach_of(lookup->core->bound, expr);
    size_t item = lookup->item, n = lookup->core->from.n;

    if (!zsql_reach_is_own(&reach))
        return false;
    return zsql_reach_is_within(&reach, 0, item) ||
           (!lookup->is_left_joined && zsql_reach_is_within(&reach, item + 1, n));
}

/* The core of a subquery that gives a column of its rows. */
static struct zsql_core *core_of(const struct zsql_expr *expr)
{
    struct zsql_core *core;
    const struct zsql_from *first;

    if (expr->kind != ZSQL_SUBQUERY || expr->select->cores.n != 1)
        return NULL;
    core = expr->select->cores.items[0];
    if (core->is_values || core->bound->is_aggregate || core->from.n == 0)
        return NULL;
    first = core->from.items[0];
    return first->made_before == NULL ? core : NULL;
}

/* "c IN (SELECT A FROM changed)", NULL where that can't be told. */
static int write_found(struct lookup *lookup, struct zsql_expr *a, struct zsql_expr *subquery,
    bool is_a_left, const char **text)
{
    struct zsql_inquiry *inquiry = lookup->inquiry;
    const struct zsql_core *core = core_of(subquery);
    struct zsql_expr *c = ((const struct zsql_output *)core->bound->outputs.items[0])->expr;
    struct zsql_reach reach = zsql_reach_of(core->bound, c);
    const char *used =
        is_a_left ? zsql_traits_compared(a, subquery) : zsql_traits_compared(subquery, a);
    const char *values = NULL;
    int rc = ZS_OK;

    *text = NULL;
    if (zsql_reach_is_own(&reach))
        rc = zsql_affected_values(inquiry, lookup->core, a, ZSQL_BEFORE_NULLS, &values);
    if (rc != ZS_OK || values == NULL)
        return rc;
    return zsql_affected_add_in(
        inquiry, zsql_affected_collated(inquiry, c, used), values, text);
}

/* By one term A = (SELECT c ...), and what the subquery compares with X. */
static int by_term(
    struct lookup *lookup, struct zsql_expr *a, struct zsql_expr *subquery, bool is_a_left)
{
    struct zsql_inquiry *inquiry = lookup->inquiry;
    struct zsql_core *core = core_of(subquery);
    struct zsql_list terms = {0};
    const char *found;
    int rc = write_found(lookup, a, subquery, is_a_left, &found);

    if (rc == ZS_OK && found != NULL)
        rc = zsql_expr_terms(inquiry->planner->arena, core->where, &terms);
    for (size_t i = 0; rc == ZS_OK && i < ZSQL_N_READINGS * terms.n; i++) {
        struct zsql_comparison comparison;
        struct zsql_reach y;
        const char *values;

        if (!zsql_comparison_read(
                terms.items[i / ZSQL_N_READINGS], i % ZSQL_N_READINGS, &comparison) ||
            !zsql_comparison_is_of_use(&comparison) || !is_of_others(lookup, comparison.x))
            continue;
        y = zsql_reach_of(core->bound, comparison.y);
        if (!zsql_reach_is_own(&y))
            continue;
        rc = zsql_affected_all(
            inquiry, core, (struct zsql_items){0, core->from.n}, comparison.y, &values);
        if (rc == ZS_OK)
            values = zsql_text_format(inquiry->planner->arena, "%s WHERE %s", values, found);
        if (rc == ZS_OK)
            rc = values == NULL ? ZS_NOMEM
                                : zsql_affected_add(inquiry, lookup->core, &comparison, values,
                                      lookup->condition);
    }
    return rc;
}

/* Is the source looked up by another of the terms anyway? */
static bool has_equality(const struct lookup *lookup, const struct zsql_list *terms)
{
    for (size_t i = 0; i < ZSQL_N_READINGS * terms->n; i++) {
        struct zsql_comparison comparison;

        if (zsql_comparison_read(
                terms->items[i / ZSQL_N_READINGS], i % ZSQL_N_READINGS, &comparison) &&
            comparison.op == ZSQL_OP_EQUAL && is_of_member(lookup, comparison.x) &&
            is_of_others(lookup, comparison.y))
            return true;
    }
    return false;
}

/* What the source is joined on: of a left join ON alone, else all conditions on its rows. */
static int find_terms(const struct lookup *lookup, struct zsql_list *terms)
{
    struct zsql_arena *arena = lookup->inquiry->planner->arena;
    const struct zsql_core *core = lookup->core;
    int rc = lookup->is_left_joined ? ZS_OK : zsql_expr_terms(arena, core->where, terms);

    for (size_t i = 0; rc == ZS_OK && i < core->from.n; i++) {
        const struct zsql_from *member = core->from.items[i];
        bool is_outer = (member->join & ZSQL_JOIN_LEFT) != 0;

        if (lookup->is_left_joined ? i == lookup->item : !is_outer)
            rc = zsql_expr_terms(arena, member->on, terms);
    }
    return rc;
}

int zsql_affected_by_lookup(struct zsql_inquiry *inquiry, const char **condition)
{
    const struct zsql_source *source = inquiry->occurrence->source;
    struct lookup lookup = {
        inquiry, inquiry->occurrence->core, source->item, source->is_nullable, condition};
    struct zsql_list terms = {0};
    int rc;

    if (lookup.core->bound->has_right_join)
        return ZS_OK;
    rc = find_terms(&lookup, &terms);
    if (rc != ZS_OK || has_equality(&lookup, &terms))
        return rc;
    for (size_t i = 0; rc == ZS_OK && i < 2 * terms.n; i++) {
        const struct zsql_expr *term = terms.items[i / 2];
        struct zsql_expr *a, *subquery;

        if (term->kind != ZSQL_BINARY || term->op != ZSQL_OP_EQUAL || term->is_negated)
            continue;
        a = term->operands.items[i % 2];
        subquery = zsql_bound_target(term->operands.items[1 - i % 2]);
        if (core_of(subquery) != NULL && is_of_member(&lookup, a))
            rc = by_term(&lookup, a, subquery, i % 2 == 0);
    }
    return rc;
}
