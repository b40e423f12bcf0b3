/* The one way to memory: a table of functions that the user of the library supplies. */
#ifndef ZS_ALLOC_H
#define ZS_ALLOC_H

#include <stddef.h>

/* resize(ctx, NULL, n) allocates, resize(ctx, p, n) moves with its contents kept; both return
** NULL when there is no memory, and then p is still valid. release(ctx, NULL) does nothing.
** n is never 0. The table is borrowed by every object that was given it and must outlive it. */
struct zs_alloc {
    void *(*resize)(void *ctx, void *p, size_t n);
    void (*release)(void *ctx, void *p);
    void *ctx;
};

/* malloc and free of the C library. */
extern const struct zs_alloc zs_alloc_libc;

/* n bytes, uninitialised, or NULL. n may be 0 (a unique pointer is returned). */
void *zs_alloc_get(const struct zs_alloc *alloc, size_t n);

/* n bytes, all zero, or NULL. */
void *zs_alloc_zeroed(const struct zs_alloc *alloc, size_t n);

/* Frees what came from the same table; p may be NULL. */
void zs_alloc_free(const struct zs_alloc *alloc, void *p);

/* Makes room for need items of item_size bytes in the array *items of capacity *cap, growing
** by doubling. ZS_NOMEM leaves both unchanged. Amortised O(1) an item. */
int zs_alloc_reserve(const struct zs_alloc *alloc, void *items, size_t *cap, size_t need,
    size_t item_size) __attribute__((warn_unused_result));

#endif
