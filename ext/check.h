/* Is what a view stores as it was written, and does it show what its query gives? */
#ifndef LS_CHECK_H
#define LS_CHECK_H

#include "ext/view.h"

/* Brings the view up to date and looks at every stored row and cell; with_query also at whether
** it shows what its query gives (see compare.h). What is wrong is SQLITE_CORRUPT_VTAB, and says
** what mends it; any other failure is that of a read. The view says why. O(n) in what is stored;
** with_query what the query and sorting its rows cost. */
ZS_CHECKED int ls_check(struct ls_view *view, bool with_query);

/* xIntegrity, of SQLite 3.44 and later: PRAGMA integrity_check, or quick_check where flags has
** bit 0, which does without the query. Writes nothing. Only what is stored wrongly is a
** problem; a view that can't be computed, as for want of a function, is none. *problem names
** the view and says what mends it. */
ZS_CHECKED int ls_check_integrity(
    sqlite3_vtab *vtab, const char *schema, const char *name, int flags, char **problem);

/* Appends a value as an SQL literal, for people. */
void ls_append_literal(sqlite3_str *text, const struct zs_value *value);

#endif
