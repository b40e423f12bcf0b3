/* One statement that reads a view for each of its rows, while functions that it calls between
** change what the view rests on: each read gives what the query gives at that moment.
**
**   test_course [N]    in N of the three situations */
#include <check.h>
#include <stdlib.h>

#include "tests/live.h"
#include "tests/must.h"
#include "tests/suite.h"

static int n_chosen = 1;

/* Of f(x), which gives x: what it runs when it is called. */
static const char *to_run;

static void act(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    int x = sqlite3_value_int(argv[0]);
    char *text = sqlite3_mprintf(to_run, x, x, x);

    (void)argc;
    (void)sqlite3_exec(sqlite3_context_db_handle(context), text, NULL, NULL, NULL);
    sqlite3_free(text);
    sqlite3_result_value(context, argv[0]);
}

static sqlite3 *open_world(const char *path)
{
    sqlite3 *db = live_open(path);

    to_run = "SELECT 1";
    ck_assert_int_eq(
        sqlite3_create_function(db, "f", 1, SQLITE_UTF8, NULL, act, NULL, NULL), SQLITE_OK);
    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, x INT UNIQUE, c CHECK(c > 0));"
            "CREATE TABLE other(id INTEGER PRIMARY KEY, g INT, seen INT, called INT, again INT,"
            " truth INT, total INT, whole INT);"
            "CREATE TABLE note(s, truth);"
            "CREATE VIRTUAL TABLE v USING lockstep("
            "SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);"
            "CREATE VIRTUAL TABLE j USING lockstep("
            "SELECT t.id, t.x, v.s FROM t JOIN v ON v.g = t.g WHERE t.x > 0);"
            "CREATE TRIGGER r AFTER DELETE ON other BEGIN"
            " INSERT INTO note VALUES((SELECT s FROM v WHERE g = old.g),"
            "  (SELECT sum(x) FROM t WHERE g = old.g)); END;"
            "WITH i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 8)"
            " INSERT INTO t SELECT i, i %% 3, i * 10, 1 FROM i;"
            "INSERT INTO other(id, g) SELECT id, g FROM t");
    return db;
}

static const char *const deeds[] = {
    "SELECT 1",
    "INSERT INTO t VALUES(100 + %d, 1, NULL, 1)",
    "INSERT INTO t SELECT 100 + id, g, 500 + id, 1 FROM t WHERE id = %d",
    "UPDATE t SET x = x + 1000 WHERE id >= %d AND id < 7",
    "UPDATE t SET g = 3 - g WHERE id = %d",
    "DELETE FROM t WHERE id = %d",
    "REPLACE INTO t VALUES(200 + %d, 2, 10 * (1 + abs(random() %% 8)), 1)",
    "INSERT INTO t VALUES(300 + %d, 1, 900 + %d, 1), (400 + %d, 1, 901, -1)",
    "INSERT OR FAIL INTO t VALUES(300 + %d, 1, 900 + %d, 1), (400 + %d, 1, 9, -1)",
    "INSERT OR IGNORE INTO t VALUES(300 + %d, 1, 900, 1)",
    "DELETE FROM other WHERE id = 9 - %d",
    "SELECT sum(s) FROM v; UPDATE t SET x = x + 5000 WHERE id = %d; SELECT sum(s) FROM v",
    "UPDATE t SET x = x + 5000 WHERE id = %d RETURNING (SELECT s FROM v WHERE v.g = t.g)",
    "CREATE TABLE IF NOT EXISTS w%d(x); INSERT INTO t(g) VALUES(1)",
    "CREATE TEMP TRIGGER IF NOT EXISTS w AFTER INSERT ON t BEGIN"
    " INSERT INTO note SELECT s, (SELECT sum(x) FROM t WHERE g = 1) FROM v WHERE g = 1; END;"
    "INSERT INTO t(g, x) VALUES(1, 7000 + %d)",
    "INSERT INTO v(lockstep) VALUES('store')",
    "INSERT INTO v(lockstep) VALUES('rebuild')",
    "ROLLBACK",
};
enum { N_DEEDS = sizeof(deeds) / sizeof(*deeds) };

static const char *const courses[] = {
    "UPDATE other SET seen = (SELECT s FROM v WHERE v.g = other.g), called = f(id),"
    " again = (SELECT s FROM v WHERE v.g = other.g),"
    " truth = (SELECT sum(x) FROM t WHERE t.g = other.g),"
    " total = (SELECT sum(s) FROM j WHERE j.id < other.id + 5),"
    " whole = (SELECT sum((SELECT sum(x) FROM t AS o WHERE o.g = t.g)) FROM t"
    "  WHERE t.x > 0 AND t.id < other.id + 5)",
    "INSERT INTO other SELECT 500 + id, g, (SELECT s FROM v WHERE v.g = t.g), f(id),"
    " (SELECT s FROM v WHERE v.g = t.g), (SELECT sum(x) FROM t AS u WHERE u.g = t.g), 0, 0"
    " FROM t WHERE id < 9 ORDER BY id DESC",
    "DELETE FROM other WHERE f(id) > 2",
};
enum { N_COURSES = sizeof(courses) / sizeof(*courses) };

static void must_have_been_right(sqlite3 *db)
{
    must(number(db, "SELECT count(*) FROM other WHERE again IS NOT truth") == 0);
    must(number(db, "SELECT count(*) FROM other WHERE total IS NOT whole") == 0);
    must(number(db, "SELECT count(*) FROM note WHERE s IS NOT truth") == 0);
    must_be_right(db, "v");
    must_be_right(db, "j");
}

/* In a transaction of its own, in one that has changed the tables, and in one that is taken
** back up to there. */
enum { N_SITUATIONS = 3 };
static void play(sqlite3 *db, const char *course, int situation)
{
    if (situation > 0)
        run(db, "BEGIN; UPDATE other SET seen = 1 WHERE id = 1; SAVEPOINT s");
    if (situation > 1)
        run(db, "UPDATE t SET x = x + 1 WHERE id > 5 RETURNING id");
    (void)attempt(db, course);
    must_have_been_right(db);
    if (situation > 0 && !sqlite3_get_autocommit(db))
        run(db, "ROLLBACK TO s");
    (void)attempt(db, course);
    must_have_been_right(db);
    (void)attempt(db, "COMMIT");
    to_run = "SELECT 1";
    must_have_been_right(db);
}

START_TEST(each_read_of_a_statement_is_right_whatever_functions_did_before_it)
{
    for (int i = 0; i < N_COURSES * N_SITUATIONS * n_chosen / 3; i++) {
        sqlite3 *db = open_world(":memory:");

        to_run = deeds[_i];
        play(db, courses[i % N_COURSES], (_i + i + i / N_COURSES) % N_SITUATIONS);
        live_close(db);
    }
}
END_TEST

/* Of h(x), which gives x: a statement that it runs. */
static sqlite3_stmt *to_step;

static void run_within(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)sqlite3_step(to_step);
    (void)sqlite3_reset(to_step);
    sqlite3_result_value(context, argv[0]);
}

/* RETURNING calls h when the row has changed and has not been logged. */
START_TEST(a_statement_that_is_run_again_within_another_reads_what_that_has_changed)
{
    sqlite3 *db = open_world(":memory:");

    sqlite3_create_function(db, "h", 1, SQLITE_UTF8, NULL, run_within, NULL, NULL);
    ck_assert_int_eq(sqlite3_prepare_v2(db,
                         "INSERT INTO note SELECT s, (SELECT sum(x) FROM t WHERE g = 1)"
                         " FROM v WHERE g = 1 AND s IS NOT (SELECT sum(x) FROM t WHERE g = 1)",
                         -1, &to_step, NULL),
        SQLITE_OK);
    run(db, "BEGIN IMMEDIATE; SELECT * FROM v");
    for (int i = 0; i < 2; i++) {
        must(sqlite3_step(to_step) == SQLITE_DONE);
        must(sqlite3_reset(to_step) == SQLITE_OK);
        run(db, "UPDATE t SET x = x + 1 WHERE id = 4 RETURNING h(id)");
    }
    must_have_been_right(db);
    sqlite3_finalize(to_step);
    live_close(db);
}
END_TEST

/* Runs a statement once more from its beginning, counts set back as by a program that keeps
** account. */
static void run_again(sqlite3_stmt *statement)
{
    must(sqlite3_step(statement) == SQLITE_DONE);
    must(sqlite3_reset(statement) == SQLITE_OK);
    (void)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, true);
    (void)sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, true);
}

START_TEST(a_statement_that_is_run_again_reads_what_others_wrote_meanwhile)
{
    const char *path = live_path();
    sqlite3 *db = open_world(path), *other = live_open_plain(path);
    sqlite3_stmt *statement;

    ck_assert_int_eq(
        sqlite3_prepare_v2(db, "INSERT INTO note SELECT s, 900 FROM v WHERE g = 9 AND s > 500",
            -1, &statement, NULL),
        SQLITE_OK);
    run(other, "INSERT INTO t VALUES(99, 9, 400, 1)");
    run(db, "SELECT * FROM v"); /* so that nothing is unseen */
    run_again(statement);
    run(other, "INSERT INTO t VALUES(98, 9, 500, 1)");
    run_again(statement);
    ck_assert_int_eq(number(db, "SELECT s FROM note"), 900);
    run(db, "BEGIN; DELETE FROM note; DELETE FROM t WHERE id = 98");
    run_again(statement);
    run(db, "ROLLBACK; DELETE FROM note; BEGIN");
    run_again(statement);
    ck_assert_int_eq(number(db, "SELECT s FROM note"), 900);
    run(db, "COMMIT");
    sqlite3_finalize(statement);
    live_close(other);
    live_close(db);
}
END_TEST

START_TEST(a_trigger_on_a_log_reads_what_the_query_gives)
{
    sqlite3 *db = open_world(":memory:");

    run(db, "CREATE TRIGGER b BEFORE INSERT ON lockstep_log_1 BEGIN INSERT INTO note"
            " VALUES((SELECT s FROM v WHERE g = 1), (SELECT sum(x) FROM t WHERE g = 1)); END;"
            "CREATE TRIGGER a AFTER INSERT ON lockstep_log_1 BEGIN INSERT INTO note"
            " VALUES((SELECT s FROM v WHERE g = 1), (SELECT sum(x) FROM t WHERE g = 1)); END;"
            "UPDATE t SET x = x + 1 WHERE id < 8; DELETE FROM t WHERE id > 3");
    ck_assert_int_ge(number(db, "SELECT count(*) FROM note"), 38);
    must_have_been_right(db);
    live_close(db);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("course");
    TCase *tests = tcase_create("course");

    n_chosen = argc > 1 ? atoi(argv[1]) : n_chosen;
    tcase_add_loop_test(
        tests, each_read_of_a_statement_is_right_whatever_functions_did_before_it, 0, N_DEEDS);
    tcase_add_test(tests, a_statement_that_is_run_again_reads_what_others_wrote_meanwhile);
    tcase_add_test(
        tests, a_statement_that_is_run_again_within_another_reads_what_that_has_changed);
    tcase_add_test(tests, a_trigger_on_a_log_reads_what_the_query_gives);
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
