/* What is written are runs, each in order. The first rows of a run stay for the next: they may be
** shown; the others never are. Where a row of a run was in one before, its block goes by way of the
** trace, which adds the weights. */
#include "ext/build_top.h"

#include "core/top.h"
#include "ext/statement.h"

int ls_build_top_begin(
    struct ls_build_top *top, struct ls_pipeline *pipeline, struct ls_fill *fill)
{
    ls_build_top_end(top);
    top->pipeline = pipeline;
    top->fill = fill;
    return zs_batch_new(&ls_alloc, &top->rows);
}

void ls_build_top_end(struct ls_build_top *top)
{
    zs_batch_free(top->rows);
    *top = (struct ls_build_top){.pipeline = NULL};
}

static size_t size_of(struct zs_bytes key, struct zs_bytes row)
{
    return key.len + row.len + sizeof(struct zs_item);
}

int ls_build_top_add(struct ls_build_top *top, struct zs_bytes key, struct zs_bytes row)
{
    top->n_bytes += size_of(key, row);
    return zs_batch_add(top->rows, key, row, 1);
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

/* A zs_cell_visit. */
static int add_cell(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes value, bool *is_enough)
{
    (void)i;
    (void)is_enough;
    return ls_overlay_fill(ctx, key, value);
}

/* By way of the trace. */
static int add_to_stored(struct ls_build_top *top, const struct zs_item *items, size_t n)
{
    struct ls_overlay *overlay = top->pipeline->overlay;
    int status = zs_trace_apply_all(trace_of(top), items, n);
    int rc = status == ZS_CALLBACK ? ls_overlay_code(overlay) : ls_code_of(status);

    if (rc == SQLITE_OK)
        rc = ls_overlay_store(overlay);
    if (rc == SQLITE_OK)
        ls_overlay_forget(overlay);
    return rc;
}

static int write_block(struct ls_build_top *top, const struct zs_item *items, size_t n)
{
    bool is_taken = false;
    struct ls_overlay *overlay = top->pipeline->overlay;
    int rc = ls_code_of(zs_cells_trace_show(trace_of(top), items, n, add_cell, overlay));

    if (rc == SQLITE_OK)
        rc = ls_fill_insert(top->fill, &is_taken);
    ls_overlay_note_filled(overlay);
    return rc == SQLITE_OK && is_taken ? add_to_stored(top, items, n) : rc;
}

static int write_rows(struct ls_build_top *top, size_t first)
{
    const struct zs_item *items = zs_batch_items(top->rows);
    size_t n = zs_batch_len(top->rows);
    int rc = SQLITE_OK;

    for (size_t i = first; rc == SQLITE_OK && i < n; i += LS_FILL_BLOCK)
        rc = write_block(top, items + i, n - i < LS_FILL_BLOCK ? n - i : LS_FILL_BLOCK);
    return rc;
}

static int show(struct ls_build_top *top)
{
    struct zs_top shape = shape_of(top);
    struct zs_batch *shown;
    int rc = zs_batch_new(&ls_alloc, &shown);

    if (rc == ZS_OK)
        rc = zs_top_show(&shape, top->rows, shown);
    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(shown); i++)
        rc = ls_result_add(top->pipeline->result, zs_batch_items(shown)[i].value,
            zs_batch_items(shown)[i].weight);
    zs_batch_free(shown);
    return ls_code_of(rc);
}

/* Keeps the first n rows only. */
static int keep(struct ls_build_top *top, size_t n)
{
    const struct zs_item *items = zs_batch_items(top->rows);
    struct zs_batch *kept;
    int rc = zs_batch_new(&ls_alloc, &kept);

    top->n_bytes = 0;
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        rc = zs_batch_add_last(kept, items[i].key, items[i].value, items[i].weight);
        top->n_bytes += size_of(items[i].key, items[i].value);
    }
    if (rc == ZS_OK)
        zs_batch_swap(kept, top->rows);
    zs_batch_free(kept);
    return ls_code_of(rc);
}

int ls_build_top_write(struct ls_build_top *top, bool is_last)
{
    struct zs_top shape = shape_of(top);
    size_t n_first = is_last ? 0 : (size_t)(shape.offset + shape.limit);
    int rc = ls_code_of(zs_batch_consolidate(top->rows));

    if (n_first > zs_batch_len(top->rows))
        n_first = zs_batch_len(top->rows);
    if (rc == SQLITE_OK && is_last)
        rc = show(top);
    if (rc == SQLITE_OK)
        rc = write_rows(top, n_first);
    return rc == SQLITE_OK ? keep(top, n_first) : rc;
}
