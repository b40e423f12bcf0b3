/* lockstep_views: the views there are, and how much is pending for each. */
#ifndef LS_LISTING_H
#define LS_LISTING_H

#include "ext/view.h"

int ls_listing_register(struct ls_connection *connection) __attribute__((warn_unused_result));

#endif
