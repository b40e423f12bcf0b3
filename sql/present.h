/* What tells SQLite that a left join found something. */
#ifndef ZSQL_PRESENT_H
#define ZSQL_PRESENT_H

#include "sql/planner.h"

/* A condition that holds for every row in which a left join puts no NULLs in the place of an
** occurrence: that its weight is none, nor any column of another left join's right side that
** its ON equates with something.
**
** By it SQLite sees that these joins are as good as inner ones, and may begin with any of their
** tables, the few rows of a change for instance. It draws that from comparisons, of a virtual
** table's columns only where a sign stands before them (`x IS NOT NULL` it heeds only as the
** first of several terms), and for each join by itself. */
ZS_CHECKED int zsql_present(struct zsql_planner *planner,
    const struct zsql_occurrence *occurrence, size_t number, const char **text);

/* The same of what an expression reads, and how these were joined; NULL where it reads nothing
** that a left join may leave out. */
ZS_CHECKED int zsql_present_read(struct zsql_planner *planner, const struct zsql_core *core,
    struct zsql_expr *expr, const char **text);

#endif
