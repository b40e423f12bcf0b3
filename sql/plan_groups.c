/* Groups: their keys, and how an expression over groups reads the keys, the bare columns and
** the aggregates. Their columns come in this order. */
#include "sql/planner.h"

/* The number of a column in a list, which it is added to. */
static int find_listed(struct zsql_planner *planner, struct zsql_list *columns,
    struct zsql_expr *column, size_t *number)
{
    size_t i = 0;

    while (i < columns->n && !zsql_bound_equal(columns->items[i], column))
        i++;
    *number = i;
    return i < columns->n ? ZS_OK : zsql_list_append(planner->arena, columns, column);
}

int zsql_plan_read_listed(struct zsql_planner *planner, struct zsql_list *columns,
    struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_traits traits;
    const char *column;
    size_t i;

    if (find_listed(planner, columns, expr, &i) != ZS_OK)
        return ZS_NOMEM;
    column = zsql_text_format(planner->arena, "c%zu", i);
    if (column == NULL)
        return ZS_NOMEM;
    traits = zsql_traits_of(expr);
    *text = zsql_traits_read(planner->arena, column, &traits, sight);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
}

int zsql_plan_column(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_planner *planner = ctx;

    return expr->binding != ZSQL_COLUMN
               ? ZS_OK
               : zsql_plan_read_listed(planner, &planner->columns, expr, sight, text);
}

/* Over a join columns stay as they are written; `*` stands for columns by their names. */
int zsql_plan_own_column(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_planner *planner = ctx;
    const struct zsql_source *source;
    const char *table, *column;

    (void)sight;
    *text = expr->is_dropped ? "1" : zsql_plan_rewritten(planner, expr);
    if (*text != NULL || expr->binding != ZSQL_COLUMN || expr->span.end > 0)
        return ZS_OK;
    source = zsql_bound_source(expr);
    column = zsql_text_quoted(planner->arena, expr->name.text, '"');
    table = source->name == NULL || expr->is_merged
                ? ""
                : zsql_text_quoted(planner->arena, source->name, '"');
    if (column != NULL && table != NULL)
        *text = zsql_text_format(
            planner->arena, "%s%s%s", table, *table != '\0' ? "." : "", column);
    if (*text != NULL && source->from->is_made_alone)
        *text =
            zsql_traits_read_made(planner->arena, source->from, (size_t)expr->column, *text);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
}

int zsql_plan_write(struct zsql_planner *planner, struct zsql_expr *expr, const char **text)
{
    return zsql_text_write(planner->arena, planner->text, &planner->edits, expr,
        planner->read_column, planner, text);
}

int zsql_plan_write_over_groups(
    struct zsql_planner *planner, struct zsql_expr *expr, const char **text)
{
    return zsql_text_write(planner->arena, planner->text, &planner->edits, expr,
        zsql_plan_group_value, planner, text);
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
    if (*text != NULL && zsql_plan_is_marked(planner, expr))
        *text = zsql_text_format(planner->arena, "lockstep_json(%s)", *text);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
}

static bool is_aggregate(const struct zsql_expr *expr)
{
    return expr->kind == ZSQL_CALL && expr->call->is_aggregate;
}

bool zsql_plan_is_stored(struct zsql_planner *planner, struct zsql_expr *expr)
{
    bool is_recollated;
    size_t i;

    return is_aggregate(expr) || find_key(planner, expr, ZSQL_UNSEEN, &i, &is_recollated);
}

int zsql_plan_group_value(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_planner *planner = ctx;
    bool is_recollated = false;
    size_t i;
    int rc = ZS_OK;

    if (find_key(planner, expr, sight, &i, &is_recollated))
        return read_column(planner, expr, i, sight, is_recollated, text);
    *text = zsql_plan_rewritten(planner, expr); /* a key is rewritten for the rows */
    if (*text != NULL)
        return ZS_OK;
    if (is_aggregate(expr)) {
        rc = zsql_plan_fold(planner, expr, &i);
        planner->reads_uncertain |= rc == ZS_OK && planner->texts.items[i] != NULL;
        i += planner->keys.n + planner->bare.n;
    } else if (expr->binding == ZSQL_COLUMN && expr->scope != planner->bound) {
        return zsql_plan_own_column(ctx, expr, sight, text); /* of a subquery */
    } else if (expr->binding == ZSQL_COLUMN) {
        rc = find_listed(planner, &planner->bare, expr, &i);
        planner->reads_uncertain = true;
        i += planner->keys.n;
    } else {
        return expr->kind == ZSQL_CALL ? zsql_plan_mark_json(planner, expr) : ZS_OK;
    }
    return rc == ZS_OK ? read_column(planner, expr, i, sight, false, text) : rc;
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

/* A column of the map before the groups, and its text over the source. */
static int plan_value(
    struct zsql_planner *planner, struct zsql_operator *map, size_t i, struct zsql_expr *expr)
{
    int rc = describe_by_text(planner, expr, &map->columns[i]);

    return rc != ZS_OK ? rc : zsql_plan_write(planner, expr, &map->expressions[i]);
}

static int plan_argument(struct zsql_planner *planner, struct zsql_operator *map, size_t i,
    const struct zsql_argument *argument)
{
    int rc = zsql_plan_argument(planner, argument, &map->expressions[i]);

    map->columns[i] = (struct zsql_output_column){"1", "", ZS_BINARY, "BINARY", ""};
    if (rc == ZS_OK && argument->expr != NULL)
        rc = describe_by_text(planner, argument->expr, &map->columns[i]);
    return rc;
}

int zsql_plan_arguments(struct zsql_planner *planner, struct zsql_operator *map)
{
    size_t n_keys = planner->keys.n, n_bare = planner->bare.n;
    size_t n = n_keys + n_bare + planner->arguments.n;
    int rc = ZS_OK;

    map->n_columns = n;
    map->columns = zsql_arena_get(planner->arena, n * sizeof(*map->columns));
    map->expressions = zsql_arena_get(planner->arena, n * sizeof(*map->expressions));
    if (zsql_arena_has_failed(planner->arena))
        return ZS_NOMEM;
    for (size_t i = 0; rc == ZS_OK && i < n_keys; i++)
        rc = plan_value(planner, map, i, planner->keys.items[i]);
    for (size_t i = 0; rc == ZS_OK && i < n_bare; i++)
        rc = plan_value(planner, map, n_keys + i, planner->bare.items[i]);
    for (size_t i = 0; rc == ZS_OK && i < planner->arguments.n; i++)
        rc = plan_argument(planner, map, n_keys + n_bare + i, planner->arguments.items[i]);
    if (rc == ZS_OK && planner->bound->core->where != NULL)
        rc = zsql_plan_write(planner, planner->bound->core->where, &map->condition);
    return rc;
}

/* An aggregate's column. */
static int plan_fold_column(
    struct zsql_planner *planner, struct zsql_expr *call, struct zsql_output_column *column)
{
    int rc = describe_by_text(planner, call, column);

    column->collation = ZS_BINARY;
    column->collation_name = "BINARY";
    return rc;
}

int zsql_plan_folds(
    struct zsql_planner *planner, const struct zsql_operator *map, struct zsql_operator *groups)
{
    size_t n_keys = planner->keys.n;
    size_t n_shown = n_keys + planner->bare.n;
    size_t n = planner->folds.n;
    struct zs_fold_spec *specs = zsql_arena_get(planner->arena, n * sizeof(*specs));
    int rc = ZS_OK;

    groups->n_keys = n_keys;
    groups->n_bare = planner->bare.n;
    groups->choice = planner->choice;
    groups->choice_argument = planner->choice_argument;
    groups->choice_collation = planner->choice_collation;
    groups->n_specs = n;
    groups->refolds = (const char **)planner->texts.items;
    groups->refold_orders = (const char **)planner->orders.items;
    groups->n_columns = n_shown + n;
    groups->is_global = planner->bound->group_by.n == 0;
    groups->columns = zsql_arena_get(planner->arena, (n_shown + n) * sizeof(*groups->columns));
    if (zsql_arena_has_failed(planner->arena))
        return ZS_NOMEM;
    for (size_t i = 0; i < n_shown; i++)
        groups->columns[i] = map->columns[i];
    for (size_t i = 0; rc == ZS_OK && i < n_keys; i++)
        rc = zsql_plan_collation(
            planner, planner->keys.items[i], "GROUP BY", &groups->columns[i].collation);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        specs[i] = *(const struct zs_fold_spec *)planner->folds.items[i];
        rc = plan_fold_column(planner, planner->calls.items[i], &groups->columns[n_shown + i]);
    }
    groups->specs = specs;
    return rc;
}
