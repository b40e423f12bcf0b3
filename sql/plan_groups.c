/* Groups: their keys, and how an expression over groups reads the keys and the aggregates. */
#include <string.h>

#include "sql/planner.h"

int zsql_plan_column(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_planner *planner = ctx;
    struct zsql_traits traits;
    const char *column;
    size_t i = 0;

    if (expr->binding != ZSQL_COLUMN)
        return ZS_OK;
    while (i < planner->columns.n && !zsql_bound_equal(planner->columns.items[i], expr))
        i++;
    if (i == planner->columns.n &&
        zsql_list_append(planner->arena, &planner->columns, expr) != ZS_OK)
        return ZS_NOMEM;
    column = zsql_text_format(planner->arena, "c%zu", i);
    if (column == NULL)
        return ZS_NOMEM;
    traits = zsql_traits_of(expr);
    *text = zsql_traits_read(planner->arena, column, &traits, sight);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
}

/* Over a join columns stay as they are written; `*` stands for columns by their names. */
int zsql_plan_own_column(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_planner *planner = ctx;
    const struct zsql_source *source;
    const char *table, *column;

    (void)sight;
    if (expr->binding != ZSQL_COLUMN || expr->span.end > 0)
        return ZS_OK;
    source = zsql_bound_source(expr);
    column = zsql_text_quoted(planner->arena, expr->name.text, '"');
    table = source->name == NULL || expr->is_merged
                ? ""
                : zsql_text_quoted(planner->arena, source->name, '"');
    if (column != NULL && table != NULL)
        *text = zsql_text_format(
            planner->arena, "%s%s%s", table, *table != '\0' ? "." : "", column);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
}

int zsql_plan_write(struct zsql_planner *planner, struct zsql_expr *expr, const char **text)
{
    return zsql_text_write(planner->arena, planner->text, &planner->edits, expr,
        planner->read_column, planner, text);
}

int zsql_plan_keys(struct zsql_planner *planner)
{
    const struct zsql_list *terms = &planner->bound->group_by;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < terms->n; i++) {
        size_t j = 0;
        while (
            j < planner->keys.n && !zsql_bound_equal(planner->keys.items[j], terms->items[i]))
            j++;
        if (j == planner->keys.n)
            rc = zsql_list_append(planner->arena, &planner->keys, terms->items[i]);
    }
    return rc;
}

/* Expressions over groups. */

static struct zsql_expr *without_collate(struct zsql_expr *expr)
{
    expr = zsql_bound_target(expr);
    while (expr->kind == ZSQL_COLLATE)
        expr = zsql_bound_target(expr->operands.items[0]);
    return expr;
}

/* The key that an expression is, or that shows its values: a key `b COLLATE x` has those of b,
** which may stand for it where an implicit collation can be spelled out. */
static bool find_key(struct zsql_planner *planner, struct zsql_expr *expr,
    enum zsql_sight sight, size_t *number, bool *is_recollated)
{
    *is_recollated = false;
    if (zsql_expr_is_literal(expr))
        return false; /* x IS TRUE and likelihood(x, 0.5) want the literal itself */
    for (*number = 0; *number < planner->keys.n; ++*number) {
        if (zsql_bound_equal(planner->keys.items[*number], expr))
            return true;
    }
    if (sight >= ZSQL_SEES_ALL)
        return false;
    *is_recollated = sight == ZSQL_SEES_COLUMN;
    for (*number = 0; *number < planner->keys.n; ++*number) {
        if (zsql_bound_equal(without_collate(planner->keys.items[*number]), expr))
            return true;
    }
    return false;
}

/* The text that reads column number i of the groups as the expression that it computes. */
static int read_column(struct zsql_planner *planner, struct zsql_expr *expr, size_t i,
    enum zsql_sight sight, bool is_recollated, const char **text)
{
    struct zsql_traits traits = zsql_traits_of(expr);
    const char *column = zsql_text_format(planner->arena, "c%zu", i);

    if (column == NULL)
        return ZS_NOMEM;
    if (is_recollated)
        *text = zsql_traits_collate(
            planner->arena, column, traits.collation != NULL ? traits.collation : "BINARY");
    else
        *text = zsql_traits_read(planner->arena, column, &traits, sight);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
}

/* JSON functions mark their results as JSON for one another, and a stored value has no mark. */

static bool is_json_function(const struct zsql_expr *expr)
{
    char start[5] = "";

    strncat(start, expr->name.text, sizeof(start) - 1);
    return zsql_same_name(start, "json");
}

static bool makes_json(const struct zsql_expr *expr)
{
    if (expr->kind == ZSQL_CALL)
        return is_json_function(expr) || (expr->call->is_aggregate && expr->operands.n == 1 &&
                                             makes_json(expr->operands.items[0]));
    return expr->kind == ZSQL_BINARY && expr->op == ZSQL_OP_ARROW;
}

struct json_search {
    struct zsql_planner *planner;
    const struct zsql_expr *found;
};

static int visit_json(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct json_search *search = ctx;
    size_t i;
    bool is_recollated;

    expr = zsql_bound_target(expr);
    *descend = search->found == NULL;
    if (makes_json(expr) &&
        ((expr->kind == ZSQL_CALL && expr->call->is_aggregate) ||
            find_key(search->planner, expr, ZSQL_UNSEEN, &i, &is_recollated)))
        search->found = expr;
    return ZS_OK;
}

static int refuse_stored_json(struct zsql_planner *planner, struct zsql_expr *call)
{
    struct json_search search = {planner, NULL};
    const char *text;
    int rc = ZS_OK;

    if (call->call->function.is_builtin && !is_json_function(call))
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < call->operands.n; i++)
        rc = zsql_expr_walk(call->operands.items[i], visit_json, &search);
    if (rc != ZS_OK || search.found == NULL)
        return rc;
    text = zsql_text_quote(planner->arena, planner->text, search.found->span);
    if (text == NULL)
        return ZS_NOMEM;
    return zsql_refuse(planner->message, "%s inside %s() over groups is not maintained yet",
        text, call->name.text);
}

static int refuse_subquery(struct zsql_planner *planner, const struct zsql_expr *expr)
{
    const char *text = zsql_text_quote(planner->arena, planner->text, expr->span);

    if (text == NULL)
        return ZS_NOMEM;
    return zsql_refuse(
        planner->message, "the subquery in %s over groups is not maintained yet", text);
}

int zsql_plan_group_value(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_planner *planner = ctx;
    bool is_recollated;
    size_t i;
    int rc;

    if (find_key(planner, expr, sight, &i, &is_recollated))
        return read_column(planner, expr, i, sight, is_recollated, text);
    if (expr->kind == ZSQL_CALL && expr->call->is_aggregate) {
        rc = zsql_plan_fold(planner, expr, &i);
        return rc != ZS_OK
                   ? rc
                   : read_column(planner, expr, planner->keys.n + i, sight, false, text);
    }
    if (expr->select != NULL || expr->kind == ZSQL_IN_TABLE)
        return refuse_subquery(planner, expr);
    if (expr->binding == ZSQL_COLUMN)
        return zsql_refuse(planner->message,
            "the bare column %s (neither grouped nor inside an aggregate) is not maintained "
            "yet",
            expr->name.text);
    return expr->kind == ZSQL_CALL ? refuse_stored_json(planner, expr) : ZS_OK;
}

/* Operators. */

/* A column that is called as what computes it. */
static int describe_by_text(const struct zsql_planner *planner, struct zsql_expr *expr,
    struct zsql_output_column *column)
{
    const char *name = expr->name.text;

    if (expr->binding != ZSQL_COLUMN)
        name = zsql_text_copy(planner->arena, planner->text, expr->span);
    if (name == NULL)
        return ZS_NOMEM;
    *column = zsql_plan_describe(expr, name);
    return ZS_OK;
}

int zsql_plan_arguments(struct zsql_planner *planner, struct zsql_operator *map)
{
    size_t n = planner->keys.n + planner->arguments.n;
    int rc = ZS_OK;

    map->n_columns = n;
    map->columns = zsql_arena_get(planner->arena, n * sizeof(*map->columns));
    map->expressions = zsql_arena_get(planner->arena, n * sizeof(*map->expressions));
    if (zsql_arena_has_failed(planner->arena))
        return ZS_NOMEM;
    for (size_t i = 0; rc == ZS_OK && i < planner->keys.n; i++) {
        struct zsql_expr *key = planner->keys.items[i];
        rc = describe_by_text(planner, key, &map->columns[i]);
        if (rc == ZS_OK)
            rc = zsql_plan_write(planner, key, &map->expressions[i]);
    }
    for (size_t i = 0; rc == ZS_OK && i < planner->arguments.n; i++) {
        const struct zsql_argument *argument = planner->arguments.items[i];
        size_t at = planner->keys.n + i;

        rc = zsql_plan_argument(planner, argument, &map->expressions[at]);
        map->columns[at] = (struct zsql_output_column){"1", "", ZS_BINARY, "BINARY"};
        if (rc == ZS_OK && argument->expr != NULL)
            rc = describe_by_text(planner, argument->expr, &map->columns[at]);
    }
    if (rc == ZS_OK && planner->bound->core->where != NULL)
        rc = zsql_plan_write(planner, planner->bound->core->where, &map->condition);
    return rc;
}

int zsql_plan_folds(
    struct zsql_planner *planner, const struct zsql_operator *map, struct zsql_operator *groups)
{
    size_t n_keys = planner->keys.n;
    size_t n = planner->folds.n;
    struct zs_fold_spec *specs = zsql_arena_get(planner->arena, n * sizeof(*specs));
    int rc = ZS_OK;

    groups->n_keys = n_keys;
    groups->n_specs = n;
    groups->n_columns = n_keys + n;
    groups->is_global = planner->bound->group_by.n == 0;
    groups->columns = zsql_arena_get(planner->arena, (n_keys + n) * sizeof(*groups->columns));
    if (zsql_arena_has_failed(planner->arena))
        return ZS_NOMEM;
    for (size_t i = 0; rc == ZS_OK && i < n_keys; i++) {
        groups->columns[i] = map->columns[i];
        rc = zsql_plan_collation(
            planner, planner->keys.items[i], "GROUP BY", &groups->columns[i].collation);
    }
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        specs[i] = *(const struct zs_fold_spec *)planner->folds.items[i];
        rc = describe_by_text(planner, planner->calls.items[i], &groups->columns[n_keys + i]);
        groups->columns[n_keys + i].collation = ZS_BINARY;
        groups->columns[n_keys + i].collation_name = "BINARY";
    }
    groups->specs = specs;
    return rc;
}
