/* The virtual table module `lockstep`. */
#ifndef LS_VIEWTABLE_H
#define LS_VIEWTABLE_H

#include "ext/view.h"

int ls_viewtable_register(struct ls_connection *connection) __attribute__((warn_unused_result));

#endif
