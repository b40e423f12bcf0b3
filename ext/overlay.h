/* The overlay: operator state of a view, cells over the shadow table <view>_trace with what has
** changed since the last store kept in memory. Reading looks in memory first, then in the
** table; nothing is written until ls_overlay_store. It is only a cache: dropping it loses
** nothing that the log does not hold. */
#ifndef LS_OVERLAY_H
#define LS_OVERLAY_H

#include "core/cells.h"
#include "core/trace.h"
#include "ext/api.h"
#include "ext/fill.h"

struct ls_overlay;

/* The table is <schema>.<view>_trace(k BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID. What
** has changed is allocated by alloc, borrowed. */
ZS_CHECKED int ls_overlay_new(sqlite3 *db, const struct zs_alloc *alloc, const char *schema,
    const char *view, struct ls_overlay **overlay);
void ls_overlay_free(struct ls_overlay *overlay);

/* The cells under one tag, as operators see them. Transaction calls are those of the whole
** overlay, and nest, so that parts may each begin and end the same one. Freed by zs_cells_free,
** before the overlay. */
ZS_CHECKED int ls_overlay_part(struct ls_overlay *overlay, uint8_t tag, struct zs_cells **part);

/* All cells, tags included. */
struct zs_cells *ls_overlay_cells(struct ls_overlay *overlay);

/* How many cells differ from the table; writing them there; forgetting them. The last two only
** with no transaction open. Storing returns SQLite's code, and leaves the overlay as it was:
** the caller forgets when all of its writing has succeeded. */
size_t ls_overlay_pending(const struct ls_overlay *overlay);
ZS_CHECKED int ls_overlay_store(struct ls_overlay *overlay);
int64_t ls_overlay_added(
    const struct ls_overlay *overlay); /* cells, by the last store; net; not of a build */
void ls_overlay_forget(struct ls_overlay *overlay);
void ls_overlay_distrust(struct ls_overlay *overlay);

/* A build begins over an emptied table, by way of fill (borrowed), or ends, with fill NULL.
** Until something is stored, memory is all there is, and nothing is looked up. */
void ls_overlay_build(struct ls_overlay *overlay, struct ls_fill *fill);

/* Appends to a cell's value what the table has behind it, its checksum; and when cells were put
** into the table past the overlay: they are to be looked up. */
ZS_CHECKED int ls_overlay_seal(struct zs_buffer *value, struct zs_bytes key);
void ls_overlay_note_filled(struct ls_overlay *overlay);

/* What a build has stored belongs to groups that are done: nothing is looked up until the next
** store. */
void ls_overlay_end_groups(struct ls_overlay *overlay);

/* About how many bytes a build has in memory. */
size_t ls_overlay_size(const struct ls_overlay *overlay);

/* Looks at every cell of the table, and counts them. SQLITE_CORRUPT_VTAB where one is
** damaged. */
ZS_CHECKED int ls_overlay_check(struct ls_overlay *overlay, int64_t *n);

/* SQLite's code of the last method that failed with ZS_CALLBACK. */
int ls_overlay_code(const struct ls_overlay *overlay);

/* An error is an element like a row, which a retraction must give once more; so it holds
** nothing that ALTER or a setting may change in between. Of a base table's row it is this
** byte, the table's number in the plan as a varint, and the row's key in the identity
** encoding: what the row is called, and what SQLite says of it, is found when the error is
** read. Any other is a text, which never begins with that byte: what was said of a row
** between operators. Stored. */
enum { LS_ERROR_OF_ROW = 0 };

/* The errors of rows that could not be computed, as a trace over one part: (where, error) with
** weights. Freed by zs_trace_free. */
ZS_CHECKED int ls_errors_new(struct zs_cells *part, struct zs_trace **errors);

/* One error that is present, copied; that there is none is remembered until one comes, a
** rollback, or ls_errors_distrust. */
bool ls_errors_are_none(const struct zs_trace *errors); /* is that known? */
ZS_CHECKED int ls_errors_first(struct zs_trace *errors, struct zs_buffer *error, bool *found);
void ls_errors_distrust(struct zs_trace *errors);

#endif
