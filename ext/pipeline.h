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
#include "ext/relation.h"
#include "ext/result.h"
#include "ext/table.h"
#include "sql/plan.h"

struct ls_pipeline;

/* How far a view has come in the log of one of its tables. */
struct ls_position {
    sqlite3_int64 taken;  /* rows up to here are in the state with the overlay */
    sqlite3_int64 end;    /* the last row there is */
    sqlite3_int64 stored; /* rows up to here are in the state that the overlay rests on */
    sqlite3_int64 found;  /* and in the state that was last seen */
};

/* The operators of a plan have stored tags of one byte. */
enum { LS_MAX_OPERATORS = 100 };

/* plan, of at most LS_MAX_OPERATORS, and tables, its base tables in the plan's order, are
** borrowed; batchtables and relations are the connection's. SQLite's code. */
ZS_CHECKED int ls_pipeline_new(sqlite3 *db, struct ls_batchtable **batchtables,
    struct ls_relation **relations, const char *schema, const char *view,
    const struct zsql_plan *plan, struct ls_table *const *tables, int hash_bits,
    struct ls_pipeline **pipeline);
void ls_pipeline_free(struct ls_pipeline *pipeline); /* accepts NULL */

struct ls_result *ls_pipeline_result(struct ls_pipeline *pipeline);
const struct ls_location *ls_pipeline_location(const struct ls_pipeline *pipeline);
int ls_pipeline_utf16(const struct ls_pipeline *pipeline); /* as ls_text_encoding gives it */

/* Calls below give SQLite's code; on error *message says what, where more is known than the
** code tells (sqlite3_free it; it may be NULL). */

/* Below, positions has one a table of the plan. */

/* Where the logs end goes to positions[].end. */
ZS_CHECKED int ls_pipeline_end(
    struct ls_pipeline *pipeline, struct ls_position *positions, char **message);

/* The same of a view of one table, where all that its log has behind taken are few rows that
** ask for no more than adding up: they are read, and until ls_pipeline_end_look ls_pipeline_take
** goes on from there. Else false, and nothing has changed. */
bool ls_pipeline_look(
    struct ls_pipeline *pipeline, size_t most_bytes, struct ls_position *positions);
void ls_pipeline_end_look(struct ls_pipeline *pipeline);

/* At most how many rows the tables have together, see source.h; -1 where that is not known. */
ZS_CHECKED int ls_pipeline_size(
    struct ls_pipeline *pipeline, sqlite3_int64 *rows, char **message);

/* What runs operator i of the plan, a join; borrowed. */
struct ls_join *ls_pipeline_join(const struct ls_pipeline *pipeline, size_t i);

/* A row that has been inserted into a table of the plan, by number, and is not logged yet; -1 for none. */
struct ls_inserted {
    int table;
    sqlite3_int64 rowid;
};

/* Steps over the logs' rows behind taken, up to end, and over the row inserted; see ls_source_take.
** most_bytes bounds what is pending together with what the step needs. On error, and where something
** is lost, failing or too large, nothing has changed, unless it says is_half_done; what was taken
** ahead of the logs before may be forgotten. */
ZS_CHECKED int ls_pipeline_take(struct ls_pipeline *pipeline, size_t most_bytes,
    const struct ls_position *positions, const struct ls_inserted *inserted, bool may_be_moved,
    struct ls_taken *taken, char **message);

/* After a rollback that has undone it, to where nothing was ahead of the logs. */
void ls_pipeline_forget_ahead(struct ls_pipeline *pipeline);

/* Has a row been taken in, or is it to be by the next take, that the logs have not? */
bool ls_pipeline_is_ahead(const struct ls_pipeline *pipeline);

/* How much a view has stored. */
struct ls_counts {
    int64_t rows;  /* of <view>_data */
    int64_t cells; /* of <view>_trace */
};

/* Does so, storing as it goes, with a change that does not fit into memory, of a view of one
** table without joins: nothing has a transaction open here. What was pending is stored, too,
** and what that adds to the tables added to counts. Where not *is_done, or on error, the stored
** state is neither the old nor the new one. */
ZS_CHECKED int ls_pipeline_take_in_pieces(struct ls_pipeline *pipeline, size_t most_bytes,
    const struct ls_position *position, struct ls_counts *counts, bool *is_done,
    char **message);

/* Empties the stored state and fills it from the base tables, storing as it goes. Called inside
** a transaction of the database, with none open here and nothing pending; most_bytes is about
** how much it has in memory. *is_failing, with an error code: a join has met a row that can't
** be computed; the state is left empty. */
ZS_CHECKED int ls_pipeline_build(
    struct ls_pipeline *pipeline, size_t most_bytes, bool *is_failing, char **message);

/* Is there an error that makes reading the view fail? *said, unless said is NULL, is set
** where there is to what it says. */
ZS_CHECKED int ls_pipeline_error(struct ls_pipeline *pipeline, bool *found, char **said);

ZS_CHECKED int ls_pipeline_begin(struct ls_pipeline *pipeline);
void ls_pipeline_commit(struct ls_pipeline *pipeline);
void ls_pipeline_rollback(struct ls_pipeline *pipeline);
unsigned ls_pipeline_depth(const struct ls_pipeline *pipeline);

/* How much is pending; writing it, and forgetting it when all of the writing has succeeded. The
** last two with no transaction open here. add_stored adds what writing it has added to the
** tables. */
size_t ls_pipeline_pending(const struct ls_pipeline *pipeline);
ZS_CHECKED int ls_pipeline_store(struct ls_pipeline *pipeline);
void ls_pipeline_add_stored(const struct ls_pipeline *pipeline, struct ls_counts *counts);
void ls_pipeline_forget(struct ls_pipeline *pipeline);

/* Looks at every stored cell, and counts them. SQLITE_CORRUPT_VTAB where one is damaged. */
ZS_CHECKED int ls_pipeline_check(struct ls_pipeline *pipeline, int64_t *cells);

/* Forgets also what is known of the tables: they may have been written by others, or their
** writing undone. */
void ls_pipeline_drop(struct ls_pipeline *pipeline);

#endif
