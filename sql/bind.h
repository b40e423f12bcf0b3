/* The bound tree: what the names of a SELECT stand for.
**
** The nodes of the syntax tree get their bound parts, and the SELECT's own names are laid out
** here: its sources, its result columns with `*` expanded, and its groups. */
#ifndef ZSQL_BIND_H
#define ZSQL_BIND_H

#include "sql/ast.h"
#include "sql/catalogue.h"
#include "sql/message.h"

/* A member of FROM. */
struct zsql_source {
    struct zsql_relation relation;
    const char *name; /* the alias, else the table's name */
};

/* A result column. */
struct zsql_output {
    struct zsql_expr *expr;
    const char *name;  /* what the column is called */
    const char *alias; /* the name after AS, or NULL */
};

struct zsql_bound {
    const struct zsql_core *core;
    struct zsql_list sources;  /* of struct zsql_source */
    struct zsql_list outputs;  /* of struct zsql_output */
    struct zsql_list group_by; /* of struct zsql_expr */
    bool is_aggregate;         /* it has GROUP BY, HAVING or an aggregate call */
};

/* Binds the first core of a SELECT whose FROM members are tables (zsql_refuse_shape sees to
** that), and its ORDER BY. Names resolve as in SQLite: a column wins over the alias of a result
** column, but for a whole term of ORDER BY; integers that are a whole term of GROUP BY or
** ORDER BY are positions; "..." that names nothing is a string. Does not go into subqueries.
** ZS_REFUSED for a name that is nothing. */
ZS_CHECKED int zsql_bind(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, struct zsql_select *select, struct zsql_message *message,
    struct zsql_bound **bound);

/* The expression that another stands for: of an alias or a position its result column's. */
struct zsql_expr *zsql_bound_target(struct zsql_expr *expr);

/* The same expression: equal operators, functions, columns and literals, however spelled. */
bool zsql_bound_equal(struct zsql_expr *a, struct zsql_expr *b);

/* The declared column that a ZSQL_COLUMN node names, or NULL for a rowid that is no column. */
const struct zsql_column *zsql_bound_column(
    const struct zsql_bound *bound, const struct zsql_expr *expr);

/* Does a ZSQL_COLUMN node name the rowid, by any name? */
bool zsql_bound_is_rowid(const struct zsql_bound *bound, const struct zsql_expr *expr);

#endif
