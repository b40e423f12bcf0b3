/* What is pending of a result, for readers: which stored rows it stands in for, and, once
** somebody has asked for an order, the rows in that order. A stored row costs its reader one
** probe by its rowid; a pending one is looked up.
**
** Who reads all rows can do with one look at all that are pending, for the stored rows that
** they hide; for who reads in an order they are arranged. Between two reads few places change:
** those are noted (touched) and reckoned with. A rollback changes back the places that were
** noted since its transaction began: they are reckoned with once more. Where too many have
** changed, or it is not known which, all begins anew.
**
** A cell of rows: under number 0, then the place, its ls_of_place and the row; under the number
** of an order, then its key, then the place, the row's weight and the row. */
#include "ext/result_private.h"
#include "ext/statement.h"

enum { MOST_TOUCHED = 1 << 20 }; /* bytes */

#define UNKNOWN SIZE_MAX /* a mark of a transaction that began before all was made */

#define POINTER "lockstep result" /* the type of a bound result */

int ls_shown_init(struct ls_shown *shown)
{
    zs_buffer_init(&shown->touched, &ls_alloc);
    zs_buffer_init(&shown->key, &ls_alloc);
    zs_buffer_init(&shown->other, &ls_alloc);
    zs_buffer_init(&shown->old, &ls_alloc);
    return zs_memory_cells_new(&ls_alloc, &shown->rows);
}

void ls_shown_clear(struct ls_shown *shown)
{
    for (size_t i = 0; i < shown->n_orders; i++)
        ls_encoder_clear(&shown->orders[i]);
    sqlite3_free(shown->orders);
    sqlite3_free(shown->marks);
    ls_hidden_clear(&shown->hidden);
    zs_cells_free(shown->rows);
    zs_buffer_clear(&shown->touched);
    zs_buffer_clear(&shown->key);
    zs_buffer_clear(&shown->other);
    zs_buffer_clear(&shown->old);
}

void ls_shown_forget(struct ls_shown *shown)
{
    shown->state = LS_NOT_SHOWN;
    shown->n_new = shown->n_seen = 0;
    zs_memory_cells_clear(shown->rows);
    zs_buffer_clear(&shown->touched);
    ls_hidden_clear(&shown->hidden);
}

/* Noting changes. */

/* Is it the place that was noted last, since the innermost transaction began and anybody
** looked? One place may change time and again. */
static bool is_noted(const struct ls_shown *shown, struct zs_bytes place)
{
    struct zs_bytes touched = zs_buffer_bytes(&shown->touched);
    size_t since = shown->n_marks > 0 ? shown->marks[shown->n_marks - 1] : 0;
    size_t at = shown->last;
    uint64_t len = 0;

    if (at < since || at < shown->n_seen || at >= touched.len ||
        zs_bytes_read_varint(touched, &at, &len) != ZS_OK)
        return false;
    return zs_bytes_equal(place, (struct zs_bytes){touched.data + at, (size_t)len});
}

void ls_shown_touch(struct ls_result *result, struct zs_bytes place)
{
    struct ls_shown *shown = &result->shown;

    if (shown->state == LS_NOT_SHOWN || is_noted(shown, place))
        return;
    shown->last = shown->touched.len;
    shown->n_new++;
    if (shown->touched.len > MOST_TOUCHED ||
        zs_buffer_append_varint(&shown->touched, place.len) != ZS_OK ||
        zs_buffer_append(&shown->touched, place.data, place.len) != ZS_OK)
        ls_shown_forget(shown);
}

int ls_shown_begin(struct ls_shown *shown)
{
    if (zs_alloc_reserve(&ls_alloc, &shown->marks, &shown->marks_cap, shown->n_marks + 1,
            sizeof(*shown->marks)) != ZS_OK)
        return ZS_NOMEM;
    shown->marks[shown->n_marks++] = shown->state == LS_KEPT_UP ? shown->touched.len : UNKNOWN;
    return ZS_OK;
}

void ls_shown_commit(struct ls_shown *shown)
{
    shown->n_marks--;
}

void ls_shown_rollback(struct ls_shown *shown)
{
    size_t mark = shown->marks[--shown->n_marks];

    if (shown->state != LS_KEPT_UP || mark == UNKNOWN)
        ls_shown_forget(shown);
    else if (mark < shown->n_seen)
        shown->n_seen = mark;
}

/* Keeping up. */

/* The key of a place in order 0, into shown->other. */
static int find_place(struct ls_shown *shown, struct zs_bytes place)
{
    int rc;

    zs_buffer_reset(&shown->other);
    rc = zs_buffer_append_byte(&shown->other, 0);
    return rc == ZS_OK ? zs_buffer_append(&shown->other, place.data, place.len) : rc;
}

static const struct ls_of_place nothing = {LS_NOT_HIDDEN, 0};

/* What is known of a place; its row is copied into shown->old. */
static int find_old(struct ls_shown *shown, struct zs_bytes place, struct ls_of_place *old)
{
    struct zs_bytes cell, row;
    bool found;
    int rc = find_place(shown, place);

    *old = nothing;
    zs_buffer_reset(&shown->old);
    if (rc == ZS_OK)
        rc = zs_cells_get(shown->rows, zs_buffer_bytes(&shown->other), &cell, &found);
    if (rc != ZS_OK || !found)
        return rc;
    row = ls_behind(cell, old, sizeof(*old));
    return zs_buffer_append(&shown->old, row.data, row.len);
}

/* Writes what is known of a place now; present is NULL where nothing is. */
static int write_place(struct ls_shown *shown, struct zs_bytes place,
    const struct ls_of_place *present, struct zs_bytes row)
{
    int rc = find_place(shown, place);

    if (rc != ZS_OK || present == NULL)
        return rc != ZS_OK ? rc : zs_cells_remove(shown->rows, zs_buffer_bytes(&shown->other));
    zs_buffer_reset(&shown->key);
    rc = zs_buffer_append(&shown->key, present, sizeof(*present));
    if (rc == ZS_OK)
        rc = zs_buffer_append(&shown->key, row.data, row.len);
    return rc == ZS_OK ? zs_cells_put(shown->rows, zs_buffer_bytes(&shown->other),
                             zs_buffer_bytes(&shown->key))
                       : rc;
}

static int change_hidden(
    struct ls_hidden *hidden, const struct ls_of_place *old, const struct ls_of_place *present)
{
    if (old->rowid == present->rowid)
        return ZS_OK;
    if (old->rowid != LS_NOT_HIDDEN)
        ls_hidden_remove(hidden, old->rowid);
    return present->rowid != LS_NOT_HIDDEN ? ls_hidden_add(hidden, present->rowid) : ZS_OK;
}

/* Takes a place as a record says, or, of NULL, as the table has it. */
static int show_place(
    struct ls_shown *shown, struct zs_bytes place, const struct zs_bytes *record)
{
    struct ls_of_place old, present = nothing;
    struct ls_entry entry = {0, 0, NULL};
    struct ls_record head;
    struct zs_bytes row;
    int rc;

    if (record != NULL && !ls_record_settled(*record, &entry))
        return ZS_CORRUPT;
    row = (struct zs_bytes){entry.row, entry.len};
    present.weight = entry.weight;
    if (record != NULL)
        ls_record_head(*record, &head);
    if (record != NULL && head.stored_weight != 0)
        present.rowid = head.rowid;
    rc = find_old(shown, place, &old);
    if (rc == ZS_OK)
        rc = change_hidden(&shown->hidden, &old, &present);
    for (size_t i = 1; rc == ZS_OK && old.weight != 0 && i <= shown->n_orders; i++)
        rc = ls_shown_change_order(shown, i, place, zs_buffer_bytes(&shown->old), 0);
    if (rc == ZS_OK)
        rc = write_place(shown, place, record == NULL ? NULL : &present, row);
    for (size_t i = 1; rc == ZS_OK && present.weight != 0 && i <= shown->n_orders; i++)
        rc = ls_shown_change_order(shown, i, place, row, present.weight);
    return rc;
}

/* A zs_cell_visit: ctx is the result's shown. */
static int show_cell(
    void *ctx, size_t i, struct zs_bytes place, struct zs_bytes record, bool *is_enough)
{
    (void)i;
    (void)is_enough;
    return show_place(ctx, place, &record);
}

int ls_shown_make(struct ls_result *result)
{
    struct ls_shown *shown = &result->shown;
    int rc;

    ls_shown_forget(shown);
    for (size_t i = 0; i < shown->n_marks; i++)
        shown->marks[i] = UNKNOWN;
    rc = ls_layer_walk(&result->layer, show_cell, shown);
    shown->state = rc == ZS_OK ? LS_KEPT_UP : LS_NOT_SHOWN;
    return rc;
}

/* Hides the stored row that a record stands in for. */
static int hide(struct ls_hidden *hidden, struct zs_bytes record)
{
    struct ls_record head;
    struct ls_entry entry;

    if (!ls_record_settled(record, &entry))
        return ZS_CORRUPT;
    ls_record_head(record, &head);
    return head.stored_weight != 0 ? ls_hidden_add(hidden, head.rowid) : ZS_OK;
}

/* A zs_cell_visit: ctx is the set of hidden rows. */
static int hide_cell(
    void *ctx, size_t i, struct zs_bytes place, struct zs_bytes record, bool *is_enough)
{
    (void)i;
    (void)place;
    (void)is_enough;
    return hide(ctx, record);
}

static int scan(struct ls_result *result)
{
    struct ls_shown *shown = &result->shown;
    int rc;

    ls_shown_forget(shown);
    rc = ls_layer_walk(&result->layer, hide_cell, &shown->hidden);
    shown->state = rc == ZS_OK ? LS_SCANNED : LS_NOT_SHOWN;
    return rc;
}

/* Reckons with a touched place. Which stored row one hid of which nothing is pending any more
** is known where all is kept up. */
static int see_place(struct ls_result *result, struct zs_bytes place, bool *is_known)
{
    struct ls_shown *shown = &result->shown;
    struct zs_bytes record;
    bool found;
    int rc = zs_cells_get(result->layer.memory, place, &record, &found);

    *is_known = found || shown->state == LS_KEPT_UP;
    if (rc != ZS_OK || !*is_known)
        return rc;
    return shown->state == LS_KEPT_UP ? show_place(shown, place, found ? &record : NULL)
                                      : hide(&shown->hidden, record);
}

static int keep_up(struct ls_result *result)
{
    struct ls_shown *shown = &result->shown;
    struct zs_bytes touched = zs_buffer_bytes(&shown->touched);
    bool is_known = true;
    int rc = ZS_OK;

    while (rc == ZS_OK && is_known && shown->n_seen < touched.len) {
        size_t at = shown->n_seen;
        uint64_t len = 0;

        rc = zs_bytes_read_varint(touched, &at, &len);
        if (rc == ZS_OK)
            rc =
                see_place(result, (struct zs_bytes){touched.data + at, (size_t)len}, &is_known);
        shown->n_seen = at + (size_t)len;
    }
    if (rc == ZS_OK && !is_known)
        return scan(result);
    if (rc != ZS_OK)
        ls_shown_forget(shown); /* half of it is done */
    else if (shown->n_marks == 0)
        zs_buffer_reset(&shown->touched);
    if (shown->n_marks == 0)
        shown->n_seen = 0;
    shown->n_new = 0;
    return rc;
}

int ls_result_show(struct ls_result *result)
{
    const struct ls_shown *shown = &result->shown;

    return shown->state != LS_NOT_SHOWN && 2 * shown->n_new <= ls_result_pending(result) + 16
               ? keep_up(result)
               : scan(result);
}

int ls_result_keep_up(struct ls_result *result)
{
    return result->shown.n_orders > 0 && result->shown.state != LS_KEPT_UP
               ? ls_shown_make(result)
               : ZS_OK;
}

/* Stored rows. */

size_t ls_result_n_hidden(const struct ls_result *result)
{
    return result->shown.hidden.n;
}

int ls_result_bind(struct ls_result *result, sqlite3_stmt *statement, int parameter)
{
    return sqlite3_bind_pointer(statement, parameter, result, POINTER, NULL);
}

/* Asked within the statement, for a row that is hidden then costs a fraction of one that is
** given out. */
static void hides(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const struct ls_result *result = sqlite3_value_pointer(argv[1], POINTER);

    (void)argc;
    sqlite3_result_int(context,
        result != NULL && ls_hidden_has(&result->shown.hidden, sqlite3_value_int64(argv[0])));
}

int ls_result_register(sqlite3 *db)
{
    int rc = sqlite3_create_function_v2(db, "lockstep_hides", 2,
        SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, hides, NULL, NULL, NULL);

    return rc == SQLITE_OK ? ls_ahead_register(db) : rc;
}
