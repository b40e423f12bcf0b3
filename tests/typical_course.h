/* The course of a test of the typical views: a list of steps, made from a seed. */
#ifndef TYPICAL_COURSE_H
#define TYPICAL_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/diff_text.h"
#include "tests/typical_views.h"

enum { TYPICAL_LIVE = 22 }; /* v23 to v25 need windows and recursion */

/* A step is SQL, or one of these, told by their addresses. */
extern const char typical_compare[];
extern const char typical_reopen[];

struct typical_course {
    uint64_t seed;
    bool is_file;
    bool has_foreign_keys;
    const char **steps;
    unsigned n_steps;
    struct diff_arena arena;
};

void typical_course_make(struct typical_course *course, uint64_t seed, unsigned n_writes);
void typical_course_free(struct typical_course *course);

#endif
