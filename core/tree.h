/* The ordered tree under cells in memory. Its cells are alive or dead; a dead one keeps its
** place and is passed over by seeks. Only inserting needs memory. */
#ifndef ZS_TREE_H
#define ZS_TREE_H

#include "core/buffer.h"

enum { ZS_CELL_INLINE = 8 };

/* Bytes up to ZS_CELL_INLINE stand in the value itself, more on the heap. Packed, as there are
** many cells: with a short key one takes 48 bytes of most allocators, not 64. */
struct __attribute__((packed, aligned(4))) zs_cell_value {
    union {
        uint8_t near[ZS_CELL_INLINE];
        uint8_t *far; /* owned */
    };
    uint32_t len;
};

struct zs_cell {
    struct zs_cell_value value;
    uint32_t key_len;
    uint64_t serial; /* see cell_log.h */
    uint32_t is_alive : 1;
    uint32_t n_logged : 31;
    uint8_t key[];
};

struct zs_tree_node;

struct zs_tree {
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_tree_node *root;    /* NULL: empty */
    struct zs_tree_node *hint;    /* the leaf that was used last, or NULL; borrowed */
    unsigned hint_i;              /* and which of its cells, if it is still there */
    size_t n_alive;
    uint64_t n_reshaped; /* how often a leaf has come or gone */
};

static inline struct zs_bytes zs_cell_key(const struct zs_cell *cell)
{
    return (struct zs_bytes){cell->key, cell->key_len};
}

static inline struct zs_bytes zs_cell_bytes(const struct zs_cell *cell)
{
    const struct zs_cell_value *value = &cell->value;
    return (struct zs_bytes){
        value->len > ZS_CELL_INLINE ? value->far : value->near, value->len};
}

/* A dead cell without a value; NULL where there is no memory. */
struct zs_cell *zs_cell_new(const struct zs_alloc *alloc, struct zs_bytes key);
void zs_cell_free(const struct zs_alloc *alloc, struct zs_cell *cell);

/* A copy of the bytes. ZS_NOMEM. */
ZS_CHECKED int zs_cell_make_value(
    const struct zs_alloc *alloc, struct zs_bytes bytes, struct zs_cell_value *value);
void zs_cell_free_value(const struct zs_alloc *alloc, struct zs_cell_value *value);

/* Where a key is or would be, until the tree changes. */
struct zs_tree_place {
    struct zs_tree_node *leaf; /* NULL: the tree is empty */
    unsigned i;
};

/* The cell of this key, alive or dead, or NULL; and its place. O(log n), as all of the
** following. */
struct zs_cell *zs_tree_find(
    struct zs_tree *tree, struct zs_bytes key, struct zs_tree_place *place);

/* Adds a cell whose key is not there, in the place where it was not found. The tree takes the
** cell. ZS_NOMEM. */
ZS_CHECKED int zs_tree_insert(
    struct zs_tree *tree, struct zs_cell *cell, struct zs_tree_place place);

/* Where a key is or would be. */
struct zs_tree_place zs_tree_find_place(struct zs_tree *tree, struct zs_bytes key);

/* Where up to ZS_TREE_AHEAD keys are or would be. are_exact: it is cells with these keys that
** will be looked at, and else those from there on. Ascending keys are found the fastest. What
** is in the places is brought to the processor all at the same time, where it would wait for
** each. */
enum { ZS_TREE_AHEAD = 16 };
void zs_tree_find_places(struct zs_tree *tree, const struct zs_bytes *keys, size_t n,
    bool are_exact, struct zs_tree_place *places);

/* zs_tree_find in the leaf of a place that was found before cells came and went, but no leaf:
** see n_reshaped. */
struct zs_cell *zs_tree_find_again(
    struct zs_tree *tree, struct zs_bytes key, struct zs_tree_place *place);

/* Calls visit for the cells alive with from <= key < to, in ascending order, until it fails,
** which the walk then does too, or says that it has seen enough. A to.data of NULL is no bound;
** place is that of from. O(cells). visit must leave the tree alone. */
typedef int zs_tree_visit(void *ctx, const struct zs_cell *cell, bool *is_enough);
ZS_CHECKED int zs_tree_walk(struct zs_tree *tree, struct zs_tree_place place,
    struct zs_bytes from, struct zs_bytes to, zs_tree_visit *visit, void *ctx);

/* Takes the cell out; the caller owns it again. */
void zs_tree_remove(struct zs_tree *tree, struct zs_cell *cell);

void zs_tree_set_alive(struct zs_tree *tree, struct zs_cell *cell, bool is_alive);

/* The first cell alive with key >= from, the last one with key < from, the last one of all; or
** NULL. */
struct zs_cell *zs_tree_seek_forward(struct zs_tree *tree, struct zs_bytes from);
struct zs_cell *zs_tree_seek_backward(struct zs_tree *tree, struct zs_bytes from);
struct zs_cell *zs_tree_last(struct zs_tree *tree);

/* Frees the nodes and hands every cell, alive or dead, to free_cell. The tree is empty then. */
void zs_tree_clear(struct zs_tree *tree,
    void (*free_cell)(const struct zs_alloc *alloc, struct zs_cell *cell));

#endif
