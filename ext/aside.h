/* Tables of Lockstep's own whose pages are damaged so that SQLite walks them no more: neither
** DELETE nor DROP TABLE gets through such a table. It is given another name,
** lockstep_damaged_<n>, which touches nothing but the schema, and one is made in its place.
**
** Nor should DELETE be tried on it: what a damaged page takes for a child of its own may be a
** page of another table, which would be given free. */
#ifndef LS_ASIDE_H
#define LS_ASIDE_H

#include "ext/view.h"

/* Looks at the pages of all tables that making a view anew writes, and sets aside those that
** are damaged. It reads them once. Not while the view's own statements stand on them. */
ZS_CHECKED int ls_aside_damaged(struct ls_view *view);

/* Drops a table, or sets it aside where it is damaged. */
ZS_CHECKED int ls_aside_drop(sqlite3 *db, const char *schema, const char *table);

#endif
