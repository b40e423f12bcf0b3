/* The course of a test of the typical views: rows at first, then statements, transactions and
** comparisons. */
#include "tests/typical_course.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/typical_statement.h"

const char typical_compare[] = "-- every view is compared";
const char typical_reopen[] = "-- the connection is closed and opened again";

const struct typical_collection typical_collections[TYPICAL_COLLECTIONS] = {
    {&typical_tables, typical_views, 22, 'v', 1}, /* v23 to v25 need windows and recursion */
    {&application_tables, application_views, N_APPLICATION_VIEWS, 'a', 3}};

static void read_schema(struct typical_schema *schema, const char *tables)
{
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK ||
        sqlite3_exec(db, tables, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "typical views: %s\n", sqlite3_errmsg(db));
        exit(2);
    }
    typical_schema_read(schema, db);
    sqlite3_close(db);
}

static bool reads_table(const struct kept_view *view, const char *table)
{
    size_t n = strlen(table);
    const char *at = strstr(view->text, table);

    while (at != NULL && !(at[-1] == ' ' && strchr(" ,)", at[n]) != NULL))
        at = strstr(at + 1, table);
    return at != NULL;
}

/* Some tables are written more than others, those of a few views. */
static const struct typical_table *some_table(const struct typical_schema *schema,
    const struct kept_view *const busy[3], struct diff_random *random)
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
    const struct kept_view *const busy[3], struct diff_random *random)
{
    struct diff_text sql = {0};

    if (diff_random_percent(random, 10))
        return transact(random);
    if (course->is_file && diff_random_percent(random, 2))
        return typical_reopen;
    typical_statement(some_table(schema, busy, random), random, &sql);
    return diff_arena_take(&course->arena, &sql);
}

void typical_course_make(struct typical_course *course,
    const struct typical_collection *collection, uint64_t seed, unsigned n_writes)
{
    struct diff_random random = diff_random_new(seed);
    struct typical_schema schema;
    const struct kept_view *busy[3];

    *course = (struct typical_course){.collection = collection, .seed = seed};
    read_schema(&schema, *collection->tables);
    course->is_file = diff_random_percent(&random, 50);
    course->has_foreign_keys = diff_random_percent(&random, 30);
    course->steps = diff_resize(NULL, (2 * n_writes + 60) * sizeof *course->steps);
    for (unsigned i = 0; i < collection->n_fills * schema.n_tables; i++) {
        struct diff_text sql = {0};
        typical_fill(&schema.tables[i % schema.n_tables], &random, &sql);
        course->steps[course->n_steps++] = diff_arena_take(&course->arena, &sql);
    }
    for (int i = 0; i < 3; i++) /* each in its turn */
        busy[i] = &collection->views[(3 * seed + (uint64_t)i) % (uint64_t)collection->n_live];
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
