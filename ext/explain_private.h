/* Shared by explain.c (the lines of a plan) and explain_words.c (what they say). */
#ifndef LS_EXPLAIN_PRIVATE_H
#define LS_EXPLAIN_PRIVATE_H

#include "ext/explain.h"

/* Sets a line's operator and cost, and appends its detail. SQLite's code. */
ZS_CHECKED int ls_explain_operator(
    struct ls_view *view, size_t i, struct ls_line *line, sqlite3_str *text);

/* Which one of the plan's it is. */
size_t ls_operator_number(const struct zsql_plan *plan, const struct zsql_operator *sought);

#endif
