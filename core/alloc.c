/* The allocation table of the C library, and array growth over any table. */
#include "core/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"

static void *libc_resize(void *ctx, void *p, size_t n)
{
    (void)ctx;
    return realloc(p, n);
}

static void libc_release(void *ctx, void *p)
{
    (void)ctx;
    free(p);
}

const struct zs_alloc zs_alloc_libc = {libc_resize, libc_release, NULL};

void *zs_alloc_get(const struct zs_alloc *alloc, size_t n)
{
    return alloc->resize(alloc->ctx, NULL, n == 0 ? 1 : n);
}

void *zs_alloc_zeroed(const struct zs_alloc *alloc, size_t n)
{
    void *p = zs_alloc_get(alloc, n);
    if (p != NULL)
        memset(p, 0, n);
    return p;
}

void zs_alloc_free(const struct zs_alloc *alloc, void *p)
{
    if (p != NULL)
        alloc->release(alloc->ctx, p);
}

int zs_alloc_reserve(
    const struct zs_alloc *alloc, void *items, size_t *cap, size_t need, size_t item_size)
{
    void *old;
    void *grown;
    size_t new_cap = *cap == 0 ? 8 : *cap;

    if (need <= *cap)
        return ZS_OK;
    while (new_cap < need) {
        if (new_cap > SIZE_MAX / 2)
            return ZS_NOMEM;
        new_cap *= 2;
    }
    if (new_cap > SIZE_MAX / item_size)
        return ZS_NOMEM;
    memcpy(&old, items, sizeof(old));
    grown = alloc->resize(alloc->ctx, old, new_cap * item_size);
    if (grown == NULL)
        return ZS_NOMEM;
    memcpy(items, &grown, sizeof(grown));
    *cap = new_cap;
    return ZS_OK;
}
