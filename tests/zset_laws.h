/* The laws of Z-sets, over six elements, so that keys collide and weights cancel all the time.
 */
#ifndef TESTS_ZSET_LAWS_H
#define TESTS_ZSET_LAWS_H

#include "core/zset.h"
#include "tests/property.h"

enum { ZSET_ELEMENTS = 6 };

/* Some one-fault models are not what zset.h does; the first is sound. */
enum zset_fault {
    ZSET_SOUND,
    ZSET_KEEPS_ZEROS,
    ZSET_UNSORTED,
    ZSET_KEEPS_EQUALS,    /* equal elements of two Z-sets stay apart in their sum */
    ZSET_LOSES_CROSSOVER, /* of equal elements only one's weight counts */
    ZSET_SUBTRACT_ADDS,   /* the wrong sign */
    ZSET_NEGATE_DOES_NOTHING,
    ZSET_SATURATES,        /* sums stop at 3 */
    ZSET_ADD_DOUBLES_LAST, /* what is added counts twice where there was nothing */
    ZSET_SCALE_ADDS,
    ZSET_DISTINCT_KEEPS_NEGATIVES,
    ZSET_DISTINCT_KEEPS_WEIGHTS,
    ZSET_EQUAL_WITHOUT_WEIGHTS,
    ZSET_INTEGRATE_RESTARTS, /* each sum is the delta */
    ZSET_DIFFERENTIATE_FROM_FIRST,
    ZSET_WRAPS,
    ZSET_FAILS_HALF_WAY, /* an overflow leaves a part behind */
    ZSET_N_FAULTS
};

/* zset.h over element numbers, so that a model can stand in. Elements ascend with their number.
 */
struct zset_kind {
    void *(*zero)(enum zset_fault fault);
    int (*insert)(void *zset, unsigned element, int64_t weight);
    int (*add)(void *zset, const void *other);
    int (*subtract)(void *zset, const void *other);
    int (*negate)(void *zset);
    int (*scale)(void *zset, int64_t factor);
    void (*distinct)(void *zset);
    int64_t (*weight)(const void *zset, unsigned element);
    bool (*is_zero)(const void *zset);
    bool (*equal)(const void *a, const void *b);
    size_t (*len)(const void *zset);
    unsigned (*item)(const void *zset, size_t i, int64_t *weight);
    int (*integrate)(void *const *in, size_t n, void **out);
    int (*differentiate)(void *const *in, size_t n, void **out);
    void (*free)(void *zset);
};

extern const struct zset_kind zset_kind_real;
extern const struct zset_kind zset_kind_model;

/* The subject of the properties. */
struct zset_subject {
    const struct zset_kind *kind;
    enum zset_fault fault; /* of the model */
};

/* Key and value of an element. */
struct zs_item zset_element(unsigned element);

extern const struct property zset_canonical; /* ascending, no zeros, one item an element */
extern const struct property zset_insertion; /* a weight is the sum of what was inserted */
extern const struct property zset_sum;       /* weights of a sum are sums of weights */
extern const struct property zset_associative;
extern const struct property zset_commutative;
extern const struct property zset_neutral;
extern const struct property zset_inverse;
extern const struct property zset_scaling;
extern const struct property zset_distinction;
extern const struct property zset_equality;
extern const struct property zset_streams;   /* integrate and differentiate undo each other */
extern const struct property zset_overflow;  /* refused exactly where 64 bits do not reach */
extern const struct property zset_unchanged; /* and then nothing has changed */

extern const struct property *const zset_properties[]; /* all; ends with NULL */

#endif
