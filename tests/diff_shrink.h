/* Making a failing case small, and printing it as a script for the sqlite3 shell. */
#ifndef DIFF_SHRINK_H
#define DIFF_SHRINK_H

#include <stdio.h>

#include "tests/diff_engine.h"

/* Takes away from the case what it does not need to fail with the same tag; ends after some
** seconds in any case. */
void diff_shrink(struct diff_case *c, const struct diff_engine *engine, const char *folder,
    const struct diff_mismatch *mismatch);

/* In diff_print.c. */
void diff_print_script(const struct diff_case *c, const struct diff_engine *engine,
    const struct diff_mismatch *mismatch, FILE *out);

#endif
