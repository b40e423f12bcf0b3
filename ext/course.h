/* The course of one statement of the user's that reads a view again and again: a correlated
** UPDATE, or one whose triggers read it. What was found out at one read holds at the next, as
** far as nothing can have changed it meanwhile. */
#ifndef LS_COURSE_H
#define LS_COURSE_H

#include "ext/moment.h"

enum { LS_N_PLACES = 4 };

struct ls_course {
    const char *places[LS_N_PLACES]; /* of the statement's program, that it has read from */
    int n_places;                    /* 0: no statement is noted */
    sqlite3_stmt *statement;
    int n_steps;
    unsigned n_openings; /* of the view */
    sqlite3_int64 n_changes;
    struct ls_moment moment;
};

/* The view is up to date by what there was after n_changes, see sqlite3_total_changes64, and
** answers by its state. Notes whose read it was: that of the program that reads from this
** place, its idxStr; NULL where there is none. */
void ls_course_note(struct ls_view *view, const struct ls_moment *moment,
    sqlite3_int64 n_changes, const char *place);

/* Is a read from this place by the statement that was noted, in the same call of sqlite3_step?
** *is_same: then nothing has changed since; else the logs may have grown. */
bool ls_course_goes_on(const struct ls_view *view, const char *place, bool *is_same);

/* Forgets it, where what was pending is not any more, or a new place may be where one was that
** is gone. */
void ls_course_end(struct ls_view *view);

#endif
