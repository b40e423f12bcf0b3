/* Strings and arrays that are freed together with what they describe. */
#ifndef LS_POOL_H
#define LS_POOL_H

#include <stddef.h>

/* A chain of blocks; starts as NULL. */
struct ls_pool_block;

/* n zeroed bytes, or NULL. */
void *ls_pool_get(struct ls_pool_block **pool, size_t n);

/* A copy of text (NULL gives NULL, which is then no failure: *rc is left alone). Sets *rc to
** SQLITE_NOMEM where memory ran out; does nothing where *rc is already an error. */
const char *ls_pool_copy(struct ls_pool_block **pool, const char *text, int *rc);

/* The same of a text made with sqlite3_mprintf, which it frees. NULL is a failure. */
const char *ls_pool_take(struct ls_pool_block **pool, char *text, int *rc);

void ls_pool_free(struct ls_pool_block *pool);

#endif
