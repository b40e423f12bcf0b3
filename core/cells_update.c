/* Updating a cell, whatever holds it. */
#include "core/cells.h"

int zs_cells_update(struct zs_cells *cells, struct zs_bytes key, zs_cell_fn *fn, void *ctx)
{
    enum zs_cell_change change = ZS_CELL_STAYS;
    struct zs_bytes old;
    struct zs_bytes value = {0};
    bool found = false;
    int rc;

    if (cells->methods->update != NULL)
        return cells->methods->update(cells, key, fn, ctx);
    rc = zs_cells_get(cells, key, &old, &found);
    if (rc == ZS_OK)
        rc = fn(ctx, found ? &old : NULL, &value, &change);
    if (rc != ZS_OK || change == ZS_CELL_STAYS)
        return rc;
    return change == ZS_CELL_IS_PUT ? zs_cells_put(cells, key, value)
                                    : zs_cells_remove(cells, key);
}
