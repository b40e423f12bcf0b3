/* Counting refusals by what they say, names and quoted parts apart. */
#include "tests/diff_survey.h"

#include <inttypes.h>
#include <string.h>

bool diff_is_refusal(const char *message)
{
    return strstr(message, "not maintained") != NULL ||
           strstr(message, "not deterministic") != NULL;
}

/* With ... for a piece of the view's text, or the name of a column. */
void diff_refusal_reason(const char *message, char *reason, size_t size)
{
    static const char *const pieces[] = {"(", "NOT ", "EXISTS", "CASE", "a0", "a1", "a2", NULL};
    const char *at = strstr(message, ": view ");
    const char *end = strstr(message, " is not maintained");

    at = at == NULL ? message : strchr(at + 7, ':');
    at = at == NULL ? message : at + 2;
    if (strncmp(at, "the bare column ", 16) == 0 && strchr(at, '(') != NULL) {
        snprintf(reason, size, "the bare column ... %s", strchr(at, '('));
        return;
    }
    for (unsigned i = 0; pieces[i] != NULL; i++) {
        const char *piece = strstr(at, pieces[i]);
        if (piece != NULL && end != NULL && piece < end && piece > at && piece[-1] == ' ') {
            snprintf(reason, size, "%.*s...%s", (int)(piece - at), at, end);
            return;
        }
    }
    snprintf(reason, size, "%s", at);
}

static void note_reason(struct diff_survey *survey, uint64_t seed, const char *message)
{
    char text[sizeof survey->reasons[0].text];
    unsigned i = 0;

    diff_refusal_reason(message, text, sizeof text);
    while (i < survey->n_reasons && strcmp(survey->reasons[i].text, text) != 0)
        i++;
    if (i == DIFF_REASONS)
        return;
    if (i == survey->n_reasons) {
        survey->n_reasons++;
        memcpy(survey->reasons[i].text, text, sizeof text);
        survey->reasons[i].seed = seed;
    }
    survey->reasons[i].n++;
}

void diff_survey_note(struct diff_survey *survey, uint64_t seed, const struct diff_view *view,
    const char *message)
{
    if (message == NULL)
        survey->accepted++;
    else
        survey->refused++;
    for (unsigned i = 0; i < DIFF_CONSTRUCTS; i++) {
        survey->uses[i] += view->uses >> i & 1;
        survey->refusals[i] += message != NULL && (view->uses >> i & 1) != 0;
    }
    if (message != NULL)
        note_reason(survey, seed, message);
}

void diff_survey_course(
    struct diff_survey *survey, const struct diff_view *view, const struct diff_course *course)
{
    struct diff_course *all = &survey->all;

    for (unsigned i = 0; i < DIFF_CONSTRUCTS; i++) {
        survey->went[i] += (view->uses >> i & 1) != 0 && course->went > 0;
        survey->returned[i] += (view->uses >> i & 1) != 0 && course->returned > 0;
    }
    all->went += course->went;
    all->returned += course->returned;
    all->reads += course->reads;
    all->reads_of_several += course->reads_of_several;
    all->values += course->values;
    all->nulls += course->nulls;
}

void diff_survey_print(const struct diff_survey *survey, FILE *out)
{
    fprintf(out, "composed views: %lu accepted, %lu refused, %lu that SQLite does not take\n",
        survey->accepted, survey->refused, survey->invalid);
    for (unsigned i = 0; i < DIFF_CONSTRUCTS; i++)
        fprintf(out, "  %-20s %6lu views, %6lu refused; rows went in %6lu, came back in %6lu\n",
            diff_construct_names[i], survey->uses[i], survey->refusals[i], survey->went[i],
            survey->returned[i]);
    fprintf(out,
        "  %lu rows went, %lu came back; %lu reads after changes, %lu after those of several "
        "tables;\n  %lu of %lu values shown were NULL\n",
        survey->all.went, survey->all.returned, survey->all.reads, survey->all.reads_of_several,
        survey->all.nulls, survey->all.values);
    for (unsigned i = 0; i < survey->n_reasons; i++)
        fprintf(out, "  %6lu: %s (first in seed %" PRIu64 ")\n", survey->reasons[i].n,
            survey->reasons[i].text, survey->reasons[i].seed);
}
