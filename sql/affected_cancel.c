/* Changes that make no difference to a subquery, as an update does to a rank where the row is
** above before and after. What a subquery gives depends on what it reads of the rows that its
** WHERE lets through: the changed ones of these must not cancel each other,
**
**   EXISTS (SELECT 1 FROM changed WHERE w GROUP BY what is read HAVING sum(sign) <> 0)
**
** This is looked at for each row that a range leaves, and far cheaper than the subquery. */
#include "sql/affected_private.h"

#include "sql/template.h"

struct reading {
    const struct zsql_inquiry *inquiry;
    const struct zsql_bound *inner;
    const struct zsql_core *around;
    struct zsql_list columns; /* of struct zsql_expr: those of the occurrence, each once */
    bool is_known;
};

static int visit_column(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct reading *reading = ctx;

    (void)descend;
    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_column, ctx);
    if (expr->select != NULL || expr->kind == ZSQL_IN_TABLE)
        reading->is_known = false;
    if (expr->binding != ZSQL_COLUMN || expr->scope != reading->inner)
        return ZS_OK;
    for (size_t i = 0; i < reading->columns.n; i++)
        if (zsql_bound_equal(reading->columns.items[i], expr))
            return ZS_OK;
    return zsql_list_append(reading->inquiry->planner->arena, &reading->columns, expr);
}

/* What is read of the rows behind WHERE. Of EXISTS that is nothing. */
static int read_columns(struct reading *reading)
{
    const struct zsql_bound *inner = reading->inner;
    const struct zsql_select *select = inner->select;
    int rc = ZS_OK;

    if (inner->place.expr->kind == ZSQL_EXISTS && !inner->is_aggregate && select->limit == NULL)
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < inner->outputs.n; i++) {
        const struct zsql_output *output = inner->outputs.items[i];
        rc = zsql_expr_walk(output->expr, visit_column, reading);
    }
    for (size_t i = 0; rc == ZS_OK && i < select->order.n; i++) {
        const struct zsql_term *term = select->order.items[i];
        rc = zsql_expr_walk(term->expr, visit_column, reading);
    }
    for (size_t i = 0; rc == ZS_OK && i < inner->group_by.n; i++)
        rc = zsql_expr_walk(inner->group_by.items[i], visit_column, reading);
    return rc == ZS_OK ? zsql_expr_walk(inner->core->having, visit_column, reading) : rc;
}

/* Does WHERE read nothing but the subquery's own source and the core around? */
static int visit_where(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct reading *reading = ctx;

    (void)descend;
    if (expr->select != NULL || expr->kind == ZSQL_IN_TABLE || expr->binding == ZSQL_OUTPUT ||
        (expr->binding == ZSQL_COLUMN && expr->scope != reading->inner &&
            expr->scope != reading->around->bound))
        reading->is_known = false;
    return ZS_OK;
}

static bool has_the_shape(const struct reading *reading)
{
    const struct zsql_inquiry *inquiry = reading->inquiry;
    const struct zsql_core *core = reading->inner->core;

    return inquiry->occurrence->core == core && core->from.n == 1 &&
           inquiry->occurrence->from->kind == ZSQL_FROM_TABLE && core->where != NULL &&
           reading->inner->select->cores.n == 1 &&
           core->from.items[0] == inquiry->occurrence->from &&
           !(inquiry->planner->is_over_groups &&
               reading->around->bound == inquiry->planner->bound);
}

/* " GROUP BY typeof(a), a COLLATE BINARY, ..." to the letter; NULL without memory. */
static const char *write_groups(struct zsql_inquiry *inquiry, const struct zsql_list *columns)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    const char *text = " GROUP BY ";

    for (size_t i = 0; text != NULL && i < columns->n; i++) {
        const char *column = zsql_affected_write(inquiry, columns->items[i]);

        text = column == NULL ? NULL
                              : zsql_text_format(arena, "%s%stypeof(%s), (%s) COLLATE BINARY",
                                    text, i > 0 ? ", " : "", column, column);
    }
    return text;
}

static int write_condition(
    struct zsql_inquiry *inquiry, const struct reading *reading, const char **text)
{
    struct zsql_arena *arena = inquiry->planner->arena;
    struct zsql_core *core = reading->inner->core;
    const char *name = zsql_text_quoted(arena, inquiry->occurrence->source->name, '"');
    const char *from, *where, *groups = "";
    int rc = zsql_affected_write_from(inquiry, core, &from);

    if (rc == ZS_OK)
        rc = zsql_plan_write(inquiry->planner, core->where, &where);
    if (rc == ZS_OK && reading->columns.n > 0)
        groups = write_groups(inquiry, &reading->columns);
    if (rc != ZS_OK || name == NULL || groups == NULL)
        return ZS_NOMEM;
    *text =
        reading->columns.n > 0
            ? zsql_text_format(arena,
                  "EXISTS (SELECT 1 FROM %s WHERE (%s)%s HAVING sum(%s.lockstep_sign) <> 0)",
                  from, where, groups, name)
            : zsql_text_format(arena, "(SELECT sum(%s.lockstep_sign) FROM %s WHERE (%s)) <> 0",
                  name, from, where);
    if (*text != NULL)
        *text = zsql_template_set(arena, *text, inquiry->number, ZSQL_BATCH);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_affected_not_cancelled(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, const char **condition)
{
    struct reading reading = {inquiry, inner, around, {NULL, 0, 0}, true};
    const char *text = NULL;
    int rc = ZS_OK;

    if (!has_the_shape(&reading))
        return ZS_OK;
    rc = zsql_expr_walk(inner->core->where, visit_where, &reading);
    if (rc == ZS_OK)
        rc = read_columns(&reading);
    if (rc != ZS_OK || !reading.is_known)
        return rc;
    rc = write_condition(inquiry, &reading, &text);
    if (rc == ZS_OK && *condition != NULL)
        text = zsql_text_format(inquiry->planner->arena, "%s AND %s", *condition, text);
    if (rc == ZS_OK)
        *condition = text;
    return rc == ZS_OK && *condition == NULL ? ZS_NOMEM : rc;
}
