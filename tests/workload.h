/* A program that goes on writing tables under views of every kind, for those who stop it. */
#ifndef TESTS_WORKLOAD_H
#define TESTS_WORKLOAD_H

#include <sqlite3.h>

#include "tests/random.h"

/* In an empty database; one without the extension can't. */
void workload_create(sqlite3 *db);

/* One transaction, of one statement or of several, or a command to a view, or a view that
** comes or goes. Counts in the table `mark` those that say BEGIN. */
void workload_step(sqlite3 *db, struct random *random);

/* What a program without the extension may do. */
void workload_plain_step(sqlite3 *db, struct random *random);

/* How many transactions with BEGIN there have been. */
sqlite3_int64 workload_mark(sqlite3 *db);

/* The file is sound, and so is every view. */
void workload_check(sqlite3 *db);

#endif
