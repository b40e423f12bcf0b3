/* The base tables of a view of joins: in a step, what changes in each, and each in every form that a
** statement may ask for. */
#ifndef LS_TABLES_H
#define LS_TABLES_H

#include "ext/change.h"
#include "ext/relation.h"

struct ls_tables;

/* Those of a plan, in its order; all is borrowed. relations is the connection's list of them.
** SQLite's code. */
ZS_CHECKED int ls_tables_new(sqlite3 *db, struct ls_relation **relations,
    const struct zsql_plan *plan, struct ls_table *const *tables, struct ls_tables **made);
void ls_tables_free(struct ls_tables *tables); /* accepts NULL; no statement names them now */

struct ls_change *ls_tables_change(struct ls_tables *tables, size_t table);
void ls_tables_reset(struct ls_tables *tables);

/* Is something in its change? */
bool ls_tables_has_changed(const struct ls_tables *tables, size_t table);

/* Appends the name of a table in a form (not ZSQL_AS_SET), quoted. SQLite's code. */
ZS_CHECKED int ls_tables_append(
    struct ls_tables *tables, size_t table, enum zsql_form form, sqlite3_str *text);

#endif
