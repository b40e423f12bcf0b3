/* What is pending of a result, for readers: the rows, and which stored rows they stand in for. Both
** are looked up once a change, so that a stored row costs its reader one probe by its rowid: what it
** holds need not be looked at. */
#include "ext/result_private.h"
#include "ext/statement.h"

enum { NOT_HIDDEN = -1 }; /* rowids are hashes of 63 bits at most */

#define POINTER "lockstep result" /* the type of a bound result */

/* The slot of a rowid, or the free one where it would be. Rowids are hashes already. */
static size_t slot_of(const struct ls_shown *shown, int64_t rowid)
{
    size_t i = (size_t)rowid & (shown->cap_hidden - 1);

    while (shown->hidden[i] != rowid && shown->hidden[i] != NOT_HIDDEN)
        i = (i + 1) & (shown->cap_hidden - 1);
    return i;
}

/* An empty table in which at least every other slot stays free of n rowids. */
static int make_room(struct ls_shown *shown, size_t n)
{
    size_t cap = 16;

    while (cap < 2 * n)
        cap *= 2;
    if (cap > shown->cap_hidden || cap < shown->cap_hidden / 16) {
        sqlite3_free(shown->hidden);
        shown->hidden = zs_alloc_get(&ls_alloc, cap * sizeof(*shown->hidden));
        shown->cap_hidden = shown->hidden == NULL ? 0 : cap;
        if (shown->hidden == NULL)
            return ZS_NOMEM;
    }
    for (size_t i = 0; i < shown->cap_hidden; i++)
        shown->hidden[i] = NOT_HIDDEN;
    return ZS_OK;
}

/* A zs_cell_visit: ctx is what is being made. */
static int show(
    void *ctx, size_t i, struct zs_bytes place, struct zs_bytes bytes, bool *is_enough)
{
    struct ls_shown *shown = ctx;
    struct ls_record record;
    struct ls_entry entry;

    (void)i;
    (void)place;
    (void)is_enough;
    if (!ls_record_settled(bytes, &entry))
        return ZS_CORRUPT;
    ls_record_head(bytes, &record);
    if (record.stored_weight != 0) {
        shown->hidden[slot_of(shown, record.rowid)] = record.rowid;
        shown->n_hidden++;
    }
    if (entry.weight == 0)
        return ZS_OK;
    return ls_record_append(
        &shown->rows, entry.weight, (struct zs_bytes){entry.row, entry.len});
}

int ls_result_show(struct ls_result *result)
{
    struct ls_shown *shown = &result->shown;
    int rc;

    if (shown->is_made)
        return ZS_OK;
    zs_buffer_reset(&shown->rows);
    shown->n_hidden = 0;
    rc = make_room(shown, ls_result_pending(result));
    if (rc == ZS_OK)
        rc = ls_layer_walk(&result->layer, show, shown);
    shown->is_made = rc == ZS_OK;
    return rc;
}

size_t ls_result_n_hidden(const struct ls_result *result)
{
    return result->shown.n_hidden;
}

int ls_result_bind(struct ls_result *result, sqlite3_stmt *statement, int parameter)
{
    return sqlite3_bind_pointer(statement, parameter, result, POINTER, NULL);
}

/* Asked within the statement, for a row that is hidden then costs a fraction of one that is given
** out. */
static void hides(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const struct ls_result *result = sqlite3_value_pointer(argv[1], POINTER);
    int64_t rowid = sqlite3_value_int64(argv[0]);

    (void)argc;
    sqlite3_result_int(
        context, result != NULL && rowid >= 0 &&
                     result->shown.hidden[slot_of(&result->shown, rowid)] == rowid);
}

int ls_result_register(sqlite3 *db)
{
    return sqlite3_create_function_v2(db, "lockstep_hides", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY,
        NULL, hides, NULL, NULL, NULL);
}

bool ls_result_next(
    const struct ls_result *result, size_t *position, struct zs_bytes *row, int64_t *weight)
{
    const struct zs_buffer *rows = &result->shown.rows;
    struct zs_bytes rest;
    struct ls_entry entry;

    if (*position >= rows->len)
        return false;
    rest = (struct zs_bytes){rows->data + *position, rows->len - *position};
    (void)ls_record_next(&rest, &entry);
    *position = rows->len - rest.len;
    *row = (struct zs_bytes){entry.row, entry.len};
    *weight = entry.weight;
    return true;
}
