/* Forged rows in the tables of views, with checksums that are right: whatever they say, no read
** and no write leaves its bounds, and rebuild mends the view. What a view then shows may be
** wrong: checksums are no defence against somebody who means to deceive. */
#include <sqlite3.h>
#include <stdio.h>

#include "ext/checksum.h"
#include "tests/fuzz.h"

int sqlite3_lockstep_init(sqlite3 *db, char **error, const void *api);

static const char made[] =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x, k INT);"
    "CREATE TABLE u(k INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);"
    "INSERT INTO t VALUES (1, 'a', 1, 1), (2, 'a', 2.5, 2), (3, 'b', 'text', 1), (4, NULL, "
    "x'00', 3),"
    " (5, 'b', NULL, NULL);"
    "INSERT INTO u VALUES (1, 'One'), (2, 'two'), (3, 'THREE');"
    "CREATE VIRTUAL TABLE v0 USING lockstep(SELECT g, count(*) AS n, sum(x) AS s, min(x) AS m,"
    " count(DISTINCT k) AS d, group_concat(x) AS c, id FROM t GROUP BY g);"
    "CREATE VIRTUAL TABLE v1 USING lockstep(SELECT name, s.n, x FROM u JOIN t USING (k) LEFT "
    "JOIN"
    " (SELECT g, count(*) AS n FROM t GROUP BY g) AS s ON s.g = t.g);"
    "CREATE VIRTUAL TABLE v2 USING lockstep(SELECT g, x FROM t ORDER BY x DESC LIMIT 2);"
    "CREATE VIRTUAL TABLE v3 USING lockstep(SELECT g FROM t UNION SELECT name FROM u);"
    "CREATE VIRTUAL TABLE v4 USING lockstep(SELECT sum(x) AS s, max(name) AS n FROM t, u WHERE "
    "u.k = t.k"
    " HAVING count(*) > 1)";
enum { N_VIEWS = 5 };

static const char *const changes[] = {
    "INSERT INTO t VALUES (10, 'a', -7, 2), (11, 'c', 1e300, 3)",
    "DELETE FROM t WHERE id IN (1, 3)",
    "UPDATE t SET x = 9, g = 'a' WHERE id = 2",
    "UPDATE u SET name = 'x' WHERE k = 1",
    "DELETE FROM t",
};
enum { N_CHANGES = sizeof(changes) / sizeof(*changes) };

static sqlite3 *open_database(void)
{
    sqlite3 *db;

    FUZZ_MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
    FUZZ_MUST(sqlite3_lockstep_init(db, NULL, NULL) == SQLITE_OK);
    return db;
}

/* A copy of the database with its views; the first is kept as bytes. */
static sqlite3 *begin(void)
{
    static unsigned char *image;
    static sqlite3_int64 size;
    unsigned char *copy;
    sqlite3 *db = open_database();

    if (image == NULL) {
        FUZZ_MUST(sqlite3_exec(db, made, NULL, NULL, NULL) == SQLITE_OK);
        image = sqlite3_serialize(db, "main", &size, 0);
        FUZZ_MUST(image != NULL && sqlite3_close(db) == SQLITE_OK);
        db = open_database();
    }
    copy = sqlite3_malloc64((sqlite3_uint64)size);
    FUZZ_MUST(copy != NULL);
    memcpy(copy, image, (size_t)size);
    FUZZ_MUST(sqlite3_deserialize(db, "main", copy, size, size,
                  SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
    return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *format, int view)
{
    char *sql = sqlite3_mprintf(format, view);
    sqlite3_stmt *statement;

    FUZZ_MUST(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
    sqlite3_free(sql);
    return statement;
}

/* What the cell has without its checksum, with a few bytes changed and maybe an end of another
** length; or any bytes. */
static void forge_value(struct fuzz_input *input, struct zs_bytes old, struct zs_buffer *value)
{
    struct zs_bytes more;

    if (fuzz_byte(input) % 4 > 0) {
        FUZZ_MUST(zs_buffer_append(value, old.data, old.len) == ZS_OK);
        for (int n = fuzz_byte(input) % 4; n > 0 && old.len > 0; n--) {
            size_t at = fuzz_byte(input) % old.len;

            value->data[at] = fuzz_byte(input);
        }
        value->len -= fuzz_byte(input) % 4 == 0 ? fuzz_byte(input) % (value->len + 1) : 0;
    }
    more = fuzz_bytes(input);
    FUZZ_MUST(zs_buffer_append(value, more.data, more.len) == ZS_OK);
}

static void append_checksum(struct zs_bytes key, struct zs_buffer *value)
{
    uint32_t sum = ls_checksum_cell(key, zs_buffer_bytes(value));

    for (int i = 0; i < 4; i++)
        FUZZ_MUST(zs_buffer_append_byte(value, (uint8_t)(sum >> 8 * i)) == ZS_OK);
}

/* A cell's value becomes another, or the cell one of another key. */
static void forge_cell(sqlite3 *db, int view, struct fuzz_input *input)
{
    sqlite3_stmt *find =
        prepare(db, "SELECT k, v FROM v%d_trace ORDER BY k LIMIT 1 OFFSET ?1", view);
    sqlite3_stmt *put = prepare(db, "REPLACE INTO v%d_trace VALUES(?1, ?2)", view);
    struct zs_buffer key, value;

    zs_buffer_init(&key, &zs_alloc_libc);
    zs_buffer_init(&value, &zs_alloc_libc);
    sqlite3_bind_int(find, 1, fuzz_byte(input) % 32);
    if (sqlite3_step(find) == SQLITE_ROW) {
        size_t len = (size_t)sqlite3_column_bytes(find, 1);

        FUZZ_MUST(zs_buffer_append(&key, sqlite3_column_blob(find, 0),
                      (size_t)sqlite3_column_bytes(find, 0)) == ZS_OK);
        forge_value(input,
            (struct zs_bytes){sqlite3_column_blob(find, 1), len > 4 ? len - 4 : 0}, &value);
    }
    if (fuzz_byte(input) % 8 == 0) {
        struct zs_bytes more = fuzz_bytes(input);

        key.len -= key.len > 2 ? 2 : 0;
        FUZZ_MUST(zs_buffer_append(&key, more.data, more.len) == ZS_OK);
    }
    append_checksum(zs_buffer_bytes(&key), &value);
    sqlite3_finalize(find);
    sqlite3_bind_blob(
        put, 1, key.len > 0 ? key.data : (const uint8_t *)"", (int)key.len, SQLITE_TRANSIENT);
    sqlite3_bind_blob(put, 2, value.data, (int)value.len, SQLITE_TRANSIENT);
    (void)sqlite3_step(put);
    sqlite3_finalize(put);
    zs_buffer_clear(&key);
    zs_buffer_clear(&value);
}

/* A row of the result gets another weight, and lives elsewhere. */
static void forge_row(sqlite3 *db, int view, struct fuzz_input *input)
{
    sqlite3_stmt *find =
        prepare(db, "SELECT * FROM v%d_data ORDER BY lockstep_row LIMIT 1 OFFSET ?1", view);
    int64_t weight = (int8_t)fuzz_byte(input), rowid = (int8_t)fuzz_byte(input);
    struct zs_buffer row;
    sqlite3_stmt *put;

    zs_buffer_init(&row, &zs_alloc_libc);
    sqlite3_bind_int(find, 1, fuzz_byte(input));
    if (sqlite3_step(find) == SQLITE_ROW) {
        int n = sqlite3_column_count(find) - 3;

        for (int i = 0; i < n; i++) {
            sqlite3_value *read = sqlite3_column_value(find, i);
            struct zs_value value = {.type = ZS_NULL};

            if (sqlite3_value_type(read) == SQLITE_INTEGER)
                value =
                    (struct zs_value){.type = ZS_INTEGER, .integer = sqlite3_value_int64(read)};
            FUZZ_MUST(zs_row_append_identity(&row, &value) == ZS_OK);
        }
        if (fuzz_byte(input) % 2 == 0)
            rowid = sqlite3_column_int64(find, n + 1);
        put = prepare(db,
            "UPDATE v%d_data SET lockstep_weight = ?1, lockstep_row = ?2, lockstep_checksum = "
            "?3"
            " WHERE lockstep_row = ?4",
            view);
        sqlite3_bind_int64(put, 1, weight);
        sqlite3_bind_int64(put, 2, rowid);
        sqlite3_bind_int64(put, 3, ls_checksum_row(rowid, weight, zs_buffer_bytes(&row)));
        sqlite3_bind_int64(put, 4, sqlite3_column_int64(find, n + 1));
        (void)sqlite3_step(put);
        sqlite3_finalize(put);
    }
    sqlite3_finalize(find);
    zs_buffer_clear(&row);
}

static int attempt(sqlite3 *db, const char *format, int view)
{
    char *sql = sqlite3_mprintf(format, view);
    int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

    sqlite3_free(sql);
    return rc;
}

static void must_be_right(sqlite3 *db, int view)
{
    sqlite3_stmt *statement;

    if (attempt(db, "SELECT * FROM v%d_query", view) != SQLITE_OK)
        return;
    FUZZ_MUST(attempt(db, "INSERT INTO v%d(lockstep) VALUES('rebuild')", view) == SQLITE_OK);
    FUZZ_MUST(
        attempt(db, "INSERT INTO v%d(lockstep) VALUES('integrity-check')", view) == SQLITE_OK);
    statement = prepare(db, "SELECT count(*) FROM v%d", view);
    FUZZ_MUST(sqlite3_step(statement) == SQLITE_ROW);
    sqlite3_finalize(statement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    sqlite3 *db = begin();
    int view = fuzz_byte(&input) % N_VIEWS;

    for (int n = 1 + fuzz_byte(&input) % 3; n > 0; n--) {
        if (fuzz_byte(&input) % 4 == 0)
            forge_row(db, view, &input);
        else
            forge_cell(db, view, &input);
    }
    for (int n = 1 + fuzz_byte(&input) % 3; n > 0; n--) {
        (void)attempt(db, changes[fuzz_byte(&input) % N_CHANGES], 0);
        (void)attempt(db, "SELECT * FROM v%d", view);
    }
    (void)attempt(db, "SELECT * FROM v%d WHERE rowid IS NOT 3 ORDER BY 1", view);
    (void)attempt(db, "INSERT INTO v%d(lockstep) VALUES('store')", view);
    (void)attempt(db, "INSERT INTO v%d(lockstep) VALUES('integrity-check')", view);
    must_be_right(db, view);
    FUZZ_MUST(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
