/* The course of a test of the typical views: a list of steps, made from a seed. */
#ifndef TYPICAL_COURSE_H
#define TYPICAL_COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/diff_text.h"
#include "tests/typical_views.h"

struct typical_collection {
    const char *const *tables;
    const struct kept_view *views;
    int n_live; /* the first of them are maintained */
    char prefix;
    unsigned n_fills; /* of each table, at first */
};

enum { TYPICAL_COLLECTIONS = 2 };
extern const struct typical_collection typical_collections[TYPICAL_COLLECTIONS];

/* A step is SQL, or one of these, told by their addresses. */
extern const char typical_compare[];
extern const char typical_reopen[];

struct typical_course {
    const struct typical_collection *collection;
    uint64_t seed;
    bool is_file;
    bool has_foreign_keys;
    const char **steps;
    unsigned n_steps;
    struct diff_arena arena;
};

void typical_course_make(struct typical_course *course,
    const struct typical_collection *collection, uint64_t seed, unsigned n_writes);
void typical_course_free(struct typical_course *course);

#endif
