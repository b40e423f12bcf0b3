/* A crowd: many connections, in processes or threads of their own, over one file. Some write,
** one of them as a program without the extension, one changes the schema; some read. Whatever
** they meet of each other's locks, each view that one of them sees equals its query at that
** moment. */
#ifndef CROWD_H
#define CROWD_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/diff_random.h"

enum crowd_role {
    CROWD_WRITES,
    CROWD_ALTERS,         /* writes, and changes the schema */
    CROWD_WRITES_PLAINLY, /* without the extension */
    CROWD_READS,
    CROWD_READS_PLAINLY
};

/* What a member has done, where all can see it. */
struct crowd_tally {
    unsigned long comparisons;
    unsigned long transactions; /* that were committed */
    unsigned long refusals;     /* by another's lock */
    unsigned long retries;      /* of a COMMIT that was refused */
    bool has_failed;
    char failure[4000];
};

struct crowd_member {
    enum crowd_role role;
    unsigned number;
    const char *path;
    bool has_shared_cache;
    double until; /* crowd_clock then */
    struct diff_random random;
    struct crowd_tally *tally;

    sqlite3 *db;
    unsigned n_made; /* of what it has added to the schema: names never come twice */
};

/* Seconds. */
double crowd_clock(void);

/* Makes tables, rows and views. Ends the program where that fails. */
void crowd_make(const char *path, const char *journal_mode);

/* Works until its time is over or it has failed, which its tally tells. */
void crowd_work(struct crowd_member *member);

/* Is no other in the way any more? Then every view must be right, by its own command too, and
** the file be sound. */
void crowd_check_all(struct crowd_member *member);

/* The parts of a member's work. Those that return bool say whether the transaction goes on: it
** does not after a failure, or a refusal that ended it. */
bool crowd_open(struct crowd_member *member);
void crowd_close(struct crowd_member *member);

/* Is another connection in the way? In a shared cache another's ROLLBACK of a change of the
** schema also ends what is being read. */
bool crowd_is_refusal(const struct crowd_member *member, int rc);

/* Counts one. In a shared cache, where SQLite does not wait, it waits a little. */
void crowd_refused(struct crowd_member *member);

/* Runs SQL. A lock of another is no failure, nor is a constraint that refuses rows; *rc, which
** may be NULL, gets SQLite's code. */
bool crowd_run(struct crowd_member *member, int *rc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void crowd_fail(struct crowd_member *member, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One statement that writes a row or some, or very many. */
bool crowd_write(struct crowd_member *member);

/* A change of the schema, in a transaction or outside of one. */
bool crowd_alter(struct crowd_member *member);

/* Compares some of the views that are there, in the transaction that is open. */
bool crowd_compare(struct crowd_member *member, unsigned percent);

/* The same in single statements, each of which may store. */
bool crowd_compare_singly(struct crowd_member *member);

/* The name of some view that is there; NULL where there is none, or no look. sqlite3_free
** it. */
char *crowd_some_view(struct crowd_member *member);

#endif
