/* Finds the comparisons of what has one value for all rows: of a scalar subquery that names
** nothing outside, or of a member of FROM that has one row, as an average of everything. */
#include "sql/compared.h"

#include "sql/reach.h"

/* The one or the other. */
struct value {
    const struct zsql_expr *subquery;
    const struct zsql_core *core;
    const struct zsql_from *member;
};

bool zsql_gives_one_row(const struct zsql_select *select)
{
    const struct zsql_core *core = select->cores.items[0];

    return select->cores.n == 1 && select->limit == NULL && !core->is_values &&
           core->bound->is_aggregate && core->group_by.n == 0 && core->having == NULL;
}

static bool is_correlated(const struct zsql_select *select)
{
    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];

        if (core->is_values || core->bound->is_correlated)
            return true;
    }
    return false;
}

/* Is an expression Y: has it the value in it, and else nothing that differs between rows? */
struct side {
    const struct value *value;
    bool has_value;
    bool is_constant;
};

static bool is_of_member(const struct value *value, const struct zsql_expr *expr)
{
    return value->member != NULL && expr->binding == ZSQL_COLUMN && !expr->is_merged &&
           expr->scope == value->core->bound && zsql_bound_source(expr)->from == value->member;
}

static int visit_side(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct side *side = ctx;

    (void)descend;
    if (expr == side->value->subquery || is_of_member(side->value, expr))
        side->has_value = true;
    else if (expr->binding == ZSQL_COLUMN || expr->binding == ZSQL_OUTPUT ||
             expr->kind == ZSQL_IN_TABLE || expr->kind == ZSQL_ROW ||
             (expr->call != NULL && expr->call->is_aggregate))
        side->is_constant = false;
    if (expr->select != NULL && (side->value->member != NULL || is_correlated(expr->select)))
        side->is_constant = false;
    return ZS_OK;
}

static struct side side_of(const struct value *value, struct zsql_expr *expr)
{
    struct side side = {value, false, true};

    side.is_constant = zsql_expr_walk(expr, visit_side, &side) == ZS_OK && side.is_constant;
    return side;
}

/* Reads a term as X op Y with operand number i as Y. */
static bool read_term(const struct value *value, const struct zsql_expr *term, size_t i,
    struct zsql_comparison *comparison)
{
    static const enum zsql_op of_between[] = {
        ZSQL_OP_EQUAL, ZSQL_OP_GREATER_EQUAL, ZSQL_OP_LESS_EQUAL};
    bool is_binary = term->kind == ZSQL_BINARY && term->op >= ZSQL_OP_EQUAL &&
                     term->op <= ZSQL_OP_GREATER_EQUAL;
    enum zsql_op op = is_binary                    ? term->op
                      : term->kind == ZSQL_BETWEEN ? of_between[i]
                                                   : ZSQL_OP_EQUAL;
    struct zsql_expr *x = term->operands.items[i == 0], *y = term->operands.items[i];
    struct side of_x, of_y;

    if (i > 0)
        x = term->operands.items[0];
    else if (!is_binary)
        return false;
    of_x = side_of(value, x);
    of_y = side_of(value, y);
    *comparison = (struct zsql_comparison){x, y, op, i > 0};
    return of_y.has_value && of_y.is_constant && !of_x.has_value && x->kind != ZSQL_ROW;
}

/* A list compares by x alone, which finds no more than the equalities do. */
static bool is_comparison(const struct zsql_expr *term)
{
    return term->kind == ZSQL_BETWEEN || term->kind == ZSQL_IN_LIST ||
           (term->kind == ZSQL_BINARY && term->op >= ZSQL_OP_EQUAL &&
               term->op <= ZSQL_OP_GREATER_EQUAL);
}

struct search {
    struct value value;
    struct zsql_compared *compared;
};

static int visit_term(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct search *search = ctx;
    struct zsql_compared *compared = search->compared;

    (void)descend;
    for (size_t i = 0; is_comparison(expr) && i < expr->operands.n; i++)
        if (compared->term == NULL && read_term(&search->value, expr, i, &compared->comparison))
            compared->term = expr;
    return ZS_OK;
}

int zsql_scalar_compared(const struct zsql_bound *subquery, struct zsql_compared *compared)
{
    struct search search = {{.subquery = subquery->place.expr}, compared};

    compared->term = NULL;
    return is_correlated(subquery->select)
               ? ZS_OK
               : zsql_core_walk(subquery->place.around, visit_term, &search);
}

/* A member of FROM. */

struct reading {
    struct zsql_arena *arena;
    struct value value;
    struct zsql_list *list;
    struct zsql_list read; /* of struct zsql_expr: its columns in the comparisons found */
    bool is_read_otherwise;
    size_t end; /* of FROM: X is read of members before that */
};

static int visit_read(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct reading *reading = ctx;

    (void)descend;
    return is_of_member(&reading->value, expr)
               ? zsql_list_append(reading->arena, &reading->read, expr)
               : ZS_OK;
}

static int visit_comparison(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct reading *reading = ctx;
    int rc = ZS_OK;

    (void)descend;
    for (size_t i = 0; rc == ZS_OK && is_comparison(expr) && i < expr->operands.n; i++) {
        struct zsql_compared made = {.term = expr}, *copy;
        struct zsql_reach x;

        if (!read_term(&reading->value, expr, i, &made.comparison))
            continue;
        x = zsql_reach_of(reading->value.core->bound, made.comparison.x);
        if (!zsql_reach_is_own(&x) || !zsql_reach_is_within(&x, 0, reading->end))
            continue;
        copy = zsql_arena_get(reading->arena, sizeof(*copy));
        if (copy == NULL)
            return ZS_NOMEM;
        *copy = made;
        rc = zsql_list_append(reading->arena, reading->list, copy);
        if (rc == ZS_OK)
            rc = zsql_expr_walk(made.comparison.y, visit_read, reading);
    }
    return rc;
}

/* Is a column of the member read elsewhere? */
static int visit_other(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct reading *reading = ctx;
    size_t i = 0;

    (void)descend;
    if (!is_of_member(&reading->value, expr) && !expr->is_merged)
        return ZS_OK;
    while (i < reading->read.n && reading->read.items[i] != expr)
        i++;
    reading->is_read_otherwise |= i == reading->read.n;
    return ZS_OK;
}

/* Those of rows: over groups a column is one of the rows'. Where a left join compares what it
** joins, X is not there in the rows that find no match, and each of them can be touched. */
static int find_comparisons(struct reading *reading, const struct zsql_core *core)
{
    int rc = zsql_expr_walk(core->where, visit_comparison, reading);

    for (size_t i = 0; rc == ZS_OK && i < core->from.n; i++) {
        const struct zsql_from *from = core->from.items[i];
        bool is_left = (from->join & ZSQL_JOIN_LEFT) != 0 && !from->is_inner;

        reading->end = is_left ? i : core->from.n;
        rc = zsql_expr_walk(from->on, visit_comparison, reading);
    }
    reading->end = core->from.n;
    for (size_t i = 0; rc == ZS_OK && i < core->results.n && !core->bound->is_aggregate; i++)
        rc = zsql_expr_walk(((const struct zsql_result *)core->results.items[i])->expr,
            visit_comparison, reading);
    return rc;
}

int zsql_member_compared(struct zsql_arena *arena, struct zsql_core *core,
    const struct zsql_from *member, struct zsql_list *list)
{
    struct reading reading = {
        arena, {NULL, core, member}, list, {NULL, 0, 0}, false, core->from.n};
    int rc = find_comparisons(&reading, core);

    if (rc == ZS_OK)
        rc = zsql_core_walk(core, visit_other, &reading);
    for (size_t i = 0; rc == ZS_OK && i < core->bound->outputs.n; i++)
        rc = zsql_expr_walk(((const struct zsql_output *)core->bound->outputs.items[i])->expr,
            visit_other, &reading);
    if (reading.is_read_otherwise)
        list->n = 0;
    return rc;
}
