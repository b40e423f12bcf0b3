/* Any text as the SELECT of a view: the grammar reads or refuses it; what SQLite accepts as
** well gets a plan or a refusal in words. Each is tried with a schema of a few tables. */
#include <sqlite3.h>

#include "sql/ast.h"
#include "sql/plan.h"
#include "tests/fuzz.h"
#include "tests/plan_cases.h"
#include "tests/sql_catalogue.h"

static sqlite3 *db;
static struct zsql_catalogue catalogue;

/* Once a process. */
static void open_database(void)
{
    FUZZ_MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
    sql_catalogue_add_functions(db);
    FUZZ_MUST(sqlite3_exec(db, plan_tables, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
    catalogue = sql_catalogue_face(sql_catalogue_new(db));
}

static bool is_parsed(const char *text)
{
    struct zsql_arena *arena;
    struct zsql_select *select;
    uint32_t error_at = 0;
    int rc;

    FUZZ_MUST(zsql_arena_new(&zs_alloc_libc, &arena) == ZS_OK);
    rc = zsql_select_parse(arena, text, &select, &error_at);
    FUZZ_MUST(error_at <= strlen(text));
    FUZZ_MUST((rc == ZS_OK) == (select != NULL));
    zsql_arena_free(arena);
    return rc == ZS_OK;
}

static bool is_taken_by_sqlite(const char *text)
{
    sqlite3_stmt *statement = NULL;
    bool is_taken =
        sqlite3_prepare_v2(db, text, -1, &statement, NULL) == SQLITE_OK && statement != NULL;

    sqlite3_finalize(statement);
    return is_taken;
}

static void make_plan(const char *text)
{
    struct zsql_plan *plan = NULL;
    char *message = NULL;
    int rc = zsql_plan_new(&zs_alloc_libc, text, &catalogue, &plan, &message);

    FUZZ_MUST((rc == ZS_OK) == (plan != NULL));
    FUZZ_MUST(rc != ZS_REFUSED || (message != NULL && *message != '\0'));
    zs_alloc_free(&zs_alloc_libc, message);
    zsql_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (db == NULL)
        open_database();
    FUZZ_MUST(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    if (is_parsed(text) && is_taken_by_sqlite(text))
        make_plan(text);
    free(text);
    return 0;
}
