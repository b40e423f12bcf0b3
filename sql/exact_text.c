/* Renaming calls: the tree says which names are calls, the text is copied around them. */
#include "sql/exact_text.h"

#include <stdlib.h>
#include <string.h>

#include "sql/lex.h"
#include "sql/text.h"

/* A span of the text and what stands there instead; of no length where something is put in. */
struct edit {
    struct zsql_span span;
    const char *text;
};

struct renamer {
    struct zsql_arena *arena;
    const struct zsql_catalogue *catalogue;
    struct zsql_list edits; /* of struct edit, in any order */
};

static int add_edit(struct renamer *renamer, struct zsql_span span, struct zs_buffer *text)
{
    struct edit *edit = zsql_arena_get(renamer->arena, sizeof(*edit));

    if (edit == NULL)
        return ZS_NOMEM;
    edit->span = span;
    edit->text = zsql_arena_copy(renamer->arena, (const char *)text->data, text->len);
    return edit->text == NULL ? ZS_NOMEM
                              : zsql_list_append(renamer->arena, &renamer->edits, edit);
}

static int rename_call(struct renamer *renamer, const struct zsql_name *name)
{
    struct zs_buffer text;
    int rc;

    zs_buffer_init(&text, zsql_arena_table(renamer->arena));
    rc = zs_buffer_append(&text, "exact_", 6);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&text, name->text, strlen(name->text));
    if (rc == ZS_OK)
        rc = add_edit(renamer, name->span, &text);
    zs_buffer_clear(&text);
    return rc;
}

/* Puts the schema in front of a table that goes without: run on its own, the text could meet a
** TEMP table of the same name. */
static int qualify(struct renamer *renamer, const struct zsql_from *from, const char *schema)
{
    struct zsql_span before = {from->name.span.start, from->name.span.start};
    struct zs_buffer text;
    int rc;

    if (from->kind != ZSQL_FROM_TABLE || from->schema.text != NULL)
        return ZS_OK;
    zs_buffer_init(&text, zsql_arena_table(renamer->arena));
    rc = zs_buffer_append_byte(&text, '"');
    for (; rc == ZS_OK && *schema != '\0'; schema++) {
        if (*schema == '"')
            rc = zs_buffer_append_byte(&text, '"');
        if (rc == ZS_OK)
            rc = zs_buffer_append_byte(&text, (uint8_t)*schema);
    }
    if (rc == ZS_OK)
        rc = zs_buffer_append(&text, "\".", 2);
    if (rc == ZS_OK)
        rc = add_edit(renamer, before, &text);
    zs_buffer_clear(&text);
    return rc;
}

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
        rc = rename_call(renamer, &expr->name);
    return rc;
}

static int compare_starts(const void *a, const void *b)
{
    const struct edit *const *left = a;
    const struct edit *const *right = b;
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

static int write_exact(struct zs_buffer *out, const struct zsql_list *edits, const char *text)
{
    uint32_t end = end_of_select(text);
    uint32_t at = start_of_select(text);
    bool is_apart = false;
    int rc = ZS_OK;

    if (edits->n > 0)
        qsort(edits->items, edits->n, sizeof(*edits->items), compare_starts);
    for (size_t i = 0; rc == ZS_OK && i < edits->n; i++) {
        const struct edit *edit = edits->items[i];

        rc = zsql_text_append_span(
            out, text, (struct zsql_span){at, edit->span.start}, &is_apart);
        if (rc == ZS_OK)
            rc = zsql_text_append_piece(out, edit->text, is_apart);
        at = edit->span.end;
        is_apart = false;
    }
    if (rc == ZS_OK)
        rc = zsql_text_append_span(out, text, (struct zsql_span){at, end}, &is_apart);
    return rc;
}

int zsql_exact_text(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_select *select, const struct zsql_from *from,
    const char *schema, const char **exact)
{
    struct renamer renamer = {.arena = arena, .catalogue = catalogue};
    struct zs_buffer out;
    int rc;

    *exact = NULL;
    zs_buffer_init(&out, zsql_arena_table(arena));
    rc = zsql_select_walk(select, visit_call, &renamer);
    if (rc == ZS_OK)
        rc = qualify(&renamer, from, schema);
    if (rc == ZS_OK)
        rc = write_exact(&out, &renamer.edits, text);
    if (rc == ZS_OK)
        *exact = zsql_arena_copy(arena, (const char *)out.data, out.len);
    zs_buffer_clear(&out);
    return rc == ZS_OK && *exact == NULL ? ZS_NOMEM : rc;
}
