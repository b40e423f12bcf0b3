/* Making a text explicit: what may go unsaid in SQL is said. */
#ifndef ZSQL_EXPLICIT_H
#define ZSQL_EXPLICIT_H

#include "sql/bind.h"

/* Changes *text to one in which VALUES that stands among other cores of a compound is a SELECT, no
** column is named by a star that EXISTS does not read, each subquery in FROM has a name, and so has
** each of its columns that is neither a column nor a star. ZS_SYNTAX as zsql_select_parse, with
** *error_at in *text. */
ZS_CHECKED int zsql_make_explicit(
    struct zsql_arena *arena, const char **text, uint32_t *error_at);

/* Is a source rows of VALUES that stood among other cores? */
bool zsql_is_spelled_values(const struct zsql_source *source);

#endif
