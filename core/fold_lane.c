/* A lane of a fold in memory and in the state (format in fold_group.c). */
#include "core/fold_lane.h"

void zs_lane_changes_free(const struct zs_alloc *alloc, struct zs_lane_changes *changes)
{
    zs_batch_free(changes->items);
    zs_buffer_clear(&changes->class);
    zs_buffer_clear(&changes->identity);
    zs_buffer_clear(&changes->first_element);
    zs_buffer_clear(&changes->last_element);
    zs_alloc_free(alloc, changes);
}

/* An identity-encoded value; NULL, which no lane holds, stands for none. */
static int load_value(struct zs_bytes state, size_t *at, struct zs_bytes *identity)
{
    struct zs_value value;
    size_t start = *at;
    int rc = zs_row_read(state, at, &value);

    if (rc == ZS_OK && value.type != ZS_NULL)
        *identity = (struct zs_bytes){state.data + start, *at - start};
    return rc;
}

static int save_value(struct zs_bytes identity, struct zs_buffer *state)
{
    static const struct zs_value null = {.type = ZS_NULL};

    if (identity.len == 0)
        return zs_row_append_identity(state, &null);
    return zs_buffer_append(state, identity.data, identity.len);
}

int zs_lane_load(struct zs_lane *lane, struct zs_bytes state, size_t *at)
{
    const struct zs_lane_plan *plan = lane->plan;
    uint64_t count = 0;
    int rc = ZS_OK;

    if ((plan->keeps & ZS_KEEPS_COUNT) != 0)
        rc = zs_bytes_read_varint(state, at, &count);
    lane->count = (int64_t)count;
    if (rc == ZS_OK && (plan->keeps & ZS_KEEPS_SUM) != 0)
        rc = zs_exact_read(state, at, &lane->sum);
    if (rc == ZS_OK && (plan->keeps & ZS_KEEPS_FIRST) != 0)
        rc = load_value(state, at, &lane->first);
    if (rc == ZS_OK && (plan->keeps & ZS_KEEPS_LAST) != 0)
        rc = load_value(state, at, &lane->last);
    return rc;
}

int zs_lane_save(const struct zs_lane *lane, struct zs_buffer *state)
{
    const struct zs_lane_plan *plan = lane->plan;
    int rc = ZS_OK;

    if ((plan->keeps & ZS_KEEPS_COUNT) != 0)
        rc = zs_buffer_append_varint(state, (uint64_t)lane->count);
    if (rc == ZS_OK && (plan->keeps & ZS_KEEPS_SUM) != 0)
        rc = zs_exact_append(&lane->sum, state);
    if (rc == ZS_OK && (plan->keeps & ZS_KEEPS_FIRST) != 0)
        rc = save_value(lane->first, state);
    if (rc == ZS_OK && (plan->keeps & ZS_KEEPS_LAST) != 0)
        rc = save_value(lane->last, state);
    return rc;
}

static int make_changes(const struct zs_alloc *alloc, struct zs_lane_changes **changes)
{
    struct zs_lane_changes *made = zs_alloc_get(alloc, sizeof(*made));

    if (made == NULL)
        return ZS_NOMEM;
    if (zs_batch_new(alloc, &made->items) != ZS_OK) {
        zs_alloc_free(alloc, made);
        return ZS_NOMEM;
    }
    zs_buffer_init(&made->class, alloc);
    zs_buffer_init(&made->identity, alloc);
    zs_buffer_init(&made->first_element, alloc);
    zs_buffer_init(&made->last_element, alloc);
    *changes = made;
    return ZS_OK;
}

static int add_change(struct zs_lane *lane, const struct zs_value *value, int64_t weight)
{
    struct zs_lane_changes *changes;
    int rc = ZS_OK;

    if (lane->changes == NULL)
        rc = make_changes(zs_lane_alloc(lane), &lane->changes);
    if (rc != ZS_OK)
        return rc;
    changes = lane->changes;
    zs_buffer_reset(&changes->class);
    zs_buffer_reset(&changes->identity);
    rc = zs_row_append_comparison(&changes->class, value, lane->plan->collation);
    if (rc == ZS_OK)
        rc = zs_row_append_identity(&changes->identity, value);
    if (rc == ZS_OK)
        rc = zs_batch_add(changes->items, zs_buffer_bytes(&changes->class),
            zs_buffer_bytes(&changes->identity), weight);
    return rc;
}

static int add_as_number(struct zs_lane *lane, const struct zs_value *value, int64_t weight)
{
    const struct zs_numbers *numbers = lane->plan->numbers;
    struct zs_value number;
    int rc = numbers->fn == NULL ? ZS_CORRUPT : numbers->fn(numbers->ctx, value, &number);

    if (rc != ZS_OK)
        return rc;
    if (number.type == ZS_INTEGER)
        return zs_exact_add_integer(&lane->sum, number.integer, weight);
    return zs_exact_add_real(&lane->sum, number.real, weight);
}

int zs_lane_count(struct zs_lane *lane, const struct zs_value *value, int64_t weight)
{
    if ((lane->plan->keeps & ZS_KEEPS_COUNT) != 0 &&
        __builtin_add_overflow(lane->count, weight, &lane->count))
        return ZS_OVERFLOW;
    if ((lane->plan->keeps & ZS_KEEPS_SUM) == 0)
        return ZS_OK;
    if (value->type == ZS_INTEGER)
        return zs_exact_add_integer(&lane->sum, value->integer, weight);
    if (value->type == ZS_REAL)
        return zs_exact_add_real(&lane->sum, value->real, weight);
    return add_as_number(lane, value, weight);
}

int zs_lane_add(struct zs_lane *lane, const struct zs_value *value, int64_t weight)
{
    return lane->plan->slot == 0 ? zs_lane_count(lane, value, weight)
                                 : add_change(lane, value, weight);
}

/* Are there as many special values as there can be among n reals? */
static bool are_specials_sound(const struct zs_exact *sum, int64_t n)
{
    return sum->n_nan >= 0 && sum->n_nan <= n && sum->n_plus_infinity >= 0 &&
           sum->n_plus_infinity <= n - sum->n_nan && sum->n_minus_infinity >= 0 &&
           sum->n_minus_infinity <= n - sum->n_nan - sum->n_plus_infinity;
}

static bool is_sum_sound(const struct zs_exact *sum, int64_t n_rows)
{
    if (sum->n_integers < 0 || sum->n_integers > n_rows || sum->n_reals < 0 ||
        sum->n_reals > n_rows - sum->n_integers)
        return false;
    if (zs_exact_has_specials(sum) && !are_specials_sound(sum, sum->n_reals))
        return false;
    return (sum->n_integers | sum->n_reals) != 0 || zs_exact_is_zero(sum);
}

bool zs_lane_is_sound(const struct zs_lane *lane, int64_t n_rows)
{
    return lane->count >= 0 && lane->count <= n_rows && is_sum_sound(&lane->sum, n_rows) &&
           (n_rows > 0 || (lane->first.len == 0 && lane->last.len == 0));
}
