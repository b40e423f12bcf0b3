/* The user's SELECT with sum, avg and total read as the exact ones. */
#ifndef ZSQL_EXACT_TEXT_H
#define ZSQL_EXACT_TEXT_H

#include "sql/bind.h"
#include "sql/edit.h"

/* The edits that rename every call of the built-in aggregates sum(x), avg(x) and total(x) in a
** bound core, at any depth, and watch its date functions (sql/clock.h). A column of a subquery
** in FROM that is called by its text is given that name. */
ZS_CHECKED int zsql_exact_edits(struct zsql_arena *arena, const char *text,
    struct zsql_core *core, struct zsql_edits *edits);

/* Those made in a whole SELECT, its subqueries settled (unsettled.h), and the schema put before
** each table that goes without: run on its own, the text could meet a TEMP table of the same
** name. All other tokens are left alone; comments and closing semicolons are dropped. The
** result is in the arena; *body is what in it stands behind a WITH (head.h). */
ZS_CHECKED int zsql_exact_text(struct zsql_arena *arena, const char *text,
    struct zsql_select *select, const char **exact, const char **body);

#endif
