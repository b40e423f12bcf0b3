/* A view's plan as a circuit over its stored state. */
#include "ext/pipeline.h"

#include <string.h>

#include "ext/pipeline_private.h"
#include "ext/statement.h"

enum { MOST_LOOKED = 64 }; /* rows: more are read when it is known how many there are */

/* Where the rows of a view of joins come from; others make their one source with the
** circuit. */
static int make_tables(struct ls_pipeline *pipeline)
{
    const struct zsql_plan *plan = pipeline->plan;
    int rc;

    if (plan->operators[0]->kind == ZSQL_SOURCE)
        return SQLITE_OK;
    rc = ls_tables_new(pipeline->db, &pipeline->budget.alloc, pipeline->relations, plan,
        pipeline->base_tables, pipeline->overlay, &pipeline->tables);
    for (size_t i = 0; rc == SQLITE_OK && i < plan->n_tables; i++)
        pipeline->sources[i] = ls_change_source(ls_tables_change(pipeline->tables, i));
    return rc;
}

int ls_pipeline_new(sqlite3 *db, struct ls_batchtable **batchtables,
    struct ls_relation **relations, const char *schema, const char *view,
    const struct zsql_plan *plan, struct ls_table *const *tables, int hash_bits,
    struct ls_pipeline **pipeline)
{
    struct ls_pipeline *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int status = ZS_OK;
    int rc;

    *pipeline = NULL;
    if (made == NULL)
        return SQLITE_NOMEM;
    made->db = db;
    ls_budget_init(&made->budget);
    made->batchtables = batchtables;
    made->relations = relations;
    made->plan = plan;
    made->base_tables = tables;
    made->schema = sqlite3_mprintf("%s", schema);
    made->view = sqlite3_mprintf("%s", view);
    made->stages = zs_alloc_zeroed(&ls_alloc, plan->n_operators * sizeof(*made->stages));
    made->sources = zs_alloc_zeroed(&ls_alloc, plan->n_tables * sizeof(*made->sources));
    if (made->schema == NULL || made->view == NULL || made->stages == NULL ||
        made->sources == NULL)
        status = ZS_NOMEM;
    rc = ls_text_encoding(db, schema, &made->utf16);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = zs_delta_init(&made->delta, &made->budget.alloc);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_overlay_new(db, &made->budget.alloc, schema, view, &made->overlay);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_location_read(plan, made->utf16, &made->location);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_result_new(
            db, &made->budget.alloc, schema, view, &made->location, hash_bits, &made->result);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_overlay_part(made->overlay, ERRORS, &made->error_cells);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_errors_new(made->error_cells, &made->errors);
    if (status == ZS_OK && rc == SQLITE_OK)
        rc = make_tables(made);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_pipeline_wire(made);
    if (rc == SQLITE_OK)
        rc = ls_code_of(status);
    made->own_bytes = made->budget.used;
    if (rc == SQLITE_OK)
        *pipeline = made;
    else
        ls_pipeline_free(made);
    return rc;
}

void ls_pipeline_free(struct ls_pipeline *pipeline)
{
    if (pipeline == NULL)
        return;
    zs_circuit_free(pipeline->circuit);
    ls_pipeline_unwire(pipeline);
    if (pipeline->tables == NULL && pipeline->sources != NULL)
        ls_source_free(pipeline->sources[0]);
    ls_tables_free(pipeline->tables);
    sqlite3_finalize(pipeline->number);
    sqlite3_free(pipeline->said.message);
    zs_trace_free(pipeline->errors);
    zs_cells_free(pipeline->error_cells);
    ls_result_free(pipeline->result);
    ls_location_clear(&pipeline->location);
    ls_overlay_free(pipeline->overlay);
    zs_delta_clear(&pipeline->delta);
    sqlite3_free(pipeline->stages);
    sqlite3_free(pipeline->sources);
    sqlite3_free(pipeline->schema);
    sqlite3_free(pipeline->view);
    sqlite3_free(pipeline);
}

struct ls_result *ls_pipeline_result(struct ls_pipeline *pipeline)
{
    return pipeline->result;
}

const struct ls_location *ls_pipeline_location(const struct ls_pipeline *pipeline)
{
    return &pipeline->location;
}

int ls_pipeline_utf16(const struct ls_pipeline *pipeline)
{
    return pipeline->utf16;
}

/* SQLite's code of a failed step, which may lie with any of the circuit's functions. */
static int code_of_step(struct ls_pipeline *pipeline, int status, char **message)
{
    int rc = SQLITE_OK;

    if (status == ZS_NOMEM)
        return SQLITE_NOMEM;
    if (status == ZS_EXHAUSTED)
        return SQLITE_DONE;
    if (status == ZS_CALLBACK && pipeline->said.code != SQLITE_OK) {
        *message = pipeline->said.message;
        pipeline->said.message = NULL;
        return pipeline->said.code;
    }
    if (status == ZS_CALLBACK) {
        for (size_t i = 0; rc == SQLITE_OK && i < pipeline->plan->n_operators; i++) {
            if (pipeline->stages[i].map != NULL)
                rc = ls_map_code(pipeline->stages[i].map);
            if (rc == SQLITE_OK)
                rc = ls_refolds_code(pipeline->stages[i].refolds);
        }
        if (rc == SQLITE_OK)
            rc = ls_result_code(pipeline->result);
        if (rc == SQLITE_OK)
            rc = ls_overlay_code(pipeline->overlay);
        if (rc == SQLITE_OK)
            rc = SQLITE_ERROR;
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
        return rc;
    }
    if (status == ZS_OVERFLOW)
        *message = sqlite3_mprintf("more rows than 64 bits count");
    else
        *message = sqlite3_mprintf("the stored state is damaged");
    return status == ZS_OVERFLOW ? SQLITE_ERROR : SQLITE_CORRUPT_VTAB;
}

int ls_pipeline_end(struct ls_pipeline *pipeline, struct ls_position *positions, char **message)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < pipeline->plan->n_tables; i++)
        rc = ls_source_end(pipeline->sources[i], &positions[i].end);
    if (rc != SQLITE_OK)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
    return rc;
}

int ls_pipeline_size(struct ls_pipeline *pipeline, sqlite3_int64 *rows, char **message)
{
    sqlite3_int64 of_one = 0;
    int rc = SQLITE_OK;

    *rows = 0;
    for (size_t i = 0; rc == SQLITE_OK && of_one >= 0 && i < pipeline->plan->n_tables; i++) {
        rc = ls_source_size(pipeline->sources[i], &of_one);
        *rows = of_one < 0 ? -1 : *rows + of_one;
    }
    if (rc != SQLITE_OK)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
    return rc;
}

static void forget_said(struct ls_pipeline *pipeline)
{
    sqlite3_free(pipeline->said.message);
    pipeline->said.code = SQLITE_OK;
    pipeline->said.is_of_data = false;
    pipeline->said.message = NULL;
}

/* Where it fails, the innermost transaction is to be rolled back. */
static int step(struct ls_pipeline *pipeline, char **message)
{
    int status;

    forget_said(pipeline);
    status = zs_circuit_step(pipeline->circuit);
    return status == ZS_OK ? SQLITE_OK : code_of_step(pipeline, status, message);
}

int ls_pipeline_step(struct ls_pipeline *pipeline, char **message)
{
    int status = zs_circuit_begin(pipeline->circuit);
    int rc;

    if (status != ZS_OK)
        return code_of_step(pipeline, status, message);
    rc = step(pipeline, message);
    if (rc == SQLITE_OK)
        ls_pipeline_commit(pipeline);
    else
        ls_pipeline_rollback(pipeline);
    return rc;
}

void ls_pipeline_reset(struct ls_pipeline *pipeline)
{
    zs_delta_reset(&pipeline->delta);
    ls_pipeline_end_look(pipeline);
    if (pipeline->tables != NULL)
        ls_tables_reset(pipeline->tables);
    for (size_t i = 0; i < pipeline->plan->n_operators; i++)
        if (pipeline->stages[i].rows != NULL)
            zs_batch_reset(pipeline->stages[i].rows);
}

/* Reads what changes in the tables. */
static int read_tables(struct ls_pipeline *pipeline, const struct ls_position *positions,
    bool may_be_moved, struct ls_taken *taken)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < pipeline->plan->n_tables; i++)
        if (!taken->is_lost && !taken->is_failing)
            rc = ls_change_read(ls_tables_change(pipeline->tables, i), positions[i].taken,
                positions[i].end, may_be_moved, taken);
    return rc;
}

/* Steps. Where a join meets a row that can't be computed, that is no error: the query will say
** it.
**
** Within a transaction of its own a small step costs half as much again. Where one is open, that
** is given up if a step over one table fails, as it does for lack of memory, or where all is to
** be made anew; but one over joins may fail each time, as long as there is such a row. */
static int step_over(struct ls_pipeline *pipeline, struct ls_taken *taken, char **message)
{
    bool is_own = pipeline->tables != NULL || ls_pipeline_depth(pipeline) == 0;
    int rc = is_own ? ls_pipeline_step(pipeline, message) : step(pipeline, message);

    taken->is_half_done = rc != SQLITE_OK && !is_own;
    if (rc == SQLITE_OK || !pipeline->said.is_of_data)
        return rc;
    taken->is_failing = true;
    sqlite3_free(*message);
    *message = NULL;
    return SQLITE_OK;
}

bool ls_pipeline_look(
    struct ls_pipeline *pipeline, size_t most_bytes, struct ls_position *positions)
{
    sqlite3_int64 from = positions[0].taken, last;
    bool is_known;

    if (pipeline->tables != NULL)
        return false;
    ls_pipeline_reset(pipeline);
    ls_budget_bound(&pipeline->budget, pipeline->own_bytes + most_bytes);
    is_known = ls_source_look(pipeline->sources[0], from, MOST_LOOKED, &pipeline->delta, &last);
    ls_budget_unbound(&pipeline->budget);
    if (!is_known) {
        ls_pipeline_reset(pipeline);
        return false;
    }
    positions[0].end = last;
    pipeline->looked_from = from;
    pipeline->looked_to = last;
    return true;
}

void ls_pipeline_end_look(struct ls_pipeline *pipeline)
{
    pipeline->looked_from = pipeline->looked_to = 0;
}

/* Are the rows that are to be taken in the delta already? */
static bool has_looked(const struct ls_pipeline *pipeline, const struct ls_position *positions)
{
    return pipeline->looked_to > pipeline->looked_from &&
           pipeline->looked_from == positions[0].taken &&
           pipeline->looked_to == positions[0].end;
}

/* Tells the sources of the table. */
static void expect(struct ls_pipeline *pipeline, const struct ls_inserted *inserted)
{
    const char *name =
        inserted->table < 0 ? NULL : pipeline->base_tables[inserted->table]->name;

    for (size_t i = 0; i < pipeline->plan->n_tables; i++)
        ls_source_expect(pipeline->sources[i],
            name != NULL && sqlite3_stricmp(pipeline->base_tables[i]->name, name) == 0
                ? &inserted->rowid
                : NULL);
}

void ls_pipeline_forget_ahead(struct ls_pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->plan->n_tables; i++)
        ls_source_undo_levels(pipeline->sources[i], 0);
}

bool ls_pipeline_is_ahead(const struct ls_pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->plan->n_tables; i++)
        if (ls_source_is_ahead(pipeline->sources[i]))
            return true;
    return false;
}

/* Reads what has changed, and steps. */
static int take(struct ls_pipeline *pipeline, const struct ls_position *positions,
    bool may_be_moved, struct ls_taken *taken, char **message)
{
    int rc;

    if (pipeline->tables != NULL)
        rc = read_tables(pipeline, positions, may_be_moved, taken);
    else if (has_looked(pipeline, positions))
        rc = ls_source_take_ahead(pipeline->sources[0], false, &pipeline->delta);
    else
        rc = ls_source_take(pipeline->sources[0], positions[0].taken, positions[0].end,
            may_be_moved, &pipeline->delta, &taken->has_candidates, &taken->is_lost);
    if (rc != SQLITE_OK && *message == NULL)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
    if (rc == SQLITE_OK && !taken->is_lost && !taken->is_failing)
        rc = step_over(pipeline, taken, message);
    return rc;
}

int ls_pipeline_take(struct ls_pipeline *pipeline, size_t most_bytes,
    const struct ls_position *positions, const struct ls_inserted *inserted, bool may_be_moved,
    struct ls_taken *taken, char **message)
{
    bool is_half_done;
    int rc;

    expect(pipeline, inserted);
    *taken = (struct ls_taken){.is_large = false};
    if (!has_looked(pipeline, positions))
        ls_pipeline_reset(pipeline);
    ls_budget_bound(&pipeline->budget, pipeline->own_bytes + most_bytes);
    rc = take(pipeline, positions, may_be_moved, taken, message);
    ls_budget_unbound(&pipeline->budget);
    ls_pipeline_reset(pipeline);
    is_half_done = taken->is_half_done;
    if (rc == SQLITE_NOMEM && pipeline->budget.is_exceeded)
        *taken = (struct ls_taken){.is_large = true, .is_half_done = is_half_done};
    else if (rc == SQLITE_DONE ||
             (rc == SQLITE_CORRUPT_VTAB && pipeline->plan->may_show_others))
        *taken = (struct ls_taken){.is_lost = true, .is_half_done = is_half_done};
    else
        return rc;
    sqlite3_free(*message);
    *message = NULL;
    return SQLITE_OK;
}

struct ls_join *ls_pipeline_join(const struct ls_pipeline *pipeline, size_t i)
{
    return pipeline->stages[i].join;
}

/* What an error says; overlay.h tells its bytes. */
static int explain(struct ls_pipeline *pipeline, struct zs_bytes error, char **said)
{
    uint64_t number;
    size_t at = 1;

    if (error.len > 0 && error.data[0] == LS_ERROR_OF_ROW) {
        if (zs_bytes_read_varint(error, &at, &number) != ZS_OK ||
            number >= pipeline->plan->n_tables || pipeline->sources[number] == NULL)
            return SQLITE_CORRUPT_VTAB;
        return ls_source_explain(pipeline->sources[number],
            (struct zs_bytes){error.data + at, error.len - at}, said);
    }
    *said = sqlite3_mprintf("%.*s", (int)error.len, (const char *)error.data);
    return *said == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

int ls_pipeline_error(struct ls_pipeline *pipeline, bool *found, char **said)
{
    struct zs_buffer error;
    int status;
    int rc;

    *found = false;
    if (ls_errors_are_none(pipeline->errors))
        return SQLITE_OK;
    zs_buffer_init(&error, &ls_alloc);
    status = ls_errors_first(pipeline->errors, &error, found);
    rc = status == ZS_CALLBACK ? ls_overlay_code(pipeline->overlay) : ls_code_of(status);
    if (rc == SQLITE_OK && *found && said != NULL)
        rc = explain(pipeline, zs_buffer_bytes(&error), said);
    zs_buffer_clear(&error);
    return rc;
}

static void end_levels(struct ls_pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->plan->n_tables; i++)
        ls_source_end_levels(pipeline->sources[i], ls_pipeline_depth(pipeline));
}

int ls_pipeline_begin(struct ls_pipeline *pipeline)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < pipeline->plan->n_tables; i++)
        rc = ls_source_begin_level(pipeline->sources[i], ls_pipeline_depth(pipeline));
    if (rc == SQLITE_OK)
        rc = ls_code_of(zs_circuit_begin(pipeline->circuit));
    if (rc != SQLITE_OK)
        end_levels(pipeline);
    return rc;
}

/* The circuit refuses these two only without a matching begin. */
void ls_pipeline_commit(struct ls_pipeline *pipeline)
{
    int rc = zs_circuit_commit(pipeline->circuit);

    (void)rc;
    end_levels(pipeline);
}

void ls_pipeline_rollback(struct ls_pipeline *pipeline)
{
    int rc = zs_circuit_rollback(pipeline->circuit);

    (void)rc;
    for (size_t i = 0; i < pipeline->plan->n_tables; i++)
        ls_source_undo_levels(pipeline->sources[i], ls_pipeline_depth(pipeline));
}

unsigned ls_pipeline_depth(const struct ls_pipeline *pipeline)
{
    return zs_circuit_depth(pipeline->circuit);
}

size_t ls_pipeline_pending(const struct ls_pipeline *pipeline)
{
    return ls_overlay_pending(pipeline->overlay) + ls_result_pending(pipeline->result);
}

/* Where a function that the query calls has ended the transaction, nothing is written behind
** its end. */
int ls_pipeline_store(struct ls_pipeline *pipeline)
{
    int rc = sqlite3_txn_state(pipeline->db, pipeline->schema) == SQLITE_TXN_WRITE
                 ? ls_overlay_store(pipeline->overlay)
                 : SQLITE_ABORT_ROLLBACK;

    return rc != SQLITE_OK ? rc : ls_result_store(pipeline->result);
}

void ls_pipeline_add_stored(const struct ls_pipeline *pipeline, struct ls_counts *counts)
{
    counts->rows += ls_result_added(pipeline->result);
    counts->cells += ls_overlay_added(pipeline->overlay);
}

int ls_pipeline_check(struct ls_pipeline *pipeline, int64_t *cells)
{
    return ls_overlay_check(pipeline->overlay, cells);
}

void ls_pipeline_forget(struct ls_pipeline *pipeline)
{
    ls_overlay_forget(pipeline->overlay);
    ls_result_forget(pipeline->result);
}

void ls_pipeline_drop(struct ls_pipeline *pipeline)
{
    ls_pipeline_forget(pipeline);
    ls_overlay_distrust(pipeline->overlay);
    ls_result_distrust(pipeline->result);
    ls_errors_distrust(pipeline->errors);
}
