/* A program that writes is killed at a random moment, again and again: whoever opens its
** file next finds the views right, and every transaction that was committed. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/live.h"
#include "tests/must.h"
#include "tests/suite.h"
#include "tests/workload.h"

/* LOCKSTEP_KILLS: how often, in each way to keep a journal. */
enum { KILLS = 40, LONGEST = 20000 /* microseconds */ };

static const char *const modes[] = {"WAL", "DELETE"};

static volatile sqlite3_int64 *n_committed; /* shared with the writer */

static void write_for_ever(const char *path, struct random *random)
{
    sqlite3 *db = live_open(path);

    for (;;) {
        workload_step(db, random);
        *n_committed = workload_mark(db);
    }
}

static void wait_some(struct random *random)
{
    struct timespec time = {0, 1000 * (long)random_below(random, LONGEST)};

    nanosleep(&time, NULL);
}

static void start_and_kill(const char *path, struct random *random)
{
    struct random writers = {.state = random_next(random)};
    pid_t writer = fork();
    int status = 0;

    must(writer >= 0);
    if (writer == 0)
        write_for_ever(path, &writers);
    wait_some(random);
    must(kill(writer, SIGKILL) == 0);
    must(waitpid(writer, &status, 0) == writer);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
        ck_abort_msg("the writer ended by itself");
}

/* A program without the extension, which sees to the journal that the writer left. */
static void write_without_the_extension(const char *path, struct random *random)
{
    sqlite3 *db = live_open_plain(path);

    must_agree(db, "PRAGMA integrity_check", "SELECT 'ok'");
    workload_plain_step(db, random);
    live_close(db);
}

/* _i: the mode. */
START_TEST(a_program_that_is_killed_leaves_right_views)
{
    const char *text = getenv("LOCKSTEP_KILLS"), *path = live_path();
    long n = text == NULL ? KILLS : atol(text);
    struct random random = random_new(8000 + (uint64_t)_i);
    sqlite3 *db = live_open(path);

    n_committed = mmap(
        NULL, sizeof(*n_committed), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(n_committed != MAP_FAILED);
    run(db, "PRAGMA journal_mode = %s", modes[_i]);
    workload_create(db);
    live_close(db);
    for (long i = 0; i < n; i++) {
        start_and_kill(path, &random);
        if (random_once_in(&random, 4))
            write_without_the_extension(path, &random);
        db = live_open(path);
        ck_assert_int_ge(workload_mark(db), *n_committed);
        ck_assert_int_le(workload_mark(db), *n_committed + 1);
        workload_check(db);
        *n_committed = workload_mark(db);
        live_close(db);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kill");
    TCase *tests = tcase_create("kill");

    random_announce();
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_add_loop_test(tests, a_program_that_is_killed_leaves_right_views, 0, 2);
    tcase_set_timeout(tests, 7200);
    suite_add_tcase(suite, tests);
    return suite_run_as(suite, CK_FORK); /* the writer is a process */
}
