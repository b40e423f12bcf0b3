/* The result columns of a SELECT under other names, as CREATE VIEW v(a, b) and WITH c(a, b) give. */
#ifndef ZSQL_NAMING_H
#define ZSQL_NAMING_H

#include "sql/ast.h"
#include "sql/message.h"

/* *named is the text of a SELECT with the names (of const char) for its result columns; the text
** itself where it has them. Names must be unlike each other. maintained is the view's name where
** it is a maintained one, whose names were its query's own when it was created: the query may have
** other columns besides now, where a `*` has got some. ZS_REFUSED where there are more or fewer
** columns than names. */
ZS_CHECKED int zsql_name_columns(struct zsql_arena *arena,
    const struct zsql_catalogue *catalogue, const char *text, const struct zsql_list *names,
    const char *maintained, struct zsql_message *message, const char **named);

#endif
