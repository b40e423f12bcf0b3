/* An arena as a chain of blocks, newest first; a request is cut from the newest block. */
#include "sql/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)4096)

struct block {
    struct block *next;
    alignas(uint64_t) char bytes[]; /* as sqlite3_malloc64 aligns: nothing here needs more */
};

struct zsql_arena {
    const struct zs_alloc *alloc; /* borrowed */
    struct block *blocks;
    char *free; /* the rest of the newest block */
    size_t left;
    bool has_failed;
};

int zsql_arena_new(const struct zs_alloc *alloc, struct zsql_arena **arena)
{
    *arena = zs_alloc_zeroed(alloc, sizeof(**arena));
    if (*arena == NULL)
        return ZS_NOMEM;
    (*arena)->alloc = alloc;
    return ZS_OK;
}

void zsql_arena_free(struct zsql_arena *arena)
{
    if (arena == NULL)
        return;
    while (arena->blocks != NULL) {
        struct block *next = arena->blocks->next;
        zs_alloc_free(arena->alloc, arena->blocks);
        arena->blocks = next;
    }
    zs_alloc_free(arena->alloc, arena);
}

static bool add_block(struct zsql_arena *arena, size_t size)
{
    struct block *block = zs_alloc_zeroed(arena->alloc, sizeof(*block) + size);
    if (block == NULL)
        return false;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->free = block->bytes;
    arena->left = size;
    return true;
}

void *zsql_arena_get(struct zsql_arena *arena, size_t n)
{
    size_t unit = alignof(uint64_t);
    void *p;

    if (n > SIZE_MAX / 2)
        arena->has_failed = true;
    if (arena->has_failed)
        return NULL;
    n = n == 0 ? unit : (n + unit - 1) / unit * unit;
    if (n > arena->left && !add_block(arena, n > BLOCK_SIZE ? n : BLOCK_SIZE)) {
        arena->has_failed = true;
        return NULL;
    }
    p = arena->free;
    arena->free += n;
    arena->left -= n;
    return p;
}

bool zsql_arena_has_failed(const struct zsql_arena *arena)
{
    return arena->has_failed;
}

char *zsql_arena_copy(struct zsql_arena *arena, const char *text, size_t n)
{
    char *copy = zsql_arena_get(arena, n + 1);
    if (copy != NULL && n > 0)
        memcpy(copy, text, n);
    return copy;
}

const struct zs_alloc *zsql_arena_table(const struct zsql_arena *arena)
{
    return arena->alloc;
}

void *zsql_arena_scratch(struct zsql_arena *arena, size_t n)
{
    return zs_alloc_get(arena->alloc, n);
}

void zsql_arena_scratch_free(struct zsql_arena *arena, void *p)
{
    zs_alloc_free(arena->alloc, p);
}

int zsql_list_append(struct zsql_arena *arena, struct zsql_list *list, void *item)
{
    if (list->n == list->cap) {
        size_t cap = list->cap == 0 ? 2 : list->cap * 2;
        void **items = zsql_arena_get(arena, cap * sizeof(*items));
        if (items == NULL)
            return ZS_NOMEM;
        if (list->n > 0)
            memcpy(items, list->items, list->n * sizeof(*items));
        list->items = items;
        list->cap = cap;
    }
    list->items[list->n++] = item;
    return ZS_OK;
}
