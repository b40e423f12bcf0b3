/* What the functions that a view calls mean may change on a connection: LIKE by PRAGMA
** case_sensitive_like, a function of the user's by being registered once more, and so may a
** collation. SQLite compiles its statements anew then, which it does for few other reasons, and
** counts that. */
#ifndef LS_CALLED_H
#define LS_CALLED_H

#include "ext/view.h"

/* The definition has been read. */
ZS_CHECKED int ls_called_begin(struct ls_view *view);

/* Closes the view where the functions that it calls, or the collations that it compares by, may
** have changed. What LIKE means its state tells (ext/state.c); of what the user registers nothing
** does, and the view is made anew. */
ZS_CHECKED int ls_called_check(struct ls_view *view);

/* Runs a statement of our own by which SQLite compiles all anew, CREATE INDEX, for a view; no
** view takes it for more. SQLite's code. */
ZS_CHECKED int ls_called_exec(struct ls_view *view, const char *text);

#endif
