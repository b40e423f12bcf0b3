/* What a change of one occurrence can touch, as conditions `X IN (SELECT Y FROM changed ...)`.
**
** Each comes of an equality X = Y of the text, between what is read without the occurrence and
** what is read with it: of ON before a left join, of a subquery's WHERE, or the one that
** `X IN (SELECT Y ...)` is. Any such condition holds for every row that is touched, so one may be
** left out where it can't be written, and several are joined by AND. */
#include "sql/affected_private.h"

#include "sql/binder.h"
#include "sql/never_null.h"
#include "sql/present.h"
#include "sql/template.h"

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

/* The occurrence is within member number `item` of FROM, which a left join may leave without a
** match: by ON, X of what stands before, Y of the member. */
static int by_left_join(
    struct zsql_inquiry *inquiry, struct zsql_core *core, size_t item, const char **condition)
{
    const struct zsql_from *member = core->from.items[item];
    struct zsql_list terms = {0};
    int rc = zsql_expr_terms(inquiry->planner->arena, member->on, &terms);

    if (rc == ZS_OK)
        rc = by_merged(inquiry, core, item, condition);
    for (size_t i = 0; rc == ZS_OK && i < ZSQL_N_READINGS * terms.n; i++) {
        struct zsql_comparison comparison;
        struct zsql_reach x, y;
        const char *values = NULL;

        if (!zsql_comparison_read(
                terms.items[i / ZSQL_N_READINGS], i % ZSQL_N_READINGS, &comparison) ||
            !zsql_comparison_is_of_use(&comparison))
            continue;
        x = zsql_reach_of(core->bound, comparison.x);
        y = zsql_reach_of(core->bound, comparison.y);
        if (!zsql_reach_is_own(&x) || !zsql_reach_is_own(&y) ||
            !zsql_reach_is_within(&x, 0, item) || !zsql_reach_is_within(&y, item, item + 1))
            continue;
        rc = member->kind == ZSQL_FROM_SELECT
                 ? ZS_OK
                 : zsql_affected_values(inquiry, core, comparison.y,
                       member == inquiry->occurrence->from ? ZSQL_BEFORE_NULLS
                                                           : ZSQL_NULLS_MATCH_NOTHING,
                       &values);
        if (member->kind == ZSQL_FROM_SELECT && comparison.y->binding == ZSQL_COLUMN)
            rc = zsql_affected_column(inquiry, inquiry->occurrence->core->bound,
                (size_t)comparison.y->column, ZSQL_NULLS_MATCH_NOTHING, &values);
        if (rc == ZS_OK && values != NULL)
            rc = zsql_affected_add(inquiry, core, &comparison, values, condition);
    }
    return rc;
}

/* The occurrence is in the subquery that is member number `item` of FROM: its own columns, where
** the change can be told by one. Rows in which the column is NULL are all looked at. */
static int by_member(struct zsql_inquiry *inquiry, const struct zsql_source *source,
    const struct zsql_bound *inner, const char **condition)
{
    int rc = ZS_OK;

    for (size_t j = 0; rc == ZS_OK && source->name != NULL && j < source->relation.n_columns;
         j++) {
        struct zsql_arena *arena = inquiry->planner->arena;
        const char *table = zsql_text_quoted(arena, source->name, '"');
        const char *column = zsql_text_quoted(arena, source->relation.columns[j].name, '"');
        const char *one = NULL, *values = NULL;

        rc = zsql_affected_column(inquiry, inner, j, ZSQL_NULLS_COUNT, &values);
        if (rc != ZS_OK || values == NULL)
            continue;
        if (table == NULL || column == NULL)
            return ZS_NOMEM;
        table = zsql_text_format(arena, "%s.%s", table, column);
        rc = zsql_affected_add_in(inquiry, table, values, &one);
        if (rc == ZS_OK)
            *condition = *condition == NULL
                             ? zsql_text_format(arena, "(%s OR %s IS NULL)", one, table)
                             : zsql_text_format(
                                   arena, "%s AND (%s OR %s IS NULL)", *condition, one, table);
        if (rc == ZS_OK && *condition == NULL)
            rc = ZS_NOMEM;
    }
    return rc;
}

/* Where in a core an expression stands: up to which member of FROM X may read; 0: nowhere. */
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

static size_t readable_items(const struct zsql_core *core, const struct zsql_expr *expr)
{
    for (size_t i = 0; i < core->from.n; i++) {
        struct zsql_from *member = core->from.items[i];
        struct sought sought = {expr, false};
        bool is_outer = (member->join & (ZSQL_JOIN_LEFT | ZSQL_JOIN_RIGHT)) != 0;

        if (zsql_expr_walk(member->on, visit_sought, &sought) != ZS_OK)
            return 0;
        if (sought.is_found)
            return core->bound->has_right_join ? 0 : is_outer ? i : core->from.n;
        if (member->kind == ZSQL_FROM_JOIN && member->span.start <= expr->span.start &&
            expr->span.end <= member->span.end)
            return 0;
        for (size_t j = 0; j < member->arguments.n; j++)
            if (zsql_expr_walk(member->arguments.items[j], visit_sought, &sought) != ZS_OK ||
                sought.is_found)
                return 0;
    }
    return core->from.n;
}

static bool gives_no_null(const struct zsql_bound *bound, size_t j)
{
    return j < bound->outputs.n &&
           zsql_is_never_null(
               bound->core, ((const struct zsql_output *)bound->outputs.items[j])->expr);
}

/* `X IN (values)`, or any X where a NULL is among the values: then every X is in the list, which
** leaves X to an index. LIMIT is looked at before any row is. The values stand last: IN compares with the
** affinity of those. */
static int add_or_all(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, struct zsql_expr *x, const char *text, const char *values,
    const char **condition)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *all;
    int rc = zsql_affected_all(inquiry, around, x, &all);

    if (rc != ZS_OK)
        return rc;
    *condition =
        inner->is_correlated /* LIMIT names nothing of the core around */
            ? zsql_text_format(arena,
                  "((%s) IN (%s) OR EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION"
                  " ALL %s) WHERE y IS NULL))",
                  text, values, values)
            : zsql_text_format(arena,
                  "(%s) IN (SELECT * FROM (%s LIMIT CASE WHEN EXISTS (SELECT 1"
                  " FROM (SELECT NULL AS y WHERE 0 UNION ALL %s) WHERE y IS NULL) THEN -1"
                  " ELSE 0 END) UNION ALL %s)",
                  text, all, values, values);
    return *condition == NULL ? ZS_NOMEM : ZS_OK;
}

/* What a change of Y can touch where a NULL shows, as in NOT IN: a NULL among Y touches every row, and
** any Y may touch a row whose X is NULL. */
static int add_with_nulls(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, struct zsql_expr *x, size_t j, const char *text,
    const char *values, const char **condition)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *one = NULL;
    int rc = gives_no_null(inner, j)
                 ? zsql_affected_add_in(inquiry, text, values, &one)
                 : add_or_all(inquiry, around, inner, x, text, values, &one);

    if (rc == ZS_OK && !zsql_is_never_null(around, x))
        one = zsql_text_format(arena, "(%s OR (%s) IS NULL)", one, text);
    if (rc == ZS_OK && one != NULL)
        *condition =
            *condition == NULL ? one : zsql_text_format(arena, "%s AND %s", *condition, one);
    return rc == ZS_OK && (one == NULL || *condition == NULL) ? ZS_NOMEM : rc;
}

/* `X IN (SELECT Y ...)`; of rows, by each column. */
static int by_in(struct zsql_inquiry *inquiry, struct zsql_core *around, struct zsql_expr *in,
    const struct zsql_bound *inner, size_t n_items, const char **condition)
{
    struct zsql_expr *left = in->operands.items[0];
    bool is_row = left->kind == ZSQL_ROW;
    bool hides_null = !in->is_negated && zsql_hides_null(around, in);
    int rc = ZS_OK;

    for (size_t j = 0; rc == ZS_OK && j < (is_row ? left->operands.n : 1); j++) {
        struct zsql_expr *x = is_row ? left->operands.items[j] : left;
        struct zsql_reach reach = zsql_reach_of(around->bound, x);
        const char *values = NULL, *text;

        if (!zsql_affected_is_readable(inquiry, &reach, n_items))
            continue;
        rc = zsql_affected_column(inquiry, inner, j,
            hides_null ? ZSQL_NULLS_MATCH_NOTHING : ZSQL_NULLS_COUNT, &values);
        if (rc != ZS_OK || values == NULL)
            continue;
        text = zsql_affected_write(inquiry, x);
        if (text == NULL)
            return ZS_NOMEM;
        if (hides_null)
            rc = zsql_affected_add_present(inquiry, around, x, condition);
        if (rc == ZS_OK)
            rc = hides_null
                     ? zsql_affected_add_in(inquiry, text, values, condition)
                     : add_with_nulls(inquiry, around, inner, x, j, text, values, condition);
    }
    return rc;
}

/* The occurrence is in a subquery of an expression of the core. */
static int by_subquery(struct zsql_inquiry *inquiry, struct zsql_core *core,
    const struct zsql_bound *inner, const char **condition)
{
    struct zsql_expr *expr = inner->place.expr;
    size_t n_items = readable_items(core, expr);
    bool has_equality = false;
    int rc;

    if (n_items == 0)
        return ZS_OK;
    rc = zsql_affected_by_correlation(inquiry, core, inner, n_items, &has_equality, condition);
    if (rc == ZS_OK && !has_equality && expr->kind == ZSQL_IN_SELECT)
        rc = by_in(inquiry, core, expr, inner, n_items, condition);
    return rc;
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
        return by_left_join(inquiry, core, occurrence->source->item, condition);
    }
    inner = zsql_affected_inner(inquiry, core);
    if (inner->place.expr != NULL)
        return by_subquery(inquiry, core, inner, condition);
    source = zsql_bound_source_of(core->bound, inner->place.from);
    if (core->bound->has_right_join)
        return ZS_OK;
    if (!source->is_nullable)
        return by_member(inquiry, source, inner, condition);
    return inner == occurrence->core->bound
               ? by_left_join(inquiry, core, source->item, condition)
               : ZS_OK;
}

int zsql_affected(struct zsql_planner *planner, const struct zsql_list *occurrences, size_t i,
    struct zsql_core *core, const char **condition)
{
    struct zsql_inquiry inquiry = {planner, occurrences, occurrences->items[i], i};

    return zsql_affected_condition(&inquiry, core, condition);
}
