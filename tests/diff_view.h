/* What the makers of views share. */
#ifndef DIFF_VIEW_H
#define DIFF_VIEW_H

#include "tests/diff_case.h"

/* An expression over a table's columns: how its values compare (B, N or R), and whether those
** that compare equal are identical. */
struct diff_expression {
    const char *text;
    char spec;
    bool is_firm;
    bool is_bare;
    char affinity; /* as in struct diff_view_column; 0 for - */
};

struct diff_expression diff_view_expression(struct diff_case *c, struct diff_random *random,
    struct diff_view *view, unsigned chance_of_bare);

/* A column with an aggregate in it. In diff_aggregate.c. */
struct diff_view_column diff_view_aggregate(
    struct diff_case *c, struct diff_random *random, struct diff_view *view);

/* A condition over aggregates. In diff_aggregate.c. */
const char *diff_view_having(
    struct diff_case *c, struct diff_random *random, struct diff_view *view);

#endif
