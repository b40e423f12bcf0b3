/* The result of a view, over <view>_data: what is pending of it, in memory. */
#include <string.h>

#include "ext/result_private.h"
#include "ext/statement.h"

/* Records. */

struct zs_bytes ls_record_head(struct zs_bytes bytes, struct ls_record *record)
{
    memcpy(record, bytes.data, sizeof(*record));
    return (struct zs_bytes){bytes.data + sizeof(*record), bytes.len - sizeof(*record)};
}

bool ls_record_next(struct zs_bytes *rest, struct ls_entry *entry)
{
    size_t head = sizeof(entry->weight) + sizeof(entry->len);

    if (rest->len == 0)
        return false;
    memcpy(&entry->weight, rest->data, sizeof(entry->weight));
    memcpy(&entry->len, rest->data + sizeof(entry->weight), sizeof(entry->len));
    entry->row = rest->data + head;
    rest->data += head + entry->len;
    rest->len -= head + entry->len;
    return true;
}

int ls_record_append(struct zs_buffer *record, int64_t weight, struct zs_bytes row)
{
    int rc = zs_buffer_append(record, &weight, sizeof(weight));

    if (rc == ZS_OK)
        rc = zs_buffer_append(record, &row.len, sizeof(row.len));
    return rc == ZS_OK ? zs_buffer_append(record, row.data, row.len) : rc;
}

void ls_record_set_last(struct zs_buffer *record, size_t row)
{
    size_t len = record->len - row;

    memcpy(record->data + row - sizeof(len), &len, sizeof(len));
}

bool ls_record_settled(struct zs_bytes bytes, struct ls_entry *settled)
{
    struct ls_record record;
    struct zs_bytes rest = ls_record_head(bytes, &record);
    struct ls_entry entry;

    *settled = (struct ls_entry){0, 0, NULL};
    while (ls_record_next(&rest, &entry)) {
        if (entry.weight == 0)
            continue;
        if (entry.weight < 0 || settled->weight != 0)
            return false;
        *settled = entry;
    }
    return true;
}

int ls_record_change(struct ls_result *result, struct zs_bytes bytes, struct zs_bytes row,
    int64_t weight, bool *is_as_stored)
{
    struct ls_record head;
    struct zs_bytes rest = ls_record_head(bytes, &head);
    struct ls_entry entry;
    bool is_first = true, is_found = false;
    int rc;

    *is_as_stored = true;
    zs_buffer_reset(&result->record);
    rc = zs_buffer_append(&result->record, &head, sizeof(head));
    while (rc == ZS_OK && ls_record_next(&rest, &entry)) {
        struct zs_bytes known = {entry.row, entry.len};
        bool is_stored = is_first && head.stored_weight != 0;
        bool is_changed = !is_found && zs_bytes_equal(known, row);

        if (is_changed) {
            is_found = true;
            if (__builtin_add_overflow(entry.weight, weight, &entry.weight))
                return ZS_OVERFLOW;
            if (entry.weight < 0 && !result->layer.is_building)
                return ZS_CORRUPT;
        }
        if (entry.weight != (is_stored ? head.stored_weight : 0))
            *is_as_stored = false;
        if (is_stored || is_changed || entry.weight != 0)
            rc = ls_record_append(&result->record, entry.weight, known);
        is_first = false;
    }
    if (rc == ZS_OK && !is_found && weight < 0 && !result->layer.is_building)
        return ZS_CORRUPT;
    if (rc == ZS_OK && !is_found) {
        *is_as_stored = *is_as_stored && weight == 0;
        rc = ls_record_append(&result->record, weight, row);
    }
    return rc;
}

int ls_result_remember(struct ls_result *result, struct zs_bytes place,
    const struct ls_record *head, struct zs_bytes row)
{
    int rc;

    zs_buffer_reset(&result->record);
    rc = zs_buffer_append(&result->record, head, sizeof(*head));
    if (rc == ZS_OK && head->stored_weight != 0)
        rc = ls_record_append(&result->record, head->stored_weight, row);
    return rc != ZS_OK ? rc
                       : ls_layer_note(&result->layer, place, zs_buffer_bytes(&result->record));
}

/* What is stored at a location: as it was read ahead, or from the cache, or else from the table into
** either. */
static int stored_record(
    struct ls_result *result, struct zs_bytes place, struct zs_bytes *record)
{
    struct ls_record head = {0, 0};
    int64_t home;
    bool is_integer = ls_place_is_integer(result, place, &home);
    int rc = ZS_OK;

    if ((is_integer && ls_ahead_find(result, home, record)) ||
        ls_memo_find(&result->layer.cache, place, record))
        return ZS_OK;
    if (is_integer)
        rc = ls_ahead_read(result, home);
    if (rc == ZS_OK && is_integer && ls_ahead_find(result, home, record))
        return ZS_OK;
    zs_buffer_reset(&result->row);
    if (rc == ZS_OK)
        rc = ls_result_locate(result, place, &head);
    if (rc == ZS_OK)
        rc = ls_result_remember(result, place, &head, zs_buffer_bytes(&result->row));
    if (rc == ZS_OK)
        (void)ls_memo_find(&result->layer.cache, place, record);
    return rc;
}

int ls_result_find(
    struct ls_result *result, struct zs_bytes place, struct zs_bytes *row, int64_t *weight)
{
    struct zs_bytes record;
    struct ls_entry entry;
    bool found;
    int rc = zs_cells_get(result->layer.memory, place, &record, &found);

    if (rc == ZS_OK && !found)
        rc = stored_record(result, place, &record);
    if (rc != ZS_OK)
        return rc;
    if (!ls_record_settled(record, &entry))
        return ZS_CORRUPT;
    *row = (struct zs_bytes){entry.row, entry.len};
    *weight = entry.weight;
    return ZS_OK;
}

/* Changes of rows on their way to cells: those of places[i] are items[firsts[i]] and on, to before
** items[firsts[i + 1]]. */
struct row_changes {
    struct ls_result *result;
    const struct zs_bytes *places;
    const struct zs_item *items;
    const size_t *firsts;
};

/* A record in the making becomes the one that is changed next. */
static struct zs_bytes go_on(struct ls_result *result)
{
    struct zs_buffer made = result->record;

    result->record = result->changed;
    result->changed = made;
    return zs_buffer_bytes(&result->changed);
}

/* A zs_cell_fn: what memory says of the rows' location, or else what is stored there. */
static int change_cell(void *ctx, size_t i, const struct zs_bytes *old, struct zs_bytes *value,
    enum zs_cell_change *change)
{
    static const struct ls_record nothing = {0, 0};
    const struct row_changes *changes = ctx;
    struct ls_result *result = changes->result;
    struct zs_bytes record = {(const uint8_t *)&nothing, sizeof(nothing)};
    bool is_as_stored = false;
    int rc = ZS_OK;

    if (old != NULL)
        record = *old;
    else if (!result->layer.is_building)
        rc = stored_record(result, changes->places[i], &record);
    for (size_t k = changes->firsts[i]; rc == ZS_OK && k < changes->firsts[i + 1]; k++) {
        const struct zs_item *item = &changes->items[k];

        rc = ls_record_change(result, record, item->value, item->weight, &is_as_stored);
        record = go_on(result);
    }
    *value = record;
    *change = is_as_stored ? ZS_CELL_IS_REMOVED : ZS_CELL_IS_PUT;
    return rc;
}

int ls_result_note(struct ls_result *result, struct zs_bytes place, const struct zs_item *item)
{
    static const size_t firsts[] = {0, 1};
    struct row_changes changes = {result, &place, item, firsts};

    return zs_cells_update(result->layer.memory, &place, 1, change_cell, &changes);
}

static struct zs_bytes place_of(const struct ls_result *result, const struct zs_item *item)
{
    return result->location->n_keys > 0 ? item->key : item->value;
}

/* Notes the changes of some places, and how many they are. A row that goes and the one that comes
** in its place are one change of a cell. */
static int note_some(
    struct ls_result *result, const struct zs_item *items, size_t n, size_t *n_noted)
{
    enum { MOST = 32 };
    struct zs_bytes places[MOST];
    size_t firsts[MOST + 1];
    struct row_changes changes = {result, places, items, firsts};
    size_t n_places = 0, i = 0;

    for (; i < n; i++) {
        struct zs_bytes place = place_of(result, &items[i]);

        if (n_places > 0 && zs_bytes_equal(places[n_places - 1], place))
            continue;
        if (n_places == MOST)
            break;
        ls_shown_touch(result, place);
        firsts[n_places] = i;
        places[n_places++] = place;
    }
    firsts[n_places] = i;
    *n_noted = i;
    return zs_cells_update(result->layer.memory, places, n_places, change_cell, &changes);
}

static int build_all(struct ls_result *result, const struct zs_item *items, size_t n)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = ls_built_add(result, place_of(result, &items[i]), items[i].value, items[i].weight);
    return rc;
}

/* Operators only write a result: nobody asks what was before. */
static int result_update(
    struct zs_trace *trace, const struct zs_item *items, size_t n, int64_t *before)
{
    struct ls_result *result = (struct ls_result *)trace;
    size_t n_noted;
    int rc = ZS_OK;

    (void)before;
    if (result->layer.is_building)
        return build_all(result, items, n);
    result->version += n > 0;
    for (size_t i = 0; rc == ZS_OK && i < n; i += n_noted)
        rc = note_some(result, items + i, n - i, &n_noted);
    return rc;
}

static int result_apply(
    struct zs_trace *trace, struct zs_bytes key, struct zs_bytes row, int64_t weight)
{
    struct zs_item item = {key, row, weight};

    return result_update(trace, &item, 1, NULL);
}

static int result_begin(struct zs_trace *trace)
{
    struct ls_result *result = (struct ls_result *)trace;
    int rc = ls_shown_begin(&result->shown);

    if (rc != ZS_OK)
        return rc;
    rc = zs_cells_begin(result->layer.memory);
    if (rc != ZS_OK)
        ls_shown_commit(&result->shown);
    return rc;
}

static void result_commit(struct zs_trace *trace)
{
    struct ls_result *result = (struct ls_result *)trace;

    ls_shown_commit(&result->shown);
    zs_cells_commit(result->layer.memory);
}

static void result_rollback(struct zs_trace *trace)
{
    struct ls_result *result = (struct ls_result *)trace;

    result->version++;
    ls_shown_rollback(&result->shown);
    zs_cells_rollback(result->layer.memory);
}

static void result_free(struct zs_trace *trace)
{
    ls_result_free((struct ls_result *)trace);
}

/* Operators only write a result; cursors read it through the functions below. */
static const struct zs_trace_methods result_methods = {
    .apply = result_apply,
    .update = result_update,
    .begin = result_begin,
    .commit = result_commit,
    .rollback = result_rollback,
    .free = result_free,
};

int ls_result_new(sqlite3 *db, const struct zs_alloc *alloc, const char *schema,
    const char *view, const struct ls_location *location, int hash_bits,
    struct ls_result **result)
{
    struct ls_result *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    *result = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    made->trace.methods = &result_methods;
    made->version = 1;
    made->location = location;
    made->n_hashes = (uint64_t)1 << hash_bits;
    zs_buffer_init(&made->slot, &ls_alloc);
    zs_buffer_init(&made->row, &ls_alloc);
    zs_buffer_init(&made->record, &ls_alloc);
    zs_buffer_init(&made->changed, &ls_alloc);
    ls_ahead_init(&made->ahead);
    rc = ls_shown_init(&made->shown);
    if (rc == ZS_OK)
        rc = ls_layer_init(&made->layer, db, alloc, schema, view);
    if (rc == ZS_OK)
        rc = ls_gather_new(&made->built.rows);
    if (rc == ZS_OK)
        *result = made;
    else
        ls_result_free(made);
    return rc;
}

void ls_result_free(struct ls_result *result)
{
    if (result == NULL)
        return;
    ls_layer_clear(&result->layer);
    zs_buffer_clear(&result->slot);
    zs_buffer_clear(&result->row);
    zs_buffer_clear(&result->record);
    zs_buffer_clear(&result->changed);
    ls_shown_clear(&result->shown);
    ls_ahead_clear(&result->ahead);
    sqlite3_finalize(result->built.insert);
    ls_gather_free(result->built.rows);
    sqlite3_free(result);
}

struct zs_trace *ls_result_trace(struct ls_result *result)
{
    return &result->trace;
}

uint64_t ls_result_version(const struct ls_result *result)
{
    return result->version;
}

size_t ls_result_pending(const struct ls_result *result)
{
    return ls_layer_pending(&result->layer);
}

void ls_result_forget(struct ls_result *result)
{
    result->version++;
    ls_shown_forget(&result->shown);
    ls_layer_forget(&result->layer);
    ls_built_forget(result);
}

void ls_result_distrust(struct ls_result *result)
{
    result->version++;
    ls_layer_distrust(&result->layer);
}

int ls_result_code(const struct ls_result *result)
{
    return result->layer.code;
}
