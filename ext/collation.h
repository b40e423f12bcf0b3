/* Collations that users register: which of them a text names, and whether one is there. */
#ifndef LS_COLLATION_H
#define LS_COLLATION_H

#include <stdbool.h>

#include "core/status.h"
#include "ext/api.h"

/* Is a collation of that name another than SQLite's own? */
bool ls_collation_is_users(const char *name);

/* Does a text of SQL have such a one behind a COLLATE? */
bool ls_text_collates(const char *text);

/* Has the connection a collation of that name, or can it be got by what
** sqlite3_collation_needed() was given? SQLite's code. */
ZS_CHECKED int ls_collation_find(sqlite3 *db, const char *name, bool *is_there);

#endif
