/* The nodes of the tree under cells in memory, for tree.c and tree_change.c alone.
**
** It is a B+-tree whose nodes are freed when they are empty and not before (Johnson and
** Shasha, "B-trees with inserts and deletes: why free-at-empty is better than
** merge-at-half", 1993), so that only inserting needs memory.
**
** Invariants. Keys ascend. All that lies under child i of an inner node is >= its separator
** i and < separator i + 1; child 0 has none. So all keys of a node between two separators
** begin with what these have in common: skip is the length of that (0 at the tree's edges).
** Beside each key or separator stands its window, the eight bytes after skip as a number,
** which settles most comparisons without a look at the bytes. Bit i of a mask says that cell i
** of a leaf is alive, or something under child i of an inner node: a seek finds its way past
** any number of dead cells in O(log n), and touches none of them. No node in the tree is
** empty. */
#ifndef ZS_TREE_NODE_H
#define ZS_TREE_NODE_H

#include "core/tree.h"

enum { ZS_TREE_FANOUT = 64 }; /* the bits of a mask */

struct zs_tree_separator {
    size_t len;
    uint8_t bytes[];
};

struct zs_tree_node {
    struct zs_tree_node *parent;
    size_t skip;
    uint8_t level; /* above the leaves, which have 0 */
    uint8_t n;
    uint64_t mask;
    uint64_t windows[ZS_TREE_FANOUT];
};

struct zs_tree_leaf {
    struct zs_tree_node node;
    struct zs_cell *cells[ZS_TREE_FANOUT];
};

struct zs_tree_inner {
    struct zs_tree_node node;
    struct zs_tree_separator *separators[ZS_TREE_FANOUT]; /* owned; the first is NULL */
    struct zs_tree_node *children[ZS_TREE_FANOUT];
};

static inline struct zs_tree_leaf *zs_tree_leaf_of(struct zs_tree_node *node)
{
    return (struct zs_tree_leaf *)node;
}

static inline struct zs_tree_inner *zs_tree_inner_of(struct zs_tree_node *node)
{
    return (struct zs_tree_inner *)node;
}

/* n from 0 to 64. */
static inline uint64_t zs_tree_bits_below(unsigned n)
{
    return n == ZS_TREE_FANOUT ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static inline unsigned zs_tree_lowest(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

static inline uint64_t zs_tree_bit(unsigned i)
{
    return UINT64_C(1) << i;
}

/* The key of a leaf's cell, the separator of an inner node's child but the first. Borrowed. */
struct zs_bytes zs_tree_key_at(const struct zs_tree_node *node, unsigned i);

static inline uint64_t zs_tree_window(struct zs_bytes key, size_t skip)
{
    size_t len = key.len - skip;
    uint64_t window = 0;

    if (key.len >= 8) {
        memcpy(&window, key.data + (len >= 8 ? skip : key.len - 8), 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        window = __builtin_bswap64(window);
#endif
        return len >= 8 ? window : len > 0 ? window << (64 - 8 * len) : 0;
    }
    for (size_t i = 0; i < len; i++)
        window |= (uint64_t)key.data[skip + i] << (56 - 8 * i);
    return window;
}

/* The order of the node's key i and key, of which window is the window. */
int zs_tree_compare_at(
    const struct zs_tree_node *node, unsigned i, struct zs_bytes key, uint64_t window);

/* The first of the node's keys from low on that is >= key (> key, where passes_equal). key lies
** between the separators around the node. */
unsigned zs_tree_search(
    const struct zs_tree_node *node, struct zs_bytes key, unsigned low, bool passes_equal);

unsigned zs_tree_slot(const struct zs_tree_inner *parent, const struct zs_tree_node *child);

/* Sets skip and the windows anew, if the separators around the node have changed. */
void zs_tree_refit(struct zs_tree_node *node);

/* The leaf where key is or would be; NULL in an empty tree. */
struct zs_tree_leaf *zs_tree_leaf_for(struct zs_tree *tree, struct zs_bytes key);

/* The nearest leaf with life after or before a node; NULL if there is none. */
struct zs_tree_leaf *zs_tree_neighbour(
    struct zs_tree *tree, struct zs_tree_node *node, bool is_after);

/* Notes whether the leaf's cell i is alive, and tells the nodes above. */
void zs_tree_note_life(
    struct zs_tree *tree, struct zs_tree_leaf *leaf, unsigned i, bool is_alive);

#endif
