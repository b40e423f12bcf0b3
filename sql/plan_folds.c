/* Folds: which aggregates a SELECT has, and what they take. Equal arguments and equal
** aggregates are kept once. Those that core has no fold for, or that compare by a collation
** which it does not know, are left to SQLite (plan_refold.c). */
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

/* Arguments. */

static bool equal_or_absent(struct zsql_expr *a, struct zsql_expr *b)
{
    return a == NULL || b == NULL ? a == b : zsql_bound_equal(a, b);
}

int zsql_plan_add_argument(
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

bool zsql_plan_is_refold(const struct zsql_expr *call)
{
    const struct aggregate *aggregate = find_aggregate(call);

    return aggregate == NULL || call->operands.n > 1 ||
           (call->operands.n == 0 && aggregate->kind != ZS_COUNT);
}

int zsql_plan_specify(struct zsql_planner *planner, struct zsql_expr *call,
    struct zs_fold_spec *spec, const char **text, const char **order)
{
    const struct aggregate *aggregate = find_aggregate(call);
    struct zsql_argument argument = {0};

    *spec = (struct zs_fold_spec){.collation = ZS_BINARY};
    *text = *order = NULL;
    if (zsql_plan_is_refold(call))
        return zsql_plan_refold(planner, call, spec, text, order);
    spec->kind = aggregate->kind;
    if (spec->kind == ZS_COUNT && counts_rows(call)) {
        spec->kind = ZS_COUNT_ROWS;
        return ZS_OK;
    }
    argument.expr = call->operands.n > 0 ? call->operands.items[0] : NULL;
    argument.filter = call->call->filter;
    spec->is_distinct = call->call->is_distinct;
    if (spec->is_distinct || spec->kind == ZS_MIN || spec->kind == ZS_MAX) {
        if (!zsql_plan_knows_collation(argument.expr, &spec->collation))
            return zsql_plan_refold(planner, call, spec, text, order);
    }
    return zsql_plan_add_argument(planner, argument, &spec->argument);
}

static bool equal_specs(const struct zs_fold_spec *a, const struct zs_fold_spec *b)
{
    return a->kind == b->kind && a->argument == b->argument &&
           a->n_arguments == b->n_arguments && a->is_distinct == b->is_distinct &&
           a->collation == b->collation;
}

/* Does fold i compute the call, whose spec is given? */
static bool is_fold_of(const struct zsql_planner *planner, size_t i, struct zsql_expr *call,
    const struct zs_fold_spec *spec)
{
    return equal_specs(planner->folds.items[i], spec) &&
           (spec->kind != ZS_REFOLD || zsql_bound_equal(planner->calls.items[i], call));
}

int zsql_plan_fold(struct zsql_planner *planner, struct zsql_expr *call, size_t *number)
{
    struct zs_fold_spec wanted;
    struct zs_fold_spec *spec;
    const char *text, *order;
    int rc = zsql_plan_specify(planner, call, &wanted, &text, &order);

    if (rc != ZS_OK)
        return rc;
    for (*number = 0; *number < planner->folds.n; ++*number) {
        if (is_fold_of(planner, *number, call, &wanted))
            return ZS_OK;
    }
    spec = zsql_arena_get(planner->arena, sizeof(*spec));
    if (spec == NULL)
        return ZS_NOMEM;
    *spec = wanted;
    rc = zsql_list_append(planner->arena, &planner->folds, spec);
    if (rc == ZS_OK)
        rc = zsql_list_append(planner->arena, &planner->texts, (char *)text);
    if (rc == ZS_OK)
        rc = zsql_list_append(planner->arena, &planner->orders, (char *)order);
    return rc == ZS_OK ? zsql_list_append(planner->arena, &planner->calls, call) : rc;
}

int zsql_plan_argument(
    struct zsql_planner *planner, const struct zsql_argument *argument, const char **text)
{
    const char *value = "1";
    const char *condition = NULL;
    int rc = ZS_OK;

    if (argument->expr != NULL)
        rc = zsql_plan_write(planner, argument->expr, &value);
    if (rc == ZS_OK && argument->filter != NULL)
        rc = zsql_plan_write(planner, argument->filter, &condition);
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
