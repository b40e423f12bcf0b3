/* Resolving names in a SELECT, in SQLite's order: of each core FROM, the result columns, WHERE,
** GROUP BY and HAVING; then ORDER BY, LIMIT and OFFSET of all. */
#include "sql/bind.h"

#include "sql/binder.h"
#include "sql/text.h"

struct zsql_expr *zsql_bound_target(struct zsql_expr *expr)
{
    return expr->binding == ZSQL_OUTPUT ? expr->target : expr;
}

const struct zsql_source *zsql_bound_source_of(
    const struct zsql_bound *bound, const struct zsql_from *from)
{
    for (size_t i = 0; i < bound->sources.n; i++) {
        const struct zsql_source *source = bound->sources.items[i];
        if (source->from == from)
            return source;
    }
    return NULL;
}

bool zsql_bound_is_named_once(const struct zsql_bound *bound, const struct zsql_source *source)
{
    size_t n = 0;

    if (source->name == NULL)
        return false;
    for (size_t i = 0; i < bound->sources.n; i++) {
        const char *name = ((const struct zsql_source *)bound->sources.items[i])->name;
        n += name != NULL && zsql_same_name(name, source->name);
    }
    return n == 1;
}

const struct zsql_source *zsql_bound_source(const struct zsql_expr *expr)
{
    return expr->scope->sources.items[expr->source];
}

const struct zsql_column *zsql_bound_column(const struct zsql_expr *expr)
{
    return expr->column < 0 ? NULL : &zsql_bound_source(expr)->relation.columns[expr->column];
}

struct zsql_expr *zsql_bound_new_column(
    struct zsql_arena *arena, struct zsql_bound *bound, size_t source, size_t column)
{
    const struct zsql_source *from = bound->sources.items[source];
    struct zsql_expr *expr = zsql_arena_get(arena, sizeof(*expr));

    if (expr == NULL)
        return NULL;
    expr->kind = ZSQL_NAME;
    expr->depth = 1;
    expr->name.text = from->relation.columns[column].name;
    zsql_bind_column(expr, bound, source, (int)column);
    return expr;
}

bool zsql_bound_is_rowid(const struct zsql_expr *expr)
{
    return expr->column < 0 || expr->column == zsql_bound_source(expr)->relation.rowid_column;
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

static int bind_call(struct zsql_binder *binder, struct zsql_expr *expr)
{
    bool is_found = false;
    int rc = binder->catalogue->function(binder->catalogue->ctx, expr->name.text,
        (int)expr->operands.n, &expr->call->function, &is_found);

    if (rc == ZS_OK && !is_found)
        rc = zsql_refuse(binder->message, "no such function: %s", expr->name.text);
    if (rc == ZS_OK)
        expr->call->is_aggregate = is_aggregate_call(expr);
    if (rc == ZS_OK && expr->call->is_aggregate) {
        binder->bound->is_aggregate = true;
        expr->call->place = binder->bound;
    }
    return rc;
}

static int bind_exprs(struct zsql_binder *binder, const struct zsql_list *exprs)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < exprs->n; i++)
        rc = zsql_bind_expr(binder, exprs->items[i]);
    return rc;
}

static int bind_terms(struct zsql_binder *binder, const struct zsql_list *terms)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < terms->n; i++) {
        const struct zsql_term *term = terms->items[i];
        rc = zsql_bind_expr(binder, term->expr);
    }
    return rc;
}

static int bind_window(struct zsql_binder *binder, const struct zsql_window *window)
{
    int rc = window == NULL ? ZS_OK : bind_exprs(binder, &window->partition);

    if (rc == ZS_OK && window != NULL)
        rc = bind_terms(binder, &window->order);
    if (rc == ZS_OK && window != NULL)
        rc = zsql_bind_expr(binder, window->from.expr);
    return rc == ZS_OK && window != NULL ? zsql_bind_expr(binder, window->to.expr) : rc;
}

static int bind_node(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct zsql_binder *binder = ctx;
    int rc = ZS_OK;

    (void)descend;
    if (expr->kind == ZSQL_NAME && expr->binding == ZSQL_UNBOUND)
        return zsql_bind_resolve(binder, expr);
    if (expr->select != NULL)
        rc = zsql_bind_select(binder, expr->select,
            (struct zsql_place){binder->bound->core, expr, NULL}, binder->bound);
    if (expr->kind != ZSQL_CALL)
        return rc;
    rc = bind_call(binder, expr);
    if (rc == ZS_OK)
        rc = bind_terms(binder, &expr->call->order);
    return rc == ZS_OK ? bind_window(binder, expr->call->window) : rc;
}

int zsql_bind_expr(struct zsql_binder *binder, struct zsql_expr *expr)
{
    return zsql_expr_walk(expr, bind_node, binder);
}

/* Result columns. */

int zsql_bind_output(
    struct zsql_binder *binder, struct zsql_expr *expr, const char *name, const char *alias)
{
    struct zsql_output *output = zsql_arena_get(binder->arena, sizeof(*output));

    if (output == NULL)
        return ZS_NOMEM;
    *output = (struct zsql_output){expr, name, alias, false};
    return zsql_list_append(binder->arena, &binder->bound->outputs, output);
}

static int bind_results(struct zsql_binder *binder)
{
    const struct zsql_list *results = &binder->bound->core->results;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < results->n; i++) {
        struct zsql_result *result = results->items[i];
        size_t before = binder->bound->outputs.n;
        const char *name;

        result->n_outputs = 1;
        if (result->kind != ZSQL_RESULT) {
            rc = zsql_bind_star(binder, result);
            result->n_outputs = binder->bound->outputs.n - before;
            continue;
        }
        rc = zsql_bind_expr(binder, result->expr);
        name = result->alias.text;
        if (rc == ZS_OK && name == NULL)
            rc = zsql_bind_name(binder, result->expr, &name);
        if (rc == ZS_OK)
            rc = zsql_bind_output(binder, result->expr, name, result->alias.text);
    }
    return rc == ZS_OK ? zsql_bind_tell_apart(binder) : rc;
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

static int bind_term(struct zsql_binder *binder, struct zsql_expr *term)
{
    const struct zsql_list *outputs = &binder->bound->outputs;
    struct zsql_expr *expr = term;
    const struct zsql_output *output;
    long position;

    while (expr->kind == ZSQL_COLLATE)
        expr = expr->operands.items[0];
    if (!is_position(expr, &position))
        return zsql_bind_expr(binder, term);
    if (position < 1 || (unsigned long)position > outputs->n)
        return zsql_refuse(binder->message, "there is no result column %ld", position);
    output = outputs->items[position - 1];
    expr->binding = ZSQL_OUTPUT;
    expr->target = output->expr;
    return ZS_OK;
}

static int bind_groups(struct zsql_binder *binder)
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
static int bind_order(struct zsql_binder *binder, const struct zsql_list *terms)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < terms->n; i++) {
        const struct zsql_term *term = terms->items[i];
        struct zsql_expr *expr = term->expr;

        while (expr->kind == ZSQL_COLLATE)
            expr = expr->operands.items[0];
        if (expr->kind == ZSQL_NAME && zsql_bind_alias(binder->bound, expr))
            continue;
        rc = bind_term(binder, term->expr);
    }
    return rc;
}

/* Cores and SELECTs. */

static int bind_core(struct zsql_binder *binder, struct zsql_select *select,
    struct zsql_core *core, struct zsql_place place, struct zsql_bound *parent)
{
    int rc;

    core->bound = zsql_arena_get(binder->arena, sizeof(*core->bound));
    if (core->bound == NULL)
        return ZS_NOMEM;
    binder->bound = core->bound;
    core->bound->core = core;
    core->bound->select = select;
    core->bound->place = place;
    core->bound->parent = parent;
    rc = zsql_bind_from(binder);
    if (rc == ZS_OK)
        rc = bind_exprs(binder, &core->rows);
    if (rc == ZS_OK)
        rc = bind_results(binder);
    binder->sees_aliases = true;
    if (rc == ZS_OK)
        rc = zsql_bind_expr(binder, core->where);
    if (rc == ZS_OK)
        rc = bind_groups(binder);
    if (rc == ZS_OK)
        rc = zsql_bind_expr(binder, core->having);
    for (size_t i = 0; rc == ZS_OK && i < core->windows.n; i++)
        rc = bind_window(binder, core->windows.items[i]);
    if (rc == ZS_OK)
        rc = zsql_bind_check_names(binder);
    if (core->group_by.n > 0 || core->having != NULL)
        core->bound->is_aggregate = true;
    return rc;
}

/* ORDER BY of a compound names result columns, and may repeat an expression of any core. */
static int bind_order_of_compound(struct zsql_binder *binder, const struct zsql_list *terms)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < terms->n; i++) {
        const struct zsql_term *term = terms->items[i];
        struct zsql_expr *expr = term->expr;
        long position;

        while (expr->kind == ZSQL_COLLATE)
            expr = expr->operands.items[0];
        if (is_position(expr, &position))
            rc = bind_term(binder, term->expr);
        else if (expr->kind == ZSQL_NAME && expr->table.text == NULL)
            (void)zsql_bind_alias(binder->bound, expr);
    }
    return rc;
}

int zsql_bind_select(struct zsql_binder *binder, struct zsql_select *select,
    struct zsql_place place, struct zsql_bound *parent)
{
    struct zsql_binder inner = *binder;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++) {
        inner.sees_aliases = false;
        rc = bind_core(&inner, select, select->cores.items[i], place, parent);
    }
    if (rc == ZS_OK && select->cores.n > 1)
        rc = zsql_bind_compound(&inner, select);
    if (rc != ZS_OK)
        return rc;
    inner.bound = ((struct zsql_core *)select->cores.items[0])->bound;
    rc = select->cores.n > 1 ? bind_order_of_compound(&inner, &select->order)
                             : bind_order(&inner, &select->order);
    if (rc == ZS_OK)
        rc = zsql_bind_expr(&inner, select->limit);
    return rc == ZS_OK ? zsql_bind_expr(&inner, select->offset) : rc;
}

int zsql_bind(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_select *select, struct zsql_message *message)
{
    struct zsql_binder binder = {arena, catalogue, text, message, NULL, false};

    return zsql_bind_select(&binder, select, (struct zsql_place){NULL, NULL, NULL}, NULL);
}
