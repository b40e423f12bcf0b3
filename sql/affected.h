/* Which rows of a core a change of one occurrence can have touched. */
#ifndef ZSQL_AFFECTED_H
#define ZSQL_AFFECTED_H

#include "sql/occurrence.h"
#include "sql/planner.h"

/* A condition over the rows of a core, the one that is being planned or one that it reads row
** for row through subqueries in FROM, as a template's text, that holds for every row of it that
** is in Q(now_i) or Q(past_i) but not in both, and for as few others as can be told: it reads
** the changed rows of the occurrence, and SQLite finds by an index the rows that they match.
** NULL where none can be told: then the change of this occurrence costs what the whole query
** costs. */
ZS_CHECKED int zsql_affected(struct zsql_planner *planner, const struct zsql_list *occurrences,
    size_t i, struct zsql_core *core, const char **condition);

/* A condition that every row satisfies in which a changed row of the occurrence stands, a
** source of the core that is being planned; NULL where it is found without. */
ZS_CHECKED int zsql_affected_looked_up(struct zsql_planner *planner,
    const struct zsql_list *occurrences, size_t i, const char **condition);

/* The same where the occurrence is a member of FROM with one row, which is only compared; NULL
** where it isn't. */
ZS_CHECKED int zsql_affected_by_member(struct zsql_planner *planner,
    const struct zsql_list *occurrences, size_t i, const char **condition);

/* The equality X = Y that USING or NATURAL makes of one of a source's merged columns: X is the
** column of the first source, Y that of this. */
ZS_CHECKED int zsql_merged_pair(struct zsql_arena *arena, const struct zsql_bound *bound,
    const struct zsql_source *source, const char *name, struct zsql_expr **x,
    struct zsql_expr **y);

#endif
