/* distinct: weight 1 for the elements whose integrated weight is positive, nothing for
** others.
**
** Not linear: its state is the integral of its input, which it looks at for the elements
** that a delta touches. Weights may be negative meanwhile, and count once they are positive
** again. */
#ifndef ZS_DISTINCT_H
#define ZS_DISTINCT_H

#include "core/batch.h"
#include "core/trace.h"

/* The operator, usable without a circuit. Borrows everything. */
struct zs_distinct {
    const struct zs_alloc *alloc;
    struct zs_trace *trace; /* the integral of the input's rows */
};

/* Adds to out +1 for each element that comes to be positive and -1 for each that ceases to
** be, and delta's errors; delta's rows are consolidated. ZS_OVERFLOW where a weight leaves
** 64 bits. On error out holds anything, and the trace is as the transaction that the caller
** opened will find it. O(elements touched * log elements). */
ZS_CHECKED int zs_distinct_step(
    const struct zs_distinct *distinct, const struct zs_delta *delta, struct zs_delta *out);

#endif
