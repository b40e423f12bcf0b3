/* A cell: its key and its value. */
#include <string.h>

#include "core/tree.h"

int zs_cell_make_value(
    const struct zs_alloc *alloc, struct zs_bytes bytes, struct zs_cell_value *value)
{
    uint8_t *to = value->near;

    if (bytes.len > UINT32_MAX)
        return ZS_NOMEM;
    value->len = (uint32_t)bytes.len;
    if (bytes.len > ZS_CELL_INLINE) {
        to = value->far = zs_alloc_get(alloc, bytes.len);
        if (to == NULL)
            return ZS_NOMEM;
    }
    if (bytes.len > 0)
        memcpy(to, bytes.data, bytes.len);
    return ZS_OK;
}

void zs_cell_free_value(const struct zs_alloc *alloc, struct zs_cell_value *value)
{
    if (value->len > ZS_CELL_INLINE)
        zs_alloc_free(alloc, value->far);
    value->len = 0;
}

void zs_cell_free(const struct zs_alloc *alloc, struct zs_cell *cell)
{
    zs_cell_free_value(alloc, &cell->value);
    zs_alloc_free(alloc, cell);
}

struct zs_cell *zs_cell_new(const struct zs_alloc *alloc, struct zs_bytes key)
{
    struct zs_cell *cell = NULL;

    if (key.len <= UINT32_MAX)
        cell = zs_alloc_get(alloc, offsetof(struct zs_cell, key) + key.len);
    if (cell == NULL)
        return NULL;
    memset(cell, 0, offsetof(struct zs_cell, key));
    cell->key_len = (uint32_t)key.len;
    if (key.len > 0)
        memcpy(cell->key, key.data, key.len);
    return cell;
}
