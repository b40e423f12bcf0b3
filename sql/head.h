/* Subqueries that stand at the head of a statement, in a WITH, rather than where they are read.
**
** SQLite's parser has a stack of 100 places, of which each subquery within another takes some
** ten: a view over views of which each is short can be nested too deeply for it, and the more
** so what the plan writes around them. A common table expression begins near the bottom of that
** stack. One that is NOT MATERIALIZED is planned as the subquery that it stands for. */
#ifndef ZSQL_HEAD_H
#define ZSQL_HEAD_H

#include "sql/bind.h"
#include "sql/edit.h"

/* Bytes that stand before a SELECT which names nothing outside. It goes as far as to the end of
** the parenthesis that it is in, and may be read by a name, where it is all that this holds, as
** a member of FROM; or by `SELECT * FROM` a name, where it is values, or the last of a UNION ALL
** that are. */
#define ZSQL_APART_MEMBER "\x04"
#define ZSQL_APART_VALUES "\x05"

/* Adds edits that put them before such SELECTs of a bound core, at any depth. */
ZS_CHECKED int zsql_head_mark(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_edits *edits);

/* Does what stands behind FROM of a bound core name nothing outside? It may be said to, where
** that is not known. */
bool zsql_head_is_from_apart(const struct zsql_core *core);

/* The text of a statement without those bytes; where it is nested deeply, with what they mark
** in a WITH. In the arena; NULL without memory. *body, unless body is NULL, is what in it stands
** behind the WITH. */
const char *zsql_head_write(struct zsql_arena *arena, const char *text, const char **body);

#endif
