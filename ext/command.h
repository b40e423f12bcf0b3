/* Commands to a view: INSERT INTO v(lockstep) VALUES('rebuild'), 'store', 'integrity-check'. */
#ifndef LS_COMMAND_H
#define LS_COMMAND_H

#include "ext/view.h"

/* Called from xUpdate. Where it is not the only statement that writes, it is refused; where a
** trigger carries it, a store is put off to the commit and a rebuild to the next read. */
int ls_command(struct ls_view *view, const char *name);

#endif
