/* Rule 3: reads in the middle of a statement. A trigger notes what the view shows and what its
** query gives at that moment. */
#include <time.h>

#include "tests/rules.h"

/* What a trigger's body must hold to note both, of v and of a join, w. */
#define NOTE_OF(columns, view)                                                                 \
    " INSERT INTO seen SELECT (SELECT group_concat(r, '|') FROM (SELECT " columns              \
    " AS r FROM " view " ORDER BY r)), (SELECT group_concat(r, '|') FROM (SELECT " columns     \
    " AS r FROM " view "_query ORDER BY r));"
#define NOTE                                                                                   \
    NOTE_OF("quote(k) || n || quote(total) || quote(mean) || quote(least)", "v")               \
    NOTE_OF("quote(id) || quote(k) || quote(x) || quote(total)", "w")

/* v, and w that joins its table to itself and to a subquery. */
static void make_views(sqlite3 *db)
{
    make_view(db, "v", "");
    run(db, "CREATE VIRTUAL TABLE w USING lockstep(SELECT a.id, a.k, b.x, c.total FROM t AS a"
            " LEFT JOIN t AS b ON b.k = a.k AND b.x > a.x JOIN (SELECT k, sum(x) AS total"
            " FROM t GROUP BY k) AS c ON c.k IS a.k)");
}

static sqlite3 *with_table(void)
{
    sqlite3 *db = live_open(":memory:");

    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE, y REAL);"
            "INSERT INTO t(k, x, y) VALUES('a', 1, 0.5), ('b', 2, 1.25), ('a', 3, -2.0);"
            "CREATE TABLE seen(shown, due); CREATE TABLE other(id INTEGER PRIMARY KEY, a, b)");
    return db;
}

static void must_have_seen_right(sqlite3 *db, int at_least)
{
    ck_assert_int_ge(number(db, "SELECT count(*) FROM seen"), at_least);
    must_agree(db, "SELECT shown FROM seen", "SELECT due FROM seen");
    must_agree(db, "SELECT count(*) FROM seen WHERE shown IS NOT due", "SELECT 0");
    must_be_right(db, "v");
    must_be_right(db, "w");
}

static const char *const changes[] = {
    "INSERT INTO t(k, x, y) VALUES('a', 10, 4), ('d', 11, 5), ('d', 12, 6)",
    "UPDATE t SET k = 'z', x = x + 100",
    "UPDATE t SET x = -x WHERE k = 'a'",
    "UPDATE t SET id = id + 100",
    "DELETE FROM t WHERE x > 1",
    "DELETE FROM t",
    "INSERT OR REPLACE INTO t(id, k, x, y) VALUES(1, 'r', 2, 7), (50, 's', 3, 8)",
    "UPDATE OR REPLACE t SET x = x + 1",
    "INSERT OR IGNORE INTO t(k, x, y) VALUES('i', 1, 1), ('i', 77, 2)",
    "INSERT INTO t(k, x, y) VALUES('u', 1, 1) ON CONFLICT(x) DO UPDATE SET k = 'up', y = 5",
    "INSERT INTO t(k, x, y) SELECT k || '2', x + 1000, y FROM t",
    "REPLACE INTO t(id, k, x, y) SELECT id, k, x, -y FROM t",
};
enum { N_CHANGES = sizeof(changes) / sizeof(*changes) };

static const char *const times[] = {"BEFORE", "AFTER"};
static const char *const events[] = {"INSERT", "UPDATE", "DELETE"};

static void make_triggers(sqlite3 *db, const char *kind)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            run(db, "CREATE %s TRIGGER user_%s_%s %s %s ON t BEGIN" NOTE " END", kind, times[i],
                events[j], times[i], events[j]);
}

/* _i: the change; the triggers are older than the view, or newer, or TEMP, with
** recursive_triggers off or on, within a transaction or not. */
START_TEST(a_trigger_that_reads_the_view_sees_what_the_query_gives)
{
    for (int which = 0; which < 12; which++) {
        sqlite3 *db = with_table();
        int kind = which % 3;

        run(db, "PRAGMA recursive_triggers = %d", which / 3 % 2);
        if (kind == 0) {
            /* The view must be there for the trigger's text to be run, not for its making. */
            make_triggers(db, "");
            make_views(db);
        } else {
            make_views(db);
            make_triggers(db, kind == 1 ? "" : "TEMP");
        }
        if (which / 6 == 1)
            run(db, "BEGIN; INSERT INTO t(k, x, y) VALUES('before', 500, 0)");
        run(db, "%s", changes[_i]);
        must_have_seen_right(db, 1);
        run(db, "%s", changes[(_i + 5) % N_CHANGES]);
        must_have_seen_right(db, 1);
        if (which / 6 == 1)
            run(db, which % 2 ? "COMMIT" : "ROLLBACK");
        must_be_right(db, "v");
        live_close(db);
    }
}
END_TEST

START_TEST(the_body_of_returning_may_read_the_view)
{
    sqlite3 *db = with_table();

    make_view(db, "v", "");
    for (int i = 0; i < N_CHANGES; i++) {
        sqlite3_stmt *statement;
        char *sql = sqlite3_mprintf(
            "%s RETURNING (SELECT sum(n) FROM v), (SELECT sum(n) FROM v_query)", changes[i]);

        ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
        while (sqlite3_step(statement) == SQLITE_ROW)
            ck_assert_int_eq(
                sqlite3_column_int(statement, 0), sqlite3_column_int(statement, 1));
        ck_assert_int_eq(sqlite3_finalize(statement), SQLITE_OK);
        sqlite3_free(sql);
        must_be_right(db, "v");
    }
    live_close(db);
}
END_TEST

START_TEST(another_statement_may_read_the_view_while_returning_gives_rows)
{
    sqlite3 *db = with_table();
    sqlite3_stmt *statement;

    make_view(db, "v", "");
    ck_assert_int_eq(
        sqlite3_prepare_v2(db, "UPDATE t SET x = x + 50 RETURNING id", -1, &statement, NULL),
        SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW)
        must_be_right(db, "v");
    ck_assert_int_eq(sqlite3_finalize(statement), SQLITE_OK);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

START_TEST(a_view_is_a_source_of_an_insert)
{
    sqlite3 *db = with_table();

    make_view(db, "v", "");
    run(db, "UPDATE t SET x = x + 1000; CREATE TABLE copy(k, n, total, mean, least);"
            "INSERT INTO copy SELECT * FROM v");
    must_agree(db, "SELECT * FROM copy", "SELECT * FROM v_query");
    run(db, "INSERT INTO t(k, x, y) SELECT k, -total, mean FROM v");
    must_be_right(db, "v");
    run(db, "BEGIN; INSERT INTO t(k, x, y) SELECT k, 9999 + n * 1000 + total, mean FROM v;"
            "DELETE FROM copy; INSERT INTO copy SELECT * FROM v");
    must_agree(db, "SELECT * FROM copy", "SELECT * FROM v_query");
    run(db, "ROLLBACK");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* The base table itself is changed by what the view shows meanwhile. */
START_TEST(an_update_of_the_base_table_may_read_its_view)
{
    sqlite3 *db = with_table();
    sqlite3 *plain = with_table();

    make_view(db, "v", "");
    make_view(plain, "v", "");
    for (int i = 0; i < 4; i++) {
        static const char *const texts[] = {
            "UPDATE t SET y = (SELECT total FROM %s WHERE k = t.k), k = 'n' || id",
            "UPDATE t SET x = 100 * id + (SELECT sum(n) FROM %s WHERE k <> t.k)",
            "DELETE FROM t WHERE id IN (SELECT min(n) FROM %s)",
            "INSERT INTO t(k, x) SELECT k, 1000 * id + n FROM t, (SELECT sum(n) AS n FROM %s)",
        };

        run(db, texts[i], "v");
        run(plain, texts[i], "v_query");
        must_be_right(db, "v");
        for (int j = 0; j < 2; j++) {
            sqlite3 *at = j == 0 ? db : plain;
            char *has = rows(at, "SELECT * FROM t"), *should = rows(plain, "SELECT * FROM t");

            ck_assert_str_eq(has, should);
            sqlite3_free(has);
            sqlite3_free(should);
        }
    }
    live_close(db);
    live_close(plain);
}
END_TEST

/* SQLite carries out a foreign key's action before the parent row's AFTER triggers. */
START_TEST(a_trigger_of_a_child_row_sees_the_parent_row_gone)
{
    static const char *const texts[] = {
        "DELETE FROM t WHERE k = 'a'",
        "UPDATE t SET id = id + 100, k = 'moved'",
        "INSERT OR REPLACE INTO t(id, k, x, y) VALUES(1, 'new', 2, 0)",
    };

    for (int is_on = 0; is_on < 2; is_on++) {
        sqlite3 *db = with_table();

        run(db,
            "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = %d;"
            "CREATE TABLE child(id INTEGER PRIMARY KEY,"
            " t REFERENCES t(id) ON DELETE CASCADE ON UPDATE CASCADE);"
            "INSERT INTO child(t) VALUES(1), (2), (3), (1);"
            "CREATE TRIGGER child_gone AFTER DELETE ON child BEGIN" NOTE " END;"
            "CREATE TRIGGER child_moved AFTER UPDATE ON child BEGIN" NOTE " END;",
            is_on);
        make_views(db);
        run(db, "%s", texts[_i]);
        must_have_seen_right(db, 1);
        live_close(db);
    }
}
END_TEST

/* A rowid in VALUES and DO UPDATE SET are computed behind BEFORE triggers, when rows that the
** change is about to displace are still there; what comes later in the same statement must see
** them gone. */
START_TEST(what_is_read_within_a_change_is_looked_at_again_behind_it)
{
    static const char *const texts[] = {
        "REPLACE INTO t(id, k, x, y) VALUES((SELECT 1 + 0 * sum(n) FROM v), 'r', 2, 7)",
        "REPLACE INTO t(id, k, x, y) VALUES((SELECT count(*) + sum(n) FROM v), 'r', 2, 7)",
        "INSERT OR IGNORE INTO t(id, k, x) VALUES((SELECT 0 * sum(n) FROM v), 'i', 3)",
        "INSERT OR REPLACE INTO t(id, k, x) VALUES(1, 'u', 2)"
        " ON CONFLICT(x) DO UPDATE SET y = (SELECT sum(n) FROM v), k = 'up'",
        "INSERT INTO t(k, x) VALUES('u', 1), ('u', 3), ('u', 70)"
        " ON CONFLICT(x) DO UPDATE SET y = x + 50 * (SELECT count(*) FROM v), k = 'up'",
        "INSERT INTO strict_t(id, u) VALUES(1, 2) ON CONFLICT(id) DO UPDATE"
        " SET n = excluded.u + 0 * (SELECT count(*) + total(n) FROM s)",
        "UPDATE strict_t SET u = u + 1 + 0 * (SELECT count(*) + total(n) FROM s)",
        "UPDATE OR IGNORE strict_t SET id = id + 1, u = 3 + 0 * (SELECT sum(n) FROM s)",
        "REPLACE INTO strict_t(id, u) VALUES((SELECT 1 + 0 * count(*) FROM s), 3)",
    };

    for (int i = 0; i < 4; i++) {
        sqlite3 *db = with_table();

        run(db,
            "PRAGMA recursive_triggers = %d;"
            "CREATE TABLE strict_t(id INTEGER PRIMARY KEY, u UNIQUE ON CONFLICT REPLACE, n);"
            "INSERT INTO strict_t VALUES(1, 1, 10), (2, 2, 20), (3, 3, 30), (4, 4, 40)",
            i / 2);
        if (i % 2 == 0)
            run(db, "CREATE TRIGGER behind_i AFTER INSERT ON t BEGIN" NOTE " END;"
                    "CREATE TRIGGER behind_u AFTER UPDATE ON strict_t BEGIN" NOTE " END");
        make_views(db);
        run(db,
            "CREATE VIRTUAL TABLE s USING lockstep(SELECT id, n FROM strict_t);"
            "CREATE TRIGGER run AFTER INSERT ON other BEGIN SELECT * FROM v, s; %s;" NOTE
                NOTE_OF("quote(id) || quote(n)", "s") " %s;" NOTE NOTE_OF(
                    "quote(id) || quote(n)", "s") " END",
            texts[_i], texts[(_i + 3 * i + 1) % 9]);
        run(db, "INSERT INTO other(a) VALUES(1), (2), (3)");
        must_have_seen_right(db, 6);
        must_be_right(db, "s");
        live_close(db);
    }
}
END_TEST

START_TEST(a_statement_that_fails_after_reading_the_view_leaves_it_right)
{
    sqlite3 *db = with_table();

    run(db, "CREATE TRIGGER user_insert AFTER INSERT ON t BEGIN" NOTE
            " SELECT raise(ABORT, 'enough') WHERE new.x = 12; END");
    make_views(db);
    ck_assert_int_ne(attempt(db, changes[0]), SQLITE_OK);
    must_be_right(db, "v");
    must_be_right(db, "w");
    run(db, "BEGIN; UPDATE t SET y = y + 1");
    ck_assert_int_ne(attempt(db, changes[0]), SQLITE_OK);
    must_be_right(db, "v");
    must_be_right(db, "w");
    ck_assert_int_ne(
        attempt(db, "INSERT OR FAIL INTO t(k, x, y) VALUES('f', 20, 0), ('f', 1, 0)"),
        SQLITE_OK);
    must_be_right(db, "v");
    must_be_right(db, "w");
    run(db, "COMMIT");
    must_be_right(db, "v");
    must_be_right(db, "w");
    live_close(db);
}
END_TEST

static const char *const correlated[] = {
    /* The view's own table stands still. */
    "UPDATE other SET b = (SELECT total FROM v WHERE k = other.a)",
    /* Each row read logs one more. */
    "UPDATE t SET y = (SELECT n FROM v WHERE k = t.k)",
    /* Rows are displaced, or might be. */
    "REPLACE INTO t(id, k, y) SELECT id, a, (SELECT n FROM v WHERE k = other.a) FROM other",
    "INSERT OR IGNORE INTO t(id, y) SELECT id, (SELECT n FROM v WHERE k = other.a) FROM other",
    "INSERT INTO t(id, k) SELECT id, a FROM other WHERE true"
    " ON CONFLICT(id) DO UPDATE SET y = (SELECT n FROM v WHERE k = t.k)",
};
enum { N_CORRELATED = sizeof(correlated) / sizeof(*correlated) };

/* What a table mostly has besides. */
static const char *const surroundings[] = {
    "",
    "CREATE TABLE child(id INTEGER PRIMARY KEY, t REFERENCES t(id) ON DELETE CASCADE);"
    "CREATE TABLE grandchild(c REFERENCES child(id) ON DELETE SET NULL ON UPDATE CASCADE);"
    "PRAGMA foreign_keys = ON;",
    "CREATE TRIGGER least BEFORE UPDATE ON t BEGIN SELECT raise(ABORT, 'too little')"
    " WHERE new.x < 0; END;"
    "CREATE TRIGGER least_new BEFORE INSERT ON t BEGIN SELECT raise(ABORT, 'too little')"
    " WHERE new.x < 0; END;",
    "CREATE TRIGGER noted AFTER UPDATE ON t BEGIN UPDATE noted SET n = n + 1; END;"
    "CREATE TABLE noted(n); INSERT INTO noted VALUES(0);",
    "CREATE TABLE noted(n); INSERT INTO noted VALUES(0);"
    "CREATE TEMP TRIGGER noted AFTER UPDATE ON t BEGIN UPDATE noted SET n = n + 1; END;",
};
enum { N_SURROUNDINGS = sizeof(surroundings) / sizeof(*surroundings) };

/* Of one of the statements, with changes pending and a large transaction open. */
static long work_of(int which, const char *surrounding, int n, bool is_pending, double *seconds)
{
    sqlite3 *db = live_open(":memory:");
    clock_t begun;
    long work;

    run(db, "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT, y REAL);"
            "CREATE TABLE other(id INTEGER PRIMARY KEY, a, b)");
    run(db, "%s", surrounding);
    if (!is_pending)
        fill(db, n);
    make_view(db, "v", "");
    run(db, "BEGIN");
    if (is_pending)
        fill(db, n);
    run(db, "INSERT INTO other(a) SELECT k FROM t; SELECT * FROM v");
    live_count_begin(db);
    begun = clock();
    run(db, "%s", correlated[which]);
    *seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    work = live_count_end(db);
    must_be_right(db, "v");
    run(db, "COMMIT");
    must_be_right(db, "v");
    live_close(db);
    return work;
}

START_TEST(ten_thousand_reads_within_one_statement_are_not_quadratic)
{
    double small, large;
    int which = _i / 2 % N_CORRELATED;
    const char *surrounding = surroundings[_i / 2 / N_CORRELATED];
    bool is_pending = _i % 2 == 1;
    long few = work_of(which, surrounding, 2500, is_pending, &small);
    long many = work_of(which, surrounding, 10000, is_pending, &large);

    ck_assert_msg(
        many < 6 * few, "%ld hundred instructions, and %ld for four times as many", few, many);
    ck_assert_msg(large < 0.2 || large < 10 * small, "%g s, and %g s for four times as many",
        small, large);
}
END_TEST

static long work_of_text(const char *text)
{
    sqlite3 *db = live_open(":memory:");
    long work;

    make_table(db);
    fill(db, 1000);
    run(db, "CREATE TRIGGER touches BEFORE UPDATE ON t BEGIN"
            " UPDATE t SET x = x WHERE id = -1; END");
    make_view(db, "v", "");
    run(db, "SELECT * FROM v");
    live_count_begin(db);
    run(db, "%s", text);
    work = live_count_end(db);
    must_be_right(db, "v");
    live_close(db);
    return work;
}

/* A trigger that writes to its own table may look where rows are about to vanish. */
START_TEST(what_is_taken_in_anew_at_each_read_costs_no_more_than_the_query)
{
    long of_query = work_of_text("UPDATE t SET y = (SELECT n FROM v_query WHERE k = t.k)");
    long of_view = work_of_text("UPDATE t SET y = (SELECT n FROM v WHERE k = t.k)");

    ck_assert_msg(of_view < 2 * of_query, "%ld hundred instructions, and by the query %ld",
        of_view, of_query);
}
END_TEST

TCase *rules_moments(void)
{
    TCase *tests = tcase_create("moments");

    tcase_add_loop_test(
        tests, a_trigger_that_reads_the_view_sees_what_the_query_gives, 0, N_CHANGES);
    tcase_add_test(tests, the_body_of_returning_may_read_the_view);
    tcase_add_test(tests, another_statement_may_read_the_view_while_returning_gives_rows);
    tcase_add_test(tests, a_view_is_a_source_of_an_insert);
    tcase_add_test(tests, an_update_of_the_base_table_may_read_its_view);
    tcase_add_loop_test(tests, a_trigger_of_a_child_row_sees_the_parent_row_gone, 0, 3);
    tcase_add_test(tests, a_statement_that_fails_after_reading_the_view_leaves_it_right);
    tcase_add_loop_test(tests, what_is_read_within_a_change_is_looked_at_again_behind_it, 0, 9);
    tcase_add_loop_test(tests, ten_thousand_reads_within_one_statement_are_not_quadratic, 0,
        2 * N_CORRELATED * N_SURROUNDINGS);
    tcase_add_test(tests, what_is_taken_in_anew_at_each_read_costs_no_more_than_the_query);
    tcase_set_timeout(tests, 240);
    return tests;
}
