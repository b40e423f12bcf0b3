/* What is valid SQL and not maintained, by name. */
#ifndef ZSQL_REFUSE_H
#define ZSQL_REFUSE_H

#include "sql/bind.h"

/* Before binding: what the shape of the SELECT shows. */
ZS_CHECKED int zsql_refuse_shape(struct zsql_arena *arena, const char *text,
    struct zsql_select *select, struct zsql_message *message);

/* After binding: the kinds of the sources, and the functions. */
ZS_CHECKED int zsql_refuse_bound(struct zsql_arena *arena, const char *text,
    const struct zsql_catalogue *catalogue, struct zsql_select *select,
    struct zsql_message *message);

#endif
