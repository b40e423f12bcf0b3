/* How transactions end, and what comes between: COMMIT refused and tried again, foreign keys
** that are checked at the end, other tables' objections, interrupts, ROLLBACK under open
** cursors, and statements with RETURNING that are not over. Over one table and over several,
** kept at reads and at commits. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/random.h"
#include "tests/suite.h"
#include "tests/worlds.h"

enum { N_WAYS = 2 * N_WORLDS };

static bool at_commits(int way)
{
    return way % 2 == 1;
}

static enum world world_of(int way)
{
    return way / 2 == 0 ? ONE_TABLE : SEVERAL;
}

START_TEST(a_commit_that_is_refused_and_tried_again_stores_once)
{
    for (int which = 0; which < 4; which++) {
        const char *path = live_path();
        sqlite3 *db = world_make(path, at_commits(_i), world_of(_i));
        sqlite3 *other = live_open_plain(path);

        run(db, "BEGIN; INSERT INTO t(k, x) VALUES('p', 50); SAVEPOINT s; DELETE FROM t WHERE "
                "x = 1");
        if (which & 1)
            world_must_be_right(db);
        run(other, "BEGIN; SELECT * FROM t");
        ck_assert_int_eq(attempt(db, "COMMIT") & 0xff, SQLITE_BUSY);
        if (which & 1)
            world_must_be_right(db);
        ck_assert_int_eq(attempt(db, "COMMIT") & 0xff, SQLITE_BUSY);
        run(db, "UPDATE t SET k = 'later' WHERE x = 50");
        world_write(db, world_of(_i), 0);
        if (which & 2)
            run(db, "ROLLBACK TO s");
        if (which & 1)
            world_must_be_right(db);
        run(other, "COMMIT");
        run(db, "COMMIT");
        world_must_be_right(db);
        live_close(other);
        live_close(db);
        db = live_open(path);
        world_must_be_right(db);
        live_close(db);
        live_clean();
    }
}
END_TEST

static void no_pause(bool is_pause)
{
    (void)is_pause;
}

/* What is left of a statement gives the rows that were there when it began, or says that it was
** rolled back. */
static void read_on(struct reader *reader, const char *due)
{
    char *all;
    int rc = reader_close(reader, no_pause, &all);

    if (rc == SQLITE_OK)
        ck_assert_str_eq(all, due);
    else
        ck_assert_int_eq(rc & 0xff, SQLITE_ABORT);
    sqlite3_free(all);
}

/* Some ways in which a transaction goes on, some in which it ends. What is stored in it is taken
** back under the cursors, be that as many rows as before or more. */
START_TEST(a_rollback_under_open_cursors_is_told_or_changes_nothing)
{
    static const char *const ends[] = {"ROLLBACK", "ROLLBACK TO s", "ROLLBACK TO s; COMMIT"};
    static const char *const changes[] = {"INSERT INTO t(k, x) VALUES('b', 61), ('d', 63)",
        "UPDATE t SET x = x + 100, k = 'n' || k"};
    static const char *const stores[N_WORLDS] = {
        "INSERT INTO v(lockstep) VALUES('store'); INSERT INTO f(lockstep) VALUES('store')",
        "INSERT INTO j(lockstep) VALUES('store'); INSERT INTO l(lockstep) VALUES('rebuild');"
        "INSERT INTO b(lockstep) VALUES('store')"};
    static const char *const reads[N_WORLDS][3] = {
        {"SELECT * FROM v", "SELECT * FROM f", "SELECT * FROM f ORDER BY x"},
        {"SELECT * FROM j", "SELECT * FROM l", "SELECT * FROM b"}};

    for (int which = 0; which < 24; which++) {
        enum world world = world_of(_i);
        sqlite3 *db = world_make(":memory:", at_commits(_i), world);
        struct reader readers[3];
        char *due[3];

        run(db, "BEGIN; INSERT INTO t(k, x) VALUES('a', 51); SAVEPOINT s; %s",
            changes[which / 6 % 2]);
        if (which / 12)
            run(db, "%s", stores[world]);
        for (int i = 0; i < 3; i++) {
            due[i] = rows(db, reads[world][i]);
            ck_assert_int_eq(
                reader_open(&readers[i], db, reads[world][i], no_pause), SQLITE_OK);
        }
        run(db, "%s", ends[which % 3]);
        if (which / 3 % 2)
            world_must_be_right(db);
        for (int i = 0; i < 3; i++) {
            read_on(&readers[i], due[i]);
            sqlite3_free(due[i]);
        }
        world_must_be_right(db);
        if (!sqlite3_get_autocommit(db))
            run(db, "ROLLBACK");
        world_must_be_right(db);
        live_close(db);
    }
}
END_TEST

START_TEST(a_commit_that_foreign_keys_refuse_leaves_all_as_it_was)
{
    sqlite3 *db = world_make(":memory:", at_commits(_i), world_of(_i));

    run(db,
        "PRAGMA foreign_keys = ON; CREATE TABLE c(id INTEGER PRIMARY KEY,"
        " t INT REFERENCES t ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);"
        "INSERT INTO c(t) VALUES(1), (2);"
        "CREATE VIRTUAL TABLE w USING lockstep(SELECT c.id, t.x FROM c JOIN t ON t.id = c.t)");
    for (int which = 0; which < 4; which++) {
        run(db, "BEGIN; INSERT INTO c(t) VALUES(77); DELETE FROM t WHERE id = 2");
        if (which & 1)
            world_must_be_right(db);
        ck_assert_int_eq(attempt(db, "COMMIT"), SQLITE_CONSTRAINT_FOREIGNKEY);
        ck_assert_int_eq(sqlite3_get_autocommit(db), 0);
        world_must_be_right(db);
        run(db, "SAVEPOINT s; INSERT INTO t(id, k, x) VALUES(77, 'a', 770)");
        if (which & 1)
            world_must_be_right(db);
        run(db, which & 2 ? "ROLLBACK TO s; ROLLBACK" : "COMMIT; DELETE FROM t WHERE id = 77");
        world_must_be_right(db);
    }
    live_close(db);
}
END_TEST

/* A table of another's that objects to the end of a transaction. */
struct objector {
    sqlite3_vtab base;
    int *rc; /* what xSync and xRollbackTo give */
};

static int objector_connect(
    sqlite3 *db, void *rc, int argc, const char *const *argv, sqlite3_vtab **vtab, char **error)
{
    struct objector *objector = sqlite3_malloc(sizeof(*objector));

    (void)argc;
    (void)argv;
    (void)error;
    memset(objector, 0, sizeof(*objector));
    objector->rc = rc;
    *vtab = &objector->base;
    return sqlite3_declare_vtab(db, "CREATE TABLE x(a)");
}

static int objector_disconnect(sqlite3_vtab *vtab)
{
    sqlite3_free(vtab);
    return SQLITE_OK;
}

static int objector_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    (void)vtab;
    (void)info;
    return SQLITE_CONSTRAINT;
}

static int objector_update(
    sqlite3_vtab *vtab, int argc, sqlite3_value **argv, sqlite3_int64 *rowid)
{
    (void)vtab;
    (void)argc;
    (void)argv;
    *rowid = 1;
    return SQLITE_OK;
}

static int objector_begin(sqlite3_vtab *vtab)
{
    (void)vtab;
    return SQLITE_OK;
}

static int objector_sync(sqlite3_vtab *vtab)
{
    return *((struct objector *)vtab)->rc;
}

static int objector_savepoint(sqlite3_vtab *vtab, int n)
{
    (void)vtab;
    (void)n;
    return SQLITE_OK;
}

static int objector_rollback_to(sqlite3_vtab *vtab, int n)
{
    (void)n;
    return *((struct objector *)vtab)->rc;
}

static const sqlite3_module objector_module = {
    .iVersion = 2,
    .xConnect = objector_connect,
    .xBestIndex = objector_best_index,
    .xDisconnect = objector_disconnect,
    .xUpdate = objector_update,
    .xBegin = objector_begin,
    .xSync = objector_sync,
    .xSavepoint = objector_savepoint,
    .xRollbackTo = objector_rollback_to,
};

/* Its xSync comes before ours, or after it, as it was written before or after a view was read.
** BUSY leaves the transaction open, any other code ends it. */
START_TEST(a_commit_that_another_table_refuses_is_tried_again_or_never_was)
{
    static const int codes[] = {SQLITE_BUSY, SQLITE_ERROR, SQLITE_IOERR};

    for (int which = 0; which < 6; which++) {
        sqlite3 *db = world_make(":memory:", at_commits(_i), world_of(_i));
        int rc = SQLITE_OK;

        ck_assert_int_eq(
            sqlite3_create_module(db, "objector", &objector_module, &rc), SQLITE_OK);
        run(db, "BEGIN");
        if (which % 2)
            run(db, "INSERT INTO objector VALUES(1)");
        run(db, "INSERT INTO t(k, x) VALUES('a', 90); DELETE FROM t WHERE id = 1");
        world_must_be_right(db);
        world_write(db, world_of(_i), 1);
        run(db, "INSERT INTO objector VALUES(1)");
        rc = codes[which / 2];
        ck_assert_int_eq(attempt(db, "COMMIT") & 0xff, rc);
        ck_assert_int_eq(sqlite3_get_autocommit(db), rc != SQLITE_BUSY);
        world_must_be_right(db);
        world_write(db, world_of(_i), 2);
        world_must_be_right(db);
        rc = SQLITE_OK;
        if (!sqlite3_get_autocommit(db))
            run(db, "COMMIT");
        world_must_be_right(db);
        ck_assert_int_eq(number(db, "SELECT count(*) FROM t WHERE x = 90"), which / 2 == 0);
        live_close(db);
    }
}
END_TEST

/* SQLite stops at the first table that does not roll back, and tells ours nothing. */
START_TEST(what_another_table_can_not_roll_back_to_a_savepoint_is_right_after_a_rollback)
{
    sqlite3 *db = world_make(":memory:", at_commits(_i), world_of(_i));
    int rc = SQLITE_OK;

    ck_assert_int_eq(sqlite3_create_module(db, "objector", &objector_module, &rc), SQLITE_OK);
    run(db, "BEGIN; INSERT INTO objector VALUES(1); INSERT INTO t(k, x) VALUES('a', 50)");
    world_must_be_right(db);
    run(db, "SAVEPOINT s; INSERT INTO objector VALUES(1); INSERT INTO t(k, x) VALUES('a', 51)");
    world_must_be_right(db);
    rc = SQLITE_ERROR;
    ck_assert_int_eq(attempt(db, "ROLLBACK TO s"), rc);
    run(db, "INSERT INTO t(k, x) VALUES('b', 61); ROLLBACK");
    world_must_be_right(db);
    run(db, "INSERT INTO t(k, x) VALUES('c', 71), ('c', 72)");
    world_must_be_right(db);
    live_close(db);
}
END_TEST

static int count_down(void *left)
{
    return --*(int *)left <= 0;
}

/* Interrupted after ever more steps of SQLite, until it is not interrupted any more. */
static void interrupt(int way, const char *before, const char *sql, struct random *random)
{
    int rc = SQLITE_INTERRUPT;

    for (int n = 1; rc != SQLITE_OK; n += 1 + (int)random_below(random, 4 * (unsigned)n)) {
        sqlite3 *db = world_make(":memory:", at_commits(way), world_of(way));
        int left = n;

        run(db, "%s", before);
        sqlite3_progress_handler(db, 4, count_down, &left);
        rc = attempt(db, sql);
        sqlite3_progress_handler(db, 0, NULL, NULL);
        if (rc != SQLITE_OK)
            ck_assert_int_eq(rc, SQLITE_INTERRUPT);
        world_must_be_right(db);
        world_write(db, world_of(way), 0);
        world_must_be_right(db);
        if (!sqlite3_get_autocommit(db))
            run(db, n % 2 ? "COMMIT" : "ROLLBACK");
        world_must_be_right(db);
        live_close(db);
    }
}

static const struct {
    const char *before;
    const char *sql;
} interrupted[] = {
    {"INSERT INTO t(k, x) VALUES('a', 90), ('b', 91)", "SELECT * FROM v; SELECT * FROM f"},
    {"UPDATE t SET k = 'b'", "INSERT INTO v(lockstep) VALUES('store')"},
    {"UPDATE t SET k = 'b'", "INSERT INTO v(lockstep) VALUES('rebuild')"},
    {"BEGIN; UPDATE t SET x = -x; SELECT * FROM v; DELETE FROM t WHERE id = 1", "COMMIT"},
    {"BEGIN; SAVEPOINT s; UPDATE t SET x = -x", "SELECT * FROM v; ROLLBACK TO s"},
    {"DELETE FROM t WHERE id = 1", "UPDATE t SET x = -x; REPLACE INTO t(k, x) VALUES('n', -4)"},
};
enum { N_INTERRUPTED = sizeof(interrupted) / sizeof(*interrupted) };

START_TEST(an_interrupt_makes_no_view_wrong)
{
    struct random random = random_new((uint64_t)_i);
    int which = _i / N_WAYS;

    interrupt(_i % N_WAYS, interrupted[which].before, interrupted[which].sql, &random);
}
END_TEST

/* A statement with RETURNING has written all its rows when it gives the first. Until it has
** given the last it counts as one that writes. */
START_TEST(statements_with_returning_that_are_not_over_hide_nothing)
{
    static const char *const returning[] = {
        "INSERT INTO t(k, x) VALUES('a', 80), ('b', 81) RETURNING x, (SELECT sum(n) FROM v)",
        "UPDATE t SET k = 'a' RETURNING id, (SELECT count(*) FROM f)",
        "DELETE FROM t WHERE id < 4 RETURNING k"};
    static const char *const ends[] = {"", "ROLLBACK TO s", "RELEASE s", "ROLLBACK"};

    for (int which = 0; which < 6; which++) {
        sqlite3 *db = world_make(":memory:", at_commits(_i), world_of(_i));
        sqlite3_stmt *statement;

        run(db, "BEGIN; INSERT INTO t(k, x) VALUES('c', 70); SAVEPOINT s");
        ck_assert_int_eq(
            sqlite3_prepare_v2(db, returning[which % 3], -1, &statement, NULL), SQLITE_OK);
        ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
        world_must_be_right(db);
        world_write(db, world_of(_i), 4);
        world_must_be_right(db);
        (void)attempt(
            db, ends[(which / 3 + _i) % 4]); /* SQLite may refuse it for the statement */
        world_must_be_right(db);
        while (sqlite3_step(statement) == SQLITE_ROW)
            world_must_be_right(db);
        sqlite3_finalize(statement);
        world_must_be_right(db);
        world_write(db, world_of(_i), 0);
        world_must_be_right(db);
        if (!sqlite3_get_autocommit(db))
            run(db, "COMMIT");
        world_must_be_right(db);
        live_close(db);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("endings");
    TCase *tests = tcase_create("endings");

    random_announce();
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, a_commit_that_is_refused_and_tried_again_stores_once, 0, N_WAYS);
    tcase_add_loop_test(
        tests, a_rollback_under_open_cursors_is_told_or_changes_nothing, 0, N_WAYS);
    tcase_add_loop_test(
        tests, a_commit_that_foreign_keys_refuse_leaves_all_as_it_was, 0, N_WAYS);
    tcase_add_loop_test(
        tests, a_commit_that_another_table_refuses_is_tried_again_or_never_was, 0, N_WAYS);
    tcase_add_loop_test(tests,
        what_another_table_can_not_roll_back_to_a_savepoint_is_right_after_a_rollback, 0,
        N_WAYS);
    tcase_add_loop_test(tests, an_interrupt_makes_no_view_wrong, 0, N_WAYS * N_INTERRUPTED);
    tcase_add_loop_test(
        tests, statements_with_returning_that_are_not_over_hide_nothing, 0, N_WAYS);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
