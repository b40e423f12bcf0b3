/* A join of a plan: its rows from what it reads as that is now, and what changes in them in a
** step, each computed by SQLite as one statement (sql/plan.h: ZSQL_JOIN). */
#ifndef LS_JOIN_H
#define LS_JOIN_H

#include "core/batch.h"
#include "ext/encoder.h"
#include "ext/runs.h"
#include "ext/each_row.h"
#include "ext/tables.h"
#include "sql/plan.h"

struct ls_join;

/* The operator, the encoder of its output and the tables are borrowed. ZS_NOMEM or ZS_OK. */
ZS_CHECKED int ls_join_new(sqlite3 *db, const struct zsql_operator *join,
    const struct ls_encoder *encoder, struct ls_tables *tables, struct ls_join **made);
void ls_join_free(struct ls_join *join); /* accepts NULL; before the tables */

/* Calls below give SQLite's code; on error *message is what it said (sqlite3_free it; it may be
** NULL), and what was added by then is to be dropped. *is_of_data: a row could not be computed,
** and it is the data's fault. */

/* Adds to rows what changes in the join when what it reads changes as the tables say. */
ZS_CHECKED int ls_join_change(
    struct ls_join *join, struct zs_batch *rows, bool *is_of_data, char **message);

/* Shows row each of the join's rows, in the order of their keys if is_sorted says so. */
ZS_CHECKED int ls_join_scan(struct ls_join *join, bool is_sorted, ls_row_fn *row, void *ctx,
    bool *is_of_data, char **message);

/* The text of the join's rows; that of difference i where only what its occurrence reads has
** changed. NULL on error; free with sqlite3_free. */
ZS_CHECKED int ls_join_text(struct ls_join *join, char **text);
ZS_CHECKED int ls_join_difference(struct ls_join *join, size_t i, char **text);

#endif
