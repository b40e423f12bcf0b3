/* An assertion for loops: Check's own write to a file every time that they hold. */
#ifndef TESTS_MUST_H
#define TESTS_MUST_H

#include <check.h>

#define must(condition)                                                                        \
    do {                                                                                       \
        if (!(condition))                                                                      \
            ck_abort_msg("not so: %s", #condition);                                            \
    } while (0)

#endif
