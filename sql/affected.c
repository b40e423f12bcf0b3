/* What a change of one occurrence can touch, as conditions `X IN (SELECT Y FROM changed ...)`.
**
** Each comes of an equality X = Y of the text, between what is read without the occurrence and
** what is read with it: of ON before a left join, of a subquery's WHERE, or the one that `X IN
** (SELECT Y ...)` is. Any such condition holds for every row that is touched, so one may be
** left out where it can't be written, and several are joined by AND. */
#include "sql/affected_private.h"

#include "sql/head.h"
#include "sql/never_null.h"

/* Where in a core an expression stands: which members of FROM X may read, maybe none; and in ON
** of which outer join, core->from.n for none. */
struct sought {
    const struct zsql_expr *expr;
    bool is_found;
};

static int visit_sought(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct sought *sought = ctx;

    (void)descend;
    sought->is_found = sought->is_found || expr == sought->expr;
    return ZS_OK;
}

static struct zsql_items readable_items(
    const struct zsql_core *core, const struct zsql_expr *expr, size_t *outer)
{
    const struct zsql_items all = {0, core->from.n}, none = {0, 0};

    *outer = core->from.n;
    for (size_t i = 0; i < core->from.n; i++) {
        struct zsql_from *member = core->from.items[i];
        struct sought sought = {expr, false};
        bool is_outer = (member->join & (ZSQL_JOIN_LEFT | ZSQL_JOIN_RIGHT)) != 0;

        if (zsql_expr_walk(member->on, visit_sought, &sought) != ZS_OK)
            return none;
        if (sought.is_found && core->bound->has_right_join)
            return none;
        if (sought.is_found && is_outer)
            *outer = i;
        if (sought.is_found)
            return is_outer ? (struct zsql_items){0, i} : all;
        if (member->kind == ZSQL_FROM_JOIN && member->span.start <= expr->span.start &&
            expr->span.end <= member->span.end)
            return none;
        for (size_t j = 0; j < member->arguments.n; j++)
            if (zsql_expr_walk(member->arguments.items[j], visit_sought, &sought) != ZS_OK ||
                sought.is_found)
                return none;
    }
    return all;
}

static bool gives_no_null(const struct zsql_bound *bound, size_t j)
{
    return j < bound->outputs.n &&
           zsql_is_never_null(
               bound->core, ((const struct zsql_output *)bound->outputs.items[j])->expr);
}

/* LIMIT is looked at before any row is. */
int zsql_affected_any(struct zsql_inquiry *inquiry, const struct zsql_core *around,
    struct zsql_items items, struct zsql_expr *x, const char *values, const char **text)
{
    const char *all;
    int rc = zsql_affected_all(inquiry, around, items, x, &all);

    if (rc == ZS_OK)
        *text = zsql_text_format(inquiry->planner->arena,
            "SELECT * FROM (%s%s LIMIT CASE WHEN EXISTS (SELECT 1 FROM (" ZSQL_APART_MEMBER
            "SELECT NULL AS y WHERE 0 UNION ALL %s) WHERE y IS NULL) THEN -1 ELSE 0 END)",
            zsql_head_is_from_apart(around) ? ZSQL_APART_MEMBER : "", all, values);
    return rc == ZS_OK && *text == NULL ? ZS_NOMEM : rc;
}

/* `X IN (values)`, or any X where a NULL is among the values: then every X is in the list,
** which leaves X to an index. The values stand last: IN compares with the affinity of those. */
static int add_or_all(struct zsql_inquiry *inquiry, const struct zsql_core *around,
    struct zsql_items items, const struct zsql_bound *inner, struct zsql_expr *x,
    const char *text, const char *values, const char **condition)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *any;
    int rc = zsql_affected_any(inquiry, around, items, x, values, &any);

    if (rc != ZS_OK)
        return rc;
    *condition =
        inner->is_correlated /* LIMIT names nothing of the core around */
            ? zsql_text_format(arena,
                  "((%s) IN (%s) OR EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION"
                  " ALL %s) WHERE y IS NULL))",
                  text, values, values)
            : zsql_text_format(arena, "(%s) IN (%s UNION ALL %s)", text, any, values);
    return *condition == NULL ? ZS_NOMEM : ZS_OK;
}

/* What a change of Y can touch where a NULL shows, as in NOT IN: a NULL among Y touches every
** row, and any Y may touch a row whose X is NULL. */
static int add_with_nulls(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_items items, const struct zsql_bound *inner, struct zsql_expr *x, size_t j,
    const char *text, const char *values, const char **condition)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *one = NULL;
    int rc = gives_no_null(inner, j)
                 ? zsql_affected_add_in(inquiry, text, values, &one)
                 : add_or_all(inquiry, around, items, inner, x, text, values, &one);

    if (rc == ZS_OK && !zsql_is_never_null(around, x))
        one = zsql_text_format(arena, "(%s OR (%s) IS NULL)", one, text);
    if (rc == ZS_OK && one != NULL)
        *condition =
            *condition == NULL ? one : zsql_text_format(arena, "%s AND %s", *condition, one);
    return rc == ZS_OK && (one == NULL || *condition == NULL) ? ZS_NOMEM : rc;
}

/* `X IN (SELECT Y ...)`; of rows, by each column. */
static int by_in(struct zsql_inquiry *inquiry, struct zsql_core *around, struct zsql_expr *in,
    const struct zsql_bound *inner, struct zsql_items items, const char **condition)
{
    struct zsql_expr *left = in->operands.items[0];
    bool is_row = left->kind == ZSQL_ROW;
    bool hides_null = !in->is_negated && zsql_hides_null(around, in);
    int rc = ZS_OK;

    for (size_t j = 0; rc == ZS_OK && j < (is_row ? left->operands.n : 1); j++) {
        struct zsql_expr *x = is_row ? left->operands.items[j] : left;
        struct zsql_reach reach = zsql_reach_of(around->bound, x);
        const char *values = NULL, *text;

        if (!zsql_affected_is_readable(inquiry, &reach, items))
            continue;
        rc = zsql_affected_column(inquiry, inner, j,
            hides_null ? ZSQL_NULLS_MATCH_NOTHING : ZSQL_NULLS_COUNT, &values);
        if (rc != ZS_OK || values == NULL)
            continue;
        text = zsql_affected_write(inquiry, x);
        if (text == NULL)
            return ZS_NOMEM;
        if (hides_null && items.first == 0)
            rc = zsql_affected_add_present(inquiry, around, x, condition);
        if (rc == ZS_OK)
            rc = hides_null ? zsql_affected_add_in(inquiry, text, values, condition)
                            : add_with_nulls(
                                  inquiry, around, items, inner, x, j, text, values, condition);
    }
    return rc;
}

/* By what is read of the members. */
static int by_items(struct zsql_inquiry *inquiry, struct zsql_core *core,
    const struct zsql_bound *inner, struct zsql_items items, const char **condition)
{
    struct zsql_expr *expr = inner->place.expr;
    struct zsql_found found = {false, false};
    int rc = zsql_affected_by_correlation(inquiry, core, inner, items, &found, condition);

    if (rc == ZS_OK && found.has_range && items.first == 0 && items.end == core->from.n)
        rc = zsql_affected_first(inquiry, core, inner, condition);
    if (rc == ZS_OK && found.has_range && items.first == 0 && items.end == core->from.n)
        rc = zsql_affected_not_cancelled(inquiry, core, inner, condition);
    if (rc == ZS_OK && !found.has_equality && expr->kind == ZSQL_IN_SELECT)
        rc = by_in(inquiry, core, expr, inner, items, condition);
    if (rc == ZS_OK && *condition == NULL && expr->kind == ZSQL_SUBQUERY)
        rc = zsql_affected_by_scalar(inquiry, core, inner, items, condition);
    return rc;
}

/* The occurrence is in a subquery of an expression of the core. Of ON of a left join it is told
** by what stands before, or by the rows of the member alone. */
static int by_subquery(struct zsql_inquiry *inquiry, struct zsql_core *core,
    const struct zsql_bound *inner, const char **condition)
{
    size_t outer;
    struct zsql_items items = readable_items(core, inner->place.expr, &outer);
    const char *of_member = NULL;
    int rc = ZS_OK;

    if (items.end > 0)
        rc = by_items(inquiry, core, inner, items, condition);
    if (rc != ZS_OK || *condition != NULL || outer == core->from.n ||
        ((const struct zsql_from *)core->from.items[outer])->kind != ZSQL_FROM_TABLE)
        return rc;
    rc = by_items(inquiry, core, inner, (struct zsql_items){outer, outer + 1}, &of_member);
    return rc != ZS_OK || of_member == NULL
               ? rc
               : zsql_affected_by_on(inquiry, core, outer, of_member, condition);
}

/* A condition over the rows of core's FROM; the occurrence is in core, at any depth. */
int zsql_affected_condition(
    struct zsql_inquiry *inquiry, struct zsql_core *core, const char **condition)
{
    const struct zsql_occurrence *occurrence = inquiry->occurrence;
    const struct zsql_bound *inner;
    const struct zsql_source *source;

    *condition = NULL;
    if (occurrence->core == core) {
        if (core->bound->has_right_join || !occurrence->source->is_nullable)
            return ZS_OK;
        return zsql_affected_by_left_join(inquiry, core, occurrence->source->item, condition);
    }
    inner = zsql_affected_inner(inquiry, core);
    if (inner->place.expr != NULL)
        return by_subquery(inquiry, core, inner, condition);
    source = zsql_bound_source_of(core->bound, inner->place.from);
    if (core->bound->has_right_join)
        return ZS_OK;
    if (!source->is_nullable)
        return zsql_affected_by_columns(inquiry, source, inner, condition);
    return inner == occurrence->core->bound
               ? zsql_affected_by_left_join(inquiry, core, source->item, condition)
               : ZS_OK;
}

int zsql_affected(struct zsql_planner *planner, const struct zsql_list *occurrences, size_t i,
    struct zsql_core *core, const char **condition)
{
    struct zsql_inquiry inquiry = {planner, occurrences, occurrences->items[i], i, 0};

    return zsql_affected_condition(&inquiry, core, condition);
}

int zsql_affected_looked_up(struct zsql_planner *planner, const struct zsql_list *occurrences,
    size_t i, const char **condition)
{
    struct zsql_inquiry inquiry = {planner, occurrences, occurrences->items[i], i, 0};

    *condition = NULL;
    return zsql_affected_by_lookup(&inquiry, condition);
}
