/* The course of a test of the typical views: rows at first, then statements, transactions and
** comparisons. */
#include "tests/typical_course.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/typical_statement.h"

const char typical_compare[] = "-- every view is compared";
const char typical_reopen[] = "-- the connection is closed and opened again";

static void read_schema(struct typical_schema *schema)
{
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        sqlite3_exec(db, typical_tables, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "typical views: %s\n", sqlite3_errmsg(db));
        exit(2);
    }
    typical_schema_read(schema, db);
    sqlite3_close(db);
}

static bool reads_table(int view, const char *table)
{
    size_t n = strlen(table);
    const char *at = strstr(typical_views[view].text, table);

    while (at != NULL && !(at[-1] == ' ' && strchr(" ,)", at[n]) != NULL))
        at = strstr(at + 1, table);
    return at != NULL;
}

/* Some tables are written more than others, those of a few views. */
static const struct typical_table *some_table(
    const struct typical_schema *schema, const int busy[3], struct diff_random *random)
{
    for (;;) {
        const struct typical_table *table =
            &schema->tables[diff_random_below(random, schema->n_tables)];
        bool is_busy = diff_random_percent(random, 5);
        for (int i = 0; i < 3; i++)
            is_busy = is_busy || reads_table(busy[i], table->name);
        if (is_busy)
            return table;
    }
}

static const char *transact(struct diff_random *random)
{
    static const char *const words[] = {"BEGIN", "BEGIN", "COMMIT", "COMMIT", "ROLLBACK",
        "SAVEPOINT s", "ROLLBACK TO s", "RELEASE s", NULL};
    return diff_random_word(random, words);
}

static const char *some_step(struct typical_course *course, const struct typical_schema *schema,
    const int busy[3], struct diff_random *random)
{
    struct diff_text sql = {0};

    if (diff_random_percent(random, 10))
        return transact(random);
    if (course->is_file && diff_random_percent(random, 2))
        return typical_reopen;
    typical_statement(some_table(schema, busy, random), random, &sql);
    return diff_arena_take(&course->arena, &sql);
}

void typical_course_make(struct typical_course *course, uint64_t seed, unsigned n_writes)
{
    struct diff_random random = diff_random_new(seed);
    struct typical_schema schema;
    int busy[3];

    *course = (struct typical_course){.seed = seed};
    read_schema(&schema);
    course->is_file = diff_random_percent(&random, 50);
    course->has_foreign_keys = diff_random_percent(&random, 30);
    course->steps = diff_resize(NULL, (2 * n_writes + 60) * sizeof *course->steps);
    for (unsigned i = 0; i < schema.n_tables; i++) {
        struct diff_text sql = {0};
        typical_fill(&schema.tables[i], &random, &sql);
        course->steps[course->n_steps++] = diff_arena_take(&course->arena, &sql);
    }
    for (int i = 0; i < 3; i++)
        busy[i] = (int)((3 * seed + (uint64_t)i) % TYPICAL_LIVE); /* each in its turn */
    for (unsigned i = 0; i < n_writes; i++) {
        course->steps[course->n_steps++] = some_step(course, &schema, busy, &random);
        if (i + 1 == n_writes || diff_random_percent(&random, 60))
            course->steps[course->n_steps++] = typical_compare;
    }
}

void typical_course_free(struct typical_course *course)
{
    free(course->steps);
    diff_arena_clear(&course->arena);
}
