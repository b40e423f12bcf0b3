/* Writing the overlay to its table: cell by cell, or, in a build, in blocks. */
#include "ext/checksum.h"
#include "ext/fill.h"
#include "ext/overlay_private.h"
#include "ext/statement.h"

int ls_overlay_seal(struct zs_buffer *value, struct zs_bytes key)
{
    uint32_t sum = ls_checksum_cell(key, zs_buffer_bytes(value));
    uint8_t stored[LS_CELL_CHECKSUM];

    for (int i = 0; i < LS_CELL_CHECKSUM; i++)
        stored[i] = (uint8_t)(sum >> 8 * i);
    return zs_buffer_append(value, stored, sizeof(stored));
}

/* Runs a statement that is to change one cell; *is_there says whether it was there. */
static int change_cell(struct ls_overlay *overlay, int which, struct zs_bytes key,
    struct zs_bytes value, bool *is_there)
{
    sqlite3_stmt *statement;
    int rc = ls_overlay_prepared(overlay, which, &statement);

    if (rc == SQLITE_OK)
        rc = ls_overlay_bind(statement, 1, key);
    if (rc == SQLITE_OK && which != LS_REMOVE_CELL)
        rc = ls_overlay_bind(statement, 2, value);
    if (rc == SQLITE_OK)
        rc = ls_run(statement);
    *is_there = rc == SQLITE_OK && sqlite3_changes(overlay->layer.db) > 0;
    return rc;
}

/* Writes a cell that is here. What is known of the table must be so; what is not known is
** tried. */
static int write_cell(struct ls_overlay *overlay, struct zs_bytes key, struct zs_bytes value)
{
    struct zs_bytes known;
    bool is_known = overlay->is_table_done, is_here = false, is_there = false;
    int rc = SQLITE_OK;

    if (!is_known) {
        is_known = ls_memo_find(&overlay->layer.cache, key, &known);
        is_here = is_known && known.data[0] == LS_HERE;
    }
    if (!is_known || is_here)
        rc = change_cell(overlay, LS_UPDATE_CELL, key, value, &is_there);
    if (rc == SQLITE_OK && is_here && !is_there)
        return SQLITE_CORRUPT_VTAB;
    if (rc != SQLITE_OK || is_there)
        return rc;
    overlay->layer.n_added++;
    rc = change_cell(overlay, LS_INSERT_CELL, key, value, &is_there);
    return (rc & 0xff) == SQLITE_CONSTRAINT ? SQLITE_CORRUPT_VTAB : rc;
}

static int remove_cell(struct ls_overlay *overlay, struct zs_bytes key)
{
    bool is_there;
    int rc = change_cell(overlay, LS_REMOVE_CELL, key, (struct zs_bytes){NULL, 0}, &is_there);

    if (is_there)
        overlay->layer.n_added--;
    return rc;
}

/* A zs_cell_visit: ctx is the overlay. */
static int store_cell(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes cell, bool *is_enough)
{
    struct ls_overlay *overlay = ctx;
    bool is_here = cell.data[0] == LS_HERE;
    struct zs_bytes value = ls_overlay_value(cell);
    int status = ZS_OK;
    int rc;

    (void)i;
    (void)is_enough;
    if (!is_here && overlay->is_table_done)
        return ZS_OK;
    zs_buffer_reset(&overlay->value);
    if (is_here)
        status = zs_buffer_append(&overlay->value, value.data, value.len);
    if (is_here && status == ZS_OK)
        status = ls_overlay_seal(&overlay->value, key);
    if (status != ZS_OK)
        return status;
    rc = is_here ? write_cell(overlay, key, zs_buffer_bytes(&overlay->value))
                 : remove_cell(overlay, key);
    if (rc != SQLITE_OK)
        return ls_layer_failed(&overlay->layer, rc);
    return overlay->layer.is_building ? ZS_OK : ls_layer_note(&overlay->layer, key, cell);
}

static int write_block(struct ls_overlay *overlay)
{
    int rc = ls_fill_replace(overlay->fill);

    return rc == SQLITE_OK ? ZS_OK : ls_layer_failed(&overlay->layer, rc);
}

/* The same in a build, where few are gone. */
static int fill_cell(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes cell, bool *is_enough)
{
    struct ls_overlay *overlay = ctx;
    struct zs_bytes value = ls_overlay_value(cell);
    int rc;

    if (cell.data[0] != LS_HERE)
        return store_cell(ctx, i, key, cell, is_enough);
    zs_buffer_reset(&overlay->value);
    rc = zs_buffer_append(&overlay->value, value.data, value.len);
    if (rc == ZS_OK)
        rc = ls_overlay_seal(&overlay->value, key);
    if (rc == ZS_OK)
        rc = ls_fill_add(overlay->fill, key, zs_buffer_bytes(&overlay->value));
    return rc == ZS_OK && ls_fill_len(overlay->fill) == LS_FILL_BLOCK ? write_block(overlay)
                                                                      : rc;
}

int ls_overlay_store(struct ls_overlay *overlay)
{
    bool is_build = overlay->fill != NULL;
    int status;

    overlay->layer.n_added = 0;
    status = ls_layer_walk(&overlay->layer, is_build ? fill_cell : store_cell, overlay);
    if (status == ZS_OK && is_build)
        status = write_block(overlay);
    overlay->is_table_done = overlay->is_table_done && ls_overlay_pending(overlay) == 0;
    return status == ZS_OK      ? SQLITE_OK
           : status == ZS_NOMEM ? SQLITE_NOMEM
                                : overlay->layer.code;
}

int64_t ls_overlay_added(const struct ls_overlay *overlay)
{
    return overlay->layer.n_added;
}

int ls_overlay_check(struct ls_overlay *overlay, int64_t *n)
{
    sqlite3_stmt *statement;
    int status = ZS_OK;
    int rc = ls_prepare(overlay->layer.db, &statement, "SELECT k, v FROM \"%w\".\"%w_trace\"",
        overlay->layer.schema, overlay->layer.view);

    *n = 0;
    for (; rc == SQLITE_OK && status == ZS_OK && sqlite3_step(statement) == SQLITE_ROW; ++*n) {
        zs_buffer_reset(&overlay->value);
        status = ls_overlay_append_stored(
            &overlay->value, ls_overlay_column(statement, 0), ls_overlay_column(statement, 1));
    }
    if (rc == SQLITE_OK)
        rc = sqlite3_reset(statement);
    sqlite3_finalize(statement);
    return rc != SQLITE_OK ? rc : ls_code_of(status);
}
