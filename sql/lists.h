/* Lists of columns: conditions without them, for all that looks for equalities. */
#ifndef ZSQL_LISTS_H
#define ZSQL_LISTS_H

#include "sql/ast.h"
#include "sql/message.h"

/* *spelled is the text with `x IN (a, b)`, where it is a condition and all are columns, as
** `(x = a OR x = b)`, which an index serves from either side; the text itself where there is
** none. ZS_REFUSED as zsql_bind. */
ZS_CHECKED int zsql_spell_lists(struct zsql_arena *arena,
    const struct zsql_catalogue *catalogue, const char *text, struct zsql_message *message,
    const char **spelled);

#endif
