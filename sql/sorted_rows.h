/* Aggregates whose value depends on the order of their rows, and bare columns, over rows in one
** order: then they have one value. */
#ifndef ZSQL_SORTED_ROWS_H
#define ZSQL_SORTED_ROWS_H

#include "sql/bind.h"
#include "sql/edit.h"

/* Can the rows of a bound aggregate core be sorted by edits? Not those of groups, which SQLite
** sorts anew. */
bool zsql_rows_can_be_sorted(const struct zsql_core *core);

/* Adds the edits: "SELECT f(x) FROM t WHERE w" becomes
**
**   SELECT f(lockstep_rows.v0) FROM (SELECT x AS v0 FROM t WHERE w ORDER BY v0, ...) AS lockstep_rows
**
** in which rows that are equal in all that is read of them are identical. Rows of one source
** keep its name and their own, so that subqueries can be within f(x). */
ZS_CHECKED int zsql_sort_rows(struct zsql_arena *arena, const char *text,
    const struct zsql_core *core, struct zsql_edits *edits);

/* A subquery in FROM that stands there alone and has an order, which is better settled than
** given up; NULL for none. */
const struct zsql_select *zsql_rows_sorted_within(const struct zsql_core *core);

#endif
