/* A memo: open addressing with linear probing over notes, whose bytes lie in chunks. At least
** every other slot is free. */
#include "ext/memo.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ext/statement.h"

/* The slot of a key, or the free one where it would be. */
static struct ls_note *slot_of(struct ls_note *slots, size_t cap, struct zs_bytes key)
{
    size_t i = (size_t)XXH3_64bits(key.data, key.len) & (cap - 1);

    while (slots[i].bytes != NULL &&
           !zs_bytes_equal(key, (struct zs_bytes){slots[i].bytes, slots[i].key_len}))
        i = (i + 1) & (cap - 1);
    return &slots[i];
}

/* Room for one more. */
static int make_room(struct ls_memo *memo)
{
    size_t cap = memo->cap == 0 ? 16 : 2 * memo->cap;
    struct ls_note *slots;

    if (2 * (memo->n + 1) <= memo->cap)
        return ZS_OK;
    slots = zs_alloc_zeroed(&ls_alloc, cap * sizeof(*slots));
    if (slots == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < memo->cap; i++)
        if (memo->slots[i].bytes != NULL)
            *slot_of(
                slots, cap, (struct zs_bytes){memo->slots[i].bytes, memo->slots[i].key_len}) =
                memo->slots[i];
    sqlite3_free(memo->slots);
    memo->slots = slots;
    memo->cap = cap;
    return ZS_OK;
}

int ls_memo_note(struct ls_memo *memo, struct zs_bytes key, struct zs_bytes value)
{
    struct ls_note note = {NULL, key.len, value.len};
    struct ls_note *slot;
    int rc = make_room(memo);

    if (rc == ZS_OK)
        rc = zs_chunks_reserve(&memo->chunks, &ls_alloc, key.len + value.len + 1);
    if (rc != ZS_OK)
        return rc;
    note.bytes = memo->chunks.last->bytes + memo->chunks.last->used;
    memo->chunks.last->used += key.len + value.len;
    memo->n_noted += key.len + value.len;
    zs_copy(note.bytes, key.data, key.len);
    zs_copy(note.bytes + key.len, value.data, value.len);
    slot = slot_of(memo->slots, memo->cap, key);
    memo->n += slot->bytes == NULL;
    *slot = note;
    return ZS_OK;
}

bool ls_memo_find(const struct ls_memo *memo, struct zs_bytes key, struct zs_bytes *value)
{
    const struct ls_note *note;

    if (memo->n == 0)
        return false;
    note = slot_of(memo->slots, memo->cap, key);
    *value = (struct zs_bytes){note->bytes + note->key_len, note->value_len};
    return note->bytes != NULL;
}

void ls_memo_forget(struct ls_memo *memo)
{
    sqlite3_free(memo->slots);
    zs_chunks_reset(&memo->chunks, &ls_alloc, 0);
    *memo = (struct ls_memo){.slots = NULL};
}
