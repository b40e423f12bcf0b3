/* LIMIT and OFFSET. */
#ifndef ZSQL_LIMIT_H
#define ZSQL_LIMIT_H

#include "sql/ast.h"
#include "sql/message.h"

/* The number that LIMIT or OFFSET is: a constant expression, which SQLite evaluates once.
** ZS_REFUSED for a subquery, and for what SQLite can't make an integer of. */
ZS_CHECKED int zsql_limit_read(struct zsql_arena *arena, const char *text,
    const struct zsql_catalogue *catalogue, struct zsql_message *message,
    struct zsql_expr *expr, int64_t *number);

/* Refuses a SELECT, of which the names are bound, for such a LIMIT or OFFSET; not for those in
** it. */
ZS_CHECKED int zsql_refuse_limit(struct zsql_arena *arena, const char *text,
    const struct zsql_catalogue *catalogue, struct zsql_message *message,
    const struct zsql_select *select);

#endif
