/* The ordered tree under cells in memory: finding and seeking. */
#include "core/tree_node.h"

#include <string.h>

enum { NEAR = 4 }; /* cells */

/* Finding */

/* Is it the last leaf of all? */
static bool is_last(const struct zs_tree_node *leaf)
{
    const struct zs_tree_node *node = leaf;

    for (; node->parent != NULL; node = node->parent)
        if (zs_tree_inner_of(node->parent)->children[node->parent->n - 1] != node)
            return false;
    return true;
}

/* Is key where the hint's cells are, between two of them or on one, or behind all that there
** are? All of them begin with the same bytes, so it looks at the one that was used last, which
** the processor has at hand. */
static bool hint_covers(const struct zs_tree *tree, struct zs_bytes key)
{
    const struct zs_tree_node *leaf = tree->hint;
    uint64_t window;

    if (key.len < leaf->skip)
        return false;
    if (leaf->skip > 0) {
        unsigned i = tree->hint_i < leaf->n ? tree->hint_i : 0;
        if (memcmp(zs_tree_key_at(leaf, i).data, key.data, leaf->skip) != 0)
            return false;
    }
    window = zs_tree_window(key, leaf->skip);
    return zs_tree_compare_at(leaf, 0, key, window) <= 0 &&
           (zs_tree_compare_at(leaf, leaf->n - 1u, key, window) >= 0 || is_last(leaf));
}

/* Has all that a search looks at brought to the processor at once, not line by line. */
static void prefetch(const struct zs_tree_node *node)
{
    enum { LINE = 64 };
    const char *from = (const char *)node;

    for (size_t at = 0; at < sizeof(*node); at += LINE)
        __builtin_prefetch(from + at);
}

struct zs_tree_leaf *zs_tree_leaf_for(struct zs_tree *tree, struct zs_bytes key)
{
    struct zs_tree_node *node = tree->root;

    if (tree->hint != NULL && hint_covers(tree, key))
        return zs_tree_leaf_of(tree->hint);
    while (node != NULL && node->level > 0) {
        node = zs_tree_inner_of(node)->children[zs_tree_search(node, key, 1, true) - 1];
        prefetch(node);
    }
    tree->hint = node;
    return zs_tree_leaf_of(node);
}

/* Who changes a cell has often read it just before, and who goes through ascending keys often
** asks for one of the next. Windows find it where it is one of these, and move the hint
** there. */
static bool is_near(struct zs_tree *tree, struct zs_bytes key)
{
    const struct zs_tree_node *leaf = tree->hint;
    unsigned i = tree->hint_i;
    unsigned end = i + NEAR;
    uint64_t window;

    if (leaf == NULL || key.len < leaf->skip)
        return false;
    if (end > leaf->n)
        end = leaf->n;
    window = zs_tree_window(key, leaf->skip);
    while (i < end && leaf->windows[i] < window)
        i++;
    if (i >= end || leaf->windows[i] != window || !zs_bytes_equal(zs_tree_key_at(leaf, i), key))
        return false;
    tree->hint_i = i;
    return true;
}

/* Where windows differ, the cell itself need not be looked at. */
static struct zs_cell *cell_at(
    struct zs_tree *tree, struct zs_bytes key, struct zs_tree_place place)
{
    const struct zs_tree_leaf *leaf = zs_tree_leaf_of(place.leaf);

    if (place.i == leaf->node.n ||
        leaf->node.windows[place.i] != zs_tree_window(key, leaf->node.skip) ||
        !zs_bytes_equal(zs_cell_key(leaf->cells[place.i]), key))
        return NULL;
    tree->hint = place.leaf;
    tree->hint_i = place.i;
    return leaf->cells[place.i];
}

struct zs_tree_place zs_tree_find_place(struct zs_tree *tree, struct zs_bytes key)
{
    struct zs_tree_leaf *leaf = zs_tree_leaf_for(tree, key);

    if (leaf == NULL)
        return (struct zs_tree_place){0};
    return (struct zs_tree_place){&leaf->node, zs_tree_search(&leaf->node, key, 0, false)};
}

struct zs_cell *zs_tree_find(
    struct zs_tree *tree, struct zs_bytes key, struct zs_tree_place *place)
{
    if (is_near(tree, key)) {
        *place = (struct zs_tree_place){tree->hint, tree->hint_i};
        return zs_tree_leaf_of(tree->hint)->cells[tree->hint_i];
    }
    *place = zs_tree_find_place(tree, key);
    return place->leaf == NULL ? NULL : cell_at(tree, key, *place);
}

/* Is i still where key is, or would be, as the windows alone can tell? */
static bool is_place(const struct zs_tree_node *leaf, struct zs_bytes key, unsigned i)
{
    uint64_t window = zs_tree_window(key, leaf->skip);

    return i <= leaf->n && (i == 0 || leaf->windows[i - 1] < window) &&
           (i == leaf->n || leaf->windows[i] > window);
}

struct zs_cell *zs_tree_find_again(
    struct zs_tree *tree, struct zs_bytes key, struct zs_tree_place *place)
{
    if (place->leaf == NULL || is_place(place->leaf, key, place->i))
        return NULL;
    place->i = zs_tree_search(place->leaf, key, 0, false);
    return cell_at(tree, key, *place);
}

/* Life and death */

/* Brings the masks above the node up to date. */
static void spread_life(struct zs_tree_node *node)
{
    while (node->parent != NULL) {
        struct zs_tree_node *parent = node->parent;
        uint64_t bit = zs_tree_bit(zs_tree_slot(zs_tree_inner_of(parent), node));
        uint64_t mask = node->mask != 0 ? parent->mask | bit : parent->mask & ~bit;
        bool goes_on = (mask == 0) != (parent->mask == 0);

        parent->mask = mask;
        if (!goes_on)
            return;
        node = parent;
    }
}

void zs_tree_note_life(
    struct zs_tree *tree, struct zs_tree_leaf *leaf, unsigned i, bool is_alive)
{
    uint64_t before = leaf->node.mask;
    uint64_t bit = zs_tree_bit(i);
    uint64_t after = is_alive ? before | bit : before & ~bit;

    if (after == before)
        return;
    leaf->node.mask = after;
    tree->n_alive += is_alive ? 1 : SIZE_MAX;
    if ((after == 0) != (before == 0))
        spread_life(&leaf->node);
}

void zs_tree_set_alive(struct zs_tree *tree, struct zs_cell *cell, bool is_alive)
{
    struct zs_bytes key = zs_cell_key(cell);
    struct zs_tree_leaf *leaf;

    if (cell->is_alive == is_alive)
        return;
    cell->is_alive = is_alive;
    leaf = zs_tree_leaf_for(tree, key);
    zs_tree_note_life(tree, leaf, zs_tree_search(&leaf->node, key, 0, false), is_alive);
}

/* Seeking */

static unsigned highest_bit(uint64_t mask)
{
    return 63 - (unsigned)__builtin_clzll(mask);
}

static struct zs_cell *first_alive(
    struct zs_tree *tree, const struct zs_tree_leaf *leaf, unsigned i)
{
    uint64_t mask = leaf->node.mask & ~zs_tree_bits_below(i);

    if (mask == 0)
        return NULL;
    tree->hint_i = zs_tree_lowest(mask);
    return leaf->cells[tree->hint_i];
}

static struct zs_cell *last_alive(const struct zs_tree_leaf *leaf, unsigned end)
{
    uint64_t mask = leaf->node.mask & zs_tree_bits_below(end);
    return mask == 0 ? NULL : leaf->cells[highest_bit(mask)];
}

/* Who walks through the cells seeks the one after the one that was found last, by its key and a
** zero byte: then nothing needs to be searched. */
static struct zs_cell *next_of_last(struct zs_tree *tree, struct zs_bytes from)
{
    struct zs_tree_leaf *leaf = zs_tree_leaf_of(tree->hint);
    unsigned i = tree->hint_i;
    struct zs_bytes last;

    if (leaf == NULL || i >= leaf->node.n)
        return NULL;
    last = zs_cell_key(leaf->cells[i]);
    if (from.len != last.len + 1 || from.data[last.len] != 0 ||
        memcmp(from.data, last.data, last.len) != 0)
        return NULL;
    return first_alive(tree, leaf, i + 1);
}

/* The outermost leaf with life under a node that has some. */
static struct zs_tree_leaf *outermost(
    struct zs_tree *tree, struct zs_tree_node *node, bool is_first)
{
    while (node->level > 0) {
        struct zs_tree_inner *inner = zs_tree_inner_of(node);
        node = inner->children[is_first ? zs_tree_lowest(node->mask) : highest_bit(node->mask)];
    }
    tree->hint = node;
    return zs_tree_leaf_of(node);
}

struct zs_tree_leaf *zs_tree_neighbour(
    struct zs_tree *tree, struct zs_tree_node *node, bool is_after)
{
    while (node->parent != NULL) {
        struct zs_tree_inner *parent = zs_tree_inner_of(node->parent);
        unsigned slot = zs_tree_slot(parent, node);
        uint64_t mask = is_after ? parent->node.mask & ~zs_tree_bits_below(slot + 1)
                                 : parent->node.mask & zs_tree_bits_below(slot);

        if (mask != 0)
            return outermost(tree,
                parent->children[is_after ? zs_tree_lowest(mask) : highest_bit(mask)],
                is_after);
        node = node->parent;
    }
    return NULL;
}

struct zs_cell *zs_tree_seek_forward(struct zs_tree *tree, struct zs_bytes from)
{
    struct zs_cell *cell = next_of_last(tree, from);
    struct zs_tree_leaf *leaf;

    if (cell != NULL)
        return cell;
    leaf = zs_tree_leaf_for(tree, from);
    if (leaf == NULL)
        return NULL;
    if (leaf->node.mask != 0)
        cell = first_alive(tree, leaf, zs_tree_search(&leaf->node, from, 0, false));
    if (cell == NULL) {
        leaf = zs_tree_neighbour(tree, &leaf->node, true);
        cell = leaf == NULL ? NULL : first_alive(tree, leaf, 0);
    }
    return cell;
}

struct zs_cell *zs_tree_seek_backward(struct zs_tree *tree, struct zs_bytes from)
{
    struct zs_tree_leaf *leaf = zs_tree_leaf_for(tree, from);
    struct zs_cell *cell = NULL;

    if (leaf == NULL)
        return NULL;
    if (leaf->node.mask != 0)
        cell = last_alive(leaf, zs_tree_search(&leaf->node, from, 0, false));
    if (cell == NULL) {
        leaf = zs_tree_neighbour(tree, &leaf->node, false);
        cell = leaf == NULL ? NULL : last_alive(leaf, leaf->node.n);
    }
    return cell;
}

struct zs_cell *zs_tree_last(struct zs_tree *tree)
{
    struct zs_tree_leaf *leaf;

    if (tree->n_alive == 0)
        return NULL;
    leaf = outermost(tree, tree->root, false);
    return last_alive(leaf, leaf->node.n);
}
