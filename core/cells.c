/* Cells in memory: a tree of cells (tree.h), and a log from which it is put back
** (cell_log.h). */
#include "core/cells.h"

#include <string.h>

#include "core/cell_log.h"

struct memory_cells {
    struct zs_cells base;
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_tree tree;
    struct zs_cell_log log;
};

static struct memory_cells *self_of(struct zs_cells *cells)
{
    return (struct memory_cells *)cells;
}

/* Methods */

static int cells_get(
    struct zs_cells *cells, struct zs_bytes key, struct zs_bytes *value, bool *found)
{
    struct zs_tree_place place;
    struct zs_cell *cell = zs_tree_find(&self_of(cells)->tree, key, &place);

    *value = (struct zs_bytes){NULL, 0};
    *found = cell != NULL && cell->is_alive;
    if (*found)
        *value = zs_cell_bytes(cell);
    return ZS_OK;
}

/* A value of the same length takes the place of one that no rollback needs. */
static bool overwrite(
    const struct memory_cells *self, struct zs_cell *cell, struct zs_bytes value)
{
    if (cell == NULL || !cell->is_alive || cell->value.len != value.len ||
        zs_cell_log_must_keep(&self->log, cell))
        return false;
    if (value.len > 0)
        memmove(value.len > ZS_CELL_INLINE ? cell->value.far : cell->value.near, value.data,
            value.len);
    return true;
}

/* Adds a cell that has the value, and to the log that it was not there. */
static int insert(struct memory_cells *self, struct zs_bytes key, struct zs_tree_place place,
    const struct zs_cell_value *value)
{
    struct zs_cell *cell = zs_cell_new(self->alloc, key);
    int rc;

    if (cell == NULL)
        return ZS_NOMEM;
    cell->is_alive = true;
    rc = zs_tree_insert(&self->tree, cell, place);
    if (rc != ZS_OK) {
        zs_cell_free(self->alloc, cell);
        return rc;
    }
    cell->value = *value;
    zs_cell_log_note_new(&self->log, cell);
    return ZS_OK;
}

/* cell is what was found in the place, or NULL. */
static int put_at(struct memory_cells *self, struct zs_bytes key, struct zs_cell *cell,
    struct zs_tree_place place, struct zs_bytes value)
{
    struct zs_cell_value new_value;
    int rc;

    if (overwrite(self, cell, value))
        return ZS_OK;
    rc = zs_cell_make_value(self->alloc, value, &new_value);
    if (rc != ZS_OK)
        return rc;
    rc = zs_cell_log_reserve(&self->log);
    if (rc == ZS_OK && cell == NULL)
        rc = insert(self, key, place, &new_value);
    if (rc != ZS_OK) {
        zs_cell_free_value(self->alloc, &new_value);
        return rc;
    }
    if (cell == NULL)
        return ZS_OK;
    zs_cell_log_give_up_value(&self->log, cell);
    cell->value = new_value;
    zs_tree_set_alive(&self->tree, cell, true);
    return ZS_OK;
}

static int remove_cell(struct memory_cells *self, struct zs_cell *cell)
{
    int rc = ZS_OK;

    if (cell == NULL || !cell->is_alive)
        return ZS_OK;
    rc = zs_cell_log_reserve(&self->log);
    if (rc != ZS_OK)
        return rc;
    zs_cell_log_give_up_value(&self->log, cell);
    zs_tree_set_alive(&self->tree, cell, false);
    zs_cell_log_drop_if_unused(&self->log, cell);
    return ZS_OK;
}

static int cells_put(struct zs_cells *cells, struct zs_bytes key, struct zs_bytes value)
{
    struct memory_cells *self = self_of(cells);
    struct zs_tree_place place;
    struct zs_cell *cell = zs_tree_find(&self->tree, key, &place);

    return put_at(self, key, cell, place, value);
}

static int cells_remove(struct zs_cells *cells, struct zs_bytes key)
{
    struct memory_cells *self = self_of(cells);
    struct zs_tree_place place;

    return remove_cell(self, zs_tree_find(&self->tree, key, &place));
}

struct updating {
    zs_cell_fn *fn;
    void *ctx;
};

static int update_cell(struct memory_cells *self, struct zs_bytes key, struct zs_cell *cell,
    struct zs_tree_place place, const struct updating *updating, size_t i)
{
    bool found = cell != NULL && cell->is_alive;
    struct zs_bytes old = found ? zs_cell_bytes(cell) : (struct zs_bytes){0};
    enum zs_cell_change change = ZS_CELL_STAYS;
    struct zs_bytes value = {0};
    int rc = updating->fn(updating->ctx, i, found ? &old : NULL, &value, &change);

    if (rc != ZS_OK || change == ZS_CELL_STAYS)
        return rc;
    return change == ZS_CELL_IS_PUT ? put_at(self, key, cell, place, value)
                                    : remove_cell(self, cell);
}

/* The places of all are found at once and serve as long as the tree keeps its leaves. */
static int update_block(struct memory_cells *self, const struct zs_bytes *keys, size_t n,
    const struct updating *updating, size_t first)
{
    struct zs_tree_place places[ZS_TREE_AHEAD];
    uint64_t n_reshaped = self->tree.n_reshaped;
    int rc = ZS_OK;

    zs_tree_find_places(&self->tree, keys, n, true, places);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        struct zs_cell *cell = self->tree.n_reshaped == n_reshaped
                                   ? zs_tree_find_again(&self->tree, keys[i], &places[i])
                                   : zs_tree_find(&self->tree, keys[i], &places[i]);
        rc = update_cell(self, keys[i], cell, places[i], updating, first + i);
    }
    return rc;
}

static size_t block_len(size_t n)
{
    return n < ZS_TREE_AHEAD ? n : ZS_TREE_AHEAD;
}

static int cells_update(
    struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn, void *ctx)
{
    struct memory_cells *self = self_of(cells);
    struct updating updating = {fn, ctx};
    int rc = ZS_OK;

    if (n == 1) {
        struct zs_tree_place place;
        struct zs_cell *cell = zs_tree_find(&self->tree, keys[0], &place);
        return update_cell(self, keys[0], cell, place, &updating, 0);
    }
    for (size_t i = 0; rc == ZS_OK && i < n; i += ZS_TREE_AHEAD)
        rc = update_block(self, keys + i, block_len(n - i), &updating, i);
    return rc;
}

static int cells_seek(struct zs_cells *cells, struct zs_bytes from, bool is_forward,
    struct zs_bytes *key, struct zs_bytes *value, bool *found)
{
    struct zs_tree *tree = &self_of(cells)->tree;
    struct zs_cell *cell;

    if (is_forward)
        cell = zs_tree_seek_forward(tree, from);
    else
        cell = from.data == NULL ? zs_tree_last(tree) : zs_tree_seek_backward(tree, from);
    *found = cell != NULL;
    *key = *found ? zs_cell_key(cell) : (struct zs_bytes){NULL, 0};
    *value = *found ? zs_cell_bytes(cell) : (struct zs_bytes){NULL, 0};
    return ZS_OK;
}

struct walking {
    zs_cell_visit *visit;
    void *ctx;
    size_t i;
};

static int show_cell(void *ctx, const struct zs_cell *cell, bool *is_enough)
{
    const struct walking *walking = ctx;
    return walking->visit(
        walking->ctx, walking->i, zs_cell_key(cell), zs_cell_bytes(cell), is_enough);
}

static int walk_block(
    struct memory_cells *self, const struct zs_span *spans, size_t n, struct walking *walking)
{
    struct zs_tree_place places[ZS_TREE_AHEAD];
    struct zs_bytes keys[ZS_TREE_AHEAD];
    int rc = ZS_OK;

    for (size_t i = 0; i < n; i++)
        keys[i] = spans[i].from;
    if (n == 1)
        places[0] = zs_tree_find_place(&self->tree, keys[0]);
    else
        zs_tree_find_places(&self->tree, keys, n, false, places);
    for (size_t i = 0; rc == ZS_OK && i < n; i++, walking->i++)
        rc = zs_tree_walk(
            &self->tree, places[i], spans[i].from, spans[i].to, show_cell, walking);
    return rc;
}

static int cells_walk(struct zs_cells *cells, const struct zs_span *spans, size_t n,
    zs_cell_visit *visit, void *ctx)
{
    struct walking walking = {visit, ctx, 0};
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i += ZS_TREE_AHEAD)
        rc = walk_block(self_of(cells), spans + i, block_len(n - i), &walking);
    return rc;
}

static int cells_begin(struct zs_cells *cells)
{
    return zs_cell_log_begin(&self_of(cells)->log);
}

static void cells_commit(struct zs_cells *cells)
{
    zs_cell_log_commit(&self_of(cells)->log);
}

static void cells_rollback(struct zs_cells *cells)
{
    zs_cell_log_rollback(&self_of(cells)->log);
}

static void cells_free(struct zs_cells *cells)
{
    struct memory_cells *self = self_of(cells);
    const struct zs_alloc *alloc = self->alloc;

    zs_cell_log_clear(&self->log);
    zs_tree_clear(&self->tree, zs_cell_free);
    zs_alloc_free(alloc, self);
}

static const struct zs_cells_methods methods = {
    .get = cells_get,
    .put = cells_put,
    .remove = cells_remove,
    .seek = cells_seek,
    .begin = cells_begin,
    .commit = cells_commit,
    .rollback = cells_rollback,
    .free = cells_free,
    .update = cells_update,
    .walk = cells_walk,
};

int zs_memory_cells_new(const struct zs_alloc *alloc, struct zs_cells **cells)
{
    struct memory_cells *self = zs_alloc_zeroed(alloc, sizeof(*self));

    *cells = NULL;
    if (self == NULL)
        return ZS_NOMEM;
    self->base.methods = &methods;
    self->alloc = alloc;
    self->tree.alloc = alloc;
    self->log = (struct zs_cell_log){.tree = &self->tree};
    *cells = &self->base;
    return ZS_OK;
}

size_t zs_memory_cells_len(const struct zs_cells *cells)
{
    return ((const struct memory_cells *)cells)->tree.n_alive;
}

void zs_memory_cells_clear(struct zs_cells *cells)
{
    zs_tree_clear(&self_of(cells)->tree, zs_cell_free);
}
