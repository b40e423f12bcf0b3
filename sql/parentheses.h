/* Joins in parentheses: a SELECT without them, for all that reads FROM as members in a row. */
#ifndef ZSQL_PARENTHESES_H
#define ZSQL_PARENTHESES_H

#include "sql/ast.h"
#include "sql/message.h"

/* *spelled is the text, which reads no view and no common table expression, with each join in
** parentheses taken out of them where they begin FROM, and elsewhere put in as a subquery:
**
**   a LEFT JOIN (b JOIN c ON p) ON q     a LEFT JOIN (SELECT ... FROM b JOIN c ON p) AS j ON q
**
** which is what SQLite makes of it. The text itself where there is none. ZS_REFUSED as
** zsql_bind. */
ZS_CHECKED int zsql_drop_parentheses(struct zsql_arena *arena,
    const struct zsql_catalogue *catalogue, const char *text, struct zsql_message *message,
    const char **spelled);

#endif
