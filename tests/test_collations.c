/* Views that compare by a collation of the user's, or show columns of one: under a collation that
** becomes another, one that is not there, and one that comes. */
#include <check.h>
#include <ctype.h>

#include "tests/live.h"
#include "tests/must.h"
#include "tests/suite.h"

static const char tables[] =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT COLLATE mine, n INT);"
    "CREATE TABLE u(k TEXT COLLATE mine UNIQUE, y); CREATE INDEX ts ON t(s);"
    "CREATE TABLE p(id INTEGER PRIMARY KEY, x TEXT);"
    "INSERT INTO t VALUES(1, 'a', 1), (2, 'B', 2), (3, 'b', 3), (4, 'C', 4), (5, '7', 5);"
    "INSERT INTO u VALUES('A', 1), ('b', 2); INSERT INTO p VALUES(1, 'a'), (2, 'B')";

/* All that compare by such a collation and are not refused. */
static const char *const queries[] = {
    "SELECT s, n FROM t WHERE s > 'b'",
    "SELECT t.n, u.y FROM t JOIN u ON t.s = u.k",
    "SELECT t.n, u.y FROM t LEFT JOIN u ON t.s = u.k",
    "SELECT max(s) AS m, min(s) AS i, count(*) AS c FROM t",
    "SELECT n FROM t WHERE s IN (SELECT k FROM u)",
    "SELECT n FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE k >= s)",
    "SELECT n, count(*) AS c FROM t WHERE s BETWEEN 'a' AND 'B' GROUP BY n",
    "SELECT count(DISTINCT s) AS c FROM t",
    "SELECT k FROM u WHERE k IN ('a', 'B')",
    "SELECT id FROM p WHERE x = 'b' COLLATE mine",
    "SELECT p.id, t.n FROM p JOIN t ON t.n = p.id WHERE p.x COLLATE \"MINE\" < 'b'",
    "SELECT s, x FROM t JOIN p USING(id)",
    "SELECT n FROM v0 WHERE s > 'B'",
    "SELECT x COLLATE mine AS x, id FROM p",
};
enum { N_VIEWS = sizeof(queries) / sizeof(*queries) };

/* The orders that "mine" has. */

static int by_letters(void *ctx, int n, const void *a, int m, const void *b)
{
    int least = n < m ? n : m, order = n - m;

    (void)ctx;
    for (int i = least - 1; i >= 0; i--) {
        int x = tolower(((const unsigned char *)a)[i]);
        int y = tolower(((const unsigned char *)b)[i]);

        if (x != y)
            order = x - y;
    }
    return order;
}

enum order { BY_BYTES, TURNED, BY_LETTERS, GONE, N_ORDERS };

static void set_order(sqlite3 *db, enum order order)
{
    int rc = order == GONE ? sqlite3_create_collation(db, "mine", SQLITE_UTF8, NULL, NULL)
                           : sqlite3_create_collation(db, "mine", SQLITE_UTF8,
                                 order == TURNED ? "turned" : NULL,
                                 order == BY_LETTERS ? by_letters : live_by_bytes);

    must(rc == SQLITE_OK);
}

static const char *path;

static sqlite3 *open_with(enum order order)
{
    sqlite3 *db = live_open(path);

    if (order != GONE)
        set_order(db, order);
    return db;
}

/* What a loop test is run for: which encoding, and when views are stored. */
static sqlite3 *make_all(int i, enum order order)
{
    sqlite3 *db;

    path = live_path();
    db = open_with(order);
    if (i % 2 == 1)
        run(db, "PRAGMA encoding = 'UTF-16'");
    run(db, "%s", tables);
    for (int j = 0; j < N_VIEWS; j++)
        run(db, "CREATE VIRTUAL TABLE v%d USING lockstep(%s%s)", j,
            i / 2 == 1 ? "maintain=commit, " : "", queries[j]);
    return db;
}

static void must_all_be_right(sqlite3 *db)
{
    char name[8];

    for (int i = 0; i < N_VIEWS; i++) {
        sqlite3_snprintf(sizeof(name), name, "v%d", i);
        must_be_right(db, name);
        run(db, "INSERT INTO %s(lockstep) VALUES('integrity-check')", name);
    }
}

static void read_all(sqlite3 *db)
{
    for (int i = 0; i < N_VIEWS; i++)
        run(db, "SELECT * FROM v%d", i);
}

START_TEST(a_collation_that_becomes_another_is_followed)
{
    sqlite3 *db = make_all(_i, BY_BYTES);

    must_all_be_right(db);
    for (int order = TURNED; order < GONE; order++) {
        set_order(db, order);
        run(db, "REINDEX");
        must_all_be_right(db);
        run(db, "UPDATE t SET s = upper(s) WHERE id %% 2 = %d", order % 2);
        run(db, "INSERT INTO t(s, n) VALUES('B', %d)", order);
        must_all_be_right(db);
    }
    live_close(db);
}
END_TEST

START_TEST(it_is_followed_in_a_transaction)
{
    sqlite3 *db = make_all(_i, BY_BYTES);

    read_all(db);
    run(db, "BEGIN; DELETE FROM t WHERE id = 2");
    read_all(db);
    set_order(db, BY_LETTERS);
    run(db, "REINDEX; INSERT INTO t VALUES(9, 'A', 9)");
    must_all_be_right(db);
    run(db, "ROLLBACK; REINDEX");
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* SQLite compiles all anew for an index as well. */
START_TEST(it_is_followed_where_the_schema_moves)
{
    sqlite3 *db = make_all(_i, BY_BYTES);

    read_all(db);
    set_order(db, BY_LETTERS);
    run(db, "DROP INDEX ts; CREATE INDEX ts ON t(s); REINDEX");
    must_all_be_right(db);
    set_order(db, BY_BYTES);
    run(db, "REINDEX; CREATE VIRTUAL TABLE w USING lockstep(index=(n), SELECT n, id FROM t)");
    must_all_be_right(db);
    run(db, "DROP TABLE w");
    live_close(db);
}
END_TEST

/* It is missed by reads meanwhile, and what comes back may be another. */
START_TEST(one_that_goes_may_come_back_as_another)
{
    sqlite3 *db = make_all(_i, BY_BYTES);

    read_all(db);
    set_order(db, GONE);
    must_say(db, "view v1: no such collation sequence: mine: ", "SELECT * FROM v1");
    must_say(db, "no such collation sequence: mine", "SELECT * FROM v0");
    set_order(db, BY_LETTERS);
    run(db, "REINDEX v1_data; REINDEX");
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* SQLite compiles all anew for them too. */
START_TEST(an_index_of_lockstep_and_a_temp_table_are_not_taken_for_it)
{
    sqlite3 *db = make_all(0, BY_BYTES);
    sqlite3_int64 token;

    read_all(db);
    run(db, "CREATE VIRTUAL TABLE w USING lockstep(index=(n),"
            " SELECT t.n, t.s FROM t JOIN p ON p.x = t.n)");
    must(number(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND"
                    " (name GLOB 'lockstep_index*' OR tbl_name = 'w_data')") > 1);
    token = number(db, "SELECT token FROM w_state");
    run(db, "SELECT * FROM w; CREATE TEMP TABLE own(a); SELECT * FROM w");
    must(number(db, "SELECT token FROM w_state") == token);
    set_order(db, BY_LETTERS);
    run(db, "SELECT * FROM w");
    must(number(db, "SELECT token FROM w_state") != token);
    live_close(db);
}
END_TEST

/* One that is not there. */

START_TEST(a_view_that_lacks_its_collation_says_so)
{
    sqlite3 *db = make_all(_i, BY_BYTES);

    live_close(db);
    db = open_with(GONE);
    must_say(db,
        "lockstep: view v0: no such collation sequence: mine: register it on this"
        " connection, or drop the view",
        "SELECT * FROM v0");
    must_say(db, "view v1: no such collation sequence: mine: register it", "SELECT * FROM v1");
    must_say(db, "view v11: no such collation sequence: mine: register it",
        "SELECT count(*) FROM v11");
    must_say(db, "view v12: view v0: no such collation sequence: mine: register it",
        "SELECT * FROM v12");
    must_say(db,
        "view v0: no such collation sequence: mine: register it on this connection, or drop the"
        " view",
        "SELECT * FROM lockstep_plan('v0')");
    must_say(db, "view v13: no such collation sequence: mine", "SELECT * FROM v13");
    run(db, "SELECT * FROM lockstep_views");
    if (_i / 2 == 0)
        run(db, "UPDATE t SET n = 9 WHERE id = 1; INSERT INTO p VALUES(7, 'b')");
    set_order(db, BY_BYTES);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* ALTER TABLE compiles all indexes of the schema, which SQLite does not do without. */
START_TEST(a_view_that_lacks_its_collation_can_be_renamed_and_dropped)
{
    sqlite3 *db = make_all(_i, BY_BYTES);

    run(db, "DROP TABLE v12");
    if (_i / 2 == 0)
        run(db, "DROP INDEX ts; DROP TABLE v8");
    live_close(db);
    db = open_with(GONE);
    if (_i / 2 == 0) {
        for (int i = 1; i < N_VIEWS; i++)
            if (i != 8 && i != 12)
                run(db, "DROP TABLE v%d", i);
        run(db, "ALTER TABLE p RENAME TO q; ALTER TABLE q RENAME TO p");
        run(db, "CREATE TABLE i(a); DROP TABLE i");
        run(db, "ALTER TABLE v0 RENAME TO w0");
        must_say(db, "view w0: no such collation sequence: mine", "SELECT * FROM w0");
        set_order(db, BY_BYTES);
        must_be_right(db, "w0");
        run(db, "INSERT INTO w0(lockstep) VALUES('integrity-check')");
        set_order(db, GONE);
        run(db, "BEGIN; DROP TABLE w0; ROLLBACK; DROP TABLE w0");
    } else {
        for (int i = 0; i < N_VIEWS; i++)
            if (i != 12)
                run(db, "DROP TABLE v%d", i);
    }
    must(number(db, "SELECT count(*) FROM sqlite_schema WHERE name GLOB 'v[0-9]*' OR name GLOB"
                    " 'lockstep*'") == 0);
    live_close(db);
}
END_TEST

/* One that comes. */

static sqlite3_stmt *prepared(sqlite3 *db, const char *text)
{
    sqlite3_stmt *statement;

    must(sqlite3_prepare_v2(db, text, -1, &statement, NULL) == SQLITE_OK);
    return statement;
}

/* A database with a view whose collation is not there, which SQLite has met. */
static sqlite3 *open_without(void)
{
    sqlite3 *db = make_all(0, BY_LETTERS);

    run(db, "CREATE TABLE i(a, b)");
    live_close(db);
    db = open_with(GONE);
    must_say(db, "no such collation", "SELECT * FROM v0");
    return db;
}

START_TEST(a_view_whose_collation_comes_compares_by_it)
{
    sqlite3 *db = open_without();
    sqlite3_stmt *statement;

    set_order(db, BY_LETTERS);
    statement = prepared(db, "SELECT n FROM v0 WHERE s = 'c'");
    must(sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_int(statement, 0) == 4);
    must(sqlite3_step(statement) == SQLITE_DONE);
    must(sqlite3_reset(statement) == SQLITE_OK);
    sqlite3_finalize(statement);
    must(number(db, "SELECT count(*) FROM v11 WHERE s = 'A'") == 1);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* What has begun can't begin again. */
START_TEST(a_statement_that_has_begun_is_to_be_run_again)
{
    sqlite3 *db = open_without();
    sqlite3_stmt *other = prepared(db, "SELECT id FROM t");

    must(sqlite3_step(other) == SQLITE_ROW);
    set_order(db, BY_LETTERS);
    must_say(db, "known from now on: run the statement again", "SELECT n FROM v0");
    must(number(db, "SELECT n FROM v0 WHERE s = 'c'") == 4);
    must(sqlite3_step(other) == SQLITE_ROW);
    sqlite3_finalize(other);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

START_TEST(what_writes_is_to_be_run_again_and_has_done_nothing)
{
    sqlite3 *db = open_without();

    set_order(db, BY_LETTERS);
    run(db, "BEGIN; PRAGMA writable_schema = ON; CREATE TEMP TABLE own(a); INSERT INTO own "
            "VALUES(7)");
    must_say(db, "run the statement again", "INSERT INTO i SELECT n, s FROM v0 WHERE s = 'c'");
    must(number(db, "PRAGMA writable_schema") == 1);
    must(number(db, "SELECT count(*) FROM i") == 0);
    run(db, "INSERT INTO i SELECT n, s FROM v0 WHERE s = 'c'");
    must(number(db, "SELECT count(*) FROM i") == 1);
    run(db, "ROLLBACK; PRAGMA writable_schema = OFF");
    must(number(db, "SELECT count(*) FROM i") == 0);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* A function that reads the view within a statement that writes. */
static void count_view(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    sqlite3 *db = sqlite3_context_db_handle(context);

    (void)argc;
    (void)argv;
    must_say(db, "where no statement that writes is running", "SELECT * FROM v0");
    sqlite3_result_int(context, 1);
}

START_TEST(a_statement_that_writes_around_keeps_its_schema)
{
    sqlite3 *db = open_without();

    set_order(db, BY_LETTERS);
    must(sqlite3_create_function(db, "counted", 0, SQLITE_UTF8, NULL, count_view, NULL, NULL) ==
         SQLITE_OK);
    run(db, "INSERT INTO i SELECT counted(), id FROM p");
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* Something that is asked for collations it has not been told of. */
static void give(void *ctx, sqlite3 *db, int encoding, const char *name)
{
    (void)ctx;
    (void)encoding;
    if (sqlite3_stricmp(name, "mine") == 0)
        set_order(db, BY_LETTERS);
}

START_TEST(a_collation_is_asked_for)
{
    sqlite3 *db = make_all(_i, BY_LETTERS);

    live_close(db);
    db = open_with(GONE);
    must(sqlite3_collation_needed(db, NULL, give) == SQLITE_OK);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* What watches is not left open. */

/* _i: whether a change has been seen, and whether it has been read since. */
START_TEST(a_database_with_such_views_is_detached_and_closed)
{
    sqlite3 *db = live_open(":memory:");
    sqlite3_stmt *statement;

    set_order(db, BY_BYTES);
    run(db,
        "ATTACH ':memory:' AS o; CREATE TABLE o.t(s TEXT COLLATE mine, n);"
        "INSERT INTO o.t VALUES('a', 1), ('c', 2); CREATE TEMP TABLE t(s TEXT COLLATE mine);"
        "CREATE VIRTUAL TABLE o.v USING lockstep(SELECT s, n FROM t WHERE s > 'b');"
        "CREATE VIRTUAL TABLE o.w USING lockstep(SELECT n FROM v WHERE s > 'b');"
        "CREATE VIRTUAL TABLE temp.x USING lockstep(SELECT s FROM t WHERE s > 'b')");
    run(db, "SELECT * FROM v, w, x");
    if (_i > 0)
        set_order(db, BY_LETTERS);
    if (_i > 1)
        run(db, "SELECT * FROM v; SELECT * FROM w; SELECT * FROM x");
    run(db, "BEGIN; DROP TABLE o.w; ROLLBACK; DROP TABLE o.w; DETACH o");
    run(db, "ATTACH ':memory:' AS o; CREATE TABLE o.t(s TEXT COLLATE mine);"
            "CREATE VIRTUAL TABLE o.v USING lockstep(SELECT s FROM t WHERE s > 'b')");
    statement = prepared(db, "SELECT * FROM v, x");
    (void)sqlite3_step(statement);
    must(sqlite3_close(db) == SQLITE_BUSY);
    (void)sqlite3_step(statement);
    run(db, "SELECT * FROM v");
    sqlite3_finalize(statement);
    live_close(db);
}
END_TEST

START_TEST(one_that_is_closed_before_its_statements_ends_with_them)
{
    sqlite3 *db = live_open(":memory:");
    sqlite3_stmt *statement;

    set_order(db, BY_BYTES);
    run(db, "CREATE TABLE t(s TEXT COLLATE mine); INSERT INTO t VALUES('c'), ('d');"
            "CREATE VIRTUAL TABLE v USING lockstep(SELECT s FROM t WHERE s > 'b')");
    statement = prepared(db, "SELECT * FROM v");
    must(sqlite3_step(statement) == SQLITE_ROW);
    must(sqlite3_close_v2(db) == SQLITE_OK);
    must(sqlite3_step(statement) == SQLITE_ROW);
    must(sqlite3_finalize(statement) == SQLITE_OK);
    must(sqlite3_memory_used() == 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("collations");
    TCase *tests = tcase_create("collations");

    tcase_add_loop_test(tests, a_collation_that_becomes_another_is_followed, 0, 4);
    tcase_add_loop_test(tests, it_is_followed_in_a_transaction, 0, 4);
    tcase_add_loop_test(tests, it_is_followed_where_the_schema_moves, 0, 4);
    tcase_add_loop_test(tests, one_that_goes_may_come_back_as_another, 0, 4);
    tcase_add_test(tests, an_index_of_lockstep_and_a_temp_table_are_not_taken_for_it);
    tcase_add_loop_test(tests, a_view_that_lacks_its_collation_says_so, 0, 4);
    tcase_add_loop_test(
        tests, a_view_that_lacks_its_collation_can_be_renamed_and_dropped, 0, 4);
    tcase_add_test(tests, a_view_whose_collation_comes_compares_by_it);
    tcase_add_test(tests, a_statement_that_has_begun_is_to_be_run_again);
    tcase_add_test(tests, what_writes_is_to_be_run_again_and_has_done_nothing);
    tcase_add_test(tests, a_statement_that_writes_around_keeps_its_schema);
    tcase_add_loop_test(tests, a_collation_is_asked_for, 0, 4);
    tcase_add_loop_test(tests, a_database_with_such_views_is_detached_and_closed, 0, 3);
    tcase_add_test(tests, one_that_is_closed_before_its_statements_ends_with_them);
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
