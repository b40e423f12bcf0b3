/* A build of a view that shows the first rows of many: they all are kept by their order, in a
** trace. They are gathered and sorted as they come, and go there past the circuit. */
#ifndef LS_BUILD_TOP_H
#define LS_BUILD_TOP_H

#include "core/pile.h"
#include "ext/fill.h"
#include "ext/pipeline_private.h"

struct ls_build_top {
    struct ls_pipeline *pipeline; /* borrowed, whose last operator it is; likewise: */
    struct ls_fill *fill;
    struct zs_pile *rows;
    size_t first;                /* of those that are being written */
    struct zs_buffer key, value; /* of a cell */
};

/* Forgets what was there; and frees. */
ZS_CHECKED int ls_build_top_begin(
    struct ls_build_top *top, struct ls_pipeline *pipeline, struct ls_fill *fill);
void ls_build_top_end(struct ls_build_top *top); /* accepts one that is zeroed */

/* Adds a row, n times, under its order. ZS_NOMEM. */
ZS_CHECKED int ls_build_top_add(
    struct ls_build_top *top, struct zs_bytes key, struct zs_bytes row, int64_t n);

size_t ls_build_top_size(const struct ls_build_top *top); /* about how many bytes there are */

/* Writes rows to the trace: those of which it is certain that they are not shown, or all, when
** no more come, and gives the result what is shown. SQLite's code. */
ZS_CHECKED int ls_build_top_write(struct ls_build_top *top, bool is_last);

#endif
