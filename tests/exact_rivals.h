/* The exact sum behind a table of functions, and sums with one fault each, for the laws to
** catch. */
#ifndef TESTS_EXACT_RIVALS_H
#define TESTS_EXACT_RIVALS_H

#include "core/exact.h"

enum { rival_limbs_max = 40 };

struct sum {
    const struct summer *kind;
    struct zs_exact exact;
    /* What the rivals that are no exact sums keep instead. */
    double value;
    double compensation;
    uint64_t limbs[rival_limbs_max]; /* in units of 2^-1074 */
};

struct summer {
    const char *name;
    const char *tag; /* of the law that catches it; NULL for the exact sum */
    void (*add_integer)(struct sum *sum, int64_t value, int64_t weight);
    void (*add_real)(struct sum *sum, double value, int64_t weight);
    void (*add)(struct sum *sum, const struct sum *other);
    double (*read_real)(const struct sum *sum);
    bool (*read_integer)(const struct sum *sum, int64_t *value);
    void (*append)(const struct sum *sum, struct zs_buffer *out);
    bool (*read)(struct sum *sum, struct zs_bytes bytes, size_t *at);
};

extern const struct summer exact_summer;

/* Ends with one without a name. */
extern const struct summer rival_summers[];

void sum_init(struct sum *sum, const struct summer *kind);
void sum_clear(struct sum *sum);

#endif
