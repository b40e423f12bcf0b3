/* Rows under numbers, of which many may be the same, gathered to be written in the order of the
** numbers. Rows that come again soon are counted where they are, the others when all are
** sorted. */
#ifndef LS_GATHER_H
#define LS_GATHER_H

#include "core/pile.h"
#include "ext/api.h"

struct ls_gather;

ZS_CHECKED int ls_gather_new(struct ls_gather **gather); /* ZS_NOMEM */
void ls_gather_free(struct ls_gather *gather);           /* accepts NULL */

/* Adds a row under a number that is not negative. ZS_NOMEM or ZS_OVERFLOW: reset it. */
ZS_CHECKED int ls_gather_add(
    struct ls_gather *gather, int64_t number, struct zs_bytes row, int64_t weight);

/* Counts and sorts all, and keeps no bytes but those of what there is. */
ZS_CHECKED int ls_gather_settle(struct ls_gather *gather);

/* About how many bytes there are. */
size_t ls_gather_size(const struct ls_gather *gather);

/* All rows, consolidated, under keys as a batchtable shows them as numbers. Borrowed until the
** next call. */
ZS_CHECKED int ls_gather_rows(struct ls_gather *gather, const struct zs_pile **rows);

void ls_gather_reset(struct ls_gather *gather); /* forgets all rows */

#endif
