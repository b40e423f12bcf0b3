/* One group of an SQL fold.
**
** A state, format 1:
**   0x01        the version
**   varint      how many rows, at least one
**   if the fold has keys:
**     values    those that stand for the group, identity-encoded
**     varint    unless a row is chosen: how many rows have exactly these, at least one
**   each lane, ascending by argument, then as the fold's specs come; what it keeps of:
**     varint    its count
**     sum       as in exact_format.c
**     value     its first, identity-encoded; NULL for none
**     value     its last, likewise
**   each refold, as the fold's specs come:
**     byte      1 for a value, 2 for a message
**     varint    how long it is
**     bytes     the value, identity-encoded, or the message
** A group of no rows has no state.
**
** In the multiset, under the group's key and a varint, the slot:
**   slot 0      the key values of the other rows, identity-encoded; where a row is chosen, of
**               all rows, as elements of fold_choice.c
**   slot 1 ..   the values but NULL of a lane over distinct values: comparison encoding under
**               its collation, then identity encoding
**   slot n ..   behind those of the lanes: a refold's arguments, identity-encoded */
#include "core/fold_group.h"

#include <string.h>

#include "core/fold_values.h"

enum { format_version = 1, slot_of_keys = 0 };

int zs_group_init(
    struct zs_group *group, const struct zs_group_plan *plan, const struct zs_alloc *alloc)
{
    group->plan = plan;
    group->alloc = alloc;
    group->n_rows = 0;
    group->keys = (struct zs_bytes){0};
    group->n_like_keys = 0;
    group->other_keys = NULL;
    group->lanes = group->near;
    group->refolds = NULL;
    zs_buffer_init(&group->promoted, alloc);
    if (plan->n_lanes > ZS_LANES_NEAR)
        group->lanes = zs_alloc_get(alloc, plan->n_lanes * sizeof(*group->lanes));
    if (group->lanes == NULL)
        return ZS_NOMEM;
    for (unsigned i = 0; i < plan->n_lanes; i++)
        zs_lane_init(&group->lanes[i], &plan->lanes[i], alloc);
    if (plan->n_refolds == 0)
        return ZS_OK;
    group->refolds = zs_alloc_get(alloc, plan->n_refolds * sizeof(*group->refolds));
    if (group->refolds == NULL)
        return ZS_NOMEM;
    for (unsigned i = 0; i < plan->n_refolds; i++)
        zs_refold_init(&group->refolds[i], &plan->refolds[i], alloc);
    return ZS_OK;
}

static void clear_refolds(struct zs_group *group)
{
    for (unsigned i = 0; i < group->plan->n_refolds; i++)
        zs_refold_clear(&group->refolds[i]);
    zs_alloc_free(group->alloc, group->refolds);
    group->refolds = NULL;
}

void zs_group_clear(struct zs_group *group)
{
    for (unsigned i = 0; group->lanes != NULL && i < group->plan->n_lanes; i++)
        zs_lane_clear(&group->lanes[i]);
    if (group->lanes != group->near)
        zs_alloc_free(group->alloc, group->lanes);
    group->lanes = NULL;
    if (group->refolds != NULL)
        clear_refolds(group);
    if (group->other_keys != NULL)
        zs_batch_free(group->other_keys);
    group->other_keys = NULL;
    zs_buffer_clear(&group->promoted);
}

/* A count of rows, at least one. */
static int read_count(struct zs_bytes state, size_t *at, int64_t *n)
{
    uint64_t read = 0;
    int rc = zs_bytes_read_varint(state, at, &read);

    *n = (int64_t)read;
    return rc == ZS_OK && *n <= 0 ? ZS_CORRUPT : rc;
}

static bool is_chosen(const struct zs_group *group)
{
    return group->plan->choice.choice != ZS_ANY_ROW;
}

static int skip_keys(const struct zs_group *group, struct zs_bytes row, size_t *at)
{
    int rc = ZS_OK;

    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_keys; i++)
        rc = zs_row_skip(row, at);
    return rc;
}

static int load_keys(struct zs_group *group, struct zs_bytes state, size_t *at)
{
    size_t start = *at;
    int rc = skip_keys(group, state, at);

    if (rc != ZS_OK)
        return rc;
    group->keys = (struct zs_bytes){state.data + start, *at - start};
    return is_chosen(group) ? ZS_OK : read_count(state, at, &group->n_like_keys);
}

int zs_group_load(struct zs_group *group, struct zs_bytes state)
{
    size_t at = 1;
    int rc;

    if (state.len == 0)
        return ZS_OK;
    if (state.data[0] != format_version)
        return ZS_CORRUPT;
    rc = read_count(state, &at, &group->n_rows);
    if (rc == ZS_OK && group->plan->n_keys > 0)
        rc = load_keys(group, state, &at);
    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_lanes; i++) {
        rc = zs_lane_load(&group->lanes[i], state, &at);
        if (rc == ZS_OK && !zs_lane_is_sound(&group->lanes[i], group->n_rows))
            rc = ZS_CORRUPT;
    }
    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_refolds; i++)
        rc = zs_refold_load(&group->refolds[i], state, &at);
    return rc == ZS_OK && at != state.len ? ZS_CORRUPT : rc;
}

static int add_like_keys(struct zs_group *group, int64_t weight)
{
    return __builtin_add_overflow(group->n_like_keys, weight, &group->n_like_keys) ? ZS_OVERFLOW
                                                                                   : ZS_OK;
}

/* keys are not those that stand for the group. */
static int add_keys(struct zs_group *group, struct zs_bytes keys, int64_t weight)
{
    static const struct zs_bytes none = {0};
    int rc = ZS_OK;

    if (group->keys.len == 0) {
        group->keys = keys;
        return add_like_keys(group, weight);
    }
    if (group->other_keys == NULL)
        rc = zs_batch_new(group->alloc, &group->other_keys);
    return rc == ZS_OK ? zs_batch_add(group->other_keys, none, keys, weight) : rc;
}

/* What may be chosen: row's values, which end at at. */
static int add_element(struct zs_group *group, struct zs_bytes row, size_t at, int64_t weight)
{
    static const struct zs_bytes none = {0};
    struct zs_buffer *element = &group->promoted; /* nothing is, yet */
    int rc;

    zs_buffer_reset(element);
    rc = zs_choice_append(&group->plan->choice, row, at, element);
    if (rc == ZS_OK && group->other_keys == NULL)
        rc = zs_batch_new(group->alloc, &group->other_keys);
    return rc == ZS_OK ? zs_batch_add(group->other_keys, none, zs_buffer_bytes(element), weight)
                       : rc;
}

static int add_arguments(struct zs_group *group, struct zs_bytes row, size_t at, int64_t weight)
{
    struct zs_lane *lane = group->lanes;
    const struct zs_lane *end = lane + group->plan->n_lanes;
    int rc = ZS_OK;

    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_arguments; i++) {
        struct zs_value value;
        rc = zs_row_read(row, &at, &value);
        for (; rc == ZS_OK && lane < end && lane->plan->argument == i; lane++) {
            if (value.type != ZS_NULL)
                rc = zs_lane_add(lane, &value, weight);
        }
    }
    return rc == ZS_OK && at != row.len ? ZS_CORRUPT : rc;
}

/* Values are self-delimiting: what begins with the group's keys has these keys. */
static bool has_keys_of(const struct zs_group *group, struct zs_bytes row)
{
    return row.len >= group->keys.len &&
           zs_is_same(row.data, group->keys.data, group->keys.len);
}

/* Takes in the item's key values, which end at *at. */
static int add_values(struct zs_group *group, const struct zs_item *item, size_t *at)
{
    bool is_like = group->keys.len > 0 && has_keys_of(group, item->value);
    int rc = ZS_OK;

    if (is_like)
        *at = group->keys.len;
    else
        rc = skip_keys(group, item->value, at);
    if (rc == ZS_OK && is_chosen(group))
        return add_element(group, item->value, *at, item->weight);
    if (is_like)
        return add_like_keys(group, item->weight);
    return rc == ZS_OK ? add_keys(group, (struct zs_bytes){item->value.data, *at}, item->weight)
                       : rc;
}

int zs_group_add(struct zs_group *group, const struct zs_item *item)
{
    size_t at = 0;
    int rc = ZS_OK;

    if (__builtin_add_overflow(group->n_rows, item->weight, &group->n_rows))
        return ZS_OVERFLOW;
    if (group->plan->n_keys > 0)
        rc = add_values(group, item, &at);
    if (rc == ZS_OK)
        rc = add_arguments(group, item->value, at, item->weight);
    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_refolds; i++)
        rc = zs_refold_add(&group->refolds[i], item->value, at, item->weight);
    return rc;
}

static int apply_other_keys(struct zs_group *group, struct zs_values *values)
{
    const struct zs_item *items = zs_batch_items(group->other_keys);
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(group->other_keys); i++) {
        int64_t left = 0;
        rc = zs_values_apply(values, items[i].value, items[i].weight);
        if (rc == ZS_OK && items[i].weight < 0)
            rc = zs_values_weight(values, items[i].value, &left);
        if (left < 0)
            rc = ZS_CORRUPT;
    }
    return rc;
}

/* The rows with the keys that stood for the group are gone: others step in. */
static int promote_keys(struct zs_group *group, struct zs_values *values)
{
    static const struct zs_bytes all = {0};
    struct zs_bytes keys = {0};
    int rc = zs_values_end(values, all, true, &keys, &group->n_like_keys);

    if (rc == ZS_OK && keys.len == 0)
        rc = ZS_CORRUPT;
    if (rc == ZS_OK)
        rc = zs_buffer_append(&group->promoted, keys.data, keys.len);
    group->keys = zs_buffer_bytes(&group->promoted);
    if (rc == ZS_OK)
        rc = zs_values_apply(values, group->keys, -group->n_like_keys);
    return rc;
}

static int choose_keys(struct zs_group *group, struct zs_values *values)
{
    struct zs_bytes keys = {0};
    int rc = zs_choice_find(&group->plan->choice, values, &keys);

    zs_buffer_reset(&group->promoted);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&group->promoted, keys.data, keys.len);
    group->keys = zs_buffer_bytes(&group->promoted);
    return rc;
}

static int settle_choice(struct zs_group *group, struct zs_bytes key, struct zs_trace *multiset)
{
    struct zs_values values;
    int rc = ZS_OK;

    if (group->other_keys != NULL)
        rc = zs_batch_consolidate(group->other_keys);
    if (rc != ZS_OK || group->other_keys == NULL || zs_batch_len(group->other_keys) == 0)
        return rc;
    rc = zs_values_open(&values, group->alloc, multiset, key, slot_of_keys);
    if (rc == ZS_OK)
        rc = apply_other_keys(group, &values);
    if (rc == ZS_OK && group->n_rows > 0)
        rc = choose_keys(group, &values);
    zs_values_close(&values);
    return rc;
}

static int settle_keys(struct zs_group *group, struct zs_bytes key, struct zs_trace *multiset)
{
    bool is_promoting = group->n_like_keys == 0 && group->n_rows > 0;
    struct zs_values values;
    int rc = ZS_OK;

    if (group->n_like_keys < 0)
        return ZS_CORRUPT;
    if (group->other_keys != NULL)
        rc = zs_batch_consolidate(group->other_keys);
    if (rc != ZS_OK ||
        (!is_promoting && (group->other_keys == NULL || zs_batch_len(group->other_keys) == 0)))
        return rc;
    rc = zs_values_open(&values, group->alloc, multiset, key, slot_of_keys);
    if (rc == ZS_OK && group->other_keys != NULL)
        rc = apply_other_keys(group, &values);
    if (rc == ZS_OK && is_promoting)
        rc = promote_keys(group, &values);
    zs_values_close(&values);
    return rc;
}

int zs_group_settle(struct zs_group *group, struct zs_bytes key, struct zs_trace *multiset)
{
    int rc = group->n_rows < 0 ? ZS_CORRUPT : ZS_OK;

    if (rc == ZS_OK && is_chosen(group))
        rc = settle_choice(group, key, multiset);
    else if (rc == ZS_OK && group->plan->n_keys > 0)
        rc = settle_keys(group, key, multiset);
    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_lanes; i++) {
        if (group->lanes[i].changes != NULL)
            rc = zs_lane_settle(&group->lanes[i], key, multiset);
        if (rc == ZS_OK && !zs_lane_is_sound(&group->lanes[i], group->n_rows))
            rc = ZS_CORRUPT;
    }
    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_refolds; i++)
        rc = zs_refold_settle(&group->refolds[i], key, multiset, group->n_rows);
    return rc;
}

int zs_group_save(const struct zs_group *group, struct zs_buffer *state)
{
    int rc;

    if (group->n_rows == 0)
        return ZS_OK;
    rc = zs_buffer_append_byte(state, format_version);
    if (rc == ZS_OK)
        rc = zs_buffer_append_varint(state, (uint64_t)group->n_rows);
    if (rc == ZS_OK && group->plan->n_keys > 0) {
        rc = zs_buffer_append(state, group->keys.data, group->keys.len);
        if (rc == ZS_OK && !is_chosen(group))
            rc = zs_buffer_append_varint(state, (uint64_t)group->n_like_keys);
    }
    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_lanes; i++)
        rc = zs_lane_save(&group->lanes[i], state);
    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_refolds; i++)
        rc = zs_refold_save(&group->refolds[i], state);
    return rc;
}
