/* The making of a plan: what plan.c, plan_groups.c and plan_folds.c share. */
#ifndef ZSQL_PLANNER_H
#define ZSQL_PLANNER_H

#include "sql/bind.h"
#include "sql/lex.h"
#include "sql/plan.h"
#include "sql/text.h"
#include "sql/traits.h"

struct zsql_planner {
    struct zsql_arena *arena;
    const char *text;
    const struct zsql_catalogue *catalogue;
    struct zsql_message *message;
    struct zsql_bound *bound;
    const struct zsql_from *from;
    struct zsql_list operators; /* of struct zsql_operator, the source first */
    struct zsql_list columns;   /* of struct zsql_expr: the source's columns, c0, c1, ... */
    struct zsql_list keys;      /* of struct zsql_expr: the groups' */
    struct zsql_list arguments; /* of struct zsql_argument */
    struct zsql_list folds;     /* of struct zs_fold_spec */
    struct zsql_list calls;     /* of struct zsql_expr: the first call of each fold */
};

/* What an aggregate takes: x, or with FILTER the x of the rows where it holds. */
struct zsql_argument {
    struct zsql_expr *expr;   /* NULL: 1, for count(*) */
    struct zsql_expr *filter; /* NULL: none */
};

/* Replacements: a column of the source; a key or an aggregate of the groups. */
ZS_CHECKED int zsql_plan_column(
    void *planner, struct zsql_expr *expr, enum zsql_sight sight, const char **text);
ZS_CHECKED int zsql_plan_group_value(
    void *planner, struct zsql_expr *expr, enum zsql_sight sight, const char **text);

/* The groups' keys, equal ones once. */
ZS_CHECKED int zsql_plan_keys(struct zsql_planner *planner);

/* The number of the fold that computes an aggregate call. */
ZS_CHECKED int zsql_plan_fold(
    struct zsql_planner *planner, struct zsql_expr *call, size_t *number);

/* The text of an argument over the source. */
ZS_CHECKED int zsql_plan_argument(
    struct zsql_planner *planner, const struct zsql_argument *argument, const char **text);

/* Fills the map before the groups, keys first, and the groups; their columns are made here. */
ZS_CHECKED int zsql_plan_arguments(struct zsql_planner *planner, struct zsql_operator *map);
ZS_CHECKED int zsql_plan_folds(struct zsql_planner *planner, const struct zsql_operator *map,
    struct zsql_operator *groups);

/* The collation that an expression compares with; refused where core has none of that name. */
ZS_CHECKED int zsql_plan_collation(const struct zsql_planner *planner, struct zsql_expr *expr,
    const char *where, enum zs_collation *collation);

/* An expression's column, by its traits. */
struct zsql_output_column zsql_plan_describe(
    const struct zsql_planner *planner, struct zsql_expr *expr, const char *name);

#endif
