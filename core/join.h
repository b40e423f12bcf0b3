/* Join: the pairs of elements of two streams that have equal keys.
**
** Bilinear: of the deltas da and db and the integrals before them, a and b, it makes
** da x b + a x db + da x db. So the integral of its output is the join of the integrals of its
** inputs. Its state is those two integrals. */
#ifndef ZS_JOIN_H
#define ZS_JOIN_H

#include "core/batch.h"
#include "core/trace.h"

/* Writes the key and value of a pair (both come empty). Equal images add their weights. */
typedef int zs_join_fn(void *ctx, struct zs_bytes key, struct zs_bytes left,
    struct zs_bytes right, struct zs_buffer *out_key, struct zs_buffer *out_value);

/* The operator, usable without a circuit. Borrows everything. */
struct zs_join {
    const struct zs_alloc *alloc;
    zs_join_fn *fn;
    void *ctx;
    struct zs_trace *left;  /* the integral of the left input's rows */
    struct zs_trace *right; /* and of the right one's: another trace */
};

/* Adds to out what the pairs' weights, which are the products of those of their elements,
** change by, and both deltas' errors; the deltas' rows are consolidated. ZS_OVERFLOW where a
** product or a weight of the traces leaves 64 bits. On error out holds anything, and the
** traces are as the transaction that the caller opened will find them. O(keys touched * log
** elements + pairs). */
ZS_CHECKED int zs_join_step(const struct zs_join *join, const struct zs_delta *left,
    const struct zs_delta *right, struct zs_delta *out);

#endif
