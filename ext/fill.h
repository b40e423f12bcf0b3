/* Cells that a build writes to <view>_trace: many by one statement, over a table of them. */
#ifndef LS_FILL_H
#define LS_FILL_H

#include "core/batch.h"
#include "ext/api.h"
#include "ext/batchtable.h"

struct ls_fill;

enum { LS_FILL_BLOCK = 200 }; /* cells that are worth a statement */

/* all is the connection's batchtables. ZS_NOMEM. */
ZS_CHECKED int ls_fill_new(sqlite3 *db, struct ls_batchtable **all, const char *schema,
    const char *view, struct ls_fill **fill);
void ls_fill_free(struct ls_fill *fill); /* accepts NULL; forgets the block */

/* Adds a cell to the block: in ascending order it is written best. ZS_NOMEM. */
ZS_CHECKED int ls_fill_add(struct ls_fill *fill, struct zs_bytes key, struct zs_bytes value);
size_t ls_fill_len(const struct ls_fill *fill);

/* Writes the block, over cells that are there. It is empty then. SQLite's code. */
ZS_CHECKED int ls_fill_replace(struct ls_fill *fill);

/* Writes n cells that a function gives, in ascending order, past the block; or none where one
** is there. */
ZS_CHECKED int ls_fill_insert(
    struct ls_fill *fill, size_t n, ls_pair_fn *cell, void *ctx, bool *is_taken);

#endif
