/* What a column was declared with, as texts that may stand in SQL. SQLite reports it with the
** quotes taken off, or as it would not be understood elsewhere. sqlite3_free both; NULL without
** memory. */
#ifndef LS_DECLARED_H
#define LS_DECLARED_H

#include <stdbool.h>

#include "core/status.h"
#include "ext/api.h"

/* A type that SQLite reports as this one: the same, or, where that is no type's usual name, the
** same in quotes. */
char *ls_declared_type(const char *type);

/* A default as an expression. */
char *ls_declared_default(const char *text);

/* Does a column of a table that is there convert and compare as one of this type and collation
** would? SQLite's code; where that is none of success, *is_so is false. */
ZS_CHECKED int ls_declared_so(sqlite3 *db, const char *schema, const char *table,
    const char *column, const char *type, const char *collation, bool *is_so);

#endif
