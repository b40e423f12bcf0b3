/* A set of rowids, for a question that is asked once a stored row: does what is pending stand
** in for it? A zeroed one is empty. */
#ifndef LS_HIDDEN_H
#define LS_HIDDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

struct ls_hidden {
    int64_t *slots; /* a hash table; FREE and LEFT, which are negative, stand for no rowid */
    size_t cap;     /* a power of two, or 0 */
    size_t n_used;  /* slots that are not FREE */
    size_t n;
};

/* A rowid is not negative. ZS_NOMEM: the set is as it was. */
ZS_CHECKED int ls_hidden_add(struct ls_hidden *hidden, int64_t rowid);
void ls_hidden_remove(struct ls_hidden *hidden, int64_t rowid); /* one that is in it */
bool ls_hidden_has(const struct ls_hidden *hidden, int64_t rowid);

void ls_hidden_clear(struct ls_hidden *hidden); /* frees */

#endif
