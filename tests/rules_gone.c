/* Rule 9 where the schema has moved and shows nothing of it: triggers that came and went. */
#include "tests/rules.h"

#define NEWER "CREATE TRIGGER m "

/* What is done between two reads. Statements may fail. */
static const char *const courses[] = {
    /* A trigger that keeps ours from firing, or changes rows before they are written. */
    NEWER "AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
          "INSERT INTO t(k, x, y) VALUES('lost', 1, 1); DROP TRIGGER m",
    NEWER "AFTER UPDATE ON t BEGIN SELECT raise(IGNORE); END;"
          "UPDATE t SET x = x + 1; DROP TRIGGER m",
    NEWER "AFTER DELETE ON t BEGIN SELECT raise(IGNORE); END;"
          "DELETE FROM t WHERE k = 'a'; DROP TRIGGER m",
    NEWER "BEFORE UPDATE ON t BEGIN UPDATE t SET y = 100 WHERE id = old.id; END;"
          "UPDATE t SET x = 5 WHERE id = 2; DROP TRIGGER m",
    NEWER "BEFORE DELETE ON t BEGIN UPDATE t SET x = 50 WHERE id = old.id + 1; END;"
          "DELETE FROM t WHERE id = 1; DROP TRIGGER m; VACUUM",
    /* With other changes of the schema, which hide that one but for their number. */
    NEWER "AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
          "INSERT INTO t(k, x, y) VALUES('lost', 1, 1); CREATE TABLE more(a); DROP TRIGGER m;"
          "CREATE INDEX more_a ON more(a); CREATE VIEW even_more AS SELECT 1",
    NEWER "AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
          "INSERT INTO t(k, x, y) VALUES('lost', 1, 1); ALTER TABLE t ADD COLUMN z;"
          "DROP TRIGGER m",
    NEWER "AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END; CREATE VIRTUAL TABLE words USING"
          " fts5(a); INSERT INTO t(k, x, y) VALUES('lost', 1, 1); DROP TRIGGER m",
    "CREATE VIRTUAL TABLE words USING fts5(a);" NEWER
    "AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
    "INSERT INTO t(k, x, y) VALUES('lost', 1, 1); DROP TRIGGER m; DROP TABLE words",
    /* Another view comes or goes meanwhile. */
    NEWER "AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
          "INSERT INTO t(k, x, y) VALUES('lost', 1, 1); DROP TRIGGER m;"
          "CREATE VIRTUAL TABLE other USING lockstep(SELECT count(*) AS n FROM o)",
    NEWER "AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
          "CREATE VIRTUAL TABLE other USING lockstep(SELECT count(*) AS n FROM o);"
          "INSERT INTO t(k, x, y) VALUES('lost', 1, 1); DROP TRIGGER m; DROP TABLE other",
    NEWER "AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
          "INSERT INTO t(k, x, y) VALUES('lost', 1, 1); DROP TRIGGER m;"
          "CREATE VIRTUAL TABLE other USING lockstep(SELECT * FROM o);"
          "ALTER TABLE other RENAME TO another; DROP TABLE another",
};
enum { N_COURSES = sizeof(courses) / sizeof(*courses) };

static const char *const views[] = {
    "SELECT k, count(*) AS n, sum(x) AS total, min(y) AS least FROM t GROUP BY k",
    "SELECT t.id, t.x, o.name FROM t LEFT JOIN o ON o.k = t.k",
    "SELECT id, x FROM t ORDER BY x DESC, id LIMIT 3",
    "SELECT name FROM o WHERE k IN (SELECT k FROM t GROUP BY k HAVING sum(x) > 1)",
};
enum { N_VIEWS = sizeof(views) / sizeof(*views) };

static void make(sqlite3 *db)
{
    make_table(db);
    run(db, "CREATE TABLE o(k TEXT, name TEXT); INSERT INTO o VALUES('a', 'A'), ('lost', 'L')");
    for (int i = 0; i < N_VIEWS; i++)
        run(db, "CREATE VIRTUAL TABLE v%d USING lockstep(%s)", i, views[i]);
}

static void must_all_be_right(sqlite3 *db)
{
    for (int i = 0; i < N_VIEWS; i++) {
        char name[8];

        sqlite3_snprintf(sizeof(name), name, "v%d", i);
        must_be_right(db, name);
    }
}

/* _i / 4: the course; by a program without the extension; in a transaction. */
START_TEST(a_trigger_that_came_and_went_is_reckoned_with)
{
    const char *path = live_path();
    sqlite3 *db = live_open(path);
    bool is_plain = _i & 1, in_transaction = (_i & 2) != 0;
    sqlite3 *by;

    make(db);
    must_all_be_right(db);
    by = is_plain ? live_open_plain(path) : db;
    if (in_transaction)
        run(by, "BEGIN");
    (void)attempt(by, courses[_i / 4]);
    if (in_transaction)
        run(by, "COMMIT");
    must_all_be_right(db);
    run(by, "INSERT INTO t(k, x) VALUES('a', 3)");
    must_all_be_right(db);
    if (by != db)
        live_close(by);
    live_close(db);
    db = live_open(path);
    must_all_be_right(db);
    live_close(db);
}
END_TEST

/* The triggers of t as a script that makes them again. */
static char *triggers_of(sqlite3 *db)
{
    sqlite3_stmt *statement;
    char *script = sqlite3_mprintf("");

    ck_assert_int_eq(
        sqlite3_prepare_v2(db,
            "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 't'", -1,
            &statement, NULL),
        SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW)
        script = sqlite3_mprintf("%z%s;", script, sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return script;
}

/* As SQLite's manual has it for changes that ALTER TABLE can't make, and as programs do that
** load much: the triggers are made again by their own texts. */
START_TEST(triggers_of_ours_that_are_made_again_are_not_relied_on)
{
    static const char *const before[] = {
        "PRAGMA legacy_alter_table = ON; BEGIN; CREATE TABLE new_t(id INTEGER PRIMARY KEY, k "
        "TEXT,"
        " x INT, y REAL, more TEXT); INSERT INTO new_t(id, k, x, y) SELECT id, k, x * 10, y "
        "FROM"
        " t; DROP TABLE t; ALTER TABLE new_t RENAME TO t",
        "BEGIN; DROP TRIGGER lockstep_log_1_insert",
    };
    static const char *const after[] = {
        "COMMIT; PRAGMA legacy_alter_table = OFF",
        "COMMIT",
    };

    for (int i = 0; i < 4; i++) {
        const char *path = live_path();
        sqlite3 *db = live_open(path);
        sqlite3 *by = i / 2 == 0 ? db : live_open_plain(path);
        char *script;

        make(db);
        must_all_be_right(db);
        script = triggers_of(by);
        run(by, "%s", before[i % 2]);
        run(by, "INSERT INTO t(k, x) VALUES('lost', 4)");
        if (i % 2 == 1)
            run(by, "DROP TRIGGER lockstep_log_1_delete; DROP TRIGGER lockstep_log_1_update;"
                    "DROP TRIGGER lockstep_log_1_before_insert;"
                    "DROP TRIGGER lockstep_log_1_before_move");
        run(by, "%s", script);
        run(by, "%s", after[i % 2]);
        sqlite3_free(script);
        must_all_be_right(db);
        run(by, "INSERT INTO t(k, x) VALUES('a', 4)");
        must_all_be_right(db);
        if (by != db)
            live_close(by);
        live_close(db);
        live_clean();
    }
}
END_TEST

/* What views do with the schema, what only comes, and a single change more, since a view was
** stored; or since it was read, where the connection stays. */
START_TEST(other_changes_of_the_schema_make_no_view_anew)
{
    static const char *const changes[] = {
        "CREATE TABLE a(x); CREATE INDEX i ON a(x); CREATE VIEW b AS SELECT * FROM a;"
        "CREATE TRIGGER c AFTER INSERT ON a BEGIN SELECT 1; END; CREATE TABLE d(x)",
        "DROP TRIGGER c",
        "DROP VIEW b",
        "DROP TABLE a",
        "ALTER TABLE d ADD COLUMN y",
        "VACUUM",
        "CREATE VIRTUAL TABLE w USING lockstep(SELECT k, count(*) AS n, max(y) AS y FROM t"
        " GROUP BY k)",
        "DROP TABLE w; CREATE VIRTUAL TABLE w USING lockstep(SELECT o.name, t.x FROM t JOIN o"
        " ON o.k = t.k); CREATE TABLE e(x)",
        "ALTER TABLE w RENAME TO z; ALTER TABLE z RENAME TO w; DROP TABLE w; CREATE TABLE f(x)",
        "CREATE VIRTUAL TABLE words USING fts5(a); ANALYZE; CREATE TABLE g(x)",
    };
    sqlite3 *db = live_open(live_path());
    long few, many;

    make_table(db);
    run(db, "CREATE TABLE o(k TEXT, name TEXT); CREATE INDEX ok ON o(k)");
    fill(db, 20000);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep("
            "SELECT x %% 10 AS r, count(*) AS n FROM t GROUP BY 1)");
    run(db, "SELECT * FROM v");
    live_count_begin(db);
    run(db, "SELECT count(*) FROM t WHERE y > 3.5");
    many = live_count_end(db);
    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
        run(db, "%s; INSERT INTO t(k) VALUES('a')", changes[i]);
        live_count_begin(db);
        run(db, "SELECT * FROM v");
        few = live_count_end(db);
        ck_assert_msg(few < many, "%s: %ld hundred instructions; a scan takes %ld", changes[i],
            few, many);
        must_be_right(db, "v");
        if (i != 1)
            run(db, "INSERT INTO v(lockstep) VALUES('store')");
    }
    live_close(db);
}
END_TEST

TCase *rules_gone(void)
{
    TCase *tests = tcase_create("gone");

    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, a_trigger_that_came_and_went_is_reckoned_with, 0, N_COURSES * 4);
    tcase_add_test(tests, triggers_of_ours_that_are_made_again_are_not_relied_on);
    tcase_add_test(tests, other_changes_of_the_schema_make_no_view_anew);
    tcase_set_timeout(tests, 120);
    return tests;
}
