/* A rig: the real circuit of a graph, and rigs that do one thing wrong. */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include "core/circuit.h"
#include "tests/graph.h"
#include "tests/plain_state.h"

enum rig_fault {
    RIG_SOUND,
    RIG_NEGATES,       /* operators' streams come with the wrong sign */
    RIG_KEEPS_SINKS,   /* a rollback forgets the outputs' sums */
    RIG_KEEPS_STREAMS, /* a rollback leaves the streams as the last step left them */
    RIG_KEEPS_PUSHES,  /* what was pushed inside is pending after the rollback */
    RIG_KEEPS_TICKS,   /* a rollback does not turn the clock back */
    RIG_DROPS_ERRORS,  /* errors flow nowhere */
    RIG_SCATTERS,      /* a stream holds an element twice */
    RIG_TAKES_TWICE,   /* an output is not emptied by a take */
    RIG_STANDS_STILL   /* the clock does */
};

enum { RIG_DEPTH_MAX = 8 };

struct rig;

/* What a function of the user's is given. */
struct rig_function {
    struct rig *rig;
    const struct graph_node *node;
};

/* A fold that counts its calls before it asks another. */
struct rig_fold {
    struct zs_fold fold;
    const struct zs_fold *real;
    struct rig *rig;
};

struct rig {
    const struct graph *graph;
    const struct zs_alloc *alloc; /* the circuit's */
    unsigned n_pushes;            /* every other one is given */
    enum rig_fault fault;
    struct plain_control control;
    long callbacks_until_failure; /* 0: none fails */
    long n_callbacks;
    struct zs_circuit *circuit;
    struct zs_input inputs[GRAPH_NODES];
    struct zs_stream streams[GRAPH_NODES];
    struct zs_output outputs[GRAPH_NODES];
    struct rig_function functions[GRAPH_NODES];
    struct rig_fold folds[GRAPH_NODES];
    /* The user's state: of operators, and of stores. NULL where the graph has none. */
    struct zs_trace *given_traces[GRAPH_NODES];
    struct zs_trace *given_right[GRAPH_NODES]; /* of joins, the other one */
    struct zs_cells *given_cells[GRAPH_NODES];
    struct zs_trace *stored_rows[GRAPH_NODES];
    struct zs_trace *stored_errors[GRAPH_NODES];
    /* What the faults need. */
    struct model_delta shown[GRAPH_NODES];
    struct model_delta excess[GRAPH_NODES];
    struct model kept_pushes[GRAPH_NODES];
    uint64_t excess_ticks;
    bool is_showing;
};

/* The user's traces and cells are plain ones where has_plain_state, else core's. On error *rig
** is to be freed too. */
ZS_CHECKED int rig_new(const struct zs_alloc *alloc, const struct graph *graph,
    enum rig_fault fault, enum plain_fault plain_fault, bool has_plain_state, struct rig **rig);
void rig_free(struct rig *rig);

/* The calls of circuit.h, through the fault. */
ZS_CHECKED int rig_push(struct rig *rig, unsigned input, const struct zs_batch *rows);
ZS_CHECKED int rig_step(struct rig *rig);
ZS_CHECKED int rig_begin(struct rig *rig);
ZS_CHECKED int rig_commit(struct rig *rig);
ZS_CHECKED int rig_rollback(struct rig *rig);
ZS_CHECKED int rig_take(struct rig *rig, unsigned node, struct model_delta *sum);
/* Adds to delta; *is_canonical says whether the stream's batches were. */
ZS_CHECKED int rig_current(
    struct rig *rig, unsigned node, struct model_delta *delta, bool *is_canonical);
ZS_CHECKED int rig_stored(struct rig *rig, unsigned node, struct model_delta *stored);
uint64_t rig_ticks(const struct rig *rig);

#endif
