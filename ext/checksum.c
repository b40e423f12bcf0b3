/* XXH3, cut down to what can't be hit by chance. What tells a row or cell from others is its
** seed. */
#include "ext/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ext/statement.h"

uint32_t ls_checksum_cell(struct zs_bytes key, struct zs_bytes value)
{
    XXH64_hash_t seed = XXH3_64bits(key.data, key.len);
    return (uint32_t)XXH3_64bits_withSeed(value.data, value.len, seed);
}

uint64_t ls_checksum_begin(int64_t rowid, int64_t weight)
{
    int64_t head[2] = {rowid, weight};
    return XXH3_64bits(head, sizeof(head));
}

uint64_t ls_checksum_add(uint64_t sum, const struct zs_value *value)
{
    sum += (uint64_t)value->type + 1;
    switch (value->type) {
    case ZS_INTEGER:
        return XXH3_64bits_withSeed(&value->integer, sizeof(value->integer), sum);
    case ZS_REAL:
        return XXH3_64bits_withSeed(&value->real, sizeof(value->real), sum);
    case ZS_TEXT:
    case ZS_BLOB:
        return XXH3_64bits_withSeed(value->bytes.data, value->bytes.len, sum);
    case ZS_NULL:
        break;
    }
    return XXH3_64bits_withSeed(NULL, 0, sum);
}

uint32_t ls_checksum_row(int64_t rowid, int64_t weight, struct zs_bytes row)
{
    uint64_t sum = ls_checksum_begin(rowid, weight);
    struct zs_value value;
    size_t at = 0;

    while (at < row.len && zs_row_read(row, &at, &value) == ZS_OK)
        sum = ls_checksum_add(sum, &value);
    return (uint32_t)sum;
}

int ls_checksum_check(
    sqlite3_stmt *statement, int n_columns, sqlite3_value **values, int64_t *weight)
{
    uint64_t sum;

    *weight = sqlite3_column_int64(statement, n_columns);
    sum = ls_checksum_begin(sqlite3_column_int64(statement, n_columns + 1), *weight);
    for (int i = 0; i < n_columns; i++) {
        sqlite3_value *column = sqlite3_column_value(statement, i);
        struct zs_value value = ls_value(column);
        int status = ls_read_status(&value);

        if (values != NULL)
            values[i] = column;
        if (status != ZS_OK)
            return status;
        sum = ls_checksum_add(sum, &value);
    }
    return sqlite3_column_int64(statement, n_columns + 2) == (uint32_t)sum ? ZS_OK : ZS_CORRUPT;
}

static void checksum(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    uint64_t sum = 0;

    for (int i = 0; i < argc; i++) {
        struct zs_value value = ls_value(argv[i]);

        int status = ls_read_status(&value);

        if (status != ZS_OK) {
            sqlite3_result_error_code(context, ls_code_of(status));
            return;
        }
        sum = ls_checksum_add(sum, &value);
    }
    sqlite3_result_int64(context, (sqlite3_int64)sum);
}

int ls_checksum_register(sqlite3 *db)
{
    return sqlite3_create_function_v2(db, "lockstep_checksum", -1,
        SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC, NULL, checksum, NULL, NULL,
        NULL);
}
