/* Refusals that need the catalogue: sources that are no tables, and functions whose result may
** change by itself. */
#include <string.h>

#include "sql/clock.h"
#include "sql/limit.h"
#include "sql/occurrence.h"
#include "sql/refuse.h"
#include "sql/text.h"

struct refuser {
    struct zsql_arena *arena;
    const char *text;
    const struct zsql_catalogue *catalogue;
    struct zsql_message *message;
};

static int refuse_function(
    const struct refuser *refuser, const char *name, const struct zsql_function *function)
{
    if (function->is_deterministic)
        return ZS_OK;
    if (function->is_builtin)
        return zsql_refuse(
            refuser->message, "%s() is not deterministic: say it where the view is read", name);
    return zsql_refuse(refuser->message,
        "%s() is not deterministic (register it as such, in Python with deterministic=True)",
        name);
}

/* LIKE, GLOB, REGEXP and MATCH call the function of that name. */
static int refuse_like(const struct refuser *refuser, const struct zsql_expr *expr)
{
    struct zsql_function function = {0};
    bool is_found = false;
    int rc = refuser->catalogue->function(
        refuser->catalogue->ctx, expr->name.text, (int)expr->operands.n, &function, &is_found);

    if (rc == ZS_OK && is_found)
        rc = refuse_function(refuser, expr->name.text, &function);
    return rc;
}

/* What some versions of SQLite drop while they parse: the left side of IN (), and all of an AND
** with a false side. An aggregate in it then makes no aggregate query, or does. */
static bool is_false(const struct zsql_expr *expr)
{
    if (expr->kind == ZSQL_INTEGER)
        return strspn(expr->name.text, "0xX_") == strlen(expr->name.text);
    return expr->binding == ZSQL_BOOLEAN ? zsql_same_name(expr->name.text, "false")
                                         : expr->kind == ZSQL_IN_LIST && expr->operands.n == 1;
}

static bool may_vanish(const struct zsql_expr *expr)
{
    if (expr->kind == ZSQL_IN_LIST)
        return expr->operands.n == 1;
    if (expr->kind != ZSQL_BINARY || expr->op != ZSQL_OP_AND)
        return false;
    for (size_t i = 0; i < expr->operands.n; i++) {
        if (is_false(expr->operands.items[i]))
            return true;
    }
    return false;
}

static int visit_aggregate(void *ctx, struct zsql_expr *expr, bool *descend)
{
    bool *has_aggregate = ctx;

    (void)descend;
    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_aggregate, ctx);
    if (expr->kind == ZSQL_CALL && expr->call->is_aggregate)
        *has_aggregate = true;
    return ZS_OK;
}

static int refuse_vanishing(const struct refuser *refuser, struct zsql_expr *expr)
{
    bool has_aggregate = false;
    const char *text;
    int rc = may_vanish(expr) ? zsql_expr_walk(expr, visit_aggregate, &has_aggregate) : ZS_OK;

    if (rc != ZS_OK || !has_aggregate)
        return rc;
    text = zsql_text_quote(refuser->arena, refuser->text, expr->span);
    if (text == NULL)
        return ZS_NOMEM;
    return zsql_refuse(refuser->message,
        "the aggregate in %s is not maintained: its value is not used, leave it out", text);
}

/* Which cores an aggregate's columns are of. */
struct reading {
    const struct zsql_bound *place;
    bool has_own;   /* of the core that it stands in */
    bool has_outer; /* of cores around that */
};

static int visit_read(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct reading *reading = ctx;

    (void)descend;
    if (expr->binding == ZSQL_OUTPUT)
        return zsql_expr_walk(expr->target, visit_read, ctx);
    if (expr->binding == ZSQL_COLUMN) {
        reading->has_own = reading->has_own || expr->scope == reading->place;
        reading->has_outer = reading->has_outer || expr->scope != reading->place;
    }
    return ZS_OK;
}

/* An aggregate of nothing but columns from around a subquery is one of the core around: SQLite makes
** that an aggregate query. */
static int refuse_of_outer(const struct refuser *refuser, struct zsql_expr *expr)
{
    struct reading reading = {.place = expr->call->place};
    const char *text;
    int rc = zsql_expr_walk(expr, visit_read, &reading);

    if (rc != ZS_OK || reading.has_own || !reading.has_outer)
        return rc;
    text = zsql_text_quote(refuser->arena, refuser->text, expr->span);
    if (text == NULL)
        return ZS_NOMEM;
    return zsql_refuse(refuser->message,
        "%s inside a subquery is an aggregate of the SELECT around it, which is not maintained:"
        " compute it there, in a subquery in FROM",
        text);
}

static int refuse_node(void *ctx, struct zsql_expr *expr, bool *descend)
{
    const struct refuser *refuser = ctx;
    int rc = ZS_OK;

    (void)descend;
    if (expr->kind == ZSQL_LIKE)
        return refuse_like(refuser, expr);
    rc = refuse_vanishing(refuser, expr);
    if (rc != ZS_OK)
        return rc;
    if (expr->kind != ZSQL_CALL)
        return ZS_OK;
    if (expr->call->is_aggregate)
        return refuse_of_outer(refuser, expr);
    rc = refuse_function(refuser, expr->name.text, &expr->call->function);
    return rc == ZS_OK ? zsql_refuse_clock(expr, refuser->message) : rc;
}

/* SQLite's own tables, which take no triggers. */
static bool is_system_table(const char *name)
{
    char start[8] = "";

    strncat(start, name, sizeof(start) - 1);
    return zsql_same_name(start, "sqlite_");
}

static int refuse_relation(const struct refuser *refuser, const struct zsql_relation *relation)
{
    if (is_system_table(relation->name))
        return zsql_refuse(refuser->message,
            "the system table %s is not maintained: join it where the view is read",
            relation->name);
    if (relation->kind == ZSQL_VIEW)
        return zsql_refuse(
            refuser->message, "reading from the view %s is not maintained yet", relation->name);
    if (relation->kind == ZSQL_VIRTUAL)
        return zsql_refuse(refuser->message,
            "reading from the virtual table %s is not maintained yet: keep its rows in a "
            "table, or join it "
            "where the view is read",
            relation->name);
    return ZS_OK;
}

static int refuse_limit(const struct refuser *refuser, const struct zsql_select *select)
{
    return zsql_refuse_limit(
        refuser->arena, refuser->text, refuser->catalogue, refuser->message, select);
}

static int visit_limit(void *ctx, struct zsql_expr *expr, bool *descend)
{
    (void)descend;
    return expr->select != NULL ? refuse_limit(ctx, expr->select) : ZS_OK;
}

/* Pragmas tell of the schema, not of tables. */
static int refuse_table_function(const struct refuser *refuser, const struct zsql_from *from)
{
    char start[8] = "";

    strncat(start, from->name.text, sizeof(start) - 1);
    return zsql_same_name(start, "pragma_")
               ? zsql_refuse(refuser->message,
                     "%s() is not maintained: call it where the view is read", from->name.text)
               : ZS_OK;
}

static int visit_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    if (from->kind == ZSQL_FROM_FUNCTION)
        return refuse_table_function(ctx, from);
    return from->kind == ZSQL_FROM_SELECT ? refuse_limit(ctx, from->select) : ZS_OK;
}

/* SQLite takes two of one name, where USING tells their columns; what is written for a left
** join says `name.column` of hidden columns too. */
static int refuse_name(const struct refuser *refuser, const struct zsql_core *core,
    const struct zsql_source *source)
{
    return !source->is_nullable || zsql_bound_is_named_once(core->bound, source)
               ? ZS_OK
               : zsql_refuse(refuser->message,
                     "two tables of the name %s, one of them in an outer join, are not "
                     "maintained: call one otherwise, by AS",
                     source->name);
}

static int refuse_core(struct refuser *refuser, struct zsql_core *core, size_t *n_tables)
{
    struct zsql_list occurrences = {0};
    int rc = zsql_occurrences_find(refuser->arena, core, &occurrences);

    for (size_t i = 0; rc == ZS_OK && i < occurrences.n; i++) {
        const struct zsql_occurrence *occurrence = occurrences.items[i];
        rc = refuse_relation(refuser, &occurrence->source->relation);
        if (rc == ZS_OK)
            rc = refuse_name(refuser, occurrence->core, occurrence->source);
    }
    *n_tables += occurrences.n;
    if (rc == ZS_OK)
        rc = zsql_core_walk(core, refuse_node, refuser);
    if (rc == ZS_OK)
        rc = zsql_core_walk(core, visit_limit, refuser);
    return rc == ZS_OK ? zsql_core_walk_from(core, visit_from, refuser) : rc;
}

int zsql_refuse_bound(struct zsql_arena *arena, const char *text,
    const struct zsql_catalogue *catalogue, struct zsql_select *select,
    struct zsql_message *message)
{
    struct refuser refuser = {arena, text, catalogue, message};
    size_t n_tables = 0;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++)
        rc = refuse_core(&refuser, select->cores.items[i], &n_tables);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(select->limit, refuse_node, &refuser);
    if (rc == ZS_OK)
        rc = zsql_expr_walk(select->offset, refuse_node, &refuser);
    if (rc == ZS_OK)
        rc = refuse_limit(&refuser, select);
    if (rc == ZS_OK && n_tables == 0)
        rc = zsql_refuse(message,
            "a SELECT that reads no table is not maintained: an ordinary view will do");
    return rc;
}
