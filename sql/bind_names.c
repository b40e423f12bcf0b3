/* What a name means. The order of the tries is SQLite's: in each core from the inside out the
** columns of the sources, the rowid, and aliases where they may be seen; then "..." as a
** string, then TRUE and FALSE. */
#include "sql/binder.h"
#include "sql/text.h"

static bool is_rowid_name(const char *name)
{
    return zsql_same_name(name, "rowid") || zsql_same_name(name, "_rowid_") ||
           zsql_same_name(name, "oid");
}

bool zsql_bind_has_name(const struct zsql_source *source, const char *name)
{
    return (source->name != NULL && zsql_same_name(name, source->name)) ||
           (source->join_name != NULL && zsql_same_name(name, source->join_name));
}

/* Does a column's qualifier, if it has one, mean this source? */
static bool is_meant(const struct zsql_source *source, const struct zsql_expr *expr)
{
    if (expr->table.text == NULL)
        return true;
    if (!zsql_bind_has_name(source, expr->table.text))
        return false;
    return expr->schema.text == NULL || source->relation.schema == NULL ||
           zsql_same_name(expr->schema.text, source->relation.schema);
}

void zsql_bind_column(
    struct zsql_expr *expr, struct zsql_bound *scope, size_t source, int column)
{
    struct zsql_source *from;

    expr->binding = ZSQL_COLUMN;
    expr->scope = scope;
    expr->source = (unsigned)source;
    expr->column = column;
    from = scope->sources.items[source];
    from->is_used[column < 0 ? from->relation.n_columns : (size_t)column] = true;
}

bool zsql_bound_merges(const struct zsql_source *source, const char *name)
{
    for (size_t i = 0; i < source->merged.n; i++) {
        if (zsql_same_name(source->merged.items[i], name))
            return true;
    }
    return false;
}

/* Does the member itself merge a column of that name, rather than one within it? */
static bool is_joined_by(const struct zsql_from *member, const char *name)
{
    return zsql_from_is_using(member, name) || (member->join & ZSQL_JOIN_NATURAL) != 0;
}

bool zsql_bind_is_coalesced(
    const struct zsql_bound *scope, size_t source, const struct zsql_expr *expr)
{
    size_t item = ((const struct zsql_source *)scope->sources.items[source])->item;

    if (expr->table.text != NULL || !scope->has_right_join)
        return false;
    for (size_t i = source + 1; i < scope->sources.n; i++) {
        const struct zsql_source *later = scope->sources.items[i];
        if (zsql_bound_merges(later, expr->name.text) &&
            (later->item == item ||
                is_joined_by(scope->core->from.items[later->item], expr->name.text)))
            return true;
    }
    return false;
}

static bool bind_to_column(struct zsql_bound *scope, struct zsql_expr *expr)
{
    for (size_t i = 0; i < scope->sources.n; i++) {
        const struct zsql_source *source = scope->sources.items[i];
        int column = is_meant(source, expr) ? zsql_bind_find(source, expr->name.text) : -1;

        if (column < 0)
            continue;
        zsql_bind_column(expr, scope, i, column);
        expr->is_merged = zsql_bind_is_coalesced(scope, i, expr);
        return true;
    }
    return false;
}

static bool bind_to_rowid(struct zsql_bound *scope, struct zsql_expr *expr)
{
    if (!is_rowid_name(expr->name.text))
        return false;
    for (size_t i = 0; i < scope->sources.n; i++) {
        const struct zsql_source *source = scope->sources.items[i];
        if (is_meant(source, expr) && source->relation.has_rowid) {
            zsql_bind_column(expr, scope, i, source->relation.rowid_column);
            return true;
        }
    }
    return false;
}

bool zsql_bind_alias(const struct zsql_bound *scope, struct zsql_expr *expr)
{
    const struct zsql_list *outputs = &scope->outputs;

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

/* A name of a core around this one: all cores in between depend on it. */
static bool bind_outwards(struct zsql_binder *binder, struct zsql_expr *expr)
{
    struct zsql_bound *scope = binder->bound->parent;

    while (scope != NULL && !bind_to_column(scope, expr) && !bind_to_rowid(scope, expr))
        scope = scope->parent;
    if (scope == NULL)
        return false;
    for (struct zsql_bound *inner = binder->bound; inner != scope;
         inner = inner->place.around->bound)
        inner->is_correlated = true;
    return true;
}

int zsql_bind_resolve(struct zsql_binder *binder, struct zsql_expr *expr)
{
    bool is_plain = expr->table.text == NULL;
    const char *name = expr->name.text;

    if (bind_to_column(binder->bound, expr) || bind_to_rowid(binder->bound, expr))
        return ZS_OK;
    if (binder->sees_aliases && zsql_bind_alias(binder->bound, expr))
        return ZS_OK;
    if (bind_outwards(binder, expr))
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
    for (const struct zsql_bound *outer = binder->bound->parent; outer != NULL;
         outer = outer->parent) {
        if (zsql_bind_alias(outer, expr))
            return zsql_refuse(binder->message,
                "the result column %s used inside a subquery is not maintained yet: write what "
                "it stands for",
                name);
    }
    return zsql_refuse(binder->message, "no such column: %s", name);
}
