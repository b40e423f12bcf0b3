/* Making the plan of a SELECT over one table:
**
**   SOURCE -> MAP                                       filter and projection
**   SOURCE -> MAP -> AGGREGATE_BY -> MAP                groups
**   ... -> AGGREGATE_BY over all columns                DISTINCT
**
** The last map's texts are written first: they show which aggregates there are. Before that
** they are written once for nothing, to find the bare columns. */
#include "sql/plan.h"

#include <string.h>

#include "sql/clock.h"
#include "sql/exact_text.h"
#include "sql/inline.h"
#include "sql/lists.h"
#include "sql/parentheses.h"
#include "sql/planner.h"
#include "sql/refuse.h"
#include "sql/sorting.h"
#include "sql/strengthen.h"
#include "sql/unsettled.h"

int zsql_plan_add(struct zsql_planner *planner, enum zsql_operator_kind kind,
    struct zsql_operator *input, size_t n_columns, struct zsql_operator **operator)
{
    struct zsql_operator *made = zsql_arena_get(planner->arena, sizeof(*made));

    *operator= made;
    if (made == NULL)
        return ZS_NOMEM;
    made->kind = kind;
    made->input = input;
    made->n_columns = n_columns;
    made->columns = zsql_arena_get(planner->arena, n_columns * sizeof(*made->columns));
    made->expressions = zsql_arena_get(planner->arena, n_columns * sizeof(*made->expressions));
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

struct zsql_output_column zsql_plan_describe(struct zsql_expr *expr, const char *name)
{
    struct zsql_traits traits = zsql_traits_of(expr);
    const char *collation = traits.collation != NULL ? traits.collation : "BINARY";

    return (struct zsql_output_column){
        name, traits.type, collation_of(collation), collation, traits.kept_type};
}

bool zsql_plan_knows_collation(struct zsql_expr *expr, enum zs_collation *collation)
{
    struct zsql_traits traits = zsql_traits_of(expr);
    const char *name = traits.collation != NULL ? traits.collation : "BINARY";

    *collation = collation_of(name);
    return *collation != ZS_BINARY || zsql_same_name(name, "BINARY");
}

/* Keys and DISTINCT need a collation that core knows. */
int zsql_plan_collation(const struct zsql_planner *planner, struct zsql_expr *expr,
    const char *where, enum zs_collation *collation)
{
    return zsql_plan_knows_collation(expr, collation)
               ? ZS_OK
               : zsql_refuse(planner->message,
                     "the collation %s of %s is not maintained yet: say BINARY, NOCASE or "
                     "RTRIM",
                     zsql_traits_of(expr).collation, where);
}

/* The table's columns that the first map reads: planner->columns, complete by now. */
static int fill_source(struct zsql_planner *planner, struct zsql_operator *operator)
{
    const struct zsql_source *source = planner->bound->sources.items[0];
    int *numbers = zsql_arena_get(planner->arena, planner->columns.n * sizeof(*numbers));
    bool *is_used =
        zsql_arena_get(planner->arena, (source->relation.n_columns + 1) * sizeof(*is_used));
    size_t table;

    operator->n_columns = planner->columns.n;
    operator->columns =
        zsql_arena_get(planner->arena, planner->columns.n * sizeof(*operator->columns));
    if (zsql_arena_has_failed(planner->arena))
        return ZS_NOMEM;
    for (size_t i = 0; i < planner->columns.n; i++) {
        struct zsql_expr *expr = planner->columns.items[i];
        const struct zsql_column *column = zsql_bound_column(expr);
        numbers[i] = expr->column;
        is_used[expr->column < 0 ? source->relation.n_columns : (size_t)expr->column] = true;
        operator->columns[i] =
            zsql_plan_describe(expr, column != NULL ? column->name : "rowid");
    }
    operator->schema = source->from->schema.text;
    operator->table = source->relation.name;
    operator->source_columns = numbers;
    return zsql_plan_use(planner, &source->relation, is_used, &table);
}

/* The result columns as a map: over the rows of the core, or over its groups. */
static int plan_results(
    struct zsql_planner *planner, struct zsql_operator *map, zsql_replace_fn *replace)
{
    const struct zsql_list *outputs = &planner->bound->outputs;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        map->columns[i] = zsql_plan_describe(output->expr, output->name);
        rc = zsql_text_write(planner->arena, planner->text, &planner->edits, output->expr,
            replace, planner, &map->expressions[i]);
    }
    return rc;
}

static int plan_rows(
    struct zsql_planner *planner, struct zsql_plan *plan, struct zsql_operator *rows)
{
    const struct zsql_core *core = planner->bound->core;
    int rc = plan_results(planner, rows, planner->read_column);

    if (rc == ZS_OK && core->where != NULL)
        rc = zsql_plan_write(planner, core->where, &rows->condition);
    plan->may_repeat = true;
    return rc == ZS_OK && rows->kind == ZSQL_MAP && !core->is_distinct
               ? zsql_plan_key_by_row(planner, plan, rows)
               : rc;
}

/* The rows of an aggregate core: its groups' keys, what goes with them, and the arguments. */
static int plan_group_rows(struct zsql_planner *planner, struct zsql_operator *rows)
{
    int rc = zsql_plan_keys(planner);

    if (rc == ZS_OK)
        rc = zsql_plan_bare(planner);
    return rc == ZS_OK ? zsql_plan_arguments(planner, rows) : rc;
}

/* The groups of the rows, and the results as a map of them; or, where a subquery is read for
** each group, as a join. */
static int plan_groups(
    struct zsql_planner *planner, struct zsql_plan *plan, struct zsql_operator *rows)
{
    const struct zsql_core *core = planner->bound->core;
    bool is_join = zsql_plan_has_subquery_over_groups(planner);
    struct zsql_list occurrences = {0};
    struct zsql_operator *groups, *last;
    int rc = zsql_plan_add(planner, ZSQL_AGGREGATE_BY, rows, 0, &groups);

    if (rc == ZS_OK)
        rc = zsql_plan_folds(planner, rows, groups);
    if (rc == ZS_OK && is_join)
        rc = zsql_plan_over_groups(planner, groups, &occurrences);
    if (rc == ZS_OK)
        rc = zsql_plan_add(planner, is_join ? ZSQL_JOIN : ZSQL_MAP, is_join ? NULL : groups,
            planner->bound->outputs.n, &last);
    if (rc == ZS_OK)
        rc = plan_results(planner, last, zsql_plan_group_value);
    if (rc == ZS_OK && core->having != NULL)
        rc = zsql_text_write(planner->arena, planner->text, &planner->edits, core->having,
            zsql_plan_group_value, planner, &last->condition);
    if (rc == ZS_OK && is_join)
        rc = zsql_plan_join_end(planner, &occurrences, last);
    if (rc == ZS_OK)
        rc = zsql_plan_key_by_groups(planner, plan, groups, last);
    if (rc == ZS_OK)
        rc = zsql_plan_certainty(planner, plan);
    return rc;
}

static struct zsql_operator *last_of(const struct zsql_planner *planner)
{
    return planner->operators.items[planner->operators.n - 1];
}

static int plan_distinct(struct zsql_planner *planner, struct zsql_plan *plan)
{
    const struct zsql_list *outputs = &planner->bound->outputs;
    size_t n_keys = outputs->n - planner->bound->n_hidden;
    struct zsql_operator *input = last_of(planner);
    struct zsql_operator *groups;
    int rc = zsql_plan_add(planner, ZSQL_AGGREGATE_BY, input, outputs->n, &groups);

    for (size_t i = 0; rc == ZS_OK && i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        groups->columns[i] = input->columns[i];
        if (i < n_keys)
            rc = zsql_plan_collation(
                planner, output->expr, "DISTINCT", &groups->columns[i].collation);
    }
    if (rc != ZS_OK)
        return rc;
    groups->n_keys = n_keys;
    groups->n_bare = outputs->n - n_keys;
    return zsql_plan_key_by_all(planner, groups, n_keys, plan);
}

/* Forgets what is known of the core before. */
static void begin_core(struct zsql_planner *planner, struct zsql_core *core)
{
    *planner = (struct zsql_planner){.arena = planner->arena,
        .text = planner->text,
        .catalogue = planner->catalogue,
        .message = planner->message,
        .operators = planner->operators,
        .tables = planner->tables,
        .depth = planner->depth,
        .made_uncertain = planner->made_uncertain,
        .may_show_others = planner->may_show_others,
        .bound = core->bound};
}

/* The rows of a core, as a join or from one table. A core of a compound, or of a subquery, is
** always read as a join. */
static int plan_source(struct zsql_planner *planner, struct zsql_plan *plan, bool is_join)
{
    const struct zsql_bound *bound = planner->bound;
    struct zsql_list occurrences = {0};
    struct zsql_operator *source = NULL, *rows;
    int rc = ZS_OK;

    planner->read_column = is_join ? zsql_plan_own_column : zsql_plan_column;
    if (is_join)
        rc = zsql_occurrences_of_rows(planner->arena, bound->core, &occurrences);
    if (rc == ZS_OK)
        rc = is_join ? zsql_plan_join_begin(planner, &occurrences)
                     : zsql_plan_add(planner, ZSQL_SOURCE, NULL, 0, &source);
    if (rc == ZS_OK && !is_join) {
        rc = zsql_clock_edits(planner->arena, planner->text, bound->core, &planner->edits);
        zsql_edits_sort(&planner->edits);
    }
    if (rc == ZS_OK)
        rc = zsql_plan_add(
            planner, is_join ? ZSQL_JOIN : ZSQL_MAP, source, bound->outputs.n, &rows);
    if (rc == ZS_OK)
        rc = bound->is_aggregate ? plan_group_rows(planner, rows)
                                 : plan_rows(planner, plan, rows);
    if (rc == ZS_OK)
        rc = is_join ? zsql_plan_join_end(planner, &occurrences, rows)
                     : fill_source(planner, source);
    return rc;
}

static int plan_rows_of(
    struct zsql_planner *planner, struct zsql_core *core, struct zsql_plan *plan, bool is_join)
{
    int rc = zsql_plan_inner(planner, core);

    if (rc == ZS_OK)
        rc = zsql_refuse_unsettled(planner->arena, planner->text, core, planner->message);
    if (rc == ZS_OK)
        rc = zsql_find_other_values(core, &planner->may_show_others);
    if (rc != ZS_OK)
        return rc;
    begin_core(planner, core);
    return plan_source(planner, plan, is_join);
}

/* The sum of the rows of a core's parts. What is made of them is read as of the last. */
static int plan_parts(
    struct zsql_planner *planner, const struct zsql_list *parts, struct zsql_plan *plan)
{
    struct zsql_list rows = {0};
    struct zsql_operator *plus;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < parts->n; i++) {
        const struct zsql_part *part = parts->items[i];

        planner->text = part->text;
        rc = plan_rows_of(planner, part->core, plan, true);
        if (rc == ZS_OK)
            rc = zsql_list_append(planner->arena, &rows, last_of(planner));
    }
    if (rc != ZS_OK || rows.n == 1)
        return rc;
    return zsql_plan_add_plus(planner, &rows, last_of(planner)->n_columns, &plus);
}

/* The rows of a core, and what is made of them: groups, DISTINCT. */
static int plan_core(struct zsql_planner *planner, const struct zsql_select *select,
    struct zsql_core *core, struct zsql_plan *plan)
{
    const char *text = planner->text;
    struct zsql_list parts;
    int rc = zsql_plan_split(planner, core, &parts);

    if (rc == ZS_OK && parts.n > 0)
        rc = plan_parts(planner, &parts, plan);
    else if (rc == ZS_OK)
        rc = plan_rows_of(planner, core, plan,
            select->cores.n > 1 || planner->depth > 0 || zsql_plan_is_join(core));
    if (rc == ZS_OK && core->bound->is_aggregate)
        rc = plan_groups(planner, plan, last_of(planner));
    if (rc == ZS_OK && core->is_distinct)
        rc = plan_distinct(planner, plan);
    planner->text = text;
    return rc;
}

int zsql_plan_select(struct zsql_planner *planner, struct zsql_select *select,
    struct zsql_plan *plan, struct zsql_operator **result)
{
    const struct zsql_core *last = select->cores.items[select->cores.n - 1];
    int rc = ZS_OK;

    *result = NULL;
    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++) {
        rc = plan_core(planner, select, select->cores.items[i], plan);
        if (rc == ZS_OK && i == 0)
            *result = last_of(planner);
        else if (rc == ZS_OK)
            rc = zsql_plan_put_together(
                planner, select, i + 1, *result, last_of(planner), result);
    }
    if (rc == ZS_OK && select->cores.n > 1)
        zsql_plan_compare_rows(plan, (*result)->n_columns);
    if (rc == ZS_OK && last->compound == ZSQL_COMPOUND_UNION_ALL) {
        plan->is_keyed = false;
        plan->n_keys = 0;
        plan->may_repeat = true;
    } else if (rc == ZS_OK && select->cores.n > 1) {
        rc = zsql_plan_key_by_all(planner, *result, (*result)->n_columns, plan);
    }
    return rc;
}

/* <view>_data keeps values as they are. */
static void untype_result(const struct zsql_operator *result)
{
    for (size_t i = 0; i < result->n_columns; i++)
        result->columns[i].type = result->columns[i].kept_type;
}

static int plan_whole(
    struct zsql_planner *planner, struct zsql_select *select, struct zsql_plan *plan)
{
    struct zsql_operator *result;
    int rc = zsql_plan_select(planner, select, plan, &result);

    if (rc == ZS_OK)
        rc = zsql_plan_order(planner, select, result, plan);
    if (rc == ZS_OK)
        rc = zsql_plan_tables(planner, plan);
    plan->may_have_other_rows |= planner->made_uncertain;
    plan->may_show_others = planner->may_show_others;
    plan->operators = (struct zsql_operator **)planner->operators.items;
    plan->n_operators = planner->operators.n;
    if (rc == ZS_OK)
        untype_result(plan->operators[plan->n_operators - 1]);
    return rc;
}

/* What a text can't be read for. */
static int explain(const struct zsql_planner *planner, int rc, uint32_t error_at)
{
    if (rc == ZS_SYNTAX) {
        struct zsql_token token = zsql_lex(planner->text, error_at);
        struct zsql_span span = {token.start, token.end};
        const char *near = zsql_text_quote(planner->arena, planner->text, span);
        if (near == NULL)
            return ZS_NOMEM;
        return token.kind == TK_END_OF_TEXT
                   ? zsql_reject(planner->message, "the text ends too early")
                   : zsql_reject(planner->message, "syntax error near %s", near);
    }
    if (rc != ZS_TOO_DEEP)
        return rc;
    rc = zsql_refuse(planner->message, "the text is nested too deep");
    return rc == ZS_REFUSED ? ZS_TOO_DEEP : rc;
}

/* The SELECT with views, common table expressions and lists of columns spelled out, no join in
** parentheses, and what sorts an aggregate's rows shown. */
static int read_select(struct zsql_planner *planner, struct zsql_select **select)
{
    uint32_t error_at = 0;
    int rc = zsql_inline(planner->arena, planner->catalogue, planner->text, planner->message,
        &planner->text, &error_at);

    if (rc == ZS_OK)
        rc = zsql_drop_parentheses(planner->arena, planner->catalogue, planner->text,
            planner->message, &planner->text);
    if (rc == ZS_OK)
        rc = zsql_spell_lists(planner->arena, planner->catalogue, planner->text,
            planner->message, &planner->text);
    if (rc == ZS_OK)
        rc = zsql_show_sorting(planner->arena, planner->catalogue, planner->text,
            planner->message, &planner->text);
    if (rc == ZS_OK)
        rc = zsql_select_parse(planner->arena, planner->text, select, &error_at);
    return explain(planner, rc, error_at);
}

static int make_plan(struct zsql_planner *planner, struct zsql_plan *plan)
{
    struct zsql_select *select = NULL;
    int rc = read_select(planner, &select);

    if (rc == ZS_OK)
        rc = zsql_refuse_shape(planner->arena, planner->text, select, planner->message);
    if (rc == ZS_OK)
        rc = zsql_bind(
            planner->arena, planner->catalogue, planner->text, select, planner->message);
    if (rc == ZS_OK)
        rc = zsql_strengthen(planner->arena, select);
    if (rc == ZS_OK)
        rc = zsql_plan_hide_terms(planner->arena, select);
    if (rc == ZS_OK)
        rc = zsql_refuse_bound(
            planner->arena, planner->text, planner->catalogue, select, planner->message);
    if (rc == ZS_OK)
        rc = zsql_exact_text(
            planner->arena, planner->text, select, &plan->exact_text, &plan->exact_body);
    if (rc == ZS_OK)
        plan->makes_reals = zsql_plan_makes_reals(select);
    if (rc == ZS_OK)
        rc = zsql_find_digits(select, &plan->has_digits);
    if (rc == ZS_OK)
        rc = zsql_plan_read_ranges(planner, select);
    if (rc == ZS_OK) /* puts operators in the place of subqueries: last */
        rc = plan_whole(planner, select, plan);
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
