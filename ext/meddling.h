/* What of the user's runs while a row of a table changes, and may change rows of the table
** itself: triggers, and the actions of foreign keys. */
#ifndef LS_MEDDLING_H
#define LS_MEDDLING_H

#include "ext/table.h"

/* Fills in what a table says of that, and the number of its log. The name has been read. */
int ls_meddling_read(sqlite3 *db, struct ls_table *table) __attribute__((warn_unused_result));

#endif
