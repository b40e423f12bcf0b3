/* When a read may write: the rules for storing and rebuilding from a SELECT. */
#ifndef LS_POLICY_H
#define LS_POLICY_H

#include "ext/view.h"

/* So many changes are stepped whatever the table's size; where there are more, and half as many
** as the tables have rows, making the state anew costs less. */
enum { LS_MANY_ROWS = 50000 };

/* May this read write at all? */
bool ls_policy_may_write(const struct ls_view *view, const struct ls_moment *moment);

/* Is this one of the reads that don't try to rebuild, after one that met a lock? Counts
** them. */
bool ls_policy_skips(struct ls_view *view);

/* Do candidates that may be open make each read of a statement that has changed much take in all of
** that anew, so that the query costs less? Then *answer is LS_BY_QUERY. */
ZS_CHECKED int ls_policy_weigh_open(struct ls_view *view, sqlite3_int64 unseen,
    const struct ls_moment *moment, enum ls_answer *answer);

/* Stores what is pending where that is safe and worth it; a lock that another connection holds
** is no error. */
ZS_CHECKED int ls_policy_store(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer);

/* Makes the state anew where that can be written now; otherwise *answer is LS_BY_QUERY. */
ZS_CHECKED int ls_policy_rebuild(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer);

#endif
