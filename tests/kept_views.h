/* A set of views over one database, each compared with its query. Kept by the extension, or as
** plain views; or not kept at all, which must be noticed of every one. */
#ifndef KEPT_VIEWS_H
#define KEPT_VIEWS_H

#include <sqlite3.h>
#include <stdbool.h>

#include "tests/diff_text.h"

enum { MAX_KEPT_VIEWS = 48 };

struct kept_view {
    const char *text;
    bool is_maintained;  /* for now: else it is not accepted yet */
    const char *spec;    /* how columns compare, as diff_result_canonical has it; NULL: "E" */
    const char *members; /* NULL, or a query of all rows of which some may be shown */
};

enum kept_engine { KEPT_BY_LOCKSTEP, KEPT_PLAIN, KEPT_STALE, KEPT_ENGINES };
extern const char *const kept_engine_names[KEPT_ENGINES];

struct kept_set {
    const struct kept_view *views;
    int n;
    char prefix; /* of their names: v01, v02, ... */
    enum kept_engine engine;
    bool is_accepted[MAX_KEPT_VIEWS];
    char *refusals[MAX_KEPT_VIEWS];
    unsigned caught[MAX_KEPT_VIEWS]; /* of stale ones */
    unsigned n_comparisons;
    int failed;              /* the view that was wrong, or -1 */
    struct diff_text detail; /* what it showed */
};

/* Appends the text with sums exact, as a view is judged by it. */
void kept_exact_text(const char *text, struct diff_text *out);

/* Opens a database with the extension; ends the program where that fails, as the next does. */
sqlite3 *kept_open(const char *path);
void kept_run(sqlite3 *db, const char *sql);

/* Creates the views; those that are refused are noted. */
void kept_create(struct kept_set *set, sqlite3 *db);

/* Compares each view with its query up to the first that is wrong. Stale ones are caught, and
** made anew. */
void kept_compare(struct kept_set *set, sqlite3 *db);

/* Adds what else counts to the failures, and says it: a maintained view was refused, a stale
** one was caught less often than least. */
unsigned kept_judge(const struct kept_set *set, unsigned least);

void kept_free(struct kept_set *set);

#endif
