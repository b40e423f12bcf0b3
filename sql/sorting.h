/* What the rows of a subquery are sorted by, for aggregates whose value depends on it. */
#ifndef ZSQL_SORTING_H
#define ZSQL_SORTING_H

#include "sql/ast.h"
#include "sql/message.h"

/* *spelled is the text in which a subquery that stands alone in FROM, under an aggregate such as
** group_concat, has what its ORDER BY sorts by among its columns; the text itself where nothing
** lacks. ZS_REFUSED as zsql_bind. */
ZS_CHECKED int zsql_show_sorting(struct zsql_arena *arena,
    const struct zsql_catalogue *catalogue, const char *text, struct zsql_message *message,
    const char **spelled);

#endif
