/* What a statement with RETURNING has changed when that is answered. */
#ifndef LS_RETURNING_H
#define LS_RETURNING_H

#include "ext/definition.h"

/* What was found out of the last such statement, by its text. */
struct ls_returning {
    char *text; /* NULL: none */
    int table;
};

/* Is a statement one that inserts rows into a table of the definition, and reads views nowhere but in
** RETURNING, where it has just inserted one, sqlite3_last_insert_rowid, that is not logged yet? *table is
** the table's number in the plan, or -1. Of a statement that returns rows, which is noted, and is to be
** forgotten with the definition. In doubt it is none. SQLite's code. Costs the text, and the first time
** the schema. */
ZS_CHECKED int ls_returning_inserts(struct ls_returning *returning, sqlite3 *db,
    const struct ls_definition *definition, sqlite3_stmt *statement, int *table);
void ls_returning_forget(struct ls_returning *returning);

#endif
