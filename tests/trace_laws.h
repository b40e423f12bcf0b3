/* The laws of traces, of any implementation. */
#ifndef TESTS_TRACE_LAWS_H
#define TESTS_TRACE_LAWS_H

#include "core/trace.h"
#include "tests/property.h"

enum trace_fault {
    TRACE_SOUND,
    TRACE_KEEPS_ZEROS,
    TRACE_REPLACES,   /* the last weight counts, not the sum */
    TRACE_WRONG_SIGN, /* of what is taken away */
    TRACE_CONFUSES_KEY_AND_VALUE,
    TRACE_FROM_EXCLUSIVE,
    TRACE_TO_INCLUSIVE,
    TRACE_IGNORES_VALUE_SPAN,
    TRACE_IGNORES_LIMIT,
    TRACE_LIMITS_FROM_START, /* whatever the limit's sign */
    TRACE_LAST_FIRST,        /* the last ones come in descending order */
    TRACE_EMPTIES_OUT,
    TRACE_WRAPS,
    TRACE_CHANGES_ON_OVERFLOW,
    TRACE_UNDOES_OLDEST_FIRST,
    TRACE_COMMIT_FORGETS,
    TRACE_ROLLBACK_OF_ALL,
    TRACE_UPDATE_TELLS_AFTER,
    TRACE_UPDATE_LOOKS_ONCE,    /* at the beginning, also for what occurs twice */
    TRACE_MATCH_FIRST_ONLY,     /* of the elements of a key */
    TRACE_MATCH_SKIPS_REPEATED, /* items with the key of the one before */
    TRACE_N_FAULTS
};

/* The subject of the properties: a trace and what it stands on. */
struct trace_home {
    struct zs_trace *trace;
    struct zs_cells *cells;     /* or NULL */
    struct zs_trace *others[2]; /* in the same cells, with something in them; or NULL */
};

struct trace_subject {
    void (*make)(enum trace_fault fault, struct trace_home *home);
    enum trace_fault fault; /* of the model */
    bool takes_any_key;     /* or only self-delimiting ones */
};

/* In memory, over cells between two other traces, and a model. */
void trace_make_memory(enum trace_fault fault, struct trace_home *home);
void trace_make_over_cells(enum trace_fault fault, struct trace_home *home);
void trace_make_model(enum trace_fault fault, struct trace_home *home);
void trace_home_clear(struct trace_home *home);

extern const struct property trace_integral; /* weights are the sums of what was applied */
extern const struct property trace_reading;  /* spans and limits read what they should */
extern const struct property trace_overflow; /* refused exactly, and then unchanged */
extern const struct property trace_rollback; /* what held at the begin holds again */
extern const struct property trace_many;     /* many at once are as one after the other */

extern const struct property *const trace_properties[]; /* all; ends with NULL */

#endif
