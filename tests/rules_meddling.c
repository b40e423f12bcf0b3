/* Rule 6 where something of the user's changes rows while another row of the table changes. */
#include "tests/rules.h"

/* The user's triggers that make OLD and NEW stale, or keep ours from firing. */
static const char *const meddlers[] = {
    "CREATE TRIGGER m BEFORE UPDATE ON t BEGIN UPDATE t SET y = 100 WHERE id = old.id; END",
    "CREATE TRIGGER m BEFORE UPDATE ON t BEGIN DELETE FROM t WHERE id = old.id + 1; END",
    "CREATE TRIGGER m BEFORE DELETE ON t BEGIN UPDATE t SET x = 1000 WHERE id = old.id; END",
    "CREATE TRIGGER m BEFORE DELETE ON t BEGIN DELETE FROM t WHERE id = old.id; END",
    "CREATE TRIGGER m BEFORE INSERT ON t BEGIN DELETE FROM t WHERE k = new.k; END",
    "CREATE TRIGGER m BEFORE INSERT ON t BEGIN SELECT raise(IGNORE) WHERE new.x > 2; END",
    "CREATE TRIGGER m AFTER INSERT ON t BEGIN SELECT raise(IGNORE) WHERE new.x > 2; END",
    "CREATE TRIGGER m AFTER INSERT ON t BEGIN SELECT raise(FAIL, 'stop') WHERE new.x > 2; END",
    "CREATE TRIGGER m AFTER UPDATE ON t BEGIN SELECT raise(FAIL, 'stop') WHERE new.id > 2; END",
    "CREATE TRIGGER m AFTER UPDATE ON t BEGIN SELECT raise(IGNORE); END",
    "CREATE TRIGGER m AFTER DELETE ON t BEGIN SELECT raise(IGNORE); END",
    "CREATE TRIGGER m AFTER DELETE ON t BEGIN SELECT raise(FAIL, 'stop'); END",
    "CREATE TRIGGER m AFTER UPDATE OF x ON t WHEN new.y < 50 BEGIN"
    " UPDATE t SET y = y + 20 WHERE id = new.id; END",
    "CREATE TRIGGER m AFTER INSERT ON t BEGIN UPDATE t SET k = k || '!' WHERE id = new.id; END",
    "CREATE TRIGGER m AFTER DELETE ON t WHEN old.x < 5 BEGIN INSERT INTO t(id, k, x)"
    " VALUES(old.id, 'back', 5); END",
};
enum { N_MEDDLERS = sizeof(meddlers) / sizeof(*meddlers) };

/* Beside a view v of one table: a join, a subquery that groups, the first rows by an order. */
static const char *const others[] = {
    "CREATE VIRTUAL TABLE j USING lockstep(SELECT t.id, t.k, t.x, s.y AS near FROM t"
    " LEFT JOIN t AS s ON s.id = t.x)",
    "CREATE VIRTUAL TABLE g USING lockstep(SELECT id, x FROM t WHERE k IN"
    " (SELECT k FROM t GROUP BY k HAVING count(*) > 1))",
    "CREATE VIRTUAL TABLE top USING lockstep(SELECT id, x, y FROM t ORDER BY x DESC, id LIMIT "
    "3)",
};

static void must_all_be_right(sqlite3 *db)
{
    must_be_right(db, "v");
    must_be_right(db, "j");
    must_be_right(db, "g");
    must_be_right(db, "top");
}

static void make_views(sqlite3 *db)
{
    make_view(db, "v", "");
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        run(db, "%s", others[i]);
}

/* _i / 4: the trigger; older or newer than the view; TEMP or not. */
START_TEST(triggers_of_the_user_that_meddle_lose_nothing)
{
    static const char *const statements[] = {
        "INSERT INTO t(k, x, y) VALUES('p', 1, 1), ('q', 5, 2), ('p', 3, 3)",
        "UPDATE t SET x = x + 1",
        "UPDATE OR FAIL t SET k = k || '+'",
        "INSERT OR REPLACE INTO t(id, k, x, y) VALUES(1, 'r', 9, 9), (2, 's', 1, 1)",
        "INSERT OR FAIL INTO t(k, x, y) VALUES('f', 2, 2), ('f', 8, 2), ('f', 1, 1)",
        "DELETE FROM t WHERE id IN (1, 3)",
        "DELETE FROM t",
    };
    sqlite3 *db = live_open(":memory:");
    const char *trigger = meddlers[_i / 4];
    bool is_newer = _i & 1, is_temp = (_i & 2) != 0;

    make_table(db);
    if (is_newer)
        make_views(db);
    run(db, "CREATE %s %s", is_temp ? "TEMP" : "", trigger + sizeof("CREATE"));
    if (!is_newer)
        make_views(db);
    for (int round = 0; round < 3; round++) {
        run(db, "PRAGMA recursive_triggers = %d", round == 2);
        for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
            (void)attempt(db, statements[i]);
            if (round != 1)
                must_all_be_right(db);
        }
        must_all_be_right(db);
    }
    live_close(db);
}
END_TEST

/* What stands in a row's way only since, or takes it there only then: a BEFORE trigger, or an
** action of a foreign key, puts it there after ours have looked. */
enum { MAX_STATEMENTS = 6 };

static const struct {
    const char *table;
    const char *trigger; /* without CREATE */
    const char *statements[MAX_STATEMENTS];
} cases[] = {
    /* It inserts the row that is displaced: found by the rowid, a unique index, another key. */
    {"CREATE TABLE t(k TEXT, x INT, w REAL UNIQUE ON CONFLICT IGNORE)",
        "TRIGGER m BEFORE INSERT ON t WHEN new.x IS NULL BEGIN"
        " INSERT OR IGNORE INTO t VALUES('m', 2, 0.0); END",
        {"INSERT OR REPLACE INTO t(k, w) VALUES('o', 0.0)",
            "REPLACE INTO t(k, w) VALUES('p', 0.0), ('q', 1.0), ('r', 0.0)", "DELETE FROM t"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT)",
        "TRIGGER m BEFORE INSERT ON t WHEN new.k > 'm' BEGIN"
        " INSERT INTO t VALUES(new.id + 1 - 1, 'm'); END",
        {"REPLACE INTO t VALUES(1, 'p')", "REPLACE INTO t VALUES(1, 'q'), (2, 'a'), (2, 'r')"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, k INT NOT NULL UNIQUE ON CONFLICT REPLACE, x INT)",
        "TRIGGER m BEFORE INSERT ON t WHEN new.x > 5 BEGIN"
        " INSERT OR IGNORE INTO t(k, x) VALUES(-3, 0), (2, 1), (NULL, 2); END",
        {"REPLACE INTO t VALUES(3, 2, 9)", "INSERT INTO t VALUES(7, -3, 8)",
            "INSERT INTO t(k, x) VALUES(2, 7)"}},
    {"CREATE TABLE t(k TEXT NOT NULL, x INT, UNIQUE(k), UNIQUE(x))",
        "TRIGGER m BEFORE INSERT ON t WHEN new.x > 5 BEGIN"
        " REPLACE INTO t VALUES('m', new.x); END",
        {"REPLACE INTO t VALUES('a', 6)", "REPLACE INTO t VALUES('b', 6), ('m', 7)"}},
    {"CREATE TABLE t(k TEXT PRIMARY KEY, x INT UNIQUE) WITHOUT ROWID",
        "TRIGGER m BEFORE UPDATE ON t WHEN new.x > 5 BEGIN"
        " INSERT INTO t VALUES('m' || new.x, new.x); END",
        {"INSERT INTO t VALUES('a', 1), ('b', 2)",
            "UPDATE OR REPLACE t SET x = 6 WHERE k = 'a'",
            "UPDATE OR REPLACE t SET x = x + 10"}},
    {"CREATE TABLE t(k TEXT, x INT UNIQUE)",
        "TRIGGER m BEFORE UPDATE ON t BEGIN INSERT OR IGNORE INTO t VALUES('m', 9); END",
        {"INSERT INTO t VALUES('a', 1), ('b', 2)",
            "UPDATE OR REPLACE t SET x = 9 WHERE k = 'b'",
            "UPDATE OR REPLACE t SET x = 10 - x"}},
    /* It moves another row there. */
    {"CREATE TABLE t(k TEXT, x INT UNIQUE)",
        "TRIGGER m BEFORE INSERT ON t BEGIN UPDATE OR REPLACE t SET x = new.x WHERE k = 'a'; "
        "END",
        {"INSERT INTO t VALUES('a', 1), ('b', 2)", "REPLACE INTO t VALUES('c', 5)",
            "INSERT INTO t VALUES('a', 1)", "REPLACE INTO t VALUES('d', 2)"}},
    /* It changes the very row that is being updated: by an index over columns of both. */
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b INT, UNIQUE(a, b))",
        "TRIGGER m BEFORE UPDATE OF a ON t BEGIN UPDATE t SET b = 2 WHERE id = old.id; END",
        {"INSERT INTO t VALUES(1, 1, 1), (2, 5, 2), (3, 4, 4)",
            "UPDATE OR REPLACE t SET a = 5 WHERE id = 1", "UPDATE OR REPLACE t SET a = 5"}},
    {"CREATE TABLE t(a INT, b INT, c INT, PRIMARY KEY(a, b)) WITHOUT ROWID",
        "TRIGGER m BEFORE UPDATE OF a ON t BEGIN UPDATE t SET b = 2 WHERE c = old.c; END",
        {"INSERT INTO t VALUES(1, 1, 1), (5, 2, 2), (4, 4, 4)",
            "UPDATE OR REPLACE t SET a = 5 WHERE c = 1", "UPDATE OR REPLACE t SET a = 5"}},
    {"CREATE TABLE t(k TEXT, a INT, live INT); CREATE UNIQUE INDEX u ON t(a) WHERE live",
        "TRIGGER m BEFORE UPDATE OF a ON t BEGIN UPDATE t SET live = 1 WHERE k = old.k; END",
        {"INSERT INTO t VALUES('a', 1, 0), ('b', 2, 1), ('c', 2, 0)",
            "UPDATE OR REPLACE t SET a = 2 WHERE k = 'a'", "UPDATE OR REPLACE t SET a = 2"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT, g AS (a || b) UNIQUE)",
        "TRIGGER m BEFORE UPDATE OF a ON t BEGIN UPDATE t SET b = 'z' WHERE id = old.id; END",
        {"INSERT INTO t VALUES(1, 'p', 'q'), (2, 'r', 'z'), (3, 's', 't')",
            "UPDATE OR REPLACE t SET a = 'r' WHERE id = 1", "UPDATE OR REPLACE t SET a = 'y'"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b TEXT);"
     "CREATE UNIQUE INDEX u ON t(lower(a || b))",
        "TRIGGER m BEFORE UPDATE OF a ON t BEGIN UPDATE t SET b = 'z' WHERE id = old.id; END",
        {"INSERT INTO t VALUES(1, 'p', 'q'), (2, 'R', 'Z'), (3, 's', 't')",
            "UPDATE OR REPLACE t SET a = 'r' WHERE id = 1", "UPDATE OR REPLACE t SET a = 'y'"}},
    /* And where the AFTER triggers are skipped besides. */
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b INT, UNIQUE(a, b));"
     "CREATE TEMP TRIGGER i AFTER UPDATE ON t WHEN new.a = 5 BEGIN SELECT raise(IGNORE); END",
        "TRIGGER m BEFORE UPDATE OF a ON t BEGIN UPDATE t SET b = 2 WHERE id = old.id; END",
        {"INSERT INTO t VALUES(1, 1, 1), (2, 5, 2), (3, 4, 4)",
            "UPDATE OR REPLACE t SET a = 5 WHERE id = 1",
            "UPDATE OR REPLACE t SET a = 7 WHERE id = 1"}},
    /* The actions of foreign keys, and what they set off. */
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, p INT REFERENCES t ON DELETE SET NULL);"
     "CREATE UNIQUE INDEX u ON t(k) WHERE p IS NULL",
        NULL,
        {"INSERT INTO t VALUES(1, 'r', NULL), (2, 'a', 1), (3, 'b', 1)",
            "REPLACE INTO t VALUES(1, 'a', NULL)", "REPLACE INTO t VALUES(3, 'a', NULL)"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT UNIQUE);"
     "CREATE TABLE c(p INT REFERENCES t ON DELETE CASCADE); CREATE TABLE d(x INT);"
     "CREATE TRIGGER d AFTER INSERT ON d BEGIN UPDATE OR IGNORE t SET k = 'm' WHERE id = new.x;"
     " END",
        "TRIGGER m AFTER DELETE ON c BEGIN INSERT INTO d VALUES(old.p + 1); END",
        {"INSERT INTO t VALUES(1, 'a'), (2, 'b'), (3, 'c')", "INSERT INTO c VALUES(1), (2)",
            "REPLACE INTO t VALUES(1, 'm')", "REPLACE INTO t VALUES(2, 'm')"}},
};
enum { N_CASES = sizeof(cases) / sizeof(*cases) };

/* _i / 16: the case; the trigger older or newer than the view, TEMP or not; whether every
** statement is read; recursive triggers. */
START_TEST(what_is_put_in_a_rows_way_is_seen_to_vanish)
{
    const char *trigger = cases[_i / 16].trigger;
    bool is_newer = _i & 1, is_temp = (_i & 2) != 0, reads_each = (_i & 4) != 0;
    sqlite3 *db = live_open(":memory:");

    run(db,
        "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = %d; %s;"
        "CREATE TABLE one(x); INSERT INTO one VALUES(1)",
        (_i & 8) != 0, cases[_i / 16].table);
    for (int i = 0; i < 2; i++) {
        if (i == is_newer && trigger != NULL)
            run(db, "CREATE %s %s", is_temp ? "TEMP" : "", trigger);
        else if (i != is_newer)
            run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM t);"
                    "CREATE VIRTUAL TABLE n USING lockstep(SELECT count(*) AS n FROM t);"
                    "CREATE VIRTUAL TABLE j USING lockstep("
                    "SELECT a.*, (SELECT count(*) FROM t) AS n FROM t AS a LEFT JOIN one ON "
                    "one.x = 1)");
    }
    must_be_right(db, "v"); /* and our triggers are newer now */
    for (int i = 0; i < MAX_STATEMENTS && cases[_i / 16].statements[i] != NULL; i++) {
        (void)attempt(db, cases[_i / 16].statements[i]);
        if (reads_each)
            must_be_right(db, i % 2 == 0 ? "v" : "j");
    }
    must_be_right(db, "v");
    must_be_right(db, "n");
    must_be_right(db, "j");
    live_close(db);
}
END_TEST

/* The usual triggers must not make a view anew at each change: those that note when a row
** changed, beside an index over several columns. */
START_TEST(a_trigger_that_changes_other_columns_costs_no_rebuild)
{
    sqlite3 *db = live_open(":memory:");
    long few, many;

    run(db,
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b INT, mtime INT DEFAULT 0,"
        " UNIQUE(a, b));"
        "CREATE TRIGGER m BEFORE UPDATE OF a ON t BEGIN"
        " UPDATE t SET mtime = mtime + 1 WHERE id = old.id; END;"
        "CREATE VIRTUAL TABLE v USING lockstep(SELECT sum(a) AS s, max(mtime) AS m FROM t)");
    for (int i = 0; i < 2; i++) {
        run(db,
            "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < %d)"
            " INSERT INTO t(a, b) SELECT i, i %% 10 FROM c",
            i == 0 ? 100 : 2000);
        run(db, "INSERT INTO v(lockstep) VALUES('store'); SELECT * FROM v");
        live_count_begin(db);
        run(db, "UPDATE OR REPLACE t SET a = -a WHERE id = 50; SELECT * FROM v");
        many = live_count_end(db);
        few = i == 0 ? many : few;
        must_be_right(db, "v");
        if (i == 0)
            run(db, "DELETE FROM t");
    }
    ck_assert_int_lt(many, few * 2 + 5);
    live_close(db);
}
END_TEST

/* Once its connection has read a view: another one does not see it, and makes capture no less wary
** by making views. */
START_TEST(a_temp_trigger_is_reckoned_with_by_connections_that_do_not_have_it)
{
    const char *path = live_path();
    sqlite3 *db = live_open(path), *other = live_open(path);

    make_table(db);
    make_view(db, "v", "");
    run(db, "CREATE TEMP TRIGGER i AFTER INSERT ON t WHEN new.x > 5 BEGIN SELECT "
            "raise(IGNORE); END");
    run(db, "INSERT INTO t(k, x, y) VALUES('a', 1, 1); SELECT * FROM v");
    run(db, "INSERT INTO t(k, x, y) VALUES('a', 10, 1)");
    must_be_right(other, "v");
    run(other, "INSERT INTO v(lockstep) VALUES('rebuild')");
    run(db, "INSERT INTO t(k, x, y) VALUES('b', 20, 1)");
    must_be_right(other, "v");
    make_view(other, "w", "");
    run(other, "CREATE VIRTUAL TABLE more USING lockstep(SELECT * FROM t)");
    run(db, "INSERT INTO t(k, x, y) VALUES('c', 30, 1)");
    must_be_right(other, "v");
    must_be_right(other, "w");
    must_be_right(other, "more");
    live_close(other);
    live_close(db);
    live_clean();
}
END_TEST

/* SQL function: changes the row that is being changed. */
static void meddle(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    sqlite3 *db = sqlite3_context_db_handle(context);

    (void)argc;
    (void)argv;
    run(db, "UPDATE t SET x = x + 100 WHERE id = 1 AND x < 500");
    sqlite3_result_int(context, 1);
}

/* Tables that a trigger of the user's writes to, and which call it. */
static const char *const callers[] = {
    "CREATE TABLE audit(a VARCHAR(10), CHECK(meddle(a)))",
    "CREATE TABLE audit(a, b DEFAULT(meddle(0)))",
    "CREATE TABLE audit(a); CREATE INDEX i ON audit(a) WHERE meddle(a)",
    "CREATE TABLE audit(a); CREATE INDEX i ON audit(meddle(a))",
};
enum { N_CALLERS = sizeof(callers) / sizeof(*callers) };

START_TEST(a_function_that_a_trigger_calls_by_a_table_may_change_rows)
{
    sqlite3 *db = live_open(":memory:");
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;

    ck_assert_int_eq(
        sqlite3_create_function(db, "meddle", 1, flags, NULL, meddle, NULL, NULL), SQLITE_OK);
    make_table(db);
    run(db, "%s", callers[_i]);
    run(db, "CREATE TRIGGER m BEFORE UPDATE ON t WHEN new.x < 50 BEGIN"
            " INSERT INTO audit(a) VALUES(new.id); END");
    make_view(db, "v", "");
    run(db, "UPDATE t SET x = 7");
    must_be_right(db, "v");
    run(db, "UPDATE t SET x = 8 WHERE id = 1");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* A RAISE there leaves the parent row changed, and keeps our AFTER trigger from firing. */
START_TEST(a_trigger_of_a_child_row_may_end_the_statement)
{
    static const char *const kinds[] = {"", "TEMP"};
    static const char *const raised[] = {
        "FAIL, 'enough'", "IGNORE", "ABORT, 'enough'", "ROLLBACK, 'enough'"};
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    run(db,
        "PRAGMA foreign_keys = ON;"
        "CREATE TABLE c(t INT REFERENCES t(id) ON DELETE SET NULL ON UPDATE CASCADE, x INT);"
        "INSERT INTO c SELECT id, id FROM t;"
        "CREATE %s TRIGGER least AFTER UPDATE ON c BEGIN SELECT raise(%s) WHERE new.x > 1;"
        " END",
        kinds[_i % 2], raised[_i / 2]);
    make_view(db, "v", "");
    run(db, "SELECT * FROM v");
    (void)attempt(db, "DELETE FROM t");
    must_be_right(db, "v");
    (void)attempt(db, "UPDATE t SET id = id + 100, x = x + 1");
    must_be_right(db, "v");
    (void)attempt(db, "DELETE FROM t WHERE id > 2");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

TCase *rules_meddling(void)
{
    TCase *tests = tcase_create("meddling");

    tcase_add_loop_test(
        tests, triggers_of_the_user_that_meddle_lose_nothing, 0, N_MEDDLERS * 4);
    tcase_add_loop_test(tests, what_is_put_in_a_rows_way_is_seen_to_vanish, 0, N_CASES * 16);
    tcase_add_test(tests, a_temp_trigger_is_reckoned_with_by_connections_that_do_not_have_it);
    tcase_add_test(tests, a_trigger_that_changes_other_columns_costs_no_rebuild);
    tcase_add_loop_test(
        tests, a_function_that_a_trigger_calls_by_a_table_may_change_rows, 0, N_CALLERS);
    tcase_add_loop_test(tests, a_trigger_of_a_child_row_may_end_the_statement, 0, 8);
    tcase_set_timeout(tests, 120);
    return tests;
}
