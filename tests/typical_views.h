/* Views of the kinds that people keep by hand, and their tables. */
#ifndef TYPICAL_VIEWS_H
#define TYPICAL_VIEWS_H

#include <stdbool.h>

#define N_TYPICAL_VIEWS 25

extern const char *const typical_tables;

extern const struct typical_view {
    const char *text;
    bool is_maintained;  /* for now: planned */
    bool is_live;        /* for now: kept by the extension */
    const char *spec;    /* how columns compare, as diff_result_canonical has it; NULL: "E" */
    const char *members; /* NULL, or a query of all rows of which some may be shown */
} typical_views[N_TYPICAL_VIEWS];

#endif
