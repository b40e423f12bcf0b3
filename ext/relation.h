/* A base table, or what an operator made, in a form (sql/plan.h, enum zsql_form) as a table
** that SQL reads: an eponymous virtual table over the change of a step and, for the past and
** the present, the table itself or all that the operator made.
**
** Of a table it has the columns of the change under their own names, typed and collated as the
** table's, and the rowid under those of its names that no column hides; of what an operator
** made the columns c0, c1, ... Both have lockstep_weight, which is 1: a row that is there
** several times is shown so often. Any number of scans may read it at a time, while the change
** stays as it is. */
#ifndef LS_RELATION_H
#define LS_RELATION_H

#include "ext/change.h"
#include "ext/made.h"

struct ls_relation;

/* The table of a change (borrowed) in a form: ZSQL_PAST, ZSQL_PLUS_OF, ZSQL_MINUS_OF,
** ZSQL_BATCH or ZSQL_EMPTY. Taken from the relations of the connection that nobody uses, or
** registered under a name of its own; *all is the connection's list of them. has_digits is the
** plan's. SQLite's code. */
ZS_CHECKED int ls_relation_take(sqlite3 *db, struct ls_relation **all, struct ls_change *change,
    enum zsql_form form, bool has_digits, struct ls_relation **relation);

/* The same of what an operator made (borrowed); also in the form ZSQL_NOW. */
ZS_CHECKED int ls_relation_take_made(sqlite3 *db, struct ls_relation **all,
    struct ls_made *made, enum zsql_form form, bool has_digits, struct ls_relation **relation);

/* Gives it back, once no statement reads it; accepts NULL. It stays registered, for SQLite lets
** every running statement fail when a module goes that was in use. */
void ls_relation_give_back(struct ls_relation *relation);

/* When the connection closes. */
void ls_relation_free_all(struct ls_relation *all);

const char *ls_relation_name(const struct ls_relation *relation);

#endif
