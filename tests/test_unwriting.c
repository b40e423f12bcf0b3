/* Readers that can't write, or may not: each in each state that a view can be in, over one
** table and several, is right at once, and never begins to write. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tests/worlds.h"

/* What becomes of the file before it is read, by a program without the extension. */
static const char *const states[] = {
    "SELECT 1",
    "UPDATE t SET x = -x; INSERT INTO t(k, x) VALUES('a', 50); UPDATE u SET z = z + 1",
    "REPLACE INTO t(id, k, x) VALUES(1, 'b', 3); DELETE FROM u WHERE z = 6",
    "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 30000)"
    " INSERT INTO t(k, x) SELECT 'many', 100 + i FROM i; DELETE FROM t WHERE k = 'many';"
    "UPDATE t SET x = -x",
    "UPDATE v_state SET dirty = 1; UPDATE f_state SET dirty = 1; UPDATE t SET x = x + 100",
    "ALTER TABLE t ADD COLUMN more; UPDATE t SET more = x, x = x + 100",
    "DROP TRIGGER lockstep_log_1_update; UPDATE t SET x = x + 100",
};
enum { N_STATES = sizeof(states) / sizeof(*states) };

/* SQLite asks for the first when it connects any virtual table. */
static int deny_writes(void *ctx, int action, const char *table, const char *column,
    const char *schema, const char *by)
{
    bool writes = action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE;

    (void)ctx, (void)column, (void)schema, (void)by;
    return writes && strcmp(table, "sqlite_master") != 0 ? SQLITE_DENY : SQLITE_OK;
}

enum barred_reader {
    BY_URI,
    IMMUTABLE,
    READONLY,
    QUERY_ONLY,
    UNAUTHORIZED,
    LOCKED_OUT,
    N_READERS
};

static sqlite3 *open_reader(const char *path, enum barred_reader reader)
{
    static const char *const uris[] = {"file:%s?mode=ro", "file:%s?immutable=1"};
    char uri[120];
    sqlite3 *db;

    snprintf(uri, sizeof(uri), reader <= IMMUTABLE ? uris[reader] : "%s", path);
    db = live_open_as(uri,
        reader == READONLY ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    ck_assert_int_eq(sqlite3_lockstep_init(db, NULL, NULL), SQLITE_OK);
    sqlite3_busy_timeout(db, 60000);
    if (reader == QUERY_ONLY)
        run(db, "PRAGMA query_only = ON");
    if (reader == UNAUTHORIZED)
        sqlite3_set_authorizer(db, deny_writes, NULL);
    return db;
}

/* Reads alone, and in a transaction, which stays one that reads. */
static void must_read_right(sqlite3 *db)
{
    world_must_be_right(db);
    run(db, "BEGIN");
    world_must_be_right(db);
    ck_assert_int_eq(sqlite3_txn_state(db, NULL), SQLITE_TXN_READ);
    run(db, "COMMIT");
    world_must_be_right(db);
}

START_TEST(a_reader_that_can_not_write_is_right_whatever_is_pending)
{
    enum barred_reader reader = (enum barred_reader)(_i / N_STATES);
    const char *path = live_path();
    sqlite3 *db = world_make(path, false, SEVERAL), *writer;

    world_must_be_right(db);
    live_close(db);
    writer = live_open_plain(path);
    run(writer, "PRAGMA journal_mode = %s",
        reader != IMMUTABLE && _i % 2 ? "WAL" : "DELETE"); /* the former has a log of its own */
    run(writer, "%s", states[_i % N_STATES]);
    if (reader == LOCKED_OUT)
        run(writer, "BEGIN IMMEDIATE");
    db = open_reader(path, reader);
    must_read_right(db);
    if (reader == LOCKED_OUT)
        run(writer, "COMMIT");
    if (reader != IMMUTABLE) { /* which says that nobody does this */
        run(writer, "INSERT INTO t(k, x) VALUES('c', 777); DELETE FROM u WHERE z = 5");
        must_read_right(db);
    }
    live_close(db);
    live_close(writer);
}
END_TEST

/* Another user's file in a folder where no journal can be made. Only root can become
** another. */
START_TEST(a_reader_in_a_folder_that_it_can_not_write_is_right)
{
    char folder[] = "/tmp/lockstep-XXXXXX", path[64];
    int status = 0;
    pid_t child;
    sqlite3 *db;

    if (geteuid() != 0)
        return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/a.db", folder);
    db = world_make(path, false, SEVERAL);
    run(db, "%s", states[_i]);
    live_close(db);
    ck_assert_int_eq(chmod(path, 0666) | chmod(folder, 0555), 0);
    child = fork();
    if (child == 0) {
        if (setuid(65534) != 0)
            _exit(2);
        db = live_open(path);
        must_read_right(db);
        must_read_right(db);
        live_close(db);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    unlink(path);
    rmdir(folder);
    ck_assert_int_eq(status, 0);
}
END_TEST

/* While a transaction reads, others write and store; it sees what it saw, and lets them. */
START_TEST(a_transaction_that_reads_sees_one_moment_while_others_write_and_store)
{
    const char *path = live_path();
    sqlite3 *writer = live_open(path), *db;

    run(writer, "PRAGMA journal_mode = WAL");
    live_close(writer);
    writer = world_make(path, false, SEVERAL);
    run(writer, "%s", states[_i]);
    db = live_open(path);
    run(db, "BEGIN; SELECT * FROM t");
    for (unsigned n = 0; n < 6; n++) {
        if (n % 2)
            world_must_be_right(db);
        world_write(writer, SEVERAL, n);
        world_must_be_right(writer);
        run(writer, "INSERT INTO %s(lockstep) VALUES('%s')", n < 3 ? "j" : "v",
            n % 3 ? "store" : "rebuild");
        world_must_be_right_one(db, SEVERAL, n);
    }
    ck_assert_int_eq(sqlite3_txn_state(db, NULL), SQLITE_TXN_READ);
    run(db, "COMMIT");
    world_must_be_right(db);
    live_close(db);
    live_close(writer);
}
END_TEST

/* There where SQLite was compiled with them. */
int sqlite3_snapshot_get(sqlite3 *, const char *, sqlite3_snapshot **) __attribute__((weak));
int sqlite3_snapshot_open(sqlite3 *, const char *, sqlite3_snapshot *) __attribute__((weak));
void sqlite3_snapshot_free(sqlite3_snapshot *) __attribute__((weak));

/* A connection goes back to snapshots that it has seen, from newer ones, whatever was stored
** since. */
START_TEST(a_connection_that_goes_back_to_an_older_snapshot_sees_that)
{
    enum { N = 6 };
    const char *path = live_path();
    sqlite3 *writer = live_open(path), *db;
    sqlite3_snapshot *snapshots[N];

    run(writer, "PRAGMA journal_mode = WAL");
    live_close(writer);
    writer = world_make(path, false, SEVERAL);
    if (sqlite3_snapshot_get == NULL) {
        live_close(writer);
        return;
    }
    run(writer, "PRAGMA wal_autocheckpoint = 0");
    db = live_open(path);
    for (unsigned n = 0; n < N; n++) {
        world_write(writer, SEVERAL, n + (unsigned)_i);
        if ((n + (unsigned)_i) % 3 == 2)
            run(writer, "INSERT INTO v(lockstep) VALUES('store');"
                        "INSERT INTO j(lockstep) VALUES('store')");
        run(db, "BEGIN; SELECT * FROM t");
        ck_assert_int_eq(sqlite3_snapshot_get(db, "main", &snapshots[n]), SQLITE_OK);
        world_must_be_right(db);
        run(db, "COMMIT");
    }
    for (unsigned n = 0; n < 3 * N; n++) {
        run(db, "BEGIN");
        ck_assert_int_eq(sqlite3_snapshot_open(db, "main", snapshots[n * 5 % N]), SQLITE_OK);
        world_must_be_right(db);
        run(db, "COMMIT");
        if (n % 4 == 3)
            world_must_be_right(db);
    }
    for (unsigned n = 0; n < N; n++)
        sqlite3_snapshot_free(snapshots[n]);
    live_close(db);
    live_close(writer);
}
END_TEST

static const char *const read_by_key[] = {"SELECT n FROM v WHERE k = 'a'",
    "SELECT x FROM b LIMIT 1", "SELECT count(*) FROM j WHERE z = 7"};

/* What is pending is taken in once, and after that only what has come. */
START_TEST(a_reader_that_can_not_store_pays_for_each_change_once)
{
    const char *path = live_path();
    sqlite3 *writer = world_make(path, false, SEVERAL), *db;
    long first, again, next;

    run(writer,
        "WITH RECURSIVE i(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM i WHERE i < 5000)"
        " INSERT INTO t(k, x) SELECT 'k' || i, 100 + i FROM i");
    db = open_reader(path, READONLY);
    live_count_begin(db);
    number(db, "%s", read_by_key[_i]);
    first = live_count_end(db);
    live_count_begin(db);
    number(db, "%s", read_by_key[_i]);
    again = live_count_end(db);
    run(writer, "INSERT INTO t(k, x) VALUES('a', 77)");
    live_count_begin(db);
    number(db, "%s", read_by_key[_i]);
    next = live_count_end(db);
    ck_assert_int_lt(20 * again, first);
    ck_assert_int_lt(20 * next, first);
    world_must_be_right(db);
    live_close(db);
    live_close(writer);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unwriting");
    TCase *tests = tcase_create("unwriting");

    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, a_reader_that_can_not_write_is_right_whatever_is_pending, 0,
        N_READERS * N_STATES);
    tcase_add_loop_test(
        tests, a_reader_in_a_folder_that_it_can_not_write_is_right, 0, N_STATES);
    tcase_add_loop_test(tests,
        a_transaction_that_reads_sees_one_moment_while_others_write_and_store, 0, N_STATES);
    tcase_add_loop_test(
        tests, a_connection_that_goes_back_to_an_older_snapshot_sees_that, 0, 3);
    tcase_add_loop_test(tests, a_reader_that_can_not_store_pays_for_each_change_once, 0, 3);
    tcase_set_timeout(tests, 50);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
