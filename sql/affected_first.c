/* Of the first by an order, as the rate as of a day,
**
**   (SELECT r.rate FROM rates r WHERE r.cur = o.cur AND r.day <= o.day ORDER BY r.day DESC LIMIT 1)
**
** a changed row touches X = o.day from its own Y = r.day on, and no further than to the next Y
** that is there now: a row there is the better one. (If the first now is none that changed, the
** first in the past is one, and nothing there is now stands between.) Where there is no next,
** all the rest:
**
**   X <= (the greatest, of the changed rows, of coalesce(next Y, greatest X))
**
** ORDER BY Y with Y >= X is the same the other way round. */
#include "sql/affected_private.h"

#include "sql/template.h"

struct first {
    struct zsql_inquiry *inquiry;
    struct zsql_core *around;
    const struct zsql_bound *inner;
    struct zsql_comparison range;
    struct zsql_list equal; /* of struct zsql_comparison */
    struct zsql_list own;   /* of struct zsql_expr: terms that name nothing around */
    size_t item;            /* the member of FROM around that X is of */
};

static bool compare_alike(const struct zsql_comparison *comparison)
{
    struct zsql_traits x = zsql_traits_of(comparison->x), y = zsql_traits_of(comparison->y);

    return zsql_traits_class(&x) == zsql_traits_class(&y) &&
           zsql_same_name(zsql_comparison_collation(comparison),
               y.collation != NULL ? y.collation : "BINARY");
}

/* Is Y the subquery's, and X of a table around by itself? */
static bool can_be_bound(const struct first *first, const struct zsql_comparison *comparison)
{
    struct zsql_reach x = zsql_reach_of(first->around->bound, comparison->x);
    struct zsql_reach y = zsql_reach_of(first->inner, comparison->y);

    return zsql_reach_is_own(&x) && zsql_reach_is_own(&y) && compare_alike(comparison);
}

/* Is it by Y that the subquery takes its first row, in the direction that X lies? */
static bool is_first_by(const struct first *first, const struct zsql_comparison *comparison)
{
    const struct zsql_term *term = first->inner->select->order.items[0];
    bool is_above =
        comparison->op == ZSQL_OP_GREATER || comparison->op == ZSQL_OP_GREATER_EQUAL;

    return comparison->op != ZSQL_OP_EQUAL && term->is_descending == is_above &&
           zsql_bound_equal(term->expr, comparison->y);
}

/* Sorts a term of WHERE; false where it is of no known kind. */
static bool read_term(struct first *first, struct zsql_expr *term, int *rc)
{
    struct zsql_reach reach = zsql_reach_of(first->inner, term);
    struct zsql_arena *arena = first->inquiry->planner->arena;

    if (reach.has_select)
        return false;
    if (!reach.has_outer) {
        *rc = zsql_list_append(arena, &first->own, term);
        return true;
    }
    for (size_t i = 0; term->kind == ZSQL_BINARY && i < 2; i++) {
        struct zsql_comparison *made = zsql_arena_get(arena, sizeof(*made));

        if (made == NULL)
            *rc = ZS_NOMEM;
        if (made == NULL || !zsql_comparison_read(term, i, made) || !can_be_bound(first, made))
            continue;
        if (made->op == ZSQL_OP_EQUAL)
            *rc = zsql_list_append(arena, &first->equal, made);
        else if (first->range.x == NULL && is_first_by(first, made))
            first->range = *made;
        else
            return false;
        return true;
    }
    return false;
}

/* The member of FROM around that X and all others that are compared are of: a table. */
static bool find_item(struct first *first)
{
    const struct zsql_list *members = &first->around->from;
    struct zsql_reach x = zsql_reach_of(first->around->bound, first->range.x);

    for (first->item = 0; !zsql_reach_is_within(&x, first->item, first->item + 1);)
        if (++first->item == members->n)
            return false;
    for (size_t i = 0; i < first->equal.n; i++) {
        const struct zsql_comparison *equal = first->equal.items[i];
        struct zsql_reach reach = zsql_reach_of(first->around->bound, equal->x);

        if (!zsql_reach_is_within(&reach, first->item, first->item + 1))
            return false;
    }
    return ((const struct zsql_from *)members->items[first->item])->kind == ZSQL_FROM_TABLE;
}

/* A scalar subquery without LIMIT takes one row too. */
static bool is_one(const struct zsql_expr *limit)
{
    return limit == NULL ||
           (limit->kind == ZSQL_INTEGER && zsql_same_name(limit->name.text, "1"));
}

static bool has_the_shape(const struct first *first)
{
    const struct zsql_inquiry *inquiry = first->inquiry;
    const struct zsql_select *select = first->inner->select;
    const struct zsql_core *core = first->inner->core;

    return first->inner->place.expr->kind == ZSQL_SUBQUERY && select->cores.n == 1 &&
           select->order.n > 0 && is_one(select->limit) && select->offset == NULL &&
           inquiry->occurrence->core == core && core->from.n == 1 &&
           core->from.items[0] == inquiry->occurrence->from &&
           inquiry->occurrence->from->kind == ZSQL_FROM_TABLE && !core->is_distinct &&
           !core->bound->is_aggregate &&
           !(inquiry->planner->is_over_groups &&
               first->around->bound == inquiry->planner->bound);
}

/* Texts; NULL without memory. */

/* "k0 = (...) AND k1 = ..." of the expressions that are compared, each after " AND ". */
static const char *write_equal(const struct first *first, bool is_of_x)
{
    struct zsql_arena *arena = first->inquiry->planner->arena;
    const char *text = "";

    for (size_t i = 0; text != NULL && i < first->equal.n; i++) {
        const struct zsql_comparison *equal = first->equal.items[i];
        const char *value = zsql_affected_collated(
            first->inquiry, is_of_x ? equal->x : equal->y, zsql_comparison_collation(equal));

        text = value == NULL ? NULL
                             : zsql_text_format(
                                   arena, "%s AND (%s) = lockstep_values.k%zu", text, value, i);
    }
    return text;
}

static const char *write_own(const struct first *first)
{
    struct zsql_arena *arena = first->inquiry->planner->arena;
    const char *text = "";

    for (size_t i = 0; text != NULL && i < first->own.n; i++) {
        const char *term = zsql_affected_write(first->inquiry, first->own.items[i]);

        text = term == NULL ? NULL : zsql_text_format(arena, "%s AND (%s)", text, term);
    }
    return text;
}

/* "lockstep_values(y, k0) AS (SELECT Y, Y0 FROM changed)" */
static const char *write_changed(const struct first *first, const char *y, const char *from)
{
    struct zsql_arena *arena = first->inquiry->planner->arena;
    const char *names = "lockstep_values(y", *values = y;

    for (size_t i = 0; names != NULL && values != NULL && i < first->equal.n; i++) {
        const struct zsql_comparison *equal = first->equal.items[i];
        const char *value = zsql_affected_write(first->inquiry, equal->y);

        names = zsql_text_format(arena, "%s, k%zu", names, i);
        values = value == NULL ? NULL : zsql_text_format(arena, "%s, (%s)", values, value);
    }
    if (names == NULL || values == NULL)
        return NULL;
    from = zsql_template_set(arena, from, first->inquiry->number, ZSQL_BATCH);
    return from == NULL
               ? NULL
               : zsql_text_format(arena, "%s) AS (SELECT %s FROM %s)", names, values, from);
}

/* "SELECT Y FROM f WHERE ... AND Y > y ORDER BY Y LIMIT 1": of what is there now. */
static const char *write_next(const struct first *first, const char *y, const char *from)
{
    struct zsql_arena *arena = first->inquiry->planner->arena;
    const char *equal = write_equal(first, false), *own = write_own(first);
    bool is_above = first->range.op >= ZSQL_OP_GREATER;

    from = zsql_template_set(arena, from, first->inquiry->number, ZSQL_NOW);
    if (equal == NULL || own == NULL || from == NULL)
        return NULL;
    return zsql_text_format(arena,
        "SELECT %s FROM %s WHERE (%s) %s lockstep_values.y%s%s ORDER BY %s%s LIMIT 1", y, from,
        y, is_above ? ">" : "<", equal, own, y, is_above ? "" : " DESC");
}

/* "SELECT X FROM o WHERE ... AND X IS NOT NULL ORDER BY X DESC LIMIT 1" */
static const char *write_last(const struct first *first)
{
    struct zsql_arena *arena = first->inquiry->planner->arena;
    const char *used = zsql_comparison_collation(&first->range);
    const char *x = zsql_affected_write(first->inquiry, first->range.x);
    const char *equal = write_equal(first, true), *from;
    int rc = zsql_affected_write_member(first->inquiry, first->around, first->item, &from);

    if (rc != ZS_OK || x == NULL || equal == NULL)
        return NULL;
    return zsql_text_format(arena,
        "SELECT %s FROM %s WHERE (%s) IS NOT NULL%s ORDER BY (%s) COLLATE \"%s\"%s LIMIT 1", x,
        from, x, equal, x, used, first->range.op >= ZSQL_OP_GREATER ? " DESC" : "");
}

static int write_bound(const struct first *first, const char **condition)
{
    struct zsql_inquiry *inquiry = first->inquiry;
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *used = zsql_comparison_collation(&first->range);
    const char *x = zsql_affected_collated(inquiry, first->range.x, used);
    const char *y = zsql_affected_write(inquiry, first->range.y);
    const char *from, *changed = NULL, *next = NULL, *last = NULL;
    bool is_above = first->range.op >= ZSQL_OP_GREATER;
    int rc = zsql_affected_write_from(inquiry, first->inner->core, &from);

    if (rc == ZS_OK && y != NULL) {
        changed = write_changed(first, y, from);
        next = write_next(first, y, from);
        last = write_last(first);
    }
    if (x == NULL || changed == NULL || next == NULL || last == NULL)
        return ZS_NOMEM;
    *condition = zsql_text_format(arena,
        "%s%s(%s) %s (WITH %s, lockstep_bounds(y) AS (SELECT coalesce((%s), (%s)) FROM"
        " lockstep_values WHERE y IS NOT NULL) SELECT y FROM lockstep_bounds WHERE y IS NOT"
        " NULL ORDER BY y COLLATE \"%s\"%s LIMIT 1)",
        *condition != NULL ? *condition : "", *condition != NULL ? " AND " : "", x,
        is_above ? "<=" : ">=", changed, next, last, used, is_above ? " DESC" : "");
    return *condition == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_affected_first(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, const char **condition)
{
    struct first first = {.inquiry = inquiry, .around = around, .inner = inner};
    struct zsql_list terms = {0};
    bool is_known = has_the_shape(&first);
    int rc =
        is_known ? zsql_expr_terms(inquiry->planner->arena, inner->core->where, &terms) : ZS_OK;

    for (size_t i = 0; rc == ZS_OK && is_known && i < terms.n; i++)
        is_known = read_term(&first, terms.items[i], &rc);
    if (rc != ZS_OK || !is_known || first.range.x == NULL || !find_item(&first))
        return rc;
    return write_bound(&first, condition);
}
