/* Renaming calls: the tree says which names are calls, the text is copied around them. */
#include "sql/exact_text.h"

#include "sql/clock.h"
#include "sql/head.h"
#include "sql/lex.h"
#include "sql/occurrence.h"
#include "sql/text.h"
#include "sql/unsettled.h"

struct renamer {
    struct zsql_arena *arena;
    const char *text;
    struct zsql_edits *edits;
};

/* Of a bound call: is it one of the built-in aggregates that we compute exactly? */
static bool is_inexact(const struct zsql_expr *expr)
{
    return expr->kind == ZSQL_CALL && expr->operands.n == 1 &&
           expr->call->function.is_builtin && expr->call->function.kind == ZSQL_AGGREGATE &&
           (zsql_same_name(expr->name.text, "sum") || zsql_same_name(expr->name.text, "avg") ||
               zsql_same_name(expr->name.text, "total"));
}

static int rename_call(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct renamer *renamer = ctx;
    const char *name;

    (void)descend;
    if (!is_inexact(expr))
        return ZS_OK;
    name = zsql_text_format(renamer->arena, "exact_%s", expr->name.text);
    return name == NULL ? ZS_NOMEM
                        : zsql_edits_add(renamer->arena, renamer->edits, expr->name.span, name);
}

int zsql_exact_edits(struct zsql_arena *arena, const char *text, struct zsql_core *core,
    struct zsql_edits *edits)
{
    struct renamer renamer = {arena, text, edits};
    int rc = zsql_core_walk(core, rename_call, &renamer);

    return rc == ZS_OK ? zsql_clock_edits(arena, text, core, edits) : rc;
}

static int qualify(struct renamer *renamer, const struct zsql_occurrence *occurrence)
{
    const struct zsql_from *from = occurrence->from;
    const char *schema = occurrence->source->relation.schema;
    const char *name;

    if (from->schema.text != NULL || schema == NULL)
        return ZS_OK;
    name = zsql_text_quoted(renamer->arena, schema, '"');
    name = name == NULL ? NULL : zsql_text_format(renamer->arena, "%s.", name);
    return name == NULL
               ? ZS_NOMEM
               : zsql_edits_add(renamer->arena, renamer->edits,
                     (struct zsql_span){from->name.span.start, from->name.span.start}, name);
}

static uint32_t start_of_select(const char *text)
{
    struct zsql_token token = zsql_lex(text, 0);

    while (token.kind == TK_SEMI)
        token = zsql_lex(text, token.end);
    return token.start;
}

/* Where the last token that is no semicolon ends. */
static uint32_t end_of_select(const char *text)
{
    uint32_t end = 0;

    for (struct zsql_token token = zsql_lex(text, 0); token.kind != TK_END_OF_TEXT;
         token = zsql_lex(text, token.end))
        end = token.kind == TK_SEMI ? end : token.end;
    return end;
}

int zsql_exact_text(struct zsql_arena *arena, const char *text, struct zsql_select *select,
    const char **exact, const char **body)
{
    struct zsql_edits edits = {0};
    struct renamer renamer = {arena, text, &edits};
    struct zsql_list occurrences = {0};
    struct zsql_span span = {start_of_select(text), end_of_select(text)};
    int rc = ZS_OK;

    *exact = NULL;
    for (size_t i = 0; rc == ZS_OK && i < select->cores.n; i++) {
        rc = zsql_exact_edits(arena, text, select->cores.items[i], &edits);
        if (rc == ZS_OK)
            rc = zsql_settle(arena, text, select->cores.items[i], &edits);
        if (rc == ZS_OK)
            rc = zsql_occurrences_find(arena, select->cores.items[i], &occurrences);
        if (rc == ZS_OK)
            rc = zsql_head_mark(arena, select->cores.items[i], &edits);
    }
    if (rc == ZS_OK)
        rc = zsql_settle_limit(arena, text, select, &edits);
    for (size_t i = 0; rc == ZS_OK && i < occurrences.n; i++)
        rc = qualify(&renamer, occurrences.items[i]);
    zsql_edits_sort(&edits);
    if (rc == ZS_OK)
        *exact = zsql_text_copy_edited(arena, text, &edits, span);
    if (*exact != NULL)
        *exact = zsql_head_write(arena, *exact, body);
    return rc == ZS_OK && *exact == NULL ? ZS_NOMEM : rc;
}
