/* Damage by SQL. Objects are chosen by their names in sqlite_schema, columns by
** pragma_table_info. */
#include "tests/damage.h"

#include <stdbool.h>
#include <string.h>

#include "tests/live.h"
#include "tests/must.h"

/* chance(n): 1 once in n, else 0. */
static void chance(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct random *random = sqlite3_user_data(context);

    (void)argc;
    sqlite3_result_int(context, random_once_in(random, (unsigned)sqlite3_value_int(argv[0])));
}

/* flip(x): x with one bit changed. */
static void flip(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct random *random = sqlite3_user_data(context);
    sqlite3_int64 integer = sqlite3_value_int64(argv[0]);
    unsigned bit = random_below(random, 64);
    double real = sqlite3_value_double(argv[0]);
    int len = sqlite3_value_bytes(argv[0]);
    char *copy;

    (void)argc;
    switch (sqlite3_value_type(argv[0])) {
    case SQLITE_INTEGER:
        sqlite3_result_int64(context, integer ^ (sqlite3_int64)((sqlite3_uint64)1 << bit));
        return;
    case SQLITE_FLOAT:
        sqlite3_result_double(context, real + 1);
        return;
    case SQLITE_NULL:
        sqlite3_result_int(context, 1);
        return;
    }
    copy = sqlite3_malloc(len + 1);
    must(copy != NULL);
    memcpy(copy, sqlite3_value_blob(argv[0]) == NULL ? "" : sqlite3_value_blob(argv[0]),
        (size_t)len);
    if (len > 0)
        copy[random_below(random, (unsigned)len)] ^= (char)(1 << bit % 7);
    if (sqlite3_value_type(argv[0]) == SQLITE_TEXT)
        sqlite3_result_text(context, copy, len, SQLITE_TRANSIENT);
    else
        sqlite3_result_blob(context, copy, len, SQLITE_TRANSIENT);
    sqlite3_free(copy);
}

void damage_register(sqlite3 *db, struct random *random)
{
    sqlite3_create_function(db, "chance", 1, SQLITE_UTF8, random, chance, NULL, NULL);
    sqlite3_create_function(db, "flip", 1, SQLITE_UTF8, random, flip, NULL, NULL);
}

/* A random one of the first column of a query; NULL where there is none. sqlite3_free it. */
static char *choose(sqlite3 *db, struct random *random, char *query)
{
    sqlite3_stmt *statement;
    char *chosen = NULL;
    unsigned n = 0;

    must(query != NULL && sqlite3_prepare_v2(db, query, -1, &statement, NULL) == SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW)
        if (random_once_in(random, ++n)) {
            sqlite3_free(chosen);
            chosen = sqlite3_mprintf("%s", sqlite3_column_text(statement, 0));
        }
    sqlite3_finalize(statement);
    sqlite3_free(query);
    return chosen;
}

static char *column_of(sqlite3 *db, struct random *random, const char *table)
{
    return choose(db, random, sqlite3_mprintf("SELECT name FROM pragma_table_info(%Q)", table));
}

/* What a value becomes. */
static const char *const values[] = {"NULL", "'many'", "x''", "zeroblob(70000)", "9e18", "-1",
    "9223372036854775807", "0", "1", "99", "\"%w\" + 1", "flip(\"%w\")", "flip(\"%w\")",
    "flip(\"%w\")", "substr(\"%w\", 1, length(\"%w\") / 2)"};

static char *change_values(sqlite3 *db, struct random *random, const char *table)
{
    char *column = column_of(db, random, table);
    const char *format = values[random_below(random, sizeof(values) / sizeof(*values))];
    char *value = sqlite3_mprintf(format, column, column);
    char *text = sqlite3_mprintf("UPDATE OR IGNORE \"%w\" SET \"%w\" = %s%s", table, column,
        value, random_once_in(random, 3) ? "" : " WHERE chance(3)");

    sqlite3_free(column);
    sqlite3_free(value);
    return text;
}

static char *copy_rows(sqlite3 *db, struct random *random, const char *table)
{
    char *column = column_of(db, random, table);
    char *list = choose(db, random,
        sqlite3_mprintf("SELECT group_concat(iif(name = %Q, printf('flip(\"%%w\")', name),"
                        " printf('\"%%w\"', name))) FROM pragma_table_info(%Q)",
            column, table));
    char *text =
        sqlite3_mprintf("INSERT OR %s INTO \"%w\" SELECT %s FROM \"%w\" WHERE chance(2)",
            random_once_in(random, 2) ? "IGNORE" : "REPLACE", table, list, table);

    sqlite3_free(column);
    sqlite3_free(list);
    return text;
}

static char *change_columns(sqlite3 *db, struct random *random, const char *table)
{
    char *column = column_of(db, random, table), *text;

    switch (random_below(random, 3)) {
    case 0:
        text = sqlite3_mprintf("ALTER TABLE \"%w\" ADD COLUMN extra", table);
        break;
    case 1:
        text = sqlite3_mprintf("ALTER TABLE \"%w\" DROP COLUMN \"%w\"", table, column);
        break;
    default:
        text =
            sqlite3_mprintf("ALTER TABLE \"%w\" RENAME COLUMN \"%w\" TO other", table, column);
    }
    sqlite3_free(column);
    return text;
}

static bool ends_with(const char *name, const char *end)
{
    return strlen(name) >= strlen(end) && strcmp(name + strlen(name) - strlen(end), end) == 0;
}

/* What is known of a table's rows when some change: the state's and a log's may be others'. */
static enum damage_blindness blindness_of(const char *table, bool only_deletes)
{
    if (strncmp(table, "lockstep_log", 12) == 0 || ends_with(table, "_trace"))
        return DAMAGE_IS_UNSEEN;
    return only_deletes && ends_with(table, "_data") ? DAMAGE_HIDES_ROWS : DAMAGE_IS_SEEN;
}

static char *damage_table(
    sqlite3 *db, struct random *random, const char *table, enum damage_blindness *blindness)
{
    unsigned kind = random_below(random, 10);

    *blindness = DAMAGE_IS_SEEN;
    if (kind < 1)
        return sqlite3_mprintf("DROP TABLE \"%w\"", table);
    if (kind < 2)
        return sqlite3_mprintf(
            "ALTER TABLE \"%w\" RENAME TO stray%u", table, random_below(random, 1000000));
    if (kind < 3)
        return change_columns(db, random, table);
    *blindness = blindness_of(table, kind < 5);
    if (kind < 4)
        return sqlite3_mprintf("DELETE FROM \"%w\"", table);
    if (kind < 5)
        return sqlite3_mprintf("DELETE FROM \"%w\" WHERE chance(2)", table);
    return kind < 6 ? copy_rows(db, random, table) : change_values(db, random, table);
}

char *damage_next(sqlite3 *db, struct random *random, enum damage_blindness *blindness)
{
    static const char *const types[] = {
        "table", "table", "table", "table", "table", "view", "index", "trigger"};
    const char *type = types[random_below(random, sizeof(types) / sizeof(*types))];
    char *name = choose(db, random,
        sqlite3_mprintf("SELECT name FROM sqlite_schema WHERE type = %Q AND sql IS NOT NULL AND"
                        " sql NOT LIKE 'CREATE VIRTUAL%%' AND"
                        " (name GLOB 'lockstep_*' OR name GLOB 'v[0-9]*')",
            type));
    char *text;

    *blindness = DAMAGE_IS_SEEN;
    if (name == NULL)
        return sqlite3_mprintf("SELECT 1");
    text = strcmp(type, "table") == 0 ? damage_table(db, random, name, blindness)
                                      : sqlite3_mprintf("DROP %s \"%w\"", type, name);
    sqlite3_free(name);
    must(text != NULL);
    return text;
}
