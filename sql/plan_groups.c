/* Groups: which aggregates a SELECT has, what they take, and how an expression over groups
 *reads
 ** the keys and the aggregates. Equal arguments and equal aggregates are kept once. */
#include <string.h>

#include "sql/planner.h"

static const struct aggregate {
    const char *name;
    enum zs_fold_kind kind;
    bool is_ours; /* else it must be SQLite's own */
} aggregates[] = {
    {"count", ZS_COUNT, false},
    {"sum", ZS_SUM, false},
    {"total", ZS_TOTAL, false},
    {"avg", ZS_AVG, false},
    {"min", ZS_MIN, false},
    {"max", ZS_MAX, false},
    {"exact_sum", ZS_SUM, true},
    {"exact_total", ZS_TOTAL, true},
    {"exact_avg", ZS_AVG, true},
    {"unanimous", ZS_UNANIMOUS, true},
};

static const struct aggregate *find_aggregate(const struct zsql_expr *call)
{
    for (size_t i = 0; i < sizeof(aggregates) / sizeof(aggregates[0]); i++) {
        const struct aggregate *aggregate = &aggregates[i];
        if (zsql_same_name(call->name.text, aggregate->name) &&
            (aggregate->is_ours || call->call->function.is_builtin))
            return aggregate;
    }
    return NULL;
}

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
    traits = zsql_traits_of(planner->bound, expr);
    *text = zsql_traits_read(planner->arena, column, &traits, sight);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
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

/* Arguments. */

static bool equal_or_absent(struct zsql_expr *a, struct zsql_expr *b)
{
    return a == NULL || b == NULL ? a == b : zsql_bound_equal(a, b);
}

static int find_argument(
    struct zsql_planner *planner, struct zsql_argument wanted, unsigned *number)
{
    struct zsql_argument *argument;

    for (size_t i = 0; i < planner->arguments.n; i++) {
        argument = planner->arguments.items[i];
        if (equal_or_absent(argument->expr, wanted.expr) &&
            equal_or_absent(argument->filter, wanted.filter)) {
            *number = (unsigned)i;
            return ZS_OK;
        }
    }
    argument = zsql_arena_get(planner->arena, sizeof(*argument));
    if (argument == NULL)
        return ZS_NOMEM;
    *argument = wanted;
    *number = (unsigned)planner->arguments.n;
    return zsql_list_append(planner->arena, &planner->arguments, argument);
}

/* Folds. */

/* count(1) counts rows: a literal is never NULL. */
static bool counts_rows(const struct zsql_expr *call)
{
    const struct zsql_expr *argument = call->operands.n > 0 ? call->operands.items[0] : NULL;

    if (call->call->filter != NULL || call->call->is_distinct)
        return false;
    return argument == NULL || argument->kind == ZSQL_INTEGER ||
           argument->kind == ZSQL_NUMBER || argument->kind == ZSQL_STRING;
}

static int specify(
    struct zsql_planner *planner, struct zsql_expr *call, struct zs_fold_spec *spec)
{
    const struct aggregate *aggregate = find_aggregate(call);
    struct zsql_argument argument = {0};
    int rc = ZS_OK;

    *spec = (struct zs_fold_spec){.collation = ZS_BINARY};
    if (aggregate == NULL || call->operands.n > 1 ||
        (call->operands.n == 0 && aggregate->kind != ZS_COUNT))
        return zsql_refuse(
            planner->message, "the aggregate %s() is not maintained yet", call->name.text);
    spec->kind = aggregate->kind;
    if (spec->kind == ZS_COUNT && counts_rows(call)) {
        spec->kind = ZS_COUNT_ROWS;
        return ZS_OK;
    }
    argument.expr = call->operands.n > 0 ? call->operands.items[0] : NULL;
    argument.filter = call->call->filter;
    spec->is_distinct = call->call->is_distinct;
    if (spec->is_distinct || spec->kind == ZS_MIN || spec->kind == ZS_MAX) {
        const char *where = zsql_text_quote(planner->arena, planner->text, call->span);
        if (where == NULL)
            return ZS_NOMEM;
        rc = zsql_plan_collation(planner, argument.expr, where, &spec->collation);
    }
    if (rc == ZS_OK)
        rc = find_argument(planner, argument, &spec->argument);
    return rc;
}

static bool equal_specs(const struct zs_fold_spec *a, const struct zs_fold_spec *b)
{
    return a->kind == b->kind && a->argument == b->argument &&
           a->is_distinct == b->is_distinct && a->collation == b->collation;
}

/* The number of the fold that computes a call. */
static int find_fold(struct zsql_planner *planner, struct zsql_expr *call, size_t *number)
{
    struct zs_fold_spec wanted;
    struct zs_fold_spec *spec;
    int rc = specify(planner, call, &wanted);

    if (rc != ZS_OK)
        return rc;
    for (*number = 0; *number < planner->folds.n; ++*number) {
        if (equal_specs(planner->folds.items[*number], &wanted))
            return ZS_OK;
    }
    spec = zsql_arena_get(planner->arena, sizeof(*spec));
    if (spec == NULL)
        return ZS_NOMEM;
    *spec = wanted;
    rc = zsql_list_append(planner->arena, &planner->folds, spec);
    return rc == ZS_OK ? zsql_list_append(planner->arena, &planner->calls, call) : rc;
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
    if (zsql_expr_is_literal(expr) && sight != ZSQL_UNSEEN)
        return false; /* x IS TRUE is more than a comparison */
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
    struct zsql_traits traits = zsql_traits_of(planner->bound, expr);
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
        rc = find_fold(planner, expr, &i);
        return rc != ZS_OK
                   ? rc
                   : read_column(planner, expr, planner->keys.n + i, sight, false, text);
    }
    if (expr->binding == ZSQL_COLUMN)
        return zsql_refuse(planner->message,
            "the bare column %s (neither grouped nor inside an aggregate) is not maintained "
            "yet",
            expr->name.text);
    return ZS_OK;
}

/* Operators. */

static int write_argument(
    struct zsql_planner *planner, const struct zsql_argument *argument, const char **text)
{
    const char *value = "1";
    const char *condition = NULL;
    int rc = ZS_OK;

    if (argument->expr != NULL)
        rc = zsql_text_write(
            planner->arena, planner->text, argument->expr, zsql_plan_column, planner, &value);
    if (rc == ZS_OK && argument->filter != NULL)
        rc = zsql_text_write(planner->arena, planner->text, argument->filter, zsql_plan_column,
            planner, &condition);
    if (rc != ZS_OK)
        return rc;
    if (condition == NULL)
        *text = value;
    else if (argument->expr == NULL)
        *text = zsql_text_format(planner->arena, "CASE WHEN (%s) THEN 1 END", condition);
    else
        *text =
            zsql_text_format(planner->arena, "CASE WHEN (%s) THEN (%s) END", condition, value);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
}

/* A column that is called as what computes it. */
static int describe_by_text(const struct zsql_planner *planner, struct zsql_expr *expr,
    struct zsql_output_column *column)
{
    const char *name = expr->name.text;

    if (expr->binding != ZSQL_COLUMN)
        name = zsql_text_copy(planner->arena, planner->text, expr->span);
    if (name == NULL)
        return ZS_NOMEM;
    *column = zsql_plan_describe(planner, expr, name);
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
            rc = zsql_text_write(planner->arena, planner->text, key, zsql_plan_column, planner,
                &map->expressions[i]);
    }
    for (size_t i = 0; rc == ZS_OK && i < planner->arguments.n; i++) {
        const struct zsql_argument *argument = planner->arguments.items[i];
        size_t at = planner->keys.n + i;

        rc = write_argument(planner, argument, &map->expressions[at]);
        map->columns[at] = (struct zsql_output_column){"1", "", ZS_BINARY, "BINARY"};
        if (rc == ZS_OK && argument->expr != NULL)
            rc = describe_by_text(planner, argument->expr, &map->columns[at]);
    }
    if (rc == ZS_OK && planner->bound->core->where != NULL)
        rc = zsql_text_write(planner->arena, planner->text, planner->bound->core->where,
            zsql_plan_column, planner, &map->condition);
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
