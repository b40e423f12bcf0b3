/* The power is cut at any write, sync, truncation, removal or creation of a file, and
** unsynced changes are kept, lost or torn: with what is left the views are right, and what
** SQLite promised is there. */
#include <check.h>
#include <stdio.h>

#include "tests/branch.h"
#include "tests/disk.h"
#include "tests/live.h"
#include "tests/must.h"
#include "tests/workload.h"

enum { SAMPLE = 53, STEPS = 60, REOPENED_AFTER = 20 };

/* may_lose: how many of the last transactions may be missing. With synchronous=FULL SQLite
** does not wait for a journal to be gone for good, which ends the transaction. */
static const struct mode {
    const char *name, *pragmas;
    int may_lose;
    int sector_size;
} modes[] = {
    {"wal full", "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", 0, 4096},
    {"wal normal",
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        " PRAGMA wal_autocheckpoint = 20",
        1000, 512},
    {"delete extra", "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA", 0, 512},
    {"delete full", "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL", 1, 4096},
    {"truncate full",
        "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL;"
        " PRAGMA cache_size = 5",
        0, 512},
    {"persist full", "PRAGMA journal_mode = PERSIST; PRAGMA synchronous = FULL", 0, 4096},
};
enum { N_MODES = sizeof(modes) / sizeof(*modes) };

static const struct mode *mode;
static sqlite3_int64 n_committed;

static sqlite3 *open_on_disk(void)
{
    sqlite3 *db = live_open("file:/power?vfs=disk");

    run(db, "%s", mode->pragmas);
    return db;
}

/* The power is back. */
static void look(struct random *random)
{
    sqlite3 *db = open_on_disk();
    sqlite3_int64 n = workload_mark(db);

    ck_assert_int_ge(n, n_committed - mode->may_lose);
    ck_assert_int_le(n, n_committed + 1);
    workload_check(db);
    for (int i = 0; i < 3; i++)
        workload_step(db, random);
    workload_check(db);
    live_close(db);
}

static int cut(enum disk_call call)
{
    struct random random;

    if (call != DISK_WRITE && call != DISK_SYNC && call != DISK_TRUNCATE &&
        call != DISK_DELETE && call != DISK_OPEN)
        return SQLITE_OK;
    if (!branch_here(disk_call_names[call]))
        return SQLITE_OK;
    random = random_new((uint64_t)branch_point());
    disk_cut(&random);
    look(&random);
    branch_end();
    return SQLITE_IOERR; /* a debugger's: the connection is dead */
}

/* _i: the mode. */
START_TEST(after_a_power_cut_views_equal_their_queries)
{
    struct random random = random_new(7000 + (uint64_t)_i);
    sqlite3 *db;

    mode = &modes[_i];
    disk_clear(mode->sector_size);
    db = open_on_disk();
    workload_create(db);
    n_committed = 0;
    branch_begin(mode->name, 1 + 7 * _i, SAMPLE);
    for (int i = 0; i < STEPS; i++) {
        disk_set_watch(cut);
        workload_step(db, &random);
        disk_set_watch(NULL);
        n_committed = workload_mark(db);
        if (i % REOPENED_AFTER == 0) {
            live_close(db);
            db = open_on_disk();
        }
    }
    workload_check(db);
    live_close(db);
    branch_end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("power");
    TCase *tests = tcase_create("power");

    branch_install();
    disk_install();
    tcase_add_loop_test(tests, after_a_power_cut_views_equal_their_queries, 0, N_MODES);
    tcase_set_timeout(tests, 7200);
    suite_add_tcase(suite, tests);
    return branch_run(suite);
}
