/* Rivals: engines that are wrong on purpose, to prove that the test can fail. */
#ifndef DIFF_RIVAL_H
#define DIFF_RIVAL_H

#include "tests/diff_engine.h"

/* What a view's query gave and what was shown for it, after the statement before this. */
struct diff_rival {
    struct diff_result fresh[DIFF_VIEWS];
    struct diff_result shown[DIFF_VIEWS];
    bool has_moved; /* the TEMP schema, with that statement */
    unsigned n_made[DIFF_VIEWS];
};

struct diff_rival *diff_rival_of(struct diff_world *world);

/* The functions of an engine whose views are tables. */
void diff_rival_create(struct diff_world *world, unsigned view, struct diff_text *sql);
void diff_rival_drop(struct diff_world *world, unsigned view, struct diff_text *sql);
void diff_rival_created(struct diff_world *world, unsigned view);
void diff_rival_refresh(struct diff_world *world, const char *sql);
void diff_rival_forget(struct diff_world *world);

/* The table of the view becomes the rows. */
void diff_rival_store(struct diff_world *world, unsigned view, const struct diff_result *rows);

/* Views over copies of the tables, kept by hand-written triggers. In diff_copies.c. */
void diff_copies_create(struct diff_world *world, unsigned view, struct diff_text *sql);
void diff_copies_drop(struct diff_world *world, unsigned view, struct diff_text *sql);

#endif
