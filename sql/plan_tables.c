/* The base tables of a plan, each once, and what is read of them. */
#include "sql/planner.h"

static bool is_same_table(const struct zsql_relation *a, const struct zsql_relation *b)
{
    return zsql_same_name(a->name, b->name) &&
           (a->schema == NULL || b->schema == NULL || zsql_same_name(a->schema, b->schema));
}

static int add_use(struct zsql_planner *planner, const struct zsql_relation *relation)
{
    struct zsql_table_use *use = zsql_arena_get(planner->arena, sizeof(*use));

    if (use == NULL)
        return ZS_NOMEM;
    use->relation = *relation;
    use->is_used =
        zsql_arena_get(planner->arena, (relation->n_columns + 1) * sizeof(*use->is_used));
    return use->is_used == NULL ? ZS_NOMEM
                                : zsql_list_append(planner->arena, &planner->tables, use);
}

static struct zsql_table_use *use_at(const struct zsql_planner *planner, size_t i)
{
    return planner->tables.items[i];
}

int zsql_plan_use(struct zsql_planner *planner, const struct zsql_relation *relation,
    const bool *is_used, size_t *table)
{
    struct zsql_table_use *use;

    *table = 0;
    while (*table < planner->tables.n &&
           !is_same_table(&use_at(planner, *table)->relation, relation))
        ++*table;
    if (*table == planner->tables.n && add_use(planner, relation) != ZS_OK)
        return ZS_NOMEM;
    use = use_at(planner, *table);
    for (size_t i = 0; i <= relation->n_columns; i++)
        use->is_used[i] = use->is_used[i] || is_used[i];
    return ZS_OK;
}

/* Does a term compare by < or the like one of numbers with what is none? Rows do if their
** columns do. */
static bool mixes(struct zsql_expr *x, struct zsql_expr *y)
{
    struct zsql_traits of_x, of_y;
    bool are_rows = x->kind == ZSQL_ROW && y->kind == ZSQL_ROW;

    for (size_t i = 0; are_rows && i < x->operands.n && i < y->operands.n; i++)
        if (mixes(x->operands.items[i], y->operands.items[i]))
            return true;
    if (are_rows)
        return false;
    of_x = zsql_traits_of(x);
    of_y = zsql_traits_of(y);
    return x->kind == ZSQL_ROW || y->kind == ZSQL_ROW ||
           (zsql_traits_class(&of_x) == ZSQL_AS_NUMBERS) !=
               (zsql_traits_class(&of_y) == ZSQL_AS_NUMBERS);
}

static int visit_comparison(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *mixed = ctx;
    bool is_range =
        expr->kind == ZSQL_BETWEEN || (expr->kind == ZSQL_BINARY && expr->op >= ZSQL_OP_LESS &&
                                          expr->op <= ZSQL_OP_GREATER_EQUAL);

    (void)descend;
    for (size_t i = 1; is_range && i < expr->operands.n; i++)
        *mixed = *mixed || mixes(expr->operands.items[0], expr->operands.items[i]);
    return ZS_OK;
}

int zsql_plan_read_ranges(struct zsql_planner *planner, struct zsql_select *select)
{
    bool mixed = false;
    int rc = zsql_select_walk(select, visit_comparison, &mixed);

    planner->keeps_order = !mixed;
    return rc;
}

int zsql_plan_tables(struct zsql_planner *planner, struct zsql_plan *plan)
{
    size_t n = planner->tables.n;
    struct zsql_table *tables = zsql_arena_get(planner->arena, n * sizeof(*tables));

    if (tables == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < n; i++) {
        const struct zsql_table_use *use = planner->tables.items[i];
        size_t end = use->relation.n_columns;
        int *columns = zsql_arena_get(planner->arena, (end + 1) * sizeof(*columns));

        if (columns == NULL)
            return ZS_NOMEM;
        tables[i] = (struct zsql_table){
            use->relation.schema, use->relation.name, columns, 0, planner->keeps_order};
        if (use->is_used[end])
            columns[tables[i].n_columns++] = -1;
        for (size_t j = 0; j < end; j++)
            if (use->is_used[j])
                columns[tables[i].n_columns++] = (int)j;
    }
    plan->tables = tables;
    plan->n_tables = n;
    return ZS_OK;
}
