/* A build of a view that shows the first rows of many: of these the first are kept by their
** order, in a trace, some times as many as are shown, and where they end as its floor
** (core/top.h). They are gathered and sorted as they come, and go there past the circuit. */
#ifndef LS_BUILD_TOP_H
#define LS_BUILD_TOP_H

#include "core/pile.h"
#include "ext/fill.h"
#include "ext/pipeline_private.h"

struct ls_build_top {
    struct ls_pipeline *pipeline; /* borrowed, whose last operator it is; likewise: */
    struct ls_fill *fill;
    struct zs_pile *rows;
    bool has_floor;
    struct zs_buffer floor_key, floor_value;
    size_t bytes_seen, most_bytes;
    size_t first;                /* of those that are being written */
    struct zs_buffer key, value; /* of a cell */
};

/* Forgets what was there; and frees. About most_bytes are in memory. */
ZS_CHECKED int ls_build_top_begin(struct ls_build_top *top, struct ls_pipeline *pipeline,
    struct ls_fill *fill, size_t most_bytes);
void ls_build_top_end(struct ls_build_top *top); /* accepts one that is zeroed */

/* Adds a row, n times, under its order. ZS_NOMEM, ZS_OVERFLOW. */
ZS_CHECKED int ls_build_top_add(
    struct ls_build_top *top, struct zs_bytes key, struct zs_bytes row, int64_t n);

/* When no more come: writes the first rows and the floor to the trace, and gives the result what
** is shown. SQLite's code. */
ZS_CHECKED int ls_build_top_write(struct ls_build_top *top);

#endif
