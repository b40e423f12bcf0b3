/* A small seeded generator of random choices, the same on every machine. */
#ifndef DIFF_RANDOM_H
#define DIFF_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct diff_random {
    uint64_t state;
};

struct diff_random diff_random_new(uint64_t seed);
uint64_t diff_random_next(struct diff_random *random);

/* 0 .. n-1; n > 0. */
unsigned diff_random_below(struct diff_random *random, unsigned n);

bool diff_random_percent(struct diff_random *random, unsigned percent);

/* An index into weights[0..n), as likely as its weight. */
unsigned diff_random_weighted(struct diff_random *random, const unsigned *weights, unsigned n);

/* One of a NULL-terminated list. */
const char *diff_random_word(struct diff_random *random, const char *const *words);

#endif
