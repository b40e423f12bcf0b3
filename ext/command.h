/* Commands to a view: INSERT INTO v(lockstep) VALUES('rebuild'), 'store', 'integrity-check'. */
#ifndef LS_COMMAND_H
#define LS_COMMAND_H

#include "ext/view.h"

/* Called from xUpdate, whose statement is the only one that may be writing. */
int ls_command(struct ls_view *view, const char *name);

#endif
