/* Chunks, a list of them. */
#include "core/chunks.h"

enum { CHUNK_MIN = 256, CHUNK_MAX = 1 << 20 };

int zs_chunks_add(struct zs_chunks *chunks, const struct zs_alloc *alloc, size_t need)
{
    size_t cap = chunks->last == NULL ? CHUNK_MIN : 2 * chunks->last->cap;
    struct zs_chunk *chunk;

    if (cap > CHUNK_MAX)
        cap = CHUNK_MAX;
    if (cap < need)
        cap = need;
    if (cap > SIZE_MAX - sizeof(*chunk))
        return ZS_NOMEM;
    chunk = zs_alloc_get(alloc, sizeof(*chunk) + cap);
    if (chunk == NULL)
        return ZS_NOMEM;
    *chunk = (struct zs_chunk){.next = chunks->last, .cap = cap};
    chunks->last = chunk;
    chunks->n_bytes += cap;
    return ZS_OK;
}

void zs_chunks_reset(struct zs_chunks *chunks, const struct zs_alloc *alloc, size_t most)
{
    struct zs_chunk *chunk = chunks->last;

    *chunks = (struct zs_chunks){0};
    if (chunk != NULL && chunk->cap <= most) {
        chunks->last = chunk;
        chunks->n_bytes = chunk->cap;
        chunk = chunk->next;
        chunks->last->next = NULL;
        chunks->last->used = 0;
    }
    while (chunk != NULL) {
        struct zs_chunk *next = chunk->next;
        zs_alloc_free(alloc, chunk);
        chunk = next;
    }
}
