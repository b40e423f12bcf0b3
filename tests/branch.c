/* Processes that branch off a course. */
#include "tests/branch.h"

#include <execinfo.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/random.h"
#include "tests/suite.h"

enum { PATIENCE = 120 /* seconds for a child */, ROW = 2 };

static struct {
    const char *course;
    long every, next, in_a_row, point, children;
    long times; /* each is taken that is reached by the same calls; 0: by count */
    long only;  /* the one point that is taken, without a process; 0: none is chosen */
    bool is_taken;
} now;

/* How often points were taken that calls of that hash lead to; hashes that share a place are
** one. All courses of the program and its children share them. */
enum { DEPTH = 128, PLACE_BITS = 24, PLACES = 1 << PLACE_BITS };
static unsigned char *taken;

static long given(const char *name, long otherwise)
{
    const char *text = getenv(name);

    return text != NULL && atol(text) > 0 ? atol(text) : otherwise;
}

bool branch_is_chosen(void)
{
    return given("LOCKSTEP_EVERY", 0) > 0 || given("LOCKSTEP_TIMES", 0) > 0 ||
           branch_is_alone();
}

bool branch_is_alone(void)
{
    return given("LOCKSTEP_POINT", 0) > 0;
}

void branch_install(void)
{
    random_announce();
    /* A branch can't unlock what its parent locked. */
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    taken = mmap(NULL, PLACES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (taken == MAP_FAILED)
        abort();
}

/* A branch that fails must end its process. */
int branch_run(Suite *suite)
{
    return suite_run_as(suite, branch_is_alone() ? CK_NOFORK : CK_FORK);
}

/* 1 .. every, by the seed. */
static long somewhere(const char *course, long every)
{
    struct random random;
    uint64_t salt = 0;

    for (const char *c = course; *c != '\0'; c++)
        salt = salt * 31 + (unsigned char)*c;
    random = random_new(salt);
    return 1 + (long)random_below(&random, (unsigned)every);
}

void branch_begin(const char *course, long first, long every)
{
    now.course = course;
    now.in_a_row = 0;
    now.every = given("LOCKSTEP_EVERY", every);
    now.next = first;
    if (given("LOCKSTEP_EVERY", 0) > 0)
        now.next = somewhere(course, now.every);
    now.times = given("LOCKSTEP_TIMES", 0);
    now.point = now.children = 0;
    now.only = given("LOCKSTEP_POINT", 0);
}

static bool is_new_way(const char *what)
{
    void *calls[DEPTH];
    int n = backtrace(calls, DEPTH);
    uint64_t hash = (uint64_t)(uintptr_t)what;

    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)calls[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash >>= 64 - PLACE_BITS;
    if (taken[hash] >= now.times)
        return false;
    taken[hash]++;
    return true;
}

static bool is_chosen(const char *what)
{
    if (now.only > 0)
        return now.point == now.only;
    if (now.times > 0)
        return is_new_way(what);
    if (now.point < now.next)
        return false;
    now.next += now.every;
    if (!branch_is_chosen() && ++now.in_a_row % ROW == 0)
        now.every *= 2;
    return true;
}

/* Waits for a child, and ends with it if it failed: what it has said is the failure. */
static void await(pid_t child, const char *what)
{
    int status = 0;

    if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    fprintf(stderr, "gone wrong: LOCKSTEP_POINT=%ld (%s) of %s", now.point, what, now.course);
    if (WIFSIGNALED(status))
        fprintf(stderr, ", ended by signal %d", WTERMSIG(status));
    fprintf(stderr, "\n");
    _exit(EXIT_FAILURE);
}

void branch_stop(void)
{
    now.children++; /* so that there is something to stop at */
}

bool branch_here(const char *what)
{
    pid_t child;

    if (now.is_taken)
        return false;
    now.point++;
    if (!is_chosen(what))
        return false;
    if (now.only > 0) {
        branch_stop();
        return now.is_taken = true;
    }
    fflush(NULL);
    child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        return now.is_taken = true;
    }
    now.children++;
    await(child, what);
    return false;
}

bool branch_is_taken(void)
{
    return now.is_taken;
}

long branch_point(void)
{
    return now.point;
}

void branch_end(void)
{
    if (now.is_taken && now.only == 0)
        _exit(EXIT_SUCCESS);
    if (branch_is_chosen())
        printf("%s: %ld of %ld\n", now.course, now.children, now.point);
    now.is_taken = false;
}
