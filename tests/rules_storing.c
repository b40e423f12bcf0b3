/* Rules 4, 5 and 10: when a read stores, when a commit does, and what happens where it
** can't. */
#include "tests/rules.h"

/* Of policy.c: rows at which a read stores in WAL and in memory, with a rollback journal, and
** in a write transaction. */
enum { CHEAP = 4000, JOURNAL = 8000, TRANSACTION = 20000 };

static bool is_stored(sqlite3 *db)
{
    return log_length(db) == 0;
}

static sqlite3 *in_file(const char *path, const char *mode)
{
    sqlite3 *db = live_open(path);

    run(db, "PRAGMA journal_mode = %s", mode);
    make_table(db);
    /* Without min: then what is pending is as much as there are rows in the log. */
    run(db, "CREATE VIRTUAL TABLE v USING lockstep(SELECT k, count(*) AS n, sum(x) AS total,"
            " avg(y) AS mean FROM t GROUP BY k)");
    return db;
}

START_TEST(a_read_stores_past_the_threshold_of_the_journal_mode)
{
    static const struct {
        const char *mode;
        int threshold;
    } cases[] = {{"WAL", CHEAP}, {"DELETE", JOURNAL}, {"TRUNCATE", JOURNAL}};
    sqlite3 *db = in_file(live_path(), cases[_i].mode);

    fill(db, cases[_i].threshold - 1);
    must_be_right(db, "v");
    ck_assert(!is_stored(db));
    fill(db, 1);
    must_be_right(db, "v");
    ck_assert(is_stored(db));
    must_be_right(db, "v");
    fill(db, 10);
    must_be_right(db, "v");
    ck_assert(!is_stored(db));
    live_close(db);
}
END_TEST

START_TEST(a_read_does_not_store_while_another_statement_is_open)
{
    sqlite3 *db = in_file(live_path(), "WAL");
    sqlite3_stmt *statement;

    fill(db, CHEAP);
    ck_assert_int_eq(
        sqlite3_prepare_v2(db, "SELECT * FROM t", -1, &statement, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
    must_be_right(db, "v");
    ck_assert(!is_stored(db));
    ck_assert_int_eq(sqlite3_finalize(statement), SQLITE_OK);
    must_be_right(db, "v");
    ck_assert(is_stored(db));
    live_close(db);
}
END_TEST

START_TEST(a_read_transaction_never_becomes_a_write_transaction)
{
    sqlite3 *db = in_file(live_path(), _i == 0 ? "WAL" : "DELETE");

    fill(db, 3 * TRANSACTION / 2);
    run(db, "BEGIN");
    must_be_right(db, "v");
    ck_assert_int_eq(sqlite3_txn_state(db, "main"), SQLITE_TXN_READ);
    ck_assert(!is_stored(db));
    run(db, "COMMIT; SAVEPOINT s");
    must_be_right(db, "v");
    ck_assert_int_eq(sqlite3_txn_state(db, "main"), SQLITE_TXN_READ);
    run(db, "RELEASE s");
    must_be_right(db, "v");
    ck_assert(is_stored(db));
    live_close(db);
}
END_TEST

/* A write transaction's own reads bound the overlay; its end decides what stays. */
START_TEST(a_read_in_a_large_write_transaction_stores_and_a_rollback_undoes_that)
{
    static const char *const ends[] = {"COMMIT", "ROLLBACK", "ROLLBACK TO s; COMMIT"};
    sqlite3 *db = in_file(live_path(), "DELETE");

    fill(db, 10);
    must_be_right(db, "v");
    run(db, "BEGIN; UPDATE t SET x = x + 1; SAVEPOINT s");
    must_be_right(db, "v");
    fill(db, TRANSACTION);
    must_be_right(db, "v");
    ck_assert(is_stored(db));
    fill(db, 10);
    must_be_right(db, "v");
    run(db, "%s", ends[_i]);
    must_be_right(db, "v");
    fill(db, 10);
    must_be_right(db, "v");
    live_close(db);
}
END_TEST

/* The other connection holds the write lock. */
START_TEST(a_store_that_finds_the_lock_taken_keeps_the_overlay_and_backs_off)
{
    const char *path = live_path();
    sqlite3 *db = in_file(path, "WAL");
    sqlite3 *other = live_open_plain(path);

    fill(db, CHEAP);
    run(other, "BEGIN IMMEDIATE; INSERT INTO t(k, x) VALUES('other', 1)");
    must_be_right(db, "v");
    ck_assert(!is_stored(db));
    run(other, "ROLLBACK");
    must_be_right(db, "v");
    ck_assert(!is_stored(db)); /* what is pending has not grown */
    fill(db, CHEAP / 8 - 10);
    must_be_right(db, "v");
    ck_assert(!is_stored(db));
    fill(db, 10);
    must_be_right(db, "v");
    ck_assert(is_stored(db));
    live_close(other);
    live_close(db);
}
END_TEST

/* A reader elsewhere makes the commit of a rollback journal fail. */
START_TEST(a_store_whose_commit_is_refused_leaves_no_transaction_open)
{
    const char *path = live_path();
    sqlite3 *db = in_file(path, "DELETE");
    sqlite3 *other = live_open_plain(path);

    fill(db, JOURNAL);
    run(other, "BEGIN; SELECT * FROM t");
    must_be_right(db, "v");
    ck_assert_int_eq(sqlite3_txn_state(db, "main"), SQLITE_TXN_NONE);
    ck_assert_int_ne(sqlite3_get_autocommit(db), 0);
    ck_assert(!is_stored(db));
    run(other, "COMMIT");
    fill(db, JOURNAL);
    must_be_right(db, "v");
    ck_assert(is_stored(db));
    live_close(other);
    live_close(db);
}
END_TEST

static int refuse(void *ctx)
{
    (void)ctx;
    return 1;
}

/* A commit hook of the user's that says no. It is told of what reads store, too. */
START_TEST(a_commit_hook_that_refuses_a_store_fails_no_read)
{
    static const char *const modes[] = {"WAL", "DELETE"};
    sqlite3 *db = in_file(live_path(), modes[_i]);

    fill(db, JOURNAL);
    sqlite3_commit_hook(db, refuse, NULL);
    must_be_right(db, "v");
    ck_assert(!is_stored(db));
    sqlite3_commit_hook(db, NULL, NULL);
    run(db, "DROP TRIGGER lockstep_log_1_insert; INSERT INTO t(k, x) VALUES('unseen', 1)");
    sqlite3_commit_hook(db, refuse, NULL);
    must_be_right(db, "v");
    ck_assert_int_ne(sqlite3_get_autocommit(db), 0);
    sqlite3_commit_hook(db, NULL, NULL);
    must_be_right(db, "v");
    must_be_right(db, "v"); /* one read is let pass before it is tried again */
    ck_assert(is_stored(db));
    live_close(db);
}
END_TEST

/* The default of the sqlite3 shell: a connection for each command, and a rollback journal. */
START_TEST(short_lived_connections_in_the_default_journal_mode_store_too)
{
    const char *path = live_path();
    sqlite3_int64 longest = 0;

    live_close(in_file(path, "DELETE"));
    for (int i = 0; i < 40; i++) {
        sqlite3 *db = live_open(path);

        fill(db, 1000);
        must_be_right(db, "v");
        if (log_length(db) > longest)
            longest = log_length(db);
        live_close(db);
    }
    ck_assert_int_le(longest, JOURNAL + 1000);
}
END_TEST

START_TEST(writers_without_the_extension_are_stored_by_the_next_reader)
{
    const char *path = live_path();
    sqlite3 *plain;
    sqlite3 *db;

    live_close(in_file(path, "DELETE"));
    plain = live_open_plain(path);
    fill(plain, JOURNAL);
    run(plain, "UPDATE t SET k = 'p' WHERE id %% 10 = 0");
    live_close(plain);
    db = live_open(path);
    must_be_right(db, "v");
    ck_assert(is_stored(db));
    must_agree(db, "SELECT k, n, total, mean FROM v_data", "SELECT * FROM v_query");
    live_close(db);
}
END_TEST

/* What a cursor has still to give, from the row that it stands on, if it does. */
static char *rest(sqlite3_stmt *statement, int code)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendf(text, "the rest:\n");
    while (code == SQLITE_ROW) {
        sqlite3_str_appendf(text, "%s %s\n", sqlite3_column_text(statement, 0),
            sqlite3_column_text(statement, 1));
        code = sqlite3_step(statement);
    }
    return sqlite3_str_finish(text);
}

static const struct {
    const char *before; /* once the view has been read */
    const char *during; /* with the cursor open */
    bool may_abort;     /* SQLite ends statements that a rollback overtakes */
} cursor_cases[] = {
    {"", "UPDATE t SET x = x + 1000, k = 'new' || k; SELECT * FROM v", false},
    {"", "DELETE FROM t; SELECT * FROM v; INSERT INTO t(k) VALUES('a'); SELECT * FROM v",
        false},
    {"UPDATE t SET x = x + 7", "INSERT INTO v(lockstep) VALUES('store')", false},
    {"UPDATE t SET k = 'm' || k WHERE id % 2",
        "INSERT INTO v(lockstep) VALUES('store'); DELETE FROM t; SELECT * FROM v", false},
    {"BEGIN; UPDATE t SET k = 'z' || k WHERE id < 50", "COMMIT", false},
    {"BEGIN; UPDATE t SET k = 'z' || k WHERE id < 50", "COMMIT; DELETE FROM t; SELECT * FROM v",
        false},
    {"BEGIN; DELETE FROM t WHERE id < 50; SAVEPOINT s; DELETE FROM t WHERE id < 70",
        "ROLLBACK TO s; SELECT * FROM v", true},
    {"BEGIN; SAVEPOINT s; INSERT INTO t(k, x) VALUES('s', 1)",
        "INSERT INTO t(k, x) VALUES('q', 2); SELECT * FROM v; RELEASE s; SELECT * FROM v",
        false},
    {"BEGIN; INSERT INTO t(k, x) VALUES('s', 1)", "ROLLBACK", true},
    {"BEGIN; SAVEPOINT s; INSERT INTO t(k, x) VALUES('s', 1); INSERT INTO v(lockstep) VALUES"
     "('store'); INSERT INTO f(lockstep) VALUES('store')",
        "ROLLBACK TO s", true},
};

/* A view whose rows are not one a group, so that copies count too, and the usual one. */
static const char *const cursor_queries[] = {
    "SELECT k, n FROM v",
    "SELECT k, x FROM f",
};

START_TEST(an_open_cursor_never_changes_what_it_sees)
{
    for (size_t i = 0; i < 2; i++)
        for (int taken = 1; taken < 40; taken += 9) {
            sqlite3 *db = live_open(":memory:");
            sqlite3_stmt *statement, *reference;
            char *due, *given;
            int code = SQLITE_ROW;

            make_table(db);
            fill(db, 60);
            make_view(db, "v", _i % 2 ? "maintain=commit," : "");
            run(db, "CREATE VIRTUAL TABLE f USING lockstep(SELECT k, x FROM t WHERE x > 2)");
            run(db, "INSERT INTO t(k, x) VALUES('a', 3), ('a', 3), ('b', 9); SELECT * FROM f;"
                    "SELECT * FROM v");
            run(db, "%s", cursor_cases[_i].before);
            ck_assert_int_eq(
                sqlite3_prepare_v2(db, cursor_queries[i], -1, &statement, NULL), SQLITE_OK);
            ck_assert_int_eq(
                sqlite3_prepare_v2(db, cursor_queries[i], -1, &reference, NULL), SQLITE_OK);
            for (int j = 0; j < taken && code == SQLITE_ROW; j++) {
                code = sqlite3_step(statement);
                ck_assert_int_eq(sqlite3_step(reference), code);
            }
            due = rest(reference, code);
            ck_assert_int_eq(sqlite3_finalize(reference), SQLITE_OK);
            run(db, "%s", cursor_cases[_i].during);
            given = rest(statement, code);
            code = sqlite3_finalize(statement);
            if (code == SQLITE_OK)
                ck_assert_str_eq(given, due);
            else
                ck_assert(cursor_cases[_i].may_abort && code == SQLITE_ABORT_ROLLBACK);
            sqlite3_free(due);
            sqlite3_free(given);
            if (!sqlite3_get_autocommit(db))
                run(db, "COMMIT");
            must_be_right(db, "v");
            must_be_right(db, "f");
            live_close(db);
        }
}
END_TEST

/* Rule 5. */

/* Makes storing fail without touching what is read: a trigger on the shadow table. */
static void break_storing(sqlite3 *db)
{
    run(db, "CREATE TRIGGER stop AFTER UPDATE ON v_data BEGIN SELECT raise(ABORT, 'no'); END;"
            "CREATE TRIGGER stop_insert AFTER INSERT ON v_data BEGIN"
            " SELECT raise(ABORT, 'no'); END");
}

START_TEST(a_commit_goes_on_where_a_store_fails_and_the_view_is_made_anew_later)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "maintain=commit,");
    must_be_right(db, "v");
    break_storing(db);
    run(db, "INSERT INTO t(k, x, y) VALUES('new', 1, 1)");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM t WHERE k = 'new'"), 1);
    ck_assert_int_eq(number(db, "SELECT dirty FROM v_state"), 1);
    run(db, "BEGIN; UPDATE t SET x = x + 1; COMMIT");
    must_say(db, "lockstep: view v: ", "SELECT * FROM v");
    run(db, "DROP TRIGGER stop; DROP TRIGGER stop_insert");
    must_be_right(db, "v");
    run(db, "UPDATE t SET x = x + 1");
    must_be_right(db, "v");
    ck_assert_int_eq(number(db, "SELECT dirty FROM v_state"), 0);
    must_agree(db, "SELECT k, n, total, mean, least FROM v_data", "SELECT * FROM v_query");
    live_close(db);
}
END_TEST

START_TEST(a_commit_goes_on_where_the_state_is_damaged)
{
    static const char *const damage[] = {
        "UPDATE v_trace SET v = x'00'",
        "UPDATE v_trace SET v = x'ffffffffffffffffffff'",
        "UPDATE v_data SET lockstep_weight = 0",
        "UPDATE v_data SET lockstep_weight = -5",
        "UPDATE v_data SET k = 'b'",
        "DELETE FROM v_state",
        "DROP TABLE v_trace",
        "DROP TABLE v_data",
        "DROP TABLE v_state",
        "DROP TABLE lockstep_position",
    };
    sqlite3 *db = live_open(":memory:");

    if (_i >= (int)(sizeof(damage) / sizeof(*damage))) {
        live_close(db);
        return;
    }
    make_table(db);
    make_view(db, "v", "maintain=commit,");
    run(db, "%s", damage[_i]);
    run(db, "INSERT INTO t(k, x, y) VALUES('new', 1, 1)");
    run(db, "BEGIN; UPDATE t SET x = x + 1, k = 'b' WHERE k = 'a'; COMMIT");
    ck_assert_int_eq(number(db, "SELECT count(*) FROM t WHERE k = 'new'"), 1);
    ck_assert_int_eq(number(db, "SELECT count(*) FROM t WHERE k = 'a'"), 0);
    live_close(db);
}
END_TEST

/* An interrupt may come at any moment of a commit that stores: then it fails as a whole, or
** goes through as a whole. */
static int n_until_interrupt;

static int count_down(void *ctx)
{
    (void)ctx;
    return n_until_interrupt > 0 && --n_until_interrupt == 0;
}

START_TEST(an_interrupted_commit_is_whole_or_not_at_all)
{
    sqlite3 *db = live_open(":memory:");
    bool is_interrupted = true;

    make_table(db);
    make_view(db, "v", "maintain=commit,");
    for (int n = 1; is_interrupted && n < 3000; n++) {
        sqlite3_int64 before = number(db, "SELECT count(*) FROM t"), after;
        int rc;

        run(db, "BEGIN; INSERT INTO t(k, x, y) VALUES('new', %d, 1), ('a', 2, 2)", n);
        n_until_interrupt = n;
        sqlite3_progress_handler(db, 1, count_down, NULL);
        rc = attempt(db, "COMMIT");
        is_interrupted = n_until_interrupt == 0;
        sqlite3_progress_handler(db, 0, NULL, NULL);
        if (rc != SQLITE_OK && !sqlite3_get_autocommit(db))
            run(db, "ROLLBACK");
        after = number(db, "SELECT count(*) FROM t");
        /* SQLite itself may report an interrupt that came when all was done. */
        ck_assert_msg(after == before + 2 || (rc != SQLITE_OK && after == before),
            "COMMIT gives %d, interrupted at %d: %lld rows, then %lld", rc, n,
            (long long)before, (long long)after);
        must_be_right(db, "v");
    }
    ck_assert(!is_interrupted);
    live_close(db);
}
END_TEST

START_TEST(an_interrupted_read_gives_an_error_or_the_right_rows)
{
    sqlite3 *db = live_open(":memory:");
    bool is_interrupted = true;

    make_table(db);
    make_view(db, "v", "");
    run(db, "CREATE UNIQUE INDEX unique_x ON t(x)");
    for (int n = 1; is_interrupted && n < 3000; n++) {
        sqlite3_stmt *statement;

        if (n % 3 > 0)
            run(db, "BEGIN");
        run(db, "INSERT OR REPLACE INTO t(id, k, x, y) VALUES(%d, 'new', %d, 1)", n % 9, n % 5);
        ck_assert_int_eq(
            sqlite3_prepare_v2(db, "SELECT * FROM v", -1, &statement, NULL), SQLITE_OK);
        n_until_interrupt = n;
        sqlite3_progress_handler(db, 1, count_down, NULL);
        while (sqlite3_step(statement) == SQLITE_ROW)
            ;
        is_interrupted = n_until_interrupt == 0;
        sqlite3_progress_handler(db, 0, NULL, NULL);
        sqlite3_finalize(statement);
        must_be_right(db, "v");
        if (!sqlite3_get_autocommit(db))
            run(db, n % 2 ? "COMMIT" : "ROLLBACK");
        must_be_right(db, "v");
    }
    ck_assert(!is_interrupted);
    live_close(db);
}
END_TEST

/* Rule 10: what is to be made anew is answered by the query where that can't be written. */
START_TEST(a_dirty_view_is_answered_by_its_query_until_it_can_be_made_anew)
{
    const char *path = live_path();
    sqlite3 *db = in_file(path, "DELETE");

    fill(db, 100);
    run(db, "UPDATE v_state SET dirty = 1; DELETE FROM v_data");
    live_close(db);
    db = live_open(path);
    run(db, "BEGIN; SELECT * FROM t");
    must_be_right(db, "v");
    ck_assert_int_eq(number(db, "SELECT dirty FROM v_state"), 1);
    run(db, "COMMIT");
    must_be_right(db, "v");
    ck_assert_int_eq(number(db, "SELECT dirty FROM v_state"), 0);
    must_agree(db, "SELECT k, n, total, mean FROM v_data", "SELECT * FROM v_query");
    live_close(db);
}
END_TEST

START_TEST(the_list_of_views_shows_what_is_pending)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "");
    make_view(db, "w", "maintain=commit,");
    fill(db, 10);
    must_be_right(db, "v");
    must_agree(db, "SELECT name, pending, dirty FROM lockstep_views",
        "SELECT 'v', 10, 0 UNION ALL SELECT 'w', 0, 0");
    run(db, "INSERT INTO v(lockstep) VALUES('store')");
    must_agree(db, "SELECT name, pending, rows FROM lockstep_views",
        "SELECT 'v', 0, (SELECT count(*) FROM v_query) UNION ALL"
        " SELECT 'w', 0, (SELECT count(*) FROM w_query)");
    live_close(db);
}
END_TEST

/* DML leaves both alone; last_insert_rowid is the user's whatever a read does. */
START_TEST(changes_and_last_insert_rowid_stay_the_users)
{
    sqlite3 *db = live_open(":memory:");

    make_table(db);
    make_view(db, "v", "maintain=commit,");
    make_view(db, "w", "");
    run(db, "INSERT INTO t(id, k) VALUES(700, 'u')");
    ck_assert_int_eq(sqlite3_last_insert_rowid(db), 700);
    ck_assert_int_eq(sqlite3_changes(db), 1);
    run(db, "UPDATE t SET x = 1 WHERE id < 3");
    ck_assert_int_eq(sqlite3_changes(db), 2);
    must_be_right(db, "w");
    run(db, "BEGIN; INSERT INTO t(id, k) VALUES(800, 'u')");
    must_be_right(db, "w");
    must_be_right(db, "v");
    ck_assert_int_eq(sqlite3_last_insert_rowid(db), 800);
    run(db, "COMMIT; INSERT INTO w(lockstep) VALUES('rebuild')");
    ck_assert_int_eq(sqlite3_last_insert_rowid(db), 800);
    live_close(db);
}
END_TEST

/* Rule 5. SQLite rolls all back where the disk is full, and drops its schema with every view
** in it where a table was created; _i is how many pages there may be beyond those that there
** are. */
START_TEST(a_commit_finds_the_disk_full_after_the_schema_changed)
{
    sqlite3 *db = live_open(live_path());
    int rc;

    make_table(db);
    for (int i = 0; i < 3; i++) {
        char *name = sqlite3_mprintf("v%d", i);

        make_view(db, name, "maintain=commit,");
        sqlite3_free(name);
    }
    fill(db, 100);
    run(db, "BEGIN; CREATE TABLE another(a)");
    fill(db, 1000);
    run(db, "UPDATE t SET k = k || 'with a longer name, so that pages are needed'");
    run(db, "PRAGMA max_page_count = %d", (int)number(db, "PRAGMA page_count") + _i);
    rc = attempt(db, "COMMIT");
    ck_assert(rc == SQLITE_OK || rc == SQLITE_FULL);
    ck_assert_int_eq(sqlite3_get_autocommit(db), 1);
    run(db, "PRAGMA max_page_count = 1000000");
    for (int i = 0; i < 3; i++) {
        char *name = sqlite3_mprintf("v%d", i);

        must_be_right(db, name);
        sqlite3_free(name);
    }
    fill(db, 10);
    must_be_right(db, "v1");
    live_close(db);
}
END_TEST

TCase *rules_storing(void)
{
    TCase *tests = tcase_create("storing");

    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, a_read_stores_past_the_threshold_of_the_journal_mode, 0, 3);
    tcase_add_test(tests, a_read_does_not_store_while_another_statement_is_open);
    tcase_add_loop_test(tests, a_read_transaction_never_becomes_a_write_transaction, 0, 2);
    tcase_add_loop_test(
        tests, a_read_in_a_large_write_transaction_stores_and_a_rollback_undoes_that, 0, 3);
    tcase_add_test(tests, a_store_that_finds_the_lock_taken_keeps_the_overlay_and_backs_off);
    tcase_add_test(tests, a_store_whose_commit_is_refused_leaves_no_transaction_open);
    tcase_add_loop_test(tests, a_commit_hook_that_refuses_a_store_fails_no_read, 0, 2);
    tcase_add_test(tests, short_lived_connections_in_the_default_journal_mode_store_too);
    tcase_add_test(tests, writers_without_the_extension_are_stored_by_the_next_reader);
    tcase_add_loop_test(tests, an_open_cursor_never_changes_what_it_sees, 0,
        sizeof(cursor_cases) / sizeof(*cursor_cases));
    tcase_add_test(tests, a_commit_goes_on_where_a_store_fails_and_the_view_is_made_anew_later);
    tcase_add_loop_test(tests, a_commit_goes_on_where_the_state_is_damaged, 0, 10);
    tcase_add_loop_test(tests, a_commit_finds_the_disk_full_after_the_schema_changed, 0, 12);
    tcase_add_test(tests, an_interrupted_commit_is_whole_or_not_at_all);
    tcase_add_test(tests, an_interrupted_read_gives_an_error_or_the_right_rows);
    tcase_add_test(tests, a_dirty_view_is_answered_by_its_query_until_it_can_be_made_anew);
    tcase_add_test(tests, the_list_of_views_shows_what_is_pending);
    tcase_add_test(tests, changes_and_last_insert_rowid_stay_the_users);
    tcase_set_timeout(tests, 240);
    return tests;
}
