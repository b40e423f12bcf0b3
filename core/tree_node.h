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
** which settles most comparisons without a look at the bytes. Bit i of an inner node's mask says that something under child i is alive: a seek
** finds its way past any number of dead cells in O(log n). No node in the tree is empty. */
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
    bool is_leaf;
    uint8_t n;
    uint64_t windows[ZS_TREE_FANOUT];
};

struct zs_tree_leaf {
    struct zs_tree_node node;
    uint8_t n_alive;
    struct zs_cell *cells[ZS_TREE_FANOUT];
};

struct zs_tree_inner {
    struct zs_tree_node node;
    uint64_t mask;
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

static inline bool zs_tree_has_life(const struct zs_tree_node *node)
{
    return node->is_leaf ? ((const struct zs_tree_leaf *)node)->n_alive > 0
                         : ((const struct zs_tree_inner *)node)->mask != 0;
}

/* The key of a leaf's cell, the separator of an inner node's child but the first. Borrowed. */
struct zs_bytes zs_tree_key_at(const struct zs_tree_node *node, unsigned i);

uint64_t zs_tree_window(struct zs_bytes key, size_t skip);

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

/* Adds change to the number of cells alive in the leaf, and tells the nodes above. */
void zs_tree_count_alive(struct zs_tree *tree, struct zs_tree_leaf *leaf, int change);

#endif
