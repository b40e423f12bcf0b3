/* Seeded random numbers, the same on every machine. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

/* Reads the seed from LOCKSTEP_SEED, or takes the one that stands in random.c, and prints it.
** The first thing that main of a suite does. */
void random_announce(void);

/* A stream of its own for every salt, given the seed. */
struct random random_new(uint64_t salt);

uint64_t random_next(struct random *random);

/* 0 .. n - 1; n > 0. */
unsigned random_below(struct random *random, unsigned n);

/* low .. high. */
int64_t random_between(struct random *random, int64_t low, int64_t high);

/* True once in n. */
bool random_once_in(struct random *random, unsigned n);

#endif
