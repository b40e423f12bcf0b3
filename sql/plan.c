/* Making the plan of a SELECT over one table:
**
**   SOURCE -> MAP                                       filter and projection
**   SOURCE -> MAP -> AGGREGATE_BY -> MAP                groups
**   ... -> AGGREGATE_BY over all columns                DISTINCT
**
** The last map's texts are written first: they show which aggregates there are. */
#include "sql/plan.h"

#include <string.h>

#include "sql/exact_text.h"
#include "sql/planner.h"
#include "sql/refuse.h"

static int add_operator(struct zsql_planner *planner, enum zsql_operator_kind kind,
    size_t n_columns, struct zsql_operator **operator)
{
    struct zsql_operator *made = zsql_arena_get(planner->arena, sizeof(*made));
    size_t n = planner->operators.n;

    *operator= made;
    if (made == NULL)
        return ZS_NOMEM;
    made->kind = kind;
    made->input = n > 0 ? planner->operators.items[n - 1] : NULL;
    made->n_columns = n_columns;
    made->columns = zsql_arena_get(planner->arena, n_columns * sizeof(*made->columns));
    if (kind == ZSQL_MAP)
        made->expressions =
            zsql_arena_get(planner->arena, n_columns * sizeof(*made->expressions));
    if (zsql_arena_has_failed(planner->arena))
        return ZS_NOMEM;
    return zsql_list_append(planner->arena, &planner->operators, made);
}

static enum zs_collation collation_of(const char *name)
{
    if (zsql_same_name(name, "NOCASE"))
        return ZS_NOCASE;
    return zsql_same_name(name, "RTRIM") ? ZS_RTRIM : ZS_BINARY;
}

struct zsql_output_column zsql_plan_describe(
    const struct zsql_planner *planner, struct zsql_expr *expr, const char *name)
{
    struct zsql_traits traits = zsql_traits_of(planner->bound, expr);
    const char *collation = traits.collation != NULL ? traits.collation : "BINARY";

    return (struct zsql_output_column){name, traits.type, collation_of(collation), collation};
}

/* Keys, DISTINCT, min and max need a collation that core knows. */
int zsql_plan_collation(const struct zsql_planner *planner, struct zsql_expr *expr,
    const char *where, enum zs_collation *collation)
{
    struct zsql_traits traits = zsql_traits_of(planner->bound, expr);
    const char *name = traits.collation != NULL ? traits.collation : "BINARY";

    *collation = collation_of(name);
    if (*collation == ZS_BINARY && !zsql_same_name(name, "BINARY"))
        return zsql_refuse(
            planner->message, "the collation %s of %s is not maintained yet", name, where);
    return ZS_OK;
}

/* The table's columns that the first map reads: planner->columns, complete by now. */
static int fill_source(struct zsql_planner *planner, struct zsql_operator *operator)
{
    const struct zsql_source *source = planner->bound->sources.items[0];
    int *numbers = zsql_arena_get(planner->arena, planner->columns.n * sizeof(*numbers));

    operator->n_columns = planner->columns.n;
    operator->columns =
        zsql_arena_get(planner->arena, planner->columns.n * sizeof(*operator->columns));
    if (numbers == NULL || operator->columns == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < planner->columns.n; i++) {
        struct zsql_expr *expr = planner->columns.items[i];
        const struct zsql_column *column = zsql_bound_column(planner->bound, expr);
        numbers[i] = expr->column;
        operator->columns[i] =
            zsql_plan_describe(planner, expr, column != NULL ? column->name : "rowid");
    }
    operator->schema = planner->from->schema.text;
    operator->table = source->relation.name;
    operator->source_columns = numbers;
    return ZS_OK;
}

/* The source's table, with its columns in ascending order. */
static int fill_table(
    struct zsql_planner *planner, const struct zsql_operator *source, struct zsql_plan *plan)
{
    struct zsql_table *table = zsql_arena_get(planner->arena, sizeof(*table));
    int *numbers = zsql_arena_get(planner->arena, source->n_columns * sizeof(*numbers));

    if (table == NULL || numbers == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < source->n_columns; i++) {
        size_t at = i;

        for (; at > 0 && numbers[at - 1] > source->source_columns[i]; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = source->source_columns[i];
    }
    *table = (struct zsql_table){source->schema, source->table, numbers, source->n_columns};
    plan->tables = table;
    plan->n_tables = 1;
    return ZS_OK;
}

/* The result columns as a map: over the source, or over the groups. */
static int plan_results(struct zsql_planner *planner, struct zsql_operator *map,
    zsql_replace_fn *replace, struct zsql_expr *condition)
{
    const struct zsql_list *outputs = &planner->bound->outputs;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        map->columns[i] = zsql_plan_describe(planner, output->expr, output->name);
        rc = zsql_text_write(planner->arena, planner->text, output->expr, replace, planner,
            &map->expressions[i]);
    }
    if (rc == ZS_OK && condition != NULL)
        rc = zsql_text_write(
            planner->arena, planner->text, condition, replace, planner, &map->condition);
    return rc;
}

/* Which result column shows key i as it is. */
static int find_keys(
    struct zsql_planner *planner, struct zsql_plan *plan, const struct zsql_operator *map)
{
    size_t n = planner->keys.n;
    int *shown = zsql_arena_get(planner->arena, n * sizeof(*shown));

    if (shown == NULL)
        return ZS_NOMEM;
    plan->is_keyed = true;
    plan->key_columns = shown;
    plan->n_keys = n;
    plan->may_repeat = false;
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

static int plan_rows(struct zsql_planner *planner, struct zsql_plan *plan)
{
    struct zsql_operator *map;
    int rc = add_operator(planner, ZSQL_MAP, planner->bound->outputs.n, &map);

    if (rc == ZS_OK)
        rc = plan_results(planner, map, zsql_plan_column, planner->bound->core->where);
    plan->may_repeat = true;
    return rc;
}

static int plan_groups(struct zsql_planner *planner, struct zsql_plan *plan)
{
    struct zsql_operator *first, *groups, *last;
    int rc = zsql_plan_keys(planner);

    if (rc == ZS_OK)
        rc = add_operator(planner, ZSQL_MAP, 0, &first);
    if (rc == ZS_OK)
        rc = add_operator(planner, ZSQL_AGGREGATE_BY, 0, &groups);
    if (rc == ZS_OK)
        rc = add_operator(planner, ZSQL_MAP, planner->bound->outputs.n, &last);
    if (rc == ZS_OK)
        rc = plan_results(planner, last, zsql_plan_group_value, planner->bound->core->having);
    if (rc == ZS_OK)
        rc = zsql_plan_arguments(planner, first);
    if (rc == ZS_OK)
        rc = zsql_plan_folds(planner, first, groups);
    if (rc == ZS_OK)
        rc = find_keys(planner, plan, last);
    return rc;
}

static int plan_distinct(struct zsql_planner *planner, struct zsql_plan *plan)
{
    const struct zsql_list *outputs = &planner->bound->outputs;
    struct zsql_operator *groups;
    int *shown = zsql_arena_get(planner->arena, outputs->n * sizeof(*shown));
    int rc = add_operator(planner, ZSQL_AGGREGATE_BY, outputs->n, &groups);

    if (shown == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; rc == ZS_OK && i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        groups->columns[i] = groups->input->columns[i];
        shown[i] = (int)i;
        rc = zsql_plan_collation(
            planner, output->expr, "DISTINCT", &groups->columns[i].collation);
    }
    if (rc != ZS_OK)
        return rc;
    groups->n_keys = outputs->n;
    plan->is_keyed = true;
    plan->key_columns = shown;
    plan->n_keys = outputs->n;
    plan->may_repeat = false;
    return ZS_OK;
}

static int plan_select(
    struct zsql_planner *planner, struct zsql_select *select, struct zsql_plan *plan)
{
    struct zsql_operator *source;
    int rc = add_operator(planner, ZSQL_SOURCE, 0, &source);

    planner->from = ((const struct zsql_core *)select->cores.items[0])->from.items[0];
    while (planner->from->kind == ZSQL_FROM_JOIN)
        planner->from = planner->from->items.items[0];
    if (rc == ZS_OK)
        rc = planner->bound->is_aggregate ? plan_groups(planner, plan)
                                          : plan_rows(planner, plan);
    if (rc == ZS_OK && planner->bound->core->is_distinct)
        rc = plan_distinct(planner, plan);
    if (rc == ZS_OK)
        rc = fill_source(planner, source);
    if (rc == ZS_OK)
        rc = fill_table(planner, source, plan);
    plan->operators = (struct zsql_operator **)planner->operators.items;
    plan->n_operators = planner->operators.n;
    return rc;
}

static int read_select(struct zsql_planner *planner, struct zsql_select **select)
{
    uint32_t error_at;
    int rc = zsql_select_parse(planner->arena, planner->text, select, &error_at);

    if (rc == ZS_SYNTAX) {
        struct zsql_token token = zsql_lex(planner->text, error_at);
        struct zsql_span span = {token.start, token.end};
        const char *near = zsql_text_quote(planner->arena, planner->text, span);
        if (near == NULL)
            return ZS_NOMEM;
        rc = token.kind == TK_END_OF_TEXT
                 ? zsql_reject(planner->message, "the text ends too early")
                 : zsql_reject(planner->message, "syntax error near %s", near);
    } else if (rc == ZS_TOO_DEEP) {
        rc = zsql_refuse(planner->message, "the text is nested too deep");
        rc = rc == ZS_REFUSED ? ZS_TOO_DEEP : rc;
    }
    return rc;
}

static int make_plan(struct zsql_planner *planner, struct zsql_plan *plan)
{
    struct zsql_select *select = NULL;
    struct zsql_bound *bound = NULL;
    int rc = read_select(planner, &select);

    if (rc == ZS_OK)
        rc = zsql_refuse_shape(planner->arena, planner->text, select, planner->message);
    if (rc == ZS_OK)
        rc = zsql_bind(planner->arena, planner->catalogue, planner->text, select,
            planner->message, &bound);
    planner->bound = bound;
    if (rc == ZS_OK)
        rc = zsql_refuse_bound(
            planner->arena, planner->text, planner->catalogue, bound, planner->message);
    if (rc == ZS_OK)
        rc = plan_select(planner, select, plan);
    if (rc == ZS_OK)
        rc = zsql_exact_text(planner->arena, planner->catalogue, planner->text, select,
            planner->from,
            ((const struct zsql_source *)bound->sources.items[0])->relation.schema,
            &plan->exact_text);
    return rc;
}

int zsql_plan_new(const struct zs_alloc *alloc, const char *text,
    const struct zsql_catalogue *catalogue, struct zsql_plan **plan, char **message)
{
    struct zsql_message note = {alloc, NULL};
    struct zsql_planner planner = {.text = text, .catalogue = catalogue, .message = &note};
    struct zsql_plan *made = NULL;
    int rc = zsql_arena_new(alloc, &planner.arena);

    *plan = NULL;
    *message = NULL;
    if (rc != ZS_OK)
        return rc;
    made = zsql_arena_get(planner.arena, sizeof(*made));
    rc = made == NULL ? ZS_NOMEM : make_plan(&planner, made);
    if (rc == ZS_OK && zsql_arena_has_failed(planner.arena))
        rc = ZS_NOMEM;
    if (rc != ZS_OK) {
        zsql_arena_free(planner.arena);
        *message = note.text;
        return rc;
    }
    made->arena = planner.arena;
    *plan = made;
    return ZS_OK;
}

void zsql_plan_free(struct zsql_plan *plan)
{
    if (plan != NULL)
        zsql_arena_free(plan->arena);
}
