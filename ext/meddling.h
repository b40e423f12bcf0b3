/* What of the user's runs while a row of a table changes, and may change rows of the table
** itself: triggers, and the actions of foreign keys. */
#ifndef LS_MEDDLING_H
#define LS_MEDDLING_H

#include "ext/table.h"

/* Fills in what a table says of that, and the number of its log. The name has been read. */
int ls_meddling_read(sqlite3 *db, struct ls_table *table) __attribute__((warn_unused_result));

/* In SQL: is `key`, of pragma_table_xinfo, the column that `reference`, of pragma_foreign_key_list,
** refers to? */
#define LS_IS_REFERRED_TO(key)                                                                 \
    " CASE WHEN reference.\"to\" IS NULL THEN " key ".pk = reference.seq + 1"                  \
    " ELSE " key ".name = reference.\"to\" COLLATE NOCASE END"

/* Of the types of a column and of the key that it refers to: looking for children by an index, does
** SQLite turn the key into another value where it lies? Numbers compare with numbers as they are. */
bool ls_meddling_turns_key(const char *child, const char *key);

#endif
