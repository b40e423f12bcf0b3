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
    bool is_never_read;               /* within `LEFT JOIN ... ON 0` */
};

/* Is a member of a bound core's FROM, or what the core is within, joined by LEFT JOIN ... ON 0?
** from may be NULL: then of the core alone. */
bool zsql_is_never_read(const struct zsql_bound *bound, const struct zsql_from *from);

/* Appends to list (of struct zsql_occurrence) those of a bound core, in a fixed order: of an
** aggregate core those that are read for its rows, or else those of subqueries over its
** groups. */
ZS_CHECKED int zsql_occurrences_of_rows(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_list *list);
ZS_CHECKED int zsql_occurrences_of_groups(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_list *list);

/* Is it read for one value, the same for all rows around? Of the rows' such come first. */
bool zsql_occurrence_is_of_value(const struct zsql_occurrence *occurrence);

/* Both. */
ZS_CHECKED int zsql_occurrences_find(
    struct zsql_arena *arena, struct zsql_core *core, struct zsql_list *list);

/* Adds the edits that make a core's text one of templates: a mark for each occurrence, see
** template.h, no INDEXED BY, no CROSS JOIN (which would order the loops), no LEFT JOIN that is
** an inner one, no schema before a column. */
ZS_CHECKED int zsql_occurrences_mark(struct zsql_arena *arena, const char *text,
    struct zsql_core *core, const struct zsql_list *list, struct zsql_edits *edits);

/* A member of FROM that is ZSQL_FROM_MADE alone, as text. */
const char *zsql_occurrence_alone(struct zsql_arena *arena, size_t number);

/* A column that is NULL where a left join found no row for an occurrence, and 1 elsewhere. */
const char *zsql_occurrence_presence(
    struct zsql_arena *arena, const struct zsql_occurrence *occurrence, size_t number);

#endif
