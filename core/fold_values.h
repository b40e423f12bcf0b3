/* The values of one group that a fold keeps in the multiset, under the key (group, slot). A
** value stands there as an element: bytes that sort as the fold wants them, never empty, none
** a proper prefix of another. Private to fold*.c. */
#ifndef ZS_FOLD_VALUES_H
#define ZS_FOLD_VALUES_H

#include "core/trace.h"

struct zs_values {
    struct zs_trace *trace; /* borrowed */
    struct zs_batch *found;
    struct zs_buffer key;
    struct zs_buffer bound;
};

/* ZS_MISUSE where trace is NULL. Close it whatever open returns. */
ZS_CHECKED int zs_values_open(struct zs_values *values, const struct zs_alloc *alloc,
    struct zs_trace *trace, struct zs_bytes group, unsigned slot);
void zs_values_close(struct zs_values *values);

ZS_CHECKED int zs_values_apply(
    struct zs_values *values, struct zs_bytes element, int64_t weight);

/* Adds all elements to out, ascending, under one key. */
ZS_CHECKED int zs_values_all(struct zs_values *values, struct zs_batch *out);

/* 0 where the element is absent. */
ZS_CHECKED int zs_values_weight(
    struct zs_values *values, struct zs_bytes element, int64_t *weight);

/* The first or last of the elements that begin with prefix, borrowed until the next call; empty
** where there is none. A weight that is not positive is ZS_CORRUPT. */
ZS_CHECKED int zs_values_end(struct zs_values *values, struct zs_bytes prefix, bool is_first,
    struct zs_bytes *element, int64_t *weight);

#endif
