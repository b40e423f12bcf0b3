/* A random history of a circuit against its naive reading: pushes, steps, takes and nested
** transactions, after each of which all that shows is compared. */
#ifndef TESTS_HISTORY_H
#define TESTS_HISTORY_H

#include "tests/rig.h"

struct history {
    enum rig_fault fault;
    enum plain_fault plain_fault;
    bool has_plain_state;
    bool has_transactions;
    unsigned n_actions;
    const struct graph *graph; /* NULL: a random one each time */
};

enum history_action {
    HISTORY_PUSH,
    HISTORY_STEP,
    HISTORY_TAKE,
    HISTORY_BEGIN,
    HISTORY_COMMIT,
    HISTORY_ROLLBACK
};

/* A history on its way. */
struct history_run {
    const struct history *history;
    const struct graph *graph;
    struct graph random_graph;
    struct random *random;
    struct rig *rig;
    struct world worlds[RIG_DEPTH_MAX + 1]; /* the last is now, the others are to return to */
    unsigned depth;
    enum history_action last;
    const char *complaint; /* NULL, or a tag and what was seen to be wrong */
};

#define HISTORY_INCREMENTAL "[incremental]" /* a stream's delta after a step */
#define HISTORY_PENDING "[pending]"         /* an input's */
#define HISTORY_CANONICAL "[canonical]"     /* a stream's batch has not that form */
#define HISTORY_ROLLBACK_TAG "[rollback]"   /* what shows after a rollback */
#define HISTORY_STORED "[stored]"           /* what a store has integrated */
#define HISTORY_SINK "[sink]"               /* what a take gave */
#define HISTORY_TICKS "[ticks]"             /* the clock */
#define HISTORY_STATUS "[status]"           /* what a call returned */

/* The first complaint stands. */
void history_complain(struct history_run *run, const char *tag, const char *what, unsigned i);
void history_expect(struct history_run *run, const char *call, int rc, int expected);

/* random is borrowed. */
void history_open(struct history_run *run, const struct history *history,
    const struct zs_alloc *alloc, struct random *random);
void history_close(struct history_run *run);
struct world *history_now(struct history_run *run);
void history_act(struct history_run *run, enum history_action action);
void history_act_at_random(struct history_run *run, unsigned n);
void history_compare(struct history_run *run);
/* Ends what is open, and makes ticks after which everything must still be right. */
void history_finish(struct history_run *run);

/* All of the above, for a property: subject is a struct history. */
const char *history_check(const void *subject, struct random *random);

#endif
