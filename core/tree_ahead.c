/* The ordered tree under cells in memory: many keys at once, and walking from a place on.
**
** In a tree that is larger than the processor's caches, to find a key is to wait for memory,
** for a leaf and then for a cell. Where the keys to come are known the waiting is done for many
** at once: first all the leaves are asked for, then, when they have come, the cells. And from
** one key to the next greater one the way is shorter than from the root. */
#include "core/tree_node.h"

enum {
    LINE = 64,                           /* bytes that come together */
    USUAL_FILL = ZS_TREE_FANOUT * 3 / 4, /* few leaves are fuller */
    KEY_NEAR = 8,                        /* bytes of a key that are asked for with its cell */
};

static void ask_for(const void *from, size_t len)
{
    for (size_t at = 0; at < len; at += LINE)
        __builtin_prefetch((const char *)from + at);
}

/* A cell and the beginning of its key, which may well be all of it. They lie on one line or on
** two. */
static void ask_for_cell(const struct zs_cell *cell)
{
    __builtin_prefetch(cell);
    __builtin_prefetch(cell->key + KEY_NEAR);
}

/* The inner node just above the leaves where the last key was, and how far its children go. */
struct finger {
    struct zs_tree_node *node; /* NULL: none */
    unsigned slot;             /* of the last key */
    struct zs_bytes last;
    bool has_end;
    struct zs_bytes end; /* exclusive */
};

static bool finger_covers(const struct finger *finger, struct zs_bytes key)
{
    return finger->node != NULL && zs_bytes_compare(finger->last, key) <= 0 &&
           (!finger->has_end || zs_bytes_compare(key, finger->end) < 0);
}

/* Down from the root, to the level above the leaves. */
static void move_finger(const struct zs_tree *tree, struct zs_bytes key, struct finger *finger)
{
    struct zs_tree_node *node = tree->root;

    finger->has_end = false;
    while (node->level > 1) {
        unsigned slot = zs_tree_search(node, key, 1, true) - 1;
        if (slot + 1 < node->n) {
            finger->has_end = true;
            finger->end = zs_tree_key_at(node, slot + 1);
        }
        node = zs_tree_inner_of(node)->children[slot];
        ask_for(node, sizeof(*node));
    }
    finger->node = node;
    finger->slot = 0;
}

/* Touches no leaf. The root is none. */
static struct zs_tree_node *find_leaf(
    const struct zs_tree *tree, struct zs_bytes key, struct finger *finger)
{
    if (!finger_covers(finger, key))
        move_finger(tree, key, finger);
    finger->last = key;
    finger->slot = zs_tree_search(finger->node, key, finger->slot + 1, true) - 1;
    return zs_tree_inner_of(finger->node)->children[finger->slot];
}

/* Has the place a cell that will be looked at? */
static bool may_be_there(struct zs_tree_place place, struct zs_bytes key, bool is_exact)
{
    const struct zs_tree_node *leaf = place.leaf;

    if (place.i == leaf->n)
        return false;
    return !is_exact || leaf->windows[place.i] == zs_tree_window(key, leaf->skip);
}

void zs_tree_find_places(struct zs_tree *tree, const struct zs_bytes *keys, size_t n,
    bool are_exact, struct zs_tree_place *places)
{
    struct finger finger = {0};
    bool has_inner = tree->root != NULL && tree->root->level > 0;

    for (size_t i = 0; i < n; i++) {
        struct zs_tree_node *leaf = has_inner ? find_leaf(tree, keys[i], &finger) : tree->root;
        places[i] = (struct zs_tree_place){leaf, 0};
        if (has_inner)
            ask_for(leaf,
                offsetof(struct zs_tree_node, windows) + USUAL_FILL * sizeof(*leaf->windows));
    }
    for (size_t i = 0; i < n && tree->root != NULL; i++) {
        places[i].i = zs_tree_search(places[i].leaf, keys[i], 0, false);
        __builtin_prefetch(&zs_tree_leaf_of(places[i].leaf)->cells[places[i].i]);
    }
    for (size_t i = 0; i < n && tree->root != NULL; i++) {
        if (may_be_there(places[i], keys[i], are_exact))
            ask_for_cell(zs_tree_leaf_of(places[i].leaf)->cells[places[i].i]);
    }
}

/* How far a walk goes in a leaf: to a key, to its end, or nowhere. */
struct bound {
    enum { TO_KEY, TO_END, NOWHERE } kind;
    struct zs_bytes to;
    uint64_t window;
};

/* inside begins with the bytes that all keys of the leaf have in common. A bound that does not
** is greater or less than all of them. */
static struct bound bound_in(
    const struct zs_tree_leaf *leaf, struct zs_bytes inside, struct zs_bytes to)
{
    size_t skip = leaf->node.skip;
    int order;

    if (to.data == NULL)
        return (struct bound){.kind = TO_END};
    if (skip > 0) {
        order = zs_bytes_compare((struct zs_bytes){to.data, to.len < skip ? to.len : skip},
            (struct zs_bytes){inside.data, skip});
        if (order != 0)
            return (struct bound){.kind = order > 0 ? TO_END : NOWHERE};
    }
    return (struct bound){TO_KEY, to, zs_tree_window(to, skip)};
}

static bool is_within(const struct zs_tree_leaf *leaf, unsigned i, const struct bound *bound)
{
    if (bound->kind != TO_KEY)
        return bound->kind == TO_END;
    return zs_tree_compare_at(&leaf->node, i, bound->to, bound->window) < 0;
}

/* As the window alone can tell, which is at hand. */
static bool may_be_within(
    const struct zs_tree_leaf *leaf, unsigned i, const struct bound *bound)
{
    return bound->kind != TO_KEY || leaf->node.windows[i] <= bound->window;
}

/* The leaf's cells from i on. *is_over is set where one is not within, or enough seen. */
static int walk_leaf(const struct zs_tree_leaf *leaf, unsigned i, const struct bound *bound,
    zs_tree_visit *visit, void *ctx, bool *is_over)
{
    uint64_t mask = leaf->node.mask & ~zs_tree_bits_below(i);
    int rc = ZS_OK;

    while (rc == ZS_OK && mask != 0 && !*is_over) {
        i = zs_tree_lowest(mask);
        mask &= mask - 1;
        if (mask != 0 && may_be_within(leaf, zs_tree_lowest(mask), bound))
            ask_for_cell(leaf->cells[zs_tree_lowest(mask)]);
        *is_over = !is_within(leaf, i, bound);
        if (!*is_over)
            rc = visit(ctx, leaf->cells[i], is_over);
    }
    return rc;
}

int zs_tree_walk(struct zs_tree *tree, struct zs_tree_place place, struct zs_bytes from,
    struct zs_bytes to, zs_tree_visit *visit, void *ctx)
{
    const struct zs_tree_leaf *leaf = zs_tree_leaf_of(place.leaf);
    bool is_over = false;
    struct bound bound;
    int rc;

    if (leaf == NULL)
        return ZS_OK;
    bound = bound_in(leaf, from, to);
    rc = walk_leaf(leaf, place.i, &bound, visit, ctx, &is_over);
    while (
        rc == ZS_OK && !is_over && (leaf = zs_tree_neighbour(tree, place.leaf, true)) != NULL) {
        struct zs_bytes inside = zs_cell_key(leaf->cells[0]);

        place.leaf = tree->hint;
        if (to.data != NULL && zs_bytes_compare(inside, to) >= 0)
            return ZS_OK;
        bound = bound_in(leaf, inside, to);
        rc = walk_leaf(leaf, 0, &bound, visit, ctx, &is_over);
    }
    return rc;
}
