/* What befalls a view in the course of a case: rows that go and come back, and what has changed
** between two reads. It tells whether cases do what they are for. */
#ifndef DIFF_COURSE_H
#define DIFF_COURSE_H

#include <stdbool.h>

#include "tests/diff_result.h"

/* Hashes of rows, ascending. */
struct diff_hashes {
    uint64_t *items;
    size_t n;
};

struct diff_course {
    struct diff_hashes shown; /* by the last read */
    struct diff_hashes ever;
    unsigned changed; /* tables that were written since, a bit each */
    unsigned long went, returned;
    unsigned long reads, reads_of_several; /* that found some table changed; two or more */
    unsigned long values, nulls;           /* shown */
};

/* A read gave these rows, of a view over the tables. */
void diff_course_note(
    struct diff_course *course, const struct diff_result *rows, unsigned tables);
void diff_course_free(struct diff_course *course);

#endif
