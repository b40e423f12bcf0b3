/* Occurrences: each place of a core, at any depth, where a base table is read. */
#ifndef ZSQL_OCCURRENCE_H
#define ZSQL_OCCURRENCE_H

#include "sql/bind.h"
#include "sql/edit.h"
#include "sql/plan.h"

struct zsql_occurrence {
    const struct zsql_from *from;
    const struct zsql_source *source; /* of from */
    struct zsql_core *core;           /* in whose FROM it stands */
    size_t table;                     /* index into the plan's tables */
};

/* Appends to list (of struct zsql_occurrence) those of a bound core, in a fixed order. */
ZS_CHECKED int zsql_occurrences_find(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_list *list);

/* Adds the edits that make a core's text one of templates: a mark for each occurrence, see
** template.h, no INDEXED BY, no CROSS JOIN (which would order the loops), no schema before a
** column. */
ZS_CHECKED int zsql_occurrences_mark(struct zsql_arena *arena, const char *text,
    struct zsql_core *core, const struct zsql_list *list, struct zsql_edits *edits);

#endif
