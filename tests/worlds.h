/* Tables and views for the tests of transactions: over one table, or over several. */
#ifndef TESTS_WORLDS_H
#define TESTS_WORLDS_H

#include "tests/live.h"

/* t(id, k, x) with views v, a GROUP BY, and f, a filter; SEVERAL adds u(k, z) with joins j and
** l, a join of a subquery that groups m, the first rows of a join b, and o over v and u. */
enum world { ONE_TABLE, SEVERAL, N_WORLDS };

/* Opens a database with them, kept at reads or at commits. */
sqlite3 *world_make(const char *path, bool at_commits, enum world world);

/* Looks at all views of these names that are there, and at w and g, which tests add. */
void world_must_be_right(sqlite3 *db);

/* The same of one, drawn by a number. */
void world_must_be_right_one(sqlite3 *db, enum world world, unsigned n);

/* One of many writes, the n-th; where there are several tables, to one or both. It may fail. */
void world_write(sqlite3 *db, enum world world, unsigned n);

#endif
