/* The nodes of the tree under cells in memory: windows and what they are good for. */
#include "core/tree_node.h"

#include <string.h>

struct zs_bytes zs_tree_key_at(const struct zs_tree_node *node, unsigned i)
{
    const struct zs_tree_separator *separator;

    if (node->level == 0)
        return zs_cell_key(((const struct zs_tree_leaf *)node)->cells[i]);
    separator = ((const struct zs_tree_inner *)node)->separators[i];
    return (struct zs_bytes){separator->bytes, separator->len};
}

int zs_tree_compare_at(
    const struct zs_tree_node *node, unsigned i, struct zs_bytes key, uint64_t window)
{
    if (node->windows[i] != window)
        return node->windows[i] < window ? -1 : 1;
    return zs_bytes_compare(zs_tree_key_at(node, i), key);
}

/* The first from low on whose window is >= window. Written so that it needs no branch that a
** processor would have to guess. */
static unsigned search_windows(const struct zs_tree_node *node, unsigned low, uint64_t window)
{
    const uint64_t *base = node->windows + low;
    unsigned n = node->n - low;

    while (n > 1) {
        unsigned half = n / 2;
        base += half & -(unsigned)(base[half - 1] < window);
        n -= half;
    }
    return (unsigned)(base - node->windows) + (n == 1 && *base < window);
}

unsigned zs_tree_search(
    const struct zs_tree_node *node, struct zs_bytes key, unsigned low, bool passes_equal)
{
    uint64_t window = zs_tree_window(key, node->skip);
    unsigned high = node->n;

    low = search_windows(node, low, window);
    if (low == high || node->windows[low] != window)
        return low;
    if (zs_bytes_equal(zs_tree_key_at(node, low), key))
        return low + passes_equal;
    if (low + 1 < high && node->windows[low + 1] != window)
        high = low + 1; /* as nearly always */
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (zs_tree_compare_at(node, middle, key, window) < passes_equal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

unsigned zs_tree_slot(const struct zs_tree_inner *parent, const struct zs_tree_node *child)
{
    unsigned i = 0;
    while (parent->children[i] != child)
        i++;
    return i;
}

/* The separator that bounds the node from below or above; false where nothing does. */
static bool find_bound(const struct zs_tree_node *node, bool is_upper, struct zs_bytes *bound)
{
    for (; node->parent != NULL; node = node->parent) {
        unsigned i = zs_tree_slot(zs_tree_inner_of(node->parent), node) + is_upper;
        if (i > 0 && i < node->parent->n) {
            *bound = zs_tree_key_at(node->parent, i);
            return true;
        }
    }
    return false;
}

void zs_tree_refit(struct zs_tree_node *node)
{
    struct zs_bytes low;
    struct zs_bytes high;
    size_t skip = 0;

    if (find_bound(node, false, &low) && find_bound(node, true, &high)) {
        while (skip < low.len && skip < high.len && low.data[skip] == high.data[skip])
            skip++;
    }
    if (skip == node->skip)
        return;
    node->skip = skip;
    for (unsigned i = node->level == 0 ? 0 : 1; i < node->n; i++)
        node->windows[i] = zs_tree_window(zs_tree_key_at(node, i), skip);
}
