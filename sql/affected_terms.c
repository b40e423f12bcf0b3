/* The comparisons that ON and WHERE are made of, and the conditions on X that come of them.
**
** Of X = Y it is `X IN (values of Y)`. Of X < Y it is `X < greatest value of Y`, and so on: a
** range, which SQLite walks in an index. The value is taken by ORDER BY, rather than by min()
** or max(), so that it compares with X as Y itself does. */
#include "sql/affected_private.h"

#include "sql/present.h"

static struct zsql_comparison turned(struct zsql_comparison comparison)
{
    static const enum zsql_op turned_op[] = {
        ZSQL_OP_GREATER, ZSQL_OP_GREATER_EQUAL, ZSQL_OP_LESS, ZSQL_OP_LESS_EQUAL};
    struct zsql_comparison other = {
        comparison.y, comparison.x, comparison.op, !comparison.is_x_left};

    if (comparison.op != ZSQL_OP_EQUAL)
        other.op = turned_op[comparison.op - ZSQL_OP_LESS];
    return other;
}

static bool compare_alike(struct zsql_expr *x, struct zsql_expr *y)
{
    struct zsql_traits of_x = zsql_traits_of(x), of_y = zsql_traits_of(y);

    return zsql_traits_class(&of_x) == zsql_traits_class(&of_y);
}

/* Rows compare by their first columns, unless these are equal. Of columns that compare
** otherwise than they are SQLite loses sight where one is NULL. */
static bool read_rows(struct zsql_comparison *comparison)
{
    if (comparison->x->kind != ZSQL_ROW || comparison->y->kind != ZSQL_ROW)
        return comparison->x->kind != ZSQL_ROW && comparison->y->kind != ZSQL_ROW;
    comparison->x = comparison->x->operands.items[0];
    comparison->y = comparison->y->operands.items[0];
    if (comparison->op == ZSQL_OP_LESS)
        comparison->op = ZSQL_OP_LESS_EQUAL;
    if (comparison->op == ZSQL_OP_GREATER)
        comparison->op = ZSQL_OP_GREATER_EQUAL;
    return compare_alike(comparison->x, comparison->y);
}

bool zsql_comparison_read(
    const struct zsql_expr *term, size_t reading, struct zsql_comparison *comparison)
{
    struct zsql_expr *const *operands = (struct zsql_expr *const *)term->operands.items;

    if (term->is_negated)
        return false;
    if (term->kind == ZSQL_BETWEEN)
        *comparison = reading < 2 ? (struct zsql_comparison){operands[0], operands[1],
                                        ZSQL_OP_GREATER_EQUAL, true}
                                  : (struct zsql_comparison){
                                        operands[0], operands[2], ZSQL_OP_LESS_EQUAL, true};
    else if (reading < 2 && term->kind == ZSQL_BINARY &&
             (term->op == ZSQL_OP_EQUAL ||
                 (term->op >= ZSQL_OP_LESS && term->op <= ZSQL_OP_GREATER_EQUAL)))
        *comparison = (struct zsql_comparison){operands[0], operands[1], term->op, true};
    else
        return false;
    if (reading % 2 == 1)
        *comparison = turned(*comparison);
    return read_rows(comparison);
}

const char *zsql_affected_collated(
    struct zsql_inquiry *inquiry, struct zsql_expr *expr, const char *used)
{
    const char *own = zsql_traits_of(expr).collation;
    const char *text = zsql_affected_write(inquiry, expr);

    return text == NULL || zsql_same_name(used, own != NULL ? own : "BINARY")
               ? text
               : zsql_traits_collate(inquiry->planner->arena, text, used);
}

const char *zsql_comparison_collation(const struct zsql_comparison *comparison)
{
    return comparison->is_x_left ? zsql_traits_compared(comparison->x, comparison->y)
                                 : zsql_traits_compared(comparison->y, comparison->x);
}

/* What follows from alternatives. */

/* Does a term imply that X is above Y, or below it, or equal? */
static bool implies(const struct zsql_expr *term, const struct zsql_comparison *wanted)
{
    bool is_above = wanted->op == ZSQL_OP_GREATER_EQUAL;

    if (term->kind == ZSQL_BINARY && term->op == ZSQL_OP_AND)
        return implies(term->operands.items[0], wanted) ||
               implies(term->operands.items[1], wanted);
    if (term->kind == ZSQL_BINARY && term->op == ZSQL_OP_OR)
        return implies(term->operands.items[0], wanted) &&
               implies(term->operands.items[1], wanted);
    for (size_t i = 0; i < ZSQL_N_READINGS; i++) {
        struct zsql_comparison found;

        if (zsql_comparison_read(term, i, &found) && zsql_bound_equal(found.x, wanted->x) &&
            zsql_bound_equal(found.y, wanted->y) &&
            zsql_same_name(
                zsql_comparison_collation(&found), zsql_comparison_collation(wanted)) &&
            (found.op == ZSQL_OP_EQUAL ||
                is_above == (found.op == ZSQL_OP_GREATER || found.op == ZSQL_OP_GREATER_EQUAL)))
            return true;
    }
    return false;
}

/* Reads what a leaf of a term's first alternative compares, as the weakest that goes its
** way. */
static bool read_leaf(
    const struct zsql_expr *leaf, size_t reading, bool is_above, struct zsql_comparison *wanted)
{
    if (!zsql_comparison_read(leaf, reading, wanted))
        return false;
    wanted->op = is_above ? ZSQL_OP_GREATER_EQUAL : ZSQL_OP_LESS_EQUAL;
    return true;
}

int zsql_comparisons_of_alternatives(
    struct zsql_arena *arena, const struct zsql_expr *term, struct zsql_list *list)
{
    const struct zsql_expr *first = term;
    struct zsql_list leaves = {0};
    int rc = ZS_OK;

    if (term->kind != ZSQL_BINARY || term->op != ZSQL_OP_OR)
        return ZS_OK;
    while (first->kind == ZSQL_BINARY && first->op == ZSQL_OP_OR)
        first = first->operands.items[0];
    rc = zsql_expr_terms(arena, (struct zsql_expr *)first, &leaves);
    for (size_t i = 0; rc == ZS_OK && i < 2 * ZSQL_N_READINGS * leaves.n; i++) {
        const struct zsql_expr *leaf = leaves.items[i / (2 * ZSQL_N_READINGS)];
        struct zsql_comparison wanted, *made;

        if (!read_leaf(leaf, i / 2 % ZSQL_N_READINGS, i % 2 == 0, &wanted) ||
            !implies(term, &wanted))
            continue;
        made = zsql_arena_get(arena, sizeof(*made));
        if (made == NULL)
            return ZS_NOMEM;
        *made = wanted;
        rc = zsql_list_append(arena, list, made);
    }
    return rc;
}

/* Its value is a number or NULL. */
static bool is_arithmetic(struct zsql_expr *expr)
{
    expr = zsql_bound_target(expr);
    if (expr->kind == ZSQL_UNARY)
        return expr->op == ZSQL_OP_MINUS;
    return expr->kind == ZSQL_BINARY && expr->op >= ZSQL_OP_ADD &&
           expr->op <= ZSQL_OP_REMAINDER;
}

/* Does Y compare as it is, so that its least value by itself is the least by the comparison
** too? */
static bool is_ordered(const struct zsql_comparison *comparison)
{
    struct zsql_traits x = zsql_traits_of(comparison->x), y = zsql_traits_of(comparison->y);
    enum zsql_class of_x = zsql_traits_class(&x), of_y = zsql_traits_class(&y);

    if (of_y == ZSQL_AS_NUMBERS)
        return true;
    return of_x == ZSQL_AS_NUMBERS ? is_arithmetic(comparison->y)
                                   : of_x == ZSQL_AS_THEY_ARE || of_y == ZSQL_AS_TEXT;
}

/* Adds a condition to another, which may be NULL. */
static int add(struct zsql_inquiry *inquiry, const char *one, const char **condition)
{
    if (one != NULL && *condition != NULL)
        one = zsql_text_format(inquiry->planner->arena, "%s AND %s", *condition, one);
    *condition = one;
    return one == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_affected_add_in(
    struct zsql_inquiry *inquiry, const char *x, const char *values, const char **condition)
{
    return x == NULL ? ZS_NOMEM
                     : add(inquiry,
                           zsql_text_format(inquiry->planner->arena, "(%s) IN (%s)", x, values),
                           condition);
}

/* X is not NULL where it is compared, which lets SQLite look it up on the right of a left join
** too. */
int zsql_affected_add_present(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    struct zsql_expr *x, const char **condition)
{
    const char *present;
    int rc = zsql_present_read(inquiry->planner, core, x, &present);

    return rc != ZS_OK || present == NULL ? rc : add(inquiry, present, condition);
}

/* "X >= (the least of values)" */
static int add_range(struct zsql_inquiry *inquiry, const struct zsql_comparison *comparison,
    const char *x, const char *values, const char **condition)
{
    static const char *const signs[] = {"<", "<=", ">", ">="};
    bool is_below = comparison->op == ZSQL_OP_LESS || comparison->op == ZSQL_OP_LESS_EQUAL;

    return x == NULL
               ? ZS_NOMEM
               : add(inquiry,
                     zsql_text_format(inquiry->planner->arena,
                         "(%s) %s (WITH lockstep_values(y) AS (%s) SELECT y FROM"
                         " lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"%s\"%s"
                         " LIMIT 1)",
                         x, signs[comparison->op - ZSQL_OP_LESS], values,
                         zsql_comparison_collation(comparison), is_below ? " DESC" : ""),
                     condition);
}

bool zsql_comparison_is_of_use(const struct zsql_comparison *comparison)
{
    return comparison->op == ZSQL_OP_EQUAL || is_ordered(comparison);
}

int zsql_affected_add(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    const struct zsql_comparison *comparison, const char *values, const char **condition)
{
    const char *x =
        zsql_affected_collated(inquiry, comparison->x, zsql_comparison_collation(comparison));
    int rc = core == NULL ? ZS_OK
                          : zsql_affected_add_present(inquiry, core, comparison->x, condition);

    if (rc != ZS_OK)
        return rc;
    return comparison->op == ZSQL_OP_EQUAL
               ? zsql_affected_add_in(inquiry, x, values, condition)
               : add_range(inquiry, comparison, x, values, condition);
}
