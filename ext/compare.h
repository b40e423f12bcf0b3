/* Does a view show what its query gives? */
#ifndef LS_COMPARE_H
#define LS_COMPARE_H

#include "ext/view.h"

/* Compares the view as it reads, its stored rows and its query, all at this moment. *difference
** is the first difference in words (sqlite3_free it), NULL where there is none. Columns that
** show a group's key compare as SQL compares, since any member may stand for the group; lists
** but for their order; and values that another row of the group may give, not at all. All
** others compare value by value, types included. O(n log n) in the rows
** of the query, and the log; memory: SQLite's for sorting. */
int ls_compare(struct ls_view *view, char **difference) __attribute__((warn_unused_result));

/* The function that its statement uses. */
int ls_compare_register(sqlite3 *db) __attribute__((warn_unused_result));

#endif
