/* Computing a plan from scratch with SQLite: the naive way to its result. */
#ifndef PLAN_RUN_H
#define PLAN_RUN_H

#include <sqlite3.h>

#include "sql/plan.h"

/* Runs every operator over a temporary table with its input and writes one with its output: a
** column c<i> with the declared type and collation for each column i. Folds are SQLite's own
** aggregates; unanimous is not known. Returns the text of a SELECT over the root's table, which
** stays until the next run; free it. NULL, and the text of what failed on stderr, if SQLite
** refuses a statement. */
char *plan_run(sqlite3 *db, const struct zsql_plan *plan);

#endif
