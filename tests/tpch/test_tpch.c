/* The 22 queries as live views: after each change of a stream every view equals its query.
**
**   test_tpch [--scale S] [--seed N] [--changes N] [--engine NAME]
**
** A scale below that of the specification's smallest makes values narrow, so that all queries
** have answers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tpch/tpch.h"

static unsigned run_engine(
    enum kept_engine engine, double scale, uint64_t seed, unsigned n_changes)
{
    struct kept_set set = {
        .views = tpch_queries, .n = TPCH_QUERIES, .prefix = 'q', .engine = engine};
    struct tpch tpch;
    sqlite3 *db = kept_open(":memory:");
    unsigned n_failures = 0;

    if (engine == KEPT_STALE) /* each is to be caught */
        n_changes *= 2;
    tpch_make(&tpch, db, scale, seed, scale < 0.005 ? 60 : 0);
    kept_create(&set, db);
    for (unsigned i = 0; i < n_changes && set.failed < 0; i++) {
        if (tpch_below(&tpch, 3) == 0)
            tpch_change_any(&tpch);
        else
            tpch_change_order(&tpch);
        kept_compare(&set, db);
        if (set.failed >= 0)
            printf("MISMATCH q%02d after change %u\n%s", set.failed + 1, i, set.detail.data);
    }
    n_failures = kept_judge(&set, scale < 0.005) + (set.failed >= 0);
    printf("%s: %u comparisons, %u failures\n", kept_engine_names[engine], set.n_comparisons,
        n_failures);
    kept_free(&set);
    tpch_close(&tpch);
    n_failures += sqlite3_close(db) != SQLITE_OK;
    return n_failures;
}

int main(int n, char **words)
{
    double scale = 0.0002;
    uint64_t seed = 1;
    unsigned n_changes = 150, n_failures = 0;
    const char *only = NULL;

    for (int i = 1; i + 1 < n; i += 2) {
        if (strcmp(words[i], "--scale") == 0)
            scale = strtod(words[i + 1], NULL);
        else if (strcmp(words[i], "--seed") == 0)
            seed = strtoull(words[i + 1], NULL, 10);
        else if (strcmp(words[i], "--changes") == 0)
            n_changes = (unsigned)strtoul(words[i + 1], NULL, 10);
        else if (strcmp(words[i], "--engine") == 0)
            only = words[i + 1];
    }
    printf("scale %g, seed %" PRIu64 "\n", scale, seed);
    for (int engine = 0; engine < KEPT_ENGINES; engine++) {
        if (only == NULL || strcmp(only, kept_engine_names[engine]) == 0)
            n_failures += run_engine((enum kept_engine)engine, scale, seed, n_changes);
    }
    return n_failures > 0;
}
