/* A glance at what has changed since a view was brought up to date: in one statement, a
** fraction of what reading schema and state costs. */
#ifndef LS_GLANCE_H
#define LS_GLANCE_H

#include "ext/view.h"

/* The schema is what the view was opened from, and its stored state is as the overlay knows
** it. */
ZS_CHECKED int ls_glance_begin(struct ls_view *view);

/* Reads where the logs end, into positions[].end. *is_known: all that has changed since
** ls_glance_begin are logs that have grown; else, where anything else may have, look anew.
** LS_AT_LOGS will do in a write transaction of the connection's own in which the view has been
** looked at before, as stores of its own are not overlooked. */
ZS_CHECKED int ls_glance(struct ls_view *view, enum ls_glance_kind kind, bool *is_known);

#endif
