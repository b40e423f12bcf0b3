/* Views of the kinds that people keep by hand, and their tables. */
#ifndef TYPICAL_VIEWS_H
#define TYPICAL_VIEWS_H

#include "tests/kept_views.h"

#define N_TYPICAL_VIEWS 25
#define N_APPLICATION_VIEWS 43

extern const char *const typical_tables;
extern const struct kept_view typical_views[N_TYPICAL_VIEWS];

/* A shop, a chat, a network of friends: what their lists and dashboards ask. */
extern const char *const application_tables;
extern const struct kept_view application_views[N_APPLICATION_VIEWS];

#endif
