/* Commands that a trigger carries, in the middle of a statement that writes: whatever they do, each
** view is right after the statement, and what it stores is whole. */
#include <stdlib.h>
#include <string.h>

#include "tests/rules.h"

static const char *const commands[] = {"store", "rebuild", "integrity-check"};
enum { STORE, REBUILD, CHECK, N_COMMANDS };

static const char *const views[] = {"v", "j", "k", "top"};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

#define EACH                                                                                   \
    "INSERT INTO v(lockstep) VALUES('%s'); INSERT INTO j(lockstep) VALUES('%s');"              \
    "INSERT INTO k(lockstep) VALUES('%s'); INSERT INTO top(lockstep) VALUES('%s');"

static void make_tables(sqlite3 *db)
{
    run(db, "PRAGMA foreign_keys = ON;"
            "CREATE TABLE t(id INTEGER PRIMARY KEY, g INT, x INT UNIQUE);"
            "CREATE TABLE c(t INT REFERENCES t ON DELETE CASCADE ON UPDATE CASCADE, z INT);"
            "CREATE TABLE o(a INT); CREATE VIEW w AS SELECT * FROM t;"
            "INSERT INTO t VALUES(1, 1, 1), (2, 2, 2), (3, 1, 3)");
}

/* k is kept at commits. */
static void make_views(sqlite3 *db)
{
    run(db,
        "CREATE VIRTUAL TABLE v USING lockstep("
        "SELECT g, count(*) AS n, sum(x) AS s FROM t GROUP BY g);"
        "CREATE VIRTUAL TABLE j USING lockstep(SELECT t.id, c.z FROM t LEFT JOIN c ON c.t = "
        "t.id);"
        "CREATE VIRTUAL TABLE k USING lockstep(maintain=commit, SELECT t, count(*) AS n FROM c"
        " GROUP BY t);"
        "CREATE VIRTUAL TABLE top USING lockstep(SELECT id, x FROM t ORDER BY x DESC LIMIT 2)");
}

static void must_all_be_right(sqlite3 *db)
{
    for (int i = 0; i < N_VIEWS; i++)
        must_be_right(db, views[i]);
}

static void must_all_be_whole(sqlite3 *db)
{
    for (int i = 0; i < N_VIEWS; i++)
        run(db, "INSERT INTO %s(lockstep) VALUES('integrity-check')", views[i]);
}

static const char *const statements[] = {
    "INSERT INTO t VALUES(4, 1, 4)",
    "INSERT INTO c VALUES(1, 1), (2, 1), (4, 2), (3, 3)",
    "REPLACE INTO t VALUES(1, 2, 9)",
    "INSERT OR REPLACE INTO t VALUES(9, 1, 2), (8, 1, 3)",
    "INSERT INTO t VALUES(9, 1, 7), (10, 1, 9) ON CONFLICT(id) DO UPDATE SET g = g + 1,"
    " x = excluded.x ON CONFLICT DO NOTHING",
    "INSERT INTO t VALUES(9, 1, 70), (11, 1, 90) ON CONFLICT(id) DO UPDATE SET x = excluded.x"
    " RETURNING id, (SELECT count(*) FROM v)",
    "UPDATE OR REPLACE t SET x = 3 WHERE id = 4",
    "UPDATE t SET g = 3 - g",
    "UPDATE t SET id = id + 100 WHERE id IN (1, 4)",
    "INSERT OR FAIL INTO t VALUES(20, 1, 20), (21, 1, 20), (22, 1, 22)",
    "INSERT OR IGNORE INTO t VALUES(23, 1, 20), (24, 1, 24)",
    "UPDATE c SET z = z + 1",
    "INSERT INTO w VALUES(30, 1, 30), (31, 2, 31)",
    "UPDATE w SET g = g + 1 WHERE id > 20",
    "DELETE FROM w WHERE id = 30",
    "INSERT INTO o VALUES(1), (2)",
    "UPDATE o SET a = a + 1",
    "DELETE FROM o WHERE a = 2",
    "DELETE FROM t WHERE id IN (2, 101)",
    "DELETE FROM c WHERE z > 2",
    "DELETE FROM t",
};
enum { N_STATEMENTS = sizeof(statements) / sizeof(*statements) };

/* Where the trigger stands: on a table that the views read, on one that actions of a foreign key
** change, on another that they do not read, on a plain view. The last two write the table before
** the command and after it, and so fire what stands there. */
static const struct {
    const char *table;
    const char *before, *after; /* of what a trigger does beside */
    bool is_instead;
} places[] = {
    {"t", "", "", false},
    {"c", "", "", false},
    {"o", "INSERT OR REPLACE INTO t VALUES(3, 1, 2);",
        "UPDATE t SET g = g + 1 WHERE x = 2; DELETE FROM t WHERE id = 8;", false},
    {"w", "INSERT OR REPLACE INTO t VALUES(3, 1, 31);",
        "UPDATE OR REPLACE t SET x = 2 WHERE id = 3; DELETE FROM t WHERE id = 8;", true},
};
enum { N_PLACES = sizeof(places) / sizeof(*places) };

struct way {
    int command, place;
    bool is_before, is_newer, is_temp, is_recursive;
    const char *event;
    const char *last; /* of the trigger */
};
enum { N_WAYS = N_COMMANDS * N_PLACES * 3 * 16 };

static struct way way_of(int i)
{
    static const char *const events[] = {"INSERT", "UPDATE", "DELETE"};
    struct way way = {.last = ""};

    way.is_before = i & 1;
    way.is_newer = (i & 2) != 0;
    way.is_temp = (i & 4) != 0;
    way.is_recursive = (i & 8) != 0;
    way.event = events[i / 16 % 3];
    way.place = i / 48 % N_PLACES;
    way.command = i / 48 / N_PLACES;
    return way;
}

static void make_trigger(sqlite3 *db, const struct way *way)
{
    const char *command = commands[way->command];

    run(db, "CREATE %s TRIGGER m %s %s ON %s BEGIN %s " EACH " %s %s END",
        way->is_temp ? "TEMP" : "",
        places[way->place].is_instead ? "INSTEAD OF"
        : way->is_before              ? "BEFORE"
                                      : "AFTER",
        way->event, places[way->place].table, places[way->place].before, command, command,
        command, command, places[way->place].after, way->last);
}

static sqlite3 *make(const struct way *way)
{
    sqlite3 *db = live_open(":memory:");

    run(db, "PRAGMA recursive_triggers = %d", way->is_recursive);
    make_tables(db);
    if (!way->is_newer)
        make_trigger(db, way);
    make_views(db);
    if (way->is_newer)
        make_trigger(db, way);
    return db;
}

/* No write is refused because of a view, unless it asks for what can't be answered. */
static void write_one(sqlite3 *db, const struct way *way, const char *sql)
{
    int rc = attempt(db, sql) & 0xff;

    ck_assert_msg(rc == SQLITE_OK || rc == SQLITE_CONSTRAINT || rc == SQLITE_ERROR ||
                      (rc == SQLITE_LOCKED && way->command == CHECK),
        "%s: %d %s", sql, rc, sqlite3_errmsg(db));
    if (rc == SQLITE_ERROR) /* an ordinary view can't be written without a trigger */
        ck_assert_ptr_nonnull(strstr(sqlite3_errmsg(db), "because it is a view"));
}

/* Of the ways some are tried where there is no time for all; which is of no meaning, but that any
** so many after one another are of all kinds. LOCKSTEP_EVERY has all tried. */
enum { STRIDE = 7, N_SOME = N_WAYS / 6 };

static int n_tried(void)
{
    return getenv("LOCKSTEP_EVERY") == NULL ? N_SOME : N_WAYS;
}

/* In one of three ways: each statement is followed by reads; none is, up to the end; all is one
** transaction. */
START_TEST(a_command_of_a_trigger_leaves_nothing_wrong)
{
    enum { READ, UNREAD, IN_TRANSACTION, N_COURSES } course = (_i + _i / 16) % N_COURSES;
    struct way way = way_of(_i * STRIDE % N_WAYS);
    sqlite3 *db = make(&way);

    if (course == IN_TRANSACTION)
        run(db, "BEGIN");
    for (int i = 0; i < N_STATEMENTS; i++) {
        write_one(db, &way, statements[i]);
        if (course == UNREAD)
            continue;
        must_all_be_right(db);
        if (i % 3 == 0)
            must_all_be_whole(db);
    }
    if (course == IN_TRANSACTION)
        run(db, "COMMIT");
    must_all_be_whole(db);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* What the command leaves goes with what takes the statement back. */
START_TEST(what_a_command_of_a_trigger_leaves_is_taken_back)
{
    static const char *const ends[] = {"SELECT raise(ABORT, 'no');",
        "SELECT raise(FAIL, 'no');", "SELECT raise(IGNORE);", "SELECT raise(ROLLBACK, 'no');"};
    struct way way = way_of(_i * STRIDE % (N_WAYS / N_COMMANDS * CHECK));
    sqlite3 *db;

    way.last = ends[_i % 4];
    db = make(&way);
    for (int i = 0; i < N_STATEMENTS; i++) {
        (void)attempt(db, "BEGIN");
        (void)attempt(db, statements[i]);
        if (i % 2 == 0)
            must_all_be_right(db);
        (void)attempt(db, "SAVEPOINT s");
        (void)attempt(db, statements[(i + 3) % N_STATEMENTS]);
        if (i % 3 == 0)
            must_all_be_right(db);
        (void)attempt(db, "ROLLBACK TO s");
        if (i % 5 == 0)
            must_all_be_right(db);
        (void)attempt(db, i % 4 == 3 ? "ROLLBACK" : "COMMIT");
        must_all_be_right(db);
    }
    must_all_be_whole(db);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

START_TEST(a_store_of_a_trigger_is_made_by_the_commit)
{
    sqlite3 *db = live_open(":memory:");

    make_tables(db);
    run(db, "CREATE TRIGGER m AFTER INSERT ON t BEGIN INSERT INTO v(lockstep) VALUES('store'); "
            "END");
    make_views(db);
    run(db, "INSERT INTO t VALUES(5, 7, 5)");
    ck_assert_int_eq(number(db, "SELECT n FROM v_data WHERE g = 7"), 1);
    run(db, "BEGIN; INSERT INTO t VALUES(6, 7, 6)");
    ck_assert_int_eq(number(db, "SELECT n FROM v_data WHERE g = 7"), 1);
    run(db, "COMMIT");
    ck_assert_int_eq(number(db, "SELECT n FROM v_data WHERE g = 7"), 2);
    run(db, "BEGIN; INSERT INTO t VALUES(7, 7, 7); ROLLBACK; UPDATE t SET g = 8 WHERE g = 7");
    ck_assert_int_eq(number(db, "SELECT n FROM v_data WHERE g = 7"), 2);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* That of a view which is kept at commits is made by the commit. */
START_TEST(a_rebuild_of_a_trigger_is_made_by_the_next_read)
{
    sqlite3 *db = live_open(":memory:");

    make_tables(db);
    make_views(db);
    run(db, "CREATE TRIGGER m AFTER INSERT ON o BEGIN INSERT INTO v(lockstep)"
            " VALUES('rebuild'); INSERT INTO k(lockstep) VALUES('rebuild'); END;"
            "INSERT INTO c VALUES(1, 1);"
            "UPDATE v_data SET n = 100 WHERE g = 1; UPDATE k_data SET n = 100");
    must_say(db, "rebuild", "INSERT INTO v(lockstep) VALUES('integrity-check')");
    run(db, "BEGIN; INSERT INTO o VALUES(1); ROLLBACK");
    must_say(db, "rebuild", "INSERT INTO v(lockstep) VALUES('integrity-check')");
    run(db, "INSERT INTO o VALUES(1)");
    ck_assert_int_eq(number(db, "SELECT n FROM k_data"), 1);
    must_all_be_right(db);
    ck_assert_int_eq(number(db, "SELECT n FROM v_data WHERE g = 1"), 2);
    must_all_be_whole(db);
    run(db, "DROP TABLE v_state; INSERT INTO o VALUES(2)");
    must_all_be_right(db);
    must_all_be_whole(db);
    live_close(db);
}
END_TEST

START_TEST(a_check_of_a_trigger_answers_or_says_what_to_do)
{
    static const char insert[] = "INSERT INTO o VALUES(1)";
    sqlite3 *db = live_open(":memory:");

    make_tables(db);
    make_views(db);
    run(db,
        "PRAGMA foreign_keys = OFF; CREATE TRIGGER m AFTER INSERT ON o BEGIN"
        " INSERT INTO v(lockstep) VALUES('integrity-check'); END;"
        "INSERT INTO t VALUES(5, 1, 5); %s;"
        "UPDATE v_data SET n = 100 WHERE g = 1",
        insert);
    must_say(db, "view v", insert);
    run(db,
        "INSERT INTO v(lockstep) VALUES('rebuild'); %s;"
        "CREATE TRIGGER n AFTER INSERT ON t BEGIN"
        " INSERT INTO v(lockstep) VALUES('integrity-check'); END",
        insert);
    must_say(db, "view v: 'integrity-check' can't be answered in the middle",
        "INSERT INTO t VALUES(6, 1, 6)");
    must_all_be_right(db);
    run(db, "INSERT INTO t VALUES(6, 1, 6)"); /* our triggers are newer by now */
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* However the command's own statement is written. */
START_TEST(a_command_by_itself_is_run_at_once)
{
    static const char *const forms[] = {
        "INSERT INTO v(lockstep) VALUES('store')",
        "REPLACE INTO main.[v](\"lockstep\") SELECT 'store'",
        "/* into */ WITH \"into\" AS (SELECT 'store' AS s)"
        " INSERT OR IGNORE INTO `main` . \"V\"(lockstep) SELECT s FROM \"into\"",
        "insert into 'v' (lockstep) values('store') returning g",
    };
    sqlite3 *db = live_open(":memory:");

    make_tables(db);
    make_views(db);
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        run(db, "BEGIN; INSERT INTO t(g) VALUES(7); %s", forms[i]);
        ck_assert_int_eq(number(db, "SELECT n FROM v_data WHERE g = 7"), (int)i + 1);
        run(db, "COMMIT");
    }
    live_close(db);
}
END_TEST

/* A table of the view's name in another database, from which TEMP triggers lead to the view. */
START_TEST(a_statement_upon_another_table_of_the_views_name_is_not_its_own)
{
    sqlite3 *db = live_open(":memory:");

    run(db,
        "ATTACH ':memory:' AS other; CREATE TABLE other.t(id INTEGER PRIMARY KEY, x UNIQUE);"
        "CREATE TRIGGER other.m BEFORE INSERT ON t BEGIN"
        " INSERT INTO v(lockstep) VALUES('store'); END;"
        "CREATE VIRTUAL TABLE other.v USING lockstep(SELECT count(*) AS n FROM t);"
        "SELECT * FROM other.v; CREATE TABLE main.v(x);"
        "CREATE TEMP TRIGGER l AFTER INSERT ON main.v BEGIN REPLACE INTO t(x) VALUES(new.x); "
        "END");
    for (int i = 0; i < 3; i++) {
        run(db, "INSERT INTO v VALUES(1)");
        must_be_right(db, "other.v");
    }
    live_close(db);
}
END_TEST

TCase *rules_commands(void)
{
    TCase *tests = tcase_create("commands");

    tcase_add_loop_test(tests, a_command_of_a_trigger_leaves_nothing_wrong, 0, n_tried());
    tcase_add_loop_test(
        tests, what_a_command_of_a_trigger_leaves_is_taken_back, 0, n_tried() / 2);
    tcase_add_test(tests, a_store_of_a_trigger_is_made_by_the_commit);
    tcase_add_test(tests, a_rebuild_of_a_trigger_is_made_by_the_next_read);
    tcase_add_test(tests, a_check_of_a_trigger_answers_or_says_what_to_do);
    tcase_add_test(tests, a_command_by_itself_is_run_at_once);
    tcase_add_test(tests, a_statement_upon_another_table_of_the_views_name_is_not_its_own);
    tcase_set_timeout(tests, 120);
    return tests;
}
