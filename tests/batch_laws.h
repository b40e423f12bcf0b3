/* The laws of consolidation. */
#ifndef TESTS_BATCH_LAWS_H
#define TESTS_BATCH_LAWS_H

#include "core/batch.h"
#include "tests/property.h"

enum batch_fault {
    BATCH_SOUND,
    BATCH_KEEPS_ZEROS,
    BATCH_UNSORTED,
    BATCH_LOSES_CROSSOVER, /* of equal elements in both halves only one counts */
    BATCH_KEEPS_EQUALS,    /* equal elements stay apart */
    BATCH_IGNORES_VALUES,
    BATCH_LOOKS_AT_EIGHT_BYTES,
    BATCH_PADS_WITH_ZEROS, /* "a" is "a\0" */
    BATCH_SIGNED_BYTES,
    BATCH_SHORT_FIRST,
    BATCH_IGNORES_SIGN, /* of what is added from another batch */
    BATCH_WRAPS,
    BATCH_SUMS_IN_ORDER, /* MAX + 1 - 1 overflows */
    BATCH_MERGES_BEFORE_OVERFLOW,
    BATCH_N_FAULTS
};

/* What consolidating the items, and others times sign, leaves. After an error, what the batch
** holds then. The bytes may be those of the input. */
struct batch_outcome {
    int rc;
    struct zs_item *items;
    size_t n;
    struct zs_batch *owner; /* of the bytes, or NULL */
};

struct batch_input {
    struct zs_item *items;
    size_t n;
    struct zs_item *others;
    size_t n_others;
    int sign;
};

struct batch_kind {
    void (*consolidate)(
        const struct batch_input *input, enum batch_fault fault, struct batch_outcome *outcome);
};

extern const struct batch_kind batch_kind_real;
extern const struct batch_kind batch_kind_model;

void batch_outcome_clear(struct batch_outcome *outcome);

/* The subject of the properties. */
struct batch_subject {
    const struct batch_kind *kind;
    enum batch_fault fault; /* of the model */
};

extern const struct property batch_canonical; /* ascending, no zeros, one item an element */
extern const struct property batch_sum;       /* each element with the sum of its weights */
extern const struct property batch_overflow;  /* refused exactly where a sum leaves 64 bits */
extern const struct property batch_unchanged; /* and then every item is still there */

extern const struct property *const batch_properties[]; /* all; ends with NULL */

#endif
