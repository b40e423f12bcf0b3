/* Whose affinity the column of a compound has, read as a subquery's, and so whether integers are
** read as reals, is another question for each version of SQLite: up to 3.40 that of the first
** core, later it depends on the kinds of values that all may give. So SQLite is asked: what is 1
** in a column of such a compound equal to, and is it real? The cores asked about are empty; they
** have constants in place of the expressions, of the same affinity and kind. */
#include <string.h>

#include "sql/binder.h"
#include "sql/explicit.h"
#include "sql/text.h"
#include "sql/traits.h"

static const char *stand_for(struct zsql_arena *arena, struct zsql_expr *expr);

/* Core after core, empty, each with a mark of 0 beside the column. */
static const char *append_core(
    struct zsql_arena *arena, const char *before, const char *expression)
{
    if (before == NULL || expression == NULL)
        return NULL;
    return *before == '\0'
               ? zsql_text_format(arena, "SELECT %s AS c, 0 AS m WHERE 0", expression)
               : zsql_text_format(arena, "%s UNION SELECT %s, 0 WHERE 0", before, expression);
}

static struct zsql_expr *value_of_row(const struct zsql_expr *row, size_t i)
{
    return row->kind == ZSQL_ROW ? row->operands.items[i] : (struct zsql_expr *)row;
}

static const char *stand_for_rows(
    struct zsql_arena *arena, const struct zsql_list *rows, size_t i, const char *text)
{
    const char *last = NULL;

    for (size_t j = 0; text != NULL && j < rows->n; j++) {
        const char *value = stand_for(arena, value_of_row(rows->items[j], i));

        if (last == NULL || value == NULL || strcmp(value, last) != 0)
            text = append_core(arena, text, value);
        last = value;
    }
    return text;
}

static const char *stand_for_cores(
    struct zsql_arena *arena, const struct zsql_select *select, size_t i)
{
    const char *text = "";

    for (size_t j = 0; text != NULL && j < select->cores.n; j++) {
        const struct zsql_core *core = select->cores.items[j];
        const struct zsql_output *output =
            core->is_values ? NULL : core->bound->outputs.items[i];

        text = output == NULL ? stand_for_rows(arena, &core->rows, i, text)
                              : append_core(arena, text, stand_for(arena, output->expr));
    }
    return text;
}

/* The type of a CAST, or a column's, in words that need no quotes. */
static const char *type_of(const struct zsql_traits *traits)
{
    const char *name = zsql_affinity_name(traits->type);

    return *name == '\0' ? "BLOB" : name;
}

/* Of all that a column can be, without an affinity. */
static const char *stand_for_any(
    struct zsql_arena *arena, const struct zsql_list *rows, size_t i)
{
    const char *text = "CASE";

    for (size_t j = 0; text != NULL && j < rows->n; j++) {
        const char *value = stand_for(arena, value_of_row(rows->items[j], i));

        text = value == NULL ? NULL : zsql_text_format(arena, "%s WHEN 1 THEN %s", text, value);
    }
    return text == NULL ? NULL : zsql_text_format(arena, "%s END", text);
}

/* Of what a subquery gives, its own cores have been asked about before. */
static const char *stand_for_column(struct zsql_arena *arena, struct zsql_expr *expr)
{
    const struct zsql_source *source = zsql_bound_source(expr);
    struct zsql_traits traits = zsql_traits_of(expr);

    if (zsql_is_spelled_values(source))
        return stand_for_any(arena,
            &((const struct zsql_core *)source->from->select->cores.items[0])->rows,
            (size_t)expr->column);
    if (!traits.has_affinity)
        return "(SELECT c FROM (SELECT 1 AS c))";
    return zsql_text_format(
        arena, "(SELECT c FROM (SELECT CAST(NULL AS %s) AS c))", type_of(&traits));
}

static const char *stand_for_case(struct zsql_arena *arena, const struct zsql_expr *expr)
{
    size_t n = expr->operands.n - expr->has_else;
    const char *text = "CASE";

    for (size_t i = expr->has_base + 1; text != NULL && i < n; i += 2) {
        const char *value = stand_for(arena, expr->operands.items[i]);

        text = value == NULL ? NULL : zsql_text_format(arena, "%s WHEN 1 THEN %s", text, value);
    }
    if (text != NULL && expr->has_else) {
        const char *value = stand_for(arena, expr->operands.items[expr->operands.n - 1]);

        text = value == NULL ? NULL : zsql_text_format(arena, "%s ELSE %s", text, value);
    }
    return text == NULL ? NULL : zsql_text_format(arena, "%s END", text);
}

static const char *stand_for_value(struct zsql_arena *arena, const struct zsql_select *select)
{
    struct zsql_traits traits = zsql_traits_of_value(select, 0);

    return traits.has_affinity
               ? zsql_text_format(arena, "(SELECT CAST(NULL AS %s))", type_of(&traits))
               : "(SELECT 1)";
}

/* A constant of the affinity, and of the kind, that SQLite finds in an expression. */
static const char *stand_for(struct zsql_arena *arena, struct zsql_expr *expr)
{
    const char *value;

    expr = zsql_bound_target(expr);
    while (expr->kind == ZSQL_COLLATE)
        expr = zsql_bound_target(expr->operands.items[0]);
    if (expr->binding == ZSQL_COLUMN && !expr->is_merged)
        return stand_for_column(arena, expr);
    switch (expr->kind) {
    case ZSQL_NULL_LITERAL:
        return "NULL";
    case ZSQL_STRING:
        return "''";
    case ZSQL_BLOB:
        return "x''";
    case ZSQL_SUBQUERY:
        return stand_for_value(arena, expr->select);
    case ZSQL_CASE:
        return stand_for_case(arena, expr);
    case ZSQL_CAST:
        return zsql_text_format(arena, "CAST(NULL AS %s)",
            type_of(&(struct zsql_traits){.type = zsql_cast_type(expr->name.text)}));
    case ZSQL_UNARY:
        if (expr->op != ZSQL_OP_PLUS)
            return "1";
        value = stand_for(arena, expr->operands.items[0]);
        return value == NULL ? NULL : zsql_text_format(arena, "+%s", value);
    case ZSQL_BINARY:
        if (expr->op == ZSQL_OP_ARROW || expr->op == ZSQL_OP_DOUBLE_ARROW)
            return "abs(1)";
        return expr->op == ZSQL_OP_CONCAT ? "(''||'')" : "1";
    case ZSQL_CALL:
    case ZSQL_LIKE:
    case ZSQL_NAME: /* of several columns, by USING */
    case ZSQL_CURRENT:
        return "abs(1)";
    default:
        return "1";
    }
}

static bool is_same(const char *type, const char *other)
{
    return strcmp(zsql_affinity_name(type), zsql_affinity_name(other)) == 0;
}

/* Do all cores give values of the same affinity, and none others? */
static bool agree(const struct zsql_select *select, size_t i)
{
    struct zsql_traits first = zsql_traits_of_core(select, 0, i);

    for (size_t j = 0; j < select->cores.n; j++) {
        struct zsql_traits own = zsql_traits_of_core(select, j, i);

        if (own.has_affinity != first.has_affinity || !is_same(own.type, first.type) ||
            !is_same(own.type, own.kept_type))
            return false;
    }
    return true;
}

static int ask(struct zsql_binder *binder, const struct zsql_select *select, size_t i,
    struct zsql_compound_column *column)
{
    const char *cores = stand_for_cores(binder->arena, select, i), *text = NULL;
    int is[4] = {0};
    int rc;

    if (cores != NULL)
        text = zsql_text_format(binder->arena,
            "SELECT n.c = '1.0', typeof(n.c) = 'real', n.c = CAST('1' AS TEXT), s.c = 1"
            " FROM (%s UNION SELECT 1, 1) n, (%s UNION SELECT '1', 1) s WHERE n.m AND s.m",
            cores, cores);
    if (text == NULL)
        return ZS_NOMEM;
    rc = binder->catalogue->ask(binder->catalogue->ctx, text, is, 4);
    column->makes_reals = is[1] != 0;
    column->has_affinity = is[0] || is[3] || !is[2];
    column->type = is[1] ? "REAL" : is[0] ? "NUMERIC" : is[3] ? "TEXT" : "";
    return rc;
}

/* As many as all cores have. */
static size_t count_columns(const struct zsql_select *select)
{
    size_t n = SIZE_MAX;

    for (size_t i = 0; i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];
        const struct zsql_expr *row = core->is_values ? core->rows.items[0] : NULL;
        size_t n_own = row == NULL             ? core->bound->outputs.n
                       : row->kind == ZSQL_ROW ? row->operands.n
                                               : 1;

        n = n_own < n ? n_own : n;
    }
    return n;
}

int zsql_bind_compound(struct zsql_binder *binder, struct zsql_select *select)
{
    size_t n = count_columns(select);
    struct zsql_compound_column *columns =
        zsql_arena_get(binder->arena, (n + 1) * sizeof(*columns));
    int rc = columns == NULL ? ZS_NOMEM : ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        struct zsql_traits traits = zsql_traits_of_column(select, i);

        columns[i] = (struct zsql_compound_column){traits.type, traits.has_affinity, false};
        if (!agree(select, i))
            rc = ask(binder, select, i, &columns[i]);
    }
    if (rc != ZS_OK)
        return rc;
    select->columns = columns;
    select->n_columns = n;
    return ZS_OK;
}

/* Text such as '05', which as a number is 5. */
static bool may_be_digits(struct zsql_expr *expr)
{
    expr = zsql_bound_target(expr);
    switch (expr->kind) {
    case ZSQL_NULL_LITERAL:
    case ZSQL_NUMBER:
    case ZSQL_INTEGER:
    case ZSQL_LIKE:
    case ZSQL_BETWEEN:
    case ZSQL_IN_LIST:
    case ZSQL_IN_SELECT:
    case ZSQL_IN_TABLE:
    case ZSQL_EXISTS:
        return false;
    case ZSQL_UNARY:
        return expr->op == ZSQL_OP_PLUS && may_be_digits(expr->operands.items[0]);
    case ZSQL_BINARY:
        return expr->op == ZSQL_OP_CONCAT || expr->op == ZSQL_OP_ARROW ||
               expr->op == ZSQL_OP_DOUBLE_ARROW;
    case ZSQL_COLLATE:
        return may_be_digits(expr->operands.items[0]);
    default:
        return !zsql_type_is_numeric(zsql_traits_of(expr).type);
    }
}

static bool have_digits(const struct zsql_select *select, size_t i)
{
    for (size_t j = 0; j < select->cores.n; j++) {
        const struct zsql_core *core = select->cores.items[j];

        if (core->is_values ||
            may_be_digits(((const struct zsql_output *)core->bound->outputs.items[i])->expr))
            return true;
    }
    return false;
}

static void look_for_digits(const struct zsql_select *select, bool *found)
{
    for (size_t i = 0; i < select->n_columns; i++)
        if (zsql_type_is_numeric(zsql_traits_of_column(select, i).type) ||
            zsql_type_is_numeric(zsql_traits_of_value(select, i).type))
            *found = *found || have_digits(select, i);
}

static int visit_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    if (expr->select != NULL)
        look_for_digits(expr->select, ctx);
    return ZS_OK;
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    if (from->kind == ZSQL_FROM_SELECT)
        look_for_digits(from->select, ctx);
    return ZS_OK;
}

int zsql_find_digits(struct zsql_select *select, bool *found)
{
    int rc = zsql_select_walk(select, visit_expr, found);

    return rc == ZS_OK ? zsql_select_walk_from(select, visit_from, found) : rc;
}
