/* Aggregates that SQLite computes: the plan's calls, run over the arguments of a group. */
#ifndef LS_REFOLD_H
#define LS_REFOLD_H

#include "core/fold.h"
#include "ext/batchtable.h"
#include "sql/plan.h"

struct ls_refolds;

/* Of the operator, a ZSQL_AGGREGATE_BY, which is borrowed: one statement for each ZS_REFOLD.
** *refolds is NULL where it has none. */
ZS_CHECKED int ls_refolds_new(sqlite3 *db, struct ls_batchtable **tables,
    const struct zsql_operator *output, struct ls_refolds **refolds);
void ls_refolds_free(struct ls_refolds *refolds); /* accepts NULL */

/* A zs_refold_fn; ctx is the refolds. An error that the data can cause is the group's.
** ZS_CALLBACK with ls_refolds_code where SQLite failed for another reason. */
ZS_CHECKED int ls_refold(void *refolds, unsigned number, const struct zs_batch *rows,
    struct zs_buffer *value, bool *is_error);
int ls_refolds_code(const struct ls_refolds *refolds); /* accepts NULL */

#endif
