/* A layer over a table: what differs from the table, in memory, with nested transactions, and a
** bounded cache of what the table is known to hold. Both are cells; what a cell's bytes mean is the
** user's affair. */
#ifndef LS_LAYER_H
#define LS_LAYER_H

#include "core/cells.h"

struct ls_layer {
    struct zs_cells *memory;
    struct zs_cells *cache;
};

ZS_CHECKED int ls_layer_init(struct ls_layer *layer);
void ls_layer_clear(struct ls_layer *layer); /* frees; accepts a zeroed layer */

/* The cell under a key, from memory or else from the cache. Borrowed until either changes. */
ZS_CHECKED int ls_layer_get(
    struct ls_layer *layer, struct zs_bytes key, struct zs_bytes *cell, bool *found);

/* Notes in the cache what the table has under a key. */
ZS_CHECKED int ls_layer_note(struct ls_layer *layer, struct zs_bytes key, struct zs_bytes cell);

/* Shows visit each cell of the memory, in ascending order; it may note, and must not change the
** memory. Stops at what it returns other than ZS_OK, and returns it. */
ZS_CHECKED int ls_layer_walk(struct ls_layer *layer, zs_cell_visit *visit, void *ctx);

/* How many cells differ; forgetting them (with no transaction open); emptying the cache. */
size_t ls_layer_pending(const struct ls_layer *layer);
void ls_layer_forget(struct ls_layer *layer);
void ls_layer_distrust(struct ls_layer *layer);

#endif
