/* Subqueries that operators of the plan compute by themselves.
**
** A subquery that groups, is DISTINCT or a compound, and names nothing outside, is planned like
** a view of its own. What it makes is kept, and the core around reads it as it reads a table;
** of one that is a value, the first row. So is what an aggregate core makes, where a subquery in
** its results or in HAVING is read for each group. */
#include "sql/planner.h"

#define MADE_NAME "lockstep_made"

/* Most are looked up by the key that their rows have, as far as they show it. */
static int arrange(
    struct zsql_planner *planner, struct zsql_operator *made, const struct zsql_plan *plan)
{
    int *arranged = zsql_arena_get(planner->arena, (plan->n_keys + 1) * sizeof(*arranged));

    if (arranged == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; plan->is_keyed && i < plan->n_keys; i++)
        if (plan->key_columns[i] >= 0)
            arranged[made->n_arranged++] = plan->key_columns[i];
    if (made->n_arranged == 0)
        made->n_arranged = 1; /* by the first column */
    made->is_read = true;
    made->arranged = arranged;
    return ZS_OK;
}

int zsql_plan_make(
    struct zsql_planner *planner, struct zsql_select *select, struct zsql_operator **made)
{
    struct zsql_planner before = *planner;
    struct zsql_message *said = planner->message;
    struct zsql_message refusal = {said->alloc, NULL};
    struct zsql_plan ignored = {0};
    int rc;

    planner->message = &refusal;
    planner->depth++;
    rc = zsql_plan_is_cut(select) ? zsql_plan_hide_terms(planner->arena, select) : ZS_OK;
    if (rc == ZS_OK)
        rc = zsql_plan_select(planner, select, &ignored, made);
    if (rc == ZS_OK && zsql_plan_is_cut(select))
        rc = zsql_plan_order(planner, select, *made, &ignored);
    if (rc == ZS_OK)
        *made = planner->operators.items[planner->operators.n - 1];
    planner->depth--;
    planner->message = said;
    zsql_plan_compare_rows(&ignored, rc == ZS_OK ? (*made)->n_columns : 0);
    planner->made_uncertain |= ignored.may_have_other_rows;
    zs_alloc_free(said->alloc, refusal.text);
    if (rc == ZS_REFUSED) {
        planner->operators.n = before.operators.n;
        planner->tables.n = before.tables.n;
        *made = NULL;
        rc = ZS_OK;
    }
    return rc == ZS_OK && *made != NULL ? arrange(planner, *made, &ignored) : rc;
}

/* A source, and the result columns, of what an operator made. */
static int bind_made(struct zsql_planner *planner, struct zsql_bound *bound,
    struct zsql_from *from, size_t n_columns)
{
    const struct zsql_operator *made = from->made;
    struct zsql_source *source = zsql_arena_get(planner->arena, sizeof(*source));
    struct zsql_column *columns = zsql_arena_get(planner->arena, n_columns * sizeof(*columns));

    if (source == NULL || columns == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < n_columns; i++) {
        columns[i] = (struct zsql_column){.name = zsql_text_format(planner->arena, "c%zu", i),
            .type = made->columns[i].type,
            .kept_type = made->columns[i].kept_type,
            .collation = made->columns[i].collation_name};
        if (columns[i].name == NULL)
            return ZS_NOMEM;
    }
    source->relation = (struct zsql_relation){.kind = ZSQL_SUBQUERY_RELATION,
        .rowid_column = -1,
        .columns = columns,
        .n_columns = n_columns};
    source->name = MADE_NAME;
    source->from = from;
    source->is_used =
        zsql_arena_get(planner->arena, (n_columns + 1) * sizeof(*source->is_used));
    if (source->is_used == NULL)
        return ZS_NOMEM;
    bound->sources = (struct zsql_list){NULL, 0, 0};
    return zsql_list_append(planner->arena, &bound->sources, source);
}

static int add_column(struct zsql_planner *planner, struct zsql_bound *bound, size_t i)
{
    struct zsql_expr *expr = zsql_bound_new_column(planner->arena, bound, 0, i);
    struct zsql_output *output = zsql_arena_get(planner->arena, sizeof(*output));

    if (expr == NULL || output == NULL)
        return ZS_NOMEM;
    *output = (struct zsql_output){expr, expr->name.text, expr->name.text, false};
    return zsql_list_append(planner->arena, &bound->outputs, output);
}

/* A FROM of nothing but what the operator made. */
static struct zsql_from *alone(
    struct zsql_planner *planner, struct zsql_operator *made, struct zsql_span span)
{
    struct zsql_from *from = zsql_arena_get(planner->arena, sizeof(*from));

    if (from == NULL)
        return NULL;
    from->kind = ZSQL_FROM_MADE;
    from->made = made;
    from->is_made_alone = true;
    from->span = from->whole = span;
    from->depth = 1;
    return from;
}

int zsql_plan_replace_alone(struct zsql_planner *planner, struct zsql_expr *expr,
    struct zsql_operator *made, size_t n_columns, struct zsql_core **replaced)
{
    const struct zsql_core *old = expr->select->cores.items[0];
    struct zsql_select *select = zsql_arena_get(planner->arena, sizeof(*select));
    struct zsql_core *core = zsql_arena_get(planner->arena, sizeof(*core));
    struct zsql_bound *bound = zsql_arena_get(planner->arena, sizeof(*bound));
    struct zsql_from *from = alone(planner, made, expr->select->span);
    int rc = zsql_arena_has_failed(planner->arena) ? ZS_NOMEM : ZS_OK;

    *replaced = core;
    if (rc != ZS_OK)
        return rc;
    from->made_of = expr->select;
    select->span = expr->select->span;
    select->order_end = expr->select->order_end;
    select->depth = 1;
    core->bound = bound;
    *bound = (struct zsql_bound){.core = core,
        .select = select,
        .place = old->bound->place,
        .parent = old->bound->parent};
    rc = zsql_list_append(planner->arena, &select->cores, core);
    if (rc == ZS_OK)
        rc = zsql_list_append(planner->arena, &core->from, from);
    if (rc == ZS_OK)
        rc = bind_made(planner, bound, from, n_columns);
    for (size_t i = 0; rc == ZS_OK && i < n_columns; i++)
        rc = add_column(planner, bound, i);
    expr->select = select;
    return rc;
}

/* What a compound made is compared as the compound would be. */
static void type_columns(
    struct zsql_operator *made, const struct zsql_select *select, bool is_value)
{
    for (size_t i = 0; select->cores.n > 1 && i < made->n_columns; i++) {
        struct zsql_traits traits =
            is_value ? zsql_traits_of_value(select, i) : zsql_traits_of_column(select, i);

        if (i >= select->n_columns)
            break;
        made->columns[i].type = traits.type;
        made->columns[i].kept_type = traits.kept_type;
    }
}

static int visit_inner(struct zsql_planner *planner, struct zsql_select *select,
    struct zsql_expr *expr, struct zsql_from *from)
{
    struct zsql_operator *made = NULL;
    struct zsql_core *core;
    bool is_done = false;
    int rc = expr == NULL ? ZS_OK : zsql_plan_decorrelate(planner, expr, &is_done);

    if (rc != ZS_OK || is_done)
        return rc;
    select->is_first = expr != NULL && zsql_plan_is_of_first(expr);
    if (zsql_plan_is_worth_making(select))
        rc = zsql_plan_make(planner, select, &made);
    select->is_first = select->is_first && made != NULL;
    if (rc == ZS_OK && made != NULL)
        type_columns(made, select, expr != NULL);
    if (rc == ZS_OK && made != NULL && expr != NULL)
        return zsql_plan_replace_alone(planner, expr, made,
            made->n_columns -
                ((const struct zsql_core *)select->cores.items[0])->bound->n_hidden,
            &core);
    if (rc == ZS_OK && made != NULL) {
        rc = zsql_plan_make_reals(planner, select, &made);
        from->kind = ZSQL_FROM_MADE;
        from->made = made;
        from->made_of = select;
        from->select = NULL;
        return rc;
    }
    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++)
        rc = zsql_plan_inner(planner, select->cores.items[i]);
    return rc;
}

static int visit_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    return expr->select == NULL ? ZS_OK : visit_inner(ctx, expr->select, expr, NULL);
}

static int visit_members(struct zsql_planner *planner, const struct zsql_list *members)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < members->n; i++) {
        struct zsql_from *member = members->items[i];

        if (zsql_from_is_never(member))
            continue;
        rc = visit_members(planner, &member->items);
        if (rc == ZS_OK && member->kind == ZSQL_FROM_SELECT)
            rc = visit_inner(planner, member->select, NULL, member);
        for (size_t j = 0; rc == ZS_OK && j < member->arguments.n; j++)
            rc = zsql_expr_walk(member->arguments.items[j], visit_expr, planner);
        if (rc == ZS_OK)
            rc = zsql_expr_walk(member->on, visit_expr, planner);
    }
    return rc;
}

int zsql_plan_inner(struct zsql_planner *planner, struct zsql_core *core)
{
    int rc = visit_members(planner, &core->from);

    for (size_t i = 0; rc == ZS_OK && i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        rc = zsql_expr_walk(result->expr, visit_expr, planner);
    }
    if (rc == ZS_OK)
        rc = zsql_expr_walk(core->where, visit_expr, planner);
    for (size_t i = 0; rc == ZS_OK && i < core->group_by.n; i++)
        rc = zsql_expr_walk(core->group_by.items[i], visit_expr, planner);
    return rc == ZS_OK ? zsql_expr_walk(core->having, visit_expr, planner) : rc;
}

/* Over groups. */

static int find_subquery(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *found = ((void **)ctx)[1];
    struct zsql_planner *planner = ((void **)ctx)[0];

    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, find_subquery, ctx);
    if (zsql_plan_is_stored(planner, expr))
        *descend = false;
    else if (expr->select != NULL)
        *found = true;
    return ZS_OK;
}

bool zsql_plan_has_subquery_over_groups(struct zsql_planner *planner)
{
    const struct zsql_bound *bound = planner->bound;
    bool found = false;
    void *search[] = {planner, &found};
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < bound->outputs.n; i++) {
        const struct zsql_output *output = bound->outputs.items[i];
        rc = zsql_expr_walk(output->expr, find_subquery, search);
    }
    if (rc == ZS_OK)
        rc = zsql_expr_walk(bound->core->having, find_subquery, search);
    return rc != ZS_OK || found;
}

struct outer_walk {
    struct zsql_planner *planner;
    zsql_visit_fn *visit;
    void *ctx;
};

static int visit_within(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct outer_walk *walk = ctx;

    return expr->binding == ZSQL_COLUMN && expr->scope == walk->planner->bound &&
                   expr->span.end > 0
               ? walk->visit(walk->ctx, expr, descend)
               : ZS_OK;
}

static int visit_over(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct outer_walk *walk = ctx;

    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_over, ctx);
    if (zsql_plan_is_stored(walk->planner, expr))
        *descend = false;
    else if (expr->select != NULL)
        return zsql_select_walk(expr->select, visit_within, ctx);
    return ZS_OK;
}

int zsql_plan_walk_outer_columns(
    struct zsql_planner *planner, struct zsql_expr *expr, zsql_visit_fn *visit, void *ctx)
{
    struct outer_walk walk = {planner, visit, ctx};

    return zsql_expr_walk(expr, visit_over, &walk);
}

/* A column of the core that a subquery names becomes one of its groups'. */
static int regroup(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct zsql_planner *planner = ctx;
    const char *text = NULL;
    int rc = zsql_plan_group_value(planner, expr, ZSQL_UNSEEN, &text);

    (void)descend;
    if (rc != ZS_OK || text == NULL)
        return rc != ZS_OK ? rc : ZS_MISUSE;
    text = zsql_text_format(planner->arena, MADE_NAME ".%s", text);
    return text == NULL ? ZS_NOMEM
                        : zsql_edits_add(planner->arena, &planner->edits, expr->span, text);
}

static int regroup_all(struct zsql_planner *planner)
{
    const struct zsql_bound *bound = planner->bound;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < bound->outputs.n; i++) {
        const struct zsql_output *output = bound->outputs.items[i];
        rc = zsql_plan_walk_outer_columns(planner, output->expr, regroup, planner);
    }
    if (rc == ZS_OK)
        rc = zsql_plan_walk_outer_columns(planner, bound->core->having, regroup, planner);
    zsql_edits_sort(&planner->edits);
    return rc;
}

/* The groups, and what the subqueries read. */
static int find_occurrences(struct zsql_planner *planner, struct zsql_from *from,
    const struct zsql_source *source, struct zsql_list *occurrences)
{
    struct zsql_occurrence *first = zsql_arena_get(planner->arena, sizeof(*first));
    struct zsql_list over = {0};
    int rc = first == NULL
                 ? ZS_NOMEM
                 : zsql_occurrences_of_groups(planner->arena, planner->bound->core, &over);

    if (rc == ZS_OK)
        rc = zsql_list_append(planner->arena, occurrences, first);
    for (size_t i = 0; rc == ZS_OK && i < over.n; i++)
        rc = zsql_list_append(planner->arena, occurrences, over.items[i]);
    if (rc == ZS_OK)
        *first = (struct zsql_occurrence){
            .from = from, .source = source, .core = planner->bound->core};
    return rc;
}

int zsql_plan_over_groups(
    struct zsql_planner *planner, struct zsql_operator *groups, struct zsql_list *occurrences)
{
    struct zsql_bound made = {.core = planner->bound->core};
    struct zsql_from *from = alone(planner, groups, (struct zsql_span){0, 0});
    struct zsql_list members = {0};
    struct zsql_plan keyed = {.is_keyed = true};
    int *keys = zsql_arena_get(planner->arena, groups->n_keys * sizeof(*keys));
    int rc = from == NULL || keys == NULL ? ZS_NOMEM
                                          : zsql_list_append(planner->arena, &members, from);

    for (size_t i = 0; rc == ZS_OK && i < groups->n_keys; i++)
        keys[i] = (int)i;
    keyed.key_columns = keys;
    keyed.n_keys = groups->n_keys;
    if (rc == ZS_OK)
        rc = arrange(planner, groups, &keyed);
    if (rc == ZS_OK)
        rc = bind_made(planner, &made, from, groups->n_columns);
    if (rc == ZS_OK)
        rc = find_occurrences(planner, from, made.sources.items[0], occurrences);
    if (rc != ZS_OK)
        return rc;
    planner->bound->core->from = members;
    planner->bound->core->where = NULL;
    planner->is_over_groups = true;
    planner->read_column = zsql_plan_group_value;
    rc = zsql_plan_join_begin(planner, occurrences);
    return rc == ZS_OK ? regroup_all(planner) : rc;
}
