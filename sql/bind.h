/* The bound tree: what the names of a SELECT stand for.
**
** The nodes of the syntax tree get their bound parts, and the names of each core of each
** SELECT, however deep, are laid out in its zsql_bound: its sources, its result columns with
** `*` expanded, and its groups. */
#ifndef ZSQL_BIND_H
#define ZSQL_BIND_H

#include "sql/ast.h"
#include "sql/catalogue.h"
#include "sql/message.h"

/* A table, a table-valued function or a subquery in FROM, within parentheses too. */
struct zsql_source {
    struct zsql_relation relation; /* of a subquery: its result columns */
    const char *name;              /* the alias, else the table's name; NULL for none */
    const char *join_name;         /* of the join in parentheses that it is within, or NULL */
    const struct zsql_from *from;
    size_t item;             /* index of the member of FROM that it is, or is within */
    struct zsql_list merged; /* of const char: columns that USING or NATURAL take from a source
                                before; `*` leaves them out */
    bool is_nullable;        /* an outer join may put NULLs in its place */
    bool *is_used;           /* which columns are named, the rowid that is none last */
};

/* A result column. */
struct zsql_output {
    struct zsql_expr *expr;
    const char *name;         /* what the column is called, as one of a subquery or a view */
    const char *alias;        /* the name after AS, or NULL */
    bool is_called_at_random; /* SQLite's name has another number in it each time */
};

/* Where a SELECT stands: in an expression or as a member of FROM of the core around it. */
struct zsql_place {
    struct zsql_core *around; /* NULL: nowhere, it is the whole */
    struct zsql_expr *expr;
    const struct zsql_from *from;
};

struct zsql_bound {
    struct zsql_core *core;
    struct zsql_select *select;
    struct zsql_place place;
    struct zsql_bound *parent; /* the core whose names may be used here too, or NULL */
    struct zsql_list sources;  /* of struct zsql_source */
    struct zsql_list outputs;  /* of struct zsql_output; none of VALUES */
    size_t n_hidden; /* the last of them, which ORDER BY alone reads: see plan_order.c */
    struct zsql_list group_by; /* of struct zsql_expr */
    bool is_aggregate;         /* it has GROUP BY, HAVING or an aggregate call */
    bool has_right_join;       /* RIGHT or FULL, within parentheses too */
    bool is_correlated;        /* it, or what is in it, names columns of cores around it */
};

/* Binds a SELECT, its cores and subqueries. Names resolve as in SQLite: from the inside out, a
** column wins over the alias of a result column, but for a whole term of ORDER BY; integers
** that are a whole term of GROUP BY or ORDER BY are positions; "..." that names nothing is a
** string. ZS_REFUSED for a name that is nothing. */
ZS_CHECKED int zsql_bind(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_select *select, struct zsql_message *message);

/* The expression that another stands for: of an alias or a position its result column's. */
struct zsql_expr *zsql_bound_target(struct zsql_expr *expr);

/* The same expression: equal operators, functions, columns and literals, however spelled. */
bool zsql_bound_equal(struct zsql_expr *a, struct zsql_expr *b);

/* The source that a table, function or subquery in FROM is, or NULL. */
const struct zsql_source *zsql_bound_source_of(
    const struct zsql_bound *bound, const struct zsql_from *from);

/* Does a source merge a column of that name, by USING or NATURAL, with those before it? */
bool zsql_bound_merges(const struct zsql_source *source, const char *name);

/* Has the source a name, and no other source the same? */
bool zsql_bound_is_named_once(const struct zsql_bound *bound, const struct zsql_source *source);

/* A ZSQL_COLUMN node of a source's column that no text names, as `*` stands for; in the arena,
** NULL without memory. */
struct zsql_expr *zsql_bound_new_column(
    struct zsql_arena *arena, struct zsql_bound *bound, size_t source, size_t column);

/* The source that a ZSQL_COLUMN node names. */
const struct zsql_source *zsql_bound_source(const struct zsql_expr *expr);

/* The declared column that a ZSQL_COLUMN node names, or NULL for a rowid that is no column. */
const struct zsql_column *zsql_bound_column(const struct zsql_expr *expr);

/* Does a ZSQL_COLUMN node name the rowid, by any name? */
bool zsql_bound_is_rowid(const struct zsql_expr *expr);

/* Sets *found where a compound, read as a subquery or a value, has a column of a numeric affinity
** that may hold text such as '05': no table's column of that affinity does, but as a number it is
** equal to 5. */
ZS_CHECKED int zsql_find_digits(struct zsql_select *select, bool *found);

#endif
