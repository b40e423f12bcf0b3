/* The law of incremental operators: the integral of the output equals the operator applied to
** the integral of the input. Checked over a random stream of deltas against the naive reading.
*/
#ifndef TESTS_OPERATOR_LAW_H
#define TESTS_OPERATOR_LAW_H

#include "tests/graph.h"

/* An operator of one input without a circuit around it. */
struct subject {
    struct graph_node node; /* what it is to be: kind and variant */
    int (*step)(void *state, const struct zs_delta *in, struct zs_delta *out);
    void *state;
};

/* A step breaks the law, does not pass on the errors that came in, or fails. */
#define OPERATOR_INCREMENTAL "[incremental]"
#define OPERATOR_ERRORS "[errors]"
#define OPERATOR_STATUS "[status]"

/* One case: NULL, or a message that begins with one of the tags. The operator is used up. */
const char *operator_check(const struct subject *subject, struct random *random);

/* A naive operator that may have a fault. */
enum operator_fault {
    OPERATOR_SOUND,
    OPERATOR_NEGATES,          /* the wrong sign */
    OPERATOR_STATELESS,        /* looks at the delta alone */
    OPERATOR_FORGETS,          /* takes in retractions, but forgets them */
    OPERATOR_NEVER_RETRACTS,   /* emits new rows and not that the old ones are gone */
    OPERATOR_IGNORES_NEGATIVE, /* does not look at elements of negative weight */
    OPERATOR_REPEATS,          /* emits its whole output each time */
    OPERATOR_COUNTS_ONCE,      /* sees each element of a delta with weight 1 */
    OPERATOR_DROPS_ERRORS,     /* does not pass errors on */
    OPERATOR_FAULTS
};

const char *operator_fault_name(enum operator_fault fault);

/* The tag that catches a fault. */
const char *operator_fault_tag(enum operator_fault fault);

/* Checks the naive operator of a kind and variant with the fault. */
const char *operator_check_naive(
    enum operator_fault fault, const struct graph_node *node, struct random *random);

#endif
