/* Two readings of a network: circuits that are run step by step, each at its own pace, and the
** same graphs evaluated over whole histories.
**
** Members are circuits, channels lead from a node of one to an input of another, or of the same
** one. At each global step a member is idle, and inert; or it stutters, and what channels
** deliver lands in its inputs; or it ticks, and runs one step besides. A channel delivers what
** was sent at earlier steps, as far as the schedule lets it. */
#ifndef TESTS_PACING_H
#define TESTS_PACING_H

#include "tests/graph.h"

enum { PACING_MEMBERS = 3, PACING_STEPS = 16, PACING_INPUTS = 3 };

enum pace { PACE_IDLE, PACE_STUTTER, PACE_TICK };

/* Where an input gets its rows from, besides those pushed from outside. */
struct channel {
    bool exists;
    unsigned member;
    unsigned node;
};

/* All that a run is a function of. */
struct network {
    unsigned n_members;
    struct graph graphs[PACING_MEMBERS];
    unsigned n_inputs[PACING_MEMBERS];
    struct channel channels[PACING_MEMBERS][PACING_INPUTS];
    enum pace paces[PACING_STEPS][PACING_MEMBERS];
    struct model pushed[PACING_STEPS][PACING_MEMBERS][PACING_INPUTS];
    /* Of what was sent, how much at most may have been delivered by the end of the step. */
    unsigned cursors[PACING_STEPS][PACING_MEMBERS][PACING_INPUTS];
};

void network_random(struct network *network, struct random *random);
void network_clear(struct network *network);

/* What the streams show after each step, by the whole histories. */
struct reading {
    struct model_delta shown[PACING_STEPS][PACING_MEMBERS][GRAPH_NODES];
};

void network_denote(const struct network *network, struct reading *reading);
void reading_clear(struct reading *reading);

/* Running it step by step, with a fault. */
enum pacing_fault {
    PACING_SOUND,
    PACING_TICKS_ALWAYS,     /* a stuttering member runs its step */
    PACING_TICKS_IDLE,       /* an idle one does */
    PACING_NEVER_LANDS,      /* what is delivered to a stuttering member is lost */
    PACING_DELIVERS_AT_ONCE, /* also what is sent in the same step */
    PACING_DELIVERS_ALL,     /* whatever the schedule says */
    PACING_DELIVERS_TWICE,
    PACING_FAULTS
};

const char *pacing_fault_name(enum pacing_fault fault);

#define PACING_READINGS "[two readings]"
#define PACING_STATUS "[status]"

/* For a property: subject is an enum pacing_fault. */
const char *pacing_check(const void *subject, struct random *random);

#endif
