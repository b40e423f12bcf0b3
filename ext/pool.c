/* A pool is a list of blocks, each what one call asked for. */
#include "ext/pool.h"

#include <stdint.h>
#include <string.h>

#include "ext/api.h"

struct ls_pool_block {
    struct ls_pool_block *next;
    uint64_t bytes[]; /* as sqlite3_malloc64 aligns */
};

void *ls_pool_get(struct ls_pool_block **pool, size_t n)
{
    struct ls_pool_block *block = sqlite3_malloc64(sizeof(*block) + n);

    if (block == NULL)
        return NULL;
    memset(block->bytes, 0, n);
    block->next = *pool;
    *pool = block;
    return block->bytes;
}

const char *ls_pool_copy(struct ls_pool_block **pool, const char *text, int *rc)
{
    size_t n;
    char *copy;

    if (text == NULL || *rc != SQLITE_OK)
        return NULL;
    n = strlen(text) + 1;
    copy = ls_pool_get(pool, n);
    if (copy == NULL)
        *rc = SQLITE_NOMEM;
    else
        memcpy(copy, text, n);
    return copy;
}

const char *ls_pool_take(struct ls_pool_block **pool, char *text, int *rc)
{
    const char *copy;

    if (text == NULL && *rc == SQLITE_OK)
        *rc = SQLITE_NOMEM;
    copy = ls_pool_copy(pool, text, rc);
    sqlite3_free(text);
    return copy;
}

void ls_pool_free(struct ls_pool_block *pool)
{
    while (pool != NULL) {
        struct ls_pool_block *next = pool->next;
        sqlite3_free(pool);
        pool = next;
    }
}
