/* A tick in pieces: what a rebuild asks of the circuit. Private to core/. */
#ifndef ZS_PIECE_H
#define ZS_PIECE_H

#include "core/circuit.h"

/* Where a circuit is in its history. Steps and pieces are numbered from 1, also those that
** fail; no number is given twice, whatever is rolled back. */
struct zs_position {
    uint64_t circuit;  /* its identity */
    uint64_t last;     /* the step or piece after which the circuit is as it is; 0: none */
    uint64_t n_undone; /* rollbacks that undid a step or piece */
};

struct zs_position zs_circuit_position(const struct zs_circuit *circuit);

/* A further piece of the tick that the last step began: every node once, and the clock stands
** still. What has been pushed meanwhile is the piece. Fails as zs_circuit_step does. */
ZS_CHECKED int zs_circuit_continue(struct zs_circuit *circuit);

#endif
