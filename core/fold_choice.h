/* Which row's values stand for a group: one where an argument is the least or the greatest.
** Those of all rows are kept in the multiset, as elements in the order of the argument.
** Private to fold*.c. */
#ifndef ZS_FOLD_CHOICE_H
#define ZS_FOLD_CHOICE_H

#include "core/fold.h"
#include "core/fold_values.h"

struct zs_choice_plan {
    enum zs_choice choice;
    unsigned argument;
    enum zs_collation collation;
};

/* Appends the element of an item's row, whose arguments begin at at. */
ZS_CHECKED int zs_choice_append(const struct zs_choice_plan *plan, struct zs_bytes row,
    size_t at, struct zs_buffer *element);

/* Writes the values of the row that the multiset now chooses to keys, which borrows from values
** until their next use. ZS_CORRUPT where there is none. O(log n). */
ZS_CHECKED int zs_choice_find(
    const struct zs_choice_plan *plan, struct zs_values *values, struct zs_bytes *keys);

#endif
