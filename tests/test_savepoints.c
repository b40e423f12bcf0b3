/* Savepoints: what SQLite tells the sink, in every order that is known of, and random programs.
** Each runs with the view kept at reads and at commits, and with reads at different moments:
** none before the end, one behind each statement, one behind every other, ... */
#include <check.h>
#include <stdio.h>

#include "tests/slice.h"
#include "tests/suite.h"
#include "tests/worlds.h"
#include "tests/random.h"

/* Statements that may fail are marked by a first '!'; "?" stands for a write of some kind. */
enum { MAX_STEPS = 16 };

static const char *const programs[][MAX_STEPS] = {
    {"?", "?"},
    {"BEGIN", "?", "?", "COMMIT"},
    {"BEGIN", "?", "?", "ROLLBACK"},
    {"BEGIN", "SAVEPOINT a", "?", "ROLLBACK TO a", "?", "COMMIT"},
    {"BEGIN", "?", "SAVEPOINT a", "?", "ROLLBACK TO a", "?", "ROLLBACK TO a", "COMMIT"},
    {"BEGIN", "?", "SAVEPOINT a", "?", "RELEASE a", "?", "ROLLBACK"},
    {"BEGIN", "?", "SAVEPOINT a", "?", "RELEASE a", "?", "COMMIT"},
    /* Levels that are never announced. */
    {"SAVEPOINT a", "?", "ROLLBACK TO a", "?", "RELEASE a"},
    {"SAVEPOINT a", "?", "ROLLBACK TO a", "RELEASE a"},
    {"SAVEPOINT a", "SAVEPOINT b", "?", "ROLLBACK TO b", "?", "ROLLBACK TO a", "?",
        "RELEASE a"},
    {"SAVEPOINT a", "SAVEPOINT b", "?", "RELEASE b", "?", "ROLLBACK TO a", "RELEASE a"},
    {"BEGIN", "SAVEPOINT a", "SAVEPOINT b", "SAVEPOINT c", "?", "ROLLBACK TO b", "?",
        "ROLLBACK TO a", "?", "COMMIT"},
    {"BEGIN", "SAVEPOINT a", "SAVEPOINT b", "?", "SAVEPOINT c", "?", "RELEASE b", "?",
        "ROLLBACK TO a", "?", "COMMIT"},
    {"BEGIN", "SAVEPOINT a", "?", "SAVEPOINT b", "?", "ROLLBACK TO a", "SAVEPOINT b", "?",
        "ROLLBACK TO b", "?", "RELEASE a", "COMMIT"},
    /* The same name twice, and rolled back to twice. */
    {"SAVEPOINT a", "?", "SAVEPOINT a", "?", "ROLLBACK TO a", "?", "RELEASE a", "ROLLBACK TO a",
        "?", "ROLLBACK TO a", "RELEASE a"},
    {"BEGIN", "?", "SAVEPOINT a", "?", "ROLLBACK TO a", "ROLLBACK TO a", "?", "ROLLBACK TO a",
        "ROLLBACK"},
    {"BEGIN", "?", "SAVEPOINT a", "ROLLBACK TO a", "?", "SAVEPOINT b", "RELEASE a", "?",
        "COMMIT"},
    /* Statements that fail: ABORT, FAIL, ROLLBACK, half way through their rows. */
    {"!INSERT INTO t(k, x) VALUES('f', 70), ('f', 71), ('f', 1)", "?"},
    {"BEGIN", "?", "!INSERT INTO t(k, x) VALUES('f', 70), ('f', 71), ('f', 70)", "?", "COMMIT"},
    {"BEGIN", "!INSERT OR FAIL INTO t(k, x) VALUES('f', 70), ('f', 71), ('f', 70)", "?",
        "COMMIT"},
    {"BEGIN", "?", "!INSERT OR ROLLBACK INTO t(k, x) VALUES('f', 70), ('f', 71), ('f', 70)",
        "?"},
    {"BEGIN", "?", "SAVEPOINT a", "!UPDATE t SET x = 5", "?", "ROLLBACK TO a", "COMMIT"},
    {"BEGIN", "SAVEPOINT a", "!UPDATE OR FAIL t SET x = 5", "ROLLBACK TO a", "?", "COMMIT"},
    {"BEGIN", "SAVEPOINT a", "!UPDATE OR ROLLBACK t SET x = 5", "!ROLLBACK TO a", "?"},
    /* Views that come and go. */
    {"BEGIN", "CREATE VIRTUAL TABLE w USING lockstep(SELECT count(*) AS n FROM t)", "?",
        "SELECT * FROM w", "?", "ROLLBACK", "?"},
    {"BEGIN", "CREATE VIRTUAL TABLE w USING lockstep(SELECT count(*) AS n FROM t)", "?",
        "SELECT * FROM w", "?", "COMMIT", "?", "SELECT * FROM w"},
    {"BEGIN", "?", "SAVEPOINT a",
        "CREATE VIRTUAL TABLE w USING lockstep(maintain=commit, SELECT count(*) AS n FROM t)",
        "?", "SELECT * FROM w", "ROLLBACK TO a", "?", "COMMIT", "?"},
    {"BEGIN", "?", "DROP TABLE f", "?", "ROLLBACK", "?"},
    {"BEGIN", "?", "SAVEPOINT a", "DROP TABLE f", "?", "ROLLBACK TO a", "?", "COMMIT"},
    {"BEGIN", "?", "ALTER TABLE f RENAME TO g", "?", "ROLLBACK", "?"},
    {"BEGIN", "?", "SAVEPOINT a", "ALTER TABLE t ADD COLUMN z", "?", "ROLLBACK TO a", "?",
        "COMMIT"},
    {"BEGIN", "?", "DROP TABLE t; CREATE TABLE t(id INTEGER PRIMARY KEY, k TEXT, x INT UNIQUE)",
        "?", "ROLLBACK", "?"},
    /* Storing inside savepoints. */
    {"BEGIN", "?", "SAVEPOINT a", "INSERT INTO v(lockstep) VALUES('store')", "?",
        "ROLLBACK TO a", "?", "COMMIT"},
    {"BEGIN", "?", "SAVEPOINT a", "?", "INSERT INTO v(lockstep) VALUES('rebuild')", "?",
        "ROLLBACK TO a", "?", "INSERT INTO f(lockstep) VALUES('store')", "ROLLBACK"},
    {"SAVEPOINT a", "?", "INSERT INTO v(lockstep) VALUES('store')", "SAVEPOINT b", "?",
        "INSERT INTO v(lockstep) VALUES('store')", "?", "ROLLBACK TO b", "?", "ROLLBACK TO a",
        "?", "RELEASE a"},
    /* A savepoint that is opened before anything and one that is the transaction's own. */
    {"SAVEPOINT a", "SELECT * FROM v", "?", "SELECT * FROM v", "RELEASE a"},
    {"BEGIN IMMEDIATE", "SAVEPOINT a", "SELECT * FROM v", "RELEASE a", "?", "COMMIT"},
    {"BEGIN EXCLUSIVE", "?", "SAVEPOINT a", "SAVEPOINT b", "SAVEPOINT c", "?", "RELEASE a",
        "SAVEPOINT d", "?", "ROLLBACK TO d", "COMMIT"},
};
enum { N_PROGRAMS = sizeof(programs) / sizeof(*programs) };

/* How often the view is read: bit i % 8 says whether behind the i-th statement. */
static const unsigned reading[] = {0x00, 0xff, 0x55, 0xaa, 0x88, 0x11, 0x66};
enum { N_READING = sizeof(reading) / sizeof(*reading) };

static void step(sqlite3 *db, const char *statement)
{
    if (*statement == '!')
        (void)attempt(db, statement + 1);
    else
        run(db, "%s", statement);
}

/* Runs programs[number], beginning with a write, and with a look behind the steps that when
** tells. */
static void run_program(
    sqlite3 *db, enum world world, int number, unsigned when, unsigned write)
{
    for (int i = 0; i < MAX_STEPS && programs[number][i] != NULL; i++) {
        const char *statement = programs[number][i];

        if (*statement == '?')
            world_write(db, world, write++);
        else
            step(db, statement);
        if (when >> (i % 8) & 1)
            world_must_be_right(db);
    }
    world_must_be_right(db);
    if (!sqlite3_get_autocommit(db))
        run(db, "COMMIT");
    world_must_be_right(db);
    run(db, "INSERT INTO t(k, x) VALUES('d', 999)");
    world_must_be_right(db);
}

/* A slice has other combinations with each program. */
START_TEST(every_known_sequence_keeps_the_views_right)
{
    int every = slice_every();

    for (int which = _i % every; which < 2 * N_READING * 3; which += every) {
        sqlite3 *db = world_make(":memory:", which % 2, ONE_TABLE);

        run_program(db, ONE_TABLE, _i, reading[which / 2 % N_READING],
            3 * (unsigned)(which / (2 * N_READING)));
        live_close(db);
    }
}
END_TEST

/* Each program in both modes; in one of them every step is looked at. */
START_TEST(every_known_sequence_keeps_views_of_several_tables_right)
{
    for (int which = 0; which < 2; which++) {
        sqlite3 *db = world_make(":memory:", which, SEVERAL);

        run_program(
            db, SEVERAL, _i, which == _i % 2 ? 0xff : reading[_i % N_READING], (unsigned)_i);
        live_close(db);
    }
}
END_TEST

/* A random program: its savepoints, by their number, and what it does. */
static void random_step(sqlite3 *db, enum world world, struct random *random, int *depth)
{
    char text[80];

    switch (random_below(random, 12)) {
    case 0:
    case 1:
        if (*depth < 6) {
            snprintf(text, sizeof(text), "SAVEPOINT s%d", (*depth)++);
            run(db, "%s", text);
        }
        break;
    case 2:
    case 3:
        if (*depth > 0) {
            *depth = (int)random_below(random, (unsigned)*depth) + 1;
            snprintf(text, sizeof(text), "ROLLBACK TO s%d", *depth - 1);
            run(db, "%s", text);
        }
        break;
    case 4:
        if (*depth > 0) {
            *depth = (int)random_below(random, (unsigned)*depth);
            snprintf(text, sizeof(text), "RELEASE s%d", *depth);
            run(db, "%s", text);
        }
        break;
    case 5:
        if (sqlite3_get_autocommit(db))
            run(db, "BEGIN");
        else if (random_below(random, 3) == 0)
            run(db, random_below(random, 2) ? "COMMIT" : "ROLLBACK");
        break;
    case 6:
        run(db, "INSERT INTO %s(lockstep) VALUES('%s')", random_below(random, 2) ? "v" : "f",
            random_below(random, 4) ? "store" : "rebuild");
        break;
    case 7:
        (void)attempt(db, random_below(random, 2)
                              ? "INSERT INTO t(k, x) VALUES('f', 170), ('f', 171), ('f', 170)"
                              : "INSERT OR FAIL INTO t(k, x) VALUES('f', 180), ('f', 180)");
        break;
    default:
        world_write(db, world, random_below(random, 40));
    }
    if (sqlite3_get_autocommit(db))
        *depth = 0;
}

START_TEST(random_programs_keep_the_views_right)
{
    struct random random = random_new((uint64_t)_i);

    for (int round = 0; round < slice_of(10); round++) {
        enum world world = round % 5 == _i % 5 ? SEVERAL : ONE_TABLE;
        sqlite3 *db = world_make(":memory:", round % 2, world);
        unsigned reads = 1 + random_below(&random, 5);
        int depth = 0;

        for (int i = 0; i < 80; i++) {
            random_step(db, world, &random, &depth);
            if (random_below(&random, reads) == 0)
                world_must_be_right_one(db, world, random_below(&random, 70));
        }
        world_must_be_right(db);
        while (!sqlite3_get_autocommit(db))
            run(db, random_below(&random, 2) ? "COMMIT" : "ROLLBACK");
        world_must_be_right(db);
        live_close(db);
    }
}
END_TEST

/* The sink is written, and the transaction followed, only where a read has met its changes. */
START_TEST(a_transaction_is_followed_only_when_a_read_has_met_its_changes)
{
    sqlite3 *db = world_make(":memory:", false, ONE_TABLE);
    long quiet, followed;

    run(db, "BEGIN; INSERT INTO t(k, x) VALUES('p', 50)");
    live_count_begin(db);
    run(db, "SAVEPOINT a; RELEASE a; COMMIT");
    quiet = live_count_end(db);
    run(db, "BEGIN; SELECT * FROM v; SELECT * FROM f");
    ck_assert_int_eq(sqlite3_txn_state(db, "main"), SQLITE_TXN_READ);
    run(db, "COMMIT; BEGIN; SELECT * FROM v; SAVEPOINT a; INSERT INTO t(k, x) VALUES('q', 60)");
    live_count_begin(db);
    run(db, "ROLLBACK TO a; RELEASE a; COMMIT");
    followed = live_count_end(db);
    ck_assert_int_le(quiet, 1);
    ck_assert_int_le(followed, 1);
    world_must_be_right(db);
    live_close(db);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("savepoints");
    TCase *tests = tcase_create("savepoints");

    random_announce();
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, every_known_sequence_keeps_the_views_right, 0, N_PROGRAMS);
    tcase_add_loop_test(
        tests, every_known_sequence_keeps_views_of_several_tables_right, 0, N_PROGRAMS);
    tcase_add_loop_test(tests, random_programs_keep_the_views_right, 0, 12);
    tcase_add_test(tests, a_transaction_is_followed_only_when_a_read_has_met_its_changes);
    tcase_set_timeout(tests, 240);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
