/* Binding: what bind.c (expressions and SELECTs), bind_names.c (names), bind_from.c (sources),
** bind_star.c (`*`) and bind_called.c (what columns are called) share. */
#ifndef ZSQL_BINDER_H
#define ZSQL_BINDER_H

#include "sql/bind.h"

struct zsql_binder {
    struct zsql_arena *arena;
    const struct zsql_catalogue *catalogue;
    const char *text;
    struct zsql_message *message;
    struct zsql_bound *bound; /* of the core that is being bound */
    bool sees_aliases;
};

/* Binds a SELECT that stands there, whose names may also be those of parent. */
ZS_CHECKED int zsql_bind_select(struct zsql_binder *binder, struct zsql_select *select,
    struct zsql_place place, struct zsql_bound *parent);

ZS_CHECKED int zsql_bind_expr(struct zsql_binder *binder, struct zsql_expr *expr);

/* What a name means in the core that is being bound: ZS_REFUSED where it is nothing. */
ZS_CHECKED int zsql_bind_resolve(struct zsql_binder *binder, struct zsql_expr *expr);

/* Is it the alias of a result column? Then it is bound to that. */
bool zsql_bind_alias(const struct zsql_bound *scope, struct zsql_expr *expr);

/* The sources of the core, its subqueries in FROM bound, and what joins them. */
ZS_CHECKED int zsql_bind_from(struct zsql_binder *binder);

/* The index of a source's column of that name, hidden ones too, or -1. */
int zsql_bind_find(const struct zsql_source *source, const char *name);

/* Has one of the sources from first to before end a column of that name that is not hidden? */
bool zsql_bind_has_column(
    const struct zsql_bound *bound, size_t first, size_t end, const char *name);

/* Is it the source's name, or that of the join in parentheses around it? */
bool zsql_bind_has_name(const struct zsql_source *source, const char *name);

void zsql_bind_column(
    struct zsql_expr *expr, struct zsql_bound *scope, size_t source, int column);

/* A column of that name further on is the same one, by USING or NATURAL: of the two, a right or
** full join shows the one that is not NULL. */
bool zsql_bind_is_coalesced(
    const struct zsql_bound *scope, size_t source, const struct zsql_expr *expr);

/* Appends a result column; and those that `*` or table.* stands for. */
ZS_CHECKED int zsql_bind_output(
    struct zsql_binder *binder, struct zsql_expr *expr, const char *name, const char *alias);
ZS_CHECKED int zsql_bind_star(struct zsql_binder *binder, const struct zsql_result *result);

/* What a result column without an alias is called. */
ZS_CHECKED int zsql_bind_name(
    struct zsql_binder *binder, const struct zsql_expr *expr, const char **name);

/* The columns of a bound compound. */
ZS_CHECKED int zsql_bind_compound(struct zsql_binder *binder, struct zsql_select *select);

/* Tells the names of the core's result columns apart. */
ZS_CHECKED int zsql_bind_tell_apart(struct zsql_binder *binder);

/* ZS_REFUSED where a column is used that SQLite calls at random. */
ZS_CHECKED int zsql_bind_check_names(struct zsql_binder *binder);

#endif
