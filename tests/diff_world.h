/* The world in which a case runs: a database under test with its connections, and a twin of it
** that has plain views, where the same statements must have the same effects. */
#ifndef DIFF_WORLD_H
#define DIFF_WORLD_H

#include "tests/diff_case.h"
#include "tests/diff_course.h"
#include "tests/diff_cursor.h"
#include "tests/diff_result.h"
#include "tests/diff_survey.h"

struct diff_engine;
struct diff_counts;

/* The first thing found wrong. */
struct diff_mismatch {
    const char *tag; /* NULL: nothing; see the tags in diff_replay.c and diff_compare.c */
    unsigned step;
    int view; /* or -1 */
    struct diff_text detail;
};

enum diff_query {
    DIFF_VIEW_QUERY,
    DIFF_ORACLE_QUERY,
    DIFF_PLAIN_QUERY,
    DIFF_MEMBERS_QUERY,
    DIFF_QUERIES
};

struct diff_side {
    const char *path;
    sqlite3 *db[DIFF_CONNECTIONS];
    sqlite3_stmt *has_view[DIFF_CONNECTIONS];
};

struct diff_world {
    const struct diff_case *c;
    const struct diff_engine *engine;
    struct diff_names names;
    struct diff_side real;
    struct diff_side twin;
    sqlite3_stmt *cached[DIFF_CONNECTIONS][DIFF_VIEWS][DIFF_QUERIES];
    bool has_exact;              /* exact_sum and its family are there */
    enum diff_reading oracle;    /* DIFF_AS_ORACLE where they are */
    struct diff_result a, b;     /* what is compared */
    struct diff_result c_a, c_b; /* the same in canonical form */
    struct diff_result members;
    struct diff_text sql;
    struct diff_mismatch *mismatch;
    unsigned step;
    unsigned n_statements; /* how many were run on the database under test */
    unsigned n_comparisons;
    bool is_over;
    struct diff_counts *counts;
    unsigned noted; /* views that the survey knows, as bits */
    struct diff_course courses[DIFF_VIEWS];
    struct diff_cursor cursors[DIFF_CURSORS];
    void *engine_state;
};

/* A tag that counts for nothing, so that one known fault does not hide others; NULL: none. Set
** before any world is opened. */
extern const char *diff_ignored_tag;

/* Files are made in folder, which exists. */
void diff_world_open(struct diff_world *world, const struct diff_case *c,
    const struct diff_engine *engine, const char *folder, struct diff_mismatch *mismatch);
void diff_world_close(struct diff_world *world);

/* Closes and opens one connection of both sides. */
void diff_world_reopen(struct diff_world *world, unsigned connection);

/* Finalizes the statements that are kept, all or those of a connection; or those in which names of
** tables stand. */
void diff_world_forget(struct diff_world *world);
void diff_world_forget_connection(struct diff_world *world, unsigned connection);
void diff_world_forget_names(struct diff_world *world);

/* Notes the first mismatch; format adds to its detail. Returns false. */
bool diff_world_fail(struct diff_world *world, const char *tag, int view, const char *format,
    ...) __attribute__((format(printf, 4, 5)));

/* Renders a template by the present names into world->sql and returns it. */
const char *diff_world_render(
    struct diff_world *world, enum diff_reading reading, const char *sql);

/* Runs SQL of no interest on a database; a failure that is no lock ends the program. */
void diff_world_execute(sqlite3 *db, const char *sql);

/* Runs SQL that a sound case has; a failure is the mismatch "setup". */
void diff_world_set_up(struct diff_world *world, sqlite3 *db, const char *sql);

/* Is the view there, as the twin sees it. The first is false where a lock keeps the twin from
** saying, the second takes that for no. */
bool diff_world_find_view(
    struct diff_world *world, unsigned connection, unsigned view, bool *is_there);
bool diff_world_has_view(struct diff_world *world, unsigned connection, unsigned view);

/* Is the view there, and does it read the other? */
bool diff_world_reads(
    struct diff_world *world, unsigned connection, unsigned view, unsigned other);

/* Runs one of a view's queries on the database under test. In diff_query.c. */
void diff_world_query(struct diff_world *world, unsigned connection, unsigned view,
    enum diff_query query, struct diff_result *result);

bool diff_is_busy(int rc);

/* Has a TEMP table or view the name of another one? Where SQLite makes what belongs to a table
** anew, as VACUUM and ALTER TABLE do, it then takes the wrong one. */
bool diff_is_hidden(struct diff_world *world, unsigned connection);

/* After views came or went: gives the twin the triggers that it needs to be comparable. In
** diff_twin.c. */
void diff_twin_follow(struct diff_world *world, unsigned connection);

/* Comparisons, in diff_compare.c; false when a mismatch was noted. */
bool diff_compare_view(struct diff_world *world, unsigned connection, unsigned view);
bool diff_compare_probe(struct diff_world *world, const struct diff_step *step);
bool diff_compare_tables(struct diff_world *world, unsigned connection);

/* Are two results of a view alike? Sorts them. */
bool diff_compare_rows(
    struct diff_world *world, unsigned view, struct diff_result *a, struct diff_result *b);

/* Adds both results to the mismatch's detail. */
void diff_show_both(struct diff_world *world, const char *first, const struct diff_result *a,
    const char *second, const struct diff_result *b);

/* Steps that look at views, in diff_look.c; false when a mismatch was noted. */
bool diff_look(struct diff_world *world, const struct diff_step *step);
bool diff_integrity(struct diff_world *world, const struct diff_step *step);

/* Runs a step that alters a table, where no transaction is open. In diff_ddl.c. */
bool diff_alter(struct diff_world *world, const struct diff_step *step);
void diff_alter_text(
    struct diff_world *world, const struct diff_step *step, struct diff_text *sql);
void diff_names_change(struct diff_names *names, const struct diff_step *step);

/* Runs the case from an empty database to its end or to the first mismatch. True when all was
** right. The number of statements run and of comparisons are added. In diff_replay.c. */
struct diff_counts {
    unsigned long statements;
    unsigned long comparisons;
    unsigned long cut_short; /* cases that locks made incomparable before their end */
    struct diff_survey survey;
    bool refusals_fail; /* given: a refused view is a mismatch */
};
bool diff_replay(const struct diff_case *c, const struct diff_engine *engine,
    const char *folder, struct diff_mismatch *mismatch, struct diff_counts *counts);

#endif
