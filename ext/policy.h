/* When a read may write: the rules for storing and rebuilding from a SELECT. */
#ifndef LS_POLICY_H
#define LS_POLICY_H

#include "ext/view.h"

/* What the connection is doing while a view is read. */
struct ls_moment {
    int n_running; /* statements, the reading one included */
    int n_writing; /* of them, those that write */
    bool in_write; /* its transaction has written to the view's database */
    bool is_autocommit;
    bool is_readonly;
    /* A statement is under way that may have changed a base row whose AFTER trigger has not
    ** fired: table and log differ by that row. */
    bool is_between_row_and_log;
};

void ls_moment_now(const struct ls_view *view, bool in_write, struct ls_moment *moment);

/* Stores what is pending where that is safe and worth it; a lock that another connection holds
** is no error. */
ZS_CHECKED int ls_policy_store(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer);

/* Makes the state anew where that can be written now; otherwise *answer is LS_BY_QUERY. */
ZS_CHECKED int ls_policy_rebuild(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer);

#endif
