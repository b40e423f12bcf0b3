/* The plan: how a SELECT is kept up to date, as operators over Z-sets.
**
** Scalar expressions stay SQL text, which SQLite evaluates. In an operator's expressions the
** columns of its input are named c0, c1, ...; nothing else in them names a column, so that they
** can be run over any FROM item whose columns are declared with those types and collations. The
** text is the user's own, with column references and aggregate calls replaced.
**
** A column without a type may stand for an expression without affinity, or without collation,
** which no declaration can say. The texts that read it compare it accordingly, as in ifnull(c1,
** NULL) or (+c1). Where a column has a type, not all of its values need to be what the type's
** affinity makes of them: CAST(5.0 AS NUMERIC) is 5.0.
**
** Everything lives in the plan's arena and is freed with it. */
#ifndef ZSQL_PLAN_H
#define ZSQL_PLAN_H

#include "core/fold.h"
#include "core/row.h"
#include "sql/catalogue.h"

enum zsql_operator_kind {
    ZSQL_SOURCE,       /* the rows of a table: no input */
    ZSQL_JOIN,         /* FROM and WHERE over several tables, and expressions: no input */
    ZSQL_MAP,          /* expressions and a filter, evaluated by SQLite */
    ZSQL_AGGREGATE_BY, /* group by the first n_keys columns of the input, fold the rest */
    ZSQL_PLUS,         /* the sum of its inputs: UNION ALL */
    ZSQL_TOP,          /* of its input, in an order, the rows from offset on up to a limit */
    /* to come: ZSQL_FIX */
};

/* A base table that the view reads, and which of its columns (-1: the rowid): what is
** logged. */
struct zsql_table {
    const char *schema; /* NULL where the text does not say */
    const char *name;
    const int *columns; /* ascending */
    size_t n_columns;
    bool keeps_order; /* nowhere does < or the like compare what is no number with a column of
                         numbers, and so as a number */
};

/* What an occurrence in a join reads: a base table, or all that another operator, before the
** join in the plan, has made up to now. */
struct zsql_read {
    struct zsql_operator *made; /* NULL: a table */
    size_t table;               /* its index in plan->tables */
};

/* How a table stands in a statement of a join. A step brings the tables from past to now; d is
** what changed: now = past + d. All have the table's own column names, types, collations and
** rowid, for the columns in zsql_table, and the hidden column lockstep_weight, which is 1 (a
** table as it is now has no such column); ZSQL_BATCH also lockstep_sign, 1 or -1. What an
** operator made stands likewise, with columns c0, c1, ... typed as the operator's, and no
** rowid; lockstep_weight is there in every form. */
enum zsql_form {
    ZSQL_AS_SET,   /* as the difference says: see zsql_difference */
    ZSQL_NOW,      /* the table itself */
    ZSQL_PAST,     /* now - d */
    ZSQL_PLUS_OF,  /* the rows of d with a positive weight, each so many times */
    ZSQL_MINUS_OF, /* those with a negative weight, likewise */
    ZSQL_BATCH,    /* both */
    ZSQL_EMPTY,    /* no rows */
};

/* A statement's text in pieces: each is text and then, where occurrence >= 0, the name of a
** relation: that occurrence of a table in the given form. The statement gives the operator's
** columns. */
struct zsql_piece {
    const char *text;
    int occurrence;
    enum zsql_form form;
};

struct zsql_template {
    const struct zsql_piece *pieces;
    size_t n_pieces;
};

/* What a difference looks at, where an index serves each equality. */
enum zsql_cost {
    ZSQL_PER_CHANGE, /* the rows that the changed ones are joined with */
    ZSQL_PER_KEY,    /* all rows that have keys which changed ones have, or had */
    ZSQL_PER_VIEW,   /* all rows of the join */
};

/* The change of a join due to one occurrence of a table: the rows of the text with weight sign,
** where, for ZSQL_AS_SET, that occurrence stands as form says, those before it as ZSQL_PAST and
** those behind it as ZSQL_NOW. Summed over all occurrences whose table has changed it is the
** change of the join. */
struct zsql_difference {
    size_t occurrence;
    int sign;
    enum zsql_form form;
    enum zsql_cost cost;
    struct zsql_template text;
};

/* Columns of an occurrence by which the text finds its rows: an index on them, with those
** collations, would serve. The first n_equal are looked up by equality, one behind them by a
** range. */
struct zsql_lookup {
    size_t occurrence;
    const int *columns;
    const char *const *collations;
    size_t n_columns;
    size_t n_equal;
};

/* A column of an operator's output, as SQLite would treat the expression that it stands for. */
struct zsql_output_column {
    const char *name;            /* for people */
    const char *type;            /* a type name giving the affinity; "" for none */
    enum zs_collation collation; /* for comparisons */
    const char *collation_name;  /* the same as a name; of a map's column it may be one that
                                    only SQLite knows, and collation is then ZS_BINARY */
    const char *kept_type;       /* giving an affinity that leaves all values as they are */
};

/* Is a value the only right one? */
enum zsql_certainty {
    ZSQL_CERTAIN,
    ZSQL_ANY_ORDER, /* a list whose members may come in another order */
    ZSQL_ANY_VALUE, /* another row of the group may give another */
};

/* A term of an order, by a column. */
struct zsql_order {
    size_t column;
    enum zs_collation collation;
    const char *collation_name; /* the same as a name */
    bool is_descending;
    bool has_nulls_last;
};

struct zsql_operator {
    enum zsql_operator_kind kind;
    struct zsql_operator *input;   /* NULL for a source; before it in plan->operators */
    struct zsql_operator **inputs; /* of ZSQL_PLUS */
    size_t n_inputs;
    struct zsql_output_column *columns;
    size_t n_columns; /* 0 before a count(*) of everything */

    /* Joins read what it has made, so its integral is kept; most look it up by the first
    ** n_arranged of the columns in arranged, compared by their collations. */
    bool is_read;
    const int *arranged;
    size_t n_arranged;

    /* ZSQL_SOURCE: the relation, and which of its columns are read (-1: the rowid). */
    const char *schema; /* NULL where the text does not say */
    const char *table;
    const int *source_columns;

    /* ZSQL_JOIN: what each occurrence reads; the text that gives all rows, every occurrence
    ** standing for what it reads as it is now; and the changes. */
    const struct zsql_read *reads;
    size_t n_reads;
    struct zsql_template text;
    const struct zsql_difference *differences;
    size_t n_differences;
    const struct zsql_lookup *lookups;
    size_t n_lookups;

    /* ZSQL_MAP: one text a column, and the condition, NULL for none. */
    const char **expressions;
    const char *condition;

    /* ZSQL_AGGREGATE_BY: output is the n_keys keys, then n_bare columns that are not grouped
    ** by, all from one row of the group, which choice is about as fold.h says; then a column a
    ** spec. The input has the keys, the bare columns and the arguments. Keys compare by their
    ** columns' collations. */
    size_t n_keys;
    size_t n_bare;
    enum zs_choice choice;
    unsigned choice_argument;
    enum zs_collation choice_collation;
    const struct zs_fold_spec *specs;
    const char **refolds; /* one a spec; of a ZS_REFOLD the aggregate call, over a table whose
                             columns c0, c1, ... are its arguments */
    const char **refold_orders; /* and the terms of ORDER BY by which its rows come; "": any */
    size_t n_specs;
    bool is_global; /* no GROUP BY: one row even over nothing */

    /* ZSQL_TOP: its columns are its input's. Rows that are equal in all terms come in the order
    ** of their identity encodings. */
    const struct zsql_order *order;
    size_t n_order;
    int64_t limit;  /* -1: none */
    int64_t offset; /* not negative */
};

struct zsql_arena;

struct zsql_plan {
    struct zsql_operator **operators; /* in a topological order; the last is the root */
    size_t n_operators;
    const struct zsql_table *tables; /* each once; of a plan with ZSQL_SOURCE, its one */
    size_t n_tables;
    /* The root's columns are the view's, then n_hidden that the order alone reads. order is
    ** that of the view's rows, by the root's columns. */
    size_t n_hidden;
    const struct zsql_order *order;
    size_t n_order;
    /* Where the view has at most one row a group, or a row of its one table, whose rowid it
    ** shows, is_keyed is true and key_columns[i] is the view's column that shows key i, or -1.
    ** The keys compare by key_collations, which may not be the view's columns'. */
    bool is_keyed;
    bool is_keyed_by_row;
    const int *key_columns;
    const enum zs_collation *key_collations;
    size_t n_keys;
    bool may_repeat; /* equal rows can occur more than once */
    /* Of each of the root's columns, NULL where all are certain; and whether other rows would
    ** be right as well, since such values decide which there are. */
    const enum zsql_certainty *certainty;
    bool may_have_other_rows;
    /* What a change takes back, computed once more, may not be what was stored, but as right:
    ** see zsql_find_other_values. */
    bool may_show_others;
    /* The user's text with sum, avg and total read as exact_sum, exact_avg and exact_total. */
    const char *exact_text;
    const char
        *exact_body; /* what in it stands behind a WITH: all of it, where there is none */
    /* Were it read as a subquery, would it give reals for integers? See sql/traits.h. */
    bool makes_reals;
    bool has_digits;          /* see zsql_find_digits */
    struct zsql_arena *arena; /* holds all of it, the plan too */
};

/* Reads a SELECT that SQLite has already accepted. On ZS_SYNTAX and ZS_REFUSED *message says in
** one clause what (such as "VALUES is not maintained: an ordinary view will do");
** it is allocated, the caller frees it with zs_alloc_free. ZS_OK: *plan is the caller's. */
ZS_CHECKED int zsql_plan_new(const struct zs_alloc *alloc, const char *text,
    const struct zsql_catalogue *catalogue, struct zsql_plan **plan, char **message);
void zsql_plan_free(struct zsql_plan *plan); /* accepts NULL */

#endif
