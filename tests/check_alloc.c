/* An allocation table for tests. A block is preceded by its size. */
#include "tests/check_alloc.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/must.h"

enum { FREED = 0xdd, FRESH = 0xcd };

struct block {
    size_t size;
    alignas(max_align_t) uint8_t bytes[];
};

static struct block *block_of(void *p)
{
    return (struct block *)((uint8_t *)p - offsetof(struct block, bytes));
}

static void release(void *ctx, void *p)
{
    struct check_alloc *check = ctx;

    if (p == NULL)
        return;
    memset(p, FREED, block_of(p)->size);
    free(block_of(p));
    check->n_blocks--;
}

static void *resize(void *ctx, void *p, size_t n)
{
    struct check_alloc *check = ctx;
    struct block *block;

    must(n > 0);
    if (++check->n_calls == check->fails_at) {
        check->n_failed++;
        return NULL;
    }
    block = n > SIZE_MAX - sizeof(*block) ? NULL : malloc(sizeof(*block) + n);
    if (block == NULL)
        return NULL;
    block->size = n;
    memset(block->bytes, FRESH, n);
    check->n_blocks++;
    if (p != NULL) {
        memcpy(block->bytes, p, n < block_of(p)->size ? n : block_of(p)->size);
        release(ctx, p);
    }
    return block->bytes;
}

void check_alloc_init(struct check_alloc *check)
{
    *check = (struct check_alloc){.alloc = {resize, release, check}};
}

void check_alloc_fail(struct check_alloc *check, unsigned long n)
{
    check->n_calls = 0;
    check->n_failed = 0;
    check->fails_at = n;
}

void check_alloc_end(const struct check_alloc *check)
{
    ck_assert_msg(check->n_blocks == 0, "[leak] %zu blocks", check->n_blocks);
}

unsigned long check_alloc_sweep(
    struct check_alloc *check, int (*act)(void *ctx), void (*unchanged)(void *ctx), void *ctx)
{
    for (unsigned long n = 1;; n++) {
        bool failed;
        int rc;

        check_alloc_fail(check, n);
        rc = act(ctx);
        failed = check->n_failed > 0;
        check_alloc_fail(check, 0);
        if (rc != (failed ? ZS_NOMEM : ZS_OK))
            ck_abort_msg("[nomem] status %d with allocation %lu failing", rc, n);
        if (!failed)
            return n - 1;
        unchanged(ctx);
    }
}
