/* Sorting the items of a batch by (key, value). */
#ifndef ZS_SORT_H
#define ZS_SORT_H

#include "core/batch.h"

/* memcmp order of the key, then of the value. */
int zs_item_compare(const struct zs_item *a, const struct zs_item *b);

/* Puts the items in ascending order; equal elements come in any order. ZS_NOMEM leaves
** them as they are. At most O(n log n) comparisons, and O(n) memory where n is not small. */
ZS_CHECKED int zs_items_sort(const struct zs_alloc *alloc, struct zs_item *items, size_t n);

#endif
