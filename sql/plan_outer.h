/* Shared by plan_outer.c, which takes RIGHT and FULL joins apart, plan_arms.c, which tells what
** subqueries in FROM are taken apart, plan_outer_on.c, which tells what the members of the
** parts are joined on, and plan_part.c, which makes cores of them. */
#ifndef ZSQL_PLAN_OUTER_H
#define ZSQL_PLAN_OUTER_H

#include "sql/planner.h"

struct zsql_splitter {
    struct zsql_planner *planner;
    struct zsql_core *core;
    struct zsql_edits edits; /* of columns that are merged */
    uint64_t apart;          /* the members that are taken apart, a bit each */
};

/* A FROM without RIGHT and FULL joins, and a condition on its rows. It begins with member
** number head; those that have changed places with it stand behind it. */
struct zsql_outer_part {
    const char *from, *where; /* where: NULL for none */
    size_t head;
    bool has_changed_places;
    uint64_t absent; /* members of which all columns are NULL, a bit each */
};

/* An expression of the core, and `table.column` of its sources. NULL without memory. */
const char *zsql_outer_write(struct zsql_splitter *splitter, struct zsql_expr *expr);
const char *zsql_outer_column(struct zsql_splitter *splitter, size_t source, const char *name);

/* Appends the part to parts, of struct zsql_part, as a core with the names and the hidden
** columns of the whole. */
ZS_CHECKED int zsql_outer_bind_part(struct zsql_splitter *splitter,
    const struct zsql_outer_part *part, struct zsql_list *parts);

/* A member of FROM without what it is joined on; NULL without memory. */
const char *zsql_outer_member(struct zsql_splitter *splitter, size_t i);

/* Chooses the subqueries in FROM that are taken apart. Are there any? */
bool zsql_outer_choose(struct zsql_splitter *splitter);

/* The arms of a member, whose rows together are the member's: of one that is not taken apart it
** is the member itself. NULL without memory. */
bool zsql_outer_is_apart(const struct zsql_splitter *splitter, size_t i);
size_t zsql_outer_arms(const struct zsql_splitter *splitter, size_t i);
const char *zsql_outer_arm(struct zsql_splitter *splitter, size_t i, size_t arm);

/* "coalesce(a, b)" of the columns of that name of the sources, or the one that there is. */
struct zsql_columns {
    size_t sources[64];
    const char *names[64];
    size_t n;
};
const char *zsql_outer_coalesce(
    struct zsql_splitter *splitter, const struct zsql_columns *columns);

/* What the name of a merged column stands for: of the sources that have it the leftmost; of a
** right join the right one; of a full join both. */
void zsql_outer_find_merged(
    const struct zsql_bound *bound, const char *name, struct zsql_columns *columns);

/* The name alone of a column that some source merges; NULL for any other expression. */
const char *zsql_outer_merged_name(
    const struct zsql_bound *bound, const struct zsql_expr *expr);

/* What member i is joined on in a part, "1" for nothing. *is_never: some term asks for a column
** that is NULL there to be equal to something. NULL without memory. */
const char *zsql_outer_on(struct zsql_splitter *splitter, const struct zsql_outer_part *part,
    size_t i, bool *is_never);

#endif
