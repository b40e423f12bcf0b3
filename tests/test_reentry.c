/* What comes back to a view while it is brought up to date: functions of the user's that its
** query calls, which run SQL themselves, and triggers on its own tables. They read what its
** query gives, or are refused, and when they are gone the view is right.
**
**   test_reentry [N]    by N of the four views in each situation */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/live.h"
#include "tests/must.h"
#include "tests/suite.h"

/* Of f(x), which gives x: what it runs before that, and how often it still does. */
static const char *to_run;
static int n_left;

static int n_chosen = 1;

static void come_back(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (n_left > 0) {
        n_left--;
        (void)sqlite3_exec(sqlite3_context_db_handle(context), to_run, NULL, NULL, NULL);
    }
    sqlite3_result_value(context, argv[0]);
}

static const char *const views[] = {
    "a USING lockstep(SELECT id, f(x) AS y FROM t)",
    "b USING lockstep(SELECT f(u.y) AS y, t.id FROM t JOIN u ON u.t = t.id)",
    "c USING lockstep(maintain=commit, SELECT g, sum(f(x)) AS s FROM t GROUP BY g)",
    "d USING lockstep(SELECT g, f(count(*)) AS n FROM t GROUP BY g HAVING f(count(*)) > 0)",
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

static const char *const deeds[] = {
    "SELECT * FROM %c",
    "SELECT * FROM a, b, c, d",
    "INSERT INTO t(g, x) VALUES(1, 7)",
    "UPDATE t SET g = 3 - g; DELETE FROM t WHERE x = 7",
    "INSERT INTO v(n) VALUES(1)",
    "SAVEPOINT s; INSERT INTO u VALUES(1, 8); ROLLBACK TO s; RELEASE s",
    "INSERT INTO %c(lockstep) VALUES('rebuild')",
    "INSERT INTO %c(lockstep) VALUES('store')",
    "INSERT INTO %c(lockstep) VALUES('integrity-check')",
    "INSERT INTO a(lockstep) VALUES('rebuild')",
    "ALTER TABLE %c RENAME TO %c_; ALTER TABLE %c_ RENAME TO %c",
    "DROP TABLE %c",
    "DROP TABLE d",
    "CREATE TABLE w(x)",
    "ROLLBACK",
};
enum { N_DEEDS = sizeof(deeds) / sizeof(*deeds) };

static const char *const situations[] = {
    "INSERT INTO t(g, x) VALUES(2, 5); SELECT * FROM %c",
    "BEGIN; UPDATE t SET x = x + 1; SELECT * FROM %c; DELETE FROM u WHERE y = 1; SELECT * FROM "
    "%c",
    "INSERT INTO %c(lockstep) VALUES('rebuild')",
    "UPDATE u SET y = y + 1; INSERT INTO %c(lockstep) VALUES('store')",
    "INSERT INTO %c(lockstep) VALUES('integrity-check')",
    "UPDATE t SET x = (SELECT count(*) FROM %c) WHERE id < 3",
};
enum { N_SITUATIONS = sizeof(situations) / sizeof(*situations) };

/* The text with a view's name in it, as often as it is wanted. */
static char *text_of(const char *format, char name)
{
    return sqlite3_mprintf(format, name, name, name, name);
}

static sqlite3 *open_world(void)
{
    sqlite3 *db = live_open(":memory:");

    n_left = 0;
    ck_assert_int_eq(sqlite3_create_function(db, "f", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                         NULL, come_back, NULL, NULL),
        SQLITE_OK);
    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, g, x); CREATE TABLE u(t, y);"
            "CREATE TABLE v(n);"
            "INSERT INTO t VALUES(1, 1, 1), (2, 1, 2), (3, 2, 3);"
            "INSERT INTO u VALUES(1, 1), (2, 1), (3, 2)");
    for (int i = 0; i < N_VIEWS; i++)
        run(db, "CREATE VIRTUAL TABLE %s", views[i]);
    for (int i = 0; i < N_VIEWS; i++) /* that others were created has them made anew */
        run(db, "SELECT * FROM %c", 'a' + i);
    return db;
}

static void must_all_be_right(sqlite3 *db)
{
    for (char name[] = "a"; name[0] < 'a' + N_VIEWS; name[0]++)
        if (number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", name) > 0) {
            must_be_right(db, name);
            run(db, "INSERT INTO %s(lockstep) VALUES('integrity-check')", name);
        }
}

/* A deed, in all situations, at the first calls. */
START_TEST(a_function_may_come_back)
{
    for (int i = 0; i < N_SITUATIONS * n_chosen; i++) {
        sqlite3 *db = open_world();
        char name = (char)('a' + (_i + i + i / N_SITUATIONS) % N_VIEWS);
        char *deed = text_of(deeds[_i], name);
        char *situation = text_of(situations[i % N_SITUATIONS], name);

        to_run = deed;
        n_left = 1 + _i % 3;
        (void)attempt(db, situation);
        n_left = 0; /* SQLite itself can't undo a savepoint that COMMIT calls */
        (void)attempt(db, "COMMIT");
        must_all_be_right(db);
        sqlite3_free(deed);
        sqlite3_free(situation);
        live_close(db);
    }
}
END_TEST

START_TEST(what_its_own_query_calls_reads_what_the_query_gives)
{
    sqlite3 *db = open_world();

    to_run = "INSERT INTO v SELECT count(*) FROM a";
    run(db, "INSERT INTO t VALUES(4, 2, 4)");
    n_left = 1;
    run(db, "SELECT * FROM a");
    ck_assert_int_eq(n_left, 0);
    ck_assert_int_eq(number(db, "SELECT n FROM v"), 4);
    live_close(db);
}
END_TEST

START_TEST(what_is_rolled_back_while_it_is_read_is_read_no_more)
{
    sqlite3 *db = open_world();

    run(db, "BEGIN; SAVEPOINT s; INSERT INTO t VALUES(4, 2, 4)");
    to_run = "ROLLBACK TO s";
    n_left = 1;
    ck_assert_int_eq(number(db, "SELECT count(*) FROM a"), 3);
    ck_assert_int_eq(n_left, 0);
    run(db, "COMMIT");
    must_all_be_right(db);
    live_close(db);
}
END_TEST

START_TEST(a_trigger_on_its_own_table_reads_what_the_query_gives)
{
    sqlite3 *db = open_world();

    run(db, "CREATE TRIGGER r AFTER INSERT ON a_data BEGIN"
            " INSERT INTO v SELECT count(*) FROM a; END;"
            "INSERT INTO t VALUES(4, 2, 4); INSERT INTO a(lockstep) VALUES('store')");
    ck_assert_int_eq(number(db, "SELECT n FROM v"), 4);
    must_all_be_right(db);
    run(db, "INSERT INTO a(lockstep) VALUES('rebuild')");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM v WHERE n = 4"), 5);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* SQLite has read the row before it computes the new values, and OLD is that. README says so. */
START_TEST(what_an_update_calls_changes_its_table_behind_the_log)
{
    sqlite3 *db = open_world();

    run(db, "CREATE TRIGGER r AFTER UPDATE OF x ON t BEGIN INSERT INTO v VALUES(old.g); END");
    to_run = "UPDATE t SET g = 3 - g";
    n_left = 1;
    run(db, "UPDATE t SET x = f(7) WHERE id = 1");
    ck_assert_int_eq(number(db, "SELECT g FROM t WHERE id = 1"), 2);
    ck_assert_int_eq(number(db, "SELECT n FROM v"), 1);
    for (int i = 0; i < N_VIEWS; i++)
        run(db, "INSERT INTO %c(lockstep) VALUES('rebuild')", 'a' + i);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("reentry");
    TCase *tests = tcase_create("reentry");

    n_chosen = argc > 1 ? atoi(argv[1]) : n_chosen;
    tcase_add_loop_test(tests, a_function_may_come_back, 0, N_DEEDS);
    tcase_add_test(tests, what_its_own_query_calls_reads_what_the_query_gives);
    tcase_add_test(tests, what_is_rolled_back_while_it_is_read_is_read_no_more);
    tcase_add_test(tests, a_trigger_on_its_own_table_reads_what_the_query_gives);
    tcase_add_test(tests, what_an_update_calls_changes_its_table_behind_the_log);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
