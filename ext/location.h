/* Where a row of a view lives. By its key, where the view shows all columns of its groups' key, or
** the INTEGER PRIMARY KEY of its table, and so has at most one row a key: a row that changes is
** then overwritten in place. The key of the result's trace is to be the columns' comparison
** encodings, in order, which is the group's key. Else, with no key columns, by all of its
** contents, and the trace's key is not looked at. */
#ifndef LS_LOCATION_H
#define LS_LOCATION_H

#include "ext/table.h"
#include "sql/plan.h"

struct ls_location {
    int n_columns;                /* of the plan's root */
    enum ls_affinity *affinities; /* of its columns */
    bool *is_key;
    int n_keys;
    int *key_columns;              /* in the order of the key */
    enum zs_collation *collations; /* of the keys, as the database orders text */
    bool is_compared_alike; /* what a reader compares as equal to a key column is of one key */
};

/* That of a plan's view; utf16 as ls_text_encoding gives it. The location is zeroed before, and to
** be cleared on ZS_NOMEM too. */
ZS_CHECKED int ls_location_read(
    const struct zsql_plan *plan, int utf16, struct ls_location *location);
void ls_location_clear(struct ls_location *location);

#endif
