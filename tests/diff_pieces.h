/* The elements of what group_concat and its family make, in one order for all orders. */
#ifndef DIFF_PIECES_H
#define DIFF_PIECES_H

#include <stddef.h>
#include <stdint.h>

/* Puts the pieces of text into ascending order, in place; letter says what separates them:
** G a comma, H a comma and a space, J the commas of a JSON array or object. */
void diff_pieces_sort(uint8_t *text, size_t n, char letter);

#endif
