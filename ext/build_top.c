/* When more rows have been gathered than are to be kept, the last half of them is dropped, and
** what comes behind the others later is not gathered. So an eighth of all rows is kept, or more,
** if they come in no order, and at least as many as LEAST_BYTES hold: as many changes it takes
** until the view is to be made anew because too many of them have gone. */
#include "ext/build_top.h"

#include "core/sort.h"
#include "core/top.h"
#include "ext/statement.h"

enum {
    LEAST_SHARE = 16, /* of the memory there is, that the rows may take before any is dropped */
    KEPT_SHARE = 4,   /* of the bytes of all rows, that they may take later */
    LEAST_HEADS = 4,  /* times as many rows as are shown, and those before */
};

int ls_build_top_begin(struct ls_build_top *top, struct ls_pipeline *pipeline,
    struct ls_fill *fill, size_t most_bytes)
{
    ls_build_top_end(top);
    top->pipeline = pipeline;
    top->fill = fill;
    top->most_bytes = most_bytes;
    zs_buffer_init(&top->floor_key, &ls_alloc);
    zs_buffer_init(&top->floor_value, &ls_alloc);
    zs_buffer_init(&top->key, &ls_alloc);
    zs_buffer_init(&top->value, &ls_alloc);
    return zs_pile_new(&ls_alloc, &top->rows);
}

void ls_build_top_end(struct ls_build_top *top)
{
    zs_pile_free(top->rows);
    zs_buffer_clear(&top->floor_key);
    zs_buffer_clear(&top->floor_value);
    zs_buffer_clear(&top->key);
    zs_buffer_clear(&top->value);
    *top = (struct ls_build_top){.pipeline = NULL};
}

static struct zs_top shape_of(const struct ls_build_top *top)
{
    size_t number = top->pipeline->plan->n_operators - 1;
    const struct zsql_operator *root = top->pipeline->plan->operators[number];
    const struct stage *stage = &top->pipeline->stages[number];

    return (struct zs_top){
        &ls_alloc, stage->multiset, root->offset, root->limit, stage->groups};
}

/* How many rows may be shown, and those before. */
static size_t len_of_head(const struct ls_build_top *top)
{
    struct zs_top shape = shape_of(top);

    return (size_t)zs_top_end(&shape);
}

static struct zs_item floor_of(const struct ls_build_top *top)
{
    return (struct zs_item){
        zs_buffer_bytes(&top->floor_key), zs_buffer_bytes(&top->floor_value), 0};
}

static bool is_full(const struct ls_build_top *top)
{
    size_t most = top->bytes_seen / KEPT_SHARE;

    if (most < top->most_bytes / LEAST_SHARE)
        most = top->most_bytes / LEAST_SHARE;
    if (most > top->most_bytes)
        most = top->most_bytes;
    return zs_pile_size(top->rows) > most &&
           zs_pile_len(top->rows) / LEAST_HEADS >= len_of_head(top);
}

/* Where equal rows were counted as many, there may be too few for it. */
static int drop_half(struct ls_build_top *top)
{
    size_t n;
    struct zs_item last;
    int rc = zs_pile_consolidate(top->rows);

    n = zs_pile_len(top->rows) / 2;
    if (rc != ZS_OK || n == 0 || n < len_of_head(top))
        return rc;
    last = zs_pile_item(top->rows, n - 1);
    rc = zs_buffer_set(&top->floor_key, last.key);
    if (rc == ZS_OK)
        rc = zs_buffer_set(&top->floor_value, last.value);
    if (rc == ZS_OK)
        rc = zs_pile_keep(top->rows, n);
    top->has_floor |= rc == ZS_OK;
    return rc;
}

int ls_build_top_add(
    struct ls_build_top *top, struct zs_bytes key, struct zs_bytes row, int64_t n)
{
    const struct zs_item item = {key, row, n}, floor = floor_of(top);
    int rc;

    top->bytes_seen += key.len + row.len;
    if (top->has_floor && zs_item_compare(&item, &floor) > 0)
        return ZS_OK;
    rc = zs_pile_add(top->rows, key, row, n);
    return rc == ZS_OK && is_full(top) ? drop_half(top) : rc;
}

enum {
    SLICE = 10000, /* rows that a statement writes */
    PREFETCH = 16, /* how many rows ahead */
};

/* A ls_pair_fn. */
static int give_cell(void *ctx, size_t i, struct zs_bytes *key, struct zs_bytes *value)
{
    struct ls_build_top *top = ctx;
    const struct zs_top shape = shape_of(top);
    const struct zs_item item = zs_pile_item(top->rows, top->first + i);
    int rc = zs_cells_trace_write(shape.trace, &item, &top->key, &top->value);

    zs_pile_prefetch(top->rows, top->first + i + PREFETCH);
    if (rc == ZS_OK)
        rc = ls_overlay_seal(&top->value, zs_buffer_bytes(&top->key));
    *key = zs_buffer_bytes(&top->key);
    *value = zs_buffer_bytes(&top->value);
    return rc;
}

static int write_rows(struct ls_build_top *top)
{
    size_t n = zs_pile_len(top->rows);
    bool is_taken = false;
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < n; i += SLICE) {
        top->first = i;
        rc =
            ls_fill_insert(top->fill, n - i < SLICE ? n - i : SLICE, give_cell, top, &is_taken);
        if (rc == SQLITE_OK && is_taken) /* by whom? */
            rc = SQLITE_CORRUPT_VTAB;
    }
    ls_overlay_note_filled(top->pipeline->overlay);
    return rc;
}

static int write_floor(const struct ls_build_top *top)
{
    const struct zs_top shape = shape_of(top);
    const struct zs_item floor = floor_of(top);
    int status = zs_top_set_floor(&shape, &floor);

    return status == ZS_CALLBACK ? ls_overlay_code(top->pipeline->overlay) : ls_code_of(status);
}

/* The first n rows. */
static int take_first(const struct ls_build_top *top, size_t n, struct zs_batch *head)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        const struct zs_item item = zs_pile_item(top->rows, i);

        rc = zs_batch_add_last(head, item.key, item.value, item.weight);
    }
    return rc;
}

static int show(const struct ls_build_top *top)
{
    struct zs_top shape = shape_of(top);
    size_t n = zs_pile_len(top->rows);
    struct zs_batch *head = NULL, *shown = NULL;
    int rc = zs_batch_new(&ls_alloc, &head);

    if (rc == ZS_OK)
        rc = zs_batch_new(&ls_alloc, &shown);
    if (rc == ZS_OK)
        rc = take_first(top, n < len_of_head(top) ? n : len_of_head(top), head);
    if (rc == ZS_OK)
        rc = zs_top_show(&shape, head, shown);
    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(shown); i++)
        rc = ls_result_add(top->pipeline->result, zs_batch_items(shown)[i].value,
            zs_batch_items(shown)[i].weight);
    zs_batch_free(head);
    zs_batch_free(shown);
    return ls_code_of(rc);
}

int ls_build_top_write(struct ls_build_top *top)
{
    int rc = ls_code_of(zs_pile_consolidate(top->rows));

    if (rc == SQLITE_OK)
        rc = show(top);
    if (rc == SQLITE_OK)
        rc = write_rows(top);
    if (rc == SQLITE_OK && top->has_floor)
        rc = write_floor(top);
    zs_pile_reset(top->rows);
    return rc;
}
