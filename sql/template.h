/* Templates: texts with marks in them, each for an occurrence of a table in some form. */
#ifndef ZSQL_TEMPLATE_H
#define ZSQL_TEMPLATE_H

#include "sql/arena.h"
#include "sql/plan.h"

/* Bytes that no text of a user holds where a template is made of it. */
#define ZSQL_MARK_BEGINS '\x01'
#define ZSQL_MARK_ENDS '\x02'

/* The mark of an occurrence in the form ZSQL_AS_SET; NULL without memory. */
const char *zsql_template_mark(struct zsql_arena *arena, size_t occurrence);

/* A copy of a text in which the marks of one occurrence have another form. */
const char *zsql_template_set(
    struct zsql_arena *arena, const char *text, size_t occurrence, enum zsql_form form);

/* Cuts a text at its marks. */
ZS_CHECKED int zsql_template_cut(
    struct zsql_arena *arena, const char *text, struct zsql_template *made);

#endif
