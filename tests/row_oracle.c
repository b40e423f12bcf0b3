/* What SQLite says about the order of two values: a database in each encoding. */
#include "tests/row_oracle.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "tests/must.h"

static const struct {
    const char *encoding;
    const char *collation;
} kinds[] = {
    [ZS_BINARY] = {"UTF-8", "BINARY"},
    [ZS_NOCASE] = {"UTF-8", "NOCASE"},
    [ZS_RTRIM] = {"UTF-8", "RTRIM"},
    [ZS_BINARY_16LE] = {"UTF-16le", "BINARY"},
    [ZS_BINARY_16BE] = {"UTF-16be", "BINARY"},
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

struct row_oracle {
    struct {
        sqlite3 *db;
        sqlite3_stmt *compare;
        sqlite3_stmt *read_back;
    } of[N_KINDS];
};

struct row_oracle *row_oracle_new(void)
{
    struct row_oracle *oracle = calloc(1, sizeof(*oracle));

    must(oracle != NULL);
    for (unsigned i = 0; i < N_KINDS; i++) {
        sqlite3 **db = &oracle->of[i].db;
        char *pragma = sqlite3_mprintf("PRAGMA encoding='%s'", kinds[i].encoding);
        char *compare = sqlite3_mprintf("SELECT (?1 COLLATE %s > ?2) - (?1 COLLATE %s < ?2), "
                                        "?1 COLLATE %s = ?2",
            kinds[i].collation, kinds[i].collation, kinds[i].collation);

        must(sqlite3_open(":memory:", db) == SQLITE_OK);
        must(sqlite3_exec(*db, pragma, NULL, NULL, NULL) == SQLITE_OK);
        must(sqlite3_prepare_v2(*db, compare, -1, &oracle->of[i].compare, NULL) == SQLITE_OK);
        must(sqlite3_prepare_v2(*db, "SELECT ?1", -1, &oracle->of[i].read_back, NULL) ==
             SQLITE_OK);
        sqlite3_free(pragma);
        sqlite3_free(compare);
    }
    return oracle;
}

void row_oracle_free(struct row_oracle *oracle)
{
    for (unsigned i = 0; i < N_KINDS; i++) {
        sqlite3_finalize(oracle->of[i].compare);
        sqlite3_finalize(oracle->of[i].read_back);
        sqlite3_close(oracle->of[i].db);
    }
    free(oracle);
}

static void bind(sqlite3_stmt *statement, int i, const struct zs_value *value)
{
    int rc = SQLITE_OK;

    switch (value->type) {
    case ZS_NULL:
        rc = sqlite3_bind_null(statement, i);
        break;
    case ZS_INTEGER:
        rc = sqlite3_bind_int64(statement, i, value->integer);
        break;
    case ZS_REAL:
        rc = sqlite3_bind_double(statement, i, value->real);
        break;
    case ZS_TEXT:
        rc = sqlite3_bind_text(statement, i, (const char *)value->bytes.data,
            (int)value->bytes.len, SQLITE_STATIC);
        break;
    case ZS_BLOB:
        rc = sqlite3_bind_blob(
            statement, i, value->bytes.data, (int)value->bytes.len, SQLITE_STATIC);
        break;
    }
    must(rc == SQLITE_OK);
}

int row_oracle_compare(struct row_oracle *oracle, const struct zs_value *a,
    const struct zs_value *b, enum zs_collation collation)
{
    sqlite3_stmt *statement = oracle->of[collation].compare;
    int order;

    if (a->type == ZS_NULL || b->type == ZS_NULL)
        return (a->type != ZS_NULL) - (b->type != ZS_NULL);
    bind(statement, 1, a);
    bind(statement, 2, b);
    must(sqlite3_step(statement) == SQLITE_ROW);
    order = sqlite3_column_int(statement, 0);
    must(sqlite3_column_int(statement, 1) == (order == 0));
    must(sqlite3_reset(statement) == SQLITE_OK);
    return order;
}

bool row_oracle_knows(const struct zs_value *a, const struct zs_value *b)
{
    volatile long double odd = 9007199254740993.0L;
    bool is_mixed = (a->type == ZS_INTEGER && b->type == ZS_REAL) ||
                    (a->type == ZS_REAL && b->type == ZS_INTEGER);
    int64_t integer = a->type == ZS_INTEGER ? a->integer : b->integer;

    if (!is_mixed || odd != 9007199254740992.0L)
        return true;
    return integer > -9007199254740992 && integer < 9007199254740992;
}

static struct zs_bytes read_back(sqlite3_stmt *statement)
{
    struct zs_bytes text;

    must(sqlite3_step(statement) == SQLITE_ROW);
    text.data = sqlite3_column_text(statement, 0);
    text.len = (size_t)sqlite3_column_bytes(statement, 0);
    return text;
}

struct zs_bytes row_oracle_read_back(
    struct row_oracle *oracle, struct zs_bytes text, enum zs_collation collation)
{
    sqlite3_stmt *statement = oracle->of[collation].read_back;

    sqlite3_reset(statement);
    bind(statement, 1, &(struct zs_value){.type = ZS_TEXT, .bytes = text});
    return read_back(statement);
}

struct zs_bytes row_oracle_read_utf16(
    struct row_oracle *oracle, struct zs_bytes units, enum zs_collation collation)
{
    sqlite3_stmt *statement = oracle->of[collation].read_back;
    int rc;

    sqlite3_reset(statement);
    rc = sqlite3_bind_text64(statement, 1, (const char *)units.data, units.len, SQLITE_STATIC,
        collation == ZS_BINARY_16LE ? SQLITE_UTF16LE : SQLITE_UTF16BE);
    must(rc == SQLITE_OK);
    return read_back(statement);
}
