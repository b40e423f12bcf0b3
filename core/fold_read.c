/* What a group of an SQL fold reads as: its key values, then a value a column. */
#include "core/fold_read.h"

#include <string.h>

static int append_bytes(struct zs_buffer *row, struct zs_bytes identity)
{
    static const struct zs_value null = {.type = ZS_NULL};

    return identity.len == 0 ? zs_row_append_identity(row, &null)
                             : zs_buffer_append(row, identity.data, identity.len);
}

static int append_null(struct zs_buffer *row)
{
    return append_bytes(row, (struct zs_bytes){0});
}

static const struct zs_lane *lane_of(
    const struct zs_group *group, const struct zs_fold_column *column)
{
    return &group->lanes[column->lane];
}

static int append_count_rows(
    const struct zs_group *group, const struct zs_fold_column *column, struct zs_buffer *row)
{
    (void)column;
    return zs_row_append_integer(row, group->n_rows);
}

static int append_count(
    const struct zs_group *group, const struct zs_fold_column *column, struct zs_buffer *row)
{
    return zs_row_append_integer(row, lane_of(group, column)->count);
}

/* ZS_OVERFLOW where the sum is of integers and leaves int64. */
static int append_sum(
    const struct zs_group *group, const struct zs_fold_column *column, struct zs_buffer *row)
{
    const struct zs_exact *sum = &lane_of(group, column)->sum;
    int64_t integer;

    if (sum->n_integers == 0 && sum->n_reals == 0)
        return append_null(row);
    if (sum->n_reals > 0)
        return zs_row_append_real(row, zs_exact_read_real(sum));
    if (!zs_exact_read_integer(sum, &integer))
        return ZS_OVERFLOW;
    return zs_row_append_integer(row, integer);
}

static int append_total(
    const struct zs_group *group, const struct zs_fold_column *column, struct zs_buffer *row)
{
    return zs_row_append_real(row, zs_exact_read_real(&lane_of(group, column)->sum));
}

static int append_average(
    const struct zs_group *group, const struct zs_fold_column *column, struct zs_buffer *row)
{
    const struct zs_exact *sum = &lane_of(group, column)->sum;
    int64_t n = sum->n_integers + sum->n_reals;

    return n == 0 ? append_null(row)
                  : zs_row_append_real(row, zs_exact_read_real(sum) / (double)n);
}

static int append_first(
    const struct zs_group *group, const struct zs_fold_column *column, struct zs_buffer *row)
{
    return append_bytes(row, lane_of(group, column)->first);
}

static int append_last(
    const struct zs_group *group, const struct zs_fold_column *column, struct zs_buffer *row)
{
    return append_bytes(row, lane_of(group, column)->last);
}

static int append_unanimous(
    const struct zs_group *group, const struct zs_fold_column *column, struct zs_buffer *row)
{
    const struct zs_lane *lane = lane_of(group, column);
    bool is_one =
        column->spec.is_distinct ? lane->count == 1 : zs_bytes_equal(lane->first, lane->last);

    return is_one ? append_bytes(row, lane->first) : append_null(row);
}

static int (*const append_column[])(const struct zs_group *group,
    const struct zs_fold_column *column, struct zs_buffer *row) = {
    [ZS_COUNT_ROWS] = append_count_rows,
    [ZS_COUNT] = append_count,
    [ZS_SUM] = append_sum,
    [ZS_TOTAL] = append_total,
    [ZS_AVG] = append_average,
    [ZS_MIN] = append_first,
    [ZS_MAX] = append_last,
    [ZS_UNANIMOUS] = append_unanimous,
};

/* Of a group of no rows they are NULL. */
static int append_keys(const struct zs_group *group, struct zs_buffer *row)
{
    int rc = ZS_OK;

    if (group->n_rows > 0)
        return zs_buffer_append(row, group->keys.data, group->keys.len);
    for (unsigned i = 0; rc == ZS_OK && i < group->plan->n_keys; i++)
        rc = append_null(row);
    return rc;
}

static int append_message(struct zs_buffer *result)
{
    static const char message[] = "integer overflow";

    zs_buffer_reset(result);
    return zs_buffer_append(result, message, strlen(message));
}

int zs_group_read(const struct zs_group *group, const struct zs_fold_column *columns,
    unsigned n_columns, struct zs_buffer *result, enum zs_reading *reading)
{
    bool is_error = false;
    int rc = append_keys(group, result);

    for (unsigned i = 0; rc == ZS_OK && !is_error && i < n_columns; i++) {
        if (columns[i].spec.kind == ZS_REFOLD)
            rc = zs_refold_read(&group->refolds[columns[i].lane], result, &is_error);
        else
            rc = append_column[columns[i].spec.kind](group, &columns[i], result);
    }
    *reading = is_error ? ZS_ERROR_ROW : ZS_ROW;
    if (rc == ZS_OVERFLOW) {
        *reading = ZS_ERROR_ROW;
        rc = append_message(result);
    }
    return rc;
}
