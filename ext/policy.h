/* When a read may write: the rules for storing and rebuilding from a SELECT. */
#ifndef LS_POLICY_H
#define LS_POLICY_H

#include "ext/moment.h"

/* Stores what is pending where that is safe and worth it; a lock that another connection holds
** is no error. */
ZS_CHECKED int ls_policy_store(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer);

/* Makes the state anew where that can be written now; otherwise *answer is LS_BY_QUERY. */
ZS_CHECKED int ls_policy_rebuild(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer);

#endif
