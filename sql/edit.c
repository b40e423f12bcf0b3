/* Edits of a text, as a sorted list. */
#include "sql/edit.h"

#include <stdlib.h>

#include "sql/lex.h"

int zsql_edits_add(
    struct zsql_arena *arena, struct zsql_edits *edits, struct zsql_span span, const char *text)
{
    struct zsql_edit *edit = zsql_arena_get(arena, sizeof(*edit));

    if (edit == NULL)
        return ZS_NOMEM;
    *edit = (struct zsql_edit){span, text};
    return zsql_list_append(arena, &edits->list, edit);
}

int zsql_edits_drop_hint(struct zsql_arena *arena, const char *text, struct zsql_edits *edits,
    const struct zsql_from *from)
{
    uint32_t at = zsql_from_end(from);
    uint32_t start = zsql_lex(text, at).start;
    uint32_t end = from->indexed_by.span.end;

    if (!from->is_not_indexed && from->indexed_by.text == NULL)
        return ZS_OK;
    if (from->is_not_indexed)
        end = zsql_lex(text, zsql_lex(text, start).end).end;
    return zsql_edits_add(arena, edits, (struct zsql_span){start, end}, "");
}

int zsql_edits_copy(
    struct zsql_arena *arena, const struct zsql_edits *edits, struct zsql_edits *copy)
{
    int rc = ZS_OK;

    *copy = (struct zsql_edits){{NULL, 0, 0}};
    for (size_t i = 0; rc == ZS_OK && i < edits->list.n; i++)
        rc = zsql_list_append(arena, &copy->list, edits->list.items[i]);
    return rc;
}

/* What is put in stands before what replaces the token there; of what replaces the longest
** comes first. */
static int compare(const void *a, const void *b)
{
    const struct zsql_edit *const *left = a;
    const struct zsql_edit *const *right = b;
    int order = ((*left)->span.start > (*right)->span.start) -
                ((*left)->span.start < (*right)->span.start);

    if (order != 0)
        return order;
    if ((*left)->span.end == (*left)->span.start || (*right)->span.end == (*right)->span.start)
        return ((*left)->span.end > (*right)->span.end) -
               ((*left)->span.end < (*right)->span.end);
    return ((*left)->span.end < (*right)->span.end) - ((*left)->span.end > (*right)->span.end);
}

void zsql_edits_sort(struct zsql_edits *edits)
{
    if (edits->list.n > 0)
        qsort(edits->list.items, edits->list.n, sizeof(*edits->list.items), compare);
}

size_t zsql_edits_from(const struct zsql_edits *edits, uint32_t at)
{
    size_t low = 0, high = edits->list.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct zsql_edit *edit = edits->list.items[middle];

        if (edit->span.start < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
