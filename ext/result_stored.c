/* Where rows of a view lie in <view>_data, and how they are read there.
**
** A row lives in the table at a lockstep_row, its INTEGER PRIMARY KEY, which VACUUM leaves alone.
** Where its location is a key of one integer from 0 to below 2^62, that is the integer: rows that
** are neighbours in the table are so in the view. All others live from 2^62 on, at the hash of
** their location (XXH3, 62 bits), or at the next free place behind it: open addressing with linear
** probing, so that a row is found in O(log n) with no index of its own. One that is deleted there
** pulls back those that were pushed behind it, so that every row is reached from its hash without
** a gap. A row's checksum is of its rowid and weight too, so that a copy of it elsewhere is not
** taken for one. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "ext/checksum.h"
#include "ext/result_private.h"
#include "ext/statement.h"

bool ls_place_is_integer(
    const struct ls_result *result, struct zs_bytes place, int64_t *integer)
{
    return result->location->n_keys == 1 && zs_row_is_comparison_of_integer(place, integer) &&
           (uint64_t)*integer < result->n_hashes;
}

int64_t ls_result_home(const struct ls_result *result, struct zs_bytes place)
{
    uint64_t half = result->n_hashes;
    int64_t integer;

    if (ls_place_is_integer(result, place, &integer))
        return integer;
    return (int64_t)((XXH3_64bits(place.data, place.len) & (half - 1)) | half);
}

bool ls_result_is_hash(const struct ls_result *result, int64_t rowid)
{
    return (uint64_t)rowid >= result->n_hashes;
}

int64_t ls_result_after(const struct ls_result *result, int64_t rowid)
{
    uint64_t half = result->n_hashes;

    return (int64_t)((((uint64_t)rowid + 1) & (half - 1)) | half);
}

/* One key column of a row, comparison-encoded. */
static int append_key(
    const struct ls_location *location, int i, struct zs_bytes row, struct zs_buffer *place)
{
    struct zs_value value;
    size_t at = 0;
    int rc = ZS_OK;

    for (int skipped = 0; rc == ZS_OK && skipped < location->key_columns[i]; skipped++)
        rc = zs_row_skip(row, &at);
    if (rc == ZS_OK)
        rc = zs_row_read(row, &at, &value);
    return rc == ZS_OK ? zs_row_append_comparison(place, &value, location->collations[i]) : rc;
}

int ls_result_place(const struct ls_result *result, struct zs_bytes row,
    struct zs_buffer *buffer, struct zs_bytes *place)
{
    const struct ls_location *location = result->location;
    int rc = ZS_OK;

    *place = row;
    if (location->n_keys == 0)
        return ZS_OK;
    zs_buffer_reset(buffer);
    for (int i = 0; rc == ZS_OK && i < location->n_keys; i++)
        rc = append_key(location, i, row, buffer);
    *place = zs_buffer_bytes(buffer);
    return rc;
}

int ls_row_of_columns(struct zs_buffer *row, sqlite3_stmt *statement, int first, int n_columns)
{
    int rc = ZS_OK;

    for (int i = 0; rc == ZS_OK && i < n_columns; i++) {
        struct zs_value value = ls_column(statement, first + i);
        rc = ls_read_status(&value);
        if (rc == ZS_OK)
            rc = zs_row_append_identity(row, &value);
    }
    return rc;
}

int ls_result_read(struct ls_result *result, int64_t rowid, int64_t *weight, bool *found)
{
    int n_columns = result->location->n_columns;
    sqlite3_stmt *statement;
    int status = ZS_OK;
    int rc = ls_result_prepared(result, LS_GET, &statement);

    *found = false;
    zs_buffer_reset(&result->row);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 1, rowid);
    if (rc != SQLITE_OK)
        return ls_layer_failed(&result->layer, rc);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        status = ls_row_of_columns(&result->row, statement, 0, n_columns);
        if (status == ZS_OK)
            status = ls_result_check(statement, n_columns, NULL, weight);
        *found = status == ZS_OK;
    }
    rc = sqlite3_reset(statement);
    return rc != SQLITE_OK ? ls_layer_failed(&result->layer, rc) : status;
}

int ls_result_check(
    sqlite3_stmt *statement, int n_columns, sqlite3_value **values, int64_t *weight)
{
    int status = ls_checksum_check(statement, n_columns, values, weight);

    if (status == ZS_OK && (*weight <= 0 || *weight > (int64_t)1 << 48))
        status = ZS_CORRUPT;
    return status;
}

int64_t ls_result_added(const struct ls_result *result)
{
    return result->layer.n_added;
}

int ls_result_locate(struct ls_result *result, struct zs_bytes place, struct ls_record *record)
{
    int64_t rowid = ls_result_home(result, place);

    *record = (struct ls_record){0, 0};
    for (;;) {
        struct zs_bytes slot;
        int64_t weight;
        bool found;
        int rc = ls_result_read(result, rowid, &weight, &found);

        if (rc == ZS_OK && found)
            rc = ls_result_place(result, zs_buffer_bytes(&result->row), &result->slot, &slot);
        if (rc != ZS_OK || !found)
            return rc;
        if (zs_bytes_equal(slot, place)) {
            *record = (struct ls_record){weight, rowid};
            return ZS_OK;
        }
        if (!ls_result_is_hash(result, rowid))
            return ZS_CORRUPT;
        rowid = ls_result_after(result, rowid);
    }
}
