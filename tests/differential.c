/* The differential test: random tables, views and statements, and after every statement each
** view is compared with its query. A case depends only on its seed, which is printed. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/diff_compose.h"
#include "tests/diff_engine.h"
#include "tests/diff_shrink.h"

struct arguments {
    uint64_t seed;
    bool has_seed;
    unsigned rounds;
    unsigned steps;
    unsigned seconds;
    unsigned accepted; /* composed views; 0: rounds or seconds end the run */
    bool keeps_size;
    const struct diff_engine *engine;
    bool with_user_triggers;
    bool with_ddl;
    bool with_mid_statement;
    bool with_between;
    bool is_single;
    bool is_survey;
    unsigned composed;
    uint64_t without;
    bool refusals_fail;
};

static int usage(void)
{
    const struct diff_engine *engine;
    fputs("usage: differential [--seed N] [--rounds N] [--steps N] [--seconds N] [--engine "
          "NAME]\n"
          "    [--ignore rowid] [--keep] [--survey] [--single] [--user-triggers] [--ddl] "
          "[--mid-statement] [--between]\n"
          "    [--views PERCENT] [--accepted N] [--without LIST] [--only LIST] "
          "[--refusals-fail]\n"
          "--keep    prints a failing case as it was, without making it smaller\n"
          "--survey  goes on after a failing case, and prints only its seed and tag\n"
          "--single  uses one connection only\n"
          "--between does what else programs do between statements and reads\n"
          "--views   so many of a hundred views are composed of joins, subqueries and sets\n"
          "--accepted goes on until so many of these were accepted\n"
          "--without leaves constructs out of these, --only all others; names:\n   ",
        stderr);
    for (unsigned i = 0; i < DIFF_CONSTRUCTS; i++)
        fprintf(stderr, "%s%s", i > 0 ? "," : " ", diff_construct_names[i]);
    fputs("\n--refusals-fail: a composed view that is refused is a mismatch\n"
          "engines:",
        stderr);
    for (unsigned i = 0; (engine = diff_engine_at(i)) != NULL; i++)
        fprintf(stderr, " %s", engine->name);
    fputs("\n", stderr);
    return 2;
}

static bool read_number(const char *text, unsigned long long *n)
{
    char *end;
    errno = 0;
    *n = text == NULL ? 0 : strtoull(text, &end, 10);
    return text != NULL && *text != 0 && *end == 0 && errno == 0;
}

/* Reads an option that has a value; false where it is none of these or the value is wrong. */
static bool read_valued(struct arguments *arguments, const char *name, const char *value)
{
    unsigned long long n;

    if (strcmp(name, "--engine") == 0)
        return value != NULL && (arguments->engine = diff_engine_find(value)) != NULL;
    if (strcmp(name, "--ignore") == 0)
        return (diff_ignored_tag = value) != NULL;
    if (strcmp(name, "--without") == 0)
        return value != NULL && diff_constructs_read(value, &arguments->without);
    if (strcmp(name, "--only") == 0) {
        bool is_known = value != NULL && diff_constructs_read(value, &arguments->without);
        arguments->without = ~arguments->without;
        return is_known;
    }
    if (!read_number(value, &n))
        return false;
    if (strcmp(name, "--seed") == 0) {
        arguments->seed = n;
        arguments->has_seed = true;
    } else if (strcmp(name, "--rounds") == 0) {
        arguments->rounds = (unsigned)n;
    } else if (strcmp(name, "--steps") == 0) {
        arguments->steps = (unsigned)n;
    } else if (strcmp(name, "--seconds") == 0) {
        arguments->seconds = (unsigned)n;
    } else if (strcmp(name, "--accepted") == 0) {
        arguments->accepted = (unsigned)n;
    } else if (strcmp(name, "--views") == 0) {
        arguments->composed = n > 100 ? 100 : (unsigned)n;
    } else {
        return false;
    }
    return true;
}

static bool read_arguments(struct arguments *arguments, int n, char **words)
{
    struct {
        const char *name;
        bool *flag;
    } flags[] = {{"--keep", &arguments->keeps_size}, {"--survey", &arguments->is_survey},
        {"--single", &arguments->is_single}, {"--ddl", &arguments->with_ddl},
        {"--user-triggers", &arguments->with_user_triggers},
        {"--mid-statement", &arguments->with_mid_statement},
        {"--between", &arguments->with_between},
        {"--refusals-fail", &arguments->refusals_fail}};

    for (int i = 1; i < n; i++) {
        bool is_flag = false;
        for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
            if (strcmp(words[i], flags[k].name) == 0)
                is_flag = *flags[k].flag = true;
        }
        if (is_flag)
            continue;
        if (!read_valued(arguments, words[i], i + 1 < n ? words[i + 1] : NULL))
            return false;
        i++;
    }
    return true;
}

static struct diff_options options_of(const struct arguments *arguments)
{
    struct diff_options options = arguments->engine->can;
    options.n_steps = arguments->steps;
    options.with_user_triggers = options.with_user_triggers && arguments->with_user_triggers;
    options.with_ddl = options.with_ddl && arguments->with_ddl;
    options.with_mid_statement = options.with_mid_statement && arguments->with_mid_statement;
    options.with_between = options.with_between && arguments->with_between;
    options.with_many_connections = options.with_many_connections && !arguments->is_single;
    options.composed = options.composed > 0 ? arguments->composed : 0;
    options.without = arguments->without;
    return options;
}

static const char *make_folder(struct diff_text *path)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL)
        base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    diff_text_add(path, "%s/differential-XXXXXX", base);
    if (mkdtemp(path->data) == NULL) {
        fprintf(stderr, "differential: cannot make a folder in %s\n", base);
        exit(2);
    }
    return path->data;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* One case; prints it where it fails. */
static bool run_round(const struct arguments *arguments, uint64_t seed, const char *folder,
    struct diff_counts *counts)
{
    struct diff_case c;
    struct diff_mismatch mismatch = {0};
    struct diff_options options = options_of(arguments);
    static struct diff_counts ignored;

    ignored = (struct diff_counts){.refusals_fail = arguments->refusals_fail};
    diff_case_make(&c, seed, &options);
    bool is_right = diff_replay(&c, arguments->engine, folder, &mismatch, counts);
    if (!is_right && arguments->is_survey) {
        printf("seed %" PRIu64 ": %s\n", seed, mismatch.tag);
    } else if (!is_right) {
        printf("MISMATCH %s (seed %" PRIu64 ", engine %s, step %u)\n%s", mismatch.tag, seed,
            arguments->engine->name, mismatch.step, mismatch.detail.data);
        if (!arguments->keeps_size) {
            diff_shrink(&c, arguments->engine, folder, &mismatch);
            diff_replay(&c, arguments->engine, folder, &mismatch, &ignored);
        }
        diff_print_script(&c, arguments->engine, &mismatch, stdout);
    }
    if (!is_right && arguments->engine->caught_as != NULL &&
        strcmp(mismatch.tag, arguments->engine->caught_as) != 0)
        printf("expected to be caught as %s\n", arguments->engine->caught_as);
    diff_text_free(&mismatch.detail);
    diff_case_free(&c);
    return is_right;
}

static bool is_over(const struct arguments *arguments, const struct diff_counts *counts,
    unsigned rounds, double elapsed)
{
    if (arguments->accepted > 0)
        return counts->survey.accepted >= arguments->accepted;
    return arguments->seconds > 0 ? elapsed > arguments->seconds : rounds >= arguments->rounds;
}

int main(int n, char **words)
{
    struct arguments arguments = {
        .rounds = 100, .steps = 120, .engine = diff_engine_find("lockstep")};
    static struct diff_counts counts; /* zero */
    struct diff_text folder = {0};
    unsigned passed = 0, failed = 0;

    if (!read_arguments(&arguments, n, words))
        return usage();
    if (arguments.accepted > 0 && arguments.composed == 0)
        return usage();
    if (!arguments.has_seed)
        arguments.seed = (uint64_t)time(NULL) * 1000003u % 1000000000u;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("engine %s, seed %" PRIu64 "\n", arguments.engine->name, arguments.seed);
    counts.refusals_fail = arguments.refusals_fail;
    make_folder(&folder);
    double begin = now();
    for (unsigned i = 0; failed == 0 || arguments.is_survey; i++) {
        if (is_over(&arguments, &counts, i, now() - begin))
            break;
        if (run_round(&arguments, arguments.seed + i, folder.data, &counts))
            passed++;
        else
            failed++;
    }
    double elapsed = now() - begin;
    rmdir(folder.data);
    diff_text_free(&folder);
    if (sqlite3_memory_used() != 0) {
        printf(
            "%lld bytes of SQLite's memory were not freed\n", (long long)sqlite3_memory_used());
        failed++;
    }
    printf("%lu statements, %lu comparisons, %.0f statements a second, %lu cases cut short\n",
        counts.statements, counts.comparisons, (double)counts.statements / elapsed,
        counts.cut_short);
    if (arguments.composed > 0)
        diff_survey_print(&counts.survey, stdout);
    printf("%s: %u passed, %u failed\n", arguments.engine->name, passed, failed);
    return failed > 0;
}
