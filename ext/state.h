/* The stored state's own description: <view>_state, and the view's positions in its logs. */
#ifndef LS_STATE_H
#define LS_STATE_H

#include "ext/capture.h"
#include "ext/view.h"

/* The format of all that a view stores: <view>_trace, <view>_data and <view>_state. A view of
** another format is made anew. */
enum { LS_FORMAT = 8 };

/* The checksum of <view>_state's row, as SQL; its level is given as an expression. */
#define LS_STATE_CHECKSUM(level)                                                               \
    "lockstep_checksum(format, token, cookie, " level ", sqlite, maintain, indexes,"           \
    " declaration, n_rows, n_cells)"

struct ls_state {
    sqlite3_int64 token; /* random, new at every store */
    struct ls_mark mark; /* of the schema at the last store */
    struct ls_counts counts;
    bool
        is_usable; /* not dirty, not damaged, of our format and made by this version of SQLite */
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
ZS_CHECKED int ls_state_position(struct ls_view *view, int log, sqlite3_int64 seq);

/* Where a log ends. An empty one gets its first row, which says nothing: views that are not at
** its end have lost what they had not read. */
ZS_CHECKED int ls_state_end_of_log(struct ls_view *view, size_t table, sqlite3_int64 *position);

/* The positions of all views in a log follow its rows to another; or are lost, so that each
** view is made anew. Those of a view follow it to its new name. A position that is damaged
** stays so. */
ZS_CHECKED int ls_state_follow(sqlite3 *db, const char *schema, int from, int to, bool is_lost);
ZS_CHECKED int ls_state_rename_positions(
    sqlite3 *db, const char *schema, const char *from, const char *to);

/* Changes of the schema that Lockstep makes for one view, and that raise its level (ext/mark.h)
** by so much, are no reason for others to be made anew. */
ZS_CHECKED int ls_state_excuse(
    sqlite3 *db, const char *schema, const char *view, sqlite3_int64 rise);

#endif
