/* The overlay: cells over a shadow table.
**
** Invariant: the layer's memory holds exactly the keys that differ from the table since the
** last store, each as one byte, LS_GONE or LS_HERE, and the value of what is here. In the table
** a value is followed by the cell's checksum, four bytes, the least first. */
#include "ext/overlay_private.h"

#include <string.h>

#include "ext/checksum.h"
#include "ext/statement.h"

static const char *const statement_texts[LS_N_CELL_STATEMENTS] = {
    [LS_GET_CELL] = "SELECT v FROM \"%w\".\"%w_trace\" WHERE k = ?1",
    [LS_SEEK_FORWARD] = "SELECT k, v FROM \"%w\".\"%w_trace\" WHERE k >= ?1 ORDER BY k LIMIT 1",
    [LS_SEEK_BACKWARD] =
        "SELECT k, v FROM \"%w\".\"%w_trace\" WHERE k < ?1 ORDER BY k DESC LIMIT 1",
    [LS_SEEK_END] = "SELECT k, v FROM \"%w\".\"%w_trace\" ORDER BY k DESC LIMIT 1",
    [LS_INSERT_CELL] = "INSERT INTO \"%w\".\"%w_trace\"(k, v) VALUES(?1, ?2)",
    [LS_UPDATE_CELL] = "UPDATE \"%w\".\"%w_trace\" SET v = ?2 WHERE k = ?1",
    [LS_REMOVE_CELL] = "DELETE FROM \"%w\".\"%w_trace\" WHERE k = ?1",
};

static struct ls_overlay *overlay_of(struct zs_cells *cells)
{
    return (struct ls_overlay *)cells;
}

int ls_overlay_bind(sqlite3_stmt *statement, int parameter, struct zs_bytes bytes)
{
    if (bytes.len == 0)
        return sqlite3_bind_zeroblob(statement, parameter, 0);
    return sqlite3_bind_blob64(statement, parameter, bytes.data, bytes.len, SQLITE_STATIC);
}

int ls_overlay_prepared(struct ls_overlay *overlay, int which, sqlite3_stmt **statement)
{
    return ls_layer_prepared(&overlay->layer, which, statement_texts[which], statement);
}

struct zs_bytes ls_overlay_column(sqlite3_stmt *statement, int column)
{
    const void *data = sqlite3_column_blob(statement, column);
    return (struct zs_bytes){data, (size_t)sqlite3_column_bytes(statement, column)};
}

int ls_overlay_append_stored(
    struct zs_buffer *value, struct zs_bytes key, struct zs_bytes stored)
{
    struct zs_bytes bytes = stored;
    uint32_t sum = 0;

    if (stored.len < LS_CELL_CHECKSUM)
        return ZS_CORRUPT;
    bytes.len -= LS_CELL_CHECKSUM;
    for (int i = 0; i < LS_CELL_CHECKSUM; i++)
        sum |= (uint32_t)stored.data[bytes.len + (size_t)i] << 8 * i;
    if (sum != ls_checksum_cell(key, bytes))
        return ZS_CORRUPT;
    return zs_buffer_append(value, bytes.data, bytes.len);
}

struct zs_bytes ls_overlay_value(struct zs_bytes cell)
{
    return (struct zs_bytes){cell.data + 1, cell.len - 1};
}

/* The table's cell under a key, with its byte in front, into overlay->value and the cache. */
static int get_from_table(struct ls_overlay *overlay, struct zs_bytes key)
{
    sqlite3_stmt *statement;
    int status = ZS_OK;
    int rc = ls_overlay_prepared(overlay, LS_GET_CELL, &statement);

    zs_buffer_reset(&overlay->value);
    if (rc == SQLITE_OK)
        rc = ls_overlay_bind(statement, 1, key);
    if (rc != SQLITE_OK)
        return ls_layer_failed(&overlay->layer, rc);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        status = zs_buffer_append_byte(&overlay->value, LS_HERE);
        if (status == ZS_OK)
            status =
                ls_overlay_append_stored(&overlay->value, key, ls_overlay_column(statement, 0));
    } else {
        status = zs_buffer_append_byte(&overlay->value, LS_GONE);
    }
    rc = sqlite3_reset(statement);
    if (rc != SQLITE_OK)
        return ls_layer_failed(&overlay->layer, rc);
    return status != ZS_OK || overlay->layer.is_building
               ? status
               : ls_layer_note(&overlay->layer, key, zs_buffer_bytes(&overlay->value));
}

static int overlay_get(
    struct zs_cells *cells, struct zs_bytes key, struct zs_bytes *value, bool *found)
{
    struct ls_overlay *overlay = overlay_of(cells);
    struct zs_bytes cell;
    int rc = ls_layer_get(&overlay->layer, key, &cell, found);

    if (rc == ZS_OK && !*found && overlay->is_table_done)
        return ZS_OK;
    if (rc == ZS_OK && !*found) {
        rc = get_from_table(overlay, key);
        cell = zs_buffer_bytes(&overlay->value);
    }
    if (rc != ZS_OK)
        return rc;
    *found = cell.data[0] == LS_HERE;
    *value = ls_overlay_value(cell);
    return ZS_OK;
}

static int overlay_put(struct zs_cells *cells, struct zs_bytes key, struct zs_bytes value)
{
    struct ls_overlay *overlay = overlay_of(cells);
    int rc;

    zs_buffer_reset(&overlay->value);
    rc = zs_buffer_append_byte(&overlay->value, LS_HERE);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&overlay->value, value.data, value.len);
    if (rc == ZS_OK && overlay->layer.is_building)
        ls_layer_weigh(&overlay->layer, key.len + value.len);
    if (rc == ZS_OK)
        rc = zs_cells_put(overlay->layer.memory, key, zs_buffer_bytes(&overlay->value));
    return rc;
}

static int overlay_remove(struct zs_cells *cells, struct zs_bytes key)
{
    static const uint8_t gone = LS_GONE;

    return zs_cells_put(overlay_of(cells)->layer.memory, key, (struct zs_bytes){&gone, 1});
}

struct updating {
    struct ls_overlay *overlay;
    const struct zs_bytes *keys;
    zs_cell_fn *fn;
    void *ctx;
};

/* A zs_cell_fn for the cells in memory, which have a byte in front. */
static int change_in_memory(void *ctx, size_t i, const struct zs_bytes *cell,
    struct zs_bytes *value, enum zs_cell_change *change)
{
    struct updating *updating = ctx;
    struct zs_buffer *made = &updating->overlay->value;
    bool found = cell != NULL && cell->data[0] == LS_HERE;
    struct zs_bytes old = found ? ls_overlay_value(*cell) : (struct zs_bytes){0};
    int rc = updating->fn(updating->ctx, i, found ? &old : NULL, value, change);
    bool is_put = *change == ZS_CELL_IS_PUT;

    if (rc != ZS_OK || *change == ZS_CELL_STAYS)
        return rc;
    zs_buffer_reset(made);
    rc = zs_buffer_append_byte(made, is_put ? LS_HERE : LS_GONE);
    if (rc == ZS_OK && is_put)
        rc = zs_buffer_append(made, value->data, value->len);
    if (rc == ZS_OK && is_put)
        ls_layer_weigh(&updating->overlay->layer, updating->keys[i].len + value->len);
    *value = zs_buffer_bytes(made);
    *change = ZS_CELL_IS_PUT;
    return rc;
}

/* Where a build looks at no table, what is in memory is all. */
static int overlay_update(
    struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn, void *ctx)
{
    struct ls_overlay *overlay = overlay_of(cells);
    struct updating updating = {overlay, keys, fn, ctx};

    return overlay->is_table_done
               ? zs_cells_update(overlay->layer.memory, keys, n, change_in_memory, &updating)
               : zs_cells_update_each(cells, keys, n, fn, ctx);
}

/* The nearest cell of the table, written to overlay->key and value. */
static int seek_in_table(
    struct ls_overlay *overlay, struct zs_bytes from, bool is_forward, bool *found)
{
    int which = is_forward          ? LS_SEEK_FORWARD
                : from.data == NULL ? LS_SEEK_END
                                    : LS_SEEK_BACKWARD;
    sqlite3_stmt *statement = NULL;
    int status = ZS_OK;
    int rc =
        overlay->is_table_done ? SQLITE_OK : ls_overlay_prepared(overlay, which, &statement);

    *found = false;
    if (overlay->is_table_done)
        return ZS_OK;
    if (rc == SQLITE_OK && which != LS_SEEK_END)
        rc = ls_overlay_bind(statement, 1, from);
    if (rc != SQLITE_OK)
        return ls_layer_failed(&overlay->layer, rc);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        struct zs_bytes key = ls_overlay_column(statement, 0);

        zs_buffer_reset(&overlay->key);
        zs_buffer_reset(&overlay->value);
        status = zs_buffer_append(&overlay->key, key.data, key.len);
        if (status == ZS_OK)
            status = ls_overlay_append_stored(&overlay->value, zs_buffer_bytes(&overlay->key),
                ls_overlay_column(statement, 1));
        *found = status == ZS_OK;
    }
    rc = sqlite3_reset(statement);
    return rc != SQLITE_OK ? ls_layer_failed(&overlay->layer, rc) : status;
}

/* Merges the two orders: memory decides for its keys, and what it calls gone is stepped over.
 */
static int overlay_seek(struct zs_cells *cells, struct zs_bytes from, bool is_forward,
    struct zs_bytes *key, struct zs_bytes *value, bool *found)
{
    struct ls_overlay *overlay = overlay_of(cells);
    const struct zs_cells_methods *memory = overlay->layer.memory->methods;
    struct zs_buffer bound;
    int rc;

    zs_buffer_init(&bound, &ls_alloc);
    for (;;) {
        struct zs_bytes memory_key, cell, table_key;
        bool in_memory, in_table;
        int order;

        rc = seek_in_table(overlay, from, is_forward, &in_table);
        if (rc == ZS_OK)
            rc = memory->seek(
                overlay->layer.memory, from, is_forward, &memory_key, &cell, &in_memory);
        if (rc != ZS_OK)
            break;
        *found = in_memory || in_table;
        if (!*found)
            break;
        table_key = zs_buffer_bytes(&overlay->key);
        order = !in_memory ? 1 : !in_table ? -1 : zs_bytes_compare(memory_key, table_key);
        if (in_memory && in_table && !is_forward)
            order = -order;
        if (order > 0) {
            *key = table_key;
            *value = zs_buffer_bytes(&overlay->value);
            break;
        }
        if (cell.data[0] == LS_HERE) {
            *key = memory_key;
            *value = ls_overlay_value(cell);
            break;
        }
        /* Gone: go on behind it. Forward, the next possible key is this one and a zero byte. */
        zs_buffer_reset(&bound);
        rc = zs_buffer_append(&bound, memory_key.data, memory_key.len);
        if (rc == ZS_OK && is_forward)
            rc = zs_buffer_append_byte(&bound, 0);
        if (rc != ZS_OK)
            break;
        from = zs_buffer_bytes(&bound);
    }
    zs_buffer_clear(&bound);
    return rc;
}

/* A build keeps no log: where a step of it fails all is dropped. */

static int overlay_begin(struct zs_cells *cells)
{
    const struct ls_layer *layer = &overlay_of(cells)->layer;
    return layer->is_building ? ZS_OK : layer->memory->methods->begin(layer->memory);
}

static void overlay_commit(struct zs_cells *cells)
{
    const struct ls_layer *layer = &overlay_of(cells)->layer;
    if (!layer->is_building)
        layer->memory->methods->commit(layer->memory);
}

static void overlay_rollback(struct zs_cells *cells)
{
    const struct ls_layer *layer = &overlay_of(cells)->layer;
    if (!layer->is_building)
        layer->memory->methods->rollback(layer->memory);
}

static void overlay_free_cells(struct zs_cells *cells)
{
    ls_overlay_free(overlay_of(cells));
}

static const struct zs_cells_methods overlay_methods = {
    .get = overlay_get,
    .put = overlay_put,
    .remove = overlay_remove,
    .seek = overlay_seek,
    .begin = overlay_begin,
    .commit = overlay_commit,
    .rollback = overlay_rollback,
    .free = overlay_free_cells,
    .update = overlay_update,
};

int ls_overlay_new(sqlite3 *db, const struct zs_alloc *alloc, const char *schema,
    const char *view, struct ls_overlay **overlay)
{
    struct ls_overlay *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    *overlay = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    made->cells.methods = &overlay_methods;
    zs_buffer_init(&made->key, &ls_alloc);
    zs_buffer_init(&made->value, &ls_alloc);
    rc = ls_layer_init(&made->layer, db, alloc, schema, view);
    if (rc == ZS_OK)
        *overlay = made;
    else
        ls_overlay_free(made);
    return rc;
}

void ls_overlay_free(struct ls_overlay *overlay)
{
    if (overlay == NULL)
        return;
    ls_layer_clear(&overlay->layer);
    zs_buffer_clear(&overlay->key);
    zs_buffer_clear(&overlay->value);
    sqlite3_free(overlay);
}

struct zs_cells *ls_overlay_cells(struct ls_overlay *overlay)
{
    return &overlay->cells;
}

size_t ls_overlay_pending(const struct ls_overlay *overlay)
{
    return ls_layer_pending(&overlay->layer);
}

void ls_overlay_forget(struct ls_overlay *overlay)
{
    ls_layer_forget(&overlay->layer);
}

void ls_overlay_distrust(struct ls_overlay *overlay)
{
    ls_layer_distrust(&overlay->layer);
}

void ls_overlay_build(struct ls_overlay *overlay, struct ls_fill *fill)
{
    ls_layer_build(&overlay->layer, fill != NULL);
    overlay->fill = fill;
    overlay->is_table_done = fill != NULL;
}

void ls_overlay_note_filled(struct ls_overlay *overlay)
{
    overlay->is_table_done = false;
}

void ls_overlay_end_groups(struct ls_overlay *overlay)
{
    overlay->is_table_done = true;
}

size_t ls_overlay_size(const struct ls_overlay *overlay)
{
    return ls_layer_size(&overlay->layer);
}

int ls_overlay_code(const struct ls_overlay *overlay)
{
    return overlay->layer.code;
}
