/* X IN (SELECT y FROM ...) as EXISTS: SQLite would make a list of all y for every statement,
** however small the change that the statement is about. As a condition, or a term of one under
** AND and OR, where NULL is as good as false,
**
**   X IN (SELECT y FROM f WHERE w)      EXISTS (SELECT 1 FROM f WHERE (w) AND X = y)
**   X NOT IN (SELECT y FROM f WHERE w)  NOT EXISTS (... X = y) AND NOT EXISTS (... y IS NULL)
**                                       AND (X IS NOT NULL OR NOT EXISTS (SELECT 1 FROM f WHERE w))
**
** the last two only where X or y may be NULL. Both compare as X = y does. Elsewhere IN is a
** value, and NOT IN the opposite of it:
**
**   CASE WHEN EXISTS (... X = y) THEN 1
**   WHEN X IS NULL AND EXISTS (SELECT 1 FROM f WHERE w) THEN NULL
**   WHEN EXISTS (... y IS NULL) THEN NULL ELSE 0 END
**
** Rows are equal if all their columns are; (a, b) IN is NULL if none is, and the columns of one
** are each equal or NULL:
**
**   WHEN a IS NULL AND EXISTS (... (b = z) IS NOT FALSE) THEN NULL
**   WHEN EXISTS (... y IS NULL AND (b = z) IS NOT FALSE) THEN NULL
**   WHEN b IS NULL AND EXISTS (... a = y) THEN NULL
**   WHEN EXISTS (... a = y AND z IS NULL) THEN NULL */
#include "sql/never_null.h"
#include "sql/planner.h"

#include <stdlib.h>
#include <string.h>

/* A subquery whose text is longer is not written several times: of such within such the text
** would grow without end. Then SQLite makes the list. */
enum { MOST_COPIED = 4096 };

/* What groups are called: see plan_made.c. */
#define GROUPS_NAME "lockstep_made"

struct rewrite {
    const struct zsql_expr *expr;
    const char *text;
};

/* Is it a core of which the groups are read? */
static bool is_over_groups(const struct zsql_planner *planner, const struct zsql_bound *bound)
{
    return planner->is_over_groups && bound == planner->bound;
}

/* A column by its source's name: it is read within the subquery, whose names come first. */
static int qualify(void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text)
{
    struct zsql_planner *planner = ctx;
    const struct zsql_source *source;
    const char *table, *column;

    (void)sight;
    if (expr->binding != ZSQL_COLUMN)
        return ZS_OK;
    if (is_over_groups(planner, expr->scope)) {
        int rc = zsql_plan_group_value(planner, expr, ZSQL_UNSEEN, &column);
        if (rc == ZS_OK)
            *text = zsql_text_format(planner->arena, GROUPS_NAME ".%s", column);
        return rc != ZS_OK || *text != NULL ? rc : ZS_NOMEM;
    }
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

/* Where an expression of a core stands. */

static bool is_under(
    const struct zsql_expr *condition, const struct zsql_expr *expr, bool is_or_too)
{
    if (condition == NULL || condition == expr)
        return condition == expr;
    return condition->kind == ZSQL_BINARY &&
           (condition->op == ZSQL_OP_AND || (is_or_too && condition->op == ZSQL_OP_OR)) &&
           (is_under(condition->operands.items[0], expr, is_or_too) ||
               is_under(condition->operands.items[1], expr, is_or_too));
}

static bool is_condition_of(
    const struct zsql_list *members, const struct zsql_expr *expr, bool is_or_too)
{
    for (size_t i = 0; i < members->n; i++) {
        const struct zsql_from *member = members->items[i];

        if (is_under(member->on, expr, is_or_too) ||
            is_condition_of(&member->items, expr, is_or_too))
            return true;
    }
    return false;
}

bool zsql_hides_null(const struct zsql_core *core, const struct zsql_expr *expr)
{
    return is_under(core->where, expr, true) || is_under(core->having, expr, true) ||
           is_condition_of(&core->from, expr, true);
}

/* Is it read as EXISTS, rather than as a value? */
static bool is_condition(const struct zsql_expr *expr)
{
    const struct zsql_core *core = expr->select->cores.items[0];
    const struct zsql_expr *left = expr->operands.items[0];

    return zsql_hides_null(core->bound->place.around, expr) &&
           !(expr->is_negated && left->kind == ZSQL_ROW);
}

/* Of rows that are not equal SQLite forgets, where a NULL is among them, to compare as numbers
** what is one on one side only. */
static bool are_alike(struct zsql_expr *left, const struct zsql_core *core)
{
    for (size_t i = 0; i < core->bound->outputs.n; i++) {
        const struct zsql_output *output = core->bound->outputs.items[i];
        struct zsql_traits of_x = zsql_traits_of(left->operands.items[i]);
        struct zsql_traits of_y = zsql_traits_of(output->expr);

        if (zsql_traits_class(&of_x) != zsql_traits_class(&of_y))
            return false;
    }
    return true;
}

/* Over groups: is X a column by which they are grouped, and can it be named in the subquery? */
static bool is_key(
    struct zsql_planner *planner, struct zsql_expr *left, const struct zsql_expr *expr)
{
    const struct zsql_core *core = expr->select->cores.items[0];

    for (size_t i = 0; i < core->bound->sources.n; i++) {
        const struct zsql_source *source = core->bound->sources.items[i];
        if (source->name == NULL || zsql_same_name(source->name, GROUPS_NAME))
            return false;
    }
    return zsql_bound_target(left)->binding == ZSQL_COLUMN &&
           zsql_plan_is_stored(planner, left);
}

static bool can_be_rewritten(
    struct zsql_planner *planner, const struct zsql_bound *around, struct zsql_expr *expr)
{
    struct name_search search = {around, NULL, false};
    const struct zsql_core *core;
    struct zsql_expr *left;

    if (expr->select->cores.n > 1 || expr->select->limit != NULL)
        return false;
    left = expr->operands.items[0];
    if (is_over_groups(planner, around) && !is_key(planner, left, expr))
        return false;
    core = expr->select->cores.items[0];
    if (core->is_values || core->bound->is_aggregate || core->from.n == 0 ||
        (left->kind == ZSQL_ROW && !is_condition(expr) && !are_alike(left, core)))
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

    /* Only text would take its affinity to y, and without a sign before it y can be looked
    ** up. */
    if (y->binding == ZSQL_COLUMN && zsql_bound_source(y)->from->is_made_alone &&
        zsql_traits_class(&traits) != ZSQL_AS_TEXT)
        return rc == ZS_OK ? zsql_plan_write_qualified(planner, output->expr, right) : rc;
    return rc == ZS_OK ? zsql_plan_write(planner, output->expr, right) : rc;
}

/* NULL without memory. */
static const char *rewrite_in(
    struct zsql_planner *planner, const char *inner, const struct zsql_expr *expr)
{
    const struct zsql_core *core = expr->select->cores.items[0];
    const struct zsql_list *outputs = &core->bound->outputs;
    struct zsql_expr *left = expr->operands.items[0];
    bool is_row = left->kind == ZSQL_ROW;
    const char *text =
        zsql_text_format(planner->arena, "%sEXISTS (%s", expr->is_negated ? "NOT " : "", inner);

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

/* What X IN (SELECT y ...) compares. */
struct pairs {
    struct zsql_planner *planner;
    const struct zsql_core *core;
    struct zsql_expr *left;
    const char *inner; /* "SELECT 1 FROM f WHERE w" */
    const char **x, **y;
    size_t n;
};

static struct zsql_expr *left_of(const struct pairs *pairs, size_t i)
{
    return pairs->left->kind == ZSQL_ROW ? pairs->left->operands.items[i] : pairs->left;
}

static int read_pairs(struct zsql_planner *planner, const char *inner,
    const struct zsql_expr *expr, struct pairs *pairs)
{
    const struct zsql_core *core = expr->select->cores.items[0];
    size_t n = core->bound->outputs.n;
    int rc = ZS_OK;

    *pairs = (struct pairs){planner, core, expr->operands.items[0], inner,
        zsql_arena_get(planner->arena, n * sizeof(*pairs->x)),
        zsql_arena_get(planner->arena, n * sizeof(*pairs->y)), n};
    if (zsql_arena_has_failed(planner->arena))
        return ZS_NOMEM;
    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = write_pair(planner, left_of(pairs, i), core->bound->outputs.items[i], &pairs->x[i],
            &pairs->y[i]);
    return rc;
}

/* "x = y AND ..." of all pairs before number i, each after " AND "; NULL without memory. */
static const char *write_equal(const struct pairs *pairs, size_t i)
{
    const char *text = "";

    for (size_t j = 0; text != NULL && j < i; j++)
        text = zsql_text_format(
            pairs->planner->arena, "%s AND (%s) = (%s)", text, pairs->x[j], pairs->y[j]);
    return text;
}

/* "WHEN ... THEN NULL" where pair i is the first that is NULL, and none behind it differs: as
** far as that can be. IS NOT FALSE would ask a column that is called false. */
static const char *write_null(const struct pairs *pairs, size_t i)
{
    struct zsql_arena *arena = pairs->planner->arena;
    const struct zsql_output *output = pairs->core->bound->outputs.items[i];
    const char *rest = write_equal(pairs, i), *text = "";

    for (size_t j = i + 1; rest != NULL && j < pairs->n; j++)
        rest = zsql_text_format(
            arena, "%s AND ((%s) = (%s)) IS NOT 0", rest, pairs->x[j], pairs->y[j]);
    if (rest != NULL &&
        !zsql_is_never_null(pairs->core->bound->place.around, left_of(pairs, i)))
        text = zsql_text_format(arena, " WHEN (%s) IS NULL AND EXISTS (%s%s) THEN NULL",
            pairs->x[i], pairs->inner, rest);
    if (rest != NULL && text != NULL && !zsql_is_never_null(pairs->core, output->expr))
        text = zsql_text_format(arena, "%s WHEN EXISTS (%s AND (%s) IS NULL%s) THEN NULL", text,
            pairs->inner, pairs->y[i], rest);
    return rest == NULL ? NULL : text;
}

/* NULL without memory. */
static const char *rewrite_value(
    struct zsql_planner *planner, const char *inner, const struct zsql_expr *expr)
{
    struct zsql_arena *arena = planner->arena;
    const char *text = NULL;
    struct pairs pairs;

    if (read_pairs(planner, inner, expr, &pairs) == ZS_OK)
        text = write_equal(&pairs, pairs.n);
    if (text != NULL)
        text = zsql_text_format(arena, "(%sCASE WHEN EXISTS (%s%s) THEN 1",
            expr->is_negated ? "NOT " : "", pairs.inner, text);
    for (size_t i = 0; text != NULL && i < pairs.n; i++) {
        const char *null = write_null(&pairs, i);
        text = null == NULL ? NULL : zsql_text_format(arena, "%s%s", text, null);
    }
    return text == NULL ? NULL : zsql_text_format(arena, "%s ELSE 0 END)", text);
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
static int find_terms(struct zsql_planner *planner, const struct zsql_occurrence *occurrence,
    struct zsql_list *terms)
{
    const struct zsql_bound *bound = occurrence->core->bound;
    int rc = ZS_OK;

    while (rc == ZS_OK && bound != planner->bound) {
        const struct zsql_bound *around = bound->place.around->bound;
        struct zsql_expr *expr = bound->place.expr;

        if (expr != NULL && expr->kind == ZSQL_IN_SELECT &&
            can_be_rewritten(planner, around, expr))
            rc = zsql_list_append(planner->arena, terms, expr);
        bound = around;
    }
    return rc;
}

/* What is in a subquery or in ON is written with the text around it, and so is an edit of
** that. */
static int rewrite_term(
    struct zsql_planner *planner, const struct zsql_list *occurrences, struct zsql_expr *expr)
{
    struct rewrite *rewrite = zsql_arena_get(planner->arena, sizeof(*rewrite));
    const char *inner, *text;
    int rc;

    if (zsql_plan_rewritten(planner, expr) != NULL)
        return ZS_OK;
    inner = write_inner(planner, occurrences, expr->select->cores.items[0]);
    if (inner == NULL)
        return ZS_NOMEM;
    if (strlen(inner) > MOST_COPIED && (expr->is_negated || !is_condition(expr)))
        return ZS_OK;
    text = is_condition(expr) ? rewrite_in(planner, inner, expr)
                              : rewrite_value(planner, inner, expr);
    if (text == NULL || rewrite == NULL)
        return ZS_NOMEM;
    *rewrite = (struct rewrite){expr, text};
    rc = zsql_list_append(planner->arena, &planner->rewrites, rewrite);
    if (rc == ZS_OK && !is_under(planner->bound->core->where, expr, false))
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

int zsql_plan_write_where(struct zsql_planner *planner, const char **text)
{
    struct zsql_list rewrites = planner->rewrites;
    struct zsql_expr *where = planner->bound->core->where;
    int rc = ZS_OK;

    planner->rewrites = (struct zsql_list){NULL, 0, 0};
    if (rewrites.n > 0 && where != NULL)
        rc = zsql_plan_write(planner, where, text);
    planner->rewrites = rewrites;
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
