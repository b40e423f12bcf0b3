/* What maintains the views: the extension, plain views, or a rival that is wrong on purpose. */
#ifndef DIFF_ENGINE_H
#define DIFF_ENGINE_H

#include "tests/diff_world.h"

struct diff_rival;

/* Makes what a view shall show (empty at first) of what its query gives now. */
typedef void diff_rule(struct diff_rival *rival, const struct diff_view *v, unsigned view,
    const struct diff_result *fresh, struct diff_result *shown);

struct diff_engine {
    const char *name;
    const char *caught_as;   /* a rival: the tags it may be caught by; NULL: it must pass */
    struct diff_options can; /* what it can bear; n_steps does not count */
    bool loads_extension;

    /* Any of these may be NULL. create and drop append SQL for the connection. */
    void (*create)(struct diff_world *world, unsigned view, struct diff_text *sql);
    void (*drop)(struct diff_world *world, unsigned view, struct diff_text *sql);
    void (*before)(struct diff_world *world, const char *sql); /* a statement of the case */
    void (*after)(struct diff_world *world, const char *sql);
    void (*created)(struct diff_world *world, unsigned view);
    void (*reading)(sqlite3 *db, bool begins); /* around a read of a view, which is not kept */
    void (*forget)(struct diff_world *world);  /* frees engine_state */
    diff_rule *rule;                           /* of rivals; NULL: shows what the query gives */
};

/* NULL where there is none of that name. */
const struct diff_engine *diff_engine_find(const char *name);

/* The i-th, NULL past the last. */
const struct diff_engine *diff_engine_at(unsigned i);

/* Rivals, in diff_rules.c. */
extern const struct diff_engine diff_rivals[];
extern const unsigned diff_n_rivals;

#endif
