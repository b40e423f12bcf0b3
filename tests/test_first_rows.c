/* Views of the first rows of many, of which they keep some more than they show. */
#include <check.h>

#include "tests/live.h"
#include "tests/suite.h"

static const char *const views[] = {
    "SELECT id, x FROM t ORDER BY x DESC, id LIMIT 10",
    "SELECT x FROM t ORDER BY x LIMIT 4 OFFSET 3",
    "SELECT t.id, s FROM t JOIN u ON u.id = t.x ORDER BY s DESC, t.id LIMIT 5",
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

static const char *const options[] = {"maintain=read", "maintain=commit"};

static sqlite3 *open_large(int view, int option)
{
    sqlite3 *db = live_open(live_path());

    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, x INT); CREATE TABLE u(id INTEGER PRIMARY "
            "KEY, s INT);"
            "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 1000)"
            " INSERT INTO t SELECT i, i * 7919 %% 503 FROM r;"
            "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 400)"
            " INSERT INTO u SELECT i, i * 31 %% 97 FROM r");
    run(db, "SELECT lockstep_build_bytes(64000)");
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s, %s)", options[option], views[view]);
    return db;
}

static int count_cells(sqlite3 *db)
{
    return (int)number(db, "SELECT count(*) FROM v_trace");
}

START_TEST(a_view_keeps_some_of_the_rows_and_is_right_when_they_have_gone)
{
    sqlite3 *db = open_large(_i / 2, _i % 2);

    ck_assert_int_gt(count_cells(db), 40);
    ck_assert_int_lt(count_cells(db), 350);
    for (int i = 0; i < 60; i++) {
        run(db,
            "BEGIN; DELETE FROM t WHERE id IN (SELECT t.id FROM t JOIN v ON v.%s = t.%s "
            "LIMIT 8)",
            _i / 2 == 1 ? "x" : "id", _i / 2 == 1 ? "x" : "id");
        if (i % 3 == 0)
            must_be_right(db, "v");
        if (i % 7 == 0) {
            run(db, "SAVEPOINT s; DELETE FROM t");
            must_be_right(db, "v");
            run(db, "ROLLBACK TO s");
        }
        run(db, i % 5 == 0 ? "ROLLBACK" : "COMMIT");
        must_be_right(db, "v");
        run(db, "UPDATE t SET x = x + 1 WHERE id %% 17 = %d", i % 17);
        must_be_right(db, "v");
        if (i % 10 == 9)
            run(db, "INSERT INTO v(lockstep) VALUES('store'), ('integrity-check')");
    }
    live_close(db);
}
END_TEST

START_TEST(what_is_behind_the_floor_changes_no_cell)
{
    sqlite3 *db = open_large(0, 0);
    sqlite3_int64 cells;

    run(db, "INSERT INTO v(lockstep) VALUES('store')");
    cells = number(db, "SELECT sum(length(k) + length(v)) FROM v_trace");
    run(db, "UPDATE t SET x = -x - 1 WHERE x < 100; INSERT INTO t(x) VALUES(-7), (1)");
    must_be_right(db, "v");
    run(db, "INSERT INTO v(lockstep) VALUES('store')");
    ck_assert_int_eq(number(db, "SELECT sum(length(k) + length(v)) FROM v_trace"), cells);
    run(db, "INSERT INTO v(lockstep) VALUES('integrity-check')");
    live_close(db);
}
END_TEST

/* Nor in the middle of a write, or by one that can't write: the query answers. */
START_TEST(a_reader_that_cannot_make_the_view_anew_is_right)
{
    sqlite3 *db = open_large(0, 0);
    sqlite3 *reader = live_open_as(sqlite3_db_filename(db, "main"), SQLITE_OPEN_READONLY);

    ck_assert_int_eq(sqlite3_lockstep_init(reader, NULL, NULL), SQLITE_OK);
    run(db, "DELETE FROM t WHERE x > 200");
    must_be_right(reader, "v");
    run(db,
        "CREATE TABLE met(ids, differ); CREATE TRIGGER d AFTER DELETE ON t BEGIN INSERT INTO"
        " met SELECT group_concat(id), group_concat(id) IS NOT (SELECT group_concat(id) FROM"
        " v_query) FROM v; END; INSERT INTO v(lockstep) VALUES('rebuild')");
    run(db, "DELETE FROM t WHERE x > 20");
    ck_assert_int_gt(number(db, "SELECT count(DISTINCT ids) FROM met"), 40);
    ck_assert_int_eq(number(db, "SELECT sum(differ) FROM met"), 0);
    must_be_right(db, "v");
    must_be_right(reader, "v");
    live_close(reader);
    live_close(db);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("first_rows");
    TCase *tcase = tcase_create("first_rows");

    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, NULL, live_clean);
    tcase_add_loop_test(
        tcase, a_view_keeps_some_of_the_rows_and_is_right_when_they_have_gone, 0, 2 * N_VIEWS);
    tcase_add_test(tcase, what_is_behind_the_floor_changes_no_cell);
    tcase_add_test(tcase, a_reader_that_cannot_make_the_view_anew_is_right);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
