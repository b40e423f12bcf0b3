/* Correlated scalar subqueries over aggregates, as lookups.
**
**   (SELECT agg FROM f WHERE y = X AND w)
**
** with X of the core around and all else its own, is computed for every y at once, by an
** operator,
**
**   SELECT y, agg FROM f WHERE w GROUP BY y
**
** and looked up by X; where it has no such y, the value is that of agg over nothing. It is as =
** compares only if the groups of y are those that = tells apart: X and y are both numbers, both
** text or both untyped, and compare by y's own collation. */
#include "sql/planner.h"
#include "sql/reach.h"

struct pair {
    struct zsql_expr *term, *x, *y;
};

struct lookup {
    struct zsql_planner *planner;
    struct zsql_expr *expr;
    struct zsql_core *around, *core;
    struct zsql_list pairs; /* of struct pair */
};

/* Comparing. */

static bool compare_alike(struct zsql_expr *x, struct zsql_expr *y, bool is_x_left)
{
    struct zsql_traits of_x = zsql_traits_of(x), of_y = zsql_traits_of(y);
    const char *used = is_x_left ? zsql_traits_compared(x, y) : zsql_traits_compared(y, x);

    return zsql_traits_class(&of_x) == zsql_traits_class(&of_y) &&
           zsql_same_name(used, of_y.collation != NULL ? of_y.collation : "BINARY");
}

/* Reading the subquery. */

/* Can X be written within a subquery over what the operator made? */
static bool can_be_qualified(const struct zsql_bound *bound, const struct zsql_reach *reach)
{
    for (size_t i = 0; i < bound->sources.n; i++) {
        if ((reach->sources >> i & 1) != 0 && zsql_source_at(bound, i)->name == NULL)
            return false;
    }
    return true;
}

static int read_pair(
    struct lookup *lookup, struct zsql_expr *term, bool is_x_left, bool *is_pair)
{
    struct zsql_expr *x, *y;
    struct zsql_reach of_x, of_y;
    struct pair *pair;

    *is_pair = false;
    if (term->kind != ZSQL_BINARY || term->op != ZSQL_OP_EQUAL || term->is_negated)
        return ZS_OK;
    x = zsql_bound_target(term->operands.items[is_x_left ? 0 : 1]);
    y = zsql_bound_target(term->operands.items[is_x_left ? 1 : 0]);
    of_x = zsql_reach_of(lookup->around->bound, x);
    of_y = zsql_reach_of(lookup->core->bound, y);
    if (x->kind == ZSQL_ROW || y->kind == ZSQL_ROW || !zsql_reach_is_own(&of_x) ||
        !zsql_reach_is_own(&of_y) || !can_be_qualified(lookup->around->bound, &of_x) ||
        !compare_alike(x, y, is_x_left))
        return ZS_OK;
    pair = zsql_arena_get(lookup->planner->arena, sizeof(*pair));
    if (pair == NULL)
        return ZS_NOMEM;
    *pair = (struct pair){term, x, y};
    *is_pair = true;
    return zsql_list_append(lookup->planner->arena, &lookup->pairs, pair);
}

static bool is_own_or_constant(const struct lookup *lookup, struct zsql_expr *expr)
{
    struct zsql_reach reach = zsql_reach_of(lookup->core->bound, expr);
    return !reach.has_outer && !reach.has_select;
}

/* Sorts the terms of WHERE into pairs and others. *fits: all of them are one or the other. */
static int read_terms(struct lookup *lookup, struct zsql_expr *expr, bool *fits)
{
    bool is_pair = false;
    int rc = ZS_OK;

    if (expr == NULL || !*fits)
        return ZS_OK;
    if (expr->kind == ZSQL_BINARY && expr->op == ZSQL_OP_AND) {
        rc = read_terms(lookup, expr->operands.items[0], fits);
        return rc == ZS_OK ? read_terms(lookup, expr->operands.items[1], fits) : rc;
    }
    if (is_own_or_constant(lookup, expr))
        return ZS_OK;
    for (int i = 0; rc == ZS_OK && i < 2 && !is_pair; i++)
        rc = read_pair(lookup, expr, i == 0, &is_pair);
    *fits = is_pair;
    return rc;
}

static bool reads_outside_from(const struct lookup *lookup, const struct zsql_list *members)
{
    for (size_t i = 0; i < members->n; i++) {
        const struct zsql_from *member = members->items[i];

        if (member->kind != ZSQL_FROM_TABLE && member->kind != ZSQL_FROM_JOIN)
            return true;
        if (reads_outside_from(lookup, &member->items) ||
            (member->on != NULL && !is_own_or_constant(lookup, member->on)))
            return true;
    }
    return false;
}

static bool has_the_shape(const struct lookup *lookup)
{
    const struct zsql_select *select = lookup->expr->select;
    const struct zsql_core *core = lookup->core;

    return lookup->expr->kind == ZSQL_SUBQUERY && select->cores.n == 1 &&
           select->limit == NULL && !core->is_values && !core->is_distinct &&
           core->bound->is_aggregate && core->bound->is_correlated && core->group_by.n == 0 &&
           core->having == NULL && core->bound->outputs.n == 1 && core->from.n > 0 &&
           !lookup->around->bound->is_aggregate && !lookup->around->bound->is_correlated &&
           !reads_outside_from(lookup, &core->from) &&
           is_own_or_constant(
               lookup, ((const struct zsql_output *)core->bound->outputs.items[0])->expr);
}

/* The value over nothing. */

struct over_nothing {
    bool is_known;
};

/* A zsql_replace_fn. */
static int replace_by_nothing(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    static const char *const nulls[] = {"sum", "avg", "min", "max", "group_concat",
        "string_agg", "exact_sum", "exact_avg", "unanimous"};
    struct over_nothing *nothing = ctx;

    (void)sight;
    if (expr->binding == ZSQL_COLUMN)
        *text = "NULL";
    if (expr->kind != ZSQL_CALL || !expr->call->is_aggregate)
        return ZS_OK;
    if (zsql_same_name(expr->name.text, "count"))
        *text = "0";
    if (zsql_same_name(expr->name.text, "total") ||
        zsql_same_name(expr->name.text, "exact_total"))
        *text = "0.0";
    if (zsql_same_name(expr->name.text, "json_group_array"))
        *text = "json_array()";
    if (zsql_same_name(expr->name.text, "json_group_object"))
        *text = "json_object()";
    for (size_t i = 0; i < sizeof(nulls) / sizeof(nulls[0]); i++)
        if (zsql_same_name(expr->name.text, nulls[i]))
            *text = "NULL";
    if (*text == NULL) {
        nothing->is_known = false;
        *text = "NULL";
    }
    return ZS_OK;
}

/* Grouping. */

/* The core becomes one that groups by all y; its terms that are pairs count as true. */
static int group(struct lookup *lookup)
{
    struct zsql_planner *planner = lookup->planner;
    struct zsql_bound *bound = lookup->core->bound;
    struct zsql_output *value = bound->outputs.items[0];
    struct zsql_list outputs = {0}, keys = {0};
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < lookup->pairs.n; i++) {
        const struct pair *pair = lookup->pairs.items[i];
        struct zsql_output *output = zsql_arena_get(planner->arena, sizeof(*output));

        if (output == NULL)
            return ZS_NOMEM;
        *output = (struct zsql_output){pair->y, "key", NULL, false};
        pair->term->is_dropped = true;
        rc = zsql_list_append(planner->arena, &outputs, output);
        if (rc == ZS_OK)
            rc = zsql_list_append(planner->arena, &keys, pair->y);
    }
    if (rc == ZS_OK)
        rc = zsql_list_append(planner->arena, &outputs, value);
    bound->outputs = outputs;
    bound->group_by = keys;
    bound->is_correlated = false;
    return rc;
}

static void ungroup(struct lookup *lookup, const struct zsql_bound *before)
{
    *lookup->core->bound = *before;
    for (size_t i = 0; i < lookup->pairs.n; i++)
        ((const struct pair *)lookup->pairs.items[i])->term->is_dropped = false;
}

/* "c0 = X AND c1 = ..." */
static int write_condition(struct lookup *lookup, const char **text)
{
    struct zsql_arena *arena = lookup->planner->arena;
    int rc = ZS_OK;

    *text = "";
    for (size_t i = 0; rc == ZS_OK && i < lookup->pairs.n; i++) {
        const struct pair *pair = lookup->pairs.items[i];
        const char *x;

        rc = zsql_plan_write_qualified(lookup->planner, pair->x, &x);
        if (rc == ZS_OK)
            *text = zsql_text_format(
                arena, "%s%slockstep_made.c%zu = (%s)", *text, i > 0 ? " AND " : "", i, x);
        if (*text == NULL)
            return ZS_NOMEM;
    }
    return rc;
}

/* c0 = X AND c1 = ..., as a tree, for what a change of the lookup's rows touches. */
static struct zsql_expr *join_terms(
    struct lookup *lookup, const struct zsql_core *core, enum zsql_op op, size_t i)
{
    struct zsql_arena *arena = lookup->planner->arena;
    const struct zsql_output *column = core->bound->outputs.items[i];
    const struct pair *pair = lookup->pairs.items[i];
    struct zsql_expr *made = zsql_arena_get(arena, sizeof(*made));
    bool is_last = i + 1 == lookup->pairs.n;
    struct zsql_expr *left, *right;

    if (made == NULL)
        return NULL;
    made->kind = ZSQL_BINARY;
    made->depth = 1;
    made->op = op;
    if (op == ZSQL_OP_AND && is_last)
        return join_terms(lookup, core, ZSQL_OP_EQUAL, i);
    left = op == ZSQL_OP_AND ? join_terms(lookup, core, ZSQL_OP_EQUAL, i) : column->expr;
    right = op == ZSQL_OP_AND ? join_terms(lookup, core, ZSQL_OP_AND, i + 1) : pair->x;
    if (left == NULL || right == NULL ||
        zsql_list_append(arena, &made->operands, left) != ZS_OK ||
        zsql_list_append(arena, &made->operands, right) != ZS_OK)
        return NULL;
    return made;
}

/* The subquery becomes "SELECT CASE count(*) WHEN 0 THEN <over nothing> ELSE max(<value>) END
** FROM made WHERE c0 = X", cast to a type where the value was. JSON is stored as text, of which
** lockstep_json() makes JSON again. */
static int look_up(struct lookup *lookup, struct zsql_operator *made, const char *type,
    const char *empty, const char *condition, bool is_json)
{
    struct zsql_planner *planner = lookup->planner;
    struct zsql_core *core;
    struct zsql_from *from;
    const char *value;
    int rc = zsql_plan_replace_alone(planner, lookup->expr, made, made->n_columns, &core);

    if (rc != ZS_OK)
        return rc;
    from = core->from.items[0];
    core->where = join_terms(lookup, core, ZSQL_OP_AND, 0);
    core->bound->is_correlated = true;
    value = zsql_text_format(planner->arena,
        is_json ? "CASE count(*) WHEN 0 THEN (%s) ELSE json(max(c%zu)) END"
                : "CASE count(*) WHEN 0 THEN (%s) ELSE max(c%zu) END",
        empty, lookup->pairs.n);
    if (value != NULL && *type != '\0')
        value = zsql_text_format(planner->arena, "CAST(%s AS %s)", value, type);
    if (value == NULL)
        return ZS_NOMEM;
    from->made_type = type;
    from->made_before = zsql_text_format(planner->arena, "SELECT %s FROM", value);
    from->made_after = zsql_text_format(planner->arena, "WHERE %s", condition);
    return zsql_arena_has_failed(planner->arena) ? ZS_NOMEM : ZS_OK;
}

int zsql_plan_decorrelate(struct zsql_planner *planner, struct zsql_expr *expr, bool *is_done)
{
    struct zsql_core *core = expr->select->cores.items[0];
    struct zsql_bound before = *core->bound;
    struct lookup lookup = {planner, expr, before.place.around, core, {NULL, 0, 0}};
    struct over_nothing nothing = {true};
    struct zsql_operator *made = NULL;
    struct zsql_traits traits;
    const char *condition, *empty;
    bool fits;
    int rc;

    *is_done = false;
    fits = has_the_shape(&lookup);
    rc = fits ? read_terms(&lookup, core->where, &fits) : ZS_OK;
    if (rc != ZS_OK || !fits || lookup.pairs.n == 0)
        return rc;
    traits = zsql_traits_of(((const struct zsql_output *)before.outputs.items[0])->expr);
    rc = zsql_text_write(planner->arena, planner->text, NULL,
        ((const struct zsql_output *)before.outputs.items[0])->expr, replace_by_nothing,
        &nothing, &empty);
    if (rc != ZS_OK || !nothing.is_known)
        return rc;
    rc = write_condition(&lookup, &condition);
    if (rc == ZS_OK)
        rc = group(&lookup);
    if (rc == ZS_OK)
        rc = zsql_plan_make(planner, expr->select, &made);
    if (rc != ZS_OK || made == NULL) {
        ungroup(&lookup, &before);
        return rc;
    }
    *is_done = true;
    return look_up(&lookup, made, traits.has_affinity ? traits.type : "", empty, condition,
        zsql_is_taken_as_json(expr, before.place.around, before.outputs.items[0]));
}
