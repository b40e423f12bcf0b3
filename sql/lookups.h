/* Lookups: the equalities of a join by which rows of a table are found. */
#ifndef ZSQL_LOOKUPS_H
#define ZSQL_LOOKUPS_H

#include "sql/occurrence.h"

/* Appends to list (of struct zsql_lookup) what the equalities of a core, at any depth, look up
** in the occurrences. Columns that an index can't serve, as SQLite compares them, are left
** out. */
ZS_CHECKED int zsql_lookups_find(struct zsql_arena *arena, struct zsql_core *core,
    const struct zsql_list *occurrences, struct zsql_list *list);

#endif
