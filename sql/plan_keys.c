/* What the rows of a view are known by: a group's key, all columns of distinct rows, or the INTEGER
** PRIMARY KEY that rows of a table show. */
#include <string.h>

#include "sql/planner.h"

static int set_key(struct zsql_planner *planner, struct zsql_plan *plan,
    const struct zsql_output_column *columns, size_t n, int **shown)
{
    enum zs_collation *collations = zsql_arena_get(planner->arena, n * sizeof(*collations));

    *shown = zsql_arena_get(planner->arena, n * sizeof(**shown));
    if (collations == NULL || *shown == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < n; i++)
        collations[i] = columns[i].collation;
    plan->is_keyed = true;
    plan->is_keyed_by_row = false;
    plan->key_columns = *shown;
    plan->key_collations = collations;
    plan->n_keys = n;
    plan->may_repeat = false;
    return ZS_OK;
}

int zsql_plan_key_by_groups(struct zsql_planner *planner, struct zsql_plan *plan,
    const struct zsql_operator *groups, const struct zsql_operator *map)
{
    size_t n = planner->keys.n;
    int *shown;
    int rc = set_key(planner, plan, groups->columns, n, &shown);

    if (rc != ZS_OK)
        return rc;
    for (size_t i = 0; i < n; i++) {
        const char *name = zsql_text_format(planner->arena, "c%zu", i);
        if (name == NULL)
            return ZS_NOMEM;
        shown[i] = -1;
        for (size_t j = 0; shown[i] < 0 && j < map->n_columns; j++) {
            if (strcmp(map->expressions[j], name) == 0)
                shown[i] = (int)j;
        }
        plan->may_repeat = plan->may_repeat || shown[i] < 0;
    }
    return ZS_OK;
}

int zsql_plan_key_by_row(
    struct zsql_planner *planner, struct zsql_plan *plan, const struct zsql_operator *rows)
{
    const struct zsql_list *outputs = &planner->bound->outputs;
    size_t shown = 0;
    int *key;
    int rc;

    while (shown < outputs->n) {
        const struct zsql_output *output = outputs->items[shown];
        const struct zsql_expr *expr = output->expr;

        if (expr->binding == ZSQL_COLUMN && zsql_bound_is_rowid(expr) &&
            zsql_bound_source(expr)->relation.rowid_column >= 0)
            break;
        shown++;
    }
    if (shown == outputs->n)
        return ZS_OK;
    rc = set_key(planner, plan, &rows->columns[shown], 1, &key);
    if (rc != ZS_OK)
        return rc;
    *key = (int)shown;
    plan->is_keyed_by_row = true;
    return ZS_OK;
}

int zsql_plan_key_by_all(struct zsql_planner *planner, const struct zsql_operator *rows,
    size_t n, struct zsql_plan *plan)
{
    int *shown;
    int rc = set_key(planner, plan, rows->columns, n, &shown);

    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        shown[i] = (int)i;
    return rc;
}
