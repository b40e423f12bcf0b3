/* Rules 6, 7 and 8: which key names a row, what UPDATE OF must list, and the types of logs.
** Each case is a table, a view of it, and statements: after each of these the view is compared
** with its query, and once more when all are pending at once. */
#include "tests/rules.h"

enum { MAX_STATEMENTS = 12 };

struct capture_case {
    const char *table;
    const char *select;
    const char *statements[MAX_STATEMENTS];
};

static const struct capture_case cases[] = {
    /* Rule 6: keys. */
    {"CREATE TABLE t(k TEXT PRIMARY KEY, x INT UNIQUE)",
        "SELECT k, count(*) AS n, sum(x) AS s FROM t GROUP BY k",
        {"INSERT INTO t VALUES(NULL, 1), (NULL, 2), ('a', 3), (NULL, 4)",
            "INSERT OR REPLACE INTO t VALUES(NULL, 2), ('a', 4)",
            "UPDATE OR REPLACE t SET x = 2 WHERE k = 'a'", "UPDATE t SET k = NULL",
            "INSERT OR REPLACE INTO t VALUES(NULL, 1), (NULL, 2)",
            "DELETE FROM t WHERE x = 1"}},
    {"CREATE TABLE t(k TEXT PRIMARY KEY COLLATE NOCASE, x INT)", "SELECT k, x FROM t",
        {"INSERT INTO t VALUES('a', 1), ('b', 2)", "INSERT OR REPLACE INTO t VALUES('A', 3)",
            "UPDATE OR REPLACE t SET k = 'B' WHERE k = 'a'",
            "INSERT INTO t VALUES('b', 9) ON CONFLICT(k) DO UPDATE SET x = x + excluded.x",
            "UPDATE t SET k = 'b'", "INSERT OR IGNORE INTO t VALUES('B', 0), ('C', 1)"}},
    {"CREATE TABLE t(k TEXT NOT NULL PRIMARY KEY COLLATE RTRIM, x INT) WITHOUT ROWID",
        "SELECT k, x FROM t",
        {"INSERT INTO t VALUES('a', 1), ('b ', 2)", "REPLACE INTO t VALUES('a   ', 3)",
            "UPDATE OR REPLACE t SET k = 'b' WHERE x = 3", "REPLACE INTO t VALUES('b  ', 4)",
            "DELETE FROM t WHERE k = 'b'"}},
    /* The index's collation is not the column's. */
    {"CREATE TABLE t(k TEXT, x INT); CREATE UNIQUE INDEX u ON t(k COLLATE NOCASE)",
        "SELECT k, x FROM t",
        {"INSERT INTO t VALUES('a', 1), ('b', 2), (NULL, 3), (NULL, 3)",
            "REPLACE INTO t VALUES('A', 4)", "UPDATE OR REPLACE t SET k = 'B' WHERE k = 'A'",
            "UPDATE OR REPLACE t SET k = upper(k)",
            "REPLACE INTO t VALUES(NULL, 5), ('b', 6)"}},
    {"CREATE TABLE t(a INT, b TEXT, x INT, PRIMARY KEY(a, b)) WITHOUT ROWID",
        "SELECT a, sum(x) AS s, count(*) AS n FROM t GROUP BY a",
        {"INSERT INTO t VALUES(1, 'p', 1), (1, 'q', 2), (2, 'p', 3)",
            "REPLACE INTO t VALUES(1, 'p', 10), (2, 'q', 20)",
            "UPDATE OR REPLACE t SET b = 'q' WHERE a = 1", "UPDATE OR REPLACE t SET a = 1",
            "DELETE FROM t WHERE a = 1"}},
    {"CREATE TABLE t(k TEXT, x INT); CREATE UNIQUE INDEX u ON t(x)",
        "SELECT k, count(*) AS n FROM t GROUP BY k",
        {"INSERT INTO t VALUES('a', 1), ('b', 2), ('c', 3), ('d', 4)",
            "DELETE FROM t WHERE x = 1", "REPLACE INTO t VALUES('z', 3), ('y', 4)", "VACUUM",
            "REPLACE INTO t VALUES('w', 2)"}},
    /* A key that compares numbers: 1 and 1.0 are one. */
    {"CREATE TABLE t(k PRIMARY KEY, x)", "SELECT k, x FROM t",
        {"INSERT INTO t VALUES(1, 'int'), ('1', 'text'), (x'31', 'blob'), (2.5, 'real')",
            "REPLACE INTO t VALUES(1.0, 'real')", "REPLACE INTO t VALUES('1', 'text again')",
            "UPDATE OR REPLACE t SET k = 2.5 WHERE k = 1", "REPLACE INTO t VALUES(1e300, NULL)",
            "UPDATE t SET k = 9223372036854775807 WHERE k = 1e300"}},
    /* Row -1, and a table that has it from the beginning. */
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, x INT); INSERT INTO t VALUES(-1, 5), (-2, 6)",
        "SELECT id, x FROM t",
        {"REPLACE INTO t VALUES(-1, 7)", "UPDATE t SET x = x + 1",
            "REPLACE INTO t VALUES(-1, 8)", "DELETE FROM t WHERE id = -1",
            "REPLACE INTO t VALUES(-1, 9)", "UPDATE t SET id = -1 - id",
            "UPDATE OR REPLACE t SET id = -1", "REPLACE INTO t(x) VALUES(1), (2)",
            "REPLACE INTO t VALUES(-1, 10), (-1, 11)"}},
    {"CREATE TABLE t(x INT); INSERT INTO t(rowid, x) VALUES(-1, 5)",
        "SELECT sum(x) AS s, count(*) AS n FROM t",
        {"REPLACE INTO t(rowid, x) VALUES(-1, 7)", "REPLACE INTO t(rowid, x) VALUES(-1, 8)",
            "DELETE FROM t", "REPLACE INTO t(rowid, x) VALUES(-1, 9)",
            "REPLACE INTO t(rowid, x) VALUES(-1, 1), (3, 2), (3, 4)"}},
    /* Rule 7: the columns of UPDATE OF. */
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b INT, g INT AS (a * 10 + b) STORED)",
        "SELECT id, g FROM t",
        {"INSERT INTO t(a, b) VALUES(1, 2), (3, 4)", "UPDATE t SET a = a + 1",
            "UPDATE t SET b = 0", "REPLACE INTO t(id, a, b) VALUES(1, 7, 7)"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, a INT, b INT, g AS (a || '-' || b),"
     " h AS (g || '!'))",
        "SELECT h, count(*) AS n FROM t GROUP BY h",
        {"INSERT INTO t(a, b) VALUES(1, 2), (3, 4), (1, 2)", "UPDATE t SET a = 1",
            "UPDATE t SET b = 2", "UPDATE t SET id = id + 10"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, a INT, live INT);"
     "CREATE UNIQUE INDEX u ON t(a) WHERE live",
        "SELECT k, count(*) AS n FROM t GROUP BY k",
        {"INSERT INTO t(k, a, live) VALUES('x', 1, 1), ('y', 1, 0), ('z', 2, 1)",
            "UPDATE OR REPLACE t SET live = 1", "INSERT INTO t(k, a, live) VALUES('w', 2, 0)",
            "UPDATE OR REPLACE t SET live = 5 WHERE k = 'w'",
            "REPLACE INTO t(k, a, live) VALUES('v', 2, 1)"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, a TEXT, b TEXT);"
     "CREATE UNIQUE INDEX u ON t(lower(a || b), length(b))",
        "SELECT k, count(*) AS n FROM t GROUP BY k",
        {"INSERT INTO t(k, a, b) VALUES('x', 'p', 'q'), ('y', 'r', 's'), ('z', NULL, 's')",
            "UPDATE OR REPLACE t SET a = 'P' WHERE k = 'y'",
            "UPDATE OR REPLACE t SET b = 'Q' WHERE k = 'y'",
            "REPLACE INTO t(k, a, b) VALUES('w', 'p', 'Q')",
            "REPLACE INTO t(k, a, b) VALUES('v', NULL, 's')"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, a INT DEFAULT 7 NOT NULL"
     " ON CONFLICT REPLACE UNIQUE ON CONFLICT REPLACE)",
        "SELECT k, a FROM t",
        {"INSERT INTO t(k, a) VALUES('x', 1), ('y', 7)",
            "INSERT INTO t(k, a) VALUES('z', NULL)", "UPDATE t SET a = NULL WHERE k = 'x'",
            "INSERT INTO t(k) VALUES('w')", "INSERT INTO t(k, a) VALUES('u', 2), ('v', 2)",
            "UPDATE t SET a = 2"}},
    {"CREATE TABLE t(k TEXT, x INT)", "SELECT rowid AS r, k FROM t",
        {"INSERT INTO t VALUES('a', 1), ('b', 2), ('c', 3)",
            "UPDATE t SET rowid = 10 WHERE k = 'a'", "UPDATE t SET _rowid_ = oid + 100",
            "UPDATE OR REPLACE t SET oid = 102 WHERE k = 'c'",
            "UPDATE t SET rowid = rowid + 1, k = k || k",
            "REPLACE INTO t(rowid, k) VALUES(103, 'z')", "UPDATE t SET x = 5"}},
    {"CREATE TABLE t(k TEXT, x INT)", "SELECT count(*) AS n FROM t",
        {"INSERT INTO t VALUES('a', 1), ('b', 2), ('c', 3)",
            "UPDATE OR REPLACE t SET rowid = 1 WHERE k = 'c'",
            "UPDATE OR REPLACE t SET _rowid_ = 2", "REPLACE INTO t(rowid, k) VALUES(2, 'z')"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT)", "SELECT count(*) AS n FROM t",
        {"INSERT INTO t VALUES(1, 'a', 1), (2, 'b', 2), (3, 'c', 3)",
            "UPDATE OR REPLACE t SET id = 1 WHERE k = 'c'", "UPDATE OR REPLACE t SET rowid = 2",
            "UPDATE OR REPLACE t SET id = id + 1"}},
    {"CREATE TABLE t(rowid TEXT, _rowid_ INT, oid INT NOT NULL UNIQUE)",
        "SELECT rowid AS r, oid AS o FROM t",
        {"INSERT INTO t VALUES('a', 1, 1), ('b', 2, 2), ('c', 3, 3)",
            "UPDATE t SET rowid = 'z'", "REPLACE INTO t VALUES('d', 4, 2)",
            "UPDATE OR REPLACE t SET oid = 3 WHERE rowid = 'd'",
            "DELETE FROM t WHERE oid = 1"}},
    /* Rule 8: types. */
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, a ANY, i INT, r REAL, x TEXT, b BLOB) STRICT",
        "SELECT a, i, r, x, b, typeof(a) AS ta FROM t",
        {"INSERT INTO t(a, i, r, x, b) VALUES('007', 1, 2, '3', x'04'), (7, 1.0, 2, 3, x''),"
         " (7.0, NULL, 1, '', NULL), (x'37', 0, -0.0, '1', x'00')",
            "UPDATE t SET a = '1e3'", "UPDATE t SET a = 1.0, r = i",
            "REPLACE INTO t(id, a)"
            " VALUES(2, '0x10')"}},
    {"CREATE TABLE t(a, i INTEGER, r REAL, x TEXT, n NUMERIC, b BLOB, v VARCHAR(3))",
        "SELECT a, i, r, x, n, b, v FROM t",
        {"INSERT INTO t VALUES('1', '1', '1', 1, '1.0', '1', 1), (1.0, 1.5, 1, 1.0, 1e3, 1.0, "
         "'1'),"
         " (x'31', x'31', x'31', x'31', x'31', x'31', x'31'), ('', '', '', '', '', '', '')",
            "UPDATE t SET a = i, i = x, x = n, n = r, r = a", "UPDATE t SET a = -0.0, n = -0.0",
            "UPDATE t SET a = 9007199254740993.0, i = '9223372036854775808', n = '1e400'",
            "UPDATE t SET a = 'a' || char(0) || 'b', x = char(0)",
            "DELETE FROM t WHERE b = 1.0"}},
    {"CREATE TABLE t(k TEXT COLLATE NOCASE, r TEXT COLLATE RTRIM, x INT)",
        "SELECT lower(k) AS low, count(*) AS n, sum(x) AS s FROM t WHERE r = 'a' AND k <> 'Z'"
        " GROUP BY k",
        {"INSERT INTO t VALUES('a', 'a ', 1), ('A', 'a', 2), ('z', 'a', 3), ('b', ' a', 4)",
            "UPDATE t SET k = upper(k)", "UPDATE t SET r = 'a     '", "UPDATE t SET k = 'Z'"}},
    {"CREATE TABLE t(id INTEGER PRIMARY KEY, \"a\"\"b\" INT, \"select\" TEXT, \"lockstep seq\" "
     "INT)",
        "SELECT \"select\", sum(\"a\"\"b\") AS s, max(\"lockstep seq\") AS m FROM t"
        " GROUP BY \"select\"",
        {"INSERT INTO t VALUES(1, 2, 'x', 3), (2, 3, 'x', 4)",
            "REPLACE INTO t VALUES(1, 9, 'y', 1)",
            "UPDATE t SET \"select\" = 'y', id = id + 1 WHERE id = 2", "DELETE FROM t"}},
};
enum { N_CASES = sizeof(cases) / sizeof(*cases) };

/* Statements with the clause in place of what they say themselves need no case of their own:
** the modes are a read after each statement, one read at the end, and both in a transaction;
** with recursive triggers; with a user's trigger, so that capture is full. */
struct mode {
    bool reads_each;
    bool in_transaction;
    bool is_recursive;
    const char *trigger;
    const char *options;
};

static const struct mode modes[] = {
    {true, false, false, "", ""},
    {false, false, false, "", ""},
    {true, true, false, "", ""},
    {false, true, true, "", ""},
    {true, false, true, "", "maintain=commit,"},
    {true, false, false, "CREATE TRIGGER u AFTER INSERT ON t BEGIN SELECT 1; END", ""},
    {false, false, false, "CREATE TRIGGER u BEFORE UPDATE ON t BEGIN SELECT 1; END", ""},
    {false, true, true, "CREATE TRIGGER u BEFORE DELETE ON t BEGIN SELECT 1; END",
        "maintain=commit,"},
};
enum { N_MODES = sizeof(modes) / sizeof(*modes) };

/* v is the view; j joins what it shows, which reads rows of the table beside those that are
** logged. */
static void must_both_be_right(sqlite3 *db)
{
    must_be_right(db, "v");
    must_be_right(db, "j");
}

static void try_case(const struct capture_case *tried, const struct mode *mode)
{
    sqlite3 *db = live_open(":memory:");

    run(db, "PRAGMA recursive_triggers = %d; %s; %s", mode->is_recursive, tried->table,
        mode->trigger);
    run(db,
        "CREATE TABLE o(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO o VALUES(1, 'one')");
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(%s %s)", mode->options, tried->select);
    run(db,
        "CREATE VIRTUAL TABLE j USING lockstep(%s SELECT o.name, s.* FROM o LEFT JOIN (%s) AS s"
        " ON o.id = 1)",
        mode->options, tried->select);
    must_both_be_right(db);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MAX_STATEMENTS && tried->statements[i] != NULL; i++) {
            bool is_vacuum = sqlite3_strnicmp(tried->statements[i], "VACUUM", 6) == 0;

            if (mode->in_transaction && i == 0)
                run(db, "BEGIN");
            if (mode->in_transaction && is_vacuum)
                continue;
            /* Some fail in the second round: what they leave is to be right too. */
            if (attempt(db, tried->statements[i]) != SQLITE_OK && round == 0)
                ck_abort_msg("%s\n in: %s", sqlite3_errmsg(db), tried->statements[i]);
            if (mode->reads_each)
                must_both_be_right(db);
        }
        must_both_be_right(db);
        if (mode->in_transaction)
            run(db, "COMMIT");
        must_both_be_right(db);
    }
    live_close(db);
}

/* Loop over cases and modes. */
START_TEST(what_a_table_may_do_is_captured)
{
    try_case(&cases[_i / N_MODES], &modes[_i % N_MODES]);
}
END_TEST

/* Rule 6: VACUUM renumbers the rows of a table without a key of its own. */
START_TEST(pending_rowid_candidates_survive_a_vacuum)
{
    for (int reads_before = 0; reads_before < 2; reads_before++) {
        sqlite3 *db = live_open(":memory:");

        run(db, "CREATE TABLE t(k TEXT, x INT); CREATE UNIQUE INDEX u ON t(x);"
                "INSERT INTO t VALUES('a', 1), ('b', 2), ('c', 3), ('d', 4), ('e', 5);"
                "CREATE VIRTUAL TABLE v USING lockstep("
                "SELECT k, count(*) AS n FROM t GROUP BY k)");
        run(db, "DELETE FROM t WHERE x = 1; DELETE FROM t WHERE x = 3");
        if (reads_before)
            must_be_right(db, "v");
        run(db, "REPLACE INTO t VALUES('z', 5), ('y', 2); VACUUM;"
                "REPLACE INTO t VALUES('w', 4)");
        must_be_right(db, "v");
        run(db, "REPLACE INTO t VALUES('q', 5)");
        must_be_right(db, "v");
        live_close(db);
    }
}
END_TEST

START_TEST(a_vacuum_by_a_program_without_the_extension_is_noticed)
{
    const char *path = live_path();
    sqlite3 *db = live_open(path), *other;

    run(db, "CREATE TABLE t(k TEXT, x INT); CREATE UNIQUE INDEX u ON t(x);"
            "INSERT INTO t VALUES('a', 1), ('b', 2), ('c', 3), ('d', 4), ('e', 5);"
            "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, count(*) AS n FROM t GROUP BY k)");
    must_be_right(db, "v");
    other = live_open_plain(path);
    run(other, "DELETE FROM t WHERE x < 3; REPLACE INTO t VALUES('z', 5); VACUUM;"
               "REPLACE INTO t VALUES('w', 4)");
    must_be_right(db, "v");
    run(other, "DELETE FROM t WHERE k = 'c'; VACUUM; REPLACE INTO t VALUES('u', 5)");
    live_close(other);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* Rows that are known by rowids are told from those that VACUUM has given others. */
START_TEST(what_is_created_gives_no_rows_other_rowids)
{
    sqlite3 *db = live_open(":memory:");
    long few, many;

    run(db, "CREATE TABLE s(name TEXT PRIMARY KEY, x)");
    make_table(db);
    fill(db, 20000);
    run(db, "INSERT INTO s SELECT 's' || id, x FROM t;"
            "CREATE VIRTUAL TABLE v USING lockstep(SELECT x, count(*) AS n FROM s GROUP BY x)");
    live_count_begin(db);
    run(db, "SELECT count(*) FROM s WHERE x > 3.5");
    many = live_count_end(db);
    make_view(db, "w", "");
    run(db, "DROP TABLE w; CREATE INDEX i ON t(k); REPLACE INTO s VALUES('s1', 1), ('new', 2)");
    live_count_begin(db);
    run(db, "SELECT * FROM v WHERE x = 1");
    few = live_count_end(db);
    ck_assert_msg(few < many, "%ld hundred instructions; a scan takes %ld", few, many);
    must_be_right(db, "v");
    run(db, "DELETE FROM s WHERE name < 's2'; REPLACE INTO s VALUES('s3', 1); VACUUM");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

static int compare_folded(void *ctx, int n, const void *a, int m, const void *b)
{
    int order = sqlite3_strnicmp(a, b, n < m ? n : m);

    (void)ctx;
    return order != 0 ? order : n - m;
}

/* Its equality is known to SQLite alone: the rowid names the rows, and without one CREATE
** refuses. */
START_TEST(a_key_under_a_collation_of_the_users_is_not_compared_here)
{
    sqlite3 *db = live_open(":memory:");

    ck_assert_int_eq(
        sqlite3_create_collation(db, "folded", SQLITE_UTF8, NULL, compare_folded), SQLITE_OK);
    run(db, "CREATE TABLE t(k TEXT NOT NULL COLLATE folded UNIQUE, x INT)");
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT count(*) AS n, sum(x) AS s FROM t)");
    run(db, "INSERT INTO t VALUES('a', 1), ('b', 2)");
    must_be_right(db, "v");
    run(db, "REPLACE INTO t VALUES('A', 3)");
    run(db, "REPLACE INTO t VALUES('a', 4), ('B', 5)");
    must_be_right(db, "v");
    run(db, "CREATE TABLE u(k TEXT COLLATE folded PRIMARY KEY, x INT) WITHOUT ROWID");
    must_say(db, "lockstep: view w: the primary key of table u has a collation",
        "CREATE VIRTUAL TABLE w USING lockstep(SELECT count(*) AS n FROM u)");
    live_close(db);
}
END_TEST

TCase *rules_capture(void)
{
    TCase *tests = tcase_create("capture");

    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, what_a_table_may_do_is_captured, 0, N_CASES * N_MODES);
    tcase_add_test(tests, a_key_under_a_collation_of_the_users_is_not_compared_here);
    tcase_add_test(tests, pending_rowid_candidates_survive_a_vacuum);
    tcase_add_test(tests, a_vacuum_by_a_program_without_the_extension_is_noticed);
    tcase_add_test(tests, what_is_created_gives_no_rows_other_rowids);
    tcase_set_timeout(tests, 120);
    return tests;
}
