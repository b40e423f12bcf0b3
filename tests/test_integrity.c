/* PRAGMA integrity_check and quick_check over views, which SQLite asks from 3.44 on
** (xIntegrity): under an older one they must say nothing. test_versions.sh runs this under
** newer ones. */
#include <check.h>
#include <string.h>

#include "tests/live.h"
#include "tests/must.h"
#include "tests/suite.h"

static const char made[] =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INT);"
    "INSERT INTO t VALUES (1, 'a', 1), (2, 'a', 2), (3, 'b', 3);"
    "CREATE VIRTUAL TABLE totals USING lockstep(SELECT g, sum(x) AS s FROM t GROUP BY g)";

#define OK "1 rows\n'ok'\n" /* as rows() writes it */

static bool is_asked(void)
{
    return sqlite3_libversion_number() >= 3044000;
}

static sqlite3 *begin(const char *path)
{
    sqlite3 *db = live_open(path);

    run(db, "%s", made);
    return db;
}

static void must_be_ok(sqlite3 *db)
{
    char *full = rows(db, "PRAGMA integrity_check"), *quick = rows(db, "PRAGMA quick_check");

    ck_assert_str_eq(full, OK);
    ck_assert_str_eq(quick, OK);
    sqlite3_free(full);
    sqlite3_free(quick);
}

/* Says the pragma what is wrong, where SQLite asks? */
static void must_complain(sqlite3 *db, const char *pragma, const char *said)
{
    char *all = rows(db, pragma);

    if (!is_asked())
        ck_assert_str_eq(all, OK);
    else if (strstr(all, said) == NULL || strstr(all, "rebuild") == NULL)
        ck_abort_msg("%s gives %s", pragma, all);
    sqlite3_free(all);
}

static void must_be_mended(sqlite3 *db)
{
    run(db, "INSERT INTO totals(lockstep) VALUES('rebuild')");
    must_be_ok(db);
    must_be_right(db, "totals");
}

START_TEST(a_view_that_is_right_is_ok)
{
    sqlite3 *db = begin(":memory:");

    must_be_ok(db);
    run(db, "INSERT INTO t VALUES (4, 'c', 4); DELETE FROM t WHERE id = 1");
    must_be_ok(db);
    run(db, "BEGIN; UPDATE t SET x = x + 1; SAVEPOINT s; DELETE FROM t");
    must_be_ok(db);
    run(db, "ROLLBACK TO s");
    must_be_ok(db);
    run(db, "COMMIT");
    must_be_right(db, "totals");
    live_close(db);
}
END_TEST

START_TEST(a_row_that_was_changed_is_a_problem)
{
    sqlite3 *db = begin(":memory:");

    run(db, "UPDATE totals_data SET s = 30 WHERE g = 'b'");
    must_complain(db, "PRAGMA integrity_check", "view totals: its table totals_data has a row");
    must_complain(db, "PRAGMA quick_check", "view totals: its table totals_data has a row");
    must_be_mended(db);
    live_close(db);
}
END_TEST

START_TEST(a_cell_that_is_gone_is_a_problem)
{
    sqlite3 *db = begin(":memory:");

    run(db, "DELETE FROM totals_trace WHERE k = (SELECT max(k) FROM totals_trace)");
    must_complain(db, "PRAGMA quick_check", "view totals: its table totals_trace has");
    must_be_mended(db);
    live_close(db);
}
END_TEST

/* What no trigger told: only the query shows it. */
START_TEST(what_no_trigger_told_is_a_problem)
{
    sqlite3 *db = begin(":memory:");
    char *quick;

    ck_assert_int_eq(
        sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL), SQLITE_OK);
    run(db, "UPDATE t SET x = 100 WHERE id = 3");
    ck_assert_int_eq(
        sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, (int *)NULL), SQLITE_OK);
    must_complain(db, "PRAGMA integrity_check", "view totals: it shows a row");
    quick = rows(db, "PRAGMA quick_check");
    ck_assert_str_eq(quick, OK);
    sqlite3_free(quick);
    must_be_mended(db);
    live_close(db);
}
END_TEST

static void twice(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    sqlite3_result_int64(context, 2 * sqlite3_value_int64(argv[0]));
}

/* A function, a table or a collation that is missing is no damage. */
START_TEST(a_view_that_cannot_be_computed_is_not_damaged)
{
    const char *path = live_path();
    sqlite3 *db = live_open(path);

    ck_assert_int_eq(sqlite3_create_function(db, "twice", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                         NULL, twice, NULL, NULL),
        SQLITE_OK);
    run(db, "%s", made);
    run(db, "CREATE VIRTUAL TABLE doubled USING lockstep(SELECT id, twice(x) AS x FROM t)");
    must_be_ok(db);
    live_close(db);
    db = live_open(path);
    run(db, "INSERT INTO t VALUES (5, 'b', 5)");
    ck_assert_int_ne(attempt(db, "SELECT * FROM doubled"), SQLITE_OK);
    must_be_ok(db);
    run(db, "DROP TABLE t");
    must_be_ok(db);
    live_close(db);
}
END_TEST

/* Neither what is pending is stored, nor a view that is to be made anew built. */
START_TEST(looking_writes_nothing)
{
    const char *path = live_path();
    sqlite3 *db = begin(path), *other = live_open_plain(path);
    sqlite3_int64 version;

    run(db, "WITH RECURSIVE c(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM c WHERE i < 20000)"
            " INSERT INTO t SELECT i, i, i FROM c");
    version = number(other, "PRAGMA data_version");
    must_be_ok(db);
    ck_assert_int_eq(number(other, "PRAGMA data_version"), version);
    run(db, "UPDATE totals_state SET format = 1");
    version = number(other, "PRAGMA data_version");
    must_be_ok(db);
    ck_assert_int_eq(number(other, "PRAGMA data_version"), version);
    must_be_right(db, "totals");
    live_close(other);
    live_close(db);
}
END_TEST

static sqlite3 *open_shared(const char *path)
{
    sqlite3 *db = live_open_as(
        path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_SHAREDCACHE);

    ck_assert_int_eq(sqlite3_lockstep_init(db, NULL, NULL), SQLITE_OK);
    return db;
}

/* SQLite hands one connection's check the views of the other, whose locks it lacks. */
START_TEST(a_check_in_a_shared_cache_waits_for_nothing)
{
    const char *path = live_path();
    sqlite3 *db = open_shared(path), *other = open_shared(path);

    run(db, "%s", made);
    must_be_right(other, "totals");
    run(other, "INSERT INTO t VALUES (4, 'c', 4)");
    must_be_ok(db);
    must_be_ok(other);
    must_be_right(db, "totals");
    live_close(other);
    live_close(db);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("integrity");
    TCase *checks = tcase_create("checks");

    tcase_add_checked_fixture(checks, NULL, live_clean);
    tcase_add_test(checks, a_view_that_is_right_is_ok);
    tcase_add_test(checks, a_row_that_was_changed_is_a_problem);
    tcase_add_test(checks, a_cell_that_is_gone_is_a_problem);
    tcase_add_test(checks, what_no_trigger_told_is_a_problem);
    tcase_add_test(checks, a_view_that_cannot_be_computed_is_not_damaged);
    tcase_add_test(checks, looking_writes_nothing);
    tcase_add_test(checks, a_check_in_a_shared_cache_waits_for_nothing);
    suite_add_tcase(suite, checks);
    return suite_run(suite);
}
