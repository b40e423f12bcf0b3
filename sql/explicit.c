/* What is written for a join says "source.column", also where its author gave no name, and where
** expressions have become others meanwhile: SQLite calls a column by the text of its
** expression. */
#include "sql/explicit.h"

#include <string.h>

#include "sql/edit.h"
#include "sql/lex.h"
#include "sql/text.h"

#define SUBQUERY "lockstep_subquery_"

struct explicator {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_edits edits;
    size_t n_named;
};

static int add_edit(struct explicator *explicator, struct zsql_span span, const char *text)
{
    return text == NULL ? ZS_NOMEM
                        : zsql_edits_add(explicator->arena, &explicator->edits, span, text);
}

/* The text behind a span, before the next token. */
static struct zsql_span behind(const struct explicator *explicator, struct zsql_span span)
{
    uint32_t at = zsql_lex(explicator->text, span.end).start;

    return (struct zsql_span){at, at};
}

/* VALUES. */

/* "VALUES(a, b)" as "SELECT a AS column1, b AS column2". */
static int select_row(
    struct explicator *explicator, const struct zsql_core *core, const struct zsql_expr *row)
{
    struct zsql_span opening = {core->start, zsql_lex(explicator->text, row->span.start).end};
    int rc = add_edit(explicator, opening, "SELECT ");

    for (size_t i = 0; rc == ZS_OK && i < row->operands.n; i++) {
        const struct zsql_expr *value = row->operands.items[i];
        struct zsql_span place = behind(explicator, value->span);

        if (i + 1 == row->operands.n)
            place.end = row->span.end; /* the closing parenthesis */
        rc = add_edit(
            explicator, place, zsql_text_format(explicator->arena, " AS column%zu ", i + 1));
    }
    return rc;
}

static int select_rows(struct explicator *explicator, const struct zsql_core *core)
{
    const struct zsql_expr *last = core->rows.items[core->rows.n - 1];
    int rc;

    if (core->rows.n == 1)
        return select_row(explicator, core, last);
    rc = add_edit(explicator, (struct zsql_span){core->start, core->start}, "SELECT * FROM (");
    return rc == ZS_OK ? add_edit(explicator,
                             (struct zsql_span){last->span.end - 1, last->span.end}, "))")
                       : rc;
}

static int select_values(struct explicator *explicator, const struct zsql_select *select)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && select->cores.n > 1 && i < select->cores.n; i++) {
        const struct zsql_core *core = select->cores.items[i];
        if (core->is_values)
            rc = select_rows(explicator, core);
    }
    return rc;
}

static int select_values_in_from(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    (void)core;
    return from->select == NULL ? ZS_OK : select_values(ctx, from->select);
}

/* EXISTS. */

/* What `*` stands for is not read, unless it tells rows apart. */
static int drop_stars(struct explicator *explicator, const struct zsql_select *select)
{
    const struct zsql_core *core = select->cores.items[0];
    int rc = ZS_OK;

    if (select->cores.n > 1 || core->is_distinct || core->group_by.n > 0 ||
        core->having != NULL || select->order.n > 0)
        return ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        if (result->kind != ZSQL_RESULT)
            rc = add_edit(explicator, result->span, "1");
    }
    return rc;
}

/* Both. */

static int visit_expr(void *ctx, struct zsql_expr *expr, bool *descend)
{
    int rc = expr->select == NULL ? ZS_OK : select_values(ctx, expr->select);

    (void)descend;
    return rc == ZS_OK && expr->kind == ZSQL_EXISTS ? drop_stars(ctx, expr->select) : rc;
}

static int write_out(struct explicator *explicator, struct zsql_select *select)
{
    int rc = select_values(explicator, select);

    if (rc == ZS_OK)
        rc = zsql_select_walk_from(select, select_values_in_from, explicator);
    return rc == ZS_OK ? zsql_select_walk(select, visit_expr, explicator) : rc;
}

/* Names. */

/* Is it a column? COLLATE leaves it its name. */
static bool is_column(const struct zsql_expr *expr)
{
    while (expr->kind == ZSQL_COLLATE)
        expr = expr->operands.items[0];
    return expr->kind == ZSQL_NAME;
}

static int name_columns(struct explicator *explicator, const struct zsql_core *core)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < core->results.n; i++) {
        const struct zsql_result *result = core->results.items[i];
        const char *name;

        if (result->kind != ZSQL_RESULT || result->alias.text != NULL ||
            is_column(result->expr))
            continue;
        name = zsql_text_copy(explicator->arena, explicator->text, result->expr->span);
        if (name != NULL)
            name = zsql_text_quoted(explicator->arena, name, '"');
        if (name != NULL)
            name = zsql_text_format(explicator->arena, " AS %s ", name);
        rc = add_edit(explicator, behind(explicator, result->expr->span), name);
    }
    return rc;
}

static int name_subquery(void *ctx, struct zsql_core *core, struct zsql_from *from)
{
    struct explicator *explicator = ctx;
    int rc;

    (void)core;
    if (from->kind != ZSQL_FROM_SELECT)
        return ZS_OK;
    rc = name_columns(explicator, from->select->cores.items[0]);
    if (rc != ZS_OK || from->alias.text != NULL)
        return rc;
    return add_edit(explicator, (struct zsql_span){from->span.end - 1, from->span.end},
        zsql_text_format(explicator->arena, ") AS " SUBQUERY "%zu", ++explicator->n_named));
}

bool zsql_is_spelled_values(const struct zsql_source *source)
{
    const struct zsql_from *from = source->from;

    return from->kind == ZSQL_FROM_SELECT && source->name != NULL &&
           strncmp(source->name, SUBQUERY, strlen(SUBQUERY)) == 0 &&
           ((const struct zsql_core *)from->select->cores.items[0])->is_values;
}

static int name_subqueries(struct explicator *explicator, struct zsql_select *select)
{
    return zsql_select_walk_from(select, name_subquery, explicator);
}

/* Parses the text, and makes the edits that a walk asks for. */
static int rewrite(struct zsql_arena *arena, const char **text, uint32_t *error_at,
    int (*walk)(struct explicator *explicator, struct zsql_select *select))
{
    struct explicator explicator = {.arena = arena, .text = *text};
    struct zsql_select *select;
    int rc = zsql_select_parse(arena, *text, &select, error_at);

    if (rc == ZS_OK)
        rc = walk(&explicator, select);
    if (rc != ZS_OK || explicator.edits.list.n == 0)
        return rc;
    *text = zsql_text_apply(arena, *text, &explicator.edits);
    return *text == NULL ? ZS_NOMEM : ZS_OK;
}

int zsql_make_explicit(struct zsql_arena *arena, const char **text, uint32_t *error_at)
{
    int rc = rewrite(arena, text, error_at, write_out);

    return rc == ZS_OK ? rewrite(arena, text, error_at, name_subqueries) : rc;
}
