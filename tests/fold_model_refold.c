/* The tests' own aggregate: a blob of all rows of its arguments, ascending, each followed by
** how often it is there; and an error where their number is 4 modulo 5. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fold_model.h"

static void must(int rc)
{
    if (rc != ZS_OK)
        ck_abort_msg("status %d", rc);
}

static void put_row(struct zs_buffer *list, struct zs_bytes row, int64_t weight)
{
    must(zs_buffer_append(list, row.data, row.len));
    must(zs_buffer_append_varint(list, (uint64_t)weight));
}

static bool put_result(struct zs_buffer *list, int64_t n_rows, struct zs_buffer *result)
{
    struct zs_value value = {.type = ZS_BLOB, .bytes = zs_buffer_bytes(list)};

    if (n_rows % 5 == 4)
        return false;
    must(zs_row_append_identity(result, &value));
    return true;
}

int fold_model_refold(void *ctx, unsigned number, const struct zs_batch *rows,
    struct zs_buffer *value, bool *is_error)
{
    const struct zs_item *items = zs_batch_items(rows);
    struct zs_buffer list;
    int64_t n_rows = 0;

    (void)ctx;
    (void)number;
    zs_buffer_init(&list, &zs_alloc_libc);
    for (size_t i = 0; i < zs_batch_len(rows); i++) {
        put_row(&list, items[i].value, items[i].weight);
        n_rows += items[i].weight;
    }
    *is_error = !put_result(&list, n_rows, value);
    zs_buffer_clear(&list);
    return *is_error ? zs_buffer_append(value, FOLD_MODEL_MESSAGE, strlen(FOLD_MODEL_MESSAGE))
                     : ZS_OK;
}

/* A row's arguments, and how often they are there. */
struct arguments {
    struct zs_bytes bytes;
    int64_t weight;
};

static int order_arguments(const void *a, const void *b)
{
    return zs_bytes_compare(
        ((const struct arguments *)a)->bytes, ((const struct arguments *)b)->bytes);
}

static struct zs_bytes slice(
    const struct fold_shape *shape, const struct zs_fold_spec *spec, struct zs_bytes row)
{
    size_t from = 0, to;

    for (unsigned i = 0; i < shape->n_keys + spec->argument; i++)
        must(zs_row_skip(row, &from));
    to = from;
    for (unsigned i = 0; i < spec->n_arguments; i++)
        must(zs_row_skip(row, &to));
    return (struct zs_bytes){row.data + from, to - from};
}

bool fold_model_refold_value(const struct fold_shape *shape, const struct zs_fold_spec *spec,
    const struct fold_row *rows, size_t n, enum fold_fault fault, struct zs_buffer *result)
{
    struct arguments *list = calloc(n + 1, sizeof(*list));
    struct zs_buffer text;
    int64_t n_rows = 0;
    bool is_valid;

    must(list != NULL ? ZS_OK : ZS_NOMEM);
    zs_buffer_init(&text, &zs_alloc_libc);
    for (size_t i = 0; i < n; i++) {
        list[i] = (struct arguments){slice(shape, spec, rows[i].row), rows[i].weight};
        n_rows += list[i].weight;
    }
    qsort(list, n, sizeof(*list), order_arguments);
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && order_arguments(&list[i], &list[i + 1]) == 0)
            list[i + 1].weight += list[i].weight;
        else if (list[i].weight != 0 || fault == FOLD_KEEPS_VALUES)
            put_row(&text, list[i].bytes, fault == FOLD_FORGETS_WEIGHTS ? 1 : list[i].weight);
    }
    is_valid = put_result(&text, n_rows, result);
    zs_buffer_clear(&text);
    free(list);
    return is_valid;
}
