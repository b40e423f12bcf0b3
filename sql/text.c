/* Writing expressions: between the operands run the tokens of the text. */
#include "sql/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sql/bind.h"
#include "sql/lex.h"

#define QUOTE_LENGTH 40

static int lower(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

bool zsql_same_name(const char *a, const char *b)
{
    size_t i = 0;

    while (a[i] != '\0' && lower((unsigned char)a[i]) == lower((unsigned char)b[i]))
        i++;
    return lower((unsigned char)a[i]) == lower((unsigned char)b[i]);
}

static bool is_word_byte(unsigned char c)
{
    return c >= 0x80 || c == '_' || c == '$' || (c >= '0' && c <= '9') ||
           (lower(c) >= 'a' && lower(c) <= 'z');
}

char *zsql_text_format(struct zsql_arena *arena, const char *format, ...)
{
    va_list arguments;
    char *text;
    int len;

    va_start(arguments, format);
    len = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text = len < 0 ? NULL : zsql_arena_get(arena, (size_t)len + 1);
    if (text == NULL)
        return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)len + 1, format, arguments);
    va_end(arguments);
    return text;
}

char *zsql_text_quoted(struct zsql_arena *arena, const char *value, char quote)
{
    char *text = zsql_arena_get(arena, 2 * strlen(value) + 3);
    char *p = text;

    if (text == NULL)
        return NULL;
    *p++ = quote;
    for (; *value != '\0'; value++) {
        *p++ = *value;
        if (*value == quote)
            *p++ = quote;
    }
    *p = quote;
    return text;
}

/* A piece of text after what is there: a blank keeps words apart. */
static int put(struct zs_buffer *out, const char *piece, size_t n, bool is_apart)
{
    int rc = ZS_OK;

    if (out->len > 0 && (is_apart || (is_word_byte(out->data[out->len - 1]) &&
                                         is_word_byte((unsigned char)piece[0]))))
        rc = zs_buffer_append_byte(out, ' ');
    if (rc == ZS_OK)
        rc = zs_buffer_append(out, piece, n);
    return rc;
}

static int append_tokens(
    struct zs_buffer *out, const char *text, struct zsql_span span, bool *is_apart)
{
    uint32_t at = span.start;
    int rc = ZS_OK;

    while (rc == ZS_OK && at < span.end) {
        struct zsql_token token = zsql_lex(text, at);
        *is_apart = *is_apart || token.start > at;
        if (token.kind == TK_END_OF_TEXT || token.start >= span.end)
            return ZS_OK;
        rc = put(out, text + token.start, token.end - token.start, *is_apart);
        at = token.end;
        *is_apart = false;
    }
    return rc;
}

int zsql_text_append_piece(struct zs_buffer *out, const char *piece, bool is_apart)
{
    return *piece == '\0' ? ZS_OK : put(out, piece, strlen(piece), is_apart);
}

int zsql_text_append_span(struct zs_buffer *out, const char *text,
    const struct zsql_edits *edits, struct zsql_span span, bool *is_apart)
{
    size_t n = edits == NULL ? 0 : edits->list.n;
    int rc = ZS_OK;

    for (size_t i = n == 0 ? 0 : zsql_edits_from(edits, span.start); rc == ZS_OK && i < n;
         i++) {
        const struct zsql_edit *edit = edits->list.items[i];

        if (edit->span.start >= span.end)
            break;
        if (edit->span.start < span.start || edit->span.end > span.end)
            continue; /* within what another has replaced, or of more than this */
        rc = append_tokens(
            out, text, (struct zsql_span){span.start, edit->span.start}, is_apart);
        if (rc == ZS_OK && *edit->text != '\0') {
            rc = zsql_text_append_piece(out, edit->text, *is_apart);
            *is_apart = false;
        }
        span.start = edit->span.end;
    }
    return rc == ZS_OK ? append_tokens(out, text, span, is_apart) : rc;
}

char *zsql_text_copy_edited(struct zsql_arena *arena, const char *text,
    const struct zsql_edits *edits, struct zsql_span span)
{
    struct zs_buffer out;
    char *copy = NULL;
    bool is_apart = false;

    zs_buffer_init(&out, zsql_arena_table(arena));
    if (zsql_text_append_span(&out, text, edits, span, &is_apart) == ZS_OK)
        copy = zsql_arena_copy(arena, (const char *)out.data, out.len);
    zs_buffer_clear(&out);
    return copy;
}

char *zsql_text_apply(struct zsql_arena *arena, const char *text, struct zsql_edits *edits)
{
    zsql_edits_sort(edits);
    return zsql_text_copy_edited(
        arena, text, edits, (struct zsql_span){0, (uint32_t)strlen(text)});
}

char *zsql_text_copy(struct zsql_arena *arena, const char *text, struct zsql_span span)
{
    return zsql_text_copy_edited(arena, text, NULL, span);
}

char *zsql_text_quote(struct zsql_arena *arena, const char *text, struct zsql_span span)
{
    char *copy = zsql_text_copy(arena, text, span);
    size_t end = QUOTE_LENGTH;

    if (copy == NULL || strlen(copy) <= QUOTE_LENGTH)
        return copy;
    while (end > 0 && ((unsigned char)copy[end] & 0xc0) == 0x80)
        end--; /* not within a character */
    memcpy(copy + end, "...", 4);
    return copy;
}

struct writer {
    struct zs_buffer out;
    struct zsql_arena *arena;
    const char *text;
    const struct zsql_edits *edits;
    zsql_replace_fn *replace;
    void *ctx;
    bool is_apart; /* a blank must come before the next piece */
};

/* A piece that is not from the text. */
static int write_piece(struct writer *writer, const char *piece)
{
    bool is_apart = writer->is_apart;

    writer->is_apart = false;
    return zsql_text_append_piece(&writer->out, piece, is_apart);
}

static int write_expr(
    struct writer *writer, struct zsql_expr *expr, enum zsql_sight sight, bool is_whole);

/* What a comparison sees of its operand i. */
static enum zsql_sight compared_sight(const struct zsql_expr *expr, size_t i)
{
    for (size_t j = 0; j < expr->operands.n; j++) {
        if (j != i && !zsql_expr_is_literal(expr->operands.items[j]))
            return ZSQL_SEES_ALL;
    }
    return ZSQL_SEES_COLUMN;
}

/* CASE x WHEN y THEN ...: x and y are compared. */
static bool is_compared_by_case(const struct zsql_expr *expr, size_t i)
{
    bool is_else = expr->has_else && i + 1 == expr->operands.n;
    return expr->has_base && (i == 0 || (i % 2 == 1 && !is_else));
}

static bool is_collated_function(const struct zsql_expr *call)
{
    return zsql_same_name(call->name.text, "min") || zsql_same_name(call->name.text, "max") ||
           zsql_same_name(call->name.text, "nullif");
}

/* min, max and nullif compare by the first collation that an argument has. */
static enum zsql_sight function_sight(const struct zsql_expr *call, size_t i)
{
    enum zsql_sight sight = compared_sight(call, i);
    return sight == ZSQL_SEES_ALL && call->operands.n > 2 ? ZSQL_SEES_ORDER : sight;
}

/* What is seen of operand i of a node that is itself seen so. */
static enum zsql_sight operand_sight(
    const struct zsql_expr *expr, size_t i, enum zsql_sight sight)
{
    enum zsql_sight through = sight == ZSQL_UNSEEN ? ZSQL_UNSEEN : ZSQL_SEES_COLLATE;

    switch (expr->kind) {
    case ZSQL_UNARY:
        return expr->op == ZSQL_OP_PLUS ? sight : through;
    case ZSQL_COLLATE:
        return sight;
    case ZSQL_CAST: /* makes text of a rowid, which has no collation */
        return sight == ZSQL_SEES_ALL ? ZSQL_SEES_ORDER : sight;
    case ZSQL_BINARY:
        return expr->op >= ZSQL_OP_EQUAL && expr->op <= ZSQL_OP_GREATER_EQUAL
                   ? compared_sight(expr, i)
                   : through;
    case ZSQL_BETWEEN:
        return compared_sight(expr, i);
    case ZSQL_IN_LIST: /* the value's affinity and collation decide alone */
        return i == 0 ? ZSQL_SEES_COLUMN : through;
    case ZSQL_IN_SELECT:
    case ZSQL_IN_TABLE:
    case ZSQL_ROW:
        return ZSQL_SEES_ALL;
    case ZSQL_CASE:
        return is_compared_by_case(expr, i) ? ZSQL_SEES_ALL : through;
    case ZSQL_CALL:
        return is_collated_function(expr) ? function_sight(expr, i) : through;
    default:
        return through;
    }
}

/* What hangs on a node, in the order of the text: operands, terms of ORDER BY within, FILTER.
** NULL behind the last; *sight goes from what is seen of the node to what is of it. */
static struct zsql_expr *part_of(struct zsql_expr *expr, size_t i, enum zsql_sight *sight)
{
    const struct zsql_term *term;

    if (i < expr->operands.n) {
        *sight = operand_sight(expr, i, *sight);
        return expr->operands.items[i];
    }
    i -= expr->operands.n;
    if (expr->call == NULL || i > expr->call->order.n)
        return NULL;
    if (i == expr->call->order.n) {
        *sight = ZSQL_UNSEEN;
        return expr->call->filter;
    }
    term = expr->call->order.items[i];
    *sight = ZSQL_SEES_ALL;
    return term->expr;
}

static int write_operands(struct writer *writer, struct zsql_expr *expr, enum zsql_sight sight)
{
    enum zsql_sight seen = sight;
    uint32_t at = expr->span.start;
    struct zsql_expr *operand = part_of(expr, 0, &seen);
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && operand != NULL; i++) {
        rc = zsql_text_append_span(&writer->out, writer->text, writer->edits,
            (struct zsql_span){at, operand->span.start}, &writer->is_apart);
        if (rc == ZS_OK)
            rc = write_expr(writer, operand, seen, false);
        at = operand->span.end;
        seen = sight;
        operand = part_of(expr, i + 1, &seen);
    }
    if (rc == ZS_OK)
        rc = zsql_text_append_span(&writer->out, writer->text, writer->edits,
            (struct zsql_span){at, expr->span.end}, &writer->is_apart);
    return rc;
}

static int write_expr(
    struct writer *writer, struct zsql_expr *expr, enum zsql_sight sight, bool is_whole)
{
    const char *replacement = NULL;
    struct zsql_expr *target = zsql_bound_target(expr);
    int rc = writer->replace == NULL
                 ? ZS_OK
                 : writer->replace(writer->ctx, target, sight, &replacement);

    if (rc != ZS_OK)
        return rc;
    if (replacement != NULL)
        return write_piece(writer, replacement);
    if (expr != target) {
        rc = is_whole ? ZS_OK : write_piece(writer, "(");
        if (rc == ZS_OK)
            rc = write_expr(writer, target, sight, true);
        return rc == ZS_OK && !is_whole ? write_piece(writer, ")") : rc;
    }
    if (expr->binding == ZSQL_TEXT) {
        replacement = zsql_text_quoted(writer->arena, expr->name.text, '\'');
        return replacement != NULL ? write_piece(writer, replacement) : ZS_NOMEM;
    }
    if (expr->kind == ZSQL_IN_LIST && expr->operands.n == 1) /* x IN () does not look at x */
        return write_piece(writer, expr->is_negated ? "(0 NOT IN ())" : "(0 IN ())");
    return write_operands(writer, expr, sight);
}

int zsql_text_write(struct zsql_arena *arena, const char *text, const struct zsql_edits *edits,
    struct zsql_expr *expr, zsql_replace_fn *replace, void *ctx, const char **written)
{
    struct writer writer = {
        .arena = arena, .text = text, .edits = edits, .replace = replace, .ctx = ctx};
    int rc;

    *written = NULL;
    zs_buffer_init(&writer.out, zsql_arena_table(arena));
    rc = write_expr(&writer, expr, ZSQL_UNSEEN, true);
    if (rc == ZS_OK) {
        *written = zsql_arena_copy(arena, (const char *)writer.out.data, writer.out.len);
        rc = *written != NULL ? ZS_OK : ZS_NOMEM;
    }
    zs_buffer_clear(&writer.out);
    return rc;
}
