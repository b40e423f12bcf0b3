/* Bare columns: those that a SELECT over groups reads outside of any aggregate though they are
** no keys (https://www.sqlite.org/lang_select.html#bareagg). All are taken from one row of the
** group: one with the minimum or maximum where the SELECT has a min() or max(). */
#include "sql/planner.h"

static int read_value(void *ctx, struct zsql_expr *expr, bool *descend)
{
    const char *text = NULL;

    (void)descend;
    return zsql_plan_group_value(ctx, expr, ZSQL_UNSEEN, &text);
}

/* Writes what reads the groups and forgets it: then all bare columns and folds are known. */
static int find_in(struct zsql_planner *planner, struct zsql_expr *expr)
{
    const char *text;
    int rc = zsql_plan_write_over_groups(planner, expr, &text);

    return rc == ZS_OK ? zsql_plan_walk_outer_columns(planner, expr, read_value, planner) : rc;
}

static int find_bare(struct zsql_planner *planner)
{
    const struct zsql_list *outputs = &planner->bound->outputs;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        rc = find_in(planner, output->expr);
    }
    if (rc == ZS_OK && planner->bound->core->having != NULL)
        rc = find_in(planner, planner->bound->core->having);
    return rc;
}

static bool choose_by(struct zsql_planner *planner, const struct zs_fold_spec *spec)
{
    if (spec->kind != ZS_MIN && spec->kind != ZS_MAX)
        return false;
    planner->choice = spec->kind == ZS_MIN ? ZS_LEAST_ROW : ZS_GREATEST_ROW;
    planner->choice_argument = spec->argument;
    planner->choice_collation = spec->collation;
    return true;
}

/* The first min or max. SQLite says of several that any of them may decide. */
static bool choose_by_folds(struct zsql_planner *planner)
{
    for (size_t i = 0; i < planner->folds.n; i++) {
        if (choose_by(planner, planner->folds.items[i]))
            return true;
    }
    return false;
}

/* A min or max that SQLite computes, by a collation of which core does not know what is less.
** */
static int refuse_others(struct zsql_planner *planner)
{
    for (size_t i = 0; i < planner->calls.n; i++) {
        struct zsql_expr *call = planner->calls.items[i];
        const char *text = zsql_text_quote(planner->arena, planner->text, call->span);
        enum zs_collation collation;

        if (text == NULL)
            return ZS_NOMEM;

        if (call->call->function.is_builtin && call->operands.n == 1 &&
            (zsql_same_name(call->name.text, "min") || zsql_same_name(call->name.text, "max")))
            return zsql_plan_collation(planner, call->operands.items[0], text, &collation);
    }
    return ZS_OK;
}

int zsql_plan_bare(struct zsql_planner *planner)
{
    int rc = find_bare(planner);

    if (rc == ZS_OK && planner->bare.n > 0 && !choose_by_folds(planner))
        rc = refuse_others(planner);
    return rc;
}
