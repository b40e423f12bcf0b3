/* The making of a plan: what plan.c, plan_groups.c and plan_folds.c share. */
#ifndef ZSQL_PLANNER_H
#define ZSQL_PLANNER_H

#include "sql/bind.h"
#include "sql/lex.h"
#include "sql/occurrence.h"
#include "sql/plan.h"
#include "sql/text.h"
#include "sql/traits.h"

struct zsql_planner {
    struct zsql_arena *arena;
    const char *text;
    const struct zsql_catalogue *catalogue;
    struct zsql_message *message;
    struct zsql_list operators; /* of struct zsql_operator, an operator behind its inputs */
    struct zsql_list tables;    /* of struct zsql_table_use */
    unsigned depth;             /* of the SELECT: 0 for the whole */
    bool made_uncertain;        /* a subquery's values are not the only right ones */
    bool may_show_others;       /* see zsql_plan */
    bool keeps_order;           /* see zsql_table */

    /* of the core that is being planned */
    struct zsql_bound *bound;
    struct zsql_edits edits;      /* of its text */
    zsql_replace_fn *read_column; /* zsql_plan_column, or zsql_plan_own_column over a join */
    bool is_over_groups;          /* the join is of the core's groups */
    struct zsql_list rewrites;    /* of terms of the join's WHERE: private to plan_in.c */
    struct zsql_list columns;     /* of struct zsql_expr: the source's columns, c0, c1, ... */
    struct zsql_list keys;        /* of struct zsql_expr: the groups' */
    struct zsql_list bare;        /* of struct zsql_expr: columns of a row of the group */
    struct zsql_list arguments;   /* of struct zsql_argument */
    struct zsql_list folds;       /* of struct zs_fold_spec */
    struct zsql_list calls;       /* of struct zsql_expr: the first call of each fold */
    struct zsql_list texts;  /* of const char: of each fold that is ZS_REFOLD, what it runs */
    struct zsql_list orders; /* of const char: and by which its rows are sorted */
    struct zsql_list marked; /* of struct zsql_expr: keys and aggregates read as JSON */
    enum zs_choice choice;   /* of the row that gives the bare columns */
    unsigned choice_argument;
    bool reads_uncertain; /* some text over groups has read a bare column or a ZS_REFOLD */
    enum zs_collation choice_collation;
};

/* What an aggregate takes: x, or with FILTER the x of the rows where it holds. */
struct zsql_argument {
    struct zsql_expr *expr;   /* NULL: 1, for count(*) */
    struct zsql_expr *filter; /* NULL: none */
};

/* Replacements: a column of the source, c0, ...; a column of a join, by its own name; a key, a
** bare column or an aggregate of the groups. */
ZS_CHECKED int zsql_plan_column(
    void *planner, struct zsql_expr *expr, enum zsql_sight sight, const char **text);
ZS_CHECKED int zsql_plan_own_column(
    void *planner, struct zsql_expr *expr, enum zsql_sight sight, const char **text);
ZS_CHECKED int zsql_plan_group_value(
    void *planner, struct zsql_expr *expr, enum zsql_sight sight, const char **text);

/* The text of an expression over the core's rows, and over its groups. */
ZS_CHECKED int zsql_plan_write(
    struct zsql_planner *planner, struct zsql_expr *expr, const char **text);
ZS_CHECKED int zsql_plan_write_over_groups(
    struct zsql_planner *planner, struct zsql_expr *expr, const char **text);

/* Appends an operator; input may be NULL. */
ZS_CHECKED int zsql_plan_add(struct zsql_planner *planner, enum zsql_operator_kind kind,
    struct zsql_operator *input, size_t n_columns, struct zsql_operator **operator);

/* The groups' keys, equal ones once. */
ZS_CHECKED int zsql_plan_keys(struct zsql_planner *planner);

/* Finds the bare columns and all folds, by which the texts over groups then number what they
** read; and chooses the row. After zsql_plan_keys. */
ZS_CHECKED int zsql_plan_bare(struct zsql_planner *planner);

/* The text that reads a column as c0, c1, ..., its place in a list that it is added to. */
ZS_CHECKED int zsql_plan_read_listed(struct zsql_planner *planner, struct zsql_list *columns,
    struct zsql_expr *column, enum zsql_sight sight, const char **text);

/* Is it a key, or shown by one, or an aggregate: has it a value of its own over groups? */
bool zsql_plan_is_stored(struct zsql_planner *planner, struct zsql_expr *expr);

/* Says of the plan which values and rows are certain; after zsql_plan_folds. And that the rows
** are compared, by a DISTINCT or a compound: then their values decide which there are. */
ZS_CHECKED int zsql_plan_certainty(struct zsql_planner *planner, struct zsql_plan *plan);
void zsql_plan_compare_rows(struct zsql_plan *plan, size_t n_columns);

/* Marks the keys and aggregates whose results a call over groups takes as JSON. */
ZS_CHECKED int zsql_plan_mark_json(struct zsql_planner *planner, struct zsql_expr *call);
bool zsql_plan_is_marked(const struct zsql_planner *planner, const struct zsql_expr *expr);

/* The spec of an aggregate call; of a ZS_REFOLD also its text and its rows' order, else NULL. */
ZS_CHECKED int zsql_plan_specify(struct zsql_planner *planner, struct zsql_expr *call,
    struct zs_fold_spec *spec, const char **text, const char **order);
ZS_CHECKED int zsql_plan_refold(struct zsql_planner *planner, struct zsql_expr *call,
    struct zs_fold_spec *spec, const char **text, const char **order);

/* Is it computed by SQLite for a whole group, of its rows in their order? */
bool zsql_plan_is_refold(const struct zsql_expr *call);

/* The order in which the core's rows come, if it reads one subquery, which sorts them: terms of
** ORDER BY over columns that it adds to those of a call; "" for none. */
ZS_CHECKED int zsql_plan_row_order(
    struct zsql_planner *planner, struct zsql_list *columns, const char **order);

/* The number of the result column by which a term of a SELECT's ORDER BY sorts; -1: none. */
long zsql_plan_find_term(const struct zsql_select *select, struct zsql_expr *expr);

/* The number of an argument, equal ones once. */
ZS_CHECKED int zsql_plan_add_argument(
    struct zsql_planner *planner, struct zsql_argument wanted, unsigned *number);

/* The number of the fold that computes an aggregate call. */
ZS_CHECKED int zsql_plan_fold(
    struct zsql_planner *planner, struct zsql_expr *call, size_t *number);

/* The text of an argument over the source. */
ZS_CHECKED int zsql_plan_argument(
    struct zsql_planner *planner, const struct zsql_argument *argument, const char **text);

/* Is the core to be read by a ZSQL_JOIN, rather than by a ZSQL_SOURCE and a ZSQL_MAP? */
bool zsql_plan_is_join(const struct zsql_core *core);

/* Does a subquery in FROM pass on the rows of its own FROM, computed and filtered one by
** one? */
bool zsql_plan_passes_on(const struct zsql_select *select);

/* A base table that is read, and what of it: its index among the plan's. */
struct zsql_table_use {
    struct zsql_relation relation;
    bool *is_used; /* n_columns + 1: the rowid is the last */
};
ZS_CHECKED int zsql_plan_use(struct zsql_planner *planner, const struct zsql_relation *relation,
    const bool *is_used, size_t *table);
ZS_CHECKED int zsql_plan_tables(struct zsql_planner *planner, struct zsql_plan *plan);

/* Finds out by what order columns are compared, before subqueries are replaced. */
ZS_CHECKED int zsql_plan_read_ranges(struct zsql_planner *planner, struct zsql_select *select);

/* What is read and marked of the core's text by a join of these occurrences, before its
** expressions are written; and what makes the text and the differences of it when they are, in
** expressions and condition. */
ZS_CHECKED int zsql_plan_join_begin(
    struct zsql_planner *planner, struct zsql_list *occurrences);
ZS_CHECKED int zsql_plan_join_end(struct zsql_planner *planner,
    const struct zsql_list *occurrences, struct zsql_operator *join);

/* Appends what stands behind FROM in a core's text; occurrences are those that its marks
** count. */
ZS_CHECKED int zsql_plan_append_from(struct zsql_planner *planner,
    const struct zsql_list *occurrences, const struct zsql_core *core, struct zs_buffer *out);

/* A core in the place of one that is taken apart, as one with RIGHT or FULL joins is; and the
** text that it is of. */
struct zsql_part {
    const char *text;
    struct zsql_core *core;
};

/* The parts, of struct zsql_part, whose rows together are those of the core; none where it is
** not to be taken apart. */
ZS_CHECKED int zsql_plan_split(
    struct zsql_planner *planner, struct zsql_core *core, struct zsql_list *parts);
bool zsql_plan_is_split(struct zsql_core *core);

/* Is an expression of a core one of its conditions, or a term of one under AND and OR: is it
** the same whether it is NULL or false? */
bool zsql_hides_null(const struct zsql_core *core, const struct zsql_expr *expr);

/* Finds X IN (SELECT ...) where it is better read as EXISTS, and tells the text of one; NULL
** for any other expression. */
ZS_CHECKED int zsql_plan_rewrite_in(
    struct zsql_planner *planner, const struct zsql_list *occurrences);
const char *zsql_plan_rewritten(
    const struct zsql_planner *planner, const struct zsql_expr *expr);

/* Where there are such terms: the text of WHERE with its own as they are. */
ZS_CHECKED int zsql_plan_write_where(struct zsql_planner *planner, const char **text);

/* Plans the subqueries of a core that operators can compute by themselves, and puts what they
** make in their place; before the core itself is planned. */
ZS_CHECKED int zsql_plan_inner(struct zsql_planner *planner, struct zsql_core *core);

/* Is a subquery to be made although it only passes rows on? Where its first row is shown, or
** where there being one counts: then the core around has nothing to do with changes of its
** other rows, and of those that its WHERE drops. */
bool zsql_plan_is_of_first(const struct zsql_expr *expr);

/* Does an operator compute it better than SQLite anew for each change? What only passes rows on
** is no worth a copy of them, but where it is taken apart, or where SQLite gives reals for
** integers, or does not, as it reads it. */
bool zsql_plan_is_worth_making(const struct zsql_select *select);

/* Plans a subquery as an operator that joins read; *made is NULL where the plan can't hold it,
** which is no error: SQLite computes it. */
ZS_CHECKED int zsql_plan_make(
    struct zsql_planner *planner, struct zsql_select *select, struct zsql_operator **made);

/* Puts "SELECT c0, ... FROM made" in the place of a subquery in an expression; its core. */
ZS_CHECKED int zsql_plan_replace_alone(struct zsql_planner *planner, struct zsql_expr *expr,
    struct zsql_operator *made, size_t n_columns, struct zsql_core **core);

/* Makes a correlated subquery a lookup in what an operator makes, where that can be. */
ZS_CHECKED int zsql_plan_decorrelate(
    struct zsql_planner *planner, struct zsql_expr *expr, bool *is_done);

/* An expression with its columns under their sources' names, which must have some. */
ZS_CHECKED int zsql_plan_write_qualified(
    struct zsql_planner *planner, struct zsql_expr *expr, const char **text);

/* The operators of a whole SELECT. plan gets what is known of its rows. */
ZS_CHECKED int zsql_plan_select(struct zsql_planner *planner, struct zsql_select *select,
    struct zsql_plan *plan, struct zsql_operator **result);

/* Is a subquery in the results or in HAVING read for each group? */
bool zsql_plan_has_subquery_over_groups(struct zsql_planner *planner);

/* Walks the subqueries of an expression over groups: visit sees each column of the core that is
** named in one. */
ZS_CHECKED int zsql_plan_walk_outer_columns(
    struct zsql_planner *planner, struct zsql_expr *expr, zsql_visit_fn *visit, void *ctx);

/* Makes the core one over its groups, which an operator has made: subqueries in the results and
** in HAVING are read for each group. *occurrences begins with the groups. */
ZS_CHECKED int zsql_plan_over_groups(
    struct zsql_planner *planner, struct zsql_operator *groups, struct zsql_list *occurrences);

/* Fills the map before the groups, keys and bare columns first, and the groups; their columns
** are made here. */
ZS_CHECKED int zsql_plan_arguments(struct zsql_planner *planner, struct zsql_operator *map);
ZS_CHECKED int zsql_plan_folds(struct zsql_planner *planner, const struct zsql_operator *map,
    struct zsql_operator *groups);

/* ORDER BY and LIMIT of a bound SELECT. What ORDER BY computes that is no result becomes one, a
** hidden one; then, over the operator that makes the results, the order is the plan's, and
** LIMIT makes a ZSQL_TOP, also the one that nobody has written. */
bool zsql_plan_is_cut(const struct zsql_select *select);
ZS_CHECKED int zsql_plan_hide_terms(struct zsql_arena *arena, struct zsql_select *select);
ZS_CHECKED int zsql_plan_order(struct zsql_planner *planner, const struct zsql_select *select,
    struct zsql_operator *result, struct zsql_plan *plan);

/* A ZSQL_TOP over any operator; order is copied. Of rows that are equal in its terms those come
** first that are less in the first n_columns columns, so that it is certain which they are. */
ZS_CHECKED int zsql_plan_top(struct zsql_planner *planner, struct zsql_operator *input,
    const struct zsql_order *order, size_t n_order, size_t n_columns, int64_t limit,
    int64_t offset, struct zsql_operator **top);

/* The collation that column i of the first `end` cores of a compound compares by, put into
** column. */
ZS_CHECKED int zsql_plan_compound_collation(struct zsql_planner *planner,
    const struct zsql_select *select, size_t end, size_t i, struct zsql_output_column *column);

/* The sum of operators with the same columns. */
ZS_CHECKED int zsql_plan_add_plus(struct zsql_planner *planner, const struct zsql_list *inputs,
    size_t n_columns, struct zsql_operator **plus);

/* Compounds: a is what the cores before number end - 1 make, b what that one makes. */
ZS_CHECKED int zsql_plan_put_together(struct zsql_planner *planner,
    const struct zsql_select *select, size_t end, struct zsql_operator *a,
    struct zsql_operator *b, struct zsql_operator **result);

/* Is there such a column? See zsql_traits_makes_reals. */
bool zsql_plan_makes_reals(const struct zsql_select *select);

/* Puts behind what an operator made of a SELECT that FROM reads, where it is needed, one that
** gives the reals that SQLite would read there for integers. */
ZS_CHECKED int zsql_plan_make_reals(struct zsql_planner *planner,
    const struct zsql_select *select, struct zsql_operator **made);

/* The view has a row a group of these groups, which the last operator shows; or a row of a table,
** which has a key where it shows its INTEGER PRIMARY KEY. */
ZS_CHECKED int zsql_plan_key_by_groups(struct zsql_planner *planner, struct zsql_plan *plan,
    const struct zsql_operator *groups, const struct zsql_operator *last);
ZS_CHECKED int zsql_plan_key_by_row(
    struct zsql_planner *planner, struct zsql_plan *plan, const struct zsql_operator *rows);

/* The view's rows, which this operator gives, are distinct by its first n columns, which are
** its key. */
ZS_CHECKED int zsql_plan_key_by_all(struct zsql_planner *planner,
    const struct zsql_operator *rows, size_t n, struct zsql_plan *plan);

/* The collation that an expression compares with, where core has one of that name; refused
** where it has not. */
bool zsql_plan_knows_collation(struct zsql_expr *expr, enum zs_collation *collation);
ZS_CHECKED int zsql_plan_collation(const struct zsql_planner *planner, struct zsql_expr *expr,
    const char *where, enum zs_collation *collation);

/* An expression's column, by its traits. */
struct zsql_output_column zsql_plan_describe(struct zsql_expr *expr, const char *name);

#endif
