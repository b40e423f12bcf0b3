/* Seeded random numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
** number generators", 2014). */
#include "tests/random.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t seed = 20240229;

void random_announce(void)
{
    const char *given = getenv("LOCKSTEP_SEED");

    if (given != NULL && *given != '\0')
        seed = strtoull(given, NULL, 0);
    printf("LOCKSTEP_SEED=%llu\n", (unsigned long long)seed);
    fflush(stdout);
}

struct random random_new(uint64_t salt)
{
    struct random mixed = {.state = salt};
    return (struct random){.state = seed ^ random_next(&mixed)};
}

uint64_t random_next(struct random *random)
{
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

unsigned random_below(struct random *random, unsigned n)
{
    return (unsigned)(random_next(random) % n);
}

int64_t random_between(struct random *random, int64_t low, int64_t high)
{
    uint64_t n = (uint64_t)high - (uint64_t)low + 1;
    return (int64_t)((uint64_t)low + (n == 0 ? random_next(random) : random_next(random) % n));
}

bool random_once_in(struct random *random, unsigned n)
{
    return random_below(random, n) == 0;
}
