/* Renaming calls: the tree says which names are calls, the text is copied around them. */
#include "sql/exact_text.h"

#include <stdlib.h>
#include <string.h>

#include "sql/lex.h"
#include "sql/text.h"

struct renamer {
    struct zsql_arena *arena;
    const struct zsql_catalogue *catalogue;
    struct zsql_list names; /* of struct zsql_name: those to change, in any order */
};

static bool is_inexact(const char *name)
{
    return zsql_same_name(name, "sum") || zsql_same_name(name, "avg") ||
           zsql_same_name(name, "total");
}

static int visit_call(void *ctx, struct zsql_expr *expr, bool *descend)
{
    struct renamer *renamer = ctx;
    struct zsql_function function = {0};
    bool is_found = false;
    int rc;

    (void)descend;
    if (expr->kind != ZSQL_CALL || expr->operands.n != 1 || !is_inexact(expr->name.text))
        return ZS_OK;
    rc = renamer->catalogue->function(
        renamer->catalogue->ctx, expr->name.text, 1, &function, &is_found);
    if (rc == ZS_OK && is_found && function.is_builtin && function.kind == ZSQL_AGGREGATE)
        rc = zsql_list_append(renamer->arena, &renamer->names, &expr->name);
    return rc;
}

static int compare_starts(const void *a, const void *b)
{
    const struct zsql_name *const *left = a;
    const struct zsql_name *const *right = b;
    return ((*left)->span.start > (*right)->span.start) -
           ((*left)->span.start < (*right)->span.start);
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

static int write_exact(struct zs_buffer *out, const struct zsql_list *names, const char *text)
{
    uint32_t end = end_of_select(text);
    uint32_t at = start_of_select(text);
    bool is_apart = false;
    int rc = ZS_OK;

    if (names->n > 0)
        qsort(names->items, names->n, sizeof(*names->items), compare_starts);
    for (size_t i = 0; rc == ZS_OK && i < names->n; i++) {
        const struct zsql_name *name = names->items[i];

        rc = zsql_text_append_span(
            out, text, (struct zsql_span){at, name->span.start}, &is_apart);
        if (rc == ZS_OK)
            rc = zsql_text_append_piece(out, "exact_", is_apart);
        if (rc == ZS_OK)
            rc = zs_buffer_append(out, name->text, strlen(name->text));
        at = name->span.end;
        is_apart = false;
    }
    if (rc == ZS_OK)
        rc = zsql_text_append_span(out, text, (struct zsql_span){at, end}, &is_apart);
    return rc;
}

int zsql_exact_text(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_select *select, const char **exact)
{
    struct renamer renamer = {.arena = arena, .catalogue = catalogue};
    struct zs_buffer out;
    int rc;

    *exact = NULL;
    zs_buffer_init(&out, zsql_arena_table(arena));
    rc = zsql_select_walk(select, visit_call, &renamer);
    if (rc == ZS_OK)
        rc = write_exact(&out, &renamer.names, text);
    if (rc == ZS_OK)
        *exact = zsql_arena_copy(arena, (const char *)out.data, out.len);
    zs_buffer_clear(&out);
    return rc == ZS_OK && *exact == NULL ? ZS_NOMEM : rc;
}
