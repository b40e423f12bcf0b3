/* Which pending rows, or which one row at all, constraints leave. idxStr's items are documented
** in selection.h; rows too many are no harm, as SQLite checks constraints again. */
#ifndef LS_NARROW_H
#define LS_NARROW_H

#include "ext/pending.h"
#include "ext/view.h"

/* Begins a walk over the pending rows that constraints leave, in the order that items say, if
** they do; *is_ordered tells. ZS_NOMEM. */
ZS_CHECKED int ls_narrow_pending(struct ls_view *view, const char *items, sqlite3_value **argv,
    struct ls_pending *pending, bool *is_ordered);

/* Where constraints fix the key by which the view's rows are found, at most one row passes: its
** place. ZS_NOMEM. */
ZS_CHECKED int ls_narrow_place(const struct ls_view *view, const char *items,
    sqlite3_value **argv, struct zs_buffer *place, bool *is_one);

#endif
