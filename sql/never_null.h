/* What is never NULL. */
#ifndef ZSQL_NEVER_NULL_H
#define ZSQL_NEVER_NULL_H

#include "sql/bind.h"

/* Has an expression a value in every row that a core's FROM and WHERE give? Told of columns:
** where they are declared so, or a term of WHERE says it. */
bool zsql_is_never_null(const struct zsql_core *core, struct zsql_expr *expr);

/* Of how many of a term's operands, from the first on, none is NULL where the term is true, as
** far as can be told. */
size_t zsql_n_never_null(const struct zsql_expr *term);

#endif
