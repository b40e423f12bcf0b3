/* Rules 9 and 11: the schema changes, and capture and view notice. */
#include <string.h>

#include "tests/rules.h"

/* What may be done to the schema around a view v of t; `middle` is run between writes. */
static const char *const changes[] = {
    "CREATE TRIGGER u AFTER INSERT ON t BEGIN SELECT 1; END",
    "CREATE TEMP TRIGGER u AFTER INSERT ON t BEGIN SELECT 1; END",
    "CREATE TRIGGER u AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
    "INSERT INTO t(k, x, y) VALUES('lost', 1, 1)",
    "CREATE TEMP TRIGGER u AFTER INSERT ON t BEGIN SELECT raise(IGNORE); END;"
    "INSERT INTO t(k, x, y) VALUES('lost', 1, 1)",
    "DROP TRIGGER lockstep_log_1_insert; INSERT INTO t(k, x, y) VALUES('unlogged', 1, 1)",
    "DROP TRIGGER lockstep_log_1_delete; DELETE FROM t WHERE k = 'a'",
    "DROP TRIGGER lockstep_log_1_update; UPDATE t SET k = 'b' WHERE k = 'a'",
    "DROP TRIGGER lockstep_log_1_before_insert; REPLACE INTO t(id, k) VALUES(1, 'r')",
    "DROP TRIGGER lockstep_log_1_insert; CREATE TRIGGER lockstep_log_1_insert AFTER INSERT ON t"
    " BEGIN SELECT 1; END; INSERT INTO t(k, x, y) VALUES('unlogged', 1, 1)",
    "DROP TABLE t; CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT, y REAL);"
    "INSERT INTO t(k, x, y) VALUES('anew', 1, 1)",
    "DROP TABLE t; CREATE TABLE t(y REAL, k TEXT, x INT UNIQUE, z);"
    "INSERT INTO t(k, x, y) VALUES('anew', 1, 1), ('8', 2, 1)",
    "DROP TABLE t; CREATE TABLE t(y REAL PRIMARY KEY, k TEXT, x INT) WITHOUT ROWID;"
    "INSERT INTO t(k, x, y) VALUES('anew', 1, 1), ('b', 2, 2)",
    "ALTER TABLE t ADD COLUMN z DEFAULT 5",
    "ALTER TABLE t RENAME COLUMN x TO renamed; INSERT INTO t(k, renamed) VALUES('r', 1)",
    "ALTER TABLE t RENAME COLUMN id TO number; REPLACE INTO t(number, k) VALUES(1, 'r')",
    "ALTER TABLE t RENAME COLUMN k TO \"a b\"; INSERT INTO t(\"a b\", x) VALUES('r', 1)",
    "ALTER TABLE t RENAME TO renamed; INSERT INTO renamed(k, x) VALUES('r', 1)",
    "ALTER TABLE t RENAME TO \"a \"\"quoted\"\" name\"",
    "CREATE UNIQUE INDEX u ON t(k) WHERE x > 100; REPLACE INTO t(k, x) VALUES('u', 10), ('u', "
    "11)",
    "CREATE UNIQUE INDEX u ON t(x) WHERE x > 100;"
    " REPLACE INTO t(k, x) VALUES('u', 101), ('w', 101)",
    "CREATE INDEX i ON t(k); DROP INDEX i; ANALYZE; REINDEX",
    "CREATE TABLE another(a); INSERT INTO another VALUES(1); DROP TABLE another",
    "CREATE TABLE child(a REFERENCES t(id) ON DELETE CASCADE)",
    "VACUUM; REPLACE INTO t(id, k) VALUES(1, 'r')",
    "ALTER TABLE v RENAME TO w; ALTER TABLE w RENAME TO v",
    "PRAGMA user_version = 5; PRAGMA application_id = 7",
};
enum { N_CHANGES = sizeof(changes) / sizeof(*changes) };

/* Writes that go through whatever the columns are called now. */
static void write_some(sqlite3 *db)
{
    (void)attempt(db, "INSERT INTO t(k, x, y) VALUES('a', 21, 1), ('w', 22, 2)");
    (void)attempt(db, "UPDATE t SET y = y + 1");
    (void)attempt(db, "REPLACE INTO t(id, k, x) VALUES(1, 'again', 31), (90, 'w', 32)");
    (void)attempt(db, "DELETE FROM t WHERE k = 'c'");
}

/* _i: the change. With what is pending read before, between and after, in every combination; by
** this connection, within a transaction or not, or by a program without the extension. */
START_TEST(a_change_of_the_schema_is_noticed)
{
    for (int which = 0; which < 24; which++) {
        bool reads_before = which & 1, reads_between = which & 2;
        const char *path = live_path();
        sqlite3 *db = live_open(path);
        int who = which / 8;
        sqlite3 *by = who == 2 ? live_open_plain(path) : db;

        if (who == 2 && (strncmp(changes[_i], "ALTER TABLE v", 13) == 0 ||
                            strncmp(changes[_i], "CREATE TEMP", 11) == 0)) {
            /* Other connections' TEMP triggers can't be seen: those that keep ours from firing
            ** are a limit, which integrity-check finds. */
            live_close(by);
            by = db;
        }
        make_table(db);
        make_view(db, "v", which & 4 ? "maintain=commit," : "");
        if (who == 2 && which & 4) {
            run(db, "DROP TABLE v"); /* a program without the sink could not write */
            make_view(db, "v", "");
        }
        write_some(db);
        if (reads_before)
            must_be_right(db, "v");
        write_some(by);
        if (who == 1 && sqlite3_strnicmp(changes[_i], "VACUUM", 6) != 0)
            run(by, "BEGIN");
        {
            char *text = sqlite3_mprintf("%s", changes[_i]);
            sqlite3_int64 log = log_of(db);

            for (char *at = text; log > 1 && (at = strstr(at, "log_1")) != NULL; at++)
                at[4] = (char)('0' + log);
            run(by, "%s", text);
            sqlite3_free(text);
        }
        if (reads_between)
            must_be_right(db, "v");
        write_some(by);
        if (!sqlite3_get_autocommit(by))
            run(by, "COMMIT");
        must_be_right(db, "v");
        write_some(db);
        must_be_right(db, "v");
        if (by != db)
            live_close(by);
        live_close(db);
        db = live_open(path);
        write_some(db);
        must_be_right(db, "v");
        run(db, "DROP TABLE v");
        live_close(db);
        live_clean();
    }
}
END_TEST

START_TEST(making_other_views_and_tables_makes_no_view_anew)
{
    sqlite3 *db = live_open(":memory:");
    long few, many;

    make_table(db);
    fill(db, 20000);
    make_view(db, "v", "");
    run(db, "INSERT INTO t(k) VALUES('a'); SELECT * FROM v");
    live_count_begin(db);
    run(db, "SELECT count(*) FROM t WHERE y > 3.5");
    many = live_count_end(db);
    make_view(db, "w", "");
    run(db, "CREATE INDEX i ON t(k); INSERT INTO t(k) VALUES('a')");
    live_count_begin(db);
    run(db, "SELECT * FROM v");
    few = live_count_end(db);
    ck_assert_msg(few < many, "%ld hundred instructions; a scan takes %ld", few, many);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

START_TEST(a_dropped_base_table_is_told_by_the_views_name)
{
    static const char *const said = "lockstep: view v: no such table: main.t: put back what its"
                                    " query needs, or drop the view";
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "");
    run(db, "DROP TABLE t");
    must_say(db, said, "SELECT * FROM v");
    must_say(db, said, "INSERT INTO v(lockstep) VALUES('rebuild')");
    run(db, "DROP TABLE v");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM sqlite_schema"), 0);
    live_close(db);
}
END_TEST

START_TEST(a_query_that_gives_other_columns_is_told)
{
    sqlite3 *db = live_open(":memory:");

    run(db, "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 2);"
            "CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM t)");
    must_be_right(db, "v");
    run(db, "ALTER TABLE t ADD COLUMN c DEFAULT 3");
    must_say(db, "lockstep: view v: ", "SELECT * FROM v");
    run(db, "DROP TABLE v; CREATE VIRTUAL TABLE v USING lockstep(SELECT * FROM t)");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* Stored rows of other types would be wrong ones. */
START_TEST(a_base_table_that_comes_back_with_other_types_is_told)
{
    static const char *const tables[] = {
        "k INT, x INT, y REAL",
        "k TEXT COLLATE NOCASE, x INT, y REAL",
        "k, x INT, y REAL",
        "k TEXT, x INT, y INT",
    };
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, y FROM t)");
    run(db,
        "DROP TABLE t; CREATE TABLE t(id INTEGER PRIMARY KEY, %s);"
        "INSERT INTO t(k, x, y) VALUES('8', 1, 1)",
        tables[_i]);
    must_say(db, "lockstep: view v: ", "SELECT * FROM v");
    run(db, "DROP TABLE v");
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, y FROM t)");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* Rule 11: new table, copy, drop, rename. As with a plain VIEW, the RENAME fails while a view
** names the missing table, unless legacy_alter_table is on. */
START_TEST(the_customary_migration_behaves_as_with_a_plain_view)
{
    static const char *const copy =
        "CREATE TABLE new_t(id INTEGER PRIMARY KEY, k TEXT, x INT, y REAL, z DEFAULT 1);"
        "INSERT INTO new_t(id, k, x, y) SELECT id, k, x, y FROM t; DROP TABLE t";
    sqlite3 *db = live_open(":memory:"), *plain = live_open_plain(":memory:");
    int rc;

    make_table(plain);
    run(plain, "CREATE VIEW p AS SELECT k FROM t");
    run(plain, "%s", copy);
    rc = attempt(plain, "ALTER TABLE new_t RENAME TO t");
    ck_assert_int_ne(rc, SQLITE_OK);
    make_table(db);
    make_view(db, "v", "");
    run(db, "UPDATE t SET x = x + 1; BEGIN; %s", copy);
    ck_assert_int_eq(attempt(db, "ALTER TABLE new_t RENAME TO t"), rc);
    run(db, "PRAGMA legacy_alter_table = ON; ALTER TABLE new_t RENAME TO t;"
            "PRAGMA legacy_alter_table = OFF");
    must_be_right(db, "v");
    run(db, "INSERT INTO t(k, x) VALUES('z', 1); COMMIT");
    must_be_right(db, "v");
    run(db, "UPDATE t SET k = 'b' WHERE id = 1; REPLACE INTO t(id, k) VALUES(2, 'r')");
    must_be_right(db, "v");
    live_close(plain);
    live_close(db);
}
END_TEST

START_TEST(a_renamed_view_leaves_its_name_free)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "index=(n, total), index=(mean),");
    run(db, "ALTER TABLE v RENAME TO \"o'd \"\"name\"");
    make_view(db, "v", "index=(n),");
    run(db, "UPDATE t SET x = x + 1");
    must_be_right(db, "v");
    must_agree(db, "SELECT * FROM \"o'd \"\"name\"", "SELECT * FROM v_query");
    run(db, "DROP TABLE v; ALTER TABLE \"o'd \"\"name\" RENAME TO v");
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

START_TEST(an_attached_databases_views_are_maintained)
{
    const char *path = live_path();
    sqlite3 *db = live_open(":memory:");

    run(db,
        "ATTACH '%s' AS aux; CREATE TABLE aux.t(id INTEGER PRIMARY KEY, k, x);"
        "CREATE TABLE t(id INTEGER PRIMARY KEY, k, x);"
        "CREATE VIRTUAL TABLE aux.v USING lockstep(SELECT k, sum(x) AS s FROM t GROUP BY k);"
        "CREATE VIRTUAL TABLE main.v USING lockstep(SELECT k, sum(x) AS s FROM t GROUP BY k)",
        path);
    run(db,
        "INSERT INTO aux.t(k, x) VALUES('a', 1), ('b', 2); INSERT INTO t(k, x) VALUES('m', 1)");
    must_be_right(db, "aux.v");
    must_be_right(db, "main.v");
    run(db, "BEGIN; UPDATE aux.t SET x = x + 1; SAVEPOINT s; DELETE FROM aux.t WHERE k = 'a'");
    must_be_right(db, "aux.v");
    ck_assert_int_ne(sqlite3_txn_state(db, "main"), SQLITE_TXN_WRITE);
    run(db, "ROLLBACK TO s");
    must_be_right(db, "aux.v");
    run(db, "INSERT INTO t(k, x) VALUES('m', 2); SAVEPOINT s; DELETE FROM aux.t");
    must_be_right(db, "aux.v");
    run(db, "ROLLBACK TO s");
    must_be_right(db, "aux.v");
    run(db, "COMMIT; DETACH aux; ATTACH '%s' AS other", path);
    must_be_right(db, "other.v");
    run(db, "INSERT INTO other.t(k, x) VALUES('a', 1)");
    must_be_right(db, "other.v");
    must_be_right(db, "main.v");
    live_close(db);
}
END_TEST

/* Enrolling writes to the sink, which stands in main: that may be read only. */
START_TEST(a_view_beside_a_read_only_main_database_is_maintained)
{
    const char *main_path = live_path(), *path = live_path();
    sqlite3 *db = live_open_plain(main_path);
    char *error = NULL, *main_uri;

    run(db, "CREATE TABLE m(a)");
    live_close(db);
    db = live_open(path);
    make_table(db);
    make_view(db, "v", "");
    live_close(db);
    main_uri = sqlite3_mprintf("file:%s?mode=ro", main_path);
    db = live_open_plain(main_uri);
    sqlite3_free(main_uri);
    ck_assert_int_eq(sqlite3_lockstep_init(db, &error, NULL), SQLITE_OK);
    run(db, "ATTACH '%s' AS aux; BEGIN; INSERT INTO aux.t(k, x) VALUES('a', 7)", path);
    must_be_right(db, "aux.v");
    run(db, "SAVEPOINT s; DELETE FROM aux.t WHERE k = 'b'");
    must_be_right(db, "aux.v");
    run(db, "ROLLBACK TO s");
    must_be_right(db, "aux.v");
    run(db, "ROLLBACK");
    must_be_right(db, "aux.v");
    live_close(db);
}
END_TEST

/* Statements in which a connection meets the view v for the first time. */
static const char *const first_meetings[] = {
    "SELECT * FROM v",
    "SELECT count(*) FROM t, v",
    "INSERT INTO t(k, x) VALUES('new', 5) RETURNING (SELECT count(*) FROM v)",
    "UPDATE t SET x = 7 WHERE k = 'a' RETURNING (SELECT max(n) FROM v)",
    "DELETE FROM t RETURNING (SELECT k FROM v)",
    "INSERT INTO o SELECT k, n FROM v",
    "UPDATE o SET n = (SELECT count(*) FROM v)",
    "SELECT * FROM o UNION ALL SELECT k, n FROM v",
    "INSERT INTO v(lockstep) VALUES('rebuild')",
    "ALTER TABLE v RENAME TO w; ALTER TABLE w RENAME TO v",
    "SELECT * FROM lockstep_views",
};
enum { N_FIRST_MEETINGS = sizeof(first_meetings) / sizeof(*first_meetings) };

/* _i: the statement. SQLite prepares it, and connects the view, by a schema that another
** connection has changed since. */
START_TEST(a_view_is_first_met_while_the_schema_is_stale)
{
    static const char *const meanwhile[] = {
        "CREATE TABLE another(a)",
        "ALTER TABLE t ADD COLUMN z",
        "CREATE TRIGGER u AFTER INSERT ON t BEGIN UPDATE t SET y = 1 WHERE id = new.id; END",
        "ALTER TABLE v RENAME TO w; ALTER TABLE w RENAME TO v",
        "DROP TABLE v; CREATE VIRTUAL TABLE v USING lockstep(SELECT x AS n, k, y FROM t)",
    };

    for (int i = 0; i < 2 * (int)(sizeof(meanwhile) / sizeof(*meanwhile)); i++) {
        const char *path = live_path();
        sqlite3 *other = live_open(path), *db;

        run(other, "PRAGMA journal_mode = %s", i % 2 == 0 ? "wal" : "delete");
        make_table(other);
        make_view(other, "v", i % 3 == 0 ? "maintain=commit," : "");
        run(other, "CREATE TABLE o(k, n)");
        db = live_open(path);
        run(db, "SELECT * FROM o");
        run(other, "%s", meanwhile[i / 2]);
        run(db, "%s", first_meetings[_i]);
        must_be_right(db, "v");
        run(db, "INSERT INTO t(k, x) VALUES('last', 6)");
        must_be_right(db, "v");
        must_be_right(other, "v");
        live_close(db);
        live_close(other);
        live_clean();
    }
}
END_TEST

/* Rule 9: a view shows what another connection of the shared cache has not committed, and keeps
** none of it. */
START_TEST(uncommitted_rows_of_a_shared_cache_are_not_kept)
{
    static const char *const writes[] = {"INSERT INTO t(k, x, y) VALUES('dirty', 9, 9)",
        "UPDATE OR REPLACE t SET id = id + 1", "DELETE FROM t WHERE id = 1"};
    char *shared = sqlite3_mprintf("file:%s?cache=shared", live_path());
    sqlite3 *db = live_open(shared), *other = live_open(shared);

    make_table(db);
    make_view(db, "v", "");
    run(other, "PRAGMA read_uncommitted = ON");
    for (int i = 0; i < 12; i++) {
        must_be_right(other, "v");
        run(db, "BEGIN; %s", writes[i % 3]);
        must_be_right(other, "v");
        run(db, "%s", i % 2 == 0 ? "ROLLBACK" : "COMMIT");
        must_be_right(other, "v");
        must_be_right(db, "v");
        run(other, "PRAGMA read_uncommitted = OFF");
        must_be_right(other, "v");
        run(other, "INSERT INTO t(k, x, y) VALUES('own', 1, 1)");
        must_be_right(other, "v");
        must_be_right(db, "v");
        run(other, "PRAGMA read_uncommitted = ON");
    }
    live_close(other);
    live_close(db);
    sqlite3_free(shared);
}
END_TEST

TCase *rules_schema(void)
{
    TCase *tests = tcase_create("schema");

    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, a_change_of_the_schema_is_noticed, 0, N_CHANGES);
    tcase_add_test(tests, making_other_views_and_tables_makes_no_view_anew);
    tcase_add_test(tests, a_dropped_base_table_is_told_by_the_views_name);
    tcase_add_test(tests, a_query_that_gives_other_columns_is_told);
    tcase_add_loop_test(tests, a_base_table_that_comes_back_with_other_types_is_told, 0, 4);
    tcase_add_test(tests, the_customary_migration_behaves_as_with_a_plain_view);
    tcase_add_test(tests, a_renamed_view_leaves_its_name_free);
    tcase_add_test(tests, an_attached_databases_views_are_maintained);
    tcase_add_test(tests, a_view_beside_a_read_only_main_database_is_maintained);
    tcase_add_loop_test(
        tests, a_view_is_first_met_while_the_schema_is_stale, 0, N_FIRST_MEETINGS);
    tcase_add_test(tests, uncommitted_rows_of_a_shared_cache_are_not_kept);
    tcase_set_timeout(tests, 120);
    return tests;
}
