/* What became of the composed views of a run: how many were accepted, which were refused and
** why, by the constructs in them. */
#ifndef DIFF_SURVEY_H
#define DIFF_SURVEY_H

#include <stdio.h>

#include "tests/diff_compose.h"
#include "tests/diff_course.h"

enum { DIFF_REASONS = 200 };

struct diff_survey {
    unsigned long accepted;
    unsigned long refused;
    unsigned long invalid; /* SQLite does not take the query itself */
    unsigned long uses[DIFF_CONSTRUCTS];
    unsigned long refusals[DIFF_CONSTRUCTS]; /* of views that use it */
    unsigned long went[DIFF_CONSTRUCTS];     /* and had rows that went */
    unsigned long returned[DIFF_CONSTRUCTS]; /* or came back */
    struct diff_course all;                  /* the sums of all views' */
    struct diff_reason {
        char text[200];
        unsigned long n;
        uint64_t seed; /* of the first */
    } reasons[DIFF_REASONS];
    unsigned n_reasons;
};

/* Does a message of CREATE say that the view is not maintained, rather than that it failed? */
bool diff_is_refusal(const char *message);

/* The reason in it, without names and pieces of the view. */
void diff_refusal_reason(const char *message, char *reason, size_t size);

/* Message is that of a refusal, NULL where the view was accepted. */
void diff_survey_note(struct diff_survey *survey, uint64_t seed, const struct diff_view *view,
    const char *message);

/* What befell an accepted view. */
void diff_survey_course(
    struct diff_survey *survey, const struct diff_view *view, const struct diff_course *course);

void diff_survey_print(const struct diff_survey *survey, FILE *out);

#endif
