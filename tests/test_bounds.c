/* Changes that do not fit into a view's memory: they are taken in all the same, memory stays
** flat, and what a rollback undoes is undone. */
#include <check.h>

#include "tests/live.h"
#include "tests/suite.h"

static const char *const views[] = {
    "SELECT g % 10 AS g, count(*) AS n, sum(x) AS s FROM t GROUP BY 1",
    "SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g",
    "SELECT id, x FROM t WHERE x % 2 = 0",
    "SELECT t.id, t.x, d.name FROM t JOIN d ON d.id = t.h",
    "SELECT d.name, sum(t.x) AS s FROM t JOIN d ON d.id = t.h GROUP BY 1",
    "SELECT t.id, t.x, d.name FROM t LEFT JOIN d ON d.id = t.h",
    "SELECT DISTINCT g, h FROM t",
    "SELECT h, min(x) AS least, max(x) AS most FROM t GROUP BY h",
    "SELECT h % 10 AS h, count(DISTINCT x) AS n FROM t GROUP BY 1",
    "SELECT id, x FROM t ORDER BY x DESC, id LIMIT 10",
    "SELECT g FROM t UNION SELECT id FROM d",
    "SELECT t.id, q.s FROM t JOIN (SELECT h, sum(x) AS s FROM t GROUP BY h) AS q ON q.h = t.h",
    "SELECT g, group_concat(x) AS l FROM t GROUP BY g",
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

static const char *const options[] = {"maintain=read", "maintain=commit"};

/* A file, of which SQLite itself has little in memory. */
static sqlite3 *open_small(int step_bytes)
{
    sqlite3 *db = live_open(live_path());

    run(db, "PRAGMA cache_size = -50; PRAGMA temp_store = FILE;"
            "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, h INT, x INT, s TEXT);"
            "CREATE TABLE d(id INTEGER PRIMARY KEY, name TEXT);"
            "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 90)"
            "INSERT INTO d SELECT i, 'name ' || i %% 7 FROM r");
    run(db, "SELECT lockstep_step_bytes(%d), lockstep_build_bytes(%d)", step_bytes, step_bytes);
    return db;
}

/* SQL with %d for a number of rows; a read of the view follows each. */
static const char *const course[] = {
    "BEGIN; WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT %d)"
    " INSERT INTO t SELECT i, i * 7919 %% 50021, i %% 100, i * 31 %% 10007, 'row ' || i FROM r",
    "COMMIT",
    "BEGIN; SAVEPOINT s; UPDATE t SET x = x + 1, h = h + 1",
    "SAVEPOINT q; DELETE FROM t WHERE id %% 2",
    "ROLLBACK TO q",
    "INSERT INTO t(g, h, x) VALUES(5, 5, 5)",
    "ROLLBACK TO s",
    "UPDATE t SET x = -x WHERE id < 4",
    "ROLLBACK",
    "UPDATE t SET x = x + 2, g = g + 1",
    "BEGIN; REPLACE INTO t SELECT id, g, h, x + 1, s FROM t",
    "COMMIT",
    "INSERT INTO v(lockstep) VALUES('rebuild')",
    "INSERT INTO v(lockstep) VALUES('integrity-check')",
    "DELETE FROM t WHERE id > 5",
};
enum { N_COURSE = sizeof(course) / sizeof(*course) };

/* Steps and builds may use a tenth of what they would for so many rows. Beside them there is
** what a store copies, and SQLite's own. */
enum { ROWS = 4000, BOUND = 100000, MOST = 450000 };

START_TEST(memory_does_not_grow_with_a_transaction)
{
    sqlite3 *db = open_small(BOUND);

    run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s, %s)", options[_i % 2], views[_i / 2]);
    for (int k = 0; k < N_COURSE; k++) {
        sqlite3_int64 before = sqlite3_memory_used(), most;

        (void)sqlite3_memory_highwater(1);
        run(db, course[k], ROWS);
        run(db, "SELECT count(*) FROM v");
        most = sqlite3_memory_highwater(0) - before;
        if (most > MOST)
            ck_abort_msg("%lld bytes for %s\n  in: %s", most, views[_i / 2], course[k]);
        must_be_right(db, "v");
    }
    live_close(db);
}
END_TEST

/* Where a change of few rows is too large. */
START_TEST(what_a_step_has_no_memory_for_is_right)
{
    static const int sizes[] = {1, 4000, 20000};

    for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++) {
        sqlite3 *db = open_small(sizes[k]);

        run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s, %s)", options[_i % 2],
            views[_i / 2]);
        for (int j = 0; j < N_COURSE; j++) {
            run(db, course[j], 40);
            must_be_right(db, "v");
        }
        live_close(db);
        live_clean();
    }
}
END_TEST

START_TEST(a_reader_that_cannot_write_runs_the_query)
{
    sqlite3 *db = open_small(4000), *reader;
    const char *path = sqlite3_db_filename(db, "main");

    run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s)", views[_i]);
    run(db, course[0], 40);
    run(db, "COMMIT");
    reader = live_open_as(path, SQLITE_OPEN_READONLY);
    ck_assert_int_eq(sqlite3_lockstep_init(reader, NULL, NULL), SQLITE_OK);
    run(reader, "SELECT lockstep_step_bytes(4000)");
    must_be_right(reader, "v");
    run(db, "UPDATE t SET x = x + 1 WHERE id < 3");
    must_be_right(reader, "v");
    must_be_right(db, "v");
    must_be_right(reader, "v");
    run(db, "UPDATE t SET x = x + 1 WHERE id < 3");
    must_be_right(reader, "v");
    live_close(reader);
    live_close(db);
}
END_TEST

/* Few rows are many bytes. */
START_TEST(large_rows_are_built_in_small_pieces)
{
    sqlite3 *db = open_small(1 << 20);
    sqlite3_int64 before;

    run(db, "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 500)"
            " INSERT INTO t SELECT i, i %% 10, i, i, hex(zeroblob(10000)) FROM r");
    before = sqlite3_memory_used();
    (void)sqlite3_memory_highwater(1);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s)",
        _i == 0 ? "SELECT id, s FROM t" : "SELECT g, max(s) AS s FROM t GROUP BY g");
    ck_assert_int_le(sqlite3_memory_highwater(0) - before, 4 << 20);
    must_agree(db, "SELECT count(*), sum(length(s)) FROM v",
        "SELECT count(*), sum(length(s)) FROM v_query");
    live_close(db);
}
END_TEST

/* It goes on with the rows that it began with, though the view changes. */
START_TEST(a_reader_of_many_rows_needs_little_memory_where_they_change)
{
    sqlite3 *db = open_small(1 << 20);
    sqlite3_int64 before, sum = 0, expected;
    sqlite3_stmt *reader;

    run(db, course[0], 5 * ROWS);
    run(db, "COMMIT; CREATE VIRTUAL TABLE v USING lockstep(SELECT id, x, s FROM t)");
    run(db, "SELECT lockstep_step_bytes(%d)", BOUND);
    expected = number(db, "SELECT sum(x) FROM v");
    ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT x FROM v", -1, &reader, NULL), SQLITE_OK);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(sqlite3_step(reader), SQLITE_ROW);
        sum += sqlite3_column_int64(reader, 0);
    }
    before = sqlite3_memory_used();
    (void)sqlite3_memory_highwater(1);
    run(db, "UPDATE t SET x = -x WHERE id %% 100 = 0");
    run(db, "SELECT count(*) FROM v");
    while (sqlite3_step(reader) == SQLITE_ROW)
        sum += sqlite3_column_int64(reader, 0);
    ck_assert_int_le(sqlite3_memory_highwater(0) - before, MOST);
    ck_assert_int_eq(sqlite3_finalize(reader), SQLITE_OK);
    ck_assert_int_eq(sum, expected);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* It is taken in by pieces. */
START_TEST(a_large_change_of_a_larger_table_does_not_cost_a_scan)
{
    sqlite3 *db = open_small(40000);
    long change, anew;

    run(db, course[0], 30000);
    run(db, "COMMIT; CREATE VIRTUAL TABLE v USING lockstep(%s)", views[_i]);
    run(db, "UPDATE t SET x = x + 1, g = g + 1 WHERE id < 500");
    live_count_begin(db);
    run(db, "SELECT * FROM v LIMIT 1");
    change = live_count_end(db);
    ck_assert_int_eq(
        number(db, "SELECT count(*) FROM lockstep_log_1 WHERE lockstep_weight IS NOT 2"), 0);
    must_be_right(db, "v");
    run(db, "INSERT INTO v(lockstep) VALUES('integrity-check')");
    live_count_begin(db);
    run(db, "INSERT INTO v(lockstep) VALUES('rebuild')");
    anew = live_count_end(db);
    if (change > anew / 2)
        ck_abort_msg("%ld hundreds of instructions for a change, %ld anew", change, anew);
    live_close(db);
}
END_TEST

/* read is read, idle is not. */
START_TEST(a_view_that_nobody_reads_does_not_keep_the_log)
{
    sqlite3 *db = open_small(1 << 20), *other;
    const char *path = sqlite3_db_filename(db, "main");

    run(db, "CREATE VIRTUAL TABLE read USING lockstep(%s)", views[_i]);
    run(db, "CREATE VIRTUAL TABLE idle USING lockstep(%s)", views[_i]);
    other = live_open(path);
    must_be_right(other, "idle");
    for (int round = 0; round < 2; round++) {
        run(db, course[0], 30000);
        run(db, "COMMIT; DELETE FROM t WHERE id > 5");
        must_be_right(db, "read");
        if (round == 0) /* it is behind, but may catch up */
            ck_assert_int_ge(number(db, "SELECT count(*) FROM lockstep_log_1"), 59000);
        run(db, "DELETE FROM t");
    }
    run(db, "INSERT INTO read(lockstep) VALUES('store')");
    ck_assert_int_le(number(db, "SELECT count(*) FROM lockstep_log_1"), 5);
    run(db, "INSERT INTO t(g, h, x) VALUES(5, 5, 5)");
    must_be_right(other, "idle");
    must_be_right(db, "idle");
    live_close(other);
    live_close(db);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bounds");
    TCase *tests = tcase_create("bounds");

    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, memory_does_not_grow_with_a_transaction, 0, 2 * N_VIEWS);
    tcase_add_loop_test(tests, what_a_step_has_no_memory_for_is_right, 0, 2 * N_VIEWS);
    tcase_add_loop_test(tests, a_reader_that_cannot_write_runs_the_query, 0, N_VIEWS);
    tcase_add_loop_test(tests, large_rows_are_built_in_small_pieces, 0, 2);
    tcase_add_test(tests, a_reader_of_many_rows_needs_little_memory_where_they_change);
    tcase_add_loop_test(tests, a_large_change_of_a_larger_table_does_not_cost_a_scan, 0, 3);
    tcase_add_loop_test(tests, a_view_that_nobody_reads_does_not_keep_the_log, 3, 5);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
