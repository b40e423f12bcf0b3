/* The stored state's own description: <view>_state, and the view's positions in its logs. */
#ifndef LS_STATE_H
#define LS_STATE_H

#include "ext/capture.h"
#include "ext/view.h"

/* The format of all that a view stores: <view>_trace, <view>_data and <view>_state. A view of
** another format is made anew. */
enum { LS_FORMAT = 5 };

struct ls_state {
    sqlite3_int64 token; /* random, new at every store */
    struct ls_mark mark; /* of the schema at the last store */
    bool is_usable;      /* not dirty, of our format, and made by this version of SQLite */
};

/* The positions in the logs go to view->positions[].found. */
ZS_CHECKED int ls_state_read(struct ls_view *view, struct ls_state *state);

/* Does capture log all that the view's plan reads of a table (an index into plan->tables), and
** tell the sink where it must? */
bool ls_state_is_logged(
    const struct ls_view *view, size_t table, const struct ls_logged *logged);

/* Adds to logged what the view's plan reads of a table. */
void ls_state_add_needs(const struct ls_view *view, size_t table, struct ls_logged *logged);

/* Says that the state is being written. What fails then, in a transaction that goes on, leaves
** it to be made anew. SQLite's code, with the message set, as the next. */
ZS_CHECKED int ls_state_mark_dirty(struct ls_view *view);

/* Ends that: positions are `taken`, log rows that every view has taken in are deleted, and last
** the state is whole, under a new token. */
ZS_CHECKED int ls_state_write(struct ls_view *view);

/* Changes of the schema that Lockstep makes for one view, and that raise its level (ext/mark.h) by so
** much, are no reason for others to be made anew. */
ZS_CHECKED int ls_state_excuse(
    sqlite3 *db, const char *schema, const char *view, sqlite3_int64 rise);

#endif
