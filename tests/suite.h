/* How main of a suite ends. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs it, with or without a process for each test, and frees it. Gives what main returns. */
static inline int suite_run_as(Suite *suite, enum fork_status fork)
{
    SRunner *runner = srunner_create(suite);
    int n_failed;

    srunner_set_fork_status(runner, fork);
    srunner_run_all(runner, CK_ENV);
    n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* With processes, unless CK_FORK=no. */
static inline int suite_run(Suite *suite)
{
    return suite_run_as(suite, CK_FORK_GETENV);
}

#endif
