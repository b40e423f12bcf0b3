/* A fold whose state is the list of a group's rows: varint length, row, varint weight. It
** recomputes all it is asked for, and does one thing wrong where a fault says so. */
#include "tests/fold_model.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { rows_max = 400 };

struct naive_fold {
    struct zs_fold base;
    struct fold_shape shape;
    enum fold_fault fault;
};

struct rows {
    struct fold_row at[rows_max];
    size_t n;
};

/* An assertion of Check's writes to a file each time; there are too many here. */
static void must(int rc)
{
    if (rc != ZS_OK)
        ck_abort_msg("status %d", rc);
}

static void load(struct zs_bytes state, struct rows *rows)
{
    size_t at = 0;

    rows->n = 0;
    while (at < state.len) {
        uint64_t len;
        uint64_t weight;
        struct fold_row *row = &rows->at[rows->n++];
        must(zs_bytes_read_varint(state, &at, &len));
        row->row = (struct zs_bytes){state.data + at, (size_t)len};
        at += (size_t)len;
        must(zs_bytes_read_varint(state, &at, &weight));
        row->weight = (int64_t)weight;
    }
}

static void add(struct rows *rows, const struct zs_item *item)
{
    size_t i = 0;

    while (i < rows->n && !zs_bytes_equal(rows->at[i].row, item->value))
        i++;
    if (i == rows->n) {
        must(i < rows_max ? ZS_OK : ZS_OVERFLOW);
        rows->at[rows->n++] = (struct fold_row){item->value, 0};
    }
    rows->at[i].weight += item->weight;
}

static bool keeps_gone_rows(enum fold_fault fault)
{
    return fault == FOLD_KEEPS_VALUES || fault == FOLD_KEEPS_KEYS ||
           fault == FOLD_KEEPS_CHOICE || fault == FOLD_LEAVES_STATE;
}

static bool is_empty(const struct rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->at[i].weight != 0)
            return false;
    }
    return true;
}

static int save(const struct rows *rows, bool with_gone, struct zs_buffer *state)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < rows->n; i++) {
        const struct fold_row *row = &rows->at[i];
        if (row->weight == 0 && !with_gone)
            continue;
        rc = zs_buffer_append_varint(state, row->row.len);
        if (rc == ZS_OK)
            rc = zs_buffer_append(state, row->row.data, row->row.len);
        if (rc == ZS_OK)
            rc = zs_buffer_append_varint(state, (uint64_t)row->weight);
    }
    return rc;
}

static int change(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    const struct zs_item *items, size_t n, struct zs_trace *multiset,
    struct zs_buffer *new_state)
{
    const struct naive_fold *naive = (const struct naive_fold *)fold;
    struct rows *rows = malloc(sizeof(*rows));
    int rc = ZS_OK;

    (void)key;
    (void)multiset;
    must(rows != NULL ? ZS_OK : ZS_NOMEM);
    load(state, rows);
    for (size_t i = 0; i < n; i++)
        add(rows, &items[i]);
    if (!is_empty(rows) || naive->fault == FOLD_LEAVES_STATE)
        rc = save(rows, keeps_gone_rows(naive->fault), new_state);
    free(rows);
    return rc;
}

/* The last key of another row that is there. */
static int mix_keys(
    const struct naive_fold *naive, const struct rows *rows, struct zs_buffer *result)
{
    size_t i = rows->n - 1;
    size_t from = 0;

    while (rows->at[i].weight == 0)
        i--;
    for (unsigned j = 0; j + 1 < naive->shape.n_keys; j++)
        must(zs_row_skip(zs_buffer_bytes(result), &from));
    result->len = from;
    from = 0;
    for (unsigned j = 0; j + 1 < naive->shape.n_keys; j++)
        must(zs_row_skip(rows->at[i].row, &from));
    return zs_buffer_append(result, rows->at[i].row.data + from,
        fold_model_keys_len(&naive->shape, rows->at[i].row) - from);
}

static int put_keys(
    const struct naive_fold *naive, const struct rows *rows, struct zs_buffer *result)
{
    static const struct zs_value null = {.type = ZS_NULL};
    const struct fold_row *row =
        fold_model_choose(&naive->shape, rows->at, rows->n, naive->fault);
    int rc = ZS_OK;

    for (unsigned i = 0; row == NULL && i < naive->shape.n_keys; i++)
        must(zs_row_append_identity(result, &null));
    if (row != NULL)
        rc = zs_buffer_append(
            result, row->row.data, fold_model_keys_len(&naive->shape, row->row));
    if (row != NULL && naive->fault == FOLD_MIXES_KEYS && naive->shape.n_keys > 1)
        rc = mix_keys(naive, rows, result);
    return rc;
}

static const char *message_of(const struct zs_fold_spec *spec)
{
    return spec->kind == ZS_REFOLD ? FOLD_MODEL_MESSAGE : "integer overflow";
}

static bool has_row(const struct naive_fold *naive, const struct rows *rows)
{
    if (!is_empty(rows) || naive->fault == FOLD_KEEPS_GROUP)
        return true;
    return naive->base.is_global && naive->fault != FOLD_LOSES_GLOBAL;
}

static int read(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    struct zs_buffer *result, enum zs_reading *reading)
{
    const struct naive_fold *naive = (const struct naive_fold *)fold;
    struct rows *rows = malloc(sizeof(*rows));
    const char *message = NULL;
    int rc = ZS_OK;

    (void)key;
    must(rows != NULL ? ZS_OK : ZS_NOMEM);
    load(state, rows);
    *reading = has_row(naive, rows) ? ZS_ROW : ZS_NO_ROW;
    if (*reading == ZS_ROW)
        rc = put_keys(naive, rows, result);
    for (unsigned i = 0; rc == ZS_OK && *reading == ZS_ROW && i < naive->shape.n_specs; i++) {
        if (!fold_model_value(
                &naive->shape, &naive->shape.specs[i], rows->at, rows->n, naive->fault, result))
            *reading = ZS_ERROR_ROW;
        message = message_of(&naive->shape.specs[i]);
    }
    if (rc == ZS_OK && *reading == ZS_ERROR_ROW) {
        zs_buffer_reset(result);
        rc = zs_buffer_append(result, message, strlen(message));
    }
    free(rows);
    return rc;
}

struct zs_fold *naive_fold_new(const struct fold_shape *shape, enum fold_fault fault)
{
    struct naive_fold *naive = malloc(sizeof(*naive));

    must(naive != NULL ? ZS_OK : ZS_NOMEM);
    *naive = (struct naive_fold){
        {.change = change, .read = read, .is_global = shape->is_global}, *shape, fault};
    return &naive->base;
}

void naive_fold_free(struct zs_fold *fold)
{
    free(fold);
}
