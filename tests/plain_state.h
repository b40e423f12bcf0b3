/* A trace and cells as plain lists, with one undo log each, written without looking at core's.
** They show that a checker accepts more than one implementation, do wrong on purpose where a
** fault says so, fail on demand and count the calls. */
#ifndef TESTS_PLAIN_STATE_H
#define TESTS_PLAIN_STATE_H

#include "core/cells.h"
#include "core/trace.h"
#include "tests/model.h"

enum plain_fault {
    PLAIN_SOUND,
    PLAIN_STALE,        /* a rollback undoes nothing */
    PLAIN_OLDEST_FIRST, /* a rollback replays the log oldest first */
    PLAIN_SHALLOW,      /* an inner commit forgets the log: the outer rollback does nothing */
    PLAIN_HALF          /* a rollback undoes all but the oldest change */
};

/* Shared by all plain traces and cells of one test. */
struct plain_control {
    enum plain_fault fault;
    long n_calls;   /* reads and changes */
    long n_changes; /* of those, changes */
    long n_begins;
    long n_ends;      /* commits and rollbacks */
    long fails_after; /* calls and begins until one fails with ZS_CALLBACK; 0: none does */
};

/* control is borrowed. Abort where there is no memory. */
struct zs_trace *plain_trace_new(struct plain_control *control);
struct zs_cells *plain_cells_new(struct plain_control *control);

unsigned plain_trace_depth(const struct zs_trace *trace);
unsigned plain_cells_depth(const struct zs_cells *cells);

#endif
