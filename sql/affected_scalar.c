/* What a change of a value can touch that is the same for all rows, a scalar subquery, as in
**
**   day = (SELECT max(day) FROM t)        x > 2 * (SELECT avg(x) FROM t)
**
** The side Y that it stands in has one value now and had one in the past, the same for all
** rows. X op Y gives another result only where X is one of both, or, of < and its like, stands
** between them:
**
**   X IN (now, past)        (X >= now AND X <= past) OR (X >= past AND X <= now)
**
** each compared as X op Y is. Where one of both is NULL any row may be touched, but for X = Y
** where NULL is as good as false.
**
** The same holds of a member of FROM with one row, as in `FROM t, (SELECT avg(x) AS a FROM t) m
** WHERE t.x > m.a`, where it is only compared. */
#include "sql/affected_private.h"

#include "sql/never_null.h"
#include "sql/template.h"

/* X, as it compares: of groups an aggregate is a column, which has some affinity. */
static const char *write_x(struct zsql_inquiry *inquiry, const struct zsql_core *around,
    const struct zsql_comparison *comparison)
{
    const struct zsql_planner *planner = inquiry->planner;
    const char *x =
        zsql_affected_collated(inquiry, comparison->x, zsql_comparison_collation(comparison));

    return x == NULL || !planner->is_over_groups || around->bound != planner->bound ||
                   zsql_traits_of(comparison->x).has_affinity
               ? x
               : zsql_text_format(planner->arena, "+%s", x);
}

/* X, the values of Y now and in the past, and a SELECT of both; NULL without memory. */
struct values {
    const char *x, *now, *past, *both;
};

/* Y, of a member of FROM as a subquery over that alone. */
static const char *write_y(struct zsql_inquiry *inquiry, const struct zsql_core *around,
    const struct zsql_comparison *comparison)
{
    const struct zsql_occurrence *occurrence = inquiry->occurrence;
    const char *y = zsql_affected_write(inquiry, comparison->y), *member;
    int rc;

    if (y == NULL || occurrence->core != around)
        return y;
    rc = zsql_affected_write_member(inquiry, around, occurrence->source->item, &member);
    return rc == ZS_OK
               ? zsql_text_format(inquiry->planner->arena, "(SELECT %s FROM %s)", y, member)
               : NULL;
}

static struct values write_values(struct zsql_inquiry *inquiry, const struct zsql_core *around,
    const struct zsql_comparison *comparison)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *y = write_y(inquiry, around, comparison);
    struct values values = {write_x(inquiry, around, comparison), NULL, NULL, NULL};

    if (y == NULL || values.x == NULL)
        return values;
    values.now = zsql_template_set(arena, y, inquiry->number, ZSQL_NOW);
    values.past = zsql_template_set(arena, y, inquiry->number, ZSQL_PAST);
    if (values.now != NULL && values.past != NULL)
        values.both =
            zsql_text_format(arena, "SELECT %s UNION ALL SELECT %s", values.now, values.past);
    return values;
}

/* X = Y, where NULL is as good as false. */
static int write_equal(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_items items, const struct zsql_comparison *comparison, const char **condition)
{
    struct values values = write_values(inquiry, around, comparison);
    int rc = values.both == NULL ? ZS_NOMEM : ZS_OK;

    if (rc == ZS_OK && items.first == 0)
        rc = zsql_affected_add_present(inquiry, around, comparison->x, condition);
    return rc == ZS_OK ? zsql_affected_add_in(inquiry, values.x, values.both, condition) : rc;
}

/* The same for any comparison: or any X where a value is NULL. */
static int write_touched(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_items items, const struct zsql_comparison *comparison, const char **one)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    struct values values = write_values(inquiry, around, comparison);
    const char *any = NULL;
    int rc = values.both == NULL
                 ? ZS_NOMEM
                 : zsql_affected_any(inquiry, around, items, comparison->x, values.both, &any);

    if (rc != ZS_OK)
        return rc;
    *one =
        comparison->op >= ZSQL_OP_LESS
            ? zsql_text_format(arena,
                  "((%s) >= %s AND (%s) <= %s OR (%s) >= %s AND (%s) <= %s OR (%s) IN (%s))",
                  values.x, values.now, values.x, values.past, values.x, values.past, values.x,
                  values.now, values.x, any)
            : zsql_text_format(arena, "(%s) IN (%s UNION ALL %s)", values.x, any, values.both);
    if (comparison->op == ZSQL_OP_IS && !zsql_is_never_null(around, comparison->x))
        *one = zsql_text_format(arena, "(%s OR (%s) IS NULL)", *one, values.x);
    return *one == NULL ? ZS_NOMEM : ZS_OK;
}

static int write_compared(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_items items, const struct zsql_compared *compared, const char **one)
{
    const struct zsql_expr *term = compared->term;
    const struct zsql_comparison *comparison = &compared->comparison;

    return comparison->op == ZSQL_OP_EQUAL && !term->is_negated && zsql_hides_null(around, term)
               ? write_equal(inquiry, around, items, comparison, one)
               : write_touched(inquiry, around, items, comparison, one);
}

/* Over groups X is read of the one member that there is, if only as count(*). */
static bool is_readable(const struct zsql_inquiry *inquiry, const struct zsql_core *around,
    struct zsql_items items, const struct zsql_comparison *comparison)
{
    struct zsql_reach x = zsql_reach_of(around->bound, comparison->x);

    return inquiry->planner->is_over_groups && around->bound == inquiry->planner->bound
               ? !x.has_outer && !x.has_select
               : zsql_affected_is_readable(inquiry, &x, items);
}

int zsql_affected_by_scalar(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, struct zsql_items items, const char **condition)
{
    struct zsql_compared compared;
    int rc = zsql_scalar_compared(inner, &compared);

    return rc != ZS_OK || compared.term == NULL ||
                   !is_readable(inquiry, around, items, &compared.comparison)
               ? rc
               : write_compared(inquiry, around, items, &compared, condition);
}

int zsql_affected_by_member(struct zsql_planner *planner, const struct zsql_list *occurrences,
    size_t i, const char **condition)
{
    struct zsql_inquiry inquiry = {planner, occurrences, occurrences->items[i], i, 0};
    struct zsql_core *core = inquiry.occurrence->core;
    const struct zsql_from *from = inquiry.occurrence->from;
    struct zsql_items items = {0, core->from.n};
    struct zsql_list list = {0};
    int rc = ZS_OK;

    *condition = NULL;
    if (from->made_of != NULL && !from->is_made_alone && zsql_gives_one_row(from->made_of) &&
        !core->bound->has_right_join)
        rc = zsql_member_compared(planner->arena, core, from, &list);
    for (size_t j = 0; rc == ZS_OK && j < list.n; j++) {
        const char *one = NULL;

        rc = write_compared(&inquiry, core, items, list.items[j], &one);
        if (rc == ZS_OK && one != NULL)
            *condition = *condition == NULL
                             ? one
                             : zsql_text_format(planner->arena, "%s OR %s", *condition, one);
        if (rc == ZS_OK && (one == NULL || *condition == NULL))
            rc = ZS_NOMEM;
    }
    if (rc == ZS_OK && list.n > 1) {
        *condition = zsql_text_format(planner->arena, "(%s)", *condition);
        rc = *condition == NULL ? ZS_NOMEM : ZS_OK;
    }
    return rc;
}
