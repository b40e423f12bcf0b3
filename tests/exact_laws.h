/* The laws of exact sums; the exact sum behind a table of functions, and sums with one fault
** each, for the laws to catch. */
#ifndef TESTS_EXACT_LAWS_H
#define TESTS_EXACT_LAWS_H

#include "core/exact.h"
#include "tests/property.h"

enum { rival_limbs_max = 40 };

struct sum {
    const struct summer *kind;
    struct zs_exact exact;
    /* What the rivals that are no exact sums keep instead. */
    double value;
    double compensation;
    uint64_t limbs[rival_limbs_max]; /* in units of 2^-1074 */
};

/* The subject of the laws. */
struct summer {
    void (*add_integer)(struct sum *sum, int64_t value, int64_t weight);
    void (*add_real)(struct sum *sum, double value, int64_t weight);
    void (*add)(struct sum *sum, const struct sum *other);
    double (*read_real)(const struct sum *sum);
    bool (*read_integer)(const struct sum *sum, int64_t *value);
    void (*append)(const struct sum *sum, struct zs_buffer *out);
    bool (*read)(struct sum *sum, struct zs_bytes bytes, size_t *at);
};

void sum_init(struct sum *sum, const struct summer *kind);
void sum_clear(struct sum *sum);

enum exact_law {
    EXACT_ORACLE,
    EXACT_INTEGER,
    EXACT_SPECIAL,
    EXACT_COUNTS,
    EXACT_INVERSE,
    EXACT_ORDER,
    EXACT_WEIGHT,
    EXACT_ROUND_TRIP,
    EXACT_SIZE,
    EXACT_CORRUPT,
    EXACT_N_LAWS
};

extern const struct property exact_properties[EXACT_N_LAWS];

extern const struct summer exact_summer;

struct exact_rival {
    const char *name;
    enum exact_law caught_by;
    struct summer summer;
};

extern const struct exact_rival exact_rivals[];
extern const size_t n_exact_rivals;

#endif
