/* Copies by the backup API: made page by page while the source changes, and made over a
** database whose views are being read. The views of the copy are right, and go on. */
#include <check.h>

#include "tests/live.h"
#include "tests/must.h"
#include "tests/suite.h"

static const char made[] =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, x REAL, s TEXT);"
    "CREATE TABLE u(k TEXT PRIMARY KEY, t INT) WITHOUT ROWID;"
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300)"
    " INSERT INTO t SELECT i, i % 50, i * 0.5, 'some text ' || i FROM c;"
    "INSERT INTO u SELECT 'k' || id, id FROM t WHERE id % 3 = 0;"
    "CREATE VIRTUAL TABLE a USING lockstep(SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP "
    "BY g);"
    "CREATE VIRTUAL TABLE b USING lockstep(maintain=commit, SELECT t.id, u.k FROM t LEFT JOIN u"
    " ON u.t = t.id);"
    "CREATE VIRTUAL TABLE c USING lockstep(SELECT x, id FROM t ORDER BY x DESC LIMIT 5);"
    "CREATE VIRTUAL TABLE d USING lockstep(SELECT s FROM t WHERE id IN (SELECT t FROM u)"
    " UNION SELECT k FROM u)";

static void must_all_be_right(sqlite3 *db)
{
    must_be_right(db, "a");
    must_be_right(db, "b");
    must_be_right(db, "c");
    must_be_right(db, "d");
}

static void must_go_on(sqlite3 *db)
{
    must_all_be_right(db);
    run(db, "UPDATE t SET x = x + 1, g = g + 1 WHERE id %% 7 = 0; DELETE FROM u WHERE t %% 2");
    must_all_be_right(db);
    run(db,
        "INSERT INTO a(lockstep) VALUES('integrity-check');"
        "INSERT INTO b(lockstep) VALUES('integrity-check');"
        "INSERT INTO c(lockstep) VALUES('store'); INSERT INTO d(lockstep) VALUES('rebuild')");
    must_all_be_right(db);
}

/* A change between two steps. */
static void change(sqlite3 *db, int i)
{
    run(db,
        "INSERT OR REPLACE INTO t VALUES(%d, %d, %d, 'changed'); DELETE FROM u WHERE t = %d",
        i * 5, i, i, i * 3);
    if (i % 4 == 0)
        run(db, "INSERT INTO a(lockstep) VALUES('store')");
    if (i % 4 == 2)
        run(db, "SELECT count(*) FROM d");
}

/* _i & 1: the connection that is copied makes the changes, or another. */
START_TEST(a_copy_of_a_changing_database_is_right)
{
    const char *path = live_path();
    sqlite3 *from = live_open(path), *other = live_open(path), *to = live_open(live_path());
    sqlite3_backup *backup;
    int rc = SQLITE_OK;

    if (_i & 2)
        run(from, "PRAGMA journal_mode = WAL");
    run(from, "%s", made);
    backup = sqlite3_backup_init(to, "main", from, "main");
    must(backup != NULL);
    for (int i = 0; rc == SQLITE_OK; i++) {
        rc = sqlite3_backup_step(backup, 7);
        if (i < 12)
            change(_i & 1 ? from : other, i);
    }
    ck_assert_int_eq(rc, SQLITE_DONE);
    must(sqlite3_backup_finish(backup) == SQLITE_OK);
    must_go_on(to);
    must_go_on(from);
    must_go_on(other);
    live_close(from);
    live_close(other);
    live_close(to);
}
END_TEST

static void copy(sqlite3 *to, sqlite3 *from)
{
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");

    must(backup != NULL);
    ck_assert_int_eq(sqlite3_backup_step(backup, -1), SQLITE_DONE);
    must(sqlite3_backup_finish(backup) == SQLITE_OK);
}

/* What a connection has of a database in memory is of no use when another that was once the
** same is copied over it: the stored states are the same, and the logs as long. _i: by the
** connection itself or another. */
START_TEST(a_copy_over_a_view_that_was_read_is_seen)
{
    const char *path = live_path();
    sqlite3 *from = live_open(":memory:"), *to = live_open(path), *by = live_open(path);

    run(from, "%s", made);
    copy(_i ? by : to, from);
    for (int i = 0; i < 3; i++) {
        run(to, "INSERT INTO t VALUES(1000, 1, 99, 'to'); INSERT INTO u VALUES('to', 1)");
        must_all_be_right(to);
        run(from, "INSERT INTO t VALUES(%d, 2, 77, 'from'); INSERT INTO u VALUES('%d', 2)",
            2000 + i, 2000 + i);
        if (i == 1)
            must_all_be_right(from);
        copy(_i ? by : to, from);
        must_all_be_right(to);
        must_all_be_right(by);
    }
    must_go_on(to);
    must_go_on(by);
    live_close(from);
    live_close(to);
    live_close(by);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("copies");
    TCase *tests = tcase_create("copies");

    tcase_add_loop_test(tests, a_copy_of_a_changing_database_is_right, 0, 4);
    tcase_add_loop_test(tests, a_copy_over_a_view_that_was_read_is_seen, 0, 2);
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
