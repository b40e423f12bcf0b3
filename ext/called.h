/* What the functions that a view calls mean may change on a connection: LIKE by PRAGMA
** case_sensitive_like, a function of the user's by being registered once more. SQLite compiles
** its statements anew then, which it does for few other reasons, and counts that. */
#ifndef LS_CALLED_H
#define LS_CALLED_H

#include "ext/view.h"

/* The definition has been read. */
ZS_CHECKED int ls_called_begin(struct ls_view *view);

/* Closes the view where the functions that it calls may have changed. What LIKE means its state
** tells (ext/state.c); of a function of the user's nothing does, and the view is made anew. */
ZS_CHECKED int ls_called_check(struct ls_view *view);

#endif
