/* Text out of text: the user's own tokens, with some expressions replaced.
**
** What is written is the tokens of the span, one blank where there was any space or a comment
** between two of them, so that no comment is left to swallow what follows. */
#ifndef ZSQL_TEXT_H
#define ZSQL_TEXT_H

#include "core/buffer.h"
#include "sql/ast.h"
#include "sql/edit.h"

/* Are two names equal, as SQL compares them: ASCII letters without regard to case? */
bool zsql_same_name(const char *a, const char *b);

/* printf into the arena; NULL without memory. */
char *zsql_text_format(struct zsql_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A value between quotes, in which they are doubled; NULL without memory. */
char *zsql_text_quoted(struct zsql_arena *arena, const char *value, char quote);

/* Appends a piece that is not from the text. It is kept apart from what is there by a blank
** where is_apart says so, and where the two would make one word. */
ZS_CHECKED int zsql_text_append_piece(struct zs_buffer *out, const char *piece, bool is_apart);

/* Appends the tokens of text in span, with the edits that lie in it made (NULL: none).
** *is_apart says whether there was space before, and then whether there is space after the last
** token. */
ZS_CHECKED int zsql_text_append_span(struct zs_buffer *out, const char *text,
    const struct zsql_edits *edits, struct zsql_span span, bool *is_apart);

/* The same with edits made, in the arena; NULL without memory. */
char *zsql_text_copy_edited(struct zsql_arena *arena, const char *text,
    const struct zsql_edits *edits, struct zsql_span span);

/* The whole text with edits made, which it sorts; in the arena, NULL without memory. */
char *zsql_text_apply(struct zsql_arena *arena, const char *text, struct zsql_edits *edits);

/* The tokens of text in span, in the arena; NULL without memory. */
char *zsql_text_copy(struct zsql_arena *arena, const char *text, struct zsql_span span);

/* The same for people: not more than about 40 bytes of it. */
char *zsql_text_quote(struct zsql_arena *arena, const char *text, struct zsql_span span);

/* How much of an operand's affinity and collation the operators above it can see. */
enum zsql_sight {
    ZSQL_UNSEEN,       /* nothing: only its value counts */
    ZSQL_SEES_COLLATE, /* a COLLATE operator within it, which SQLite finds through anything */
    ZSQL_SEES_COLUMN,  /* it is compared with literals: affinity and collation, none or not */
    ZSQL_SEES_ALL,     /* it is compared: also that it has no affinity or no collation */
    ZSQL_SEES_ORDER,   /* ... and whether it or a later one is the first with a collation */
};

/* What stands for an expression: NULL in *text leaves it as it is written, its operands being
** asked in turn. The text lives as long as the arena. */
typedef int zsql_replace_fn(
    void *ctx, struct zsql_expr *expr, enum zsql_sight sight, const char **text);

/* Writes an expression: replaced where replace, unless it is NULL, says so, aliases by what they stand for, "..."
** that names nothing as '...'. The result is in the arena. */
ZS_CHECKED int zsql_text_write(struct zsql_arena *arena, const char *text,
    const struct zsql_edits *edits, struct zsql_expr *expr, zsql_replace_fn *replace, void *ctx,
    const char **written);

#endif
