/* Indexes that Lockstep makes on base tables, where a join would scan one at each change.
**
** lockstep_index_<n> is an ordinary index, not unique, over columns of a table, that no index
** of the user's serves; views share it. The table
**   lockstep_index(view TEXT, number INTEGER, PRIMARY KEY(view, number)) WITHOUT ROWID
** says which view has use for which, and is there while there is one. An index goes with the
** last view. With the option indexes=no, which <view>_state keeps, a view makes none. */
#ifndef LS_INDEXES_H
#define LS_INDEXES_H

#include "ext/view.h"

/* Makes what the joins of an open view lack, and notes which it has use for; statements may
** read meanwhile. SQLite's code. */
ZS_CHECKED int ls_indexes_mend(struct ls_view *view);

/* Would building an open view go through a table again and again, which an index may spare it?
** Where it would not, an index that nothing is known of may lead SQLite to go about one table
** in the order of another: then it is better made afterwards. */
ZS_CHECKED int ls_indexes_may_help_build(struct ls_view *view, bool *may_help);

/* A view is dropped: and so are the indexes that no other has use for; all, if it is the last.
** Not while statements read. */
ZS_CHECKED int ls_indexes_release(
    sqlite3 *db, const char *schema, const char *view, bool is_last);

ZS_CHECKED int ls_indexes_rename(
    sqlite3 *db, const char *schema, const char *view, const char *name);

/* Is an index of that name one of Lockstep's? *number is 0 where it is not: as what CREATE INDEX
** says tells, for it may be a user's. */
ZS_CHECKED int ls_indexes_number(
    sqlite3 *db, const char *schema, const char *name, int *number);

#endif
