/* What a change of a scalar subquery can touch that names nothing outside, as in
**
**   day = (SELECT max(day) FROM t)        x > 2 * (SELECT avg(x) FROM t)
**
** The side Y that it stands in has one value now and had one in the past, the same for all
** rows. X op Y gives another result only where X is one of both, or, of < and its like, stands
** between them:
**
**   X IN (now, past)        (X >= now AND X <= past) OR (X >= past AND X <= now)
**
** each compared as X op Y is. Where one of both is NULL any row may be touched, but for X = Y
** where NULL is as good as false. */
#include "sql/affected_private.h"

#include "sql/never_null.h"
#include "sql/template.h"

/* Is it Y: the subquery, and what else has one value for all rows? */
struct constant {
    const struct zsql_expr *subquery;
    bool is_found;
    bool is_constant;
};

static bool is_correlated(const struct zsql_select *select)
{
    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];

        if (core->is_values || core->bound->is_correlated)
            return true;
    }
    return false;
}

static int visit_constant(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct constant *constant = ctx;

    (void)descend;
    constant->is_found = constant->is_found || expr == constant->subquery;
    if (expr->binding == ZSQL_COLUMN || expr->binding == ZSQL_OUTPUT ||
        expr->kind == ZSQL_IN_TABLE || expr->kind == ZSQL_ROW ||
        (expr->call != NULL && expr->call->is_aggregate) ||
        (expr->select != NULL && is_correlated(expr->select)))
        constant->is_constant = false;
    return ZS_OK;
}

static struct constant look_at(const struct zsql_expr *subquery, struct zsql_expr *expr)
{
    struct constant constant = {subquery, false, true};

    constant.is_constant =
        zsql_expr_walk(expr, visit_constant, &constant) == ZS_OK && constant.is_constant;
    return constant;
}

/* Reads a term as X op Y. */
static bool read_term(const struct zsql_expr *subquery, const struct zsql_expr *term,
    struct zsql_comparison *comparison)
{
    static const enum zsql_op of_between[] = {
        ZSQL_OP_EQUAL, ZSQL_OP_GREATER_EQUAL, ZSQL_OP_LESS_EQUAL};
    bool is_between = term->kind == ZSQL_BETWEEN;

    if (!is_between && (term->kind != ZSQL_BINARY || term->op < ZSQL_OP_EQUAL ||
                           term->op > ZSQL_OP_GREATER_EQUAL))
        return false;
    for (size_t i = is_between ? 1 : 0; i < term->operands.n; i++) {
        struct zsql_expr *y = term->operands.items[i], *x = term->operands.items[i == 0];
        struct constant constant = look_at(subquery, y);

        if (!constant.is_found)
            continue;
        *comparison =
            (struct zsql_comparison){x, y, is_between ? of_between[i] : term->op, i > 0};
        return constant.is_constant && x->kind != ZSQL_ROW;
    }
    return false;
}

struct search {
    const struct zsql_expr *subquery;
    const struct zsql_expr *term; /* NULL: none yet */
    struct zsql_comparison *comparison;
};

static int visit_term(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct search *search = ctx;

    (void)descend;
    if (search->term == NULL && read_term(search->subquery, expr, search->comparison))
        search->term = expr;
    return ZS_OK;
}

int zsql_scalar_compared(const struct zsql_bound *subquery, const struct zsql_expr **term,
    struct zsql_comparison *comparison)
{
    struct search search = {subquery->place.expr, NULL, comparison};
    int rc = ZS_OK;

    if (!is_correlated(subquery->select))
        rc = zsql_core_walk(subquery->place.around, visit_term, &search);
    *term = search.term;
    return rc;
}

/* X, as it compares: of groups an aggregate is a column, which has some affinity. */
static const char *write_x(struct zsql_inquiry *inquiry, const struct zsql_core *around,
    const struct zsql_comparison *comparison)
{
    const struct zsql_planner *planner = inquiry->planner;
    const char *x =
        zsql_affected_collated(inquiry, comparison->x, zsql_comparison_collation(comparison));

    return x == NULL || !planner->is_over_groups || around->bound != planner->bound ||
                   zsql_traits_of(comparison->x).has_affinity
               ? x
               : zsql_text_format(planner->arena, "+%s", x);
}

/* X, the values of Y now and in the past, and a SELECT of both; NULL without memory. */
struct values {
    const char *x, *now, *past, *both;
};

static struct values write_values(struct zsql_inquiry *inquiry, const struct zsql_core *around,
    const struct zsql_comparison *comparison)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *y = zsql_affected_write(inquiry, comparison->y);
    struct values values = {write_x(inquiry, around, comparison), NULL, NULL, NULL};

    if (y == NULL || values.x == NULL)
        return values;
    values.now = zsql_template_set(arena, y, inquiry->number, ZSQL_NOW);
    values.past = zsql_template_set(arena, y, inquiry->number, ZSQL_PAST);
    if (values.now != NULL && values.past != NULL)
        values.both =
            zsql_text_format(arena, "SELECT %s UNION ALL SELECT %s", values.now, values.past);
    return values;
}

/* X = Y, where NULL is as good as false. */
static int write_equal(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_items items, const struct zsql_comparison *comparison, const char **condition)
{
    struct values values = write_values(inquiry, around, comparison);
    int rc = values.both == NULL ? ZS_NOMEM : ZS_OK;

    if (rc == ZS_OK && items.first == 0)
        rc = zsql_affected_add_present(inquiry, around, comparison->x, condition);
    return rc == ZS_OK ? zsql_affected_add_in(inquiry, values.x, values.both, condition) : rc;
}

/* The same for any comparison: or any X where a value is NULL. */
static int write_touched(struct zsql_inquiry *inquiry, struct zsql_core *around,
    struct zsql_items items, const struct zsql_comparison *comparison, const char **one)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    struct values values = write_values(inquiry, around, comparison);
    const char *any = NULL;
    int rc = values.both == NULL
                 ? ZS_NOMEM
                 : zsql_affected_any(inquiry, around, items, comparison->x, values.both, &any);

    if (rc != ZS_OK)
        return rc;
    *one =
        comparison->op >= ZSQL_OP_LESS
            ? zsql_text_format(arena,
                  "((%s) >= %s AND (%s) <= %s OR (%s) >= %s AND (%s) <= %s OR (%s) IN (%s))",
                  values.x, values.now, values.x, values.past, values.x, values.past, values.x,
                  values.now, values.x, any)
            : zsql_text_format(arena, "(%s) IN (%s UNION ALL %s)", values.x, any, values.both);
    if (comparison->op == ZSQL_OP_IS && !zsql_is_never_null(around, comparison->x))
        *one = zsql_text_format(arena, "(%s OR (%s) IS NULL)", *one, values.x);
    return *one == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_affected_by_scalar(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, struct zsql_items items, const char **condition)
{
    const struct zsql_expr *term;
    struct zsql_comparison comparison;
    struct zsql_reach x;
    int rc = zsql_scalar_compared(inner, &term, &comparison);

    if (rc != ZS_OK || term == NULL)
        return rc;
    x = zsql_reach_of(around->bound, comparison.x);
    if (!zsql_affected_is_readable(inquiry, &x, items))
        return ZS_OK;
    return comparison.op == ZSQL_OP_EQUAL && !term->is_negated && zsql_hides_null(around, term)
               ? write_equal(inquiry, around, items, &comparison, condition)
               : write_touched(inquiry, around, items, &comparison, condition);
}
