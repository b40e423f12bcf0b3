/* The clock, which the date functions read: they are refused where the text says so, and
** watched where the rows may. */
#ifndef ZSQL_CLOCK_H
#define ZSQL_CLOCK_H

#include "sql/bind.h"
#include "sql/edit.h"

/* Refuses a bound call that reads the clock or the time zone, or may: a time that is missing or
** 'now', a modifier 'localtime'. Of what is read from rows nothing is known. */
ZS_CHECKED int zsql_refuse_clock(const struct zsql_expr *expr, struct zsql_message *message);

/* Puts lockstep_timeless(...) around what date functions read from rows, in a bound core at any
** depth: it gives back its argument, and fails where that is such a word. */
ZS_CHECKED int zsql_clock_edits(struct zsql_arena *arena, const char *text,
    struct zsql_core *core, struct zsql_edits *edits);

#endif
