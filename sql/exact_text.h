/* The user's SELECT with sum, avg and total read as the exact ones. */
#ifndef ZSQL_EXACT_TEXT_H
#define ZSQL_EXACT_TEXT_H

#include "sql/ast.h"

/* Renames every call of the built-in aggregates sum(x), avg(x) and total(x), at any depth, puts
** schema before from, the one table, if that goes without, and leaves all other tokens alone; comments
** and closing semicolons are dropped. The result is in the arena. */
ZS_CHECKED int zsql_exact_text(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_select *select, const struct zsql_from *from,
    const char *schema, const char **exact);

#endif
