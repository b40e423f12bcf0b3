/* Readers that may not write, other connections, and damage: right answers without waiting, or
** one clear sentence that names the view. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tests/live.h"
#include "tests/random.h"
#include "tests/suite.h"

static void make(sqlite3 *db, const char *mode, const char *options)
{
    run(db,
        "PRAGMA journal_mode = %s;"
        "CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE);"
        "INSERT INTO t(k, x) VALUES('a', 1), ('b', 2), ('a', 3), ('c', 4);"
        "CREATE VIRTUAL TABLE v USING lockstep(%s SELECT k, count(*) AS n, sum(x) AS s,"
        " max(x) AS m FROM t GROUP BY k)",
        mode, options);
}

static void fill(sqlite3 *db, int n)
{
    run(db,
        "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < %d)"
        " INSERT INTO t(k, x) SELECT 'k' || (i %% 10), i + (SELECT max(x) FROM t) FROM i",
        n);
}

static sqlite3 *open_uri(const char *path, const char *how)
{
    char *uri = sqlite3_mprintf("file:%s?%s", path, how);
    sqlite3 *db = live_open(uri);

    sqlite3_free(uri);
    return db;
}

static const char *const read_only[] = {"mode=ro", "immutable=1", "mode=ro&immutable=1"};

START_TEST(a_read_only_file_is_answered_from_state_and_log)
{
    for (int n = 0; n < 3; n++) {
        const char *path = live_path();
        sqlite3 *db = live_open(path);

        make(db, "DELETE", "");
        if (n > 0)
            fill(db, n == 1 ? 100 : 10000);
        run(db, "REPLACE INTO t(id, k, x) VALUES(1, 'r', 3)");
        live_close(db);
        db = open_uri(path, read_only[_i]);
        must_be_right(db, "v");
        must_be_right(db, "v");
        ck_assert_int_eq(number(db, "SELECT sum(n) FROM v WHERE k = 'a'"),
            number(db, "SELECT sum(n) FROM v_query WHERE k = 'a'"));
        live_close(db);
        db = live_open(path);
        run(db, "UPDATE v_state SET dirty = 1");
        live_close(db);
        db = open_uri(path, read_only[_i]);
        must_be_right(db, "v");
        must_say(db, "readonly", "INSERT INTO v(lockstep) VALUES('rebuild')");
        must_be_right(db, "v");
        live_close(db);
        live_clean();
    }
}
END_TEST

START_TEST(a_snapshot_behind_the_writer_sees_its_own_moment)
{
    const char *path = live_path();
    sqlite3 *writer = live_open(path), *reader;
    char *due, *given;

    make(writer, "WAL", "");
    reader = live_open(path);
    fill(writer, 50);
    run(reader, "BEGIN");
    due = rows(reader, "SELECT * FROM v_query");
    fill(writer, 9000);
    must_be_right(writer, "v"); /* stores, and empties the log */
    run(writer, "DELETE FROM t WHERE id %% 2; REPLACE INTO t(id, k, x) VALUES(4, 'w', 6)");
    given = rows(reader, "SELECT * FROM v");
    ck_assert_str_eq(given, due);
    sqlite3_free(given);
    must_be_right(writer, "v");
    given = rows(reader, "SELECT * FROM v");
    ck_assert_str_eq(given, due);
    ck_assert_int_eq(
        attempt(reader, "INSERT INTO t(k, x) VALUES('late', 0)") & 0xff, SQLITE_BUSY);
    must_be_right(reader, "v");
    run(reader, "COMMIT");
    must_be_right(reader, "v");
    sqlite3_free(given);
    sqlite3_free(due);
    live_close(reader);
    live_close(writer);
}
END_TEST

static int n_waits;

static int count_wait(void *ctx, int n)
{
    (void)ctx;
    (void)n;
    n_waits++;
    return 0;
}

/* With a rollback journal a reader waits for a writer that commits, no longer. */
START_TEST(a_lock_that_another_holds_keeps_no_reader_waiting)
{
    static const char *const modes[] = {"WAL", "DELETE"};
    static const char *const locks[] = {
        "BEGIN IMMEDIATE", "BEGIN; INSERT INTO t(k) VALUES('l')"};

    for (int which = 0; which < 8; which++) {
        const char *path = live_path();
        sqlite3 *db = live_open(path), *other;

        make(db, modes[which % 2], "");
        fill(db, which & 4 ? 9000 : 100);
        if (which & 4)
            run(db, "UPDATE v_state SET dirty = 1");
        other = live_open(path);
        run(other, "%s", locks[which / 2 % 2]);
        n_waits = 0;
        sqlite3_busy_handler(db, count_wait, NULL);
        must_be_right(db, "v");
        must_be_right(other, "v");
        must_be_right(db, "v");
        ck_assert_int_le(n_waits, 2); /* that it asked is no harm; a timeout would be */
        run(other, "ROLLBACK");
        must_be_right(other, "v");
        must_be_right(db, "v");
        live_close(other);
        live_close(db);
        live_clean();
    }
}
END_TEST

/* Two connections with the extension and one without it, in turn. */
START_TEST(connections_that_write_in_turn_all_see_the_same)
{
    static const char *const writes[] = {
        "INSERT INTO t(k, x) SELECT 'a', max(x) + 1 FROM t",
        "UPDATE t SET k = 'm' WHERE id % 3 = 0",
        "REPLACE INTO t(k, x) SELECT 'r', max(x) FROM t",
        "DELETE FROM t WHERE x = (SELECT min(x) FROM t)",
        "UPDATE OR REPLACE t SET x = x + 1",
        "INSERT INTO v(lockstep) VALUES('store')",
        "INSERT INTO v(lockstep) VALUES('rebuild')",
    };
    struct random random = random_new((uint64_t)_i);
    const char *path = live_path();
    sqlite3 *connections[3];

    connections[0] = live_open(path);
    make(connections[0], _i % 2 ? "WAL" : "DELETE", _i % 4 == 3 ? "maintain=commit," : "");
    connections[1] = live_open(path);
    connections[2] = live_open_plain(path);
    for (int i = 0; i < 300; i++) {
        unsigned who = random_below(&random, 3), what = random_below(&random, 7);

        if (what < 5 && !(who == 2 && _i % 4 == 3))
            run(connections[who], "%s", writes[what]);
        else if (what >= 5 && who < 2)
            run(connections[who], "%s", writes[what]);
        if (random_once_in(&random, 20))
            run(connections[random_below(&random, 2)], "CREATE TABLE s%d(a)", i);
        if (random_once_in(&random, 3))
            must_be_right(connections[random_below(&random, 2)], "v");
    }
    for (int i = 0; i < 2; i++)
        must_be_right(connections[i], "v");
    for (int i = 0; i < 3; i++)
        live_close(connections[i]);
}
END_TEST

/* Damage. A read gives the right rows or a sentence that names the view; after 'rebuild', or
** where the tables themselves are gone after DROP and CREATE, all is well. */

static bool is_view_right(sqlite3 *db)
{
    sqlite3_stmt *statement;
    bool is_equal = false;

    if (sqlite3_prepare_v2(db,
            "SELECT NOT EXISTS (SELECT * FROM v EXCEPT SELECT * FROM v_query)"
            " AND NOT EXISTS (SELECT * FROM v_query EXCEPT SELECT * FROM v)",
            -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        is_equal = sqlite3_column_int(statement, 0) != 0;
    if (sqlite3_finalize(statement) != SQLITE_OK &&
        strncmp(sqlite3_errmsg(db), "lockstep: view v: ", 18) != 0)
        ck_abort_msg("says: %s", sqlite3_errmsg(db));
    return is_equal;
}

/* Every use of the view: none may crash, and each that fails names it. */
static void use_all(sqlite3 *db)
{
    static const char *const uses[] = {
        "SELECT * FROM v",
        "SELECT * FROM v WHERE k = 'a'",
        "INSERT INTO t(k, x) SELECT 'a', max(x) + 1 FROM t",
        "SELECT count(*) FROM v",
        "BEGIN; SAVEPOINT s; UPDATE t SET k = 'q' WHERE id = 3; SELECT * FROM v",
        "DELETE FROM t WHERE id = 2; SELECT * FROM v",
        "ROLLBACK TO s",
        "SELECT * FROM v; COMMIT",
        "INSERT INTO v(lockstep) VALUES('integrity-check')",
        "INSERT INTO v(lockstep) VALUES('store')",
        "SELECT * FROM v",
    };

    for (size_t i = 0; i < sizeof(uses) / sizeof(*uses); i++) {
        int rc = attempt(db, uses[i]);

        if (rc != SQLITE_OK && strncmp(sqlite3_errmsg(db), "lockstep: view v: ", 18) != 0 &&
            strstr(sqlite3_errmsg(db), "lockstep_log_") == NULL)
            ck_abort_msg("%s\n says: %s", uses[i], sqlite3_errmsg(db));
    }
    if (!sqlite3_get_autocommit(db))
        run(db, "ROLLBACK");
}

static const char *const damage[] = {
    "UPDATE v_trace SET v = randomblob(length(v))",
    "UPDATE v_trace SET v = randomblob(3)",
    "UPDATE v_trace SET v = x''",
    "UPDATE v_trace SET v = zeroblob(20)",
    "UPDATE v_trace SET v = x'ffffffffffffffffffffffffffffffffff'",
    "UPDATE v_trace SET v = 'text'",
    "UPDATE v_trace SET v = 5",
    "UPDATE OR REPLACE v_trace SET k = randomblob(length(k))",
    "UPDATE OR REPLACE v_trace SET k = substr(k, 1, 2)",
    "DELETE FROM v_trace",
    "UPDATE v_data SET lockstep_weight = 0",
    "UPDATE v_data SET lockstep_weight = -1",
    "UPDATE v_data SET lockstep_weight = 'many'",
    "UPDATE v_data SET lockstep_weight = 1000",
    "UPDATE v_data SET lockstep_row = lockstep_row + 1",
    "UPDATE v_data SET n = 'x', s = x'00', k = NULL",
    "DELETE FROM v_data",
    "INSERT INTO v_data SELECT 'more', 1, 1, 1, 1, 77",
    "DELETE FROM v_state",
    "INSERT INTO v_state SELECT * FROM v_state",
    "UPDATE v_state SET token = 'x', cookie = x'00', dirty = 'y'",
    "UPDATE v_state SET format = 99",
    "UPDATE v_state SET sqlite = '3.0.0'",
    "UPDATE v_state SET maintain = 'sometimes'",
    "UPDATE v_state SET maintain = 'commit'",
    "DELETE FROM lockstep_position",
    "UPDATE lockstep_position SET seq = 100000",
    "UPDATE lockstep_position SET seq = -5",
    "UPDATE lockstep_position SET log = 77",
    "DROP TABLE v_trace",
    "DROP TABLE v_data",
    "DROP TABLE v_state",
    "DROP TABLE lockstep_position",
    "DROP TABLE lockstep_log_1",
    "DROP TABLE lockstep_log_1; CREATE TABLE lockstep_log_1(a)",
    "DROP VIEW v_query",
    "DROP VIEW v_query; CREATE VIEW v_query AS SELECT 1",
    "DROP VIEW v_query; CREATE VIEW v_query AS SELECT k, x, id, x FROM t",
    "DROP TRIGGER lockstep_log_1_insert; DROP TRIGGER lockstep_log_1_delete",
    "DROP TRIGGER lockstep_log_1_update; UPDATE t SET k = 'unlogged'",
    "DROP TABLE v_data; CREATE TABLE v_data(a, b)",
    "DROP TABLE v_trace; CREATE TABLE v_trace(a, b)",
    "DROP INDEX v_data_key",
};
enum { N_DAMAGE = sizeof(damage) / sizeof(*damage) };

/* _i: the damage; done by this connection or while closed, and used before or not. */
START_TEST(damage_is_told_in_a_sentence_and_mended)
{
    for (int which = 0; which < 12; which++) {
        const char *path = live_path();
        sqlite3 *db = live_open(path), *by = db;

        make(db, "MEMORY", which % 3 == 2 ? "maintain=commit," : "");
        fill(db, 50);
        run(db, "INSERT INTO v(lockstep) VALUES('store'); INSERT INTO t(k, x) VALUES('p', 0)");
        if (which & 4)
            must_be_right(db, "v");
        if (which & 8) {
            live_close(db);
            by = live_open_plain(path);
        }
        (void)attempt(by, damage[_i]); /* some can't be done */
        if (which & 8) {
            live_close(by);
            db = live_open(path);
        }
        use_all(db);
        if (attempt(db, "INSERT INTO v(lockstep) VALUES('rebuild')") == SQLITE_OK) {
            ck_assert(is_view_right(db));
            run(db, "UPDATE t SET k = 'after' WHERE id = 5");
            must_be_right(db, "v");
        } else {
            (void)is_view_right(db);
        }
        live_close(db);
        db = live_open(path);
        (void)is_view_right(db);
        if (attempt(db, "DROP TABLE v") != SQLITE_OK)
            ck_abort_msg("DROP: %s", sqlite3_errmsg(db));
        live_close(db);
        live_clean();
    }
}
END_TEST

/* Random bytes in random places. */
START_TEST(random_bytes_in_the_state_crash_nothing)
{
    static const char *const targets[] = {
        "UPDATE v_trace SET v = substr(v, 1, %d) || x'%02x' || substr(v, %d)"
        " WHERE k = (SELECT k FROM v_trace LIMIT 1 OFFSET %d)",
        "UPDATE OR IGNORE v_trace SET k = substr(k, 1, %d) || x'%02x' || substr(k, %d)"
        " WHERE k = (SELECT k FROM v_trace LIMIT 1 OFFSET %d)",
    };
    struct random random = random_new(1000 + (uint64_t)_i);

    for (int round = 0; round < 60; round++) {
        sqlite3 *db = live_open(":memory:");

        make(db, "MEMORY", "");
        fill(db, 30);
        run(db, "INSERT INTO v(lockstep) VALUES('store')");
        for (unsigned i = random_below(&random, 4); i < 5; i++) {
            int at = (int)random_below(&random, 12);

            run(db, targets[random_below(&random, 2)], at, random_below(&random, 256), at + 2,
                random_below(&random, 60));
        }
        run(db, "UPDATE v_state SET token = token + 1"); /* so that what is cached is dropped */
        use_all(db);
        run(db, "INSERT INTO v(lockstep) VALUES('rebuild')");
        must_be_right(db, "v");
        live_close(db);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("readers");
    TCase *tests = tcase_create("readers");

    random_announce();
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, a_read_only_file_is_answered_from_state_and_log, 0, 3);
    tcase_add_test(tests, a_snapshot_behind_the_writer_sees_its_own_moment);
    tcase_add_test(tests, a_lock_that_another_holds_keeps_no_reader_waiting);
    tcase_add_loop_test(tests, connections_that_write_in_turn_all_see_the_same, 0, 8);
    tcase_add_loop_test(tests, damage_is_told_in_a_sentence_and_mended, 0, N_DAMAGE);
    tcase_add_loop_test(tests, random_bytes_in_the_state_crash_nothing, 0, 4);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
