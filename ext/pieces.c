/* Taking in a change that does not fit into memory, in pieces that are stored one after the
** other.
**
** The log of a source is a sum of rows with weights, as long as no row asks for more than
** adding up: so it may be added up in pieces, and each is no earlier state of the table that
** anybody sees, since all of it is one transaction of the database. Where there is a candidate,
** whose base row may be read again for the whole log only, where a row fails, or where a piece
** alone would not do (rows that triggers wrote in another order than they logged them, more first
** rows gone than are kept), it is for the caller to make the state anew. */
#include "ext/pipeline_private.h"
#include "ext/statement.h"

enum { BYTES_A_ROW = 6400 }; /* so many bytes of memory for each row of a piece */

/* What the tables hold now is not remembered: it would take memory, too. */
static int store(struct ls_pipeline *pipeline, struct ls_counts *counts)
{
    int rc = ls_pipeline_store(pipeline);

    if (rc != SQLITE_OK)
        return rc;
    ls_pipeline_add_stored(pipeline, counts);
    ls_pipeline_drop(pipeline);
    return SQLITE_OK;
}

/* Steps over the log's rows behind from, up to last. */
static int take_piece(struct ls_pipeline *pipeline, size_t most_bytes, sqlite3_int64 from,
    sqlite3_int64 last, bool *is_plain, char **message)
{
    int rc;

    ls_pipeline_reset(pipeline);
    ls_budget_bound(&pipeline->budget, pipeline->own_bytes + most_bytes);
    rc = ls_source_add(pipeline->sources[0], from, last, &pipeline->delta, is_plain);
    if (rc == SQLITE_OK && *is_plain)
        rc = ls_pipeline_step(pipeline, message);
    ls_budget_unbound(&pipeline->budget);
    ls_pipeline_reset(pipeline);
    if ((rc == SQLITE_NOMEM && pipeline->budget.is_exceeded) || rc == SQLITE_CORRUPT_VTAB ||
        rc == SQLITE_DONE)
        *is_plain = false;
    return *is_plain ? rc : SQLITE_OK;
}

/* Most of the memory is left to the next piece. */
static int store_some(struct ls_pipeline *pipeline, size_t most_bytes, struct ls_counts *counts)
{
    return pipeline->budget.used - pipeline->own_bytes > most_bytes / 4
               ? store(pipeline, counts)
               : SQLITE_OK;
}

int ls_pipeline_take_in_pieces(struct ls_pipeline *pipeline, size_t most_bytes,
    const struct ls_position *position, struct ls_counts *counts, bool *is_done, char **message)
{
    sqlite3_int64 piece_len = (sqlite3_int64)(most_bytes / BYTES_A_ROW) + 1;
    sqlite3_int64 from = position->taken;
    int rc = SQLITE_OK;

    *is_done = pipeline->tables == NULL;
    while (rc == SQLITE_OK && *is_done && from < position->end) {
        sqlite3_int64 left = position->end - from;
        sqlite3_int64 last = from + (left < piece_len ? left : piece_len);

        rc = take_piece(pipeline, most_bytes, from, last, is_done, message);
        if (rc == SQLITE_OK && *is_done)
            rc = store_some(pipeline, most_bytes, counts);
        from = last;
    }
    if (rc == SQLITE_OK && *is_done)
        rc = store(pipeline, counts);
    if (rc != SQLITE_OK && *message == NULL)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
    if (!*is_done) {
        sqlite3_free(*message);
        *message = NULL;
    }
    return rc;
}
