/* A course in which something may go wrong at many points, and a process for each of them: at a
** point the program forks, the child goes wrong there, and its parent, which waits for it, goes
** on as if nothing had been. So what leads to a point is run once for all points behind it.
**
** Points are many and alike. LOCKSTEP_TIMES=n takes as many of those that the same calls lead
** to, in whatever course, LOCKSTEP_EVERY=n every n-th from one that the seed says;
** LOCKSTEP_POINT=n only the n-th, in this process, for a debugger. */
#ifndef TESTS_BRANCH_H
#define TESTS_BRANCH_H

#include <check.h>
#include <stdbool.h>

/* The first that main does, before SQLite is used: says the seed. */
void branch_install(void);

/* The last that main does: runs a suite of courses, each in a process of its own, and gives
** what main returns. */
int branch_run(Suite *suite) __attribute__((warn_unused_result));

/* Begins to count points. Unless the environment says how many are taken, they are the first-th
** and then one of `every`, at distances that double as a course goes on; with 0 all. */
void branch_begin(const char *course, long first, long every);

/* Does the environment say which points are taken? */
bool branch_is_chosen(void);

/* Is one point all that is asked for? */
bool branch_is_alone(void);

/* A point. True where all goes wrong from here, which is so once at most in a process. A
** child that fails ends its parent, which has said where. */
bool branch_here(const char *what);

/* Is called at LOCKSTEP_POINT: a debugger's breakpoint. */
void branch_stop(void) __attribute__((noinline));

/* Has this process gone wrong? Which point was it, or else: how many have there been? */
bool branch_is_taken(void);
long branch_point(void);

/* The end of a course: a child ends here, and well. */
void branch_end(void);

#endif
