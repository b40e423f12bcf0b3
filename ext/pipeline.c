/* A view's plan as a circuit over its stored state. */
#include "ext/pipeline.h"

#include <string.h>

#include "core/fold.h"
#include "ext/encoder.h"
#include "ext/map.h"
#include "ext/refold.h"
#include "ext/source.h"
#include "ext/statement.h"

/* Tags of the overlay's parts; operator i keeps its groups under GROUPS + 2 i and the values of
** its multiset under the next. Stored: they never change their meaning. */
enum { ERRORS = 1, GROUPS = 16, MAX_OPERATORS = 100 };

/* How many rows a build takes in before it stores. */
enum { PIECE = 10000 };

/* What belongs to one operator of the plan. */
struct stage {
    struct ls_encoder encoder; /* of its output, for what reads it */
    struct ls_map *map;
    struct zs_fold *fold;
    struct ls_refolds *refolds;
    struct zs_cells *groups;
    struct zs_trace *multiset;
};

struct ls_pipeline {
    sqlite3 *db;
    struct ls_batchtable **batchtables;
    char *schema;
    char *view;
    const struct zsql_plan *plan;
    struct ls_table *const *tables;
    int utf16;
    struct stage *stages;
    struct ls_source **sources; /* one a table */
    struct ls_overlay *overlay;
    struct ls_location location; /* of the result's rows */
    struct ls_result *result;
    struct zs_cells *error_cells;
    struct zs_trace *errors;
    struct zs_circuit *circuit;
    struct zs_input rows_input;
    struct zs_input errors_input;
    struct zs_delta delta;
    sqlite3_stmt *number; /* of number_of */
};

/* The second input carries errors as rows; here they become errors. */
static int as_errors(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    (void)ctx;
    return zs_batch_add_all(out->errors, in, 1);
}

static const struct zsql_operator *consumer_of(const struct zsql_plan *plan, size_t i)
{
    return i + 1 < plan->n_operators ? plan->operators[i + 1] : NULL;
}

/* A blob of a UTF-16 database counts in a sum as the number that its bytes spell in UTF-16: bound
** as such a text, SQLite reads it so. */
static int bind_number(struct ls_pipeline *pipeline, const struct zs_value *value)
{
    unsigned char encoding = pipeline->utf16 == 0 ? SQLITE_UTF16LE : SQLITE_UTF16BE;

    if (value->type != ZS_BLOB || pipeline->utf16 < 0)
        return ls_bind(pipeline->number, 1, value);
    return sqlite3_bind_text64(pipeline->number, 1, (const char *)value->bytes.data,
        value->bytes.len, SQLITE_TRANSIENT, encoding);
}

/* How a text or blob counts in a sum is SQLite's to say: bound, it comes back as a value that can
** be asked. A blob counts as a real. A zs_number_fn; ctx is the pipeline. */
static int number_of(void *ctx, const struct zs_value *value, struct zs_value *number)
{
    struct ls_pipeline *pipeline = ctx;
    int rc = SQLITE_OK;

    if (pipeline->number == NULL)
        rc = ls_prepare(pipeline->db, &pipeline->number, "SELECT ?1");
    if (rc == SQLITE_OK)
        rc = bind_number(pipeline, value);
    if (rc == SQLITE_OK && sqlite3_step(pipeline->number) == SQLITE_ROW) {
        if (value->type == ZS_BLOB)
            *number = (struct zs_value){
                .type = ZS_REAL, .real = sqlite3_column_double(pipeline->number, 0)};
        else
            rc = ls_numeric(sqlite3_column_value(pipeline->number, 0), number);
    }
    if (pipeline->number != NULL) {
        int reset = sqlite3_reset(pipeline->number);
        rc = rc == SQLITE_OK ? reset : rc;
    }
    return rc == SQLITE_OK ? ZS_OK : ZS_NOMEM;
}

/* The specs of an aggregate, with collations as the database orders text. */
static int read_specs(struct ls_pipeline *pipeline, const struct zsql_operator *output,
    struct zs_fold_spec **specs)
{
    *specs = zs_alloc_zeroed(&ls_alloc, output->n_specs * sizeof(**specs));
    if (*specs == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < output->n_specs; i++) {
        (*specs)[i] = output->specs[i];
        (*specs)[i].collation =
            ls_database_collation(output->specs[i].collation, pipeline->utf16);
    }
    return ZS_OK;
}

static int make_fold(
    struct ls_pipeline *pipeline, const struct zsql_operator *output, struct stage *stage)
{
    size_t n_shown = output->n_keys + output->n_bare;
    struct zs_fold_spec *specs;
    int rc = read_specs(pipeline, output, &specs);

    if (rc == ZS_OK)
        rc = zs_sql_fold_new(&ls_alloc, (unsigned)n_shown,
            (unsigned)(output->input->n_columns - n_shown), specs, (unsigned)output->n_specs,
            output->is_global, &stage->fold);
    sqlite3_free(specs);
    if (rc == ZS_OK)
        rc = zs_fold_set_choice(stage->fold, output->choice, output->choice_argument,
            ls_database_collation(output->choice_collation, pipeline->utf16));
    if (rc == ZS_OK)
        rc = ls_refolds_new(pipeline->db, pipeline->batchtables, output, &stage->refolds);
    if (rc != ZS_OK)
        return rc;
    zs_fold_set_numbers(stage->fold, number_of, pipeline);
    zs_fold_set_refold(stage->fold, ls_refold, stage->refolds);
    return ZS_OK;
}

static int build_aggregate(struct ls_pipeline *pipeline, size_t i, struct zs_stream *stream)
{
    const struct zsql_operator *output = pipeline->plan->operators[i];
    struct stage *stage = &pipeline->stages[i];
    uint8_t tag = (uint8_t)(GROUPS + 2 * i);
    int rc = make_fold(pipeline, output, stage);

    if (rc == ZS_OK)
        rc = ls_overlay_part(pipeline->overlay, tag, &stage->groups);
    if (rc == ZS_OK)
        rc = zs_cells_trace_new(&ls_alloc, ls_overlay_cells(pipeline->overlay),
            (uint8_t)(tag + 1), &stage->multiset);
    if (rc == ZS_OK)
        rc = zs_circuit_aggregate(
            pipeline->circuit, *stream, stage->fold, stage->groups, stage->multiset, stream);
    return rc;
}

static int build_stage(struct ls_pipeline *pipeline, size_t i, struct zs_stream *stream)
{
    const struct zsql_operator *output = pipeline->plan->operators[i];
    struct stage *stage = &pipeline->stages[i];
    int rc = ls_encoder_init(
        &stage->encoder, output, consumer_of(pipeline->plan, i), pipeline->utf16);

    if (rc != ZS_OK || output->kind == ZSQL_SOURCE)
        return rc;
    if (output->kind == ZSQL_AGGREGATE_BY)
        return build_aggregate(pipeline, i, stream);
    if (i == 1)
        return ls_source_new(pipeline->db, pipeline->tables[0], 0, output->input, output,
            &stage->encoder, &pipeline->sources[0]);
    rc = ls_map_new(pipeline->db, pipeline->batchtables, output, &stage->encoder, &stage->map);
    if (rc == ZS_OK)
        rc = zs_circuit_linear(pipeline->circuit, *stream, ls_map_step, stage->map, stream);
    return rc;
}

/* The inputs, a node an operator behind the source's map, and the result. */
static int build_circuit(struct ls_pipeline *pipeline)
{
    struct zs_stream rows, errors, stream;
    int rc = zs_circuit_new(&ls_alloc, &pipeline->circuit);

    if (rc == ZS_OK)
        rc = zs_circuit_input(pipeline->circuit, &pipeline->rows_input, &rows);
    if (rc == ZS_OK)
        rc = zs_circuit_input(pipeline->circuit, &pipeline->errors_input, &errors);
    if (rc == ZS_OK)
        rc = zs_circuit_linear(pipeline->circuit, errors, as_errors, NULL, &errors);
    if (rc == ZS_OK)
        rc = zs_circuit_plus(pipeline->circuit, rows, errors, &stream);
    for (size_t i = 0; rc == ZS_OK && i < pipeline->plan->n_operators; i++)
        rc = build_stage(pipeline, i, &stream);
    if (rc == ZS_OK)
        rc = zs_circuit_store(
            pipeline->circuit, stream, ls_result_trace(pipeline->result), pipeline->errors);
    return rc;
}

/* Rows are found by their key where the view shows all of it. */
static int read_location(struct ls_pipeline *pipeline)
{
    const struct zsql_plan *plan = pipeline->plan;
    const struct zsql_operator *groups = NULL;
    struct ls_location *location = &pipeline->location;
    size_t n_columns = plan->operators[plan->n_operators - 1]->n_columns;
    bool shows_key = plan->is_keyed && plan->n_keys > 0;

    location->n_columns = (int)n_columns;
    location->is_key = zs_alloc_zeroed(&ls_alloc, n_columns * sizeof(bool));
    location->collations =
        zs_alloc_zeroed(&ls_alloc, n_columns * sizeof(*location->collations));
    if (location->is_key == NULL || location->collations == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < plan->n_operators; i++)
        if (plan->operators[i]->kind == ZSQL_AGGREGATE_BY)
            groups = plan->operators[i]; /* the last one: the keys are its own */
    for (size_t i = 0; i < plan->n_keys; i++)
        shows_key = shows_key && plan->key_columns[i] >= 0;
    for (size_t i = 0; shows_key && i < plan->n_keys; i++) {
        int column = plan->key_columns[i];

        location->is_key[column] = true;
        location->collations[column] =
            ls_database_collation(groups->columns[i].collation, pipeline->utf16);
        location->n_keys++;
    }
    return ZS_OK;
}

int ls_pipeline_new(sqlite3 *db, struct ls_batchtable **batchtables, const char *schema,
    const char *view, const struct zsql_plan *plan, struct ls_table *const *tables,
    int hash_bits, struct ls_pipeline **pipeline)
{
    struct ls_pipeline *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int status = made == NULL || plan->n_operators > MAX_OPERATORS ? ZS_NOMEM : ZS_OK;
    int rc;

    *pipeline = NULL;
    if (made == NULL)
        return SQLITE_NOMEM;
    made->db = db;
    made->batchtables = batchtables;
    made->plan = plan;
    made->tables = tables;
    made->schema = sqlite3_mprintf("%s", schema);
    made->view = sqlite3_mprintf("%s", view);
    made->stages = zs_alloc_zeroed(&ls_alloc, plan->n_operators * sizeof(*made->stages));
    made->sources = zs_alloc_zeroed(&ls_alloc, plan->n_tables * sizeof(*made->sources));
    if (made->schema == NULL || made->view == NULL || made->stages == NULL ||
        made->sources == NULL)
        status = ZS_NOMEM;
    rc = ls_text_encoding(db, schema, &made->utf16);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = zs_delta_init(&made->delta, &ls_alloc);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_overlay_new(db, schema, view, &made->overlay);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = read_location(made);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_result_new(db, schema, view, &made->location, hash_bits, &made->result);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_overlay_part(made->overlay, ERRORS, &made->error_cells);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = ls_errors_new(made->error_cells, &made->errors);
    if (status == ZS_OK && rc == SQLITE_OK)
        status = build_circuit(made);
    if (rc == SQLITE_OK)
        rc = ls_code_of(status);
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
    for (size_t i = 0; pipeline->stages != NULL && i < pipeline->plan->n_operators; i++) {
        struct stage *stage = &pipeline->stages[i];

        zs_trace_free(stage->multiset);
        zs_cells_free(stage->groups);
        zs_fold_free(stage->fold);
        ls_refolds_free(stage->refolds);
        ls_map_free(stage->map);
        ls_encoder_clear(&stage->encoder);
    }
    for (size_t i = 0; pipeline->sources != NULL && i < pipeline->plan->n_tables; i++)
        ls_source_free(pipeline->sources[i]);
    sqlite3_finalize(pipeline->number);
    zs_trace_free(pipeline->errors);
    zs_cells_free(pipeline->error_cells);
    ls_result_free(pipeline->result);
    sqlite3_free(pipeline->location.is_key);
    sqlite3_free(pipeline->location.collations);
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

/* SQLite's code of a failed step, which may lie with any of the circuit's functions. */
static int code_of_step(struct ls_pipeline *pipeline, int status, char **message)
{
    int rc = SQLITE_OK;

    if (status == ZS_NOMEM)
        return SQLITE_NOMEM;
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

/* Gives the circuit what the delta holds and steps, within a transaction of its own. */
static int step(struct ls_pipeline *pipeline, char **message)
{
    int status = zs_circuit_begin(pipeline->circuit);

    if (status != ZS_OK)
        return code_of_step(pipeline, status, message);
    status = zs_circuit_give(pipeline->circuit, pipeline->rows_input, pipeline->delta.rows);
    if (status == ZS_OK)
        status =
            zs_circuit_give(pipeline->circuit, pipeline->errors_input, pipeline->delta.errors);
    if (status == ZS_OK)
        status = zs_circuit_step(pipeline->circuit);
    if (status != ZS_OK) {
        int rc = code_of_step(pipeline, status, message);

        ls_pipeline_rollback(pipeline);
        return rc;
    }
    ls_pipeline_commit(pipeline);
    return SQLITE_OK;
}

int ls_pipeline_take(struct ls_pipeline *pipeline, const struct ls_position *positions,
    bool may_be_moved, bool *has_candidates, bool *is_lost, char **message)
{
    int rc;

    zs_delta_reset(&pipeline->delta);
    rc = ls_source_take(pipeline->sources[0], positions[0].taken, positions[0].end,
        may_be_moved, &pipeline->delta, has_candidates, is_lost);
    if (rc != SQLITE_OK)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
    if (rc == SQLITE_OK && !*is_lost)
        rc = step(pipeline, message);
    zs_delta_reset(&pipeline->delta);
    return rc;
}

static int store_and_forget(struct ls_pipeline *pipeline)
{
    int rc = ls_pipeline_store(pipeline);

    if (rc == SQLITE_OK)
        ls_pipeline_forget(pipeline);
    return rc;
}

/* One piece of a build. */
struct build {
    struct ls_pipeline *pipeline;
    char **message;
};

static int build_piece(void *ctx, struct zs_delta *delta)
{
    struct build *build = ctx;
    int rc = step(build->pipeline, build->message);

    zs_delta_reset(delta);
    if (rc == SQLITE_OK && ls_pipeline_pending(build->pipeline) > PIECE)
        rc = store_and_forget(build->pipeline);
    return rc;
}

static int empty_state(struct ls_pipeline *pipeline)
{
    ls_pipeline_drop(pipeline);
    return ls_exec(pipeline->db,
        "DELETE FROM \"%w\".\"%w_trace\"; DELETE FROM \"%w\".\"%w_data\"", pipeline->schema,
        pipeline->view, pipeline->schema, pipeline->view);
}

int ls_pipeline_build(struct ls_pipeline *pipeline, char **message)
{
    struct build build = {pipeline, message};
    bool has_failing_row = false;
    int rc = SQLITE_OK;

    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        sqlite3_free(*message);
        *message = NULL;
        zs_delta_reset(&pipeline->delta);
        rc = empty_state(pipeline);
        if (rc == SQLITE_OK)
            rc = step(pipeline, message); /* a global aggregate gets its row */
        if (rc == SQLITE_OK)
            rc = ls_source_scan(pipeline->sources[0], one_by_one, &pipeline->delta, PIECE,
                build_piece, &build, &has_failing_row);
        if (rc == SQLITE_OK || !has_failing_row)
            break;
    }
    if (rc == SQLITE_OK)
        rc = store_and_forget(pipeline);
    if (rc != SQLITE_OK && *message == NULL)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
    zs_delta_reset(&pipeline->delta);
    return rc;
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

    zs_buffer_init(&error, &ls_alloc);
    status = ls_errors_first(pipeline->error_cells, &error, found);
    rc = status == ZS_CALLBACK ? ls_overlay_code(pipeline->overlay) : ls_code_of(status);
    if (rc == SQLITE_OK && *found && said != NULL)
        rc = explain(pipeline, zs_buffer_bytes(&error), said);
    zs_buffer_clear(&error);
    return rc;
}

int ls_pipeline_begin(struct ls_pipeline *pipeline)
{
    return ls_code_of(zs_circuit_begin(pipeline->circuit));
}

/* The circuit refuses these two only without a matching begin. */
void ls_pipeline_commit(struct ls_pipeline *pipeline)
{
    int rc = zs_circuit_commit(pipeline->circuit);
    (void)rc;
}

void ls_pipeline_rollback(struct ls_pipeline *pipeline)
{
    int rc = zs_circuit_rollback(pipeline->circuit);
    (void)rc;
}

unsigned ls_pipeline_depth(const struct ls_pipeline *pipeline)
{
    return zs_circuit_depth(pipeline->circuit);
}

size_t ls_pipeline_pending(const struct ls_pipeline *pipeline)
{
    return ls_overlay_pending(pipeline->overlay) + ls_result_pending(pipeline->result);
}

int ls_pipeline_store(struct ls_pipeline *pipeline)
{
    int rc = ls_overlay_store(pipeline->overlay);

    return rc != SQLITE_OK ? rc : ls_result_store(pipeline->result);
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
}
