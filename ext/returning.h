/* What a statement with RETURNING has changed when that is answered. */
#ifndef LS_RETURNING_H
#define LS_RETURNING_H

#include <stdbool.h>

#include "ext/definition.h"

/* What was found out of the last such statements, by their texts. */
enum { LS_N_SEEN_INSERTS = 8 };
struct ls_returning {
    struct ls_seen_insert {
        char *text; /* NULL: none */
        bool is_judged;
        int table;
    } seen[LS_N_SEEN_INSERTS];
    unsigned n_noted;
};

/* Is a statement one that inserts rows into a table of the definition, and reads views nowhere but in
** RETURNING, where it has just inserted one, sqlite3_last_insert_rowid, that is not logged yet? *table is
** the table's number in the plan, or -1. Of a statement that returns rows, which is noted, and is to be
** forgotten with the definition. In doubt it is none. SQLite's code. Costs the text, and once the
** schema; or where is_small says that running the query costs less, and there have been others, not before
** it is seen again: a text with its values in it may never come back. */
ZS_CHECKED int ls_returning_inserts(struct ls_returning *returning, sqlite3 *db,
    const struct ls_definition *definition, sqlite3_stmt *statement, bool is_small, int *table);
bool ls_returning_has_judged(struct ls_returning *returning, sqlite3_stmt *statement);
void ls_returning_forget(struct ls_returning *returning);

#endif
