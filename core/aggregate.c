/* Group-by: for each group that a delta touches, the row that its state reads as before and
** after the fold has taken the group's items in.
**
** A cell holds a group's state, and a group has a row only while it has a cell. A group
** whose state comes out empty loses its cell. The one group of a global aggregate gets its
** cell in the first step and keeps it, with an empty value where the fold leaves the state
** empty: that the cell is there is what says that the row has been emitted. */
#include "core/aggregate.h"

enum { SCRATCH_MAX = 4096 }; /* bytes of a buffer that is worth keeping */

/* Items of one key. */
struct group {
    struct zs_bytes key;
    const struct zs_item *items;
    size_t n;
};

void zs_aggregate_scratch_init(
    struct zs_aggregate_scratch *scratch, const struct zs_alloc *alloc)
{
    zs_buffer_init(&scratch->old_state, alloc);
    zs_buffer_init(&scratch->new_state, alloc);
    zs_buffer_init(&scratch->before.bytes, alloc);
    zs_buffer_init(&scratch->after.bytes, alloc);
}

static void clear_above(struct zs_aggregate_scratch *scratch, size_t most)
{
    struct zs_buffer *buffers[] = {&scratch->old_state, &scratch->new_state,
        &scratch->before.bytes, &scratch->after.bytes};

    for (size_t i = 0; i < sizeof(buffers) / sizeof(*buffers); i++)
        if (buffers[i]->cap > most)
            zs_buffer_clear(buffers[i]);
}

void zs_aggregate_scratch_clear(struct zs_aggregate_scratch *scratch)
{
    clear_above(scratch, 0);
}

/* Copies the state, since a cell's bytes live until the next call only. */
static int load(
    struct zs_cells *states, struct zs_bytes key, struct zs_buffer *state, bool *found)
{
    struct zs_bytes value = {0};
    int rc = zs_cells_get(states, key, &value, found);

    zs_buffer_reset(state);
    if (rc == ZS_OK && *found)
        rc = zs_buffer_append(state, value.data, value.len);
    return rc;
}

static bool keeps_cell(
    const struct zs_fold *fold, struct zs_bytes key, const struct zs_buffer *state)
{
    return state->len > 0 || (fold->is_global && key.len == 0);
}

static int read(const struct zs_fold *fold, struct zs_bytes key, const struct zs_buffer *state,
    struct zs_group_row *row)
{
    return fold->read(fold, key, zs_buffer_bytes(state), &row->bytes, &row->reading);
}

/* From the old state and the items to the new state and both rows. */
static int change(const struct zs_aggregate *aggregate, const struct group *group,
    bool has_cell, struct zs_aggregate_scratch *scratch)
{
    const struct zs_fold *fold = aggregate->fold;
    struct zs_bytes old_state = zs_buffer_bytes(&scratch->old_state);
    bool keeps = false;
    int rc = ZS_OK;

    if (fold->step != NULL)
        return fold->step(fold, group->key, old_state, group->items, group->n,
            aggregate->multiset, &scratch->new_state, has_cell ? &scratch->before : NULL,
            &scratch->after);
    if (has_cell)
        rc = read(fold, group->key, &scratch->old_state, &scratch->before);
    if (rc == ZS_OK)
        rc = fold->change(fold, group->key, old_state, group->items, group->n,
            aggregate->multiset, &scratch->new_state);
    if (rc == ZS_OK)
        keeps = keeps_cell(fold, group->key, &scratch->new_state);
    return keeps ? read(fold, group->key, &scratch->new_state, &scratch->after) : rc;
}

static int save(const struct zs_aggregate *aggregate, struct zs_bytes key,
    const struct zs_aggregate_scratch *scratch, bool was_found)
{
    struct zs_bytes old_state = zs_buffer_bytes(&scratch->old_state);
    struct zs_bytes new_state = zs_buffer_bytes(&scratch->new_state);

    if (was_found && zs_bytes_equal(old_state, new_state))
        return ZS_OK;
    if (keeps_cell(aggregate->fold, key, &scratch->new_state))
        return zs_cells_put(aggregate->states, key, new_state);
    return was_found ? zs_cells_remove(aggregate->states, key) : ZS_OK;
}

static int emit(
    struct zs_bytes key, const struct zs_group_row *row, int64_t weight, struct zs_delta *out)
{
    struct zs_bytes bytes = zs_buffer_bytes(&row->bytes);

    if (row->reading == ZS_NO_ROW)
        return ZS_OK;
    return row->reading == ZS_ROW ? zs_batch_add_last(out->rows, key, bytes, weight)
                                  : zs_batch_add(out->errors, key, bytes, weight);
}

/* In ascending order, so that out's rows, whose keys ascend as well, need not be sorted. */
static int emit_change(
    struct zs_bytes key, const struct zs_aggregate_scratch *scratch, struct zs_delta *out)
{
    const struct zs_group_row *before = &scratch->before;
    const struct zs_group_row *after = &scratch->after;
    int order =
        zs_bytes_compare(zs_buffer_bytes(&before->bytes), zs_buffer_bytes(&after->bytes));
    int rc;

    if (before->reading == after->reading && order == 0)
        return ZS_OK;
    rc = order <= 0 ? emit(key, before, -1, out) : emit(key, after, 1, out);
    if (rc != ZS_OK)
        return rc;
    return order <= 0 ? emit(key, after, 1, out) : emit(key, before, -1, out);
}

static void reset_row(struct zs_group_row *row)
{
    row->reading = ZS_NO_ROW;
    zs_buffer_reset(&row->bytes);
}

static int step_group(const struct zs_aggregate *aggregate, const struct group *group,
    struct zs_aggregate_scratch *scratch, struct zs_delta *out)
{
    bool found = false;
    int rc = load(aggregate->states, group->key, &scratch->old_state, &found);

    if (rc == ZS_OK && found && group->n == 0)
        return ZS_OK;
    zs_buffer_reset(&scratch->new_state);
    reset_row(&scratch->before);
    reset_row(&scratch->after);
    if (rc == ZS_OK)
        rc = change(aggregate, group, found, scratch);
    if (!keeps_cell(aggregate->fold, group->key, &scratch->new_state))
        reset_row(&scratch->after);
    if (rc == ZS_OK)
        rc = save(aggregate, group->key, scratch, found);
    if (rc == ZS_OK)
        rc = emit_change(group->key, scratch, out);
    return rc;
}

static size_t run_length(const struct zs_item *items, size_t n)
{
    size_t i = 1;
    while (i < n && zs_bytes_equal(items[0].key, items[i].key))
        i++;
    return i;
}

/* The empty key sorts first: the global group is touched unless the first item has a key. */
static bool is_untouched(const struct zs_item *items, size_t n)
{
    return n == 0 || items[0].key.len > 0;
}

static int step_groups(const struct zs_aggregate *aggregate, const struct zs_delta *delta,
    struct zs_aggregate_scratch *scratch, struct zs_delta *out)
{
    const struct zs_item *items = zs_batch_items(delta->rows);
    size_t n = zs_batch_len(delta->rows);
    int rc = ZS_OK;

    if (aggregate->fold->is_global && is_untouched(items, n))
        rc = step_group(aggregate, &(struct group){0}, scratch, out);
    for (size_t i = 0; rc == ZS_OK && i < n;) {
        struct group group = {items[i].key, &items[i], run_length(&items[i], n - i)};
        rc = step_group(aggregate, &group, scratch, out);
        i += group.n;
    }
    return rc;
}

int zs_aggregate_step(
    const struct zs_aggregate *aggregate, const struct zs_delta *delta, struct zs_delta *out)
{
    struct zs_aggregate_scratch own;
    int rc = zs_batch_add_all(out->errors, delta->errors, 1);

    zs_aggregate_scratch_init(&own, aggregate->alloc);
    if (rc == ZS_OK)
        rc = step_groups(
            aggregate, delta, aggregate->scratch != NULL ? aggregate->scratch : &own, out);
    if (aggregate->scratch != NULL)
        clear_above(aggregate->scratch, SCRATCH_MAX);
    zs_aggregate_scratch_clear(&own);
    return rc;
}
