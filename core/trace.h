/* A trace: the integral of a keyed delta, operator state behind apply, lookup and range. An
** interface that a user of the library can implement, and an implementation in memory. */
#ifndef ZS_TRACE_H
#define ZS_TRACE_H

#include "core/batch.h"
#include "core/cells.h"

struct zs_trace;

/* Is shown an element, with the item whose key it has. All is borrowed until it returns. Must
** not use the trace. */
typedef int zs_trace_visit(
    void *ctx, const struct zs_item *item, const struct zs_item *element);

/* A method that fails leaves the trace unchanged. Transactions are as for cells. Methods that
** read add to out, which they do not consolidate and which holds a part of the items after an
** error; the items come in ascending order. limit > 0 reads at most so many from the start,
** limit < 0 at most -limit from the end, 0 reads all. */
struct zs_trace_methods {
    /* Adds weight to (key, value); an element whose weight becomes 0 is gone. ZS_OVERFLOW. */
    int (*apply)(
        struct zs_trace *trace, struct zs_bytes key, struct zs_bytes value, int64_t weight);
    /* The elements of one key, values within the span. */
    int (*lookup)(struct zs_trace *trace, struct zs_bytes key, struct zs_span values,
        int64_t limit, struct zs_batch *out);
    /* The elements of all keys within the span. */
    int (*range)(
        struct zs_trace *trace, struct zs_span keys, int64_t limit, struct zs_batch *out);
    int (*begin)(struct zs_trace *trace);
    void (*commit)(struct zs_trace *trace);
    void (*rollback)(struct zs_trace *trace);
    void (*free)(struct zs_trace *trace);
    /* May be NULL: what zs_trace_update (with before, which may be NULL) and zs_trace_match do,
    ** faster. */
    int (*update)(
        struct zs_trace *trace, const struct zs_item *items, size_t n, int64_t *before);
    int (*match)(struct zs_trace *trace, const struct zs_item *items, size_t n,
        zs_trace_visit *visit, void *ctx);
};

/* The first member of every implementation. */
struct zs_trace {
    const struct zs_trace_methods *methods;
};

static inline int zs_trace_apply(
    struct zs_trace *trace, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    return trace->methods->apply(trace, key, value, weight);
}

static inline int zs_trace_lookup(struct zs_trace *trace, struct zs_bytes key,
    struct zs_span values, int64_t limit, struct zs_batch *out)
{
    return trace->methods->lookup(trace, key, values, limit, out);
}

static inline int zs_trace_range(
    struct zs_trace *trace, struct zs_span keys, int64_t limit, struct zs_batch *out)
{
    return trace->methods->range(trace, keys, limit, out);
}

/* Applies the items, from the first to the last; they need not be in order, but it is faster
** then. An error leaves the trace as the transaction that the caller opened will find it. */
ZS_CHECKED int zs_trace_apply_all(
    struct zs_trace *trace, const struct zs_item *items, size_t n);

/* The same; and before[i] is what the weight of item i's element was before it was applied.
** ZS_NOMEM. */
ZS_CHECKED int zs_trace_update(struct zs_trace *trace, const struct zs_alloc *alloc,
    const struct zs_item *items, size_t n, int64_t *before);

/* For each item, from the first to the last, shows visit the elements that have its key, in
** ascending order, until visit fails. Faster where the items are in order. ZS_NOMEM. */
ZS_CHECKED int zs_trace_match(struct zs_trace *trace, const struct zs_alloc *alloc,
    const struct zs_item *items, size_t n, zs_trace_visit *visit, void *ctx);

static inline int zs_trace_begin(struct zs_trace *trace)
{
    return trace->methods->begin(trace);
}

static inline void zs_trace_commit(struct zs_trace *trace)
{
    trace->methods->commit(trace);
}

static inline void zs_trace_rollback(struct zs_trace *trace)
{
    trace->methods->rollback(trace);
}

static inline void zs_trace_free(struct zs_trace *trace)
{
    if (trace != NULL)
        trace->methods->free(trace);
}

/* The span of everything, and of everything that begins with prefix: there from borrows prefix,
** and to is written to end, which the caller keeps while the span is used; ZS_NOMEM. */
struct zs_span zs_span_all(void);
ZS_CHECKED int zs_span_prefix(
    struct zs_bytes prefix, struct zs_buffer *end, struct zs_span *span);

/* A trace in memory, with any keys and bounds. apply is O(log n), reading O(log n) an item. */
ZS_CHECKED int zs_memory_trace_new(const struct zs_alloc *alloc, struct zs_trace **trace);

/* A trace over any cells, which it borrows; the transaction calls of the trace are those of the
** cells. Keys must be self-delimiting (none a proper prefix of another), as comparison-encoded
** rows of one width are, and the bounds of a range whole keys or beginnings of keys. Traces and
** other users of the same cells are kept apart by their tags, the first byte of a cell's key
** (trace_cells.h has the format). */
ZS_CHECKED int zs_cells_trace_new(
    const struct zs_alloc *alloc, struct zs_cells *cells, uint8_t tag, struct zs_trace **trace);

/* Writes the cell that a trace over cells would have of an item if it were empty, into key and
** value, anew: for who puts it there by another way. ZS_NOMEM. */
ZS_CHECKED int zs_cells_trace_write(const struct zs_trace *trace, const struct zs_item *item,
    struct zs_buffer *key, struct zs_buffer *value);

#endif
