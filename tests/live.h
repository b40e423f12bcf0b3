/* Databases with views, for the suites of ext/: what must succeed fails the test with SQLite's
** message, and a view is judged by its own query. */
#ifndef TESTS_LIVE_H
#define TESTS_LIVE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

/* The entry point, as linked in. */
int sqlite3_lockstep_init(sqlite3 *db, char **error, const void *api);

/* The path of a file that is not there yet. Owned here, until live_clean. */
const char *live_path(void);

/* Opens a database, with the extension or as a program without it would. */
sqlite3 *live_open(const char *path);
sqlite3 *live_open_plain(const char *path);
sqlite3 *live_open_as(const char *path, int flags);

/* Closes it, which must leave nothing behind. */
void live_close(sqlite3 *db);

/* Removes every file of live_path: a teardown for tcase_add_checked_fixture. */
void live_clean(void);

/* A collation, for sqlite3_create_collation: by bytes, turned round where its argument is not NULL. */
int live_by_bytes(void *turn, int n, const void *a, int m, const void *b);

/* Runs SQL that must succeed. Each statement may give rows, which are not looked at. */
void run(sqlite3 *db, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs SQL and returns the extended code of its first failure. */
int attempt(sqlite3 *db, const char *sql);

/* Runs SQL that must fail with a message that holds this. */
void must_say(sqlite3 *db, const char *said, const char *sql);

/* The first column of the first row; 0 for none. */
sqlite3_int64 number(sqlite3 *db, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* All rows of a query as SQL literals, one a line in ascending order: types show, order does
** not. sqlite3_free it. A failure fails the test. */
char *rows(sqlite3 *db, const char *sql);

/* The same of a query that may fail: its extended code, and the rows up to there. pause is
** called with true before a row is taken down and with false before the query goes on. */
int attempt_rows(sqlite3 *db, const char *sql, void (*pause)(bool), char **all);

/* The same in two: the first row, then, with other statements between, what is left, after
** which there is no reader, whatever it gives. One without a query reads nothing. */
struct lines {
    char **at;
    size_t n, cap;
};
struct reader {
    sqlite3_stmt *statement;
    bool has_more;
    struct lines lines;
};
int reader_open(struct reader *reader, sqlite3 *db, const char *sql, void (*pause)(bool));
int reader_close(struct reader *reader, void (*pause)(bool), char **all);

/* Does a view show what its query gives? */
void must_be_right(sqlite3 *db, const char *view);

/* Do two queries give the same rows? */
void must_agree(sqlite3 *db, const char *sql, const char *other);

/* The number of VM instructions, in hundreds, that all statements of the connection have run
** since live_count_begin: a measure of work that is the same every time. */
void live_count_begin(sqlite3 *db);
long live_count_end(sqlite3 *db);

#endif
