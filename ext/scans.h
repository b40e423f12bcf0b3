/* Which tables a statement reads from one end to the other. */
#ifndef LS_SCANS_H
#define LS_SCANS_H

#include <stdbool.h>

#include "core/status.h"
#include "ext/api.h"

/* Calls fn, until it fails, with the name of each table of the schema that running the text
** (owned, NULL for out of memory) would scan, through an index or not; with the same one more
** than once where it does so in several places. The text is planned as the schema stands, and
** not run. SQLite's code. */
typedef int ls_scan_fn(void *ctx, const char *table);
ZS_CHECKED int ls_scans_find(
    sqlite3 *db, const char *schema, char *text, ls_scan_fn *fn, void *ctx);

/* Would it go through one of them more than once, or make an index for itself? Likewise. */
ZS_CHECKED int ls_scans_repeat(sqlite3 *db, const char *schema, char *text, bool *repeat);

#endif
