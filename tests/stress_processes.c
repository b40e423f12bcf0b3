/* A crowd over one file: four that write, one of them without the extension, and four that
** read, each in a process of its own, or a thread. In every journal mode each view that any of
** them sees equals its query in the same transaction, and at the end all is sound. In a last
** round rows are changed with triggers switched off, which must be noticed. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/crowd.h"

enum { MEMBERS = 8 };

static const enum crowd_role roles[MEMBERS] = {CROWD_ALTERS, CROWD_READS, CROWD_WRITES,
    CROWD_READS, CROWD_WRITES_PLAINLY, CROWD_READS_PLAINLY, CROWD_WRITES, CROWD_READS};

struct options {
    uint64_t seed;
    double seconds;
    const char *journal_mode; /* NULL: one after the other */
    bool has_threads;
    bool has_shared_cache;
    bool has_rival;
};

static const struct {
    const char *journal_mode;
    bool has_threads, has_shared_cache;
} rounds[] = {{"WAL", false, false}, {"DELETE", false, false}, {"TRUNCATE", false, false},
    {"PERSIST", false, false}, {"WAL", true, false}, {"DELETE", true, false},
    {"WAL", true, true}};
enum { N_ROUNDS = sizeof(rounds) / sizeof(*rounds) };

static const char *path(void)
{
    static char name[64];
    snprintf(name, sizeof(name), "crowd-%ld.db", (long)getpid());
    return name;
}

static void remove_files(const char *file)
{
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
        char name[80];
        snprintf(name, sizeof(name), "%s%s", file, suffixes[i]);
        unlink(name);
    }
}

static void *work(void *member)
{
    crowd_work(member);
    return NULL;
}

/* Changes rows behind the back of all views. */
static void meddle(const char *file)
{
    sqlite3 *db;

    if (sqlite3_open(file, &db) == SQLITE_OK) {
        sqlite3_busy_timeout(db, 10000);
        sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
        sqlite3_exec(db, "UPDATE t SET x = x + 100000, y = 77", NULL, NULL, NULL);
    }
    sqlite3_close(db);
}

static void run_threads(struct crowd_member *members)
{
    pthread_t threads[MEMBERS];

    for (int i = 0; i < MEMBERS; i++)
        if (pthread_create(&threads[i], NULL, work, &members[i]) != 0)
            abort();
    for (int i = 0; i < MEMBERS; i++)
        pthread_join(threads[i], NULL);
}

static void run_processes(struct crowd_member *members)
{
    pid_t children[MEMBERS];

    fflush(NULL);
    for (int i = 0; i < MEMBERS; i++) {
        children[i] = fork();
        if (children[i] < 0)
            abort();
        if (children[i] == 0) {
            crowd_work(&members[i]);
            _exit(0);
        }
    }
    for (int i = 0; i < MEMBERS; i++) {
        int status = 0;

        if (waitpid(children[i], &status, 0) < 0 || !WIFEXITED(status) ||
            WEXITSTATUS(status) != 0)
            crowd_fail(&members[i], "ended by status %d", status);
    }
}

/* Prints what went wrong, but for a rival, and how much was done. */
static unsigned judge(const struct crowd_tally *tallies, const char *name, bool is_rival)
{
    struct crowd_tally sum = {0};
    unsigned n_failures = 0;

    for (int i = 0; i <= MEMBERS; i++) {
        sum.comparisons += tallies[i].comparisons;
        sum.transactions += tallies[i].transactions;
        sum.refusals += tallies[i].refusals;
        sum.retries += tallies[i].retries;
        if (tallies[i].has_failed) {
            n_failures++;
            if (!is_rival)
                printf("FAIL member %d: %s\n", i, tallies[i].failure);
        }
    }
    printf("%s: %lu comparisons, %lu transactions, %lu refusals, %lu commits tried again, %u "
           "failures\n",
        name, sum.comparisons, sum.transactions, sum.refusals, sum.retries, n_failures);
    if (sum.comparisons == 0 || sum.transactions == 0) {
        printf("FAIL nothing was done\n");
        n_failures++;
    }
    return n_failures;
}

static unsigned run_round(const struct options *options, const char *mode, bool has_threads,
    bool has_shared_cache, uint64_t seed, struct crowd_tally *tallies)
{
    struct crowd_member members[MEMBERS + 1] = {0};
    char name[80];

    snprintf(name, sizeof(name), "%s, %s%s", mode, has_threads ? "threads" : "processes",
        has_shared_cache ? " with a shared cache" : "");
    memset(tallies, 0, (MEMBERS + 1) * sizeof(*tallies));
    remove_files(path());
    crowd_make(path(), mode);
    for (int i = 0; i <= MEMBERS; i++)
        members[i] = (struct crowd_member){.role = i < MEMBERS ? roles[i] : CROWD_READS,
            .number = (unsigned)i,
            .path = path(),
            .has_shared_cache = has_shared_cache,
            .until = crowd_clock() + options->seconds,
            .random = diff_random_new(seed * 100 + (uint64_t)i),
            .tally = &tallies[i]};
    if (options->has_rival)
        meddle(path());
    if (has_threads)
        run_threads(members);
    else
        run_processes(members);
    crowd_check_all(&members[MEMBERS]);
    remove_files(path());
    return judge(tallies, name, options->has_rival);
}

static bool read_options(struct options *options, int n, char **words)
{
    *options = (struct options){.seed = 1, .seconds = 0.5};
    for (int i = 1; i < n; i++) {
        const char *next = i + 1 < n ? words[i + 1] : "";

        if (strcmp(words[i], "--threads") == 0)
            options->has_threads = true;
        else if (strcmp(words[i], "--shared-cache") == 0)
            options->has_threads = options->has_shared_cache = true;
        else if (strcmp(words[i], "--seed") == 0)
            options->seed = strtoull(next, NULL, 10), i++;
        else if (strcmp(words[i], "--seconds") == 0)
            options->seconds = strtod(next, NULL), i++;
        else if (strcmp(words[i], "--journal") == 0)
            options->journal_mode = next, i++;
        else
            return false;
    }
    return true;
}

static unsigned run_all(struct options options, struct crowd_tally *tallies)
{
    unsigned n_failures = 0;

    for (unsigned i = 0; i < N_ROUNDS; i++)
        n_failures += run_round(&options, rounds[i].journal_mode, rounds[i].has_threads,
            rounds[i].has_shared_cache, options.seed + i, tallies);
    options.has_rival = true;
    printf("with triggers switched off, which is to be noticed: ");
    if (run_round(&options, "WAL", false, false, options.seed, tallies) == 0)
        n_failures++;
    return n_failures;
}

int main(int n, char **words)
{
    struct crowd_tally *tallies = mmap(NULL, (MEMBERS + 1) * sizeof(*tallies),
        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct options options;
    unsigned n_failures;

    if (tallies == MAP_FAILED || !read_options(&options, n, words)) {
        fprintf(stderr, "usage: stress_processes [--seed N] [--seconds A_ROUND]"
                        " [--journal MODE [--threads | --shared-cache]]\n");
        return 2;
    }
    printf("seed %" PRIu64 "\n", options.seed);
    n_failures = options.journal_mode == NULL
                     ? run_all(options, tallies)
                     : run_round(&options, options.journal_mode, options.has_threads,
                           options.has_shared_cache, options.seed, tallies);
    return n_failures > 0;
}
