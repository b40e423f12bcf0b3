/* A small circuit, an input whose rows go through distinct to an output, and calls that
** read and write deltas as text. They fail the test where the circuit fails, small_push
** excepted. */
#ifndef TESTS_SMALL_CIRCUIT_H
#define TESTS_SMALL_CIRCUIT_H

#include "core/circuit.h"

struct small {
    struct zs_circuit *circuit;
    struct zs_input input;
    struct zs_stream rows;
    struct zs_stream unique;
    struct zs_output output;
};

void small_build(struct small *small, const struct zs_alloc *alloc);

ZS_CHECKED int small_push(struct zs_circuit *circuit, struct zs_input input, const char *text);

/* Valid until the next call of either. */
const char *small_current(struct zs_circuit *circuit, struct zs_stream stream);
const char *small_take(struct zs_circuit *circuit, struct zs_output output);

/* All that the trace holds, as rows. */
const char *small_trace(struct zs_trace *trace);

#endif
