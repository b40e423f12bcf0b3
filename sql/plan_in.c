/* X IN (SELECT y FROM ...) as EXISTS, where it is a term of a WHERE, the join's or that of a
** subquery: SQLite would make a list of all y for every statement, however small the change that
** the statement is about.
**
**   X IN (SELECT y FROM f WHERE w)      EXISTS (SELECT 1 FROM f WHERE (w) AND X = y)
**   X NOT IN (SELECT y FROM f WHERE w)  NOT EXISTS (... X = y) AND NOT EXISTS (... y IS NULL)
**                                       AND (X IS NOT NULL OR NOT EXISTS (SELECT 1 FROM f WHERE w))
**
** the last two only where X or y may be NULL. Both compare as X = y does. A term that is NULL is as
** good as one that is false. */
#include "sql/never_null.h"
#include "sql/planner.h"

#include <stdlib.h>

struct rewrite {
    const struct zsql_expr *expr;
    const char *text;
};

/* A column by its source's name: it is read within the subquery, whose names come first. */
static int qualify(void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_planner *planner = ctx;
    const struct zsql_source *source;
    const char *table, *column;

    (void)sight;
    if (expr->binding != ZSQL_COLUMN)
        return ZS_OK;
    source = zsql_bound_source(expr);
    table = zsql_text_quoted(planner->arena, source->name, '"');
    column = zsql_text_quoted(planner->arena, expr->name.text, '"');
    if (table != NULL && column != NULL)
        *text = zsql_text_format(planner->arena, "%s.%s", table, column);
    return *text != NULL ? ZS_OK : ZS_NOMEM;
}

struct name_search {
    const struct zsql_bound *outer, *inner;
    bool is_found;
};

/* Can a column of X not be named within the subquery? */
static int visit_name(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct name_search *search = ctx;
    const struct zsql_source *source;

    (void)descend;
    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_name, ctx);
    if (expr->select != NULL)
        search->is_found = true;
    if (expr->binding != ZSQL_COLUMN)
        return ZS_OK;
    source = zsql_bound_source(expr);
    if (expr->scope != search->outer || expr->is_merged || source->name == NULL)
        search->is_found = true;
    for (size_t i = 0; !search->is_found && i < search->inner->sources.n; i++) {
        const struct zsql_source *inner = search->inner->sources.items[i];
        search->is_found = inner->name == NULL || zsql_same_name(inner->name, source->name);
    }
    return ZS_OK;
}

static bool can_be_rewritten(const struct zsql_bound *around, struct zsql_expr *expr)
{
    struct name_search search = {around, NULL, false};
    const struct zsql_core *core;
    struct zsql_expr *left;

    if (expr->select->cores.n > 1 || expr->select->limit != NULL)
        return false;
    left = expr->operands.items[0];
    if (expr->is_negated && left->kind == ZSQL_ROW)
        return false;
    core = expr->select->cores.items[0];
    if (core->is_values || core->bound->is_aggregate || core->from.n == 0)
        return false;
    search.inner = core->bound;
    return zsql_expr_walk(left, visit_name, &search) == ZS_OK && !search.is_found;
}

/* "SELECT 1 FROM f WHERE w" */
static const char *write_inner(struct zsql_planner *planner,
    const struct zsql_list *occurrences, const struct zsql_core *core)
{
    const char *where = "1", *text = NULL;
    struct zs_buffer out;
    int rc;

    zs_buffer_init(&out, zsql_arena_table(planner->arena));
    rc = zsql_text_append_piece(&out, "SELECT 1 FROM", true);
    if (rc == ZS_OK)
        rc = zsql_plan_append_from(planner, occurrences, core, &out);
    if (rc == ZS_OK && core->where != NULL) /* without the result columns that it may name */
        rc = zsql_plan_write(planner, core->where, &where);
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&out, "WHERE (", true);
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&out, where, false);
    if (rc == ZS_OK)
        rc = zsql_text_append_piece(&out, ")", false);
    if (rc == ZS_OK)
        text = zsql_arena_copy(planner->arena, (const char *)out.data, out.len);
    zs_buffer_clear(&out);
    return text;
}

int zsql_plan_write_qualified(
    struct zsql_planner *planner, struct zsql_expr *expr, const char **text)
{
    return zsql_text_write(
        planner->arena, planner->text, &planner->edits, expr, qualify, planner, text);
}

/* The texts of one column of X and of y. */
static int write_pair(struct zsql_planner *planner, struct zsql_expr *x,
    const struct zsql_output *output, const char **left, const char **right)
{
    const struct zsql_expr *y = output->expr;
    struct zsql_traits traits = zsql_traits_of(x);
    int rc = zsql_plan_write_qualified(planner, x, left);

    /* Only text would take its affinity to y, and without a sign before it y can be looked up. */
    if (y->binding == ZSQL_COLUMN && zsql_bound_source(y)->from->is_made_alone &&
        zsql_traits_class(&traits) != ZSQL_AS_TEXT)
        return rc == ZS_OK ? zsql_plan_write_qualified(planner, output->expr, right) : rc;
    return rc == ZS_OK ? zsql_plan_write(planner, output->expr, right) : rc;
}

/* NULL without memory. */
static const char *rewrite_in(struct zsql_planner *planner, const struct zsql_list *occurrences,
    const struct zsql_expr *expr)
{
    const struct zsql_core *core = expr->select->cores.items[0];
    const struct zsql_list *outputs = &core->bound->outputs;
    struct zsql_expr *left = expr->operands.items[0];
    bool is_row = left->kind == ZSQL_ROW;
    const char *inner = write_inner(planner, occurrences, core);
    const char *text = inner == NULL ? NULL
                                     : zsql_text_format(planner->arena, "%sEXISTS (%s",
                                           expr->is_negated ? "NOT " : "", inner);

    for (size_t i = 0; text != NULL && i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        const char *x, *y;

        if (write_pair(planner, is_row ? left->operands.items[i] : left, output, &x, &y) !=
            ZS_OK)
            return NULL;
        text = zsql_text_format(planner->arena, "%s AND (%s) = (%s)", text, x, y);
        if (text == NULL || !expr->is_negated)
            continue;
        if (!zsql_is_never_null(core, output->expr))
            text = zsql_text_format(
                planner->arena, "%s) AND NOT EXISTS (%s AND (%s) IS NULL", text, inner, y);
        if (text != NULL && !zsql_is_never_null(core->bound->place.around, left))
            text = zsql_text_format(
                planner->arena, "%s) AND ((%s) IS NOT NULL OR NOT EXISTS (%s)", text, x, inner);
    }
    if (text == NULL)
        return NULL;
    return zsql_text_format(planner->arena, expr->is_negated ? "(%s))" : "%s)", text);
}

/* Is it one of the terms of a condition that are joined by AND? */
static bool is_term_of(const struct zsql_expr *condition, const struct zsql_expr *expr)
{
    if (condition == NULL || condition == expr)
        return condition == expr;
    return condition->kind == ZSQL_BINARY && condition->op == ZSQL_OP_AND &&
           (is_term_of(condition->operands.items[0], expr) ||
               is_term_of(condition->operands.items[1], expr));
}

/* What is within another before it. */
static int shorter_first(const void *a, const void *b)
{
    const struct zsql_expr *const *left = a, *const *right = b;
    uint32_t n = (*left)->span.end - (*left)->span.start;
    uint32_t of_right = (*right)->span.end - (*right)->span.start;

    return (n > of_right) - (n < of_right);
}

/* The terms that read an occurrence. */
static int find_terms(const struct zsql_planner *planner,
    const struct zsql_occurrence *occurrence, struct zsql_list *terms)
{
    const struct zsql_bound *bound = occurrence->core->bound;
    int rc = ZS_OK;

    while (rc == ZS_OK && bound != planner->bound) {
        const struct zsql_bound *around = bound->place.around->bound;
        struct zsql_expr *expr = bound->place.expr;

        if (expr != NULL && expr->kind == ZSQL_IN_SELECT &&
            is_term_of(around->core->where, expr) && can_be_rewritten(around, expr))
            rc = zsql_list_append(planner->arena, terms, expr);
        bound = around;
    }
    return rc;
}

/* A term of a subquery's WHERE is written with the text around it, and so is an edit of that. */
static int rewrite_term(
    struct zsql_planner *planner, const struct zsql_list *occurrences, struct zsql_expr *expr)
{
    struct rewrite *rewrite = zsql_arena_get(planner->arena, sizeof(*rewrite));
    const char *text;
    int rc;

    if (zsql_plan_rewritten(planner, expr) != NULL)
        return ZS_OK;
    text = rewrite_in(planner, occurrences, expr);
    if (text == NULL || rewrite == NULL)
        return ZS_NOMEM;
    *rewrite = (struct rewrite){expr, text};
    rc = zsql_list_append(planner->arena, &planner->rewrites, rewrite);
    if (rc == ZS_OK && !is_term_of(planner->bound->core->where, expr))
        rc = zsql_edits_add(planner->arena, &planner->edits, expr->span, text);
    zsql_edits_sort(&planner->edits);
    return rc;
}

int zsql_plan_rewrite_in(struct zsql_planner *planner, const struct zsql_list *occurrences)
{
    struct zsql_list terms = {0};
    int rc = ZS_OK;

    planner->rewrites = (struct zsql_list){NULL, 0, 0};
    for (size_t i = 0; rc == ZS_OK && i < occurrences->n; i++)
        rc = find_terms(planner, occurrences->items[i], &terms);
    if (terms.n > 0)
        qsort(terms.items, terms.n, sizeof(*terms.items), shorter_first);
    for (size_t i = 0; rc == ZS_OK && i < terms.n; i++)
        rc = rewrite_term(planner, occurrences, terms.items[i]);
    return rc;
}

const char *zsql_plan_rewritten(
    const struct zsql_planner *planner, const struct zsql_expr *expr)
{
    for (size_t i = 0; i < planner->rewrites.n; i++) {
        const struct rewrite *rewrite = planner->rewrites.items[i];
        if (rewrite->expr == expr)
            return rewrite->text;
    }
    return NULL;
}
