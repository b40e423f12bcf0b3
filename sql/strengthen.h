/* Left joins that are inner ones, since a condition drops the rows with NULLs. */
#ifndef ZSQL_STRENGTHEN_H
#define ZSQL_STRENGTHEN_H

#include "sql/bind.h"

/* Makes inner joins of the left joins of a bound SELECT that can be, at any depth: their
** sources are no longer nullable, and zsql_from.is_inner is set. */
ZS_CHECKED int zsql_strengthen(struct zsql_arena *arena, struct zsql_select *select);

/* A column of member `item` of the core's FROM where a term can't be true if that is NULL; NULL
** for none, as far as can be told. */
struct zsql_expr *zsql_null_rejected(
    const struct zsql_bound *bound, struct zsql_expr *term, size_t item);

#endif
