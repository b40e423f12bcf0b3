/* Rows that are set aside, to be read once, in order: in memory as long as they are few, then
** in a temporary database, for which SQLite makes a file. */
#ifndef LS_SPOOL_H
#define LS_SPOOL_H

#include "core/buffer.h"
#include "ext/api.h"

struct ls_spool;

/* most_bytes are kept in memory; all, where db is told (temp_store) to make no files. Calls
** give SQLite's code. */
ZS_CHECKED int ls_spool_new(sqlite3 *db, size_t most_bytes, struct ls_spool **spool);
void ls_spool_free(struct ls_spool *spool); /* accepts NULL */

/* Copies a row, before any is read. */
ZS_CHECKED int ls_spool_add(struct ls_spool *spool, struct zs_bytes row, int64_t copies);

/* The next row; borrowed until the next call. False at the end. */
ZS_CHECKED int ls_spool_next(
    struct ls_spool *spool, struct zs_bytes *row, int64_t *copies, bool *found);

#endif
