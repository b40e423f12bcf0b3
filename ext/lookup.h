/* Looking up, by the values of columns, rows of a batch; what is looked up is sorted on first
** use. */
#ifndef LS_LOOKUP_H
#define LS_LOOKUP_H

#include "core/batch.h"
#include "ext/comparable.h"

struct ls_lookups;

/* In the values of a batch's items, which are rows in the identity encoding of columns of these
** affinities. Batch and affinities are borrowed. ZS_NOMEM or ZS_OK. */
ZS_CHECKED int ls_lookups_new(sqlite3 *db, const struct zs_batch *rows, size_t n_columns,
    const enum ls_affinity *affinities, struct ls_lookups **lookups);
void ls_lookups_free(struct ls_lookups *lookups); /* accepts NULL */

/* The batch, of which something else than this must be known when it changes. */
const struct zs_batch *ls_lookups_rows(const struct ls_lookups *lookups);
void ls_lookups_reset(struct ls_lookups *lookups);

/* Appends a column's value to a key, as comparisons see it: see comparable.h. */
ZS_CHECKED int ls_lookups_append(struct ls_lookups *lookups, struct zs_buffer *key,
    const struct zs_value *value, int position, enum zs_collation collation);

/* The items whose columns at n positions compare equal to given values, which have been
** appended to the key under the collations. Their numbers are
** ls_found_item(found, i) for i from 0 to n - 1; borrowed until the reset. ZS_OK, or ZS_NOMEM.
** O(log length), after O(length log length) for the first look by these columns. */
struct ls_found {
    const struct zs_item *first;
    size_t n;
};
ZS_CHECKED int ls_lookups_find(struct ls_lookups *lookups, const int *positions,
    const enum zs_collation *collations, int n, struct zs_bytes key, struct ls_found *found);
size_t ls_found_item(const struct ls_found *found, size_t i);

#endif
