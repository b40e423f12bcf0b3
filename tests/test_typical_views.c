/* The typical views under random statements on their tables: after every few of them each view
** equals its query. A course depends only on its seed, which is printed; one that fails is cut
** down to the statements that matter. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/slice.h"
#include "tests/typical_course.h"

enum { STALE_CATCHES = 3 };

struct run {
    const struct typical_course *course;
    sqlite3 *db;
    struct kept_set set;
    unsigned n_statements;
};

static const char *path(void)
{
    static char name[64];
    snprintf(name, sizeof name, "typical-%ld.db", (long)getpid());
    return name;
}

static void open_database(struct run *run)
{
    run->db = kept_open(run->course->is_file ? path() : ":memory:");
    if (run->course->has_foreign_keys)
        kept_run(run->db, "PRAGMA foreign_keys = ON");
}

static void run_step(struct run *run, const char *step)
{
    if (step == typical_compare) {
        kept_compare(&run->set, run->db);
    } else if (step == typical_reopen) {
        if (sqlite3_close(run->db) != SQLITE_OK) {
            fprintf(stderr, "typical views: closing: %s\n", sqlite3_errmsg(run->db));
            exit(2);
        }
        open_database(run);
    } else {
        sqlite3_exec(run->db, step, NULL, NULL, NULL); /* may fail, as the user's may */
        run->n_statements++;
    }
}

static void replay(
    struct run *run, const struct typical_course *course, enum kept_engine engine)
{
    *run = (struct run){.course = course};
    run->set = (struct kept_set){.views = course->collection->views,
        .n = course->collection->n_live,
        .prefix = course->collection->prefix,
        .engine = engine};
    unlink(path());
    open_database(run);
    kept_run(run->db, *course->collection->tables);
    kept_create(&run->set, run->db);
    for (unsigned i = 0; i < course->n_steps && run->set.failed < 0; i++)
        run_step(run, course->steps[i]);
    sqlite3_close(run->db);
    unlink(path());
}

static bool fails_alike(const struct typical_course *course, const struct run *as)
{
    struct run run;
    replay(&run, course, as->set.engine);
    bool is_same = run.set.failed == as->set.failed;
    kept_free(&run.set);
    return is_same;
}

/* Leaves out one stretch of steps after another while the same view is wrong. */
static void shrink(struct typical_course *course, const struct run *failed)
{
    for (unsigned n = course->n_steps / 2; n > 0; n /= 2) {
        for (unsigned from = 0; from + n <= course->n_steps;) {
            struct typical_course candidate = *course;
            size_t rest = course->n_steps - from - n;
            candidate.steps = diff_resize(NULL, course->n_steps * sizeof *course->steps);
            memcpy(candidate.steps, course->steps, from * sizeof *course->steps);
            memcpy(
                candidate.steps + from, course->steps + from + n, rest * sizeof *course->steps);
            candidate.n_steps -= n;
            bool fails = fails_alike(&candidate, failed);
            free(fails ? course->steps : candidate.steps);
            if (fails)
                *course = candidate;
            else
                from += n;
        }
    }
}

static void print_failure(struct typical_course *course, const struct run *run)
{
    struct run again;

    printf("MISMATCH %c%02d (seed %" PRIu64 ")\n", run->set.prefix, run->set.failed + 1,
        course->seed);
    shrink(course, run);
    replay(&again, course, run->set.engine);
    for (unsigned i = 0; i < course->n_steps; i++)
        printf("%s;\n", course->steps[i]);
    printf("%s", again.set.detail.data != NULL ? again.set.detail.data : "");
    kept_free(&again.set);
}

/* Rounds with one engine; all that counts is summed in the last set. Returns the failures. */
static unsigned run_rounds(const struct typical_collection *collection, uint64_t seed,
    unsigned rounds, unsigned n_writes, enum kept_engine engine)
{
    unsigned caught[MAX_KEPT_VIEWS] = {0}, n_failures = 0;
    unsigned n_statements = 0, n_comparisons = 0;

    for (unsigned i = 0; i < rounds && n_failures == 0; i++) {
        struct typical_course course;
        struct run run;
        typical_course_make(&course, collection, seed + i, n_writes);
        replay(&run, &course, engine);
        n_statements += run.n_statements;
        n_comparisons += run.set.n_comparisons;
        for (int k = 0; k < collection->n_live; k++)
            run.set.caught[k] = caught[k] += run.set.caught[k];
        if (run.set.failed >= 0) {
            n_failures++;
            print_failure(&course, &run);
        }
        if (i + 1 == rounds || n_failures > 0)
            n_failures += kept_judge(&run.set, STALE_CATCHES);
        kept_free(&run.set);
        typical_course_free(&course);
    }
    printf("%s: %d views, %u statements, %u comparisons, %u failures\n",
        kept_engine_names[engine], collection->n_live, n_statements, n_comparisons, n_failures);
    return n_failures;
}

int main(int n, char **words)
{
    uint64_t seed = 1;
    unsigned rounds = (unsigned)slice_of(39), n_writes = 40, n_failures = 0;
    /* in fewer rounds not every stale view is caught */
    const char *only = slice_every() > 1 ? kept_engine_names[KEPT_BY_LOCKSTEP] : NULL;

    for (int i = 1; i + 1 < n; i += 2) {
        if (strcmp(words[i], "--seed") == 0)
            seed = strtoull(words[i + 1], NULL, 10);
        else if (strcmp(words[i], "--rounds") == 0)
            rounds = (unsigned)strtoul(words[i + 1], NULL, 10);
        else if (strcmp(words[i], "--steps") == 0)
            n_writes = (unsigned)strtoul(words[i + 1], NULL, 10);
        else if (strcmp(words[i], "--engine") == 0)
            only = words[i + 1];
    }
    printf("seed %" PRIu64 "\n", seed);
    for (int i = 0; i < TYPICAL_COLLECTIONS * KEPT_ENGINES; i++) {
        enum kept_engine engine = (enum kept_engine)(i % KEPT_ENGINES);
        /* a view that seldom has another row takes some rounds more to be caught as stale */
        unsigned n_rounds = engine == KEPT_STALE ? rounds * 4 / 3 : rounds;
        if (only == NULL || strcmp(only, kept_engine_names[engine]) == 0)
            n_failures += run_rounds(
                &typical_collections[i / KEPT_ENGINES], seed, n_rounds, n_writes, engine);
    }
    return n_failures > 0;
}
