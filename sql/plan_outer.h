/* Shared by plan_outer.c, which takes RIGHT and FULL joins apart, and plan_outer_on.c, which tells
** what the members of the parts are joined on. */
#ifndef ZSQL_PLAN_OUTER_H
#define ZSQL_PLAN_OUTER_H

#include "sql/planner.h"

struct zsql_splitter {
    struct zsql_planner *planner;
    struct zsql_core *core;
    struct zsql_edits edits; /* of columns that are merged */
};

/* A FROM without RIGHT and FULL joins, and a condition on its rows. It begins with member number
** head; those that have changed places with it stand behind it. */
struct zsql_outer_part {
    const char *from, *where; /* where: NULL for none */
    size_t head;
    bool has_changed_places;
    uint64_t absent; /* members of which all columns are NULL, a bit each */
};

/* An expression of the core, and `table.column` of its sources. NULL without memory. */
const char *zsql_outer_write(struct zsql_splitter *splitter, struct zsql_expr *expr);
const char *zsql_outer_column(struct zsql_splitter *splitter, size_t source, const char *name);

/* "coalesce(a, b)" of the columns of that name of the sources, or the one that there is. */
struct zsql_columns {
    size_t sources[64];
    const char *names[64];
    size_t n;
};
const char *zsql_outer_coalesce(
    struct zsql_splitter *splitter, const struct zsql_columns *columns);

/* What the name of a merged column stands for: of the sources that have it the leftmost; of a right
** join the right one; of a full join both. */
void zsql_outer_find_merged(
    const struct zsql_bound *bound, const char *name, struct zsql_columns *columns);

/* The name alone of a column that some source merges; NULL for any other expression. */
const char *zsql_outer_merged_name(
    const struct zsql_bound *bound, const struct zsql_expr *expr);

/* What member i is joined on in a part, "1" for nothing. *is_never: some term asks for a column that
** is NULL there to be equal to something. NULL without memory. */
const char *zsql_outer_on(struct zsql_splitter *splitter, const struct zsql_outer_part *part,
    size_t i, bool *is_never);

#endif
