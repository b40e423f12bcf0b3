/* A pipeline: a view's plan as a circuit over its stored state.
**
** The delta enters at ls_pipeline_take, which reads the log into the circuit's input; the
** circuit maps (SQL), aggregates (core) and integrates into the result and the errors; what
** changed stays in memory, in the overlay and the result, until ls_pipeline_store. Transactions
** nest, and are the circuit's. */
#ifndef LS_PIPELINE_H
#define LS_PIPELINE_H

#include "core/circuit.h"
#include "ext/batchtable.h"
#include "ext/overlay.h"
#include "ext/result.h"
#include "ext/table.h"
#include "sql/plan.h"

struct ls_pipeline;

/* plan and table are borrowed; tables are the connection's batch tables. SQLite's code. */
ZS_CHECKED int ls_pipeline_new(sqlite3 *db, struct ls_batchtable **tables, const char *schema,
    const char *view, const struct zsql_plan *plan, const struct ls_table *table, int hash_bits,
    struct ls_pipeline **pipeline);
void ls_pipeline_free(struct ls_pipeline *pipeline); /* accepts NULL */

struct ls_result *ls_pipeline_result(struct ls_pipeline *pipeline);

/* Calls below give SQLite's code; on error *message says what, where more is known than the
** code tells (sqlite3_free it; it may be NULL). */

/* The highest position of the log; and at most how many rows the table has, see source.h. */
ZS_CHECKED int ls_pipeline_end(
    struct ls_pipeline *pipeline, sqlite3_int64 *last, char **message);
ZS_CHECKED int ls_pipeline_size(
    struct ls_pipeline *pipeline, sqlite3_int64 *rows, char **message);

/* Steps over the log's rows behind from, up to last; see ls_source_take. On error, and where the
** log is lost, nothing has changed. */
ZS_CHECKED int ls_pipeline_take(struct ls_pipeline *pipeline, sqlite3_int64 from,
    sqlite3_int64 last, bool may_be_moved, bool *has_candidates, bool *is_lost, char **message);

/* Empties the stored state and fills it from the base table, storing as it goes. Called inside
** a transaction of the database, with none open here and nothing pending. */
ZS_CHECKED int ls_pipeline_build(struct ls_pipeline *pipeline, char **message);

/* The message of one error that makes reading the view fail; *said is NULL where there is none.
 */
ZS_CHECKED int ls_pipeline_error(struct ls_pipeline *pipeline, char **said);

ZS_CHECKED int ls_pipeline_begin(struct ls_pipeline *pipeline);
void ls_pipeline_commit(struct ls_pipeline *pipeline);
void ls_pipeline_rollback(struct ls_pipeline *pipeline);
unsigned ls_pipeline_depth(const struct ls_pipeline *pipeline);

/* How much is pending; writing it, and forgetting it when all of the writing has succeeded. The
** last two with no transaction open here. */
size_t ls_pipeline_pending(const struct ls_pipeline *pipeline);
ZS_CHECKED int ls_pipeline_store(struct ls_pipeline *pipeline);
void ls_pipeline_forget(struct ls_pipeline *pipeline);

/* Forgets also what is known of the tables: they may have been written by others, or their
** writing undone. */
void ls_pipeline_drop(struct ls_pipeline *pipeline);

#endif
