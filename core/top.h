/* top: of all rows in their order, those behind the first offset, at most limit of them.
**
** The order is that of the elements' bytes: by key, made by zs_row_append_order where rows of
** SQL values are meant, and then by value, so that which of equal keys come first is certain.
** An element of weight n takes n places; one whose weight is not positive has none.
**
** Not linear: its state is the integral of its input, which it reads from the start up to the
** end of what it shows, before and after the delta.
**
** Of that it needs only the first elements, up to a floor, which is an element: as long as these
** have rows enough for all that is shown, what comes behind them makes no difference, and is
** neither kept nor missed. Where more of them have gone than are left, the state is to be filled
** anew. */
#ifndef ZS_TOP_H
#define ZS_TOP_H

#include "core/cells.h"
#include "core/row.h"
#include "core/trace.h"

/* The operator, usable without a circuit. Borrows everything. */
struct zs_top {
    const struct zs_alloc *alloc;
    struct zs_trace *trace; /* the integral of the input's rows, up to the floor */
    int64_t offset;         /* not negative */
    int64_t limit;          /* negative: none */
    struct zs_cells *floor; /* with one cell, where there is a floor; NULL: there is none */
};

/* Adds to out what the rows shown gain and lose, and delta's errors; delta's rows are
** consolidated. ZS_OVERFLOW where a weight leaves 64 bits, ZS_EXHAUSTED, ZS_CORRUPT of a floor.
** On error out holds anything, and the trace is as the transaction that the caller opened will
** find it. O(elements touched * log elements + offset + limit); without a limit, + offset. */
ZS_CHECKED int zs_top_step(
    const struct zs_top *top, const struct zs_delta *delta, struct zs_delta *out);

/* Adds to out what is shown of rows of which head has the first, in their order, as many as
** offset and limit take, or all. There is a limit. ZS_NOMEM. */
ZS_CHECKED int zs_top_show(
    const struct zs_top *top, const struct zs_batch *head, struct zs_batch *out);

/* Up to where the places end that are shown, counted from the first; INT64_MAX without a
** limit. */
int64_t zs_top_end(const struct zs_top *top);

/* Whoever fills the trace says that it has no elements behind this one, though there may be
** such. They must not be fewer than are shown. */
ZS_CHECKED int zs_top_set_floor(const struct zs_top *top, const struct zs_item *last);

/* A term of ORDER BY. */
struct zs_order {
    enum zs_collation collation;
    bool is_descending;
    bool has_nulls_last;
};

/* Appends a value to a key, so that memcmp orders keys of the same terms as ORDER BY does; no
** key is a proper prefix of another. ZS_NOMEM leaves the buffer as it was. O(length). */
ZS_CHECKED int zs_row_append_order(
    struct zs_buffer *key, const struct zs_value *value, const struct zs_order *order);

#endif
