/* The typical views under random statements on their tables: after every few of them each view
** equals its query. A course depends only on its seed, which is printed; one that fails is cut
** down to the statements that matter. The engine "stale" never refreshes its views, and must be
** caught on every one of them. */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/diff_result.h"
#include "tests/typical_course.h"
#include "tests/typical_views.h"

enum { N_VIEWS = TYPICAL_LIVE, STALE_CATCHES = 3 };

int sqlite3_lockstep_init(sqlite3 *db, char **error, const void *api);

enum engine { LOCKSTEP, PLAIN, STALE };
static const char *const engine_names[] = {"lockstep", "plain", "stale"};

struct run {
    const struct typical_course *course;
    enum engine engine;
    char path[64];
    sqlite3 *db;
    bool is_accepted[N_VIEWS];
    char *refusals[N_VIEWS];
    unsigned caught[N_VIEWS];
    unsigned n_statements;
    unsigned n_comparisons;
    int failed; /* the view, or -1 */
    struct diff_text detail;
};

/* The text with exact sums, as a view is judged by. */
static void add_exact(const char *text, struct diff_text *out)
{
    static const char *const names[] = {"sum(", "avg(", "total(", NULL};
    for (const char *at = text; *at != 0; at++) {
        for (unsigned i = 0; names[i] != NULL; i++) {
            if ((at == text || at[-1] == ' ' || at[-1] == '*' || at[-1] == '(') &&
                strncmp(at, names[i], strlen(names[i])) == 0)
                diff_text_add(out, "exact_");
        }
        diff_text_add_bytes(out, at, 1);
    }
}

static const char *spec_of(int view)
{
    return typical_views[view].spec != NULL ? typical_views[view].spec : "E";
}

static void must_run(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK)
        return;
    fprintf(stderr, "typical views: %s in: %s\n", sqlite3_errmsg(db), sql);
    exit(2);
}

static void open_database(struct run *run)
{
    if (sqlite3_open(run->course->is_file ? run->path : ":memory:", &run->db) != SQLITE_OK ||
        sqlite3_lockstep_init(run->db, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "typical views: cannot open %s\n", run->path);
        exit(2);
    }
    must_run(run->db, "PRAGMA synchronous = OFF");
    if (run->course->has_foreign_keys)
        must_run(run->db, "PRAGMA foreign_keys = ON");
}

static void create_views(struct run *run)
{
    static const char *const heads[] = {"CREATE VIRTUAL TABLE v%02d USING lockstep(",
        "CREATE VIEW v%02d AS ", "CREATE TABLE v%02d AS "};
    struct diff_text sql = {0};

    for (int i = 0; i < N_VIEWS; i++) {
        diff_text_reset(&sql);
        diff_text_add(&sql, heads[run->engine], i + 1);
        if (run->engine == LOCKSTEP)
            diff_text_add(&sql, "%s)", typical_views[i].text);
        else
            add_exact(typical_views[i].text, &sql);
        run->is_accepted[i] = sqlite3_exec(run->db, sql.data, NULL, NULL, NULL) == SQLITE_OK;
        if (!run->is_accepted[i])
            run->refusals[i] = sqlite3_mprintf("%s", sqlite3_errmsg(run->db));
    }
    diff_text_free(&sql);
}

/* Two reads without a change between them give the same, and that is what the query gives, as
** far as it has one answer; rows otherwise are among those that may be shown. */
static bool is_right(
    struct run *run, int view, struct diff_result *shown, struct diff_result *due)
{
    struct diff_result a = {0}, b = {0};
    const char *members = typical_views[view].members;
    char sql[32];

    snprintf(sql, sizeof sql, "SELECT * FROM v%02d", view + 1);
    diff_result_query(shown, run->db, sql);
    diff_result_query(&a, run->db, sql);
    bool is_same = shown->rc == SQLITE_OK && diff_result_is_same(shown, &a);
    if (is_same && members != NULL) {
        diff_result_query(&b, run->db, members);
        is_same = b.rc == SQLITE_OK && diff_result_is_part(&a, &b);
    }
    struct diff_text exact = {0};
    add_exact(typical_views[view].text, &exact);
    diff_result_query(due, run->db, exact.data);
    diff_result_canonical(shown, spec_of(view), &a);
    diff_result_canonical(due, spec_of(view), &b);
    is_same = is_same && due->rc == SQLITE_OK && diff_result_is_same(&a, &b);
    diff_text_free(&exact);
    diff_result_free(&a);
    diff_result_free(&b);
    return is_same;
}

static void catch_stale(struct run *run, int view)
{
    struct diff_text sql = {0};
    run->caught[view]++;
    diff_text_add(&sql, "DELETE FROM v%02d; INSERT INTO v%02d ", view + 1, view + 1);
    add_exact(typical_views[view].text, &sql);
    must_run(run->db, sql.data);
    diff_text_free(&sql);
}

static void compare_views(struct run *run)
{
    struct diff_result shown = {0}, due = {0};

    for (int i = 0; i < N_VIEWS && run->failed < 0; i++) {
        if (!run->is_accepted[i])
            continue;
        run->n_comparisons++;
        if (is_right(run, i, &shown, &due))
            continue;
        if (run->engine == STALE) {
            catch_stale(run, i);
            continue;
        }
        run->failed = i;
        diff_text_add(&run->detail, "v%02d: %s\nshown:\n", i + 1, typical_views[i].text);
        diff_result_print(&shown, "    ", &run->detail);
        diff_text_add(&run->detail, "its query:\n");
        diff_result_print(&due, "    ", &run->detail);
    }
    diff_result_free(&shown);
    diff_result_free(&due);
}

static void run_step(struct run *run, const char *step)
{
    if (step == typical_compare) {
        compare_views(run);
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

static void replay(struct run *run)
{
    run->failed = -1;
    open_database(run);
    must_run(run->db, typical_tables);
    create_views(run);
    for (unsigned i = 0; i < run->course->n_steps && run->failed < 0; i++)
        run_step(run, run->course->steps[i]);
    sqlite3_close(run->db);
    if (run->course->is_file)
        unlink(run->path);
}

static void free_run(struct run *run)
{
    for (int i = 0; i < N_VIEWS; i++)
        sqlite3_free(run->refusals[i]);
    diff_text_free(&run->detail);
}

static bool fails_alike(const struct typical_course *course, const struct run *as)
{
    struct run run = {.course = course, .engine = as->engine};
    memcpy(run.path, as->path, sizeof run.path);
    replay(&run);
    bool is_same = run.failed == as->failed;
    free_run(&run);
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

static void print_failure(struct typical_course *course, struct run *run)
{
    struct run again = {.course = course, .engine = run->engine};

    printf("MISMATCH v%02d (seed %" PRIu64 ")\n", run->failed + 1, course->seed);
    shrink(course, run);
    memcpy(again.path, run->path, sizeof again.path);
    replay(&again);
    for (unsigned i = 0; i < course->n_steps; i++)
        printf("%s;\n", course->steps[i]);
    printf("%s", again.detail.data != NULL ? again.detail.data : "");
    free_run(&again);
}

struct totals {
    bool is_accepted[N_VIEWS];
    unsigned caught[N_VIEWS];
    unsigned statements, comparisons, failures;
};

static void run_round(
    uint64_t seed, unsigned n_writes, enum engine engine, struct totals *totals)
{
    struct typical_course course;
    struct run run = {.course = &course, .engine = engine};

    snprintf(run.path, sizeof run.path, "typical-%ld.db", (long)getpid());
    unlink(run.path);
    typical_course_make(&course, seed, n_writes);
    replay(&run);
    for (int i = 0; i < N_VIEWS; i++) {
        if (totals->statements == 0 && run.refusals[i] != NULL)
            printf("v%02d is refused: %s\n", i + 1, run.refusals[i]);
        totals->is_accepted[i] = run.is_accepted[i];
        totals->caught[i] += run.caught[i];
    }
    totals->statements += run.n_statements;
    totals->comparisons += run.n_comparisons;
    if (run.failed >= 0) {
        totals->failures++;
        print_failure(&course, &run);
    }
    free_run(&run);
    typical_course_free(&course);
}

/* What must be kept is kept, and what is stale was noticed. */
static void judge(struct totals *totals, enum engine engine)
{
    for (int i = 0; i < N_VIEWS; i++) {
        if (!totals->is_accepted[i] && (engine != LOCKSTEP || typical_views[i].is_live)) {
            printf("v%02d must be accepted\n", i + 1);
            totals->failures++;
        }
        if (engine == STALE && totals->caught[i] < STALE_CATCHES) {
            printf("v%02d was caught as stale %u times only\n", i + 1, totals->caught[i]);
            totals->failures++;
        }
    }
    printf("%s: %u statements, %u comparisons, %u failures\n", engine_names[engine],
        totals->statements, totals->comparisons, totals->failures);
}

int main(int n, char **words)
{
    uint64_t seed = 1;
    unsigned rounds = 16, n_writes = 120, n_failures = 0;
    int only = -1;

    for (int i = 1; i + 1 < n; i += 2) {
        if (strcmp(words[i], "--seed") == 0)
            seed = strtoull(words[i + 1], NULL, 10);
        else if (strcmp(words[i], "--rounds") == 0)
            rounds = (unsigned)strtoul(words[i + 1], NULL, 10);
        else if (strcmp(words[i], "--steps") == 0)
            n_writes = (unsigned)strtoul(words[i + 1], NULL, 10);
        for (int k = 0; k < 3; k++) {
            if (strcmp(words[i], "--engine") == 0 && strcmp(words[i + 1], engine_names[k]) == 0)
                only = k;
        }
    }
    printf("seed %" PRIu64 "\n", seed);
    for (int engine = LOCKSTEP; engine <= STALE; engine++) {
        struct totals totals = {0};
        if (only >= 0 && only != engine)
            continue;
        for (unsigned i = 0; i < rounds && totals.failures == 0; i++)
            run_round(seed + i, n_writes, engine, &totals);
        judge(&totals, engine);
        n_failures += totals.failures;
    }
    return n_failures > 0;
}
