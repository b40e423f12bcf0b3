/* Walking through cells, whatever holds them. */
#include "core/cells.h"

struct walk {
    struct zs_cells *cells;
    struct zs_buffer *next;
    zs_cell_visit *visit;
    void *ctx;
};

static int walk_one(const struct walk *walk, const struct zs_span *span, size_t i)
{
    struct zs_bytes from = span->from;
    bool is_over = false;
    int rc = ZS_OK;

    while (rc == ZS_OK && !is_over) {
        struct zs_bytes key;
        struct zs_bytes value;
        bool found;

        rc = zs_cells_seek(walk->cells, from, true, &key, &value, &found);
        if (rc != ZS_OK || !found)
            break;
        if (span->to.data != NULL && zs_bytes_compare(key, span->to) >= 0)
            break;
        /* The next key is at least this one with a zero byte after it. */
        zs_buffer_reset(walk->next);
        rc = zs_buffer_append(walk->next, key.data, key.len);
        if (rc == ZS_OK)
            rc = zs_buffer_append_byte(walk->next, 0);
        if (rc == ZS_OK)
            rc = walk->visit(walk->ctx, i, key, value, &is_over);
        from = zs_buffer_bytes(walk->next);
    }
    return rc;
}

int zs_cells_walk(struct zs_cells *cells, const struct zs_span *spans, size_t n,
    struct zs_buffer *next, zs_cell_visit *visit, void *ctx)
{
    struct walk walk = {cells, next, visit, ctx};
    int rc = ZS_OK;

    if (cells->methods->walk != NULL)
        return cells->methods->walk(cells, spans, n, visit, ctx);
    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = walk_one(&walk, &spans[i], i);
    return rc;
}
