/* The sink: the eponymous-only virtual table lockstep_sink, written to be told of a
** transaction's savepoints and its end. */
#ifndef LS_SINK_H
#define LS_SINK_H

#include "ext/view.h"

int ls_sink_register(struct ls_connection *connection) __attribute__((warn_unused_result));

#endif
