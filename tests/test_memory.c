/* Every allocation of SQLite and of the extension fails in turn, once or from there on.
** Whatever a statement said then, with memory back the view equals its query, the file is
** sound, and nothing is left when it is closed. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/live.h"

/* SQLite's own allocator behind one that fails. */
static sqlite3_mem_methods real;
static long n_calls;  /* since fail_at was set */
static long fails_at; /* 0: never */
static bool goes_on;  /* failing, once it has begun */
static long n_failed;

static bool fails(void)
{
    n_calls++;
    if (fails_at == 0 || (goes_on ? n_calls < fails_at : n_calls != fails_at))
        return false;
    n_failed++;
    return true;
}

static void *failing_malloc(int n)
{
    return fails() ? NULL : real.xMalloc(n);
}

static void *failing_realloc(void *p, int n)
{
    return fails() ? NULL : real.xRealloc(p, n);
}

static void fail_at(long n, bool from_there_on)
{
    n_calls = n_failed = 0;
    goes_on = from_there_on;
    fails_at = n;
}

/* Before SQLite is used. Without lookaside every allocation is seen. */
static void install(void)
{
    sqlite3_mem_methods failing;

    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
    failing = real;
    failing.xMalloc = failing_malloc;
    failing.xRealloc = failing_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

/* What is run with memory before, and what is run while it fails. */
struct scene {
    const char *before;
    const char *during[8];
};

#define TABLE                                                                                  \
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE);"                            \
    "INSERT INTO t(k, x) VALUES('a', 1), ('b', 2), ('a', 3), (NULL, 4), ('c', 5);"
#define VIEW                                                                                   \
    "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, count(*) AS n, sum(x) AS s, max(x) AS m," \
    " count(DISTINCT x) AS d FROM t GROUP BY k HAVING n > 0);"
#define COMMIT_VIEW                                                                            \
    "CREATE VIRTUAL TABLE v USING lockstep(maintain=commit, SELECT k, count(*) AS n,"          \
    " sum(x) AS s FROM t GROUP BY k);"
#define LIST_VIEW                                                                              \
    "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, max(x) AS m, id, json_group_array(x) AS " \
    "j,"                                                                                       \
    " json_array(group_concat(x, id)) AS l FROM t GROUP BY k);"
#define TOP_VIEW                                                                               \
    "CREATE VIRTUAL TABLE v USING lockstep(index=(x DESC), SELECT k, x FROM t ORDER BY x % 3"  \
    " DESC NULLS FIRST, x LIMIT 3 OFFSET 1);"
#define WRITE                                                                                  \
    "INSERT INTO t(k, x) VALUES('a', 10), ('z', 11); UPDATE t SET k = 'b' WHERE x = 1;"        \
    "DELETE FROM t WHERE x = 2;"

#define JOINED                                                                                 \
    "CREATE TABLE u(k TEXT, y INT); CREATE INDEX uk ON u(k);"                                  \
    "INSERT INTO u VALUES('a', 1), ('a', 2), ('b', 3), ('q', 4);"
#define JOIN                                                                                   \
    "CREATE VIRTUAL TABLE v USING lockstep(SELECT t.k, count(*) AS n, sum(y) AS s"             \
    " FROM t LEFT JOIN u ON u.k = t.k GROUP BY t.k UNION ALL SELECT y, x, 0 FROM t, u"         \
    " WHERE x = y AND EXISTS (SELECT 1 FROM t AS a WHERE a.k = u.k));"
#define MADE                                                                                   \
    "CREATE VIRTUAL TABLE v USING lockstep(SELECT t.k, sum(q.s) AS s, (SELECT max(y) FROM u"   \
    " WHERE u.k = t.k) AS m FROM t LEFT JOIN (SELECT k, sum(y) AS s FROM u GROUP BY k) AS q"   \
    " ON q.k = t.k WHERE x IN (SELECT max(x) FROM t GROUP BY k UNION SELECT 3) GROUP BY t.k"   \
    " HAVING count(*) < (SELECT sum(y) FROM u));"
#define WRITE_BOTH                                                                             \
    WRITE "UPDATE u SET k = 'z' WHERE y = 2; DELETE FROM u WHERE y = 3; INSERT INTO u "        \
          "VALUES('a',"                                                                        \
          " 10);"

static const struct scene scenes[] = {
    {TABLE, {VIEW}},
    {TABLE "CREATE VIRTUAL TABLE w USING lockstep(SELECT k FROM t);", {VIEW, "DROP TABLE w"}},
    {TABLE VIEW, {WRITE, "SELECT * FROM v"}},
    {TABLE VIEW WRITE, {"SELECT * FROM v", "SELECT * FROM v WHERE k = 'a'"}},
    {TABLE VIEW WRITE "SELECT * FROM v; REPLACE INTO t(id, k, x) VALUES(3, 'r', 10);",
        {"SELECT * FROM v", "REPLACE INTO t(k, x) VALUES('q', 11)", "SELECT * FROM v"}},
    {TABLE VIEW "BEGIN;" WRITE,
        {"SELECT * FROM v", "SAVEPOINT s", "UPDATE t SET x = -x", "SELECT * FROM v",
            "ROLLBACK TO s", "SELECT * FROM v", "RELEASE s"}},
    {TABLE VIEW "BEGIN;" WRITE "SELECT * FROM v; SAVEPOINT a; DELETE FROM t WHERE x > 3;"
                "SELECT * FROM v;",
        {"SAVEPOINT b", "INSERT INTO t(k, x) VALUES('s', 77)", "RELEASE a", "SELECT * FROM v",
            "COMMIT"}},
    {TABLE VIEW "BEGIN;" WRITE "SELECT * FROM v;",
        {"INSERT INTO v(lockstep) VALUES('store')", "SELECT * FROM v", "ROLLBACK",
            "SELECT * FROM v"}},
    {TABLE VIEW WRITE, {"INSERT INTO v(lockstep) VALUES('store')", "SELECT * FROM v"}},
    {TABLE VIEW WRITE, {"INSERT INTO v(lockstep) VALUES('rebuild')", "SELECT * FROM v",
                           "INSERT INTO v(lockstep) VALUES('integrity-check')"}},
    {TABLE COMMIT_VIEW, {WRITE, "SELECT * FROM v"}},
    {TABLE COMMIT_VIEW "BEGIN;" WRITE, {"COMMIT", "SELECT * FROM v"}},
    {TABLE COMMIT_VIEW "UPDATE v_state SET dirty = 1;", {"DELETE FROM t WHERE x = 3"}},
    {TABLE VIEW WRITE "CREATE TRIGGER u AFTER INSERT ON t BEGIN SELECT 1; END;",
        {"SELECT * FROM v", "INSERT INTO t(k, x) VALUES('t', 90)", "SELECT * FROM v"}},
    {TABLE VIEW WRITE "SELECT * FROM v;",
        {"ALTER TABLE v RENAME TO w", "ALTER TABLE w RENAME TO v"}},
    {TABLE VIEW WRITE "SELECT * FROM v;", {"DROP TABLE v"}},
    {TABLE VIEW WRITE,
        {"SELECT exact_sum(x), exact_avg(x), exact_total(x), unanimous(k) FROM t",
            "SELECT * FROM lockstep_views"}},
    {TABLE "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, x FROM t WHERE x % 2);" WRITE,
        {"SELECT * FROM v", "INSERT INTO t(k, x) SELECT k, x + 100 FROM v", "SELECT * FROM v"}},
    {TABLE, {LIST_VIEW}},
    {TABLE LIST_VIEW WRITE, {"SELECT * FROM v", WRITE, "SELECT * FROM v"}},
    {TABLE, {TOP_VIEW}},
    {TABLE TOP_VIEW WRITE, {"SELECT * FROM v", WRITE, "SELECT * FROM v ORDER BY x DESC"}},
    {TABLE TOP_VIEW "INSERT INTO v(lockstep) VALUES('store'); BEGIN;" WRITE,
        {"SELECT * FROM v", "SELECT k FROM v WHERE x > 2 ORDER BY x", "ROLLBACK",
            "SELECT * FROM v"}},
    {TABLE JOINED, {JOIN}},
    {TABLE JOINED JOIN, {WRITE_BOTH, "SELECT * FROM v", WRITE, "SELECT * FROM v"}},
    {TABLE JOINED, {MADE}},
    {TABLE JOINED MADE, {WRITE_BOTH, "SELECT * FROM v", WRITE, "SELECT * FROM v"}},
    {TABLE JOINED MADE "BEGIN;" WRITE_BOTH "SELECT * FROM v; SAVEPOINT s; DELETE FROM u;",
        {"SELECT * FROM v", "ROLLBACK TO s", "SELECT * FROM v", "COMMIT", "SELECT * FROM v"}},
    {TABLE JOINED JOIN WRITE_BOTH,
        {"SELECT * FROM v", "REPLACE INTO t(k, x) VALUES('q', 11)", "SELECT * FROM v",
            "INSERT INTO v(lockstep) VALUES('store')"}},
    {TABLE JOINED JOIN WRITE_BOTH "SELECT * FROM v; BEGIN; UPDATE u SET y = y + 1;",
        {"SELECT * FROM v", "SAVEPOINT s", "UPDATE t SET k = 'a'", "SELECT * FROM v",
            "ROLLBACK TO s", "SELECT * FROM v", "COMMIT"}},
    {TABLE JOINED JOIN WRITE_BOTH,
        {"INSERT INTO v(lockstep) VALUES('rebuild')", "DROP TABLE v"}},
    {TABLE JOINED JOIN WRITE_BOTH, {"SELECT * FROM lockstep_plan('v')"}},
    {TABLE JOINED JOIN WRITE_BOTH, {"SELECT lockstep_dot('v')"}},
};
enum { N_SCENES = sizeof(scenes) / sizeof(*scenes) };

static bool has(sqlite3 *db, const char *view)
{
    return number(db, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", view) > 0;
}

/* A view is there and right, or nothing is left of it (indexes keep their names when a view is
** renamed). */
static void must_be_sound(sqlite3 *db)
{
    static const char *const views[] = {"v", "w"};

    must_agree(db, "PRAGMA integrity_check", "SELECT 'ok'");
    for (int i = 0; i < 2; i++)
        if (has(db, views[i]))
            must_be_right(db, views[i]);
        else
            ck_assert_int_eq(number(db,
                                 "SELECT count(*) FROM sqlite_schema WHERE type <> 'index'"
                                 " AND name GLOB '%s_*'",
                                 views[i]),
                0);
}

/* One run; true where an allocation failed. */
static bool act(const struct scene *scene, long n, bool from_there_on)
{
    sqlite3 *db = live_open(":memory:");
    bool has_failed;

    run(db, "%s", scene->before);
    fail_at(n, from_there_on);
    for (int i = 0; i < 8 && scene->during[i] != NULL; i++)
        (void)attempt(db, scene->during[i]);
    has_failed = n_failed > 0;
    fail_at(0, false);
    must_be_sound(db);
    if (has(db, "v"))
        run(db, "INSERT INTO t(k, x) VALUES('again', 500)");
    must_be_sound(db);
    if (!sqlite3_get_autocommit(db))
        run(db, n % 2 ? "COMMIT" : "ROLLBACK");
    must_be_sound(db);
    live_close(db);
    ck_assert_int_eq(sqlite3_memory_used(), 0);
    return has_failed;
}

/* _i: the scene, once and from there on. LOCKSTEP_EVERY: 1 lets each allocation fail; else
** every so many-th, which begins at another one in each scene. */
START_TEST(without_memory_nothing_is_lost_but_the_statement)
{
    const char *text = getenv("LOCKSTEP_EVERY");
    long every = text == NULL ? 97 : atol(text);

    for (long n = 1 + _i % every; act(&scenes[_i / 2], n, _i % 2); n += every)
        ;
}
END_TEST

START_TEST(without_memory_the_extension_is_not_loaded_or_whole)
{
    bool has_failed = true;

    for (long n = 1; has_failed; n++) {
        sqlite3 *db = live_open_plain(":memory:");
        char *error = NULL;
        int rc;

        fail_at(n, false);
        rc = sqlite3_lockstep_init(db, &error, NULL);
        has_failed = n_failed > 0;
        fail_at(0, false);
        sqlite3_free(error);
        if (rc == SQLITE_OK) {
            run(db, TABLE VIEW);
            must_be_sound(db);
        }
        live_close(db);
        ck_assert_int_eq(sqlite3_memory_used(), 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    SRunner *runner;
    int n_failed_tests;

    install();
    tcase_add_loop_test(
        tests, without_memory_nothing_is_lost_but_the_statement, 0, 2 * N_SCENES);
    tcase_add_test(tests, without_memory_the_extension_is_not_loaded_or_whole);
    tcase_set_timeout(tests, 900);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    n_failed_tests = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed_tests == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
