/* Compounds: the cores of a SELECT, each planned by itself, put together from left to right.
**
**   UNION ALL   a + b
**   UNION       AGGREGATE_BY over all columns of a + b
**   EXCEPT, INTERSECT
**               AGGREGATE_BY over all columns of (a, 1, NULL) + (b, NULL, 1), which counts for each
**               row how often it is in a, and how often in b; then what the counts ask for
**
** Rows compare by the collations of the leftmost core that has one for the column. */
#include "sql/planner.h"

static void merge_columns(
    struct zsql_operator *made, const struct zsql_operator *input, size_t number, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (number == 0) {
            made->columns[i] = input->columns[i];
            continue;
        }
        made->columns[i].kept_type =
            zsql_type_of_both(made->columns[i].kept_type, input->columns[i].kept_type);
        made->columns[i].type = made->columns[i].kept_type;
    }
}

int zsql_plan_add_plus(struct zsql_planner *planner, const struct zsql_list *inputs,
    size_t n_columns, struct zsql_operator **plus)
{
    int rc = zsql_plan_add(planner, ZSQL_PLUS, NULL, n_columns, plus);

    if (rc != ZS_OK)
        return rc;
    (*plus)->inputs = (struct zsql_operator **)inputs->items;
    (*plus)->n_inputs = inputs->n;
    for (size_t i = 0; i < inputs->n; i++)
        merge_columns(*plus, inputs->items[i], i, n_columns);
    return ZS_OK;
}

static int add_pair(struct zsql_planner *planner, struct zsql_operator *a,
    struct zsql_operator *b, size_t n_columns, struct zsql_operator **plus)
{
    struct zsql_list inputs = {0};
    int rc = zsql_list_append(planner->arena, &inputs, a);

    if (rc == ZS_OK)
        rc = zsql_list_append(planner->arena, &inputs, b);
    return rc == ZS_OK ? zsql_plan_add_plus(planner, &inputs, n_columns, plus) : rc;
}

int zsql_plan_compound_collation(struct zsql_planner *planner, const struct zsql_select *select,
    size_t end, size_t i, struct zsql_output_column *column)
{
    static const char *const words[] = {"", "UNION", "UNION ALL", "EXCEPT", "INTERSECT"};
    const struct zsql_core *last = select->cores.items[end - 1];

    for (size_t j = 0; j < end; j++) {
        const struct zsql_core *core = select->cores.items[j];
        const struct zsql_output *output = core->bound->outputs.items[i];
        struct zsql_output_column described = zsql_plan_describe(output->expr, output->name);

        if (zsql_traits_of(output->expr).collation == NULL && j + 1 < end)
            continue;
        column->collation_name = described.collation_name;
        return zsql_plan_collation(
            planner, output->expr, words[last->compound], &column->collation);
    }
    return ZS_OK;
}

static int add_groups(struct zsql_planner *planner, const struct zsql_select *select,
    size_t end, struct zsql_operator *input, size_t n_columns, size_t n_more,
    struct zsql_operator **groups)
{
    int rc = zsql_plan_add(planner, ZSQL_AGGREGATE_BY, input, n_columns + n_more, groups);

    for (size_t i = 0; rc == ZS_OK && i < n_columns; i++) {
        (*groups)->columns[i] = input->columns[i];
        rc = zsql_plan_compound_collation(planner, select, end, i, &(*groups)->columns[i]);
    }
    if (rc == ZS_OK)
        (*groups)->n_keys = n_columns;
    return rc;
}

static const struct zsql_output_column counted = {"n", "", ZS_BINARY, "BINARY", ""};

/* The columns, and two that say of which side a row is. */
static int add_sided(struct zsql_planner *planner, struct zsql_operator *input,
    size_t n_columns, bool is_left, struct zsql_operator **sided)
{
    int rc = zsql_plan_add(planner, ZSQL_MAP, input, n_columns + 2, sided);

    for (size_t i = 0; rc == ZS_OK && i < n_columns; i++) {
        (*sided)->columns[i] = input->columns[i];
        (*sided)->expressions[i] = zsql_text_format(planner->arena, "c%zu", i);
        if ((*sided)->expressions[i] == NULL)
            rc = ZS_NOMEM;
    }
    for (size_t i = 0; rc == ZS_OK && i < 2; i++) {
        (*sided)->columns[n_columns + i] = counted;
        (*sided)->expressions[n_columns + i] = (i == 0) == is_left ? "1" : "NULL";
    }
    return rc;
}

static int add_difference(struct zsql_planner *planner, const struct zsql_select *select,
    size_t end, struct zsql_operator *a, struct zsql_operator *b, struct zsql_operator **result)
{
    const struct zsql_core *last = select->cores.items[end - 1];
    bool is_except = last->compound == ZSQL_COMPOUND_EXCEPT;
    size_t n = a->n_columns;
    struct zs_fold_spec *specs = zsql_arena_get(planner->arena, 2 * sizeof(*specs));
    const char **refolds = zsql_arena_get(planner->arena, 2 * sizeof(*refolds));
    struct zsql_operator *left, *right, *plus, *groups;
    int rc = zsql_arena_has_failed(planner->arena) ? ZS_NOMEM
                                                   : add_sided(planner, a, n, true, &left);

    if (rc == ZS_OK)
        rc = add_sided(planner, b, n, false, &right);
    if (rc == ZS_OK)
        rc = add_pair(planner, left, right, n + 2, &plus);
    if (rc == ZS_OK)
        rc = add_groups(planner, select, end, plus, n, 2, &groups);
    if (rc == ZS_OK)
        rc = zsql_plan_add(planner, ZSQL_MAP, groups, n, result);
    if (rc != ZS_OK)
        return rc;
    for (unsigned i = 0; i < 2; i++) {
        specs[i] = (struct zs_fold_spec){.kind = ZS_COUNT, .argument = i};
        groups->columns[n + i] = counted;
    }
    groups->specs = specs;
    groups->refolds = groups->refold_orders = refolds;
    groups->n_specs = 2;
    for (size_t i = 0; i < n; i++) {
        (*result)->columns[i] = groups->columns[i];
        (*result)->expressions[i] = left->expressions[i];
    }
    (*result)->condition = zsql_text_format(
        planner->arena, "c%zu > 0 AND c%zu %s 0", n, n + 1, is_except ? "=" : ">");
    return (*result)->condition == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_plan_put_together(struct zsql_planner *planner, const struct zsql_select *select,
    size_t end, struct zsql_operator *a, struct zsql_operator *b, struct zsql_operator **result)
{
    const struct zsql_core *last = select->cores.items[end - 1];
    int rc;

    if (last->compound == ZSQL_COMPOUND_EXCEPT || last->compound == ZSQL_COMPOUND_INTERSECT)
        return add_difference(planner, select, end, a, b, result);
    rc = add_pair(planner, a, b, a->n_columns, result);
    if (rc == ZS_OK && last->compound == ZSQL_COMPOUND_UNION)
        rc = add_groups(planner, select, end, *result, a->n_columns, 0, result);
    return rc;
}

bool zsql_plan_makes_reals(const struct zsql_select *select)
{
    const struct zsql_core *first = select->cores.items[0];

    for (size_t i = 0; !first->is_values && i < first->bound->outputs.n; i++)
        if (zsql_traits_makes_reals(select, i))
            return true;
    return false;
}

static const char *read_real(struct zsql_planner *planner, size_t i)
{
    return zsql_text_format(planner->arena,
        "CASE typeof(c%zu) WHEN 'integer' THEN CAST(c%zu AS REAL) ELSE c%zu END", i, i, i);
}

int zsql_plan_make_reals(
    struct zsql_planner *planner, const struct zsql_select *select, struct zsql_operator **made)
{
    struct zsql_operator *before = *made, *map;
    int rc;

    if (!zsql_plan_makes_reals(select))
        return ZS_OK;
    rc = zsql_plan_add(planner, ZSQL_MAP, before, before->n_columns, &map);
    for (size_t i = 0; rc == ZS_OK && i < before->n_columns; i++) {
        map->columns[i] = before->columns[i];
        map->expressions[i] = zsql_traits_makes_reals(select, i)
                                  ? read_real(planner, i)
                                  : zsql_text_format(planner->arena, "c%zu", i);
        if (map->expressions[i] == NULL)
            rc = ZS_NOMEM;
    }
    if (rc != ZS_OK)
        return rc;
    map->arranged = before->arranged;
    map->n_arranged = before->n_arranged;
    map->is_read = before->is_read;
    before->arranged = NULL;
    before->n_arranged = 0;
    before->is_read = false;
    *made = map;
    return ZS_OK;
}
