/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
#include "tests/diff_random.h"

#include <stddef.h>
#include <stdlib.h>

#include "tests/diff_text.h"

struct diff_random diff_random_new(uint64_t seed)
{
    struct diff_random random = {.state = seed};
    random.state = diff_random_next(&random); /* else neighbours would be the same, one later */
    return random;
}

uint64_t diff_random_next(struct diff_random *random)
{
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void diff_tape_free(struct diff_tape *tape)
{
    free(tape->values);
    tape->values = NULL;
}

static void keep(struct diff_tape *tape, unsigned choice)
{
    if (tape->n == tape->cap) {
        tape->cap = 2 * tape->cap + 64;
        tape->values = diff_resize(tape->values, tape->cap * sizeof *tape->values);
    }
    tape->values[tape->n++] = choice;
}

unsigned diff_random_below(struct diff_random *random, unsigned n)
{
    struct diff_tape *tape = random->tape;
    if (tape != NULL && tape->is_given)
        return tape->at < tape->n ? tape->values[tape->at++] % n : 0;
    unsigned choice = (unsigned)((diff_random_next(random) >> 32) * n >> 32);
    if (tape != NULL)
        keep(tape, choice);
    return choice;
}

bool diff_random_percent(struct diff_random *random, unsigned percent)
{
    return diff_random_below(random, 100) < percent;
}

unsigned diff_random_weighted(struct diff_random *random, const unsigned *weights, unsigned n)
{
    unsigned total = 0;
    for (unsigned i = 0; i < n; i++)
        total += weights[i];
    unsigned at = diff_random_below(random, total);
    unsigned i = 0;
    while (at >= weights[i])
        at -= weights[i++];
    return i;
}

const char *diff_random_word(struct diff_random *random, const char *const *words)
{
    unsigned n = 0;
    while (words[n] != NULL)
        n++;
    return words[diff_random_below(random, n)];
}
