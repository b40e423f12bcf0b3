/* A slice of a test that repeats itself with other seeds or numbers. With LOCKSTEP_SLICE=n an n-th
** is run: so under the sanitizers and under other versions of SQLite. `make check` of a plain build
** runs all of it under the SQLite that it is linked with. */
#ifndef TESTS_SLICE_H
#define TESTS_SLICE_H

#include <stdlib.h>

/* n, or 1. */
static inline int slice_every(void)
{
    const char *text = getenv("LOCKSTEP_SLICE");
    int n = text != NULL ? atoi(text) : 1;

    return n > 1 ? n : 1;
}

/* How many of so many: one at least. */
static inline int slice_of(int all)
{
    return (all + slice_every() - 1) / slice_every();
}

#endif
