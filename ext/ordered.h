/* Rows in an order: those of a statement that gives them so, and what is pending of a result. */
#ifndef LS_ORDERED_H
#define LS_ORDERED_H

#include "core/batch.h"
#include "ext/encoder.h"
#include "ext/result.h"

struct ls_ordered {
    struct ls_encoder encoder; /* of the order's keys */
    struct zs_batch *pending;  /* the pending rows under their keys, ascending */
    size_t at;                 /* the first that was not given out */
    struct zs_buffer key;      /* of the statement's row */
};

/* Takes what is pending of a result, after ls_result_show. Of no pending rows nothing is made. On
** error, too, ls_ordered_clear frees it. ZS_NOMEM, ZS_OK. */
ZS_CHECKED int ls_ordered_begin(struct ls_ordered *ordered, const struct zsql_order *order,
    size_t n, size_t n_columns, int utf16, const struct ls_result *result);
void ls_ordered_clear(struct ls_ordered *ordered); /* accepts a zeroed one */

/* The next pending row, NULL where none is left. */
const struct zs_item *ls_ordered_next(const struct ls_ordered *ordered);

/* Does it come before a row of the statement? */
ZS_CHECKED int ls_ordered_is_before(struct ls_ordered *ordered, struct zs_bytes row, bool *is);

#endif
