/* The integral of a stream: the sum of its deltas, rows and errors, in two traces. */
#ifndef ZS_INTEGRAL_H
#define ZS_INTEGRAL_H

#include "core/batch.h"
#include "core/trace.h"

/* Borrows both. */
struct zs_integral {
    struct zs_trace *rows;
    struct zs_trace *errors; /* NULL: dropped */
};

/* ZS_OVERFLOW where a weight leaves 64 bits. On error the traces are as the transaction that
** the caller opened will find them. O(delta * log integral). */
ZS_CHECKED int zs_integral_add(
    const struct zs_integral *integral, const struct zs_delta *delta);

/* Adds the whole of it to out. On error out holds anything. */
ZS_CHECKED int zs_integral_read(const struct zs_integral *integral, struct zs_delta *out);

#endif
