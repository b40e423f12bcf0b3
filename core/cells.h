/* Cells: operator state as an ordered map from key bytes to value bytes, one value a key, with
** nested transactions. An interface that a user of the library can implement (over a table,
** say) and an implementation in memory. */
#ifndef ZS_CELLS_H
#define ZS_CELLS_H

#include "core/buffer.h"

struct zs_cells;

/* Bounds on bytes: from is inclusive; to is exclusive, and a to.data of NULL means no bound. */
struct zs_span {
    struct zs_bytes from;
    struct zs_bytes to;
};

/* What becomes of a cell. */
enum zs_cell_change { ZS_CELL_STAYS, ZS_CELL_IS_PUT, ZS_CELL_IS_REMOVED };

/* Decides it for key i from the cell's value, NULL where there is none; value, where it is to
** be put, is borrowed until the next call or the end. Must not use the cells. */
typedef int zs_cell_fn(void *ctx, size_t i, const struct zs_bytes *old, struct zs_bytes *value,
    enum zs_cell_change *change);

/* Is shown a cell of span i; both are borrowed until it returns. Must not use the cells. */
typedef int zs_cell_visit(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes value, bool *is_enough);

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
    /* May be NULL: what zs_cells_update and zs_cells_walk do, faster. */
    int (*update)(struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn,
        void *ctx);
    int (*walk)(struct zs_cells *cells, const struct zs_span *spans, size_t n,
        zs_cell_visit *visit, void *ctx);
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

/* Asks fn what becomes of the cells of n keys, and does it, one after the other: by the method
** or, where there is none, by get and put or remove. Where fn fails, that is returned; the
** cells before are changed, that one and those after it are not. Keys that ascend are the
** fastest. */
ZS_CHECKED int zs_cells_update(
    struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn, void *ctx);

/* The same by get and put or remove, for a method that has nothing faster for some. */
ZS_CHECKED int zs_cells_update_each(
    struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn, void *ctx);

/* Shows the cells of n spans, one span after the other, each ascending, until visit fails,
** which is returned then; one that says is_enough ends its span. By the method or, where there
** is none, by seek and with next, for the key to go on from. ZS_NOMEM. Spans that ascend are
** the fastest. */
ZS_CHECKED int zs_cells_walk(struct zs_cells *cells, const struct zs_span *spans, size_t n,
    struct zs_buffer *next, zs_cell_visit *visit, void *ctx);

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
