/* The law of transactions under failure: a step that dies, wherever it dies, and is rolled
** back leaves everything as it was, and later ticks equal to those of a circuit that never
** ran it.
** */
#ifndef TESTS_DEATH_H
#define TESTS_DEATH_H

#include "tests/history.h"

enum death {
    DEATH_BY_ALLOCATION, /* every allocation of the step fails in turn */
    DEATH_BY_CALLBACK,   /* every call of a function of the user's */
    DEATH_BY_STATE       /* every call of the user's traces and cells */
};

struct death_case {
    struct history history;
    enum death death;
    unsigned long *n_deaths; /* counts them; borrowed */
};

/* For a property, subject a struct death_case. Random actions, a begin and pushes, then a step
** that dies in its first, second, ... call; each time all over again, until it lives. */
const char *death_check(const void *subject, struct random *random);

#endif
