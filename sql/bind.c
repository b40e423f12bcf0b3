/* Resolving names. The order of the tries is SQLite's: the columns of the sources, the rowid,
** then aliases where they may be seen, then "..." as a string, then TRUE and FALSE. */
#include "sql/bind.h"

#include <stdlib.h>
#include <string.h>

#include "sql/text.h"

struct binder {
    struct zsql_arena *arena;
    const struct zsql_catalogue *catalogue;
    const char *text;
    struct zsql_message *message;
    struct zsql_bound *bound;
    bool sees_aliases;
};

struct zsql_expr *zsql_bound_target(struct zsql_expr *expr)
{
    return expr->binding == ZSQL_OUTPUT ? expr->target : expr;
}

const struct zsql_column *zsql_bound_column(
    const struct zsql_bound *bound, const struct zsql_expr *expr)
{
    const struct zsql_source *source = bound->sources.items[expr->source];
    return expr->column < 0 ? NULL : &source->relation.columns[expr->column];
}

bool zsql_bound_is_rowid(const struct zsql_bound *bound, const struct zsql_expr *expr)
{
    const struct zsql_source *source = bound->sources.items[expr->source];
    return expr->column < 0 || expr->column == source->relation.rowid_column;
}

static bool is_rowid_name(const char *name)
{
    return zsql_same_name(name, "rowid") || zsql_same_name(name, "_rowid_") ||
           zsql_same_name(name, "oid");
}

/* Does a column's qualifier, if it has one, mean this source? */
static bool is_meant(const struct zsql_source *source, const struct zsql_expr *expr)
{
    if (expr->table.text == NULL)
        return true;
    if (!zsql_same_name(expr->table.text, source->name))
        return false;
    return expr->schema.text == NULL || source->relation.schema == NULL ||
           zsql_same_name(expr->schema.text, source->relation.schema);
}

static void bind_column(struct zsql_expr *expr, size_t source, int column)
{
    expr->binding = ZSQL_COLUMN;
    expr->source = (unsigned)source;
    expr->column = column;
}

static bool bind_to_column(const struct binder *binder, struct zsql_expr *expr)
{
    for (size_t i = 0; i < binder->bound->sources.n; i++) {
        const struct zsql_source *source = binder->bound->sources.items[i];
        for (size_t j = 0; is_meant(source, expr) && j < source->relation.n_columns; j++) {
            if (zsql_same_name(source->relation.columns[j].name, expr->name.text)) {
                bind_column(expr, i, (int)j);
                return true;
            }
        }
    }
    return false;
}

static bool bind_to_rowid(const struct binder *binder, struct zsql_expr *expr)
{
    if (!is_rowid_name(expr->name.text))
        return false;
    for (size_t i = 0; i < binder->bound->sources.n; i++) {
        const struct zsql_source *source = binder->bound->sources.items[i];
        if (is_meant(source, expr) && source->relation.has_rowid) {
            bind_column(expr, i, source->relation.rowid_column);
            return true;
        }
    }
    return false;
}

static bool bind_to_alias(const struct binder *binder, struct zsql_expr *expr)
{
    const struct zsql_list *outputs = &binder->bound->outputs;

    for (size_t i = 0; expr->table.text == NULL && i < outputs->n; i++) {
        const struct zsql_output *output = outputs->items[i];
        if (output->alias != NULL && zsql_same_name(output->alias, expr->name.text)) {
            expr->binding = ZSQL_OUTPUT;
            expr->target = output->expr;
            return true;
        }
    }
    return false;
}

static int bind_name(struct binder *binder, struct zsql_expr *expr)
{
    bool is_plain = expr->table.text == NULL;
    const char *name = expr->name.text;

    if (bind_to_column(binder, expr) || bind_to_rowid(binder, expr))
        return ZS_OK;
    if (binder->sees_aliases && bind_to_alias(binder, expr))
        return ZS_OK;
    if (is_plain && expr->name.quote == '"') {
        expr->binding = ZSQL_TEXT;
        return ZS_OK;
    }
    if (is_plain && expr->name.quote == 0 &&
        (zsql_same_name(name, "true") || zsql_same_name(name, "false"))) {
        expr->binding = ZSQL_BOOLEAN;
        return ZS_OK;
    }
    return zsql_refuse(binder->message, "no such column: %s", name);
}

/* Of the built-in min and max the number of arguments decides. */
static bool is_aggregate_call(const struct zsql_expr *expr)
{
    const struct zsql_call *call = expr->call;

    if (call->window != NULL)
        return false;
    if (call->function.is_builtin &&
        (zsql_same_name(expr->name.text, "min") || zsql_same_name(expr->name.text, "max")))
        return expr->operands.n == 1;
    return call->function.kind != ZSQL_SCALAR;
}

static int bind_call(struct binder *binder, struct zsql_expr *expr)
{
    bool is_found = false;
    int rc = binder->catalogue->function(binder->catalogue->ctx, expr->name.text,
        (int)expr->operands.n, &expr->call->function, &is_found);

    if (rc == ZS_OK && !is_found)
        rc = zsql_refuse(binder->message, "no such function: %s", expr->name.text);
    if (rc == ZS_OK)
        expr->call->is_aggregate = is_aggregate_call(expr);
    if (rc == ZS_OK && expr->call->is_aggregate)
        binder->bound->is_aggregate = true;
    return rc;
}

static int bind_node(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    if (expr->kind == ZSQL_NAME && expr->binding == ZSQL_UNBOUND)
        return bind_name(ctx, expr);
    if (expr->kind == ZSQL_CALL)
        return bind_call(ctx, expr);
    return ZS_OK;
}

static int bind_expr(struct binder *binder, struct zsql_expr *expr)
{
    return zsql_expr_walk(expr, bind_node, binder);
}

/* Sources. */

static int bind_source(struct binder *binder, const struct zsql_from *from)
{
    struct zsql_source *source = zsql_arena_get(binder->arena, sizeof(*source));
    const char *alias = from->alias.text;
    bool is_found = false;
    int rc;

    if (source == NULL)
        return ZS_NOMEM;
    while (from->kind == ZSQL_FROM_JOIN && from->items.n == 1) { /* (t) */
        from = from->items.items[0];
        alias = alias != NULL ? alias : from->alias.text;
    }
    if (from->kind != ZSQL_FROM_TABLE)
        return ZS_MISUSE;
    rc = binder->catalogue->relation(binder->catalogue->ctx, from->schema.text, from->name.text,
        &source->relation, &is_found);
    if (rc == ZS_OK && !is_found)
        rc = zsql_refuse(binder->message, "no such table: %s", from->name.text);
    source->name = alias != NULL ? alias : from->name.text;
    if (rc == ZS_OK)
        rc = zsql_list_append(binder->arena, &binder->bound->sources, source);
    return rc;
}

/* Result columns. */

static int add_output(
    struct binder *binder, struct zsql_expr *expr, const char *name, const char *alias)
{
    struct zsql_output *output = zsql_arena_get(binder->arena, sizeof(*output));

    if (output == NULL)
        return ZS_NOMEM;
    *output = (struct zsql_output){expr, name, alias};
    return zsql_list_append(binder->arena, &binder->bound->outputs, output);
}

/* The columns of `*` over one source. */
static int add_columns(struct binder *binder, size_t source)
{
    const struct zsql_source *from = binder->bound->sources.items[source];
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < from->relation.n_columns; i++) {
        const struct zsql_column *column = &from->relation.columns[i];
        struct zsql_expr *expr;

        if (column->is_hidden)
            continue;
        expr = zsql_arena_get(binder->arena, sizeof(*expr));
        if (expr == NULL)
            return ZS_NOMEM;
        expr->kind = ZSQL_NAME;
        expr->depth = 1;
        expr->name.text = column->name;
        bind_column(expr, source, (int)i);
        rc = add_output(binder, expr, column->name, column->name);
    }
    return rc;
}

static int add_star(struct binder *binder, const struct zsql_result *result)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < binder->bound->sources.n; i++) {
        const struct zsql_source *source = binder->bound->sources.items[i];
        if (result->kind == ZSQL_STAR || zsql_same_name(result->table.text, source->name))
            rc = add_columns(binder, i);
    }
    return rc;
}

/* A column is called as its alias, the column that it is, or its text. */
static int name_output(
    struct binder *binder, const struct zsql_result *result, const char **name)
{
    const struct zsql_expr *expr = result->expr;

    *name = result->alias.text;
    if (*name == NULL && expr->binding == ZSQL_COLUMN) {
        const struct zsql_column *column = zsql_bound_column(binder->bound, expr);
        *name = column != NULL ? column->name : expr->name.text;
    }
    if (*name == NULL)
        *name = zsql_text_copy(binder->arena, binder->text, expr->span);
    return *name != NULL ? ZS_OK : ZS_NOMEM;
}

static int bind_results(struct binder *binder)
{
    const struct zsql_list *results = &binder->bound->core->results;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < results->n; i++) {
        const struct zsql_result *result = results->items[i];
        const char *name;

        if (result->kind != ZSQL_RESULT) {
            rc = add_star(binder, result);
            continue;
        }
        rc = bind_expr(binder, result->expr);
        if (rc == ZS_OK)
            rc = name_output(binder, result, &name);
        if (rc == ZS_OK)
            rc = add_output(binder, result->expr, name, result->alias.text);
    }
    return rc;
}

/* Terms of GROUP BY and ORDER BY. */

/* Is this the literal of a small integer, perhaps with a sign? */
static bool is_position(const struct zsql_expr *expr, long *position)
{
    long sign = 1;
    unsigned long value = 0;
    int base = 10;

    while (
        expr->kind == ZSQL_UNARY && (expr->op == ZSQL_OP_PLUS || expr->op == ZSQL_OP_MINUS)) {
        sign = expr->op == ZSQL_OP_MINUS ? -sign : sign;
        expr = expr->operands.items[0];
    }
    if (expr->kind != ZSQL_INTEGER)
        return false;
    if (expr->name.text[0] == '0' && (expr->name.text[1] | 0x20) == 'x')
        base = 16;
    for (const char *p = expr->name.text + (base == 16 ? 2 : 0); *p != '\0'; p++) {
        if (*p == '_')
            continue;
        value =
            value * (unsigned)base + (unsigned)(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
        if (value > 0x7fffffff)
            return false;
    }
    *position = sign * (long)value;
    return true;
}

static int bind_term(struct binder *binder, struct zsql_expr *term)
{
    const struct zsql_list *outputs = &binder->bound->outputs;
    struct zsql_expr *expr = term;
    const struct zsql_output *output;
    long position;

    while (expr->kind == ZSQL_COLLATE)
        expr = expr->operands.items[0];
    if (!is_position(expr, &position))
        return bind_expr(binder, term);
    if (position < 1 || (unsigned long)position > outputs->n)
        return zsql_refuse(binder->message, "there is no result column %ld", position);
    output = outputs->items[position - 1];
    expr->binding = ZSQL_OUTPUT;
    expr->target = output->expr;
    return ZS_OK;
}

static int bind_groups(struct binder *binder)
{
    const struct zsql_list *terms = &binder->bound->core->group_by;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < terms->n; i++) {
        rc = bind_term(binder, terms->items[i]);
        if (rc == ZS_OK)
            rc = zsql_list_append(binder->arena, &binder->bound->group_by, terms->items[i]);
    }
    return rc;
}

/* In ORDER BY an alias that is a whole term, but for COLLATE, wins over a column. */
static int bind_order(struct binder *binder, const struct zsql_list *terms)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < terms->n; i++) {
        const struct zsql_term *term = terms->items[i];
        struct zsql_expr *expr = term->expr;

        while (expr->kind == ZSQL_COLLATE)
            expr = expr->operands.items[0];
        if (expr->kind == ZSQL_NAME && bind_to_alias(binder, expr))
            continue;
        rc = bind_term(binder, term->expr);
    }
    return rc;
}

int zsql_bind(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_select *select, struct zsql_message *message,
    struct zsql_bound **bound)
{
    struct binder binder = {arena, catalogue, text, message, NULL, false};
    struct zsql_core *core = select->cores.items[0];
    int rc = ZS_OK;

    *bound = NULL;
    binder.bound = zsql_arena_get(arena, sizeof(*binder.bound));
    if (binder.bound == NULL)
        return ZS_NOMEM;
    binder.bound->core = core;
    for (size_t i = 0; rc == ZS_OK && i < core->from.n; i++)
        rc = bind_source(&binder, core->from.items[i]);
    if (rc == ZS_OK)
        rc = bind_results(&binder);
    binder.sees_aliases = true;
    if (rc == ZS_OK)
        rc = bind_expr(&binder, core->where);
    if (rc == ZS_OK)
        rc = bind_groups(&binder);
    if (rc == ZS_OK)
        rc = bind_expr(&binder, core->having);
    if (rc == ZS_OK && (core->group_by.n > 0 || core->having != NULL))
        binder.bound->is_aggregate = true;
    if (rc == ZS_OK)
        rc = bind_order(&binder, &select->order);
    if (rc == ZS_OK)
        *bound = binder.bound;
    return rc;
}
