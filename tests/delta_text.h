/* Deltas as text, for tests that are read: elements key/value and a signed weight, errors with
** a '!' before them, one blank between two: "a/x+2 b/y-1 !a/bad 3:4+1". Values may hold blanks
** and anything but a sign. */
#ifndef TESTS_DELTA_TEXT_H
#define TESTS_DELTA_TEXT_H

#include "core/batch.h"

/* Adds the elements of text to delta. Aborts where it cannot be read. */
ZS_CHECKED int delta_read(const char *text, struct zs_delta *delta);

/* The sum of the delta, rows before errors, each ascending; valid until the next call. */
const char *delta_text(const struct zs_delta *delta);

#endif
