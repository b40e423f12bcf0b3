/* Sorting elements (key, value) by small ranks of them, which hold a few of their bytes.
** Private to core/. */
#ifndef ZS_RANK_H
#define ZS_RANK_H

#include "core/buffer.h"

struct zs_rank {
    uint64_t window;     /* while sorting: bytes of the element; then an enum zs_likeness */
    const void *element; /* borrowed */
};

/* What the element before, in the order, has in common with one. */
enum zs_likeness { ZS_OTHER, ZS_SAME_KEY, ZS_SAME };

/* The key of an element, or its value. */
typedef struct zs_bytes zs_part_fn(const void *element, bool is_value);

/* Puts ranks, whose windows need not be set, in ascending order: memcmp's of the keys, then of
** the values. Equal elements come in any order. At most O(n log n) comparisons, mostly O(n)
** steps. */
void zs_ranks_sort(struct zs_rank *ranks, size_t n, zs_part_fn *part);

#endif
