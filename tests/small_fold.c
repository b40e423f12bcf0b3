/* Two small folds. */
#include "tests/small_fold.h"

#include <stdio.h>
#include <string.h>

/* Count: the state is the two numbers as they lie in memory, or empty where both are 0. */

struct count {
    int64_t n;
    int64_t length;
};

static struct count read_count(struct zs_bytes state)
{
    struct count count = {0};
    if (state.len == sizeof(count))
        memcpy(&count, state.data, sizeof(count));
    return count;
}

static enum zs_reading describe_count(
    const struct count *count, bool has_row_anyway, char *text, size_t size)
{
    bool is_bad = (count->length % 5 + 5) % 5 == 4;

    if (count->n <= 0 && !has_row_anyway)
        return ZS_NO_ROW;
    snprintf(text, size, "%s%lld:%lld", is_bad ? "bad " : "", (long long)count->n,
        (long long)count->length);
    return is_bad ? ZS_ERROR_ROW : ZS_ROW;
}

static int change_count(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    const struct zs_item *items, size_t n, struct zs_trace *multiset,
    struct zs_buffer *new_state)
{
    struct count count = read_count(state);

    (void)fold;
    (void)key;
    (void)multiset;
    for (size_t i = 0; i < n; i++) {
        int64_t length;
        if (__builtin_mul_overflow(items[i].weight, (int64_t)items[i].value.len, &length) ||
            __builtin_add_overflow(count.n, items[i].weight, &count.n) ||
            __builtin_add_overflow(count.length, length, &count.length))
            return ZS_OVERFLOW;
    }
    if (count.n == 0 && count.length == 0)
        return ZS_OK;
    return zs_buffer_append(new_state, &count, sizeof(count));
}

static int read_count_row(const struct zs_fold *fold, struct zs_bytes key,
    struct zs_bytes state, struct zs_buffer *result, enum zs_reading *reading)
{
    struct count count = read_count(state);
    char text[MODEL_BYTES];

    *reading = describe_count(&count, fold->is_global && key.len == 0, text, sizeof(text));
    return *reading == ZS_NO_ROW ? ZS_OK : zs_buffer_append(result, text, strlen(text));
}

/* Least: the state is '=' and the value, or empty where there is none. */

static int change_least(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
    const struct zs_item *items, size_t n, struct zs_trace *multiset,
    struct zs_buffer *new_state)
{
    struct zs_batch *found = NULL;
    int rc = zs_batch_new(new_state->alloc, &found);

    (void)fold;
    (void)state;
    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = zs_trace_apply(multiset, key, items[i].value, items[i].weight);
    if (rc == ZS_OK)
        rc = zs_trace_lookup(multiset, key, zs_span_all(), 0, found);
    for (size_t i = 0; rc == ZS_OK && new_state->len == 0 && i < zs_batch_len(found); i++) {
        const struct zs_item *item = &zs_batch_items(found)[i];
        if (item->weight <= 0)
            continue;
        rc = zs_buffer_append_byte(new_state, '=');
        if (rc == ZS_OK)
            rc = zs_buffer_append(new_state, item->value.data, item->value.len);
    }
    zs_batch_free(found);
    return rc;
}

static int read_least_row(const struct zs_fold *fold, struct zs_bytes key,
    struct zs_bytes state, struct zs_buffer *result, enum zs_reading *reading)
{
    bool has_row_anyway = fold->is_global && key.len == 0;

    *reading = state.len > 0 || has_row_anyway ? ZS_ROW : ZS_NO_ROW;
    if (state.len > 0)
        return zs_buffer_append(result, state.data + 1, state.len - 1);
    return has_row_anyway ? zs_buffer_append(result, "none", 4) : ZS_OK;
}

const struct zs_fold small_count = {
    .change = change_count, .read = read_count_row, .is_global = false};
const struct zs_fold small_count_global = {
    .change = change_count, .read = read_count_row, .is_global = true};
const struct zs_fold small_least = {
    .change = change_least, .read = read_least_row, .is_global = false};
const struct zs_fold small_least_global = {
    .change = change_least, .read = read_least_row, .is_global = true};

/* Naive. */

static void naive_count(const struct model *integral, const struct model_bytes *key,
    bool has_row_anyway, struct model_delta *out)
{
    struct count count = {0};
    struct model_bytes row;
    char text[MODEL_BYTES];
    enum zs_reading reading;

    for (size_t i = 0; i < integral->n; i++) {
        const struct model_element *element = &integral->elements[i];
        if (model_bytes_compare(&element->key, key) == 0) {
            count.n += element->weight;
            count.length += element->weight * (int64_t)element->value.len;
        }
    }
    reading = describe_count(&count, has_row_anyway, text, sizeof(text));
    if (reading == ZS_NO_ROW)
        return;
    row = model_text(text);
    model_add(reading == ZS_ROW ? &out->rows : &out->errors, key, &row, 1);
}

static void naive_least(const struct model *integral, const struct model_bytes *key,
    bool has_row_anyway, struct model_delta *out)
{
    const struct model_bytes *least = NULL;
    struct model_bytes none = model_text("none");

    for (size_t i = 0; i < integral->n; i++) {
        const struct model_element *element = &integral->elements[i];
        if (model_bytes_compare(&element->key, key) == 0 && element->weight > 0 &&
            (least == NULL || model_bytes_compare(&element->value, least) < 0))
            least = &element->value;
    }
    if (least == NULL && has_row_anyway)
        least = &none;
    if (least != NULL)
        model_add(&out->rows, key, least, 1);
}

static bool is_first_of_key(const struct model *integral, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (model_bytes_compare(&integral->elements[k].key, &integral->elements[i].key) == 0)
            return false;
    }
    return true;
}

void small_fold_naive(const struct zs_fold *fold, const struct model *integral, bool has_run,
    struct model_delta *out)
{
    void (*naive)(const struct model *, const struct model_bytes *, bool,
        struct model_delta *) = fold->change == change_count ? naive_count : naive_least;
    struct model_bytes nothing = {0};

    for (size_t i = 0; i < integral->n; i++) {
        const struct model_bytes *key = &integral->elements[i].key;
        if (is_first_of_key(integral, i) && !(fold->is_global && key->len == 0))
            naive(integral, key, false, out);
    }
    if (fold->is_global && has_run)
        naive(integral, &nothing, true, out);
}
