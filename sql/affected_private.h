/* Shared by affected.c (conditions), affected_columns.c (those of subqueries in FROM),
** affected_correlation.c (those of subqueries that name the core around), affected_scalar.c (those
** of values that name nothing of it), affected_first.c and affected_cancel.c (what makes no
** difference to them), affected_left.c (those of left joins), affected_lookup.c (those of a source
** whose key a subquery gives), affected_values.c (the values that they are about) and
** affected_terms.c (the comparisons that they come of). */
#ifndef ZSQL_AFFECTED_PRIVATE_H
#define ZSQL_AFFECTED_PRIVATE_H

#include "sql/affected.h"
#include "sql/compared.h"
#include "sql/reach.h"

/* The occurrence, and the planner that knows the text and its marks. */
struct zsql_inquiry {
    struct zsql_planner *planner;
    const struct zsql_list *occurrences;      /* of the join */
    const struct zsql_occurrence *occurrence; /* the one that has changed */
    size_t number;                            /* its */
    unsigned n_within; /* subqueries in FROM, one within another, whose columns are looked at */
};

/* A condition over the rows of core's FROM, NULL for none; the occurrence is in core, at any
** depth. */
ZS_CHECKED int zsql_affected_condition(
    struct zsql_inquiry *inquiry, struct zsql_core *core, const char **condition);

/* Which rows count in which a left join puts NULLs in the place of the occurrence. */
enum zsql_nulls {
    ZSQL_NULLS_COUNT,
    ZSQL_NULLS_MATCH_NOTHING, /* not where Y is NULL: it is compared */
    ZSQL_BEFORE_NULLS,        /* none: Y is what the left join is on */
};

/* "SELECT Y FROM ...": at least the values that Y has in the rows of core's FROM that the
** change touches and that count. *text is NULL where that can't be told. */
ZS_CHECKED int zsql_affected_values(struct zsql_inquiry *inquiry, struct zsql_core *core,
    struct zsql_expr *y, enum zsql_nulls nulls, const char **text);

/* Members of a FROM that X may be read of: from the first on, or one by itself. */
struct zsql_items {
    size_t first, end;
};

/* "SELECT x FROM ..." over all of the rows of core's FROM, or of one member by itself, a
** table. */
ZS_CHECKED int zsql_affected_all(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    struct zsql_items items, struct zsql_expr *x, const char **text);

/* The same for result column j of the SELECT that a core, which the occurrence is in, is of. */
ZS_CHECKED int zsql_affected_column(struct zsql_inquiry *inquiry,
    const struct zsql_bound *bound, size_t j, enum zsql_nulls nulls, const char **text);

/* The core in a subquery of this core that holds the occurrence, at any depth. */
const struct zsql_bound *zsql_affected_inner(
    const struct zsql_inquiry *inquiry, const struct zsql_core *core);

/* A term may be read in several ways, from either side, a BETWEEN as two comparisons; the false
** ones are none. */
enum { ZSQL_N_READINGS = 4 };
bool zsql_comparison_read(
    const struct zsql_expr *term, size_t reading, struct zsql_comparison *comparison);

/* Of a term `a OR b`, what follows of either, as X >= Y does of X > Y OR (X = Y AND ...):
** appends them, of struct zsql_comparison. */
ZS_CHECKED int zsql_comparisons_of_alternatives(
    struct zsql_arena *arena, const struct zsql_expr *term, struct zsql_list *list);

/* The collation by which they compare. */
const char *zsql_comparison_collation(const struct zsql_comparison *comparison);

/* Can a condition on X be made of values of Y? */
bool zsql_comparison_is_of_use(const struct zsql_comparison *comparison);

/* Adds the condition, that X of core's compares so with some of the values, to another; and
** that it is not NULL, where that is of use (not where core is NULL); and that a text is among
** the values. */
ZS_CHECKED int zsql_affected_add(struct zsql_inquiry *inquiry, const struct zsql_core *core,
    const struct zsql_comparison *comparison, const char *values, const char **condition);
ZS_CHECKED int zsql_affected_add_present(struct zsql_inquiry *inquiry,
    const struct zsql_core *core, struct zsql_expr *x, const char **condition);
ZS_CHECKED int zsql_affected_add_in(
    struct zsql_inquiry *inquiry, const char *x, const char *values, const char **condition);

/* What comparisons a condition has been made of. */
struct zsql_found {
    bool has_equality, has_range;
};

/* Of a term `a OR b`: adds that one of the conditions holds which `compared` makes of the
** comparisons of each alternative, if each has some. */
typedef int zsql_compared_fn(
    void *ctx, const struct zsql_comparison *comparison, const char **condition);
ZS_CHECKED int zsql_affected_by_either(struct zsql_inquiry *inquiry,
    const struct zsql_expr *term, zsql_compared_fn *compared, void *ctx,
    struct zsql_found *found, const char **condition);

/* By the WHERE of the subquery `inner` of a core, which the occurrence is in, and of those
** within it: X may be read of the items. */
bool zsql_affected_is_readable(const struct zsql_inquiry *inquiry,
    const struct zsql_reach *reach, struct zsql_items items);
ZS_CHECKED int zsql_affected_by_correlation(struct zsql_inquiry *inquiry,
    struct zsql_core *around, const struct zsql_bound *inner, struct zsql_items items,
    struct zsql_found *found, const char **condition);

/* "SELECT X FROM ...": any X of core's, where a NULL is among the values, and else none. */
ZS_CHECKED int zsql_affected_any(struct zsql_inquiry *inquiry, const struct zsql_core *around,
    struct zsql_items items, struct zsql_expr *x, const char *values, const char **text);

/* The occurrence is in the subquery in FROM that a source is, and that inner is a core of: by its
** own columns, where the change can be told by one. */
ZS_CHECKED int zsql_affected_by_columns(struct zsql_inquiry *inquiry,
    const struct zsql_source *source, const struct zsql_bound *inner, const char **condition);

/* The subquery `inner` is a value that names nothing outside and is compared with X of the
** items: adds the condition that X is one of the values that it had, or between them. */
ZS_CHECKED int zsql_affected_by_scalar(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, struct zsql_items items, const char **condition);

/* Adds the condition that the changed rows which the subquery `inner` of a core, whose source
** the occurrence is, reads for a row of the core do not cancel each other, where that can be
** told. */
ZS_CHECKED int zsql_affected_not_cancelled(struct zsql_inquiry *inquiry,
    struct zsql_core *around, const struct zsql_bound *inner, const char **condition);

/* Adds the other end of the range that a changed row touches where the subquery gives the first
** row by the order of what is compared. */
ZS_CHECKED int zsql_affected_first(struct zsql_inquiry *inquiry, struct zsql_core *around,
    const struct zsql_bound *inner, const char **condition);

/* The occurrence is within member number `item` of FROM, which a left join may leave without a
** match: by what it is joined on. Or, where it is in a subquery of ON, by the rows of the
** member that a condition over the member by itself is about. */
ZS_CHECKED int zsql_affected_by_left_join(
    struct zsql_inquiry *inquiry, struct zsql_core *core, size_t item, const char **condition);
ZS_CHECKED int zsql_affected_by_on(struct zsql_inquiry *inquiry, struct zsql_core *core,
    size_t item, const char *of_member, const char **condition);

/* The occurrence is a source of the core itself, whose key a subquery of ON or WHERE gives. */
ZS_CHECKED int zsql_affected_by_lookup(struct zsql_inquiry *inquiry, const char **condition);

/* What stands behind FROM of a core; and a member of it without what it is joined on. */
ZS_CHECKED int zsql_affected_write_from(
    struct zsql_inquiry *inquiry, const struct zsql_core *core, const char **text);
ZS_CHECKED int zsql_affected_write_member(
    struct zsql_inquiry *inquiry, const struct zsql_core *core, size_t item, const char **text);

/* The text of an expression; NULL without memory. And one that compares by a collation. */
const char *zsql_affected_write(struct zsql_inquiry *inquiry, struct zsql_expr *expr);
const char *zsql_affected_collated(
    struct zsql_inquiry *inquiry, struct zsql_expr *expr, const char *used);

#endif
