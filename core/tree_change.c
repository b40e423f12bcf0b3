/* The ordered tree under cells in memory: inserting and removing.
**
** A full leaf, and every full node above it, is split on the way up. All the memory for that is
** there before the first change. Nodes at the right edge are split so that the left one stays
** full: what comes in ascending order fills the tree. */
#include <string.h>

#include "core/tree_node.h"

enum { FANOUT = ZS_TREE_FANOUT };

/* The parts that a split will need. */
struct parts {
    struct zs_tree_leaf *leaf;
    struct zs_tree_separator *separator;
    struct zs_tree_node *inners; /* linked by parent */
};

static void free_parts(const struct zs_alloc *alloc, struct parts *parts)
{
    while (parts->inners != NULL) {
        struct zs_tree_node *inner = parts->inners;
        parts->inners = inner->parent;
        zs_alloc_free(alloc, inner);
    }
    zs_alloc_free(alloc, parts->leaf);
    zs_alloc_free(alloc, parts->separator);
}

static struct zs_tree_leaf *new_leaf(const struct zs_alloc *alloc)
{
    struct zs_tree_leaf *leaf = zs_alloc_get(alloc, sizeof(*leaf));
    if (leaf != NULL) {
        leaf->node.parent = NULL;
        leaf->node.skip = 0;
        leaf->node.level = 0;
        leaf->node.n = 0;
        leaf->node.mask = 0;
    }
    return leaf;
}

static int get_inner(const struct zs_alloc *alloc, struct parts *parts)
{
    struct zs_tree_inner *inner = zs_alloc_get(alloc, sizeof(*inner));
    if (inner == NULL)
        return ZS_NOMEM;
    inner->node.parent = parts->inners;
    inner->node.skip = 0;
    inner->node.n = 0;
    inner->node.mask = 0;
    parts->inners = &inner->node;
    return ZS_OK;
}

static struct zs_tree_inner *take_inner(struct parts *parts)
{
    struct zs_tree_inner *inner = zs_tree_inner_of(parts->inners);
    parts->inners = inner->node.parent;
    inner->node.parent = NULL;
    return inner;
}

/* The shortest bytes above left and not above right. */
static struct zs_tree_separator *new_separator(
    const struct zs_alloc *alloc, struct zs_bytes left, struct zs_bytes right)
{
    struct zs_tree_separator *separator;
    size_t len = 0;

    while (len < left.len && left.data[len] == right.data[len])
        len++;
    len++;
    separator = zs_alloc_get(alloc, sizeof(*separator) + len);
    if (separator != NULL) {
        separator->len = len;
        memcpy(separator->bytes, right.data, len);
    }
    return separator;
}

static struct zs_bytes separator_bytes(const struct zs_tree_separator *separator)
{
    return (struct zs_bytes){separator->bytes, separator->len};
}

static int get_parts(const struct zs_alloc *alloc, const struct zs_tree_leaf *leaf,
    struct zs_bytes left, struct zs_bytes right, struct parts *parts)
{
    const struct zs_tree_node *parent = leaf->node.parent;
    int rc = ZS_OK;

    parts->leaf = new_leaf(alloc);
    parts->separator = new_separator(alloc, left, right);
    if (parts->leaf == NULL || parts->separator == NULL)
        rc = ZS_NOMEM;
    for (; rc == ZS_OK && parent != NULL && parent->n == FANOUT; parent = parent->parent)
        rc = get_inner(alloc, parts);
    if (rc == ZS_OK && parent == NULL)
        rc = get_inner(alloc, parts);
    if (rc != ZS_OK)
        free_parts(alloc, parts);
    return rc;
}

static void note_life(struct zs_tree_inner *inner, unsigned i)
{
    inner->node.mask &= ~zs_tree_bit(i);
    if (inner->children[i]->mask != 0)
        inner->node.mask |= zs_tree_bit(i);
}

/* Makes room for bit i, which comes clear; takes bit i out. */
static void open_bit(struct zs_tree_node *node, unsigned i)
{
    uint64_t below = zs_tree_bits_below(i);
    node->mask = (node->mask & below) | (node->mask & ~below) << 1;
}

static void close_bit(struct zs_tree_node *node, unsigned i)
{
    uint64_t below = zs_tree_bits_below(i);
    node->mask = (node->mask & below) | (node->mask >> 1 & ~below);
}

static void set_child(struct zs_tree_inner *inner, unsigned i,
    struct zs_tree_separator *separator, struct zs_tree_node *child)
{
    inner->separators[i] = separator;
    if (separator != NULL)
        inner->node.windows[i] = zs_tree_window(separator_bytes(separator), inner->node.skip);
    inner->children[i] = child;
    child->parent = &inner->node;
    note_life(inner, i);
}

/* The child before it may have given it cells, so its life is looked at again. */
static void put_child(struct zs_tree_inner *inner, unsigned i,
    struct zs_tree_separator *separator, struct zs_tree_node *child)
{
    struct zs_tree_node *node = &inner->node;
    size_t n_after = node->n - i;

    memmove(&node->windows[i + 1], &node->windows[i], n_after * sizeof(node->windows[0]));
    memmove(&inner->separators[i + 1], &inner->separators[i],
        n_after * sizeof(inner->separators[0]));
    memmove(&inner->children[i + 1], &inner->children[i], n_after * sizeof(inner->children[0]));
    open_bit(node, i);
    node->n++;
    set_child(inner, i, separator, child);
    note_life(inner, i - 1);
}

/* Moves the children from keep on to a new node; returns the separator between the two. */
static struct zs_tree_separator *split_inner(
    struct zs_tree_inner *inner, unsigned keep, struct zs_tree_inner *right)
{
    struct zs_tree_separator *separator = inner->separators[keep];

    right->node.skip = inner->node.skip;
    right->node.level = inner->node.level;
    for (unsigned i = keep; i < inner->node.n; i++) {
        right->node.n++;
        set_child(right, i - keep, i == keep ? NULL : inner->separators[i], inner->children[i]);
    }
    inner->node.n = (uint8_t)keep;
    inner->node.mask &= zs_tree_bits_below(keep);
    return separator;
}

static struct zs_tree_inner *grow_root(
    struct zs_tree *tree, struct zs_tree_node *child, struct parts *parts)
{
    struct zs_tree_inner *root = take_inner(parts);
    root->node.n = 1;
    root->node.level = child->level + 1;
    set_child(root, 0, NULL, child);
    tree->root = &root->node;
    return root;
}

/* Makes right the child after left, splitting full nodes on the way up: as deep as the tree is
** high. */
static void add_sibling(struct zs_tree *tree, struct zs_tree_node *left,
    struct zs_tree_separator *separator, struct zs_tree_node *right, struct parts *parts)
{
    struct zs_tree_inner *parent =
        left->parent == NULL ? grow_root(tree, left, parts) : zs_tree_inner_of(left->parent);
    unsigned slot = zs_tree_slot(parent, left);
    unsigned keep = slot == FANOUT - 1 ? FANOUT - 1 : FANOUT / 2;

    if (parent->node.n < FANOUT) {
        put_child(parent, slot + 1, separator, right);
    } else {
        struct zs_tree_inner *half = take_inner(parts);
        struct zs_tree_separator *up = split_inner(parent, keep, half);
        if (slot < keep)
            put_child(parent, slot + 1, separator, right);
        else
            put_child(half, slot - keep + 1, separator, right);
        add_sibling(tree, &parent->node, up, &half->node, parts);
    }
    zs_tree_refit(left);
    zs_tree_refit(right);
}

static bool is_at_right_edge(const struct zs_tree_node *node)
{
    for (; node->parent != NULL; node = node->parent) {
        const struct zs_tree_inner *parent = (const struct zs_tree_inner *)node->parent;
        if (parent->children[parent->node.n - 1] != node)
            return false;
    }
    return true;
}

static void move_cells(struct zs_tree_leaf *from, unsigned keep, struct zs_tree_leaf *to)
{
    unsigned n = from->node.n - keep;

    memcpy(to->node.windows, &from->node.windows[keep], n * sizeof(to->node.windows[0]));
    memcpy(to->cells, &from->cells[keep], n * sizeof(to->cells[0]));
    to->node.skip = from->node.skip;
    to->node.n = (uint8_t)n;
    from->node.n = (uint8_t)keep;
    to->node.mask = n == 0 ? 0 : from->node.mask >> keep;
    from->node.mask &= zs_tree_bits_below(keep);
}

/* Makes room in a full leaf; *leaf becomes the half where key belongs. */
static int split_leaf(struct zs_tree *tree, struct zs_bytes key, struct zs_tree_leaf **leaf)
{
    struct zs_tree_leaf *left = *leaf;
    struct zs_tree_leaf *right;
    struct parts parts = {0};
    bool is_append = zs_bytes_compare(zs_cell_key(left->cells[FANOUT - 1]), key) < 0 &&
                     is_at_right_edge(&left->node);
    unsigned keep = is_append ? FANOUT : FANOUT / 2;
    int rc = get_parts(tree->alloc, left, zs_cell_key(left->cells[keep - 1]),
        is_append ? key : zs_cell_key(left->cells[keep]), &parts);

    if (rc != ZS_OK)
        return rc;
    tree->n_reshaped++;
    right = parts.leaf;
    move_cells(left, keep, right);
    if (zs_bytes_compare(key, separator_bytes(parts.separator)) >= 0)
        *leaf = right;
    add_sibling(tree, &left->node, parts.separator, &right->node, &parts);
    return ZS_OK;
}

static int plant(struct zs_tree *tree, struct zs_tree_leaf **leaf)
{
    *leaf = new_leaf(tree->alloc);
    if (*leaf == NULL)
        return ZS_NOMEM;
    tree->n_reshaped++;
    tree->root = &(*leaf)->node;
    return ZS_OK;
}

int zs_tree_insert(struct zs_tree *tree, struct zs_cell *cell, struct zs_tree_place place)
{
    struct zs_bytes key = zs_cell_key(cell);
    struct zs_tree_leaf *leaf = zs_tree_leaf_of(place.leaf);
    unsigned i = place.i;
    unsigned n_after;
    int rc = ZS_OK;

    if (leaf == NULL) {
        rc = plant(tree, &leaf);
    } else if (leaf->node.n == FANOUT) {
        rc = split_leaf(tree, key, &leaf);
        if (rc == ZS_OK)
            i = zs_tree_search(&leaf->node, key, 0, false);
    }
    if (rc != ZS_OK)
        return rc;
    n_after = leaf->node.n - i;
    memmove(&leaf->node.windows[i + 1], &leaf->node.windows[i],
        n_after * sizeof(leaf->node.windows[0]));
    memmove(&leaf->cells[i + 1], &leaf->cells[i], n_after * sizeof(leaf->cells[0]));
    leaf->node.windows[i] = zs_tree_window(key, leaf->node.skip);
    leaf->cells[i] = cell;
    open_bit(&leaf->node, i);
    leaf->node.n++;
    tree->hint = &leaf->node;
    tree->hint_i = i;
    zs_tree_note_life(tree, leaf, i, cell->is_alive);
    return ZS_OK;
}

/* The range of a child that goes falls to the one before it, or after it where it was first. */
static void drop_child(
    const struct zs_alloc *alloc, struct zs_tree_inner *inner, unsigned child)
{
    struct zs_tree_node *node = &inner->node;
    unsigned separator = child == 0 ? 1 : child;

    close_bit(node, child);
    node->n--;
    memmove(&inner->children[child], &inner->children[child + 1],
        (node->n - child) * sizeof(inner->children[0]));
    if (separator > node->n)
        return;
    zs_alloc_free(alloc, inner->separators[separator]);
    memmove(&inner->separators[separator], &inner->separators[separator + 1],
        (node->n - separator) * sizeof(inner->separators[0]));
    memmove(&node->windows[separator], &node->windows[separator + 1],
        (node->n - separator) * sizeof(node->windows[0]));
}

/* The nodes at one edge of what lies under node, whose separators have gone. */
static void refit_edge(struct zs_tree_node *node, bool is_right)
{
    zs_tree_refit(node);
    while (node->level > 0) {
        node = zs_tree_inner_of(node)->children[is_right ? node->n - 1 : 0];
        zs_tree_refit(node);
    }
}

/* Takes out an empty node and whatever is empty above it then. */
static void prune(struct zs_tree *tree, struct zs_tree_node *node)
{
    unsigned slot = 0;

    while (node->n == 0) {
        struct zs_tree_node *parent = node->parent;
        if (parent == NULL) {
            tree->root = NULL;
        } else {
            slot = zs_tree_slot(zs_tree_inner_of(parent), node);
            drop_child(tree->alloc, zs_tree_inner_of(parent), slot);
        }
        zs_alloc_free(tree->alloc, node);
        if (parent == NULL)
            return;
        node = parent;
    }
    refit_edge(zs_tree_inner_of(node)->children[slot == 0 ? 0 : slot - 1], slot > 0);
}

static void lower_root(struct zs_tree *tree)
{
    while (tree->root != NULL && tree->root->level > 0 && tree->root->n == 1) {
        struct zs_tree_node *root = tree->root;
        tree->root = zs_tree_inner_of(root)->children[0];
        tree->root->parent = NULL;
        zs_alloc_free(tree->alloc, root);
    }
}

void zs_tree_remove(struct zs_tree *tree, struct zs_cell *cell)
{
    struct zs_tree_leaf *leaf = zs_tree_leaf_for(tree, zs_cell_key(cell));
    unsigned i = zs_tree_search(&leaf->node, zs_cell_key(cell), 0, false);
    unsigned n_after = leaf->node.n - i - 1u;

    zs_tree_note_life(tree, leaf, i, false);
    close_bit(&leaf->node, i);
    memmove(&leaf->node.windows[i], &leaf->node.windows[i + 1],
        n_after * sizeof(leaf->node.windows[0]));
    memmove(&leaf->cells[i], &leaf->cells[i + 1], n_after * sizeof(leaf->cells[0]));
    leaf->node.n--;
    if (leaf->node.n == 0) {
        tree->hint = NULL;
        tree->n_reshaped++;
        prune(tree, &leaf->node);
        lower_root(tree);
    }
}

static void clear_node(const struct zs_alloc *alloc, struct zs_tree_node *node,
    void (*free_cell)(const struct zs_alloc *alloc, struct zs_cell *cell))
{
    for (unsigned i = 0; i < node->n; i++) {
        if (node->level == 0) {
            free_cell(alloc, zs_tree_leaf_of(node)->cells[i]);
        } else {
            zs_alloc_free(alloc, zs_tree_inner_of(node)->separators[i]);
            clear_node(alloc, zs_tree_inner_of(node)->children[i], free_cell);
        }
    }
    zs_alloc_free(alloc, node);
}

void zs_tree_clear(
    struct zs_tree *tree, void (*free_cell)(const struct zs_alloc *alloc, struct zs_cell *cell))
{
    if (tree->root != NULL)
        clear_node(tree->alloc, tree->root, free_cell);
    *tree = (struct zs_tree){.alloc = tree->alloc};
}
