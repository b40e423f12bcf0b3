/* Rule 3 again: what RETURNING reads, when a row has changed and none of our triggers has fired. */
#include "tests/rules.h"
#include "tests/slice.h"

/* What a view shows of the row's group, and what its query gives. */
#define PAIR_OF(columns, view)                                                                 \
    "(SELECT group_concat(r, '|') FROM (SELECT " columns " AS r FROM " view                    \
    " WHERE k IS t.k ORDER BY r)),"                                                            \
    " (SELECT group_concat(r, '|') FROM (SELECT " columns " AS r FROM " view                   \
    "_query WHERE k IS t.k ORDER BY r))"
#define PAIR PAIR_OF("quote(k) || n || quote(total) || quote(mean) || quote(least)", "v")
#define PAIR_OF_JOIN PAIR_OF("quote(id) || quote(k) || quote(x) || quote(other)", "w")

static const char *const returned[] = {
    PAIR, PAIR_OF_JOIN, PAIR ", " PAIR_OF_JOIN, PAIR_OF_JOIN ", " PAIR ", " PAIR};
enum { N_RETURNED = sizeof(returned) / sizeof(*returned) };

static const char *const tables[] = {
    "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE, y REAL)",
    "CREATE TABLE t(id, k TEXT, x INT PRIMARY KEY NOT NULL, y REAL CHECK (y < 50))",
    "CREATE TABLE t(id, k TEXT, x INT NOT NULL PRIMARY KEY ON CONFLICT REPLACE, y REAL)"
    " WITHOUT ROWID",
    "CREATE TABLE t(id INT, k TEXT, x INT, y REAL)",
};
enum { N_TABLES = sizeof(tables) / sizeof(*tables) };

/* Besides. */
static const char *const triggers[] = {
    "",
    "CREATE TRIGGER writes AFTER INSERT ON t BEGIN"
    " UPDATE t SET y = 7 WHERE x = new.x AND new.y > 5;"
    " INSERT INTO seen(shown) VALUES(new.x), (new.x); END",
    "CREATE TRIGGER reads AFTER INSERT ON t BEGIN"
    " INSERT INTO seen SELECT n, (SELECT n FROM v_query WHERE k IS new.k)"
    " FROM v WHERE k IS new.k; END",
    "CREATE TRIGGER early BEFORE INSERT ON t BEGIN"
    " DELETE FROM t WHERE y = -2; INSERT INTO seen(shown) VALUES(new.x); END",
    "CREATE TEMP TRIGGER writes AFTER INSERT ON t BEGIN INSERT INTO seen(shown) VALUES(1); END",
    "CREATE TRIGGER refuses AFTER INSERT ON t WHEN new.x = 12 BEGIN"
    " SELECT raise(FAIL, 'no'); END",
};
enum { N_TRIGGERS = sizeof(triggers) / sizeof(*triggers) };

static sqlite3 *with_views(int table, int trigger)
{
    sqlite3 *db = live_open(":memory:");

    /* An index that SQLite makes itself for a join it makes for a statement's first row only. */
    run(db, "%s; CREATE INDEX by_k ON t(k, x); CREATE TABLE seen(shown, due)", tables[table]);
    run(db, "INSERT INTO t(k, x, y) VALUES('a', 1, 0.5), ('b', 2, 1.25), ('a', 3, -2.0)");
    if (trigger != 2)
        run(db, "%s", triggers[trigger]);
    make_view(db, "v", "");
    run(db, "CREATE VIRTUAL TABLE w USING lockstep(SELECT a.id, a.k, a.x, b.x AS other"
            " FROM t AS a LEFT JOIN t AS b ON b.k = a.k AND b.x > a.x)");
    if (trigger == 2)
        run(db, "%s", triggers[trigger]);
    return db;
}

/* Runs a statement, which may fail, and compares what it returns in pairs. */
static int returns_right(sqlite3 *db, const char *change, const char *pairs)
{
    char *text = sqlite3_mprintf("%s RETURNING %s", change, pairs);
    sqlite3_stmt *statement;
    int rc;

    ck_assert_msg(sqlite3_prepare_v2(db, text, -1, &statement, NULL) == SQLITE_OK, "%s: %s",
        text, sqlite3_errmsg(db));
    while (sqlite3_step(statement) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(statement); i += 2) {
            const char *shown = (const char *)sqlite3_column_text(statement, i);
            const char *due = (const char *)sqlite3_column_text(statement, i + 1);

            ck_assert_msg(sqlite3_stricmp(shown, due) == 0, "%s: column %d is %s, due %s", text,
                i, shown, due);
        }
    rc = sqlite3_finalize(statement);
    sqlite3_free(text);
    return rc;
}

static const char *const changes[] = {
    "INSERT INTO t(k, x, y) VALUES('a', 10, 4), ('d', 11, 5), ('d', 12, 60)",
    "INSERT INTO t(k, x, y) VALUES('b', 13, 4)",
    "REPLACE INTO t(id, k, x, y) VALUES(1, 'b', 2, 7), (50, 's', 3, 8), (1, 'a', 3, 9)",
    "INSERT OR IGNORE INTO t(k, x, y) VALUES('i', 1, 1), ('i', 77, 2), ('a', 78, 2)",
    "INSERT OR FAIL INTO t(k, x, y) VALUES('i', 80, 1), ('a', 81, 1), ('a', 81, 80)",
    "INSERT OR ROLLBACK INTO t(k, x, y) VALUES('i', 82, 1), ('a', 82, 80)",
    "INSERT INTO main.t(k, x, y) SELECT k, x + 1000, y FROM t WHERE x < 1000",
    "WITH r(k, x) AS (SELECT k, max(x) FROM t GROUP BY k)"
    " INSERT INTO t(k, x) SELECT k, x + 2000 FROM r WHERE x < 2000",
    /* Reads elsewhere. */
    "INSERT INTO t(k, x, y) SELECT 'a', n + 3000 + total, 1 FROM v",
    "INSERT INTO t(k, x) VALUES((SELECT min(k) FROM v), (SELECT 4000 + sum(n) FROM v))",
    "INSERT INTO t(k, x) VALUES('b', 5000), ((SELECT 'a' FROM w), (SELECT 5000 + n FROM v))",
    /* May update. */
    "INSERT INTO t(k, x, y) VALUES('u', 6001, 1), ('b', 6001, 2), ('u', 6002, 3)"
    " ON CONFLICT DO UPDATE SET k = excluded.k, y = 5",
    "INSERT INTO t(k, x, y) VALUES('u', 6001, 1), ('b', 6003, 2) ON CONFLICT DO NOTHING",
    "UPDATE t SET y = y + 1, k = 'a' WHERE x < 4",
    "DELETE FROM t WHERE x > 1000",
};
enum { N_CHANGES = sizeof(changes) / sizeof(*changes) };

/* _i: the table, and what stands upon it. */
START_TEST(what_an_insert_returns_of_a_view_is_what_its_query_gives)
{
    for (int which = _i % slice_every(); which < 2 * N_RETURNED; which += slice_every()) {
        sqlite3 *db = with_views(_i % N_TABLES, _i / N_TABLES);

        run(db, "PRAGMA recursive_triggers = %d", which % 2);
        for (int i = 0; i < N_CHANGES; i++) {
            if (i % 5 == 1)
                run(db, "SAVEPOINT s");
            (void)returns_right(db, changes[i], returned[which / 2]);
            (void)returns_right(db, changes[(i * 7 + 3) % N_CHANGES], returned[which / 2]);
            if (i % 3 == 2) {
                must_be_right(db, "v");
                must_be_right(db, "w");
            }
            if (i % 5 == 4 && sqlite3_get_autocommit(db) == 0)
                run(db, which % 3 ? "RELEASE s" : "ROLLBACK TO s; RELEASE s");
        }
        must_agree(db, "SELECT count(*) FROM seen WHERE due IS NOT NULL AND shown IS NOT due",
            "SELECT 0");
        must_be_right(db, "v");
        must_be_right(db, "w");
        live_close(db);
    }
}
END_TEST

/* INSERT INTO t upon another t than the view's; a rowid that is another table's; a row whose expressions
** fail. */
START_TEST(which_row_it_was_is_not_mistaken)
{
    sqlite3 *db = with_views(0, 0);

    run(db, "CREATE TEMP TABLE t(id INTEGER PRIMARY KEY, k, x); INSERT INTO temp.t VALUES(1, "
            "'a', 5)");
    ck_assert_int_eq(
        returns_right(db, "INSERT INTO t(k, x) VALUES('a', 1), ('b', 2)", PAIR), SQLITE_OK);
    run(db, "DROP TABLE temp.t; ATTACH ':memory:' AS more;"
            "CREATE TABLE more.t(id INTEGER PRIMARY KEY, k, x); CREATE TABLE more.other(k, x)");
    ck_assert_int_eq(
        returns_right(db, "INSERT INTO more.t(k, x) VALUES('a', 1), ('b', 2)", PAIR),
        SQLITE_OK);
    run(db, "CREATE VIEW only AS SELECT k, x FROM t; CREATE TRIGGER into_only INSTEAD OF INSERT"
            " ON only BEGIN INSERT INTO t(k, x) VALUES(new.k, new.x); END");
    ck_assert_int_eq(returns_right(db, "INSERT INTO only(k, x) SELECT k, x + 9000 FROM t",
                         "(SELECT 0), (SELECT sum(n) FROM v)-(SELECT sum(n) FROM v)"),
        SQLITE_OK);
    ck_assert_int_eq(
        returns_right(db, "INSERT INTO t(id, k, x) VALUES(-1, 'a', 300)", PAIR), SQLITE_OK);
    ck_assert_int_eq(
        returns_right(db, "INSERT INTO t(k, x) VALUES('a', 301)", PAIR), SQLITE_OK);
    must_be_right(db, "v");
    must_be_right(db, "w");
    live_close(db);
}
END_TEST

/* Where main is not written nobody tells of the transaction's end. */
START_TEST(what_was_read_ahead_is_taken_back_in_another_database_too)
{
    static const char *const inserts[] = {"INSERT INTO more.t(k, x) VALUES('a', 1)",
        "INSERT INTO more.t(k, x) VALUES('a', 1), ('b', 2)",
        "REPLACE INTO more.t(id, k, x) VALUES(1, 'c', 3)",
        "BEGIN; INSERT INTO more.t(k, x) VALUES('a', 1) RETURNING (SELECT n FROM more.v);"
        "SAVEPOINT s; INSERT INTO more.t(k, x) VALUES('d', 1)"};
    sqlite3 *db = live_open(":memory:");

    run(db, "ATTACH ':memory:' AS more; CREATE TABLE more.t(id INTEGER PRIMARY KEY, k, x);"
            "CREATE VIRTUAL TABLE more.v USING lockstep("
            "SELECT k, count(*) AS n, sum(x) AS s FROM t GROUP BY k)");
    for (int i = 0; i < 4 * 3; i++) {
        run(db, "%s RETURNING (SELECT s FROM more.v WHERE v.k = t.k)", inserts[i % 4]);
        if (i % 4 == 3)
            run(db, i % 3 ? "ROLLBACK TO s; COMMIT" : "COMMIT");
        must_agree(
            db, "SELECT * FROM more.v ORDER BY k", "SELECT * FROM more.v_query ORDER BY k");
    }
    live_close(db);
}
END_TEST

/* insert_one(): inserts a row elsewhere. */
static void insert_one(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    run(sqlite3_context_db_handle(context),
        "INSERT INTO seen(rowid, shown) VALUES(1, 1)"
        " ON CONFLICT DO NOTHING; REPLACE INTO seen(rowid) VALUES(1)");
    sqlite3_result_int(context, 0);
}

START_TEST(a_function_may_insert_rows_before_the_view_is_read)
{
    static const char *const texts[] = {
        "insert_one(), insert_one(), " PAIR,
        "(SELECT x FROM calls), (SELECT 0), " PAIR,
        "(SELECT min(x) FROM computes WHERE a > t.id - 99), (SELECT 0), " PAIR,
    };

    for (int i = 0; i < 3; i++) {
        sqlite3 *db = with_views(0, 0);

        ck_assert_int_eq(sqlite3_create_function(db, "insert_one", -1,
                             SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, insert_one, NULL, NULL),
            SQLITE_OK);
        run(db,
            "CREATE TABLE computes(a, x AS (insert_one(a))); INSERT INTO computes VALUES(1)");
        run(db, "CREATE VIEW deeper AS SELECT insert_one() AS x;"
                "CREATE VIEW calls AS SELECT x FROM deeper");
        ck_assert_int_eq(
            returns_right(db, "INSERT INTO t(k, x) VALUES('a', 300), ('b', 301)", texts[i]),
            SQLITE_OK);
        must_be_right(db, "v");
        must_be_right(db, "w");
        live_close(db);
    }
}
END_TEST

/* Interrupts once, when it has been called so often. */
static int count_down(void *left)
{
    return --*(int *)left == 0;
}

START_TEST(a_commit_that_takes_in_what_was_read_ahead_heeds_no_interrupt)
{
    for (int n = 1; n < 200; n += slice_every()) {
        sqlite3 *db = with_views(0, 0);
        int left = n;

        run(db, "BEGIN");
        for (int i = 0; i < 6; i++)
            run(db, "INSERT INTO t(k, x) VALUES('a', %d) RETURNING (SELECT sum(n) FROM v)",
                20 + i);
        sqlite3_progress_handler(db, 1, count_down, &left);
        (void)sqlite3_exec(db, "COMMIT", NULL, NULL, NULL); /* is done, or not even begun */
        sqlite3_progress_handler(db, 0, NULL, NULL);
        must_agree(db, "SELECT count(*) FROM t WHERE x >= 20", "SELECT 6");
        must_be_right(db, "v");
        live_close(db);
    }
}
END_TEST

/* What a RETURNING that reads a view costs with so many rows in the table. */
static long work_with(const char *text, int n_rows, int n_times, const char *set_up)
{
    sqlite3 *db = live_open(":memory:");
    long work;

    make_table(db);
    fill(db, n_rows);
    make_view(db, "v", "");
    run(db,
        "%s; SELECT * FROM v; CREATE TABLE other(a, b);"
        "INSERT INTO other SELECT k, x FROM t LIMIT 10000",
        set_up);
    live_count_begin(db);
    for (int i = 0; i < n_times; i++)
        run(db, "%s", text);
    work = live_count_end(db);
    must_be_right(db, "v");
    live_close(db);
    return work;
}

#define TOTAL " RETURNING (SELECT total FROM v WHERE v.k = t.k)"

START_TEST(what_returning_reads_costs_what_has_changed)
{
    static const char one[] = "INSERT INTO t(k, x) VALUES('k1', 7)" TOTAL;
    static const char *const many = "INSERT INTO t(k, x) SELECT a, b FROM other" TOTAL;
    long few = work_with(one, 1000, 20, "SELECT 1");
    long same = work_with(one, 16000, 20, "SELECT 1");

    ck_assert_msg(same < 2 * few,
        "%ld hundred instructions, and %ld with 16 times as many rows", few, same);
    few = work_with(many, 1000, 1, "SELECT 1");
    same = work_with(many, 4000, 1, "SELECT 1");
    ck_assert_msg(
        same < 6 * few, "%ld hundred instructions, and %ld for 4 times as many", few, same);
}
END_TEST

/* Statements that are all that reads the view, each a transaction or in one, with a savepoint each
** or without: what the n-th costs does not depend on n. */
static const struct writer {
    const char *set_up;
    const char *text;
} writers[] = {
    {"", "INSERT INTO t(k, x) VALUES('k1', 7)" TOTAL},
    {"", "INSERT INTO t(k, x) VALUES('k1', 7), ('k2', 8)" TOTAL},
    {"CREATE TABLE noted(a, b CHECK (b IS NOT -1)); INSERT INTO noted(a) VALUES('k1'), ('k2')",
        "INSERT INTO t(k, x) VALUES('k1', 7);"
        "UPDATE noted SET b = (SELECT total FROM v WHERE k = a)"},
    {"CREATE TABLE noted(a UNIQUE, b); CREATE TRIGGER notes AFTER INSERT ON t BEGIN"
     " REPLACE INTO noted SELECT k, total FROM v WHERE k = new.k; END",
        "INSERT INTO t(k, x) VALUES('k1', 7)"},
    {"CREATE TABLE noted(a UNIQUE, b); CREATE TRIGGER notes AFTER INSERT ON t BEGIN"
     " INSERT OR IGNORE INTO noted SELECT k, total FROM v WHERE k = new.k; END",
        "SAVEPOINT s; INSERT INTO t(k, x) VALUES('k1', 7), ('k2', 7); RELEASE s"},
    {"CREATE INDEX by_x ON t(x)",
        "SAVEPOINT s; SAVEPOINT r; INSERT INTO t(k, x) VALUES('k1', 7), ('k2', 8)" TOTAL
        "; RELEASE r; RELEASE s"},
    {"", "SAVEPOINT s; INSERT INTO t(k, x) VALUES('k1', 7)" TOTAL "; ROLLBACK TO s; RELEASE s;"
         "INSERT INTO t(k, x) VALUES('k2', 7)" TOTAL},
    {"", "INSERT INTO t(k, x) VALUES('k2', 7)" TOTAL "; SAVEPOINT s; SAVEPOINT r;"
         "INSERT INTO t(k, x) VALUES('k1', 7); ROLLBACK TO r; RELEASE s"},
};
enum { N_WRITERS = sizeof(writers) / sizeof(*writers) };

START_TEST(the_last_of_many_statements_costs_no_more_than_the_first)
{
    const struct writer *writer = &writers[_i / 2];
    char *set_up =
        sqlite3_mprintf("%s; SELECT * FROM v; %s", writer->set_up, _i % 2 ? "BEGIN" : "");
    int n = slice_of(250);
    long few = work_with(writer->text, 100, n, set_up);
    long many = work_with(writer->text, 100, 4 * n, set_up);

    sqlite3_free(set_up);
    ck_assert_msg(
        many < 6 * few, "%ld hundred instructions, and %ld for 4 times as many", few, many);
}
END_TEST

TCase *rules_returning(void)
{
    TCase *tests = tcase_create("returning");

    tcase_add_loop_test(tests, what_an_insert_returns_of_a_view_is_what_its_query_gives, 0,
        N_TABLES * N_TRIGGERS);
    tcase_add_test(tests, which_row_it_was_is_not_mistaken);
    tcase_add_test(tests, what_was_read_ahead_is_taken_back_in_another_database_too);
    tcase_add_test(tests, a_function_may_insert_rows_before_the_view_is_read);
    tcase_add_test(tests, a_commit_that_takes_in_what_was_read_ahead_heeds_no_interrupt);
    tcase_add_test(tests, what_returning_reads_costs_what_has_changed);
    tcase_add_loop_test(
        tests, the_last_of_many_statements_costs_no_more_than_the_first, 0, 2 * N_WRITERS);
    tcase_set_timeout(tests, 240);
    return tests;
}
