/* Templates: texts with marks in them, each for an occurrence of a table in some form. */
#ifndef ZSQL_TEMPLATE_H
#define ZSQL_TEMPLATE_H

#include "sql/arena.h"
#include "sql/plan.h"

/* Bytes that no text of a user holds where a template is made of it. */
#define ZSQL_MARK_BEGINS '\x01'
#define ZSQL_MARK_ENDS '\x02'
#define ZSQL_WEIGHT_BEGINS '\x03'
#define ZSQL_MARKS "\x01\x03" /* what begins one */

/* The mark of an occurrence in the form ZSQL_AS_SET; NULL without memory. */
const char *zsql_template_mark(struct zsql_arena *arena, size_t occurrence);

/* A copy of a text in which the marks of one occurrence have another form. */
const char *zsql_template_set(
    struct zsql_arena *arena, const char *text, size_t occurrence, enum zsql_form form);

/* Stands behind the columns of what an operator made, where it may show its rows' weight too,
** as lockstep_weight_<occurrence>: only in texts that ask for it, for `*` would give it. */
const char *zsql_template_weight(struct zsql_arena *arena, size_t occurrence);

/* A copy of a text in which one occurrence shows it. NULL without memory, both. */
const char *zsql_template_show_weight(
    struct zsql_arena *arena, const char *text, size_t occurrence);

/* Cuts a text at its marks; weights that nobody asked for are left out. */
ZS_CHECKED int zsql_template_cut(
    struct zsql_arena *arena, const char *text, struct zsql_template *made);

#endif
