/* Reconciling (capture.h says why): a key that has a candidate counts with the row as it is now
** minus its oldest image; the images of other keys add up.
**
** In full capture every candidate was logged because a BEFORE trigger foresaw a row's new state
** and looked for what that displaces: the entry of weight NULL shows the state. A state that
** was not foreseen, nor there from the beginning, is one whose victims nobody has looked for.
** It is met in the images of an UPDATE, or in the table where no AFTER trigger fired. That the
** state was foreseen at any time since the log was taken in is enough: rows that came into its
** way later are candidates themselves.
**
** Where AFTER triggers may see another key than the row has, only BEFORE triggers tell of keys,
** and log all that there are, but for one that a default gives: an image whose key is none of
** theirs, and is in the table, may be of that. */
#include <string.h>

#include "core/cells.h"
#include "ext/result.h"
#include "ext/source_private.h"
#include "ext/statement.h"

int ls_source_read_key(struct ls_source *source, sqlite3_stmt *statement, struct zs_value *key)
{
    int rc = ZS_OK;

    for (int i = 0; rc == ZS_OK && i < source->n_key; i++) {
        key[i] = ls_column(statement, 2 + i);
        rc = ls_read_status(&key[i]);
    }
    return ls_code_of(rc);
}

/* One reconciliation under way. */
struct reconciling {
    struct ls_source *source;
    struct zs_value *key; /* of the entry at hand */
    struct zs_cells *histories;
    struct zs_cells *states; /* key and foreseen columns: known ones. NULL where none matter */
    struct zs_delta *delta;
    bool is_lost;
};

/* What is known of one key while reconciling. */
struct history {
    int64_t oldest_seq;
    int8_t has_image; /* the oldest entry shows a row that stood there */
    int8_t is_candidate;
    int8_t
        is_unforeseen; /* a BEFORE trigger was told this rowid, -1, which may stand for another */
};

/* Writes the key's comparison encoding to source->key and looks its history up under it. */
static int find_history(struct reconciling *r, struct history *history, bool *found)
{
    struct ls_source *source = r->source;
    struct zs_bytes cell;
    int rc = ZS_OK;

    zs_buffer_reset(&source->key);
    for (int i = 0; rc == ZS_OK && i < source->n_key; i++) {
        enum zs_collation collation = ZS_BINARY;

        (void)ls_collation_of(ls_source_key_collation(source, i), &collation);
        rc = zs_row_append_comparison(&source->key, &r->key[i], collation);
    }
    if (rc == ZS_OK)
        rc = zs_cells_get(r->histories, zs_buffer_bytes(&source->key), &cell, found);
    if (rc == ZS_OK && *found)
        memcpy(history, cell.data, sizeof(*history));
    return ls_code_of(rc);
}

/* The state that a statement's row shows from a column on: notes it, or demands that it is
** known. */
static int see_state(struct reconciling *r, sqlite3_stmt *statement, int first, bool is_known)
{
    struct zs_buffer *state = &r->source->value;
    struct zs_bytes cell;
    bool found = true;
    int rc;

    if (r->states == NULL)
        return SQLITE_OK;
    zs_buffer_reset(state);
    rc = ls_row_of_columns(state, statement, first, sqlite3_column_count(statement) - first);
    if (rc == ZS_OK && is_known)
        rc = zs_cells_put(r->states, zs_buffer_bytes(state), (struct zs_bytes){NULL, 0});
    else if (rc == ZS_OK)
        rc = zs_cells_get(r->states, zs_buffer_bytes(state), &cell, &found);
    r->is_lost = r->is_lost || !found;
    return ls_code_of(rc);
}

/* A rowid of -1 may be one that SQLite has not chosen yet; or may have been given by hand, which
** before_insert does not see. */
static bool is_doubtful(const struct reconciling *r)
{
    return r->source->table->key < 0 && r->key[0].type == ZS_INTEGER && r->key[0].integer == -1;
}

/* Notes each key's oldest entry and whether it has a candidate. */
static int note_entry(struct reconciling *r, sqlite3_stmt *statement)
{
    bool is_null = sqlite3_column_type(statement, 1) == SQLITE_NULL;
    int weight = sqlite3_column_int(statement, 1);
    struct history history;
    struct zs_bytes cell;
    bool found;
    int rc;

    if (r->source->table->has_false_images && weight != 0)
        return weight < 0 ? SQLITE_OK : see_state(r, statement, 2, false);
    rc = find_history(r, &history, &found);
    if (rc != SQLITE_OK)
        return rc;
    if (!found)
        history = (struct history){
            sqlite3_column_int64(statement, 0), !is_null && weight != 1, false, false};
    if (is_null || weight == 0 || is_doubtful(r))
        history.is_candidate = true;
    if (is_null && is_doubtful(r))
        history.is_unforeseen = true;
    cell = (struct zs_bytes){(const uint8_t *)&history, sizeof(history)};
    rc = ls_code_of(zs_cells_put(r->histories, zs_buffer_bytes(&r->source->key), cell));
    return rc != SQLITE_OK ? rc
                           : see_state(r, statement, 2, is_null || (!found && weight != 1));
}

static bool is_lost_key(const struct reconciling *r, const struct history *history)
{
    return is_doubtful(r) && (!history->has_image || history->is_unforeseen);
}

/* The state of the key's row as it is now, if there is one. */
static int see_row(struct reconciling *r, bool *found)
{
    sqlite3_stmt *statement;
    int rc = ls_source_prepared(r->source, LS_OWN_KEY, &statement);

    *found = false;
    if (rc != SQLITE_OK)
        return rc;
    for (int i = 0; rc == SQLITE_OK && i < r->source->n_key; i++)
        rc = ls_bind(statement, i + 1, &r->key[i]);
    if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        *found = true;
        rc = see_state(r, statement, 0, false);
    }
    if (rc == SQLITE_OK)
        return sqlite3_reset(statement);
    (void)sqlite3_reset(statement);
    return rc;
}

/* An image whose key no BEFORE trigger has told. */
static int doubt_image(struct reconciling *r, sqlite3_int64 weight)
{
    bool found = false;
    int rc = weight < 0 ? SQLITE_OK : see_row(r, &found);

    r->is_lost = r->is_lost || found;
    return rc;
}

/* The second pass over the entries: an image of a key without candidates adds up; at a
** candidate key's oldest entry the net change is made, and its other entries say nothing. */
static int settle_entry(struct reconciling *r, sqlite3_stmt *statement)
{
    sqlite3_int64 seq = sqlite3_column_int64(statement, 0);
    struct history history;
    bool found;
    int rc = find_history(r, &history, &found);

    if (rc == SQLITE_OK && !found && r->source->table->has_false_images)
        return doubt_image(r, sqlite3_column_int64(statement, 1));
    if (rc != SQLITE_OK || !found)
        return rc != SQLITE_OK ? rc : SQLITE_CORRUPT_VTAB;
    if (!history.is_candidate)
        return ls_source_add_one(
            r->source, LS_ONE, seq, r->key, sqlite3_column_int64(statement, 1), r->delta);
    if (history.oldest_seq != seq)
        return SQLITE_OK;
    if (is_lost_key(r, &history))
        r->is_lost = true;
    if (r->states != NULL)
        rc = see_row(r, &found);
    if (rc == SQLITE_OK && history.has_image)
        rc = ls_source_add_one(r->source, LS_ONE, seq, r->key, -1, r->delta);
    return rc != SQLITE_OK ? rc
                           : ls_source_add_one(r->source, LS_BY_KEY, 0, r->key, 1, r->delta);
}

/* Walks the entries of a run of the log, in order. */
static int walk(struct reconciling *r, sqlite3_int64 from, sqlite3_int64 last,
    int (*visit)(struct reconciling *r, sqlite3_stmt *statement))
{
    sqlite3_stmt *statement;
    int rc = ls_source_prepared(r->source, LS_KEYS, &statement);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 1, from + 1);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(statement, 2, last);
    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        rc = ls_source_read_key(r->source, statement, r->key);
        if (rc == SQLITE_OK)
            rc = visit(r, statement);
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    else if (r->source->statements[LS_KEYS] != NULL)
        (void)sqlite3_reset(r->source->statements[LS_KEYS]);
    return rc;
}

static bool has_states(const struct ls_table *table)
{
    for (int i = 0; i < table->n_columns; i++)
        if (ls_capture_must_foresee(table, i))
            return true;
    return false;
}

/* Is the row expected read again? */
static int find_expected(struct reconciling *r, bool *is_counted)
{
    struct history history = {.is_candidate = false};
    sqlite3_stmt *statement = NULL;
    int rc = ls_source_expected_key(r->source, r->key, &statement, is_counted);

    if (rc == SQLITE_OK && *is_counted)
        rc = find_history(r, &history, is_counted);
    *is_counted = *is_counted && history.is_candidate;
    if (rc == SQLITE_OK)
        return sqlite3_reset(statement);
    (void)sqlite3_reset(statement);
    return rc;
}

int ls_source_reconcile(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_counted, bool *is_lost)
{
    struct reconciling r = {.source = source, .delta = delta};
    int rc = ls_code_of(zs_memory_cells_new(source->alloc, &r.histories));

    if (rc == SQLITE_OK && has_states(source->table))
        rc = ls_code_of(zs_memory_cells_new(source->alloc, &r.states));
    r.key = zs_alloc_get(&ls_alloc, (size_t)source->n_key * sizeof(*r.key));
    if (r.key == NULL)
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        rc = walk(&r, from, last, note_entry);
    *is_counted = false;
    if (rc == SQLITE_OK && source->expects)
        rc = find_expected(&r, is_counted);
    if (rc == SQLITE_OK)
        rc = walk(&r, from, last, settle_entry);
    /* A key that can't be read says nothing. */
    *is_lost = r.is_lost || rc == SQLITE_MISMATCH;
    rc = rc == SQLITE_MISMATCH ? SQLITE_OK : rc;
    sqlite3_free(r.key);
    zs_cells_free(r.states);
    zs_cells_free(r.histories);
    return rc;
}
