/* Edits of a text: spans of it, and what stands there instead. */
#ifndef ZSQL_EDIT_H
#define ZSQL_EDIT_H

#include "sql/ast.h"

/* Of no length: text is put in before the token that begins there. */
struct zsql_edit {
    struct zsql_span span;
    const char *text; /* borrowed; "" drops the span */
};

/* Spans begin and end with tokens. Of two that overlap one is within the other, and is not
** made. */
struct zsql_edits {
    struct zsql_list list; /* of struct zsql_edit */
};

ZS_CHECKED int zsql_edits_add(struct zsql_arena *arena, struct zsql_edits *edits,
    struct zsql_span span, const char *text);

/* Drops INDEXED BY name or NOT INDEXED behind a table's name and alias, where it stands. */
ZS_CHECKED int zsql_edits_drop_hint(struct zsql_arena *arena, const char *text,
    struct zsql_edits *edits, const struct zsql_from *from);

/* A copy that may be added to, in the same arena; the edits themselves are shared. */
ZS_CHECKED int zsql_edits_copy(
    struct zsql_arena *arena, const struct zsql_edits *edits, struct zsql_edits *copy);

/* Puts them in the order of the text: before they are used, after the last was added. */
void zsql_edits_sort(struct zsql_edits *edits);

/* The index of the first edit that begins at or behind a place in the text. O(log n). */
size_t zsql_edits_from(const struct zsql_edits *edits, uint32_t at);

#endif
