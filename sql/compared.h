/* Values that are the same for all rows of a core, and what they are compared with. */
#ifndef ZSQL_COMPARED_H
#define ZSQL_COMPARED_H

#include "sql/bind.h"

/* A comparison of the text, read as X op Y: X is read without an occurrence, Y with it. */
struct zsql_comparison {
    struct zsql_expr *x, *y;
    enum zsql_op op; /* = < <= > >= */
    bool is_x_left;  /* in the text */
};

/* Where a value stands, as X op Y; op may be IS too. */
struct zsql_compared {
    const struct zsql_expr *term;
    struct zsql_comparison comparison;
};

/* Does a SELECT give one row, always? */
bool zsql_gives_one_row(const struct zsql_select *select);

/* The comparison that a scalar subquery stands in, which names nothing outside: of several, the
** one around the others. Y reads no row of the core around. Its term is NULL where there is
** none. */
ZS_CHECKED int zsql_scalar_compared(
    const struct zsql_bound *subquery, struct zsql_compared *compared);

/* Appends to list, of struct zsql_compared, the comparisons that a member of FROM with one row
** stands in: Y reads no other member, X only others. None where it is read elsewhere too. */
ZS_CHECKED int zsql_member_compared(struct zsql_arena *arena, struct zsql_core *core,
    const struct zsql_from *member, struct zsql_list *list);

#endif
