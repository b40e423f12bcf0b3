/* A walk over what is pending of a result: all of it, or what lies within spans of an order. */
#ifndef LS_PENDING_H
#define LS_PENDING_H

#include "ext/result.h"

enum { LS_MOST_SPANS = 2 };

struct ls_pending {
    const struct ls_result *result; /* NULL: there is nothing to walk over */
    int order;                      /* its number */
    struct {
        struct zs_buffer from, to; /* keys as ls_result_walk has them; to is exclusive, and no
                                      bound where it is empty */
    } spans[LS_MOST_SPANS];        /* ascending, without a key in common */
    int n_spans;
    int at; /* the span that the walk is in */
    /* The row that the walk stands on, borrowed from those that were read ahead. */
    bool is_at_end;
    struct zs_bytes key;
    struct zs_bytes row;
    int64_t weight;
    struct zs_buffer ahead; /* pending.c tells its form; read up to next */
    size_t next;
    unsigned n_ahead, most_ahead;
    bool is_span_done;      /* all of its rows have been read */
    struct zs_buffer other; /* in the making */
};

void ls_pending_init(struct ls_pending *pending);
void ls_pending_clear(struct ls_pending *pending);

/* Sets the walk over all of an order of a result that is shown; or over nothing, of NULL. spans
** may be made narrower before the first step. ZS_NOMEM. */
ZS_CHECKED int ls_pending_begin(
    struct ls_pending *pending, const struct ls_result *result, int order);

/* To the first row, or the next; what was borrowed of the last one is no more. ZS_NOMEM. */
ZS_CHECKED int ls_pending_next(struct ls_pending *pending);

/* Does the row that it stands on come before another, in its order? */
ZS_CHECKED int ls_pending_is_before(struct ls_pending *pending, struct zs_bytes row, bool *is);

#endif
