/* Making a view's state anew: the rows of its tables go in pieces through the circuit, over
** shadow tables that are empty at first, with as much in memory as is allowed.
**
** While everything fits, each cell is written once, in order. Where it does not, an aggregate
** reads its rows in the order of its keys: groups are then made one after the other, and what is
** stored of them is done. Where values are kept with the groups they will hardly fit, and where
** groups are computed as a whole that should be done once: then that order is the first choice. */
#include "ext/pipeline_private.h"
#include "ext/statement.h"

/* A piece has a row for so many bytes that may be in memory, and ends within a group only where
** that makes it so many times as long. */
enum { BYTES_A_ROW = 6400, MOST_PIECES = 10 };

/* A build, in pieces. */
struct build {
    struct ls_pipeline *pipeline;
    struct ls_runs runs;
    size_t most_bytes;
    bool can_sort; /* and has not tried */
    char **message;
};

static int store_and_forget(struct ls_pipeline *pipeline)
{
    int rc = ls_pipeline_store(pipeline);

    if (rc == SQLITE_OK)
        ls_pipeline_forget(pipeline);
    return rc;
}

static void set_building(struct ls_pipeline *pipeline, bool is_building)
{
    ls_overlay_build(pipeline->overlay, is_building);
    ls_result_build(pipeline->result, is_building);
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

/* SQLITE_DONE where the build is to begin anew, in order. */
static int build_piece(void *ctx)
{
    struct build *build = ctx;
    struct ls_pipeline *pipeline = build->pipeline;
    int rc = ls_pipeline_step(pipeline, build->message);

    ls_pipeline_reset(pipeline);
    if (rc != SQLITE_OK ||
        ls_overlay_size(pipeline->overlay) + ls_result_size(pipeline->result) <=
            build->most_bytes)
        return rc;
    return build->can_sort ? SQLITE_DONE : store_piece(build);
}

static int build_delta(void *ctx, struct zs_delta *delta)
{
    (void)delta; /* the pipeline's */
    return build_piece(ctx);
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
    set_building(pipeline, rc == SQLITE_OK);
    return rc == SQLITE_OK ? ls_pipeline_step(pipeline, build->message) : rc;
}

static int build_from_source(struct build *build)
{
    struct ls_pipeline *pipeline = build->pipeline;
    bool has_failing_row = false;
    int rc = SQLITE_OK;

    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        if (one_by_one)
            build->runs.are_sorted = build->can_sort = false;
        rc = begin_build(build);
        if (rc == SQLITE_OK)
            rc = ls_source_scan(pipeline->sources[0], one_by_one, &pipeline->delta,
                &build->runs, build_delta, build, &has_failing_row);
        if (rc == SQLITE_OK || !has_failing_row)
            break;
    }
    return rc;
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

        if (stage->join != NULL)
            rc = ls_join_scan(stage->join, stage->rows, &build->runs, build_piece, build,
                is_failing, build->message);
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
    set_building(pipeline, false);
    zs_buffer_clear(&build.runs.last);
    if (rc != SQLITE_OK && *message == NULL)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(pipeline->db));
    ls_pipeline_reset(pipeline);
    if (*is_failing && empty_state(pipeline) != SQLITE_OK)
        *is_failing = false;
    return rc;
}
