/* Rules 1 and 2: positions in the log, and logs taken in whole. */
#include "tests/rules.h"

/* The position of a view in the log of t. */
static sqlite3_int64 position(sqlite3 *db, const char *view)
{
    return number(db, "SELECT seq FROM lockstep_position WHERE view = '%s'", view);
}

/* How many of x and y are logged. */
static sqlite3_int64 n_logged(sqlite3 *db)
{
    return number(db,
        "SELECT count(*) FROM pragma_table_info('lockstep_log_%d') WHERE name IN ('x', 'y')",
        log_of(db));
}

static void store(sqlite3 *db, const char *view)
{
    run(db, "INSERT INTO %s(lockstep) VALUES('store')", view);
}

START_TEST(a_view_starts_at_the_end_of_the_log)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "");
    fill(db, 10);
    make_view(db, "w", "");
    ck_assert_int_eq(position(db, "w"),
        number(db, "SELECT max(lockstep_seq) FROM lockstep_log_%d", log_of(db)));
    ck_assert_int_lt(position(db, "v"), position(db, "w"));
    must_be_right(db, "w");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

START_TEST(dropping_a_view_removes_its_position_and_the_last_one_the_log)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "");
    make_view(db, "w", "");
    fill(db, 10);
    run(db, "DROP TABLE v");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM lockstep_position"), 1);
    must_be_right(db, "w");
    run(db, "DROP TABLE w");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM sqlite_schema"), 1);
    fill(db, 1);
    live_close(db);
}
END_TEST

START_TEST(the_log_is_trimmed_up_to_the_least_position)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "");
    make_view(db, "w", "");
    fill(db, 10);
    store(db, "v");
    fill(db, 7);
    ck_assert_int_eq(log_length(db), 17); /* w has seen none of them */
    store(db, "w");
    ck_assert_int_eq(log_length(db), 7); /* v has seen ten */
    must_be_right(db, "v");
    must_be_right(db, "w");
    live_close(db);
}
END_TEST

START_TEST(the_log_is_emptied_only_when_every_view_is_at_its_end_and_positions_begin_anew)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "");
    make_view(db, "w", "");
    fill(db, 10);
    store(db, "v");
    ck_assert_int_eq(log_length(db), 10);
    ck_assert_int_gt(position(db, "v"), 0);
    store(db, "w");
    ck_assert_int_eq(log_length(db), 0);
    ck_assert_int_eq(position(db, "v"), 1000000);
    ck_assert_int_eq(position(db, "w"), 1000000);
    fill(db, 3);
    must_be_right(db, "v");
    must_be_right(db, "w");
    store(db, "w");
    fill(db, 4);
    must_be_right(db, "w");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* By hand. A view that is at the end of its log is at a row that says nothing. */
START_TEST(a_log_that_somebody_else_has_emptied_is_noticed)
{
    static const char *const befores[] = {"", "INSERT INTO v(lockstep) VALUES('store')",
        "INSERT INTO t(k, x, y) VALUES('z', 1, 1); INSERT INTO v(lockstep) VALUES('store')",
        "INSERT INTO t(k, x, y) VALUES('z', 1, 1); INSERT INTO w(lockstep) VALUES('store')"};
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "");
    make_view(db, "w", "");
    fill(db, 10);
    run(db, "%s; SELECT * FROM v", befores[_i]);
    for (int n = 0; n < 20; n += 6) {
        fill(db, 5);
        run(db, "DELETE FROM lockstep_log_%d", log_of(db));
        if (n > 0)
            fill(db, n);
        must_be_right(db, "v");
        fill(db, n + 1);
        must_be_right(db, "w");
        if (n % 4 == 0)
            store(db, "v");
        must_be_right(db, "w");
        must_be_right(db, "v");
    }
    live_close(db);
}
END_TEST

/* The other view's overlay rests on positions that no longer are. */
START_TEST(a_view_that_has_stepped_is_right_after_another_empties_the_log)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "");
    make_view(db, "w", "");
    for (int i = 0; i < 20; i++) {
        fill(db, 3 + i);
        must_be_right(db, i % 2 ? "v" : "w");
        if (i % 3 == 0)
            store(db, "v");
        fill(db, 1);
        must_be_right(db, "w");
        if (i % 4 == 0)
            store(db, "w");
        run(db, "DELETE FROM t WHERE id %% 7 = %d", i % 7);
        must_be_right(db, "v");
    }
    live_close(db);
}
END_TEST

START_TEST(a_view_that_needs_more_columns_widens_the_log)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, count(*) AS n FROM t GROUP BY k)");
    ck_assert_int_eq(n_logged(db), 0);
    fill(db, 10);
    must_be_right(db, "v");
    fill(db, 5);
    make_view(db, "w", "");
    ck_assert_int_eq(n_logged(db), 2);
    must_be_right(db, "v");
    run(db, "UPDATE t SET x = x + 1, y = -y WHERE id %% 3 = 0; DELETE FROM t WHERE id = 8");
    must_be_right(db, "w");
    must_be_right(db, "v");
    store(db, "v");
    store(db, "w");
    must_be_right(db, "w");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

START_TEST(a_second_view_in_a_transaction_with_unseen_changes_is_right_after_either_end)
{
    static const char *const ends[] = {"COMMIT", "ROLLBACK"};
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, count(*) AS n FROM t GROUP BY k);"
            "BEGIN");
    fill(db, 10);
    must_be_right(db, "v");
    fill(db, 10);
    make_view(db, "w", "");
    fill(db, 10);
    must_be_right(db, "w");
    must_be_right(db, "v");
    run(db, "%s", ends[_i]);
    must_be_right(db, "v");
    if (_i == 0)
        must_be_right(db, "w");
    fill(db, 10);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* A candidate is read again as the table is at the end, so the changes behind it must be taken
** in with it: REPLACE, then ordinary changes of the same rows, then one read. */
START_TEST(a_log_is_taken_in_whole)
{
    sqlite3 *db = live_open(":memory:");

    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE, y REAL)");
    make_view(db, "v", "");
    for (int round = 0; round < 30; round++) {
        run(db,
            "INSERT OR REPLACE INTO t(id, k, x, y) VALUES(%d, 'a', %d, 1), (%d, 'b', %d, 2);"
            "UPDATE t SET k = k || '+' WHERE id %% 3 = %d;"
            "UPDATE OR REPLACE t SET x = x + 1 WHERE id %% 5 = %d;"
            "DELETE FROM t WHERE id = %d;"
            "INSERT OR IGNORE INTO t(id, k, x, y) VALUES(%d, 'c', %d, 3)",
            round % 7, round % 5, round % 11, (round + 3) % 5, round % 3, round % 5, round % 13,
            round % 7, round % 4);
        if (round % 4 == 3)
            must_be_right(db, "v");
    }
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

START_TEST(a_log_longer_than_a_piece_of_a_build_is_taken_in_whole)
{
    sqlite3 *db = live_open(":memory:");

    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE, y REAL)");
    make_view(db, "v", "");
    run(db, "BEGIN");
    for (int round = 0; round < 3; round++)
        run(db,
            "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 6000)"
            " INSERT OR REPLACE INTO t(id, k, x, y)"
            " SELECT i * 7 %% 5003, 'k' || (i %% 10), i * %d %% 7001, i FROM i",
            round + 2);
    must_be_right(db, "v");
    run(db, "COMMIT");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

TCase *rules_positions(void)
{
    TCase *tests = tcase_create("positions");

    tcase_add_test(tests, a_view_starts_at_the_end_of_the_log);
    tcase_add_test(tests, dropping_a_view_removes_its_position_and_the_last_one_the_log);
    tcase_add_test(tests, the_log_is_trimmed_up_to_the_least_position);
    tcase_add_test(
        tests, the_log_is_emptied_only_when_every_view_is_at_its_end_and_positions_begin_anew);
    tcase_add_loop_test(tests, a_log_that_somebody_else_has_emptied_is_noticed, 0, 4);
    tcase_add_test(tests, a_view_that_has_stepped_is_right_after_another_empties_the_log);
    tcase_add_test(tests, a_view_that_needs_more_columns_widens_the_log);
    tcase_add_loop_test(tests,
        a_second_view_in_a_transaction_with_unseen_changes_is_right_after_either_end, 0, 2);
    tcase_add_test(tests, a_log_is_taken_in_whole);
    tcase_add_test(tests, a_log_longer_than_a_piece_of_a_build_is_taken_in_whole);
    tcase_set_timeout(tests, 120);
    return tests;
}
