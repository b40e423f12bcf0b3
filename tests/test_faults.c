/* Every call of the file system fails in turn, and every statement, the extension's own
** among them, is interrupted in turn: once or from there on, in every scene. */
#include <check.h>
#include <string.h>

#include "tests/branch.h"
#include "tests/disk.h"
#include "tests/live.h"
#include "tests/scenes.h"

static bool is_on;   /* things may go wrong */
static bool goes_on; /* they do, once they have begun */

static void pause_faults(bool is_paused)
{
    is_on = !is_paused;
}

/* Calls of the file system. */

enum { CALL_SAMPLE = 151, INTERRUPT_SAMPLE = 20011 };

static const int codes[DISK_CALLS] = {
    [DISK_OPEN] = SQLITE_CANTOPEN,
    [DISK_READ] = SQLITE_IOERR_READ,
    [DISK_WRITE] = SQLITE_IOERR_WRITE,
    [DISK_TRUNCATE] = SQLITE_IOERR_TRUNCATE,
    [DISK_SYNC] = SQLITE_IOERR_FSYNC,
    [DISK_SIZE] = SQLITE_IOERR_FSTAT,
    [DISK_LOCK] = SQLITE_IOERR_LOCK,
    [DISK_DELETE] = SQLITE_IOERR_DELETE,
    [DISK_ACCESS] = SQLITE_IOERR_ACCESS,
    [DISK_SHM_MAP] = SQLITE_IOERR_SHMMAP,
    [DISK_SHM_LOCK] = SQLITE_IOERR_SHMLOCK,
};

/* What lasts is a disk that is full, or a lock of another's. */
static int lasting(enum disk_call call)
{
    switch (call) {
    case DISK_WRITE:
        return SQLITE_FULL;
    case DISK_LOCK:
    case DISK_SHM_LOCK:
        return SQLITE_BUSY;
    default:
        return codes[call];
    }
}

static int fail_call(enum disk_call call)
{
    if (!is_on)
        return SQLITE_OK;
    if (goes_on)
        return lasting(call);
    if (branch_here(disk_call_names[call]))
        return codes[call];
    goes_on = branch_here("calls from here on");
    return goes_on ? lasting(call) : SQLITE_OK;
}

static const char *const set_ups[] = {
    "PRAGMA journal_mode = DELETE",
    "PRAGMA journal_mode = WAL",
    "PRAGMA journal_mode = PERSIST; PRAGMA cache_size = 5; PRAGMA page_size = 1024",
};
enum { N_SET_UPS = sizeof(set_ups) / sizeof(*set_ups) };
static int set_up; /* which one */

static sqlite3 *open_on_disk(void)
{
    sqlite3 *db = live_open("file:/scene?vfs=disk");

    run(db, "PRAGMA synchronous = FULL; %s", set_ups[set_up]);
    return db;
}

static void begin_on_disk(sqlite3 *db)
{
    (void)db;
    is_on = true;
    disk_set_watch(fail_call);
}

static void end_on_disk(sqlite3 *db)
{
    (void)db;
    is_on = goes_on = false;
    disk_set_watch(NULL);
}

/* SQLITE_PROTOCOL is what comes of a lock of a WAL that is not to be had for long. */
static bool is_of_the_disk(int rc, const char *message)
{
    (void)message;
    return (rc & 0xff) == SQLITE_IOERR || (rc & 0xff) == SQLITE_FULL ||
           (rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_BUSY ||
           rc == SQLITE_PROTOCOL;
}

static void reopen(void (*check)(sqlite3 *db))
{
    sqlite3 *db;

    ck_assert_int_eq(disk_n_open(), 0);
    db = open_on_disk();
    check(db);
    live_close(db);
    ck_assert_int_eq(disk_n_open(), 0);
}

static const struct scene_fault failing_calls = {
    .open = open_on_disk,
    .begin = begin_on_disk,
    .pause = pause_faults,
    .end = end_on_disk,
    .may_say = is_of_the_disk,
    .every = CALL_SAMPLE,
    .reopened = reopen,
};

/* _i: the scene and the way to keep a journal; of these one a scene, unless points are
** chosen. */
START_TEST(a_call_that_fails_costs_no_more_than_the_statement)
{
    if (!branch_is_chosen() && (_i / N_SET_UPS + _i) % N_SET_UPS != 0)
        return;
    set_up = _i % N_SET_UPS;
    disk_clear(4096);
    scene_play(_i / N_SET_UPS, &failing_calls);
}
END_TEST

/* Interrupts. */

static sqlite3 *interrupted;

/* By the handler's wish the statement ends that runs; by sqlite3_interrupt all that run. */
static int interrupt(void *ctx)
{
    (void)ctx;
    if (!is_on)
        return 0;
    if (branch_here("this statement is interrupted"))
        return 1;
    if (branch_here("all statements are interrupted"))
        sqlite3_interrupt(interrupted);
    return 0;
}

static sqlite3 *open_in_memory(void)
{
    return live_open(":memory:");
}

static void begin_to_interrupt(sqlite3 *db)
{
    is_on = true;
    interrupted = db;
    sqlite3_progress_handler(db, 1, interrupt, NULL);
}

static void end_to_interrupt(sqlite3 *db)
{
    is_on = false;
    sqlite3_progress_handler(db, 0, NULL, NULL);
}

/* SQLite's own ALTER TABLE says it otherwise. */
static bool is_interrupt(int rc, const char *message)
{
    return rc == SQLITE_INTERRUPT ||
           (rc == SQLITE_ERROR && (strstr(message, "error in ") != NULL ||
                                      strcmp(message, sqlite3_errstr(SQLITE_ERROR)) == 0));
}

static const struct scene_fault interrupts = {
    .open = open_in_memory,
    .begin = begin_to_interrupt,
    .pause = pause_faults,
    .end = end_to_interrupt,
    .may_say = is_interrupt,
    .every = INTERRUPT_SAMPLE,
    .stays = true,
};

START_TEST(an_interrupt_costs_no_more_than_the_statement)
{
    scene_play(_i, &interrupts);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *calls = tcase_create("calls"), *statements = tcase_create("interrupts");

    branch_install();
    disk_install();
    tcase_add_loop_test(calls, a_call_that_fails_costs_no_more_than_the_statement, 0,
        N_SET_UPS * scene_count());
    tcase_set_timeout(calls, 7200);
    suite_add_tcase(suite, calls);
    tcase_add_loop_test(
        statements, an_interrupt_costs_no_more_than_the_statement, 0, scene_count());
    tcase_set_timeout(statements, 7200);
    suite_add_tcase(suite, statements);
    return branch_run(suite);
}
