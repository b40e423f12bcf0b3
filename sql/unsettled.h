/* Subqueries whose answer is one of several right ones: the first row of some, a bare column,
** the order in group_concat(). What a change takes back is computed again from the past, and
** must be what was put in, so such an answer has to be settled by the text itself, or is
** refused. */
#ifndef ZSQL_UNSETTLED_H
#define ZSQL_UNSETTLED_H

#include "sql/bind.h"
#include "sql/edit.h"

/* Refuses by name what edits can't settle, in the subqueries of a bound core. */
ZS_CHECKED int zsql_refuse_unsettled(struct zsql_arena *arena, const char *text,
    struct zsql_core *core, struct zsql_message *message);

/* The edits that settle the rest: where only some of a subquery's rows count, ORDER BY goes on
** until no two rows that differ are left equal. */
ZS_CHECKED int zsql_settle(struct zsql_arena *arena, const char *text, struct zsql_core *core,
    struct zsql_edits *edits);

/* May a subquery that is left in the text, computed once more, show another value than before?
** One that is equal and not the same, as 1 for 1.0: one of equal rows is all that UNION,
** DISTINCT and GROUP BY leave, and min() and max() of equal values, and not all first rows can
** be settled. Or one to which SQLite has given the affinity of another core of a compound, as
** its plan may do. */
ZS_CHECKED int zsql_find_other_values(struct zsql_core *core, bool *found);

/* What zsql_settle does, for the SELECT itself, where it has a LIMIT. */
ZS_CHECKED int zsql_settle_limit(struct zsql_arena *arena, const char *text,
    struct zsql_select *select, struct zsql_edits *edits);

#endif
