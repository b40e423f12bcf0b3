/* lockstep_plan('view') and lockstep_plan('view', 'schema'): how a view is kept up to date. */
#ifndef LS_PLANTABLE_H
#define LS_PLANTABLE_H

#include "ext/view.h"

ZS_CHECKED int ls_plantable_register(struct ls_connection *connection);

#endif
