/* From a plan to a circuit: an input for what enters, and a node an operator. */
#include "ext/pipeline_private.h"

#include "ext/statement.h"

enum { MOST_SHOWN = 10000 }; /* rows of a top that a build keeps apart */

static bool reads(const struct zsql_operator *operator, const struct zsql_operator * input)
{
    for (size_t i = 0; i < operator->n_inputs; i++)
        if (operator->inputs[i] == input)
            return true;
    return operator->input == input;
}

/* Who reads the output of an operator, sums apart: NULL where it is the result. */
static const struct zsql_operator *consumer_of(const struct zsql_plan *plan, size_t i)
{
    const struct zsql_operator *output = plan->operators[i];

    for (size_t j = i + 1; j < plan->n_operators; j++) {
        const struct zsql_operator *reader = plan->operators[j];

        if (!reads(reader, output))
            continue;
        if (reader->kind != ZSQL_PLUS)
            return reader;
        output = reader;
    }
    return NULL;
}

/* The one operator that reads another's rows, and reads them once; NULL where there is none, or
** more than that. */
static const struct zsql_operator *only_reader(
    const struct zsql_plan *plan, const struct zsql_operator *output)
{
    const struct zsql_operator *only = NULL;
    size_t n = output->is_read;

    for (size_t i = 0; i < plan->n_operators; i++) {
        const struct zsql_operator *reader = plan->operators[i];

        n += reader->input == output;
        for (size_t k = 0; k < reader->n_inputs; k++)
            n += reader->inputs[k] == output;
        if (reads(reader, output))
            only = reader;
    }
    return n == 1 ? only : NULL;
}

static bool is_small_top(const struct zsql_operator *reader)
{
    return reader->kind == ZSQL_TOP && reader->limit >= 0 && reader->limit <= MOST_SHOWN &&
           reader->offset <= MOST_SHOWN;
}

/* Are the rows of an operator the result's, sums apart; or those that the result shows the
** first of? */
static int straight_to(const struct zsql_plan *plan, size_t i)
{
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];
    const struct zsql_operator *output = plan->operators[i];
    const struct zsql_operator *reader = only_reader(plan, output);

    if (reader == root && is_small_top(reader) && !root->is_read)
        return TO_TOP;
    while (reader != NULL && reader->kind == ZSQL_PLUS) {
        output = reader;
        reader = only_reader(plan, output);
    }
    return output == root && !root->is_read ? TO_RESULT : TO_CIRCUIT;
}

static size_t number_in(const struct zsql_plan *plan, const struct zsql_operator *operator)
{
    size_t i = 0;

    while (i < plan->n_operators && plan->operators[i] != operator)
        i++;
    return i;
}

/* A blob of a UTF-16 database counts in a sum as the number that its bytes spell in UTF-16:
** bound as such a text, SQLite reads it so. */
static int bind_number(struct ls_pipeline *pipeline, const struct zs_value *value)
{
    unsigned char encoding = pipeline->utf16 == 0 ? SQLITE_UTF16LE : SQLITE_UTF16BE;

    if (value->type != ZS_BLOB || pipeline->utf16 < 0)
        return ls_bind(pipeline->number, 1, value);
    return sqlite3_bind_text64(pipeline->number, 1, (const char *)value->bytes.data,
        value->bytes.len, SQLITE_TRANSIENT, encoding);
}

/* How a text or blob counts in a sum is SQLite's to say: bound, it comes back as a value that
** can be asked. A blob counts as a real. A zs_number_fn; ctx is the pipeline. */
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
        rc = zs_sql_fold_new(&pipeline->budget.alloc, (unsigned)n_shown,
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

/* What comes under a key of its own gets that which is expected of it. ctx is the stage. */
static int key_anew(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct stage *stage = ctx;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(in); i++) {
        const struct zs_item *item = &zs_batch_items(in)[i];

        rc = ls_encoder_key(&stage->encoder, item->value, &stage->key);
        if (rc == ZS_OK)
            rc = zs_batch_add(
                out->rows, zs_buffer_bytes(&stage->key), item->value, item->weight);
    }
    return rc;
}

static int add_aggregate(
    struct ls_pipeline *pipeline, size_t i, struct zs_stream in, struct zs_stream *out)
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
            pipeline->circuit, in, stage->fold, stage->groups, stage->multiset, out);
    if (rc == ZS_OK && stage->encoder.is_keyed)
        rc = zs_circuit_linear(pipeline->circuit, *out, key_anew, stage, out);
    return rc;
}

static int add_top(
    struct ls_pipeline *pipeline, size_t i, struct zs_stream in, struct zs_stream *out)
{
    const struct zsql_operator *top = pipeline->plan->operators[i];
    struct stage *stage = &pipeline->stages[i];
    uint8_t tag = (uint8_t)(GROUPS + 2 * i);
    int rc = zs_cells_trace_new(
        &ls_alloc, ls_overlay_cells(pipeline->overlay), (uint8_t)(tag + 1), &stage->multiset);

    if (rc == ZS_OK && is_small_top(top))
        rc = ls_overlay_part(pipeline->overlay, tag, &stage->groups);
    if (rc == ZS_OK)
        rc = zs_circuit_top(pipeline->circuit, in, top->offset, top->limit, stage->multiset,
            stage->groups, out);
    if (rc == ZS_OK && stage->encoder.is_keyed)
        rc = zs_circuit_linear(pipeline->circuit, *out, key_anew, stage, out);
    return rc;
}

static int add_map(
    struct ls_pipeline *pipeline, size_t i, struct zs_stream in, struct zs_stream *out)
{
    struct stage *stage = &pipeline->stages[i];
    int rc = ls_map_new(pipeline->db, pipeline->batchtables, pipeline->plan->operators[i],
        &stage->encoder, &stage->map);

    *out = in;
    if (rc == ZS_OK && !ls_map_changes_nothing(stage->map))
        rc = zs_circuit_linear(pipeline->circuit, in, ls_map_step, stage->map, out);
    return rc;
}

/* What changes in a join when the operators before it have run; in a build the rows that it was
** given. ctx is the stage. */
static int pull_join(void *ctx, struct zs_delta *out)
{
    struct stage *stage = ctx;
    struct ls_pipeline *pipeline = stage->pipeline;
    int rc;

    if (pipeline->is_building) {
        zs_batch_swap(stage->rows, out->rows);
        return ZS_OK;
    }
    rc = ls_join_change(
        stage->join, out->rows, &pipeline->said.is_of_data, &pipeline->said.message);
    pipeline->said.code = rc;
    return rc == SQLITE_OK ? ZS_OK : rc == SQLITE_NOMEM ? ZS_NOMEM : ZS_CALLBACK;
}

static int add_join(struct ls_pipeline *pipeline, size_t i, struct zs_stream *out)
{
    struct stage *stage = &pipeline->stages[i];
    int rc = ls_join_new(pipeline->db, pipeline->plan->operators[i], &stage->encoder,
        pipeline->tables, &stage->join);

    if (rc == ZS_OK)
        rc = zs_batch_new(&pipeline->budget.alloc, &stage->rows);
    if (rc == ZS_OK)
        rc = zs_circuit_pull(pipeline->circuit, pull_join, stage, out);
    return rc;
}

/* What joins read of an operator's output is kept, before they are asked. */
static int keep_made(struct ls_pipeline *pipeline, size_t i, struct zs_stream in)
{
    struct ls_made *made = ls_tables_made(pipeline->tables, i);
    int rc = zs_circuit_linear(pipeline->circuit, in, ls_made_take, made, &in);

    return rc == ZS_OK
               ? zs_circuit_store(pipeline->circuit, in, ls_made_trace(made), pipeline->errors)
               : rc;
}

static int add_plus(struct ls_pipeline *pipeline, const struct zsql_operator *plus,
    const struct zs_stream *streams, struct zs_stream *out)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < plus->n_inputs; i++) {
        struct zs_stream in = streams[number_in(pipeline->plan, plus->inputs[i])];

        if (i == 0)
            *out = in;
        else
            rc = zs_circuit_plus(pipeline->circuit, *out, in, out);
    }
    return rc;
}

/* What was read of the one table. ctx is the pipeline. */
static int pull_delta(void *ctx, struct zs_delta *out)
{
    struct ls_pipeline *pipeline = ctx;

    zs_batch_swap(pipeline->delta.rows, out->rows);
    zs_batch_swap(pipeline->delta.errors, out->errors);
    return ZS_OK;
}

/* The map behind a source is computed with the rows that it reads. */
static int add_source(struct ls_pipeline *pipeline, size_t i, struct zs_stream *out)
{
    const struct zsql_operator *output = pipeline->plan->operators[i];
    int rc = ls_source_new(pipeline->db, &pipeline->budget.alloc, pipeline->base_tables[0], 0,
        output->input, output, &pipeline->stages[i].encoder, &pipeline->sources[0]);

    return rc == ZS_OK ? zs_circuit_pull(pipeline->circuit, pull_delta, pipeline, out) : rc;
}

/* What operator i gives comes under the key that its reader expects; the rows of a table, where
** the result finds them by their key, under that. */
static int make_encoder(struct ls_pipeline *pipeline, size_t i)
{
    const struct zsql_plan *plan = pipeline->plan;
    const struct ls_location *location = &pipeline->location;
    struct ls_encoder *encoder = &pipeline->stages[i].encoder;

    if (i + 1 == plan->n_operators && plan->is_keyed_by_row && location->n_keys > 0)
        return ls_encoder_key_by(encoder, location->key_columns, location->collations,
            (size_t)location->n_keys, plan->operators[i]->n_columns);
    return ls_encoder_init(encoder, plan->operators[i], consumer_of(plan, i), pipeline->utf16);
}

/* Adds what operator i stands for; streams has the outputs of those before it, and gets its
** own. */
static int add_operator(struct ls_pipeline *pipeline, size_t i, struct zs_stream *streams)
{
    const struct zsql_operator *output = pipeline->plan->operators[i];
    struct stage *stage = &pipeline->stages[i];
    struct zs_stream in = {0, 0};
    int rc = make_encoder(pipeline, i);

    stage->pipeline = pipeline;
    stage->straight = straight_to(pipeline->plan, i);
    zs_buffer_init(&stage->key, &ls_alloc);
    if (output->input != NULL)
        in = streams[number_in(pipeline->plan, output->input)];
    if (rc != ZS_OK)
        return rc;
    switch (output->kind) {
    case ZSQL_SOURCE:
        return ZS_OK;
    case ZSQL_JOIN:
        return add_join(pipeline, i, &streams[i]);
    case ZSQL_MAP:
        return output->input->kind == ZSQL_SOURCE ? add_source(pipeline, i, &streams[i])
                                                  : add_map(pipeline, i, in, &streams[i]);
    case ZSQL_AGGREGATE_BY:
        return add_aggregate(pipeline, i, in, &streams[i]);
    case ZSQL_TOP:
        return add_top(pipeline, i, in, &streams[i]);
    case ZSQL_PLUS:
        return add_plus(pipeline, output, streams, &streams[i]);
    }
    return ZS_MISUSE;
}

/* A join over groups gives rows without the group's key, by which the result finds them. ctx is
** the pipeline. */
static int place_rows(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    struct ls_pipeline *pipeline = ctx;
    struct zs_buffer *key = &pipeline->stages[pipeline->plan->n_operators - 1].key;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(in); i++) {
        const struct zs_item *item = &zs_batch_items(in)[i];
        struct zs_bytes place;

        rc = ls_result_place(pipeline->result, item->value, key, &place);
        if (rc == ZS_OK)
            rc = zs_batch_add(out->rows, place, item->value, item->weight);
    }
    return rc;
}

static int add_result(struct ls_pipeline *pipeline, struct zs_stream in)
{
    const struct zsql_plan *plan = pipeline->plan;
    bool is_join = plan->operators[plan->n_operators - 1]->kind == ZSQL_JOIN;
    int rc = ZS_OK;

    if (is_join && pipeline->location.n_keys > 0)
        rc = zs_circuit_linear(pipeline->circuit, in, place_rows, pipeline, &in);
    return rc == ZS_OK ? zs_circuit_store(pipeline->circuit, in,
                             ls_result_trace(pipeline->result), pipeline->errors)
                       : rc;
}

int ls_pipeline_wire(struct ls_pipeline *pipeline)
{
    size_t n = pipeline->plan->n_operators;
    struct zs_stream *streams = zs_alloc_zeroed(&ls_alloc, n * sizeof(*streams));
    int rc = streams == NULL ? ZS_NOMEM
                             : zs_circuit_new(&pipeline->budget.alloc, &pipeline->circuit);

    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        rc = add_operator(pipeline, i, streams);
        if (rc == ZS_OK && pipeline->plan->operators[i]->is_read)
            rc = keep_made(pipeline, i, streams[i]);
    }
    if (rc == ZS_OK)
        rc = add_result(pipeline, streams[n - 1]);
    sqlite3_free(streams);
    return rc;
}

void ls_pipeline_unwire(struct ls_pipeline *pipeline)
{
    for (size_t i = 0; pipeline->stages != NULL && i < pipeline->plan->n_operators; i++) {
        struct stage *stage = &pipeline->stages[i];

        zs_trace_free(stage->multiset);
        zs_cells_free(stage->groups);
        zs_fold_free(stage->fold);
        ls_refolds_free(stage->refolds);
        ls_map_free(stage->map);
        ls_join_free(stage->join);
        zs_batch_free(stage->rows);
        ls_encoder_clear(&stage->encoder);
        if (stage->key.alloc != NULL)
            zs_buffer_clear(&stage->key);
    }
}
