/* What the binder must know of a database, asked through functions that its owner supplies. */
#ifndef ZSQL_CATALOGUE_H
#define ZSQL_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* A table's column. Strings are borrowed and live as long as the plan. */
struct zsql_column {
    const char *name;
    const char *type;      /* as declared; "" for none, and for ANY of a STRICT table */
    const char *collation; /* its name; "BINARY" by default */
    const char *kept_type; /* of a subquery's: see struct zsql_traits; NULL: as type */
    bool is_hidden;        /* not part of `*` */
    bool is_not_null;      /* by its declaration */
};

enum zsql_relation_kind {
    ZSQL_TABLE,
    ZSQL_VIEW,
    ZSQL_VIRTUAL,
    ZSQL_SUBQUERY_RELATION, /* made by the binder */
};

struct zsql_relation {
    enum zsql_relation_kind kind;
    const char *schema;
    const char *name;
    bool has_rowid;   /* rowid, _rowid_ and oid name something, where no column hides them */
    int rowid_column; /* the column that is an alias of the rowid, or -1 */
    const struct zsql_column *columns;
    size_t n_columns;
    const char *select; /* of a view, and of a maintained view: its SELECT, which reads in its
                           own schema; else NULL */
    bool has_names; /* the view's columns have names of their own: CREATE VIEW v(a, b), and a
                           maintained view's those that it was created with */
};

enum zsql_function_kind { ZSQL_SCALAR, ZSQL_AGGREGATE, ZSQL_WINDOW_ONLY };

/* The function that a call with so many arguments would reach. Of the built-in min and max the
** binder knows by itself that one argument makes them aggregates. */
struct zsql_function {
    enum zsql_function_kind kind;
    bool is_builtin;
    bool is_deterministic; /* by its flag; says nothing for aggregates */
};

/* Each sets *found; a status other than ZS_OK is passed on. schema may be NULL: unqualified. */
struct zsql_catalogue {
    int (*relation)(void *ctx, const char *schema, const char *name,
        struct zsql_relation *relation, bool *found);
    /* A table-valued function. */
    int (*table_function)(
        void *ctx, const char *name, struct zsql_relation *relation, bool *found);
    int (*function)(void *ctx, const char *name, int n_arguments,
        struct zsql_function *function, bool *found);
    /* The integer that SQLite takes a constant expression for after LIMIT. */
    int (*limit)(void *ctx, const char *expression, int64_t *number, bool *is_number);
    /* The n integers in the one row of a SELECT that names no table. */
    int (*ask)(void *ctx, const char *select, int *answers, int n);
    void *ctx;
};

#endif
