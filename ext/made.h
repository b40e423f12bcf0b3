/* What an operator of a plan has made up to now, for joins to read: its integral, arranged by
** the columns that most look it up by, and what has changed in it in the step. */
#ifndef LS_MADE_H
#define LS_MADE_H

#include "core/trace.h"
#include "ext/lookup.h"
#include "ext/overlay.h"
#include "sql/plan.h"

struct ls_made;

/* Of the operator (borrowed), the plan's of that number; alloc, also borrowed, is for what
** changes. ZS_NOMEM or ZS_OK. */
ZS_CHECKED int ls_made_new(sqlite3 *db, const struct zs_alloc *alloc,
    const struct zsql_operator *operator, size_t number, struct ls_overlay *overlay,
    struct ls_made **made);
void ls_made_free(struct ls_made *made); /* accepts NULL; before the overlay */

const struct zsql_operator *ls_made_operator(const struct ls_made *made);
const enum ls_affinity *ls_made_affinities(const struct ls_made *made); /* of its columns */

/* A zs_linear_fn; ctx is the made. Takes what changes in a step, and gives it arranged, as it
** is to be integrated into the trace. What changed before is to be forgotten by then. */
ZS_CHECKED int ls_made_take(void *made, const struct zs_batch *in, struct zs_delta *out);
struct zs_trace *ls_made_trace(struct ls_made *made);
void ls_made_reset(struct ls_made *made);

/* What has changed: items whose values are rows, consolidated. */
struct ls_lookups *ls_made_lookups(struct ls_made *made);
size_t ls_made_change_len(const struct ls_made *made);

/* Reads rows, as items of piece with their weights, that come under keys from from (which is
** where to go on from afterwards) and below to (without data: no bound): some of them, or all,
** *is_last. After the step's change or, is_past, before it. Memory: the rows of one key, and
** some more. What ls_made_code tells with ZS_CALLBACK. */
ZS_CHECKED int ls_made_read(struct ls_made *made, bool is_past, struct zs_buffer *from,
    struct zs_bytes to, struct zs_batch *piece, bool *is_last);
int ls_made_code(const struct ls_made *made);

#endif
