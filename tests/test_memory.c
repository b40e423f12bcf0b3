/* Every allocation of SQLite and of the extension fails in turn, once or from there on, in
** every scene. */
#include <check.h>

#include "tests/branch.h"
#include "tests/live.h"
#include "tests/scenes.h"

enum { SAMPLE = 3001 /* odd, so that both ways of failing are met */ };

/* SQLite's own allocator behind one that fails. */
static sqlite3_mem_methods real;
static bool may_fail;
static bool goes_on; /* failing, once it has begun */

static bool fails(void)
{
    if (!may_fail || goes_on)
        return may_fail;
    if (branch_here("this allocation"))
        return true;
    return goes_on = branch_here("allocations from here on");
}

static void *failing_malloc(int n)
{
    return fails() ? NULL : real.xMalloc(n);
}

static void *failing_realloc(void *p, int n)
{
    return fails() ? NULL : real.xRealloc(p, n);
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

static sqlite3 *open_in_memory(void)
{
    return live_open(":memory:");
}

static void begin(sqlite3 *db)
{
    (void)db;
    may_fail = true;
}

static void pause_failing(bool is_paused)
{
    may_fail = !is_paused;
}

static void end(sqlite3 *db)
{
    (void)db;
    may_fail = goes_on = false;
}

static bool is_no_memory(int rc, const char *message)
{
    (void)message;
    return rc == SQLITE_NOMEM || rc == SQLITE_IOERR_NOMEM;
}

static const struct scene_fault no_memory = {
    .open = open_in_memory,
    .begin = begin,
    .pause = pause_failing,
    .end = end,
    .may_say = is_no_memory,
    .every = SAMPLE,
};

/* _i: the scene. */
START_TEST(without_memory_nothing_is_lost_but_the_statement)
{
    scene_play(_i, &no_memory);
}
END_TEST

START_TEST(without_memory_the_extension_is_not_loaded_or_whole)
{
    sqlite3 *db = live_open_plain(":memory:");
    char *error = NULL;
    int rc;

    branch_begin("loading", 1, 0);
    begin(db);
    rc = sqlite3_lockstep_init(db, &error, NULL);
    end(db);
    sqlite3_free(error);
    ck_assert(rc == SQLITE_OK || branch_is_taken());
    if (rc == SQLITE_OK) {
        run(db, "CREATE TABLE t(a); CREATE VIRTUAL TABLE v USING lockstep(SELECT a FROM t)");
        run(db, "INSERT INTO t VALUES(1)");
        must_be_right(db, "v");
    }
    live_close(db);
    ck_assert_int_eq(sqlite3_memory_used(), 0);
    branch_end();
}
END_TEST

/* What a view has in memory goes into a transaction with it. */
START_TEST(without_memory_a_view_enters_a_transaction_whole_or_not)
{
    sqlite3 *db = live_open(":memory:");
    int rc;

    run(db,
        "CREATE TABLE t(k, x); CREATE VIRTUAL TABLE v USING lockstep(SELECT k, sum(x) FROM t"
        " GROUP BY k); SELECT * FROM v; BEGIN; INSERT INTO t VALUES(1, 2), (2, 3)");
    branch_begin("entering", 1, 0);
    begin(db);
    rc = attempt(db, "SELECT * FROM v");
    end(db);
    ck_assert(rc == SQLITE_OK || branch_is_taken());
    must_be_right(db, "v");
    run(db, "SAVEPOINT s; INSERT INTO t VALUES(3, 4)");
    must_be_right(db, "v");
    run(db, "ROLLBACK TO s");
    must_be_right(db, "v");
    run(db, "ROLLBACK");
    must_be_right(db, "v");
    live_close(db);
    ck_assert_int_eq(sqlite3_memory_used(), 0);
    branch_end();
}
END_TEST

/* mine: by bytes, turned round, or not there. */
enum mine { MINE, MINE_TURNED, MINE_GONE };

static void set_mine(sqlite3 *db, enum mine mine)
{
    ck_assert_int_eq(
        sqlite3_create_collation(db, "mine", SQLITE_UTF8, mine == MINE_TURNED ? "turned" : NULL,
            mine == MINE_GONE ? NULL : live_by_bytes),
        SQLITE_OK);
}

static sqlite3 *open_with_collation(void)
{
    sqlite3 *db = live_open(":memory:");

    set_mine(db, MINE);
    run(db, "CREATE TABLE t(s TEXT COLLATE mine, x); INSERT INTO t VALUES('a', 1), ('c', 2);"
            "CREATE VIRTUAL TABLE v USING lockstep(SELECT s, x FROM t WHERE s > 'b'); "
            "SELECT * FROM v");
    return db;
}

START_TEST(without_memory_a_collation_that_becomes_another_is_followed)
{
    sqlite3 *db = open_with_collation();
    int rc;

    set_mine(db, MINE_TURNED);
    branch_begin("following", 1, 31);
    begin(db);
    rc = attempt(db, "SELECT * FROM v");
    end(db);
    ck_assert(rc == SQLITE_OK || branch_is_taken());
    must_be_right(db, "v");
    live_close(db);
    ck_assert_int_eq(sqlite3_memory_used(), 0);
    branch_end();
}
END_TEST

START_TEST(without_memory_a_view_whose_collation_comes_is_whole_or_fails)
{
    sqlite3 *db = open_with_collation();
    int rc;

    set_mine(db, MINE_GONE);
    run(db, "PRAGMA writable_schema = RESET");
    branch_begin("coming", 1, 31);
    begin(db);
    rc = attempt(db, "SELECT * FROM v");
    end(db);
    ck_assert_int_ne(rc, SQLITE_OK);
    set_mine(db, MINE);
    begin(db);
    rc = attempt(db, "SELECT * FROM v WHERE s = 'c'");
    end(db);
    ck_assert(rc == SQLITE_OK || branch_is_taken());
    must_be_right(db, "v");
    run(db, "INSERT INTO v(lockstep) VALUES('integrity-check')");
    live_close(db);
    ck_assert_int_eq(sqlite3_memory_used(), 0);
    branch_end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");

    branch_install();
    install();
    tcase_add_loop_test(
        tests, without_memory_nothing_is_lost_but_the_statement, 0, scene_count());
    tcase_add_test(tests, without_memory_the_extension_is_not_loaded_or_whole);
    tcase_add_test(tests, without_memory_a_view_enters_a_transaction_whole_or_not);
    tcase_add_test(tests, without_memory_a_collation_that_becomes_another_is_followed);
    tcase_add_test(tests, without_memory_a_view_whose_collation_comes_is_whole_or_fails);
    tcase_set_timeout(tests, 7200);
    suite_add_tcase(suite, tests);
    return branch_run(suite);
}
