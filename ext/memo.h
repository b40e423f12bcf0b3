/* A memo: values under keys, noted as they become known and forgotten all at once. Unlike cells
** (core/cells.h) it has no order and nothing to undo, and a key is found by its hash. */
#ifndef LS_MEMO_H
#define LS_MEMO_H

#include "core/chunks.h"

struct ls_note {
    uint8_t *bytes; /* the key, then the value; NULL: the slot is free */
    size_t key_len, value_len;
};

struct ls_memo {
    struct ls_note *slots;
    size_t cap, n;
    size_t n_noted; /* bytes, since it was empty: those that others have replaced too */
    struct zs_chunks chunks;
};

/* A zeroed memo is empty, and owns nothing. */
void ls_memo_forget(struct ls_memo *memo);

/* Copies both. ZS_NOMEM leaves the memo unchanged. */
ZS_CHECKED int ls_memo_note(struct ls_memo *memo, struct zs_bytes key, struct zs_bytes value);

/* The value is borrowed until the memo is changed. */
bool ls_memo_find(const struct ls_memo *memo, struct zs_bytes key, struct zs_bytes *value);

#endif
