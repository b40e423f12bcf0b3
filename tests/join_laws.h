/* The law of the join, over random streams of deltas on both sides, and joins that break it. */
#ifndef TESTS_JOIN_LAWS_H
#define TESTS_JOIN_LAWS_H

#include "core/join.h"
#include "tests/graph.h"

/* The integral of the output is not the join of the integrals of the inputs; errors that came
** in, from either side, are not passed on; a step fails. */
#define JOIN_INCREMENTAL "[incremental]"
#define JOIN_ERRORS "[errors]"
#define JOIN_STATUS "[status]"

enum join_kind {
    JOIN_IN_MEMORY,
    JOIN_PLAIN, /* the real one over plain traces */
    JOIN_NAIVE, /* an implementation of the formula, that may have a fault */
    JOIN_NEGATES,
    JOIN_LOSES_CROSS,     /* da x b + a x db */
    JOIN_DOUBLES_CROSS,   /* da x b + a x db + 2 da x db */
    JOIN_SUBTRACTS_CROSS, /* the formula for integrals that show the present already */
    JOIN_LEFT_IS_STALE,   /* the left integral is not kept up */
    JOIN_RIGHT_IS_STALE,  /* nor the right one */
    JOIN_ADDS_WEIGHTS,    /* in place of multiplying them */
    JOIN_IGNORES_RIGHT,   /* right weights count as 1 */
    JOIN_MATCHES_ALL,     /* whatever the keys */
    JOIN_NEVER_RETRACTS,  /* pairs of negative weight are not emitted */
    JOIN_DROPS_LEFT_ERRORS,
    JOIN_DROPS_RIGHT_ERRORS,
    JOIN_KINDS
};

const char *join_kind_name(enum join_kind kind);

/* The tag that catches a kind after JOIN_NAIVE. */
const char *join_kind_tag(enum join_kind kind);

/* For a property: subject is an enum join_kind. */
const char *join_check(const void *subject, struct random *random);

/* The function of a graph's join node, which is what ctx points to. */
int join_pair(void *ctx, struct zs_bytes key, struct zs_bytes left, struct zs_bytes right,
    struct zs_buffer *out_key, struct zs_buffer *out_value);

#endif
