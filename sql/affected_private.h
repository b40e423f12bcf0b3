/* Shared by affected.c (conditions) and affected_values.c (the values that they are about). */
#ifndef ZSQL_AFFECTED_PRIVATE_H
#define ZSQL_AFFECTED_PRIVATE_H

#include "sql/affected.h"
#include "sql/reach.h"

/* The occurrence, and the planner that knows the text and its marks. */
struct zsql_inquiry {
    struct zsql_planner *planner;
    const struct zsql_list *occurrences;      /* of the join */
    const struct zsql_occurrence *occurrence; /* the one that has changed */
    size_t number;                            /* its */
};

/* A condition over the rows of core's FROM, NULL for none; the occurrence is in core, at any depth. */
ZS_CHECKED int zsql_affected_condition(
    struct zsql_inquiry *inquiry, struct zsql_core *core, const char **condition);

/* Which rows count in which a left join puts NULLs in the place of the occurrence. */
enum zsql_nulls {
    ZSQL_NULLS_COUNT,
    ZSQL_NULLS_MATCH_NOTHING, /* not where Y is NULL: it is compared */
    ZSQL_BEFORE_NULLS,        /* none: Y is what the left join is on */
};

/* "SELECT Y FROM ...": at least the values that Y has in the rows of core's FROM that the change
** touches and that count. *text is NULL where that can't be told. */
ZS_CHECKED int zsql_affected_values(struct zsql_inquiry *inquiry, struct zsql_core *core,
    struct zsql_expr *y, enum zsql_nulls nulls, const char **text);

/* "SELECT x FROM ..." over all of the rows of core's FROM. */
ZS_CHECKED int zsql_affected_all(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    struct zsql_expr *x, const char **text);

/* The same for result column j of the SELECT that a core, which the occurrence is in, is of. */
ZS_CHECKED int zsql_affected_column(struct zsql_inquiry *inquiry,
    const struct zsql_bound *bound, size_t j, enum zsql_nulls nulls, const char **text);

/* The core in a subquery of this core that holds the occurrence, at any depth. */
const struct zsql_bound *zsql_affected_inner(
    const struct zsql_inquiry *inquiry, const struct zsql_core *core);

/* The text of an expression; NULL without memory. */
const char *zsql_affected_write(struct zsql_inquiry *inquiry, struct zsql_expr *expr);

#endif
