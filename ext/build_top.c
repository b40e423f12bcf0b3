/* What is written are runs, each in order. The first rows of a run stay for the next: they may
** be shown; the others never are. Where a row of a run was in one before, its slice goes by way
** of the trace, which adds the weights. */
#include "ext/build_top.h"

#include "core/top.h"
#include "ext/statement.h"

int ls_build_top_begin(
    struct ls_build_top *top, struct ls_pipeline *pipeline, struct ls_fill *fill)
{
    ls_build_top_end(top);
    top->pipeline = pipeline;
    top->fill = fill;
    zs_buffer_init(&top->key, &ls_alloc);
    zs_buffer_init(&top->value, &ls_alloc);
    return zs_pile_new(&ls_alloc, &top->rows);
}

void ls_build_top_end(struct ls_build_top *top)
{
    zs_pile_free(top->rows);
    zs_buffer_clear(&top->key);
    zs_buffer_clear(&top->value);
    *top = (struct ls_build_top){.pipeline = NULL};
}

int ls_build_top_add(
    struct ls_build_top *top, struct zs_bytes key, struct zs_bytes row, int64_t n)
{
    return zs_pile_add(top->rows, key, row, n);
}

size_t ls_build_top_size(const struct ls_build_top *top)
{
    return zs_pile_size(top->rows);
}

static size_t number_of(const struct ls_build_top *top)
{
    return top->pipeline->plan->n_operators - 1;
}

static struct zs_trace *trace_of(const struct ls_build_top *top)
{
    return top->pipeline->stages[number_of(top)].multiset;
}

static struct zs_top shape_of(const struct ls_build_top *top)
{
    const struct zsql_operator *root = top->pipeline->plan->operators[number_of(top)];

    return (struct zs_top){&ls_alloc, trace_of(top), root->offset, root->limit};
}

enum {
    SLICE = 10000, /* rows that a statement writes */
    PREFETCH = 16, /* how many rows ahead */
};

/* A ls_pair_fn. */
static int give_cell(void *ctx, size_t i, struct zs_bytes *key, struct zs_bytes *value)
{
    struct ls_build_top *top = ctx;
    const struct zs_item item = zs_pile_item(top->rows, top->first + i);
    int rc = zs_cells_trace_write(trace_of(top), &item, &top->key, &top->value);

    zs_pile_prefetch(top->rows, top->first + i + PREFETCH);
    if (rc == ZS_OK)
        rc = ls_overlay_seal(&top->value, zs_buffer_bytes(&top->key));
    *key = zs_buffer_bytes(&top->key);
    *value = zs_buffer_bytes(&top->value);
    return rc;
}

/* By way of the trace. */
static int add_to_stored(struct ls_build_top *top, size_t n)
{
    struct ls_overlay *overlay = top->pipeline->overlay;
    int status = ZS_OK, rc;

    for (size_t i = 0; status == ZS_OK && i < n; i++) {
        const struct zs_item item = zs_pile_item(top->rows, top->first + i);

        status = zs_trace_apply_all(trace_of(top), &item, 1);
    }
    rc = status == ZS_CALLBACK ? ls_overlay_code(overlay) : ls_code_of(status);
    if (rc == SQLITE_OK)
        rc = ls_overlay_store(overlay);
    if (rc == SQLITE_OK)
        ls_overlay_forget(overlay);
    return rc;
}

/* From top->first on. */
static int write_slice(struct ls_build_top *top, size_t n)
{
    bool is_taken = false;
    int rc = ls_fill_insert(top->fill, n, give_cell, top, &is_taken);

    ls_overlay_note_filled(top->pipeline->overlay);
    return rc == SQLITE_OK && is_taken ? add_to_stored(top, n) : rc;
}

static int write_rows(struct ls_build_top *top, size_t first)
{
    size_t n = zs_pile_len(top->rows);
    int rc = SQLITE_OK;

    for (size_t i = first; rc == SQLITE_OK && i < n; i += SLICE) {
        top->first = i;
        rc = write_slice(top, n - i < SLICE ? n - i : SLICE);
    }
    return rc;
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

static int show(struct ls_build_top *top, size_t n_first)
{
    struct zs_top shape = shape_of(top);
    struct zs_batch *head = NULL, *shown = NULL;
    int rc = zs_batch_new(&ls_alloc, &head);

    if (rc == ZS_OK)
        rc = zs_batch_new(&ls_alloc, &shown);
    if (rc == ZS_OK)
        rc = take_first(top, n_first, head);
    if (rc == ZS_OK)
        rc = zs_top_show(&shape, head, shown);
    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(shown); i++)
        rc = ls_result_add(top->pipeline->result, zs_batch_items(shown)[i].value,
            zs_batch_items(shown)[i].weight);
    zs_batch_free(head);
    zs_batch_free(shown);
    return ls_code_of(rc);
}

/* How many rows may be shown. */
static size_t count_first(const struct ls_build_top *top)
{
    struct zs_top shape = shape_of(top);
    size_t n = (size_t)(shape.offset + shape.limit);

    return n < zs_pile_len(top->rows) ? n : zs_pile_len(top->rows);
}

int ls_build_top_write(struct ls_build_top *top, bool is_last)
{
    int rc = ls_code_of(zs_pile_consolidate(top->rows));
    size_t n_first = count_first(top);

    if (rc == SQLITE_OK && is_last)
        rc = show(top, n_first);
    if (rc == SQLITE_OK)
        rc = write_rows(top, is_last ? 0 : n_first);
    return rc == SQLITE_OK ? ls_code_of(zs_pile_keep(top->rows, is_last ? 0 : n_first)) : rc;
}
