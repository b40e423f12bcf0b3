/* Binding: what bind.c (names and expressions) and bind_from.c (sources) share. */
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

/* The sources of the core, its subqueries in FROM bound, and what joins them. */
ZS_CHECKED int zsql_bind_from(struct zsql_binder *binder);

/* The index of a source's column of that name, hidden ones too, or -1. */
int zsql_bind_find(const struct zsql_source *source, const char *name);

#endif
