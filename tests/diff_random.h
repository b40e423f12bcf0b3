/* A small seeded generator of random choices, the same on every machine. */
#ifndef DIFF_RANDOM_H
#define DIFF_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* The choices that were made, or that are to be made again: another list of them makes another
** thing, so that it can be made smaller without knowing what it is (as Hypothesis does). Zeros
** stand behind the last. */
struct diff_tape {
    unsigned *values;
    unsigned n;
    unsigned cap;
    unsigned at;
    bool is_given; /* choices are read, and values borrowed */
};

void diff_tape_free(struct diff_tape *tape);

struct diff_random {
    uint64_t state;
    struct diff_tape *tape; /* NULL: choices are not kept */
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
