/* lockstep_dot('view') and lockstep_dot('view', 'schema'): a view's circuit in the language of
** Graphviz (https://graphviz.org/doc/info/lang.html). */
#ifndef LS_PICTURE_H
#define LS_PICTURE_H

#include "ext/view.h"

ZS_CHECKED int ls_picture_register(struct ls_connection *connection);

#endif
