/* What the joins of a view read, base tables and what operators made: in a step, what changes
** in each, and each in every form that a statement may ask for. */
#ifndef LS_TABLES_H
#define LS_TABLES_H

#include "ext/change.h"
#include "ext/made.h"
#include "ext/relation.h"

struct ls_tables;

/* Those of a plan; base tables in its order. All is borrowed; relations is the connection's
** list of them, and alloc serves what changes. SQLite's code. */
ZS_CHECKED int ls_tables_new(sqlite3 *db, const struct zs_alloc *alloc,
    struct ls_relation **relations, const struct zsql_plan *plan,
    struct ls_table *const *tables, struct ls_overlay *overlay, struct ls_tables **made);
/* Accepts NULL; no statement names them now, and the overlay is still there. */
void ls_tables_free(struct ls_tables *tables);

/* The change of a base table; what operator number i of the plan made, NULL where none reads
** it. */
struct ls_change *ls_tables_change(struct ls_tables *tables, size_t table);
struct ls_made *ls_tables_made(struct ls_tables *tables, size_t i);

/* Forgets what changed. */
void ls_tables_reset(struct ls_tables *tables);

/* Is something in the change of what is read? */
bool ls_tables_has_changed(const struct ls_tables *tables, const struct zsql_read *read);

/* Appends the name of what is read in a form (not ZSQL_AS_SET), quoted. SQLite's code. */
ZS_CHECKED int ls_tables_append(struct ls_tables *tables, const struct zsql_read *read,
    enum zsql_form form, sqlite3_str *text);

#endif
