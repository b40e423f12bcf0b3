/* Cutting a text at its separators and joining the sorted pieces. An element that holds a
** separator is cut too, in every order into the same pieces. */
#include "tests/diff_pieces.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/diff_text.h"

struct piece {
    const uint8_t *data;
    size_t n;
};

static int compare(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order = memcmp(x->data, y->data, x->n < y->n ? x->n : y->n);
    return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

/* Where the separator begins that ends the piece at text; n where none does. */
static size_t piece_end(const uint8_t *text, size_t n, char letter)
{
    unsigned depth = 0;
    bool is_quoted = false;

    for (size_t i = 0; i < n; i++) {
        if (letter == 'J' && is_quoted && text[i] == '\\')
            i++;
        else if (letter == 'J' && text[i] == '"')
            is_quoted = !is_quoted;
        else if (letter == 'J' && !is_quoted && strchr("[{", text[i]) != NULL && text[i] != 0)
            depth++;
        else if (letter == 'J' && !is_quoted && strchr("]}", text[i]) != NULL && text[i] != 0)
            depth--;
        else if (text[i] == ',' && !is_quoted && depth == 0 &&
                 (letter != 'H' || (i + 1 < n && text[i + 1] == ' ')))
            return i;
    }
    return n;
}

void diff_pieces_sort(uint8_t *text, size_t n, char letter)
{
    size_t separator = letter == 'H' ? 2 : 1, n_pieces = 0;

    if (letter == 'J' && n < 2)
        return;
    if (letter == 'J') { /* between the brackets */
        text++;
        n -= 2;
    }
    if (n == 0)
        return;
    uint8_t *copy = diff_resize(NULL, n);
    struct piece *pieces = diff_resize(NULL, (n + 1) * sizeof *pieces);
    memcpy(copy, text, n);
    for (size_t at = 0; at <= n; at += pieces[n_pieces++].n + separator)
        pieces[n_pieces] = (struct piece){copy + at, piece_end(copy + at, n - at, letter)};
    qsort(pieces, n_pieces, sizeof *pieces, compare);
    for (size_t i = 0; i < n_pieces; i++) {
        memcpy(text, pieces[i].data, pieces[i].n);
        text += pieces[i].n;
        if (i + 1 < n_pieces)
            memcpy(text, ", ", separator);
        text += separator;
    }
    free(pieces);
    free(copy);
}
