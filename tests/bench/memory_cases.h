/* What memory.c measures: classes of views, and the steps of a course. */
#ifndef MEMORY_CASES_H
#define MEMORY_CASES_H

#include <stddef.h>

/* A view v over t(id INTEGER PRIMARY KEY, g, h, x, s) and d(id INTEGER PRIMARY KEY, name). */
struct class
{
    const char *name;
    const char *text; /* what CREATE is given */
    const char *base; /* a view w that it reads, or NULL */
};

/* RUN: SQL, with and without a view; SLICES: for each slice of the rows, in a savepoint of its
** own, with a read. READ: how many rows the view has; by hand, the query is made a table.
** WITHIN: read by a statement that writes. OPEN and WALK: a statement that reads all rows
** begins, and ends. OF_VIEW: SQL that needs the view. COMPARE: is the view its query? */
struct step {
    const char *name;
    enum { RUN, SLICES, READ, WITHIN, OPEN, WALK, OF_VIEW, COMPARE } action;
    const char *sql; /* for printf: %1$d rows in all, a slice from %2$d to %3$d */
};

enum { N_CLASSES = 18, N_STEPS = 43 };
extern const struct class classes[N_CLASSES];
extern const struct step steps[N_STEPS];

#endif
