/* The syntax tree of a SELECT, laid out for all of SELECT as SQLite has it
** (https://www.sqlite.org/lang_select.html, https://www.sqlite.org/lang_expr.html).
**
** Every node lives in an arena, and its strings too. Parentheses make no node: they widen the
** span of what they hold. The binder writes what it finds out into the nodes' bound parts. */
#ifndef ZSQL_AST_H
#define ZSQL_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "sql/arena.h"
#include "sql/catalogue.h"

/* No expression and no SELECT is nested deeper than this (SQLite's own default limit). */
#define ZSQL_MAX_DEPTH 1000u

struct zsql_bound;

/* Bytes of the text: from start up to, not including, end. */
struct zsql_span {
    uint32_t start, end;
};

/* A name with its quotes undone; text is NULL where there is none. */
struct zsql_name {
    const char *text;
    struct zsql_span span;
    char quote; /* one of " ' ` [ or 0 */
};

enum zsql_expr_kind {
    ZSQL_NULL_LITERAL,
    ZSQL_NUMBER,  /* integer, hexadecimal or floating point */
    ZSQL_INTEGER, /* ... without a point or an exponent */
    ZSQL_STRING,
    ZSQL_BLOB,
    ZSQL_CURRENT, /* CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP */
    ZSQL_PARAMETER,
    ZSQL_NAME,      /* [[schema.]table.]name */
    ZSQL_UNARY,     /* operand */
    ZSQL_BINARY,    /* left, right */
    ZSQL_LIKE,      /* value, pattern [, escape]: LIKE, GLOB, REGEXP, MATCH */
    ZSQL_BETWEEN,   /* value, low, high */
    ZSQL_IN_LIST,   /* value, items... */
    ZSQL_IN_SELECT, /* value; select */
    ZSQL_IN_TABLE,  /* value, arguments...; name and qualifier */
    ZSQL_EXISTS,    /* select */
    ZSQL_SUBQUERY,  /* select, as a value or a row value */
    ZSQL_ROW,       /* two or more values in parentheses */
    ZSQL_CASE,      /* [base,] condition, value, ... [, else] */
    ZSQL_CAST,      /* operand; name is the type */
    ZSQL_COLLATE,   /* operand; name */
    ZSQL_RAISE,     /* [message] */
    ZSQL_CALL,      /* arguments...; name, call */
};

enum zsql_op {
    ZSQL_OP_NONE,
    /* unary */
    ZSQL_OP_NOT,
    ZSQL_OP_MINUS,
    ZSQL_OP_PLUS,
    ZSQL_OP_COMPLEMENT,
    ZSQL_OP_ISNULL, /* is_negated: NOTNULL */
    /* binary */
    ZSQL_OP_OR,
    ZSQL_OP_AND,
    ZSQL_OP_EQUAL, /* is_negated: <> */
    ZSQL_OP_IS,    /* is_negated: IS NOT */
    ZSQL_OP_LESS,
    ZSQL_OP_LESS_EQUAL,
    ZSQL_OP_GREATER,
    ZSQL_OP_GREATER_EQUAL,
    ZSQL_OP_BIT_AND,
    ZSQL_OP_BIT_OR,
    ZSQL_OP_SHIFT_LEFT,
    ZSQL_OP_SHIFT_RIGHT,
    ZSQL_OP_ADD,
    ZSQL_OP_SUBTRACT,
    ZSQL_OP_MULTIPLY,
    ZSQL_OP_DIVIDE,
    ZSQL_OP_REMAINDER,
    ZSQL_OP_CONCAT,
    ZSQL_OP_ARROW,        /* -> */
    ZSQL_OP_DOUBLE_ARROW, /* ->> */
};

/* What the binder found a name to be. */
enum zsql_binding {
    ZSQL_UNBOUND,
    ZSQL_COLUMN,  /* column of the source number source; -1 is the rowid */
    ZSQL_OUTPUT,  /* a result column, by its alias or its position: stands for target */
    ZSQL_TEXT,    /* "..." that names nothing: a string */
    ZSQL_BOOLEAN, /* TRUE or FALSE */
};

struct zsql_expr {
    enum zsql_expr_kind kind;
    enum zsql_op op;
    struct zsql_span span;   /* with the parentheses around it; empty where `*` stood for it */
    bool is_negated;         /* NOT LIKE, NOT BETWEEN, NOT IN, <>, IS NOT, NOTNULL */
    bool has_base, has_else; /* CASE */
    bool has_collate;        /* a COLLATE operator here or in an operand */
    unsigned depth;          /* of the tree from here: 1 for a leaf */
    struct zsql_list operands; /* of struct zsql_expr, in the order of the text */
    /* Of the column, function, table or collation; a literal's value, a type, LIKE's word. */
    struct zsql_name name;
    struct zsql_name table, schema;
    struct zsql_call *call;     /* ZSQL_CALL */
    struct zsql_select *select; /* IN (SELECT), EXISTS, scalar subquery */

    /* bound */
    enum zsql_binding binding;
    struct zsql_bound *scope; /* ZSQL_COLUMN: whose source it is of */
    unsigned source;
    int column;
    bool is_merged;  /* of several sources by USING or NATURAL, coalesced by an outer join */
    bool is_dropped; /* a term of WHERE that the planner sees to, true where it stands */
    struct zsql_expr *target; /* ZSQL_OUTPUT */
};

/* A term of ORDER BY. */
struct zsql_term {
    struct zsql_expr *expr;
    bool is_descending;
    enum { ZSQL_NULLS_DEFAULT, ZSQL_NULLS_FIRST, ZSQL_NULLS_LAST } nulls;
};

enum zsql_bound_kind {
    ZSQL_UNBOUNDED_PRECEDING,
    ZSQL_PRECEDING,
    ZSQL_CURRENT_ROW,
    ZSQL_FOLLOWING,
    ZSQL_UNBOUNDED_FOLLOWING,
};

struct zsql_frame_bound {
    enum zsql_bound_kind kind;
    struct zsql_expr *expr; /* PRECEDING, FOLLOWING */
};

struct zsql_window {
    struct zsql_name name;      /* its own (WINDOW w AS), or of OVER w */
    struct zsql_name base;      /* in its parentheses */
    bool is_reference;          /* OVER w: nothing but the name */
    struct zsql_list partition; /* of struct zsql_expr */
    struct zsql_list order;     /* of struct zsql_term */
    bool has_frame;
    enum { ZSQL_RANGE, ZSQL_ROWS, ZSQL_GROUPS } unit;
    struct zsql_frame_bound from, to;
    enum {
        ZSQL_EXCLUDE_NO_OTHERS,
        ZSQL_EXCLUDE_CURRENT_ROW,
        ZSQL_EXCLUDE_GROUP,
        ZSQL_EXCLUDE_TIES
    } exclude;
};

/* What a function call has beside its arguments. */
struct zsql_call {
    bool is_star; /* f(*) */
    bool is_distinct;
    struct zsql_list order;     /* of struct zsql_term: ORDER BY within, or WITHIN GROUP */
    struct zsql_expr *filter;   /* FILTER (WHERE ...), or NULL */
    struct zsql_window *window; /* OVER, or NULL */

    /* bound */
    bool is_aggregate;              /* and not a window function */
    const struct zsql_bound *place; /* of an aggregate: the core that it stands in */
    struct zsql_function function;
};

enum zsql_result_kind { ZSQL_RESULT, ZSQL_STAR, ZSQL_TABLE_STAR };

struct zsql_result {
    enum zsql_result_kind kind;
    struct zsql_expr *expr;
    struct zsql_name alias; /* AS alias */
    struct zsql_name table; /* of table.* */
    struct zsql_span span;  /* of `*`, table.* */

    /* bound */
    size_t n_outputs; /* the result columns that it stands for */
};

enum zsql_join_flag {
    ZSQL_JOIN_COMMA = 1,
    ZSQL_JOIN_CROSS = 2,
    ZSQL_JOIN_INNER = 4,
    ZSQL_JOIN_LEFT = 8,
    ZSQL_JOIN_RIGHT = 16, /* FULL is LEFT and RIGHT */
    ZSQL_JOIN_NATURAL = 32,
    ZSQL_JOIN_OUTER = 64,
};

enum zsql_from_kind {
    ZSQL_FROM_TABLE,
    ZSQL_FROM_FUNCTION, /* table-valued: arguments */
    ZSQL_FROM_SELECT,
    ZSQL_FROM_JOIN, /* parenthesised: items */
    ZSQL_FROM_MADE, /* what an operator makes: put by the planner in place of a SELECT */
};

struct zsql_operator;

/* A member of FROM, and how it is joined to those on its left. */
struct zsql_from {
    enum zsql_from_kind kind;
    struct zsql_span span;  /* the name, the SELECT or the members */
    struct zsql_span whole; /* with alias, INDEXED BY and ON or USING */
    unsigned join;          /* zsql_join_flags; 0 for the first */
    struct zsql_span join_span;
    struct zsql_name name, schema, alias;
    struct zsql_list arguments; /* of struct zsql_expr */
    struct zsql_select *select;
    struct zsql_list items; /* of struct zsql_from */
    struct zsql_operator *made;
    const struct zsql_select *made_of; /* the SELECT in whose place it is; NULL: of groups */
    bool is_made_alone; /* it stands for a whole FROM, of the columns c0, c1, ... */
    const char *made_before, *made_after; /* around it, the SELECT; NULL: of all its columns */
    const char *made_type; /* with made_before: what its value is cast to, "" for nothing */
    struct zsql_name indexed_by;
    bool is_not_indexed;
    bool is_inner; /* a left join in the text: see strengthen.h */
    struct zsql_expr *on;
    struct zsql_list using; /* of struct zsql_name */
    unsigned depth;
};

enum zsql_compound {
    ZSQL_COMPOUND_FIRST,
    ZSQL_COMPOUND_UNION,
    ZSQL_COMPOUND_UNION_ALL,
    ZSQL_COMPOUND_EXCEPT,
    ZSQL_COMPOUND_INTERSECT,
};

/* One SELECT or VALUES of a compound. */
struct zsql_core {
    uint32_t start;
    enum zsql_compound compound; /* how it joins those before it */
    bool is_values;
    bool is_distinct;
    struct zsql_list rows;     /* of VALUES: of struct zsql_expr, each a ZSQL_ROW */
    struct zsql_list results;  /* of struct zsql_result */
    struct zsql_list from;     /* of struct zsql_from */
    struct zsql_expr *where;   /* or NULL */
    struct zsql_list group_by; /* of struct zsql_expr */
    struct zsql_expr *having;  /* or NULL */
    struct zsql_list windows;  /* of struct zsql_window */

    struct zsql_bound *bound; /* see bind.h */
};

/* A common table expression. */
struct zsql_cte {
    struct zsql_name name;
    struct zsql_list columns; /* of struct zsql_name */
    enum { ZSQL_ANY_WAY, ZSQL_MATERIALIZED, ZSQL_NOT_MATERIALIZED } hint;
    struct zsql_select *select;
    struct zsql_span body; /* of the SELECT */
    uint32_t end;          /* behind the closing parenthesis */
};

/* How SQLite reads a column of a compound that is a subquery in FROM. */
struct zsql_compound_column {
    const char *type; /* a type name giving the affinity, "" for none */
    bool has_affinity;
    bool makes_reals; /* of integers; not where there can be none */
};

struct zsql_select {
    struct zsql_span span; /* without a WITH */
    bool is_recursive;
    uint32_t with_start;    /* of WITH */
    struct zsql_list ctes;  /* of struct zsql_cte */
    struct zsql_list cores; /* of struct zsql_core, at least one */
    struct zsql_list order; /* of struct zsql_term */
    uint32_t order_end;     /* where the token behind ORDER BY begins */
    struct zsql_expr *limit, *offset;
    bool is_first; /* of its rows the first is made: LIMIT 1, which nobody has written */
    unsigned depth;

    /* bound, of a compound */
    const struct zsql_compound_column *columns;
    size_t n_columns;
};

/* LEFT JOIN ... ON 0: it gives no row but NULLs. */
bool zsql_from_is_never(const struct zsql_from *from);

/* Is it joined by USING, with a column of that name in the list? */
bool zsql_from_is_using(const struct zsql_from *from, const char *name);

/* Where a member of FROM ends, with its alias and without what it is joined on. */
uint32_t zsql_from_end(const struct zsql_from *from);

/* Where the last result column of a core that is no VALUES ends, with its alias. */
uint32_t zsql_results_end(const struct zsql_core *core);

/* Appends the terms of a condition (NULL for none) that are joined by AND. */
ZS_CHECKED int zsql_expr_terms(
    struct zsql_arena *arena, struct zsql_expr *expr, struct zsql_list *terms);

/* A literal, perhaps a negative one, as far as that is known: names must have been bound. */
bool zsql_expr_is_literal(const struct zsql_expr *expr);

/* Reads a whole text, which may end in semicolons. The tree lives in the arena. ZS_SYNTAX:
** *error_at is where the token is that the grammar did not expect. ZS_TOO_DEEP: nested past
** ZSQL_MAX_DEPTH, or past what the parser's own stack holds. */
ZS_CHECKED int zsql_select_parse(struct zsql_arena *arena, const char *text,
    struct zsql_select **select, uint32_t *error_at);

/* Walks. A visitor is called on each expression before its operands; it may say "do not go
** down" by setting *descend false. A status other than ZS_OK stops the walk and is returned. */
typedef int zsql_visit_fn(void *ctx, struct zsql_expr *expr, bool *descend);

/* Over an expression, its FILTER included; not into SELECTs, windows and ORDER BY within. */
ZS_CHECKED int zsql_expr_walk(struct zsql_expr *expr, zsql_visit_fn *visit, void *ctx);

/* Over every expression of a SELECT, or of a core, at any depth. */
ZS_CHECKED int zsql_select_walk(struct zsql_select *select, zsql_visit_fn *visit, void *ctx);
ZS_CHECKED int zsql_core_walk(struct zsql_core *core, zsql_visit_fn *visit, void *ctx);

/* Over every member of FROM of a SELECT, or of a core, at any depth: of its subqueries in FROM
** and in expressions, and within parentheses. */
typedef int zsql_visit_from_fn(void *ctx, struct zsql_core *core, struct zsql_from *from);
ZS_CHECKED int zsql_select_walk_from(
    struct zsql_select *select, zsql_visit_from_fn *visit, void *ctx);
ZS_CHECKED int zsql_core_walk_from(
    struct zsql_core *core, zsql_visit_from_fn *visit, void *ctx);
ZS_CHECKED int zsql_expr_walk_from(
    struct zsql_expr *expr, zsql_visit_from_fn *visit, void *ctx); /* of its subqueries */
ZS_CHECKED int zsql_member_walk_from(struct zsql_core *core, struct zsql_from *member,
    zsql_visit_from_fn *visit, void *ctx); /* the member of core's FROM too */

#endif
