/* Bytes that stay where they are until all are freed, in chunks that double in size. */
#ifndef ZS_CHUNKS_H
#define ZS_CHUNKS_H

#include "core/buffer.h"

struct zs_chunk {
    struct zs_chunk *next; /* older ones, which are full */
    size_t cap;
    size_t used;
    uint8_t bytes[];
};

struct zs_chunks {
    struct zs_chunk *last; /* NULL: none yet. What is written to it is added to used. */
    size_t n_bytes;        /* the capacity of all */
};

/* For zs_chunks_reserve. */
ZS_CHECKED int zs_chunks_add(
    struct zs_chunks *chunks, const struct zs_alloc *alloc, size_t need);

/* Room for so many bytes at the end of the last chunk. ZS_NOMEM leaves all unchanged. */
ZS_CHECKED static inline int zs_chunks_reserve(
    struct zs_chunks *chunks, const struct zs_alloc *alloc, size_t need)
{
    return chunks->last == NULL || chunks->last->cap - chunks->last->used < need
               ? zs_chunks_add(chunks, alloc, need)
               : ZS_OK;
}

/* Frees all, but keeps the memory of the last chunk where that is at most so many bytes. */
void zs_chunks_reset(struct zs_chunks *chunks, const struct zs_alloc *alloc, size_t most);

#endif
