/* Cells: operator state as an ordered map from key bytes to value bytes, one value a key, with
** nested transactions. An interface that a user of the library can implement (over a table,
** say) and an implementation in memory. */
#ifndef ZS_CELLS_H
#define ZS_CELLS_H

#include "core/buffer.h"

struct zs_cells;

/* What becomes of a cell. */
enum zs_cell_change { ZS_CELL_STAYS, ZS_CELL_IS_PUT, ZS_CELL_IS_REMOVED };

/* Decides it from the cell's value, NULL where there is none; value, where it is to be put, is
** borrowed until the update is over. Must not use the cells. */
typedef int zs_cell_fn(
    void *ctx, const struct zs_bytes *old, struct zs_bytes *value, enum zs_cell_change *change);

/* A method that fails leaves the cells unchanged. begin, commit and rollback nest; rollback
** restores what held at the matching begin and cannot fail for lack of memory; its cost, and
** that of an open transaction, is the keys changed. */
struct zs_cells_methods {
    /* found: value is borrowed until the next call on these cells. */
    int (*get)(
        struct zs_cells *cells, struct zs_bytes key, struct zs_bytes *value, bool *found);
    /* Copies both. value may be empty. */
    int (*put)(struct zs_cells *cells, struct zs_bytes key, struct zs_bytes value);
    /* An absent key is no error. */
    int (*remove)(struct zs_cells *cells, struct zs_bytes key);
    /* The first cell with key >= from (forward) or the last with key < from (backward; an
    ** end.data of NULL with is_forward false means from the very end). */
    int (*seek)(struct zs_cells *cells, struct zs_bytes from, bool is_forward,
        struct zs_bytes *key, struct zs_bytes *value, bool *found);
    int (*begin)(struct zs_cells *cells);
    void (*commit)(struct zs_cells *cells);
    void (*rollback)(struct zs_cells *cells);
    void (*free)(struct zs_cells *cells);
    /* May be NULL: a get and what fn makes of it, in one. */
    int (*update)(struct zs_cells *cells, struct zs_bytes key, zs_cell_fn *fn, void *ctx);
};

/* The first member of every implementation. */
struct zs_cells {
    const struct zs_cells_methods *methods;
};

static inline int zs_cells_get(
    struct zs_cells *cells, struct zs_bytes key, struct zs_bytes *value, bool *found)
{
    return cells->methods->get(cells, key, value, found);
}

static inline int zs_cells_put(
    struct zs_cells *cells, struct zs_bytes key, struct zs_bytes value)
{
    return cells->methods->put(cells, key, value);
}

static inline int zs_cells_remove(struct zs_cells *cells, struct zs_bytes key)
{
    return cells->methods->remove(cells, key);
}

static inline int zs_cells_seek(struct zs_cells *cells, struct zs_bytes from, bool is_forward,
    struct zs_bytes *key, struct zs_bytes *value, bool *found)
{
    return cells->methods->seek(cells, from, is_forward, key, value, found);
}

/* By the method or, where there is none, by get and put or remove. What fn returns other than
** ZS_OK is returned, and nothing has changed. */
ZS_CHECKED int zs_cells_update(
    struct zs_cells *cells, struct zs_bytes key, zs_cell_fn *fn, void *ctx);

static inline int zs_cells_begin(struct zs_cells *cells)
{
    return cells->methods->begin(cells);
}

static inline void zs_cells_commit(struct zs_cells *cells)
{
    cells->methods->commit(cells);
}

static inline void zs_cells_rollback(struct zs_cells *cells)
{
    cells->methods->rollback(cells);
}

static inline void zs_cells_free(struct zs_cells *cells)
{
    if (cells != NULL)
        cells->methods->free(cells);
}

/* Cells in memory: get, put, remove and seek are O(log n). Outside a transaction nothing is
** logged. */
ZS_CHECKED int zs_memory_cells_new(const struct zs_alloc *alloc, struct zs_cells **cells);

/* Of memory cells only: how many there are; forget all of them (with no transaction open). */
size_t zs_memory_cells_len(const struct zs_cells *cells);
void zs_memory_cells_clear(struct zs_cells *cells);

#endif
