/* Connections that get into each other's way: what one can't lock leaves no view half written,
** makes none wrong, and keeps no reader waiting. */
#include <check.h>

#include "tests/live.h"
#include "tests/suite.h"

static void make(sqlite3 *db, const char *mode, const char *option)
{
    run(db,
        "PRAGMA journal_mode = %s;"
        "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT);"
        "CREATE TABLE u(k TEXT PRIMARY KEY, z INT); INSERT INTO u VALUES('a', 1), ('b', 2);"
        "INSERT INTO t(k, x) VALUES('a', 1), ('b', 2), ('a', 3), ('c', 4);"
        "CREATE VIRTUAL TABLE v USING lockstep(%s SELECT k, count(*) AS n, sum(x) AS s FROM t"
        " GROUP BY k);"
        "CREATE VIRTUAL TABLE j USING lockstep(SELECT t.id, t.x, u.z FROM t JOIN u USING (k))",
        mode, option);
}

static void must_both_be_right(sqlite3 *db)
{
    must_be_right(db, "v");
    must_be_right(db, "j");
}

static sqlite3 *open_shared(const char *path)
{
    sqlite3 *db = live_open_as(
        path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_SHAREDCACHE);

    ck_assert_int_eq(sqlite3_lockstep_init(db, NULL, NULL), SQLITE_OK);
    return db;
}

/* Each of these another connection of the shared cache reads, and so locks, while v is
** stored. */
static const char *const locked[] = {"v_state", "v_data", "v_trace", "lockstep_position"};
enum { N_LOCKED = sizeof(locked) / sizeof(*locked) };

static const char *const stores[] = {"INSERT INTO v(lockstep) VALUES('store')",
    "INSERT INTO v(lockstep) VALUES('rebuild')", "SELECT * FROM v", ""};

START_TEST(a_store_that_meets_a_lock_half_way_leaves_the_view_right)
{
    for (int which = 0; which < 8; which++) {
        const char *path = live_path();
        sqlite3 *db = open_shared(path), *other = open_shared(path);

        make(db, "MEMORY", which / 4 ? "maintain=commit," : "");
        run(db, "BEGIN; UPDATE t SET x = 10 WHERE id = 1; DELETE FROM t WHERE id = 2");
        run(other, "BEGIN; SELECT * FROM %s LIMIT 1", locked[_i]);
        (void)attempt(db, stores[which % 4]);
        (void)attempt(db, "COMMIT");
        if (attempt(other, "SELECT * FROM v") == SQLITE_OK)
            must_both_be_right(other);
        run(other, "COMMIT");
        if (!sqlite3_get_autocommit(db))
            run(db, "COMMIT");
        if (which / 4)
            must_agree(other, "SELECT k, n, s FROM v_data", "SELECT * FROM v_query");
        must_both_be_right(other);
        must_both_be_right(db);
        run(db, "INSERT INTO t(k, x) VALUES('b', 7), ('d', 8); UPDATE t SET x = x + 1");
        must_both_be_right(other);
        must_both_be_right(db);
        live_close(other);
        live_close(db);
        live_clean();
    }
}
END_TEST

/* In a shared cache a transaction that reads is no snapshot; what it has read is locked. */
START_TEST(what_a_view_rests_on_stays_while_a_transaction_of_a_shared_cache_has_read_it)
{
    const char *path = live_path();
    sqlite3 *db = open_shared(path), *other = open_shared(path);

    make(db, "MEMORY", "");
    must_both_be_right(db);
    run(db, "BEGIN; SELECT * FROM v; SELECT * FROM j");
    ck_assert_int_eq(attempt(other, "UPDATE t SET x = 9") & 0xff, SQLITE_LOCKED);
    ck_assert_int_eq(attempt(other, "DELETE FROM u") & 0xff, SQLITE_LOCKED);
    must_both_be_right(db);
    run(db, "COMMIT");
    run(other, "UPDATE t SET x = 9; DELETE FROM u WHERE z = 1");
    must_both_be_right(db);
    live_close(other);
    live_close(db);
}
END_TEST

/* How a view is kept is read when a connection first meets it. */
START_TEST(a_view_that_is_met_while_the_file_is_locked_is_kept_as_it_should)
{
    const char *path = live_path();
    sqlite3 *db = live_open(path), *late = live_open(path);

    make(db, "DELETE", "maintain=commit,");
    run(late, "SELECT * FROM t");
    run(db, "BEGIN EXCLUSIVE");
    ck_assert_int_eq(attempt(late, "SELECT * FROM v") & 0xff, SQLITE_BUSY);
    run(db, "COMMIT");
    run(late, "UPDATE t SET x = 5");
    must_agree(db, "SELECT k, n, s FROM v_data", "SELECT * FROM v_query");
    live_close(late);
    live_close(db);
}
END_TEST

/* A write of many rows that leaves few. */
static void write_many(sqlite3 *db)
{
    run(db, "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 20000)"
            " INSERT INTO t(k, x) SELECT 'many', i FROM i; DELETE FROM t WHERE k = 'many';"
            "UPDATE t SET x = x + 1");
}

static const struct {
    const char *mode;
    const char *in_the_way; /* of a store */
} hindrances[] = {{"WAL", "BEGIN IMMEDIATE"}, {"DELETE", "BEGIN IMMEDIATE"},
    {"WAL", "BEGIN; SELECT * FROM t"}, {"DELETE", "BEGIN; SELECT * FROM t"},
    {"TRUNCATE", "BEGIN; SELECT * FROM t"}};
enum { N_HINDRANCES = sizeof(hindrances) / sizeof(*hindrances) };

/* Until there is more in the log than is ever taken in at once. A wait would be for a minute,
** which this test has not got. */
START_TEST(a_reader_that_can_not_store_is_right_without_waiting_however_much_is_pending)
{
    const char *path = live_path();
    sqlite3 *writer = live_open_plain(path), *db = live_open(path), *other = live_open(path);

    make(db, hindrances[_i].mode, "");
    sqlite3_busy_timeout(db, 60000);
    for (int i = 0; i < 6; i++) {
        write_many(writer);
        run(other, "%s", hindrances[_i].in_the_way);
        for (int n = 0; n < 3; n++)
            must_both_be_right(db);
        run(other, "COMMIT");
    }
    ck_assert_int_eq(number(db, "PRAGMA busy_timeout"), 60000);
    must_both_be_right(db);
    must_both_be_right(other);
    live_close(other);
    live_close(db);
    live_close(writer);
}
END_TEST

/* The same where the view must be made anew, and the schema be mended for that. */
START_TEST(a_reader_that_can_not_rebuild_is_right_without_waiting)
{
    static const char *const faults[] = {
        "UPDATE v_state SET dirty = 1; UPDATE j_state SET dirty = 1",
        "DROP TRIGGER lockstep_log_1_delete; DELETE FROM t WHERE id = 1",
        "ALTER TABLE t ADD COLUMN more"};

    for (int i = 0; i < 3; i++) {
        const char *path = live_path();
        sqlite3 *db = live_open(path), *other = live_open(path);

        make(db, hindrances[_i].mode, "");
        must_both_be_right(db);
        sqlite3_busy_timeout(db, 60000);
        run(other, "%s", faults[i]);
        run(other, "%s", hindrances[_i].in_the_way);
        must_both_be_right(db);
        must_agree(db, "SELECT t.id, n FROM t JOIN v USING (k)",
            "SELECT t.id, n FROM t JOIN v_query USING (k)");
        must_both_be_right(db);
        run(other, "COMMIT");
        for (int n = 0; n < 9; n++)
            must_both_be_right(db);
        ck_assert_int_eq(number(db, "SELECT sum(dirty) FROM lockstep_views"), 0);
        must_both_be_right(other);
        live_close(other);
        live_close(db);
        live_clean();
    }
}
END_TEST

/* A reader that finds a view that is to be made anew, and may not, uses what another has
** made. */
START_TEST(a_reader_notices_that_another_has_made_the_view_anew)
{
    const char *path = live_path();
    sqlite3 *db = live_open(path), *reader;
    long by_query, by_state;

    make(db, "WAL", "");
    write_many(db);
    run(db, "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 5000)"
            " INSERT INTO t(k, x) SELECT 'a', i FROM i;"
            "INSERT INTO v(lockstep) VALUES('store'); UPDATE v_state SET dirty = 1");
    reader = live_open_as(path, SQLITE_OPEN_READONLY);
    ck_assert_int_eq(sqlite3_lockstep_init(reader, NULL, NULL), SQLITE_OK);
    for (int i = 0; i < 2; i++) {
        live_count_begin(reader);
        must_agree(reader, "SELECT * FROM v", "SELECT k, n, s FROM v_data");
        *(i == 0 ? &by_query : &by_state) = live_count_end(reader);
        run(db, "INSERT INTO v(lockstep) VALUES('rebuild')");
        run(reader, "SELECT * FROM v");
    }
    ck_assert_int_lt(10 * by_state, by_query);
    live_close(reader);
    live_close(db);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("connections");
    TCase *tests = tcase_create("connections");

    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(
        tests, a_store_that_meets_a_lock_half_way_leaves_the_view_right, 0, N_LOCKED);
    tcase_add_test(
        tests, what_a_view_rests_on_stays_while_a_transaction_of_a_shared_cache_has_read_it);
    tcase_add_test(tests, a_view_that_is_met_while_the_file_is_locked_is_kept_as_it_should);
    tcase_add_loop_test(tests,
        a_reader_that_can_not_store_is_right_without_waiting_however_much_is_pending, 0,
        N_HINDRANCES);
    tcase_add_loop_test(
        tests, a_reader_that_can_not_rebuild_is_right_without_waiting, 0, N_HINDRANCES);
    tcase_add_test(tests, a_reader_notices_that_another_has_made_the_view_anew);
    tcase_set_timeout(tests, 50);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
