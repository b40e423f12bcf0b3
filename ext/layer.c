/* A layer over a table. A cache that is full is emptied: what is used comes back. */
#include "ext/layer.h"

#include "ext/statement.h"

enum { CACHE_SIZE = 10000, CACHE_BYTES = 4 << 20 };
enum { CELL_SIZE = 100 }; /* of a cell without its bytes */

int ls_layer_init(struct ls_layer *layer, sqlite3 *db, const struct zs_alloc *alloc,
    const char *schema, const char *view)
{
    int rc = zs_memory_cells_new(alloc, &layer->memory);

    layer->db = db;
    layer->schema = sqlite3_mprintf("%s", schema);
    layer->view = sqlite3_mprintf("%s", view);
    return rc == ZS_OK && (layer->schema == NULL || layer->view == NULL) ? ZS_NOMEM : rc;
}

void ls_layer_clear(struct ls_layer *layer)
{
    for (int i = 0; i < LS_N_LAYER_STATEMENTS; i++)
        sqlite3_finalize(layer->statements[i]);
    zs_cells_free(layer->memory);
    ls_memo_forget(&layer->cache);
    sqlite3_free(layer->schema);
    sqlite3_free(layer->view);
    *layer = (struct ls_layer){.memory = NULL};
}

int ls_layer_failed(struct ls_layer *layer, int code)
{
    layer->code = code;
    return code == SQLITE_NOMEM ? ZS_NOMEM : ZS_CALLBACK;
}

int ls_layer_prepared(
    struct ls_layer *layer, int which, const char *format, sqlite3_stmt **statement)
{
    int rc = SQLITE_OK;

    if (layer->statements[which] == NULL)
        rc = ls_prepare(
            layer->db, &layer->statements[which], format, layer->schema, layer->view);
    *statement = layer->statements[which];
    return rc;
}

int ls_layer_get(
    struct ls_layer *layer, struct zs_bytes key, struct zs_bytes *cell, bool *found)
{
    int rc = zs_cells_get(layer->memory, key, cell, found);

    if (rc == ZS_OK && !*found)
        *found = ls_memo_find(&layer->cache, key, cell);
    return rc;
}

int ls_layer_note(struct ls_layer *layer, struct zs_bytes key, struct zs_bytes cell)
{
    if (layer->cache.n >= CACHE_SIZE || layer->cache.n_noted > CACHE_BYTES)
        ls_layer_distrust(layer);
    return ls_memo_note(&layer->cache, key, cell);
}

int ls_layer_walk(struct ls_layer *layer, zs_cell_visit *visit, void *ctx)
{
    static const struct zs_span all = {{NULL, 0}, {NULL, 0}};
    struct zs_buffer next;
    int rc;

    zs_buffer_init(&next, &ls_alloc);
    rc = zs_cells_walk(layer->memory, &all, 1, &next, visit, ctx);
    zs_buffer_clear(&next);
    return rc;
}

void ls_layer_build(struct ls_layer *layer, bool is_building)
{
    layer->is_building = is_building;
    layer->n_put = layer->n_bytes = 0;
}

void ls_layer_weigh(struct ls_layer *layer, size_t n_bytes)
{
    layer->n_put++;
    layer->n_bytes += n_bytes;
}

size_t ls_layer_size(const struct ls_layer *layer)
{
    size_t n_bytes = layer->n_put == 0 ? 0 : (size_t)(layer->n_bytes / layer->n_put);

    return ls_layer_pending(layer) * (n_bytes + CELL_SIZE);
}

size_t ls_layer_pending(const struct ls_layer *layer)
{
    return zs_memory_cells_len(layer->memory);
}

void ls_layer_forget(struct ls_layer *layer)
{
    zs_memory_cells_clear(layer->memory);
}

void ls_layer_distrust(struct ls_layer *layer)
{
    layer->n_distrusted++;
    ls_memo_forget(&layer->cache);
}
