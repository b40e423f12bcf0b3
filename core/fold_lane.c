/* A lane of a fold in memory and in the state (format in fold_group.c). */
#include "core/fold_lane.h"

void zs_lane_init(
    struct zs_lane *lane, const struct zs_lane_plan *plan, const struct zs_alloc *alloc)
{
    *lane = (struct zs_lane){.plan = plan, .alloc = alloc};
    zs_exact_init(&lane->sum, alloc);
    if (plan->slot == 0)
        return;
    zs_buffer_init(&lane->first_element, alloc);
    zs_buffer_init(&lane->last_element, alloc);
    zs_buffer_init(&lane->class, alloc);
    zs_buffer_init(&lane->identity, alloc);
}

void zs_lane_clear(struct zs_lane *lane)
{
    zs_exact_clear(&lane->sum);
    if (lane->plan->slot == 0)
        return;
    zs_buffer_clear(&lane->first_element);
    zs_buffer_clear(&lane->last_element);
    zs_buffer_clear(&lane->class);
    zs_buffer_clear(&lane->identity);
    zs_batch_free(lane->changes);
    lane->changes = NULL;
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

static int add_change(struct zs_lane *lane, const struct zs_value *value, int64_t weight)
{
    int rc = ZS_OK;

    if (lane->changes == NULL)
        rc = zs_batch_new(lane->alloc, &lane->changes);
    zs_buffer_reset(&lane->class);
    zs_buffer_reset(&lane->identity);
    if (rc == ZS_OK)
        rc = zs_row_append_comparison(&lane->class, value, lane->plan->collation);
    if (rc == ZS_OK)
        rc = zs_row_append_identity(&lane->identity, value);
    if (rc == ZS_OK)
        rc = zs_batch_add(lane->changes, zs_buffer_bytes(&lane->class),
            zs_buffer_bytes(&lane->identity), weight);
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

static bool is_sum_sound(const struct zs_exact *sum, int64_t n_rows)
{
    int64_t n_special = 0;
    int64_t n;

    if (sum->n_integers < 0 || sum->n_reals < 0 || sum->n_nan < 0 || sum->n_plus_infinity < 0 ||
        sum->n_minus_infinity < 0)
        return false;
    if (__builtin_add_overflow(sum->n_nan, sum->n_plus_infinity, &n_special) ||
        __builtin_add_overflow(n_special, sum->n_minus_infinity, &n_special) ||
        __builtin_add_overflow(sum->n_integers, sum->n_reals, &n))
        return false;
    return n_special <= sum->n_reals && n <= n_rows && (n > 0 || zs_exact_is_zero(sum));
}

bool zs_lane_is_sound(const struct zs_lane *lane, int64_t n_rows)
{
    return lane->count >= 0 && lane->count <= n_rows && is_sum_sound(&lane->sum, n_rows) &&
           (n_rows > 0 || (lane->first.len == 0 && lane->last.len == 0));
}
