/* Writing what is pending of a result to <view>_data. Rows go by ascending rowid, so that a
** large store writes each page once. */
#include <stdlib.h>
#include <string.h>

#include "ext/checksum.h"
#include "ext/result_private.h"
#include "ext/statement.h"

/* Parameters: ?1 the rowid, ?2 .. the columns, then the weight and the checksum. */
static char *statement_text(const struct ls_result *result, int which, sqlite3_stmt *get)
{
    const struct ls_location *location = result->location;
    sqlite3_str *text = sqlite3_str_new(NULL);

    if (which == LS_AHEAD) {
        sqlite3_free(sqlite3_str_finish(text));
        return ls_ahead_text(result, get);
    }
    if (which == LS_INSERT) {
        sqlite3_str_appendf(text, "INSERT INTO \"%w\".\"%w_data\" VALUES(",
            result->layer.schema, result->layer.view);
        for (int i = 0; i <= location->n_columns; i++)
            sqlite3_str_appendf(text, "?%d, ", i + 2);
        sqlite3_str_appendf(text, "?1, ?%d)", location->n_columns + 3);
        return sqlite3_str_finish(text);
    }
    sqlite3_str_appendf(
        text, "UPDATE \"%w\".\"%w_data\" SET ", result->layer.schema, result->layer.view);
    for (int i = 0; i < location->n_columns; i++)
        if (which == LS_UPDATE || !location->is_key[i])
            sqlite3_str_appendf(text, "\"%w\" = ?%d, ", sqlite3_column_name(get, i), i + 2);
    sqlite3_str_appendf(text,
        "lockstep_weight = ?%d, lockstep_checksum = ?%d WHERE lockstep_row = ?1",
        location->n_columns + 2, location->n_columns + 3);
    return sqlite3_str_finish(text);
}

int ls_result_prepared(struct ls_result *result, int which, sqlite3_stmt **statement)
{
    static const char *const texts[LS_N_STATEMENTS] = {
        [LS_GET] = "SELECT * FROM \"%w\".\"%w_data\" WHERE lockstep_row = ?1",
        [LS_DELETE] = "DELETE FROM \"%w\".\"%w_data\" WHERE lockstep_row = ?1",
        [LS_MOVE] = "UPDATE \"%w\".\"%w_data\" SET lockstep_row = ?2, lockstep_checksum = ?3"
                    " WHERE lockstep_row = ?1",
    };
    struct ls_layer *layer = &result->layer;
    sqlite3_stmt *get;
    int rc = SQLITE_OK;

    if (texts[which] != NULL)
        return ls_layer_prepared(layer, which, texts[which], statement);
    if (layer->statements[which] == NULL)
        rc = ls_result_prepared(result, LS_GET, &get);
    if (rc == SQLITE_OK && layer->statements[which] == NULL)
        rc = ls_prepare_text(
            layer->db, &layer->statements[which], statement_text(result, which, get));
    *statement = layer->statements[which];
    return rc;
}

/* One location whose row changes. */
struct change {
    int64_t home;
    struct ls_record record;
    size_t place, n_place; /* in the copied bytes, as all below */
    size_t row, n_row;
    int64_t weight;  /* of the row; 0: there is none */
    bool keeps_keys; /* the stored row's keys are the same in identity */
};

/* Everything that is pending, copied, to be sorted. */
struct changes {
    struct ls_result *result; /* borrowed */
    struct zs_buffer bytes;
    struct zs_buffer met; /* of meet_stored */
    struct change *list;
    size_t n;
    size_t cap;
};

/* Do two rows have the same keys, not only equal ones? */
static bool keeps_keys(
    const struct ls_location *location, struct zs_bytes before, struct zs_bytes after)
{
    size_t i = 0, j = 0;

    for (int column = 0; column < location->n_columns; column++) {
        size_t from = i, to = j;

        if (zs_row_skip(before, &i) != ZS_OK || zs_row_skip(after, &j) != ZS_OK)
            return false;
        if (location->is_key[column] &&
            (i - from != j - to || memcmp(before.data + from, after.data + to, i - from) != 0))
            return false;
    }
    return true;
}

/* What a build has of a location whose row it has stored before: the changes since, which take
** the stored row into account now. Into bytes. */
static int meet_stored(struct ls_result *result, struct zs_bytes place, struct zs_bytes changes,
    struct zs_buffer *bytes)
{
    struct ls_record head;
    struct zs_bytes rest = ls_record_head(changes, &head);
    struct ls_entry entry;
    int rc = ls_result_locate(result, place, &head);

    zs_buffer_reset(bytes);
    if (rc == ZS_OK)
        rc = zs_buffer_append(bytes, &head, sizeof(head));
    if (rc == ZS_OK && head.stored_weight != 0)
        rc = ls_record_append(bytes, head.stored_weight, zs_buffer_bytes(&result->row));
    while (rc == ZS_OK && ls_record_next(&rest, &entry)) {
        bool is_as_stored;

        rc = ls_record_change(result, zs_buffer_bytes(bytes),
            (struct zs_bytes){entry.row, entry.len}, entry.weight, &is_as_stored);
        zs_buffer_reset(bytes);
        if (rc == ZS_OK)
            rc = zs_buffer_append(bytes, result->record.data, result->record.len);
    }
    return rc;
}

/* A zs_cell_visit: ctx is the store under way. */
static int copy_change(
    void *ctx, size_t i, struct zs_bytes place, struct zs_bytes bytes, bool *is_enough)
{
    struct changes *changes = ctx;
    struct ls_result *result = changes->result;
    struct change change = {.home = ls_result_home(result, place)};
    struct zs_bytes rest;
    struct ls_entry settled, stored;
    bool is_settled = ls_record_settled(bytes, &settled);
    int rc = ZS_OK;

    (void)i;
    (void)is_enough;
    if (!is_settled && result->layer.is_building) {
        rc = meet_stored(result, place, bytes, &changes->met);
        bytes = zs_buffer_bytes(&changes->met);
        is_settled = rc == ZS_OK && ls_record_settled(bytes, &settled);
    }
    if (!is_settled)
        return rc == ZS_OK ? ZS_CORRUPT : rc;
    rest = ls_record_head(bytes, &change.record);
    if (change.record.stored_weight != 0 && settled.weight != 0 &&
        ls_record_next(&rest, &stored))
        change.keeps_keys =
            keeps_keys(result->location, (struct zs_bytes){stored.row, stored.len},
                (struct zs_bytes){settled.row, settled.len});
    rc = zs_alloc_reserve(
        &ls_alloc, &changes->list, &changes->cap, changes->n + 1, sizeof(*changes->list));
    change.place = changes->bytes.len;
    change.n_place = place.len;
    if (rc == ZS_OK)
        rc = zs_buffer_append(&changes->bytes, place.data, place.len);
    change.row = changes->bytes.len;
    change.n_row = settled.len;
    change.weight = settled.weight;
    if (rc == ZS_OK)
        rc = zs_buffer_append(&changes->bytes, settled.row, settled.len);
    if (rc == ZS_OK)
        changes->list[changes->n++] = change;
    return rc;
}

static int by_home(const void *a, const void *b)
{
    int64_t x = ((const struct change *)a)->home, y = ((const struct change *)b)->home;
    return (x > y) - (x < y);
}

int ls_result_code_of(const struct ls_result *result, int status)
{
    return status == ZS_CALLBACK ? result->layer.code : ls_code_of(status);
}

/* Rows pushed behind the one that is gone move up, as far as their own home allows. */
static int close_gap(struct ls_result *result, int64_t gap, bool *has_moved)
{
    uint64_t mask = result->n_hashes - 1;
    int64_t rowid = gap;
    sqlite3_stmt *move;

    while (ls_result_is_hash(result, gap)) {
        struct zs_bytes place;
        int64_t weight, home;
        bool found;
        int rc;

        rowid = ls_result_after(result, rowid);
        rc = ls_result_read(result, rowid, &weight, &found);
        if (rc == ZS_OK && found)
            rc = ls_result_place(result, zs_buffer_bytes(&result->row), &result->slot, &place);
        if (rc != ZS_OK || !found)
            return ls_result_code_of(result, rc);
        home = ls_result_home(result, place);
        /* May it stand at the gap? Only if its home is not behind the gap. */
        if ((((uint64_t)rowid - (uint64_t)home) & mask) <
            (((uint64_t)rowid - (uint64_t)gap) & mask))
            continue;
        rc = ls_result_prepared(result, LS_MOVE, &move);
        if (rc == SQLITE_OK)
            rc = sqlite3_bind_int64(move, 1, rowid);
        if (rc == SQLITE_OK)
            rc = sqlite3_bind_int64(move, 2, gap);
        if (rc == SQLITE_OK)
            rc = sqlite3_bind_int64(
                move, 3, ls_checksum_row(gap, weight, zs_buffer_bytes(&result->row)));
        if (rc == SQLITE_OK)
            rc = ls_run(move);
        if (rc != SQLITE_OK)
            return rc;
        *has_moved = true;
        gap = rowid;
    }
    return SQLITE_OK;
}

static int delete_row(struct ls_result *result, int64_t rowid, bool *has_moved)
{
    sqlite3_stmt *statement;
    int rc = ls_result_prepared(result, LS_DELETE, &statement);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 1, rowid);
    if (rc == SQLITE_OK)
        rc = ls_run(statement);
    if (rc == SQLITE_OK && sqlite3_changes(result->layer.db) != 1)
        rc = SQLITE_CORRUPT_VTAB; /* the row is not where it was */
    result->layer.n_added -= rc == SQLITE_OK;
    return rc != SQLITE_OK ? rc : close_gap(result, rowid, has_moved);
}

/* Binds the columns that a statement writes, and what stands behind them. */
static int bind_row(struct ls_result *result, sqlite3_stmt *statement, bool with_keys,
    int64_t rowid, struct zs_bytes row, int64_t weight)
{
    const struct ls_location *location = result->location;
    uint64_t sum = ls_checksum_begin(rowid, weight);
    size_t at = 0;
    int rc = SQLITE_OK;

    for (int i = 0; rc == SQLITE_OK && i < location->n_columns; i++) {
        struct zs_value value;

        if (zs_row_read(row, &at, &value) != ZS_OK)
            return SQLITE_CORRUPT_VTAB;
        sum = ls_checksum_add(sum, &value);
        if (with_keys || !location->is_key[i])
            rc = ls_bind(statement, i + 2, &value);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 1, rowid);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, location->n_columns + 2, weight);
    return rc != SQLITE_OK
               ? rc
               : sqlite3_bind_int64(statement, location->n_columns + 3, (uint32_t)sum);
}

/* Writes a row at a rowid; *is_taken where one is to be inserted and another lives there. */
static int write_row(struct ls_result *result, int which, int64_t rowid, struct zs_bytes row,
    int64_t weight, bool *is_taken)
{
    sqlite3_stmt *statement;
    int rc = ls_result_prepared(result, which, &statement);

    if (rc == SQLITE_OK)
        rc = bind_row(result, statement, which != LS_UPDATE_REST, rowid, row, weight);
    if (rc == SQLITE_OK)
        rc = ls_run(statement);
    if (rc == SQLITE_OK && sqlite3_changes(result->layer.db) != 1)
        return SQLITE_CORRUPT_VTAB; /* the row is not where it was */
    result->layer.n_added += rc == SQLITE_OK && which == LS_INSERT;
    *is_taken = rc != SQLITE_OK && which == LS_INSERT &&
                sqlite3_extended_errcode(result->layer.db) == SQLITE_CONSTRAINT_PRIMARYKEY;
    return *is_taken ? SQLITE_OK : rc;
}

/* A build meets a row that is stored already: there are more of it. */
static int add_to_stored(
    struct ls_result *result, int64_t rowid, struct zs_bytes row, int64_t weight, bool *is_same)
{
    int64_t stored_weight;
    bool is_taken;
    int rc = ls_result_code_of(result, ls_result_read(result, rowid, &stored_weight, is_same));

    *is_same = rc == SQLITE_OK && zs_bytes_equal(row, zs_buffer_bytes(&result->row));
    if (!*is_same)
        return rc;
    if (__builtin_add_overflow(weight, stored_weight, &weight))
        return SQLITE_CORRUPT_VTAB;
    return write_row(result, LS_UPDATE, rowid, row, weight, &is_taken);
}

static int insert_row(
    struct ls_result *result, int64_t *rowid, struct zs_bytes row, int64_t weight)
{
    for (;;) {
        bool is_taken, is_same = false;
        int rc = write_row(result, LS_INSERT, *rowid, row, weight, &is_taken);

        if (is_taken && result->layer.is_building)
            rc = add_to_stored(result, *rowid, row, weight, &is_same);
        if (rc != SQLITE_OK || !is_taken || is_same)
            return rc;
        if (!ls_result_is_hash(result, *rowid))
            return SQLITE_CORRUPT_VTAB; /* of its key there is a row already */
        *rowid = ls_result_after(result, *rowid);
    }
}

static int store_one(struct ls_result *result, const struct changes *changes,
    struct change *change, bool *has_moved)
{
    struct zs_bytes row = {changes->bytes.data + change->row, change->n_row};
    struct zs_bytes place = {changes->bytes.data + change->place, change->n_place};
    struct ls_record *record = &change->record;
    int which = record->stored_weight == 0 ? LS_INSERT
                : change->keeps_keys       ? LS_UPDATE_REST
                                           : LS_UPDATE;
    int rc, status = ZS_OK;
    bool is_taken;

    if (which == LS_INSERT && change->weight == 0)
        return SQLITE_OK;
    if (which == LS_INSERT)
        record->rowid = change->home;
    else if (*has_moved)
        status = ls_result_locate(result, place, record);
    if (status != ZS_OK)
        return ls_result_code_of(result, status);
    if (change->weight == 0)
        rc = delete_row(result, record->rowid, has_moved);
    else if (which == LS_INSERT)
        rc = insert_row(result, &record->rowid, row, change->weight);
    else
        rc = write_row(result, which, record->rowid, row, change->weight, &is_taken);
    record->stored_weight = change->weight;
    if (rc == SQLITE_OK && !result->layer.is_building)
        rc = ls_result_code_of(result, ls_result_remember(result, place, record, row));
    return rc;
}

int ls_result_store_noted(struct ls_result *result)
{
    struct changes changes = {.result = result};
    bool has_moved = false;
    int rc;

    result->layer.n_added = 0;
    if (ls_result_pending(result) == 0)
        return SQLITE_OK;
    zs_buffer_init(&changes.bytes, &ls_alloc);
    zs_buffer_init(&changes.met, &ls_alloc);
    result->layer.code = SQLITE_OK;
    ls_ahead_forget(&result->ahead);
    rc = ls_result_code_of(result, ls_layer_walk(&result->layer, copy_change, &changes));
    if (rc == SQLITE_OK && changes.n > 0)
        qsort(changes.list, changes.n, sizeof(*changes.list), by_home);
    for (size_t i = 0; rc == SQLITE_OK && i < changes.n; i++)
        rc = store_one(result, &changes, &changes.list[i], &has_moved);
    if (has_moved)
        ls_result_distrust(result); /* rowids in the cache are not what they were */
    sqlite3_free(changes.list);
    zs_buffer_clear(&changes.bytes);
    zs_buffer_clear(&changes.met);
    return rc;
}

int ls_result_store(struct ls_result *result)
{
    return result->layer.is_building ? ls_built_store(result) : ls_result_store_noted(result);
}
