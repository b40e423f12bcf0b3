/* Sorting the items of a batch by (key, value). */
#ifndef ZS_SORT_H
#define ZS_SORT_H

#include "core/batch.h"

/* memcmp order of the key, then of the value. */
int zs_item_compare(const struct zs_item *a, const struct zs_item *b);

/* Puts the items in ascending order. Equal elements come in any order and then share their
** bytes: their keys and values have the same addresses. ZS_NOMEM leaves the elements as they
** are. At most O(n log n) comparisons, and O(n) memory where n is not small. */
ZS_CHECKED int zs_items_sort(const struct zs_alloc *alloc, struct zs_item *items, size_t n);

/* Of two items next to each other after sorting: are they the same element? Looks at no
** byte. */
bool zs_item_is_repeated(const struct zs_item *a, const struct zs_item *b);

#endif
