/* A catalogue for tests over a real SQLite connection. */
#ifndef SQL_CATALOGUE_H
#define SQL_CATALOGUE_H

#include <sqlite3.h>

#include "sql/catalogue.h"

struct sql_catalogue;

/* Aborts where anything fails. What it tells lives until it is freed; db is borrowed. */
struct sql_catalogue *sql_catalogue_new(sqlite3 *db);
void sql_catalogue_free(struct sql_catalogue *catalogue);
struct zsql_catalogue sql_catalogue_face(struct sql_catalogue *catalogue);

/* So that SQLite knows their names: exact_sum, exact_avg, exact_total, unanimous, lockstep_timeless
** and lockstep_json; and as a user's an aggregate own, functions own2, and drifting and regexp,
** which are not deterministic, and a collation fr. */
void sql_catalogue_add_functions(sqlite3 *db);

#endif
