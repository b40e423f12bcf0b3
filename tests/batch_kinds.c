/* The batch of batch.h and a model with one fault at most. */
#include <stdlib.h>
#include <string.h>

#include "tests/batch_laws.h"
#include "tests/must.h"

void batch_outcome_clear(struct batch_outcome *outcome)
{
    free(outcome->items);
    zs_batch_free(outcome->owner);
    *outcome = (struct batch_outcome){0};
}

static struct zs_item *new_items(size_t n)
{
    struct zs_item *items = calloc(n + 1, sizeof(*items));
    must(items != NULL);
    return items;
}

/* The real one */

static struct zs_batch *fill(const struct zs_item *items, size_t n)
{
    struct zs_batch *batch;

    must(zs_batch_new(&zs_alloc_libc, &batch) == ZS_OK);
    for (size_t i = 0; i < n; i++)
        must(zs_batch_add(batch, items[i].key, items[i].value, items[i].weight) == ZS_OK);
    return batch;
}

static void real_consolidate(
    const struct batch_input *input, enum batch_fault fault, struct batch_outcome *outcome)
{
    struct zs_batch *batch = fill(input->items, input->n);
    struct zs_batch *others = fill(input->others, input->n_others);

    (void)fault;
    must(zs_batch_add_all(batch, others, input->sign) == ZS_OK);
    zs_batch_free(others);
    outcome->rc = zs_batch_consolidate(batch);
    outcome->owner = batch;
    outcome->n = zs_batch_len(batch);
    outcome->items = new_items(outcome->n);
    if (outcome->n > 0)
        memcpy(outcome->items, zs_batch_items(batch), outcome->n * sizeof(*outcome->items));
}

const struct batch_kind batch_kind_real = {real_consolidate};

/* The model: insertion into a list, the order of which a fault decides. */

static int compare_signed(struct zs_bytes a, struct zs_bytes b)
{
    for (size_t i = 0; i < a.len && i < b.len; i++) {
        if (a.data[i] != b.data[i])
            return (int8_t)a.data[i] < (int8_t)b.data[i] ? -1 : 1;
    }
    return (a.len > b.len) - (a.len < b.len);
}

static int compare_padded(struct zs_bytes a, struct zs_bytes b)
{
    size_t n = a.len > b.len ? a.len : b.len;

    for (size_t i = 0; i < n; i++) {
        int order = (i < a.len ? a.data[i] : 0) - (i < b.len ? b.data[i] : 0);
        if (order != 0)
            return order;
    }
    return 0;
}

static int compare_part(struct zs_bytes a, struct zs_bytes b, enum batch_fault fault)
{
    switch (fault) {
    case BATCH_SIGNED_BYTES:
        return compare_signed(a, b);
    case BATCH_PADS_WITH_ZEROS:
        return compare_padded(a, b);
    case BATCH_SHORT_FIRST:
        if (a.len != b.len)
            return a.len < b.len ? -1 : 1;
        break;
    case BATCH_LOOKS_AT_EIGHT_BYTES:
        a.len = a.len > 8 ? 8 : a.len;
        b.len = b.len > 8 ? 8 : b.len;
        break;
    default:
        break;
    }
    return zs_bytes_compare(a, b);
}

static int compare(const struct zs_item *a, const struct zs_item *b, enum batch_fault fault)
{
    int order = compare_part(a->key, b->key, fault);

    if (order != 0 || fault == BATCH_IGNORES_VALUES)
        return order;
    return compare_part(a->value, b->value, fault);
}

/* qsort has no context, so the faulty order is by a plain merge sort. */
static void sort(struct zs_item *items, size_t n, enum batch_fault fault)
{
    size_t middle = n / 2;
    struct zs_item *merged;

    if (n < 2)
        return;
    sort(items, middle, fault);
    sort(items + middle, n - middle, fault);
    merged = new_items(n);
    for (size_t i = 0, a = 0, b = middle; i < n; i++) {
        bool takes_a = b == n || (a < middle && compare(&items[a], &items[b], fault) <= 0);
        merged[i] = takes_a ? items[a++] : items[b++];
    }
    memcpy(items, merged, n * sizeof(*items));
    free(merged);
}

static bool belongs(const struct zs_item *a, const struct zs_item *b, enum batch_fault fault)
{
    return fault != BATCH_KEEPS_EQUALS && compare(a, b, fault) == 0;
}

/* Sums the run of equal items that begins at i; false if that overflows. */
static bool sum_run(const struct batch_outcome *all, size_t i, enum batch_fault fault,
    int64_t *weight, size_t *end)
{
    __int128 sum = 0;
    bool overflows = false;

    for (*end = i; *end < all->n && belongs(&all->items[i], &all->items[*end], fault);
         (*end)++) {
        sum += all->items[*end].weight;
        if (fault == BATCH_SUMS_IN_ORDER)
            overflows = overflows || sum > INT64_MAX || sum < INT64_MIN;
    }
    if (*end == i) {
        sum = all->items[i].weight;
        *end = i + 1;
    }
    if (fault == BATCH_LOSES_CROSSOVER)
        sum = all->items[i].weight;
    *weight = (int64_t)(uint64_t)sum;
    return fault == BATCH_WRAPS || (!overflows && sum <= INT64_MAX && sum >= INT64_MIN);
}

static void merge_runs(struct batch_outcome *all, enum batch_fault fault)
{
    size_t n = 0;
    size_t end;
    int64_t weight;

    for (size_t i = 0; i < all->n; i = end) {
        if (!sum_run(all, i, fault, &weight, &end))
            all->rc = ZS_OVERFLOW;
    }
    if (all->rc != ZS_OK && fault != BATCH_MERGES_BEFORE_OVERFLOW)
        return;
    for (size_t i = 0; i < all->n; i = end) {
        (void)sum_run(all, i, fault, &weight, &end);
        all->items[n] = all->items[i];
        all->items[n].weight = weight;
        n += weight != 0 || fault == BATCH_KEEPS_ZEROS;
    }
    all->n = n;
}

static void unsort(struct batch_outcome *outcome)
{
    for (size_t i = 0; i + 1 < outcome->n; i += 2) {
        struct zs_item item = outcome->items[i];
        outcome->items[i] = outcome->items[i + 1];
        outcome->items[i + 1] = item;
    }
}

static void model_consolidate(
    const struct batch_input *input, enum batch_fault fault, struct batch_outcome *outcome)
{
    size_t n_all = input->n + input->n_others;
    int sign = fault == BATCH_IGNORES_SIGN ? 1 : input->sign;

    *outcome = (struct batch_outcome){.rc = ZS_OK, .items = new_items(n_all)};
    for (size_t i = 0; i < n_all; i++) {
        struct zs_item item = input->items[i];
        item.weight *= i < input->n ? 1 : sign;
        if (item.weight != 0)
            outcome->items[outcome->n++] = item;
    }
    sort(outcome->items, outcome->n, fault);
    merge_runs(outcome, fault);
    if (fault == BATCH_UNSORTED)
        unsort(outcome);
}

const struct batch_kind batch_kind_model = {model_consolidate};
