/* Updating cells, whatever holds them. */
#include "core/cells.h"

static int update_one(
    struct zs_cells *cells, struct zs_bytes key, size_t i, zs_cell_fn *fn, void *ctx)
{
    enum zs_cell_change change = ZS_CELL_STAYS;
    struct zs_bytes old;
    struct zs_bytes value = {0};
    bool found = false;
    int rc = zs_cells_get(cells, key, &old, &found);

    if (rc == ZS_OK)
        rc = fn(ctx, i, found ? &old : NULL, &value, &change);
    if (rc != ZS_OK || change == ZS_CELL_STAYS)
        return rc;
    return change == ZS_CELL_IS_PUT ? zs_cells_put(cells, key, value)
                                    : zs_cells_remove(cells, key);
}

int zs_cells_update(
    struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn, void *ctx)
{
    return cells->methods->update != NULL ? cells->methods->update(cells, keys, n, fn, ctx)
                                          : zs_cells_update_each(cells, keys, n, fn, ctx);
}

int zs_cells_update_each(
    struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn, void *ctx)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = update_one(cells, keys[i], i, fn, ctx);
    return rc;
}
