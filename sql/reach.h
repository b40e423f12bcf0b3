/* What an expression reads, seen from a core: which of its sources, and what else. */
#ifndef ZSQL_REACH_H
#define ZSQL_REACH_H

#include "sql/bind.h"

struct zsql_reach {
    const struct zsql_bound *bound;
    uint64_t sources; /* of the core, a bit each */
    bool has_outer;   /* columns of cores around it */
    bool has_select;  /* or nothing is known */
};

struct zsql_reach zsql_reach_of(const struct zsql_bound *bound, struct zsql_expr *expr);

/* Only the core's own columns, and some. */
bool zsql_reach_is_own(const struct zsql_reach *reach);

/* Do all sources that are read stand in members of FROM from number first to before end? */
bool zsql_reach_is_within(const struct zsql_reach *reach, size_t first, size_t end);

const struct zsql_source *zsql_source_at(const struct zsql_bound *bound, size_t i);

#endif
