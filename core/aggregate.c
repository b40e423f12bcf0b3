/* Group-by: for each group that a delta touches, the row that its state reads as before and
** after the fold has taken the group's items in.
**
** A cell holds a group's state, and a group has a row only while it has a cell. A group
** whose state comes out empty loses its cell. The one group of a global aggregate gets its
** cell in the first step and keeps it, with an empty value where the fold leaves the state
** empty: that the cell is there is what says that the row has been emitted. */
#include "core/aggregate.h"

struct reading {
    enum zs_reading kind;
    struct zs_buffer bytes;
};

/* What one group needs; the buffers are used again for the next. */
struct scratch {
    struct zs_buffer old_state;
    struct zs_buffer new_state;
    struct reading old;
    struct reading new;
};

/* Items of one key. */
struct group {
    struct zs_bytes key;
    const struct zs_item *items;
    size_t n;
};

static void init_scratch(struct scratch *scratch, const struct zs_alloc *alloc)
{
    zs_buffer_init(&scratch->old_state, alloc);
    zs_buffer_init(&scratch->new_state, alloc);
    zs_buffer_init(&scratch->old.bytes, alloc);
    zs_buffer_init(&scratch->new.bytes, alloc);
}

static void clear_scratch(struct scratch *scratch)
{
    zs_buffer_clear(&scratch->old_state);
    zs_buffer_clear(&scratch->new_state);
    zs_buffer_clear(&scratch->old.bytes);
    zs_buffer_clear(&scratch->new.bytes);
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
    bool has_cell, struct reading *reading)
{
    reading->kind = ZS_NO_ROW;
    zs_buffer_reset(&reading->bytes);
    if (!has_cell)
        return ZS_OK;
    return fold->read(fold, key, zs_buffer_bytes(state), &reading->bytes, &reading->kind);
}

static int save(const struct zs_aggregate *aggregate, struct zs_bytes key,
    const struct scratch *scratch, bool was_found)
{
    struct zs_bytes old_state = zs_buffer_bytes(&scratch->old_state);
    struct zs_bytes new_state = zs_buffer_bytes(&scratch->new_state);

    if (was_found && zs_bytes_equal(old_state, new_state))
        return ZS_OK;
    if (keeps_cell(aggregate->fold, key, &scratch->new_state))
        return zs_cells_put(aggregate->states, key, new_state);
    return was_found ? zs_cells_remove(aggregate->states, key) : ZS_OK;
}

static bool is_same(const struct reading *a, const struct reading *b)
{
    return a->kind == b->kind &&
           (a->kind == ZS_NO_ROW ||
               zs_bytes_equal(zs_buffer_bytes(&a->bytes), zs_buffer_bytes(&b->bytes)));
}

static int emit(
    struct zs_bytes key, const struct reading *reading, int64_t weight, struct zs_delta *out)
{
    struct zs_batch *batch = reading->kind == ZS_ERROR_ROW ? out->errors : out->rows;

    if (reading->kind == ZS_NO_ROW)
        return ZS_OK;
    return zs_batch_add(batch, key, zs_buffer_bytes(&reading->bytes), weight);
}

static int emit_change(struct zs_bytes key, const struct scratch *scratch, struct zs_delta *out)
{
    int rc;

    if (is_same(&scratch->old, &scratch->new))
        return ZS_OK;
    rc = emit(key, &scratch->old, -1, out);
    if (rc == ZS_OK)
        rc = emit(key, &scratch->new, 1, out);
    return rc;
}

static int step_group(const struct zs_aggregate *aggregate, const struct group *group,
    struct scratch *scratch, struct zs_delta *out)
{
    const struct zs_fold *fold = aggregate->fold;
    bool found = false;
    int rc = load(aggregate->states, group->key, &scratch->old_state, &found);

    if (rc == ZS_OK && found && group->n == 0)
        return ZS_OK;
    if (rc == ZS_OK)
        rc = read(fold, group->key, &scratch->old_state, found, &scratch->old);
    zs_buffer_reset(&scratch->new_state);
    if (rc == ZS_OK)
        rc = fold->change(fold, group->key, zs_buffer_bytes(&scratch->old_state), group->items,
            group->n, aggregate->multiset, &scratch->new_state);
    if (rc == ZS_OK)
        rc = read(fold, group->key, &scratch->new_state,
            keeps_cell(fold, group->key, &scratch->new_state), &scratch->new);
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

int zs_aggregate_step(
    const struct zs_aggregate *aggregate, const struct zs_delta *delta, struct zs_delta *out)
{
    const struct zs_item *items = zs_batch_items(delta->rows);
    size_t n = zs_batch_len(delta->rows);
    struct scratch scratch;
    int rc = zs_batch_add_all(out->errors, delta->errors, 1);

    init_scratch(&scratch, aggregate->alloc);
    if (rc == ZS_OK && aggregate->fold->is_global && is_untouched(items, n))
        rc = step_group(aggregate, &(struct group){0}, &scratch, out);
    for (size_t i = 0; rc == ZS_OK && i < n;) {
        struct group group = {items[i].key, &items[i], run_length(&items[i], n - i)};
        rc = step_group(aggregate, &group, &scratch, out);
        i += group.n;
    }
    clear_scratch(&scratch);
    return rc;
}
