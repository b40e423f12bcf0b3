/* Making a view's state anew: the rows of its tables go in pieces through the circuit, over
** shadow tables that are empty at first, with as much in memory as is allowed.
**
** While everything fits, each cell is written once, in order. Where it does not, an aggregate
** reads its rows in the order of its keys: groups are then made one after the other, and what
** is stored of them is done. Where values are kept with the groups they will hardly fit, and
** where groups are computed as a whole that should be done once: then that order is the first
** choice. */
#include "ext/build_top.h"
#include "ext/statement.h"

/* A piece has a row for so many bytes that may be in memory, and ends within a group only where
** that makes it so many times as long. */
enum { BYTES_A_ROW = 6400, MOST_PIECES = 10 };

/* A build, in pieces. */
struct build {
    struct ls_pipeline *pipeline;
    struct ls_batchtable *table; /* of the result's rows */
    struct ls_fill *fill;
    struct ls_runs runs;
    size_t most_bytes;
    struct ls_build_top top;
    bool can_sort;             /* and has not tried */
    const struct stage *stage; /* whose rows a scan gives */
    struct zs_batch *rows;     /* those of them that enter the circuit */
    char **message;
};

static int store_and_forget(struct ls_pipeline *pipeline)
{
    int rc = ls_pipeline_store(pipeline);

    if (rc == SQLITE_OK)
        ls_pipeline_forget(pipeline);
    return rc;
}

static int begin_building(struct build *build)
{
    struct ls_pipeline *pipeline = build->pipeline;
    const struct zsql_plan *plan = pipeline->plan;
    int rc = SQLITE_OK;

    if (build->table == NULL)
        rc = ls_code_of(ls_batchtable_take(pipeline->db, pipeline->batchtables,
            plan->operators[plan->n_operators - 1], &build->table));
    if (rc == SQLITE_OK && build->fill == NULL)
        rc = ls_code_of(ls_fill_new(pipeline->db, pipeline->batchtables, pipeline->schema,
            pipeline->view, &build->fill));
    if (rc != SQLITE_OK)
        return rc;
    ls_overlay_build(pipeline->overlay, build->fill);
    ls_result_build(pipeline->result, build->table);
    return ls_code_of(
        ls_build_top_begin(&build->top, pipeline, build->fill, build->most_bytes));
}

static void end_building(struct build *build)
{
    ls_overlay_build(build->pipeline->overlay, NULL);
    ls_result_build(build->pipeline->result, NULL);
    ls_batchtable_give_back(build->table);
    ls_build_top_end(&build->top);
    ls_fill_free(build->fill);
}

/* Stores, and goes on without looking back where the piece has ended its groups. An error,
** however, may come once more. */
static int store_piece(struct build *build)
{
    struct ls_pipeline *pipeline = build->pipeline;
    bool has_error = false;
    int rc = store_and_forget(pipeline);

    if (rc != SQLITE_OK || !build->runs.are_sorted || !build->runs.begins)
        return rc;
    rc = ls_pipeline_error(pipeline, &has_error, NULL);
    if (rc == SQLITE_OK && !has_error)
        ls_overlay_end_groups(pipeline->overlay);
    return rc;
}

static size_t size_of(const struct ls_pipeline *pipeline)
{
    return ls_overlay_size(pipeline->overlay) + ls_result_size(pipeline->result);
}

/* Where memory is full, rows of the result may be the same; else what is there is stored.
** SQLITE_DONE where the build is to begin anew, in order. */
static int make_room(struct build *build)
{
    int rc;

    if (size_of(build->pipeline) <= build->most_bytes)
        return SQLITE_OK;
    rc = ls_code_of(ls_result_settle(build->pipeline->result));
    if (rc != SQLITE_OK || size_of(build->pipeline) <= build->most_bytes / 2)
        return rc;
    return build->can_sort ? SQLITE_DONE : store_piece(build);
}

static int build_piece(void *ctx)
{
    struct build *build = ctx;
    int rc = ls_pipeline_step(build->pipeline, build->message);

    ls_pipeline_reset(build->pipeline);
    return rc == SQLITE_OK ? make_room(build) : rc;
}

static int take_into_result(struct build *build, struct zs_bytes row, int64_t n)
{
    int rc = ls_code_of(ls_result_add(build->pipeline->result, row, n));

    return rc == SQLITE_OK ? make_room(build) : rc;
}

/* A ls_row_fn. */
static int take_row(void *ctx, struct zs_bytes key, struct zs_bytes value, int64_t n)
{
    struct build *build = ctx;
    int rc;

    if (build->stage->straight == TO_RESULT)
        return take_into_result(build, value, n);
    if (build->stage->straight == TO_TOP)
        return ls_code_of(ls_build_top_add(&build->top, key, value, n));
    rc = ls_code_of(ls_runs_note(&build->runs, key));
    if (rc == SQLITE_OK && ls_runs_end_piece(&build->runs, zs_batch_len(build->rows)))
        rc = build_piece(build);
    if (zs_batch_len(build->rows) == 0)
        ls_runs_begin_piece(&build->runs);
    return rc == SQLITE_OK ? ls_code_of(zs_batch_add(build->rows, key, value, n)) : rc;
}

static int end_scan(struct build *build)
{
    const struct zs_delta *delta = &build->pipeline->delta;

    if (zs_batch_len(build->rows) + zs_batch_len(delta->errors) > 0)
        return build_piece(build);
    return build->stage->straight == TO_TOP ? ls_build_top_write(&build->top) : SQLITE_OK;
}

/* What one aggregate alone makes of the rows of one source or join, nothing else keeping state,
** can be made group by group. */
static bool is_of_one_aggregate(const struct zsql_plan *plan)
{
    const struct zsql_operator *rows = NULL, *groups = NULL;

    for (size_t i = 0; i < plan->n_operators; i++) {
        const struct zsql_operator *operator= plan->operators[i];

        if (operator->kind == ZSQL_AGGREGATE_BY && groups == NULL && operator->n_keys> 0)
            groups = operator;
        else if (operator->kind == ZSQL_JOIN && rows == NULL)
            rows = operator;
        else if (operator->kind == ZSQL_MAP && operator->input->kind == ZSQL_SOURCE)
            rows = operator;
        else if (operator->kind != ZSQL_SOURCE && operator->kind != ZSQL_MAP)
            return false;
    }
    return groups != NULL && groups->input == rows;
}

static void init_build(struct build *build)
{
    const struct ls_pipeline *pipeline = build->pipeline;
    struct ls_runs *runs = &build->runs;

    zs_buffer_init(&runs->last, &ls_alloc);
    runs->used = &pipeline->budget.used;
    runs->most_bytes = build->most_bytes / 4;
    build->can_sort = is_of_one_aggregate(pipeline->plan);
    runs->piece_len = build->most_bytes / BYTES_A_ROW + 1;
    runs->most_rows = MOST_PIECES * runs->piece_len;
    for (size_t i = 0; i < pipeline->plan->n_operators; i++) {
        const struct stage *stage = &pipeline->stages[i];

        if (stage->refolds != NULL)
            runs->piece_len = runs->most_rows;
        if (stage->fold != NULL && zs_fold_keeps_values(stage->fold))
            runs->are_sorted = build->can_sort;
    }
    build->can_sort = build->can_sort && !runs->are_sorted;
}

/* Indexes of <view>_data stay, and are kept up row by row where a view is made anew: CREATE makes
** them when its rows are there, but SQLite drops none while a statement runs, such as what asks
** for the rebuild. */
static int empty_state(struct ls_pipeline *pipeline)
{
    ls_pipeline_drop(pipeline);
    return ls_exec(pipeline->db,
        "DELETE FROM \"%w\".\"%w_trace\"; DELETE FROM \"%w\".\"%w_data\"", pipeline->schema,
        pipeline->view, pipeline->schema, pipeline->view);
}

/* Begins a build: nothing is there but the row of a global aggregate. */
static int begin_build(struct build *build)
{
    struct ls_pipeline *pipeline = build->pipeline;
    int rc;

    sqlite3_free(*build->message);
    *build->message = NULL;
    zs_buffer_reset(&build->runs.last);
    ls_pipeline_reset(pipeline);
    rc = empty_state(pipeline);
    if (rc == SQLITE_OK)
        rc = begin_building(build);
    return rc == SQLITE_OK ? ls_pipeline_step(pipeline, build->message) : rc;
}

/* The map over the source is operator 1. */
static int build_from_source(struct build *build)
{
    struct ls_pipeline *pipeline = build->pipeline;
    struct ls_source *source = pipeline->sources[0];
    bool has_failing_row = false;
    int rc = begin_build(build);

    build->rows = pipeline->delta.rows;
    build->stage = &pipeline->stages[1];
    if (rc == SQLITE_OK)
        rc = ls_source_scan(
            source, build->runs.are_sorted, take_row, build, &has_failing_row, build->message);
    if (has_failing_row) {
        build->runs.are_sorted = build->can_sort = false;
        rc = begin_build(build);
        if (rc == SQLITE_OK)
            rc = ls_source_scan_by_key(
                source, &pipeline->delta, build->runs.piece_len, build_piece, build);
    }
    return rc == SQLITE_OK ? end_scan(build) : rc;
}

/* A join is scanned when those before it have been, and so when what it reads of operators is
** complete. */
static int build_from_joins(struct build *build, bool *is_failing)
{
    struct ls_pipeline *pipeline = build->pipeline;
    int rc;

    pipeline->is_building = true;
    rc = begin_build(build);
    for (size_t i = 0; rc == SQLITE_OK && i < pipeline->plan->n_operators; i++) {
        struct stage *stage = &pipeline->stages[i];

        if (stage->join == NULL)
            continue;
        build->rows = stage->rows;
        build->stage = stage;
        rc = ls_join_scan(
            stage->join, build->runs.are_sorted, take_row, build, is_failing, build->message);
        if (rc == SQLITE_OK)
            rc = end_scan(build);
    }
    pipeline->is_building = false;
    return rc;
}

static int build_all(struct build *build, bool *is_failing)
{
    return build->pipeline->tables == NULL ? build_from_source(build)
                                           : build_from_joins(build, is_failing);
}

int ls_pipeline_build(
    struct ls_pipeline *pipeline, size_t most_bytes, bool *is_failing, char **message)
{
    struct build build = {.pipeline = pipeline, .most_bytes = most_bytes, .message = message};
    int rc;

    *is_failing = false;
    init_build(&build);
    rc = build_all(&build, is_failing);
    if (rc == SQLITE_DONE) {
        build.can_sort = false;
        build.runs.are_sorted = true;
        rc = build_all(&build, is_failing);
    }
    if (rc == SQLITE_OK)
        rc = store_and_forget(pipeline);
    end_building(&build);
    zs_buffer_clear(&build.runs.last);
    if (rc != SQLITE_OK && *message == NULL)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
    if (rc != SQLITE_OK)
        ls_pipeline_drop(pipeline);
    ls_pipeline_reset(pipeline);
    if (*is_failing && empty_state(pipeline) != SQLITE_OK)
        *is_failing = false;
    return rc;
}
