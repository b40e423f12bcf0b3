/* The rules where a view reads several tables: all their logs at once, and base rows of the
** very moment that the logs tell of. */
#include "tests/rules.h"

/* Customers, and what they bought; v joins both, w lists also those who bought nothing. */
static void make_shop(sqlite3 *db)
{
    run(db, "CREATE TABLE c(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);"
            "CREATE TABLE p(id INTEGER PRIMARY KEY, c INT, amount INT);"
            "CREATE INDEX pc ON p(c);"
            "INSERT INTO c VALUES(1, 'ann'), (2, 'bob'), (3, 'cy');"
            "INSERT INTO p VALUES(1, 1, 10), (2, 1, 20), (3, 2, 5), (4, 9, 7)");
}

#define SPENT "SELECT c.name, count(*) AS n, sum(amount) AS total FROM c JOIN p ON p.c = c.id"
#define LISTED "SELECT c.name, p.amount FROM c LEFT JOIN p ON p.c = c.id"

static void make_views(sqlite3 *db)
{
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(" SPENT " GROUP BY c.name);"
            "CREATE VIRTUAL TABLE w USING lockstep(" LISTED ")");
}

static void must_both_be_right(sqlite3 *db)
{
    must_be_right(db, "v");
    must_be_right(db, "w");
}

/* How many of the view's positions are where their logs end. */
static sqlite3_int64 n_at_end(sqlite3 *db, const char *view)
{
    return number(db,
        "SELECT (SELECT count(*) FROM lockstep_position WHERE view = '%s' AND log = 1 AND seq ="
        " ifnull((SELECT max(lockstep_seq) FROM lockstep_log_1), 0)) + (SELECT count(*) FROM"
        " lockstep_position WHERE view = '%s' AND log = 2 AND seq ="
        " ifnull((SELECT max(lockstep_seq) FROM lockstep_log_2), 0))",
        view, view);
}

START_TEST(a_view_has_a_position_in_each_log_and_they_advance_together)
{
    sqlite3 *db = live_open(":memory:");

    make_shop(db);
    make_views(db);
    ck_assert_int_eq(number(db, "SELECT count(*) FROM lockstep_position WHERE view = 'v'"), 2);
    run(db, "INSERT INTO c VALUES(9, 'dee')");
    ck_assert_int_eq(n_at_end(db, "v"), 1);
    run(db, "INSERT INTO p VALUES(10, 9, 1)");
    must_both_be_right(db);
    ck_assert_int_eq(n_at_end(db, "v"), 0);
    run(db, "INSERT INTO v(lockstep) VALUES('store')");
    ck_assert_int_eq(n_at_end(db, "v"), 2);
    ck_assert_int_eq(n_at_end(db, "w"), 0);
    run(db, "INSERT INTO w(lockstep) VALUES('store')");
    ck_assert_int_eq(
        number(db, "SELECT count(*) FROM lockstep_log_1 WHERE lockstep_weight IS NOT 2"), 0);
    ck_assert_int_eq(
        number(db, "SELECT count(*) FROM lockstep_log_2 WHERE lockstep_weight IS NOT 2"), 0);
    must_both_be_right(db);
    live_close(db);
}
END_TEST

START_TEST(a_table_that_is_joined_to_itself_has_one_log)
{
    sqlite3 *db = live_open(":memory:");

    make_shop(db);
    run(db,
        "CREATE VIRTUAL TABLE v USING lockstep(SELECT a.id AS one, b.id AS other FROM p AS a,"
        " main.P AS b WHERE a.c = b.c AND a.amount < b.amount)");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM lockstep_position"), 1);
    run(db, "UPDATE p SET amount = 30 - amount, c = 1; INSERT INTO p VALUES(8, 1, 15)");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

START_TEST(the_last_view_of_a_table_takes_its_log_along)
{
    sqlite3 *db = live_open(":memory:");

    make_shop(db);
    make_views(db);
    run(db, "CREATE VIRTUAL TABLE one USING lockstep(SELECT count(*) AS n FROM c)");
    run(db, "DROP TABLE v; DROP TABLE w");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'p'"), 2);
    run(db, "INSERT INTO c VALUES(4, 'dee'); INSERT INTO p VALUES(5, 4, 1)");
    must_be_right(db, "one");
    run(db, "DROP TABLE one");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM sqlite_schema"), 3);
    live_close(db);
}
END_TEST

/* A trigger notes what the view shows and what its query gives, before and after every row. */
START_TEST(in_the_middle_of_a_statement_a_join_is_what_its_query_gives)
{
    static const char *const changes[] = {
        "INSERT INTO p VALUES(20, 1, 1), (21, 2, 2), (22, 3, 3)",
        "UPDATE p SET c = c + 1",
        "UPDATE OR REPLACE p SET id = id + 1",
        "REPLACE INTO p VALUES(1, 3, 3), (2, 3, 4)",
        "DELETE FROM p WHERE c < 3",
    };
    sqlite3 *db = live_open(":memory:");

    make_shop(db);
    run(db, "CREATE TABLE seen(shown, due)");
    if (_i >= 5)
        make_views(db);
    for (int i = 0; i < 6; i++)
        run(db,
            "CREATE TRIGGER u%d %s %s ON p BEGIN INSERT INTO seen SELECT"
            " (SELECT group_concat(r) FROM (SELECT name || n || total AS r FROM v ORDER BY r)),"
            " (SELECT group_concat(r) FROM (SELECT name || n || total AS r FROM v_query ORDER "
            "BY"
            " r)); END",
            i, i % 2 == 0 ? "BEFORE" : "AFTER",
            i < 2   ? "INSERT"
            : i < 4 ? "UPDATE"
                    : "DELETE");
    if (_i < 5)
        make_views(db);
    run(db, "INSERT INTO c VALUES(9, 'dee')");
    run(db, "%s", changes[_i % 5]);
    ck_assert_int_ge(number(db, "SELECT count(*) FROM seen"), 2);
    ck_assert_int_eq(number(db, "SELECT count(*) FROM seen WHERE shown IS NOT due"), 0);
    must_both_be_right(db);
    live_close(db);
}
END_TEST

START_TEST(a_rollback_to_a_savepoint_undoes_what_was_taken_of_every_log)
{
    sqlite3 *db = live_open(":memory:");

    make_shop(db);
    make_views(db);
    run(db, "BEGIN; INSERT INTO c VALUES(9, 'dee')");
    must_both_be_right(db);
    run(db,
        "SAVEPOINT a; INSERT INTO p VALUES(10, 9, 1); UPDATE c SET name = 'Bob' WHERE id = 2");
    must_both_be_right(db);
    run(db, "SAVEPOINT b; DELETE FROM p WHERE c = 1");
    must_both_be_right(db);
    run(db, "ROLLBACK TO b");
    must_both_be_right(db);
    run(db, "ROLLBACK TO a; INSERT INTO p VALUES(10, 1, 2)");
    must_both_be_right(db);
    run(db, "ROLLBACK");
    must_both_be_right(db);
    live_close(db);
}
END_TEST

/* Rows of a table without a key are known by rowids that VACUUM gives anew. */
START_TEST(vacuum_changes_no_join)
{
    const char *path = live_path();
    sqlite3 *db = live_open(path);

    run(db,
        "CREATE TABLE a(k, x); CREATE TABLE b(k, y); INSERT INTO a VALUES(1, 1), (2, 2), (3, "
        "3);"
        "INSERT INTO b VALUES(1, 10), (2, 20), (3, 30); DELETE FROM a WHERE k = 1;"
        "CREATE VIRTUAL TABLE v USING lockstep(SELECT x, y FROM a JOIN b ON a.k = b.k);"
        "CREATE VIRTUAL TABLE w USING lockstep(SELECT a.rowid AS r, y FROM a JOIN b ON a.k = "
        "b.k)");
    run(db, "UPDATE a SET x = 5 WHERE k = 2; DELETE FROM b WHERE k = 1; UPDATE b SET y = 31 "
            "WHERE k "
            "= 3");
    if (_i == 0)
        must_both_be_right(db);
    run(db, "VACUUM");
    if (_i < 2)
        must_both_be_right(db);
    run(db, "UPDATE a SET k = 3, x = 6 WHERE k = 2; INSERT INTO a VALUES(3, 9)");
    must_both_be_right(db);
    live_close(db);
}
END_TEST

START_TEST(a_table_that_was_dropped_and_made_again_is_read_anew)
{
    sqlite3 *db = live_open(":memory:");

    make_shop(db);
    make_views(db);
    run(db, "INSERT INTO p VALUES(10, 3, 1)");
    run(db, "DROP TABLE p");
    must_say(db, "no such table", "SELECT * FROM v");
    run(db, "CREATE TABLE p(id INTEGER PRIMARY KEY, c INT, amount INT);"
            "INSERT INTO p VALUES(1, 2, 100)");
    must_both_be_right(db);
    run(db, "INSERT INTO p VALUES(2, 3, 50); UPDATE c SET name = 'zed' WHERE id = 2");
    must_both_be_right(db);
    live_close(db);
}
END_TEST

START_TEST(a_temp_trigger_on_one_of_the_tables_hides_nothing)
{
    sqlite3 *db = live_open(":memory:");

    make_shop(db);
    make_views(db);
    run(db, "CREATE TEMP TRIGGER late AFTER INSERT ON p WHEN new.amount > 100"
            " BEGIN SELECT RAISE(IGNORE); END");
    run(db, "INSERT INTO p VALUES(10, 3, 1000), (11, 3, 1)");
    must_both_be_right(db);
    run(db, "UPDATE c SET id = 30 WHERE id = 3; UPDATE p SET c = 30 WHERE c = 3");
    must_both_be_right(db);
    live_close(db);
}
END_TEST

/* Another connection commits while a view is being read: once, when its query's function
** runs. */
static sqlite3 *other;

static void commit_elsewhere(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (other != NULL) {
        sqlite3 *db = other;

        other = NULL;
        run(db, "INSERT INTO p VALUES(100, 1, 1000); DELETE FROM p WHERE id = 2;"
                " UPDATE c SET name = 'late' WHERE id = 2");
        sqlite3_close(db);
    }
    sqlite3_result_value(context, argv[0]);
}

START_TEST(a_step_sees_tables_and_logs_of_one_snapshot)
{
    const char *path = live_path();
    sqlite3 *db = live_open(path), *writer;

    run(db, "PRAGMA journal_mode = wal");
    make_shop(db);
    sqlite3_create_function(db, "through", 1,
        SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, commit_elsewhere, NULL,
        NULL);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT c.name, through(p.amount) AS amount"
            " FROM c JOIN p ON p.c = c.id)");
    run(db, "UPDATE c SET name = name || '!'; INSERT INTO p VALUES(5, 3, 3)");
    writer = live_open(path);
    other = writer;
    ck_assert_int_eq(number(db, "SELECT sum(amount) FROM v"), 10 + 20 + 5 + 3);
    ck_assert_ptr_null(other);
    ck_assert_int_eq(number(db, "SELECT sum(amount) FROM v"), 10 + 1000 + 5 + 3);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

START_TEST(all_tables_of_a_view_are_in_its_database)
{
    sqlite3 *db = live_open(":memory:");

    make_shop(db);
    run(db, "ATTACH ':memory:' AS aux; CREATE TABLE aux.p(id INTEGER PRIMARY KEY, c INT, "
            "amount INT);"
            "CREATE TABLE aux.c(id INTEGER PRIMARY KEY, name TEXT);"
            "INSERT INTO aux.p VALUES(1, 1, 1); INSERT INTO aux.c VALUES(1, 'x')");
    ck_assert_int_ne(
        attempt(db, "CREATE VIRTUAL TABLE v USING lockstep(" SPENT " JOIN aux.p AS q)"),
        SQLITE_OK);
    run(db, "CREATE VIRTUAL TABLE aux.v USING lockstep(" SPENT " GROUP BY c.name)");
    run(db, "INSERT INTO aux.p VALUES(2, 1, 5); INSERT INTO main.p VALUES(50, 1, 100)");
    ck_assert_int_eq(number(db, "SELECT total FROM aux.v"), 6);
    live_close(db);
}
END_TEST

/* A state that was to be made anew, in a transaction that goes on when that failed half way. */
static bool is_failing;

static void fail_at_times(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    if (is_failing)
        sqlite3_result_error(context, "not now", -1);
    else
        sqlite3_result_value(context, argv[0]);
}

static sqlite3 *open_failing(const char *path)
{
    sqlite3 *db = live_open(path);

    sqlite3_create_function(db, "at_times", 1,
        SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, fail_at_times, NULL, NULL);
    return db;
}

START_TEST(a_state_that_could_not_be_made_anew_is_not_read)
{
    const char *path = live_path();
    sqlite3 *db = open_failing(path);

    is_failing = false;
    make_shop(db);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep("
            "SELECT name, at_times(amount) AS a FROM c JOIN p ON p.c = c.id)");
    run(db, "BEGIN; DROP TRIGGER lockstep_log_1_insert; INSERT INTO p VALUES(10, 1, 1)");
    is_failing = true;
    must_say(db, "not now", "SELECT * FROM v");
    is_failing = false;
    if (_i == 0)
        must_be_right(db, "v");
    run(db, "COMMIT");
    live_close(db);
    db = open_failing(path);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* Many rows show the value of a setting: others change it not. */
START_TEST(a_value_that_stays_touches_no_row)
{
    static const char *const views[] = {
        "SELECT id, y * (SELECT value FROM s WHERE name = 'tax') AS z FROM t",
        "SELECT id, (SELECT value FROM s WHERE name = 'tax' ORDER BY name) IS NULL AS z FROM t",
        "SELECT id, y FROM t WHERE EXISTS (SELECT 1 FROM s WHERE name = 'tax')",
        "SELECT id, y FROM t WHERE CASE WHEN x = 3 THEN NOT EXISTS (SELECT * FROM s) END",
    };
    sqlite3 *db = live_open(":memory:");
    long few, many;

    run(db, "CREATE TABLE s(name TEXT PRIMARY KEY, value);"
            "INSERT INTO s VALUES('tax', 2), ('other', 3)");
    make_table(db);
    fill(db, 5000);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(index=(id), %s)", views[_i]);
    run(db, "UPDATE s SET value = 4 WHERE name = 'other'; SELECT * FROM v WHERE id = 7");
    live_count_begin(db);
    run(db, "SELECT count(*) FROM t WHERE y > 3.5");
    many = live_count_end(db);
    run(db, "UPDATE s SET value = 5 WHERE name = 'other'; INSERT INTO s VALUES('more', 1)");
    live_count_begin(db);
    run(db, "SELECT * FROM v WHERE id = 7");
    few = live_count_end(db);
    ck_assert_msg(few < many, "%ld hundred instructions; a scan takes %ld", few, many);
    run(db, "UPDATE s SET value = 6 WHERE name = 'tax'");
    must_be_right(db, "v");
    run(db, "DELETE FROM s");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

TCase *rules_joins(void)
{
    TCase *joins = tcase_create("joins");

    tcase_set_timeout(joins, 120);
    tcase_add_checked_fixture(joins, NULL, live_clean);
    tcase_add_test(joins, a_view_has_a_position_in_each_log_and_they_advance_together);
    tcase_add_test(joins, a_table_that_is_joined_to_itself_has_one_log);
    tcase_add_test(joins, the_last_view_of_a_table_takes_its_log_along);
    tcase_add_loop_test(
        joins, in_the_middle_of_a_statement_a_join_is_what_its_query_gives, 0, 10);
    tcase_add_test(joins, a_rollback_to_a_savepoint_undoes_what_was_taken_of_every_log);
    tcase_add_loop_test(joins, vacuum_changes_no_join, 0, 3);
    tcase_add_test(joins, a_table_that_was_dropped_and_made_again_is_read_anew);
    tcase_add_test(joins, a_temp_trigger_on_one_of_the_tables_hides_nothing);
    tcase_add_test(joins, a_step_sees_tables_and_logs_of_one_snapshot);
    tcase_add_test(joins, all_tables_of_a_view_are_in_its_database);
    tcase_add_loop_test(joins, a_value_that_stays_touches_no_row, 0, 4);
    tcase_add_loop_test(joins, a_state_that_could_not_be_made_anew_is_not_read, 0, 2);
    return joins;
}
