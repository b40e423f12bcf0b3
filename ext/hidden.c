/* A set of rowids: open addressing with linear probing. Rowids may be keys, which lie side by
** side: they are spread by a multiplication (Knuth, TAOCP 3, 6.4). At least every other slot is
** FREE. */
#include "ext/hidden.h"

#include "ext/statement.h"

enum { FREE = -1, LEFT = -2 }; /* LEFT: one was here, and a search goes on */

/* The slot of a rowid, or the FREE one that ends the search for it. */
static size_t slot_of(const struct ls_hidden *hidden, int64_t rowid)
{
    uint64_t spread = (uint64_t)rowid * UINT64_C(0x9E3779B97F4A7C15);
    size_t i =
        (size_t)(spread >> __builtin_clzll(hidden->cap - 1)); /* as many bits as cap has */

    while (hidden->slots[i] != rowid && hidden->slots[i] != FREE)
        i = (i + 1) & (hidden->cap - 1);
    return i;
}

/* Moves to as many slots as leave most of them free. */
static int make_room(struct ls_hidden *hidden)
{
    struct ls_hidden made = {.cap = 16, .n_used = hidden->n, .n = hidden->n};

    while (made.cap < 4 * (hidden->n + 1))
        made.cap *= 2;
    made.slots = zs_alloc_get(&ls_alloc, made.cap * sizeof(*made.slots));
    if (made.slots == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < made.cap; i++)
        made.slots[i] = FREE;
    for (size_t i = 0; i < hidden->cap; i++)
        if (hidden->slots[i] >= 0)
            made.slots[slot_of(&made, hidden->slots[i])] = hidden->slots[i];
    sqlite3_free(hidden->slots);
    *hidden = made;
    return ZS_OK;
}

int ls_hidden_add(struct ls_hidden *hidden, int64_t rowid)
{
    size_t i;

    if (2 * (hidden->n_used + 1) > hidden->cap && make_room(hidden) != ZS_OK)
        return ZS_NOMEM;
    i = slot_of(hidden, rowid);
    if (hidden->slots[i] == rowid)
        return ZS_OK;
    hidden->slots[i] = rowid;
    hidden->n_used++;
    hidden->n++;
    return ZS_OK;
}

void ls_hidden_remove(struct ls_hidden *hidden, int64_t rowid)
{
    hidden->slots[slot_of(hidden, rowid)] = LEFT;
    hidden->n--;
}

bool ls_hidden_has(const struct ls_hidden *hidden, int64_t rowid)
{
    return rowid >= 0 && hidden->cap > 0 && hidden->slots[slot_of(hidden, rowid)] == rowid;
}

void ls_hidden_clear(struct ls_hidden *hidden)
{
    sqlite3_free(hidden->slots);
    *hidden = (struct ls_hidden){.slots = NULL};
}
