/* An aggregate that is computed anew. In the state (format in fold_group.c) the value is there
** so that the row that a group had can be retracted as it was, whatever the function would give
** now. */
#include "core/fold_refold.h"

#include "core/fold_values.h"

enum { IS_VALUE = 1, IS_ERROR = 2 };

void zs_refold_init(
    struct zs_refold *refold, const struct zs_refold_plan *plan, const struct zs_alloc *alloc)
{
    *refold = (struct zs_refold){.plan = plan, .alloc = alloc};
    zs_buffer_init(&refold->computed, alloc);
}

void zs_refold_clear(struct zs_refold *refold)
{
    zs_buffer_clear(&refold->computed);
    zs_batch_free(refold->changes);
    refold->changes = NULL;
}

int zs_refold_load(struct zs_refold *refold, struct zs_bytes state, size_t *at)
{
    uint8_t kind;
    uint64_t len = 0;
    int rc;

    if (*at >= state.len)
        return ZS_CORRUPT;
    kind = state.data[(*at)++];
    rc = zs_bytes_read_varint(state, at, &len);
    if (rc != ZS_OK)
        return rc;
    if ((kind != IS_VALUE && kind != IS_ERROR) || len > state.len - *at)
        return ZS_CORRUPT;
    refold->has_value = true;
    refold->is_error = kind == IS_ERROR;
    refold->value = (struct zs_bytes){state.data + *at, (size_t)len};
    *at += (size_t)len;
    return ZS_OK;
}

int zs_refold_save(const struct zs_refold *refold, struct zs_buffer *state)
{
    int rc = zs_buffer_append_byte(state, refold->is_error ? IS_ERROR : IS_VALUE);

    if (rc == ZS_OK)
        rc = zs_buffer_append_varint(state, refold->value.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(state, refold->value.data, refold->value.len);
    return rc;
}

static int skip(struct zs_bytes row, size_t *at, unsigned n)
{
    int rc = ZS_OK;

    for (unsigned i = 0; rc == ZS_OK && i < n; i++)
        rc = zs_row_skip(row, at);
    return rc;
}

int zs_refold_add(struct zs_refold *refold, struct zs_bytes row, size_t at, int64_t weight)
{
    static const struct zs_bytes none = {0};
    struct zs_bytes arguments = {0};
    int rc = skip(row, &at, refold->plan->argument);

    arguments.data = row.data + at;
    if (rc == ZS_OK)
        rc = skip(row, &at, refold->plan->n_arguments);
    arguments.len = (size_t)(row.data + at - arguments.data);
    if (rc == ZS_OK && refold->changes == NULL)
        rc = zs_batch_new(refold->alloc, &refold->changes);
    return rc == ZS_OK ? zs_batch_add(refold->changes, none, arguments, weight) : rc;
}

static int apply_changes(const struct zs_refold *refold, struct zs_values *values)
{
    const struct zs_item *items = zs_batch_items(refold->changes);
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(refold->changes); i++)
        rc = zs_values_apply(values, items[i].value, items[i].weight);
    return rc;
}

/* Are there as many rows of arguments as the group has rows, and none less than once? */
static bool is_sound(const struct zs_batch *rows, int64_t n_rows)
{
    const struct zs_item *items = zs_batch_items(rows);

    for (size_t i = 0; i < zs_batch_len(rows); i++) {
        if (items[i].weight <= 0 || items[i].weight > n_rows)
            return false;
        n_rows -= items[i].weight;
    }
    return n_rows == 0;
}

static int compute(const struct zs_refold *refold, const struct zs_batch *rows,
    struct zs_buffer *value, bool *is_error)
{
    const struct zs_refolder *refolder = refold->plan->refolder;

    *is_error = false;
    if (refolder->fn == NULL)
        return ZS_MISUSE;
    return refolder->fn(refolder->ctx, refold->plan->number, rows, value, is_error);
}

static int settle(
    struct zs_refold *refold, struct zs_values *values, struct zs_batch *rows, int64_t n_rows)
{
    int rc = apply_changes(refold, values);

    refold->has_value = false;
    if (rc == ZS_OK)
        rc = zs_values_all(values, rows);
    if (rc == ZS_OK && !is_sound(rows, n_rows))
        rc = ZS_CORRUPT;
    if (rc != ZS_OK || n_rows == 0)
        return rc;
    rc = compute(refold, rows, &refold->computed, &refold->is_error);
    refold->has_value = true;
    refold->value = zs_buffer_bytes(&refold->computed);
    return rc;
}

int zs_refold_settle(
    struct zs_refold *refold, struct zs_bytes group, struct zs_trace *multiset, int64_t n_rows)
{
    struct zs_batch *rows = NULL;
    struct zs_values values;
    int rc;

    if (refold->changes == NULL)
        return ZS_OK;
    rc = zs_batch_consolidate(refold->changes);
    if (rc != ZS_OK || zs_batch_len(refold->changes) == 0)
        return rc;
    rc = zs_values_open(&values, refold->alloc, multiset, group, refold->plan->slot);
    if (rc == ZS_OK)
        rc = zs_batch_new(refold->alloc, &rows);
    if (rc == ZS_OK)
        rc = settle(refold, &values, rows, n_rows);
    zs_batch_free(rows);
    zs_values_close(&values);
    return rc;
}

/* Over nothing. */
static int read_empty(const struct zs_refold *refold, struct zs_buffer *value, bool *is_error)
{
    struct zs_batch *rows = NULL;
    int rc = zs_batch_new(refold->alloc, &rows);

    if (rc == ZS_OK)
        rc = compute(refold, rows, value, is_error);
    zs_batch_free(rows);
    return rc;
}

int zs_refold_read(const struct zs_refold *refold, struct zs_buffer *row, bool *is_error)
{
    struct zs_bytes value = refold->value;
    struct zs_buffer computed;
    int rc = ZS_OK;

    zs_buffer_init(&computed, refold->alloc);
    *is_error = refold->is_error;
    if (!refold->has_value) {
        rc = read_empty(refold, &computed, is_error);
        value = zs_buffer_bytes(&computed);
    }
    if (rc == ZS_OK && *is_error)
        zs_buffer_reset(row);
    if (rc == ZS_OK)
        rc = zs_buffer_append(row, value.data, value.len);
    zs_buffer_clear(&computed);
    return rc;
}
