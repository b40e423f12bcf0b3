/* The parts of test_rules: the numbers are those of "Rules of the log" in the design. */
#ifndef TESTS_RULES_H
#define TESTS_RULES_H

#include <check.h>

#include "tests/live.h"

TCase *rules_positions(void); /* 1, 2: positions, and whole logs */
TCase *rules_moments(void);   /* 3: reads in the middle of a statement */
TCase *rules_returning(void); /* 3: what RETURNING reads */
TCase *rules_storing(void);   /* 4, 5, 10: when a read or a commit stores */
TCase *rules_capture(void);   /* 6, 7, 8: keys, UPDATE OF, types */
TCase *rules_meddling(void);  /* 6: what of the user's runs while a row changes */
TCase *rules_schema(void);    /* 9, 11: what happens to the schema */
TCase *rules_joins(void);     /* the same where a view reads several tables */
TCase *rules_gone(void);      /* 9: what came and went */
TCase *rules_renamed(void);   /* 9: names that views keep */
TCase *rules_commands(void);  /* commands in the middle of statements */

/* Most tests' table, t(id INTEGER PRIMARY KEY, k TEXT, x INT, y REAL), with a few rows; and a
** view of it, v, or another name, with options. */
void make_table(sqlite3 *db);
void make_view(sqlite3 *db, const char *name, const char *options);

/* Inserts n rows into t in one statement: k is one of a hundred. */
void fill(sqlite3 *db, int n);

/* The number of the one log that there is, and how many rows it has. */
int log_of(sqlite3 *db);
sqlite3_int64 log_length(sqlite3 *db);

#endif
