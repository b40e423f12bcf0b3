/* A batch: items whose bytes lie in chunks that never move, so that adding keeps every item's
** pointers. Dropped items leave their bytes behind until the reset. */
#include "core/batch.h"

#include <string.h>

#include "core/chunks.h"
#include "core/sort.h"

enum { KEPT_MAX = 1 << 20 }; /* bytes, of items and of chunks, that a reset keeps */

struct zs_batch {
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_item *items;
    size_t n;
    size_t cap;
    struct zs_chunks chunks;
    bool is_consolidated;
};

int zs_batch_new(const struct zs_alloc *alloc, struct zs_batch **batch)
{
    *batch = zs_alloc_zeroed(alloc, sizeof(**batch));
    if (*batch == NULL)
        return ZS_NOMEM;
    (*batch)->alloc = alloc;
    (*batch)->is_consolidated = true;
    return ZS_OK;
}

void zs_batch_free(struct zs_batch *batch)
{
    if (batch == NULL)
        return;
    zs_chunks_reset(&batch->chunks, batch->alloc, 0);
    zs_alloc_free(batch->alloc, batch->items);
    zs_alloc_free(batch->alloc, batch);
}

/* n bytes that stay where they are until the reset. */
static int get_bytes(struct zs_batch *batch, size_t n, uint8_t **bytes)
{
    int rc = zs_chunks_reserve(&batch->chunks, batch->alloc, n);
    struct zs_chunk *chunk = batch->chunks.last;

    if (rc != ZS_OK)
        return rc;
    *bytes = chunk->bytes + chunk->used;
    chunk->used += n;
    return ZS_OK;
}

static struct zs_bytes copy_to(uint8_t *to, struct zs_bytes bytes)
{
    zs_copy(to, bytes.data, bytes.len);
    return (struct zs_bytes){to, bytes.len};
}

/* Adds an item with a copy of its bytes. */
static int append(struct zs_batch *batch, const struct zs_item *item)
{
    uint8_t *bytes;
    int rc = ZS_OK;

    if (item->key.len > SIZE_MAX - item->value.len)
        return ZS_NOMEM;
    if (batch->n == batch->cap)
        rc = zs_alloc_reserve(
            batch->alloc, &batch->items, &batch->cap, batch->n + 1, sizeof(*batch->items));
    if (rc == ZS_OK)
        rc = get_bytes(batch, item->key.len + item->value.len, &bytes);
    if (rc != ZS_OK)
        return rc;
    batch->items[batch->n++] = (struct zs_item){
        copy_to(bytes, item->key), copy_to(bytes + item->key.len, item->value), item->weight};
    return ZS_OK;
}

/* What is filled in ascending order is consolidated as it stands. */
int zs_batch_add(
    struct zs_batch *batch, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    struct zs_item item = {key, value, weight};
    bool is_consolidated;
    int rc;

    if (weight == 0)
        return ZS_OK;
    is_consolidated =
        batch->is_consolidated &&
        (batch->n == 0 || zs_item_compare(&batch->items[batch->n - 1], &item) < 0);
    rc = append(batch, &item);
    if (rc == ZS_OK)
        batch->is_consolidated = is_consolidated;
    return rc;
}

int zs_batch_add_last(
    struct zs_batch *batch, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    struct zs_item item = {key, value, weight};
    return append(batch, &item);
}

static void truncate_to(struct zs_batch *batch, size_t n, bool is_consolidated)
{
    batch->n = n;
    batch->is_consolidated = is_consolidated;
}

int zs_batch_add_all(struct zs_batch *batch, const struct zs_batch *other, int sign)
{
    size_t n = batch->n;
    size_t n_other = other->n; /* other may be batch */
    bool was_consolidated = batch->is_consolidated;
    int rc = ZS_OK;

    if (n_other == 0)
        return ZS_OK;
    if (n_other <= SIZE_MAX - n)
        rc = zs_alloc_reserve(
            batch->alloc, &batch->items, &batch->cap, n + n_other, sizeof(*batch->items));
    for (size_t i = 0; rc == ZS_OK && i < n_other; i++) {
        struct zs_item item = other->items[i];
        if (__builtin_mul_overflow(item.weight, (int64_t)sign, &item.weight))
            rc = ZS_OVERFLOW;
        else
            rc = append(batch, &item);
    }
    if (rc != ZS_OK)
        truncate_to(batch, n, was_consolidated);
    else
        batch->is_consolidated = n == 0 && other->is_consolidated;
    return rc;
}

/* The sum of the weights of the element at i; *end is where the next one begins. */
static __int128 sum_element(const struct zs_item *items, size_t n, size_t i, size_t *end)
{
    __int128 sum = items[i].weight;
    size_t j = i + 1;

    for (; j < n && zs_item_is_repeated(&items[i], &items[j]); j++)
        sum += items[j].weight;
    *end = j;
    return sum;
}

/* No sum can leave 64 bits where all weights have so few that not even all magnitudes
** together do. */
static bool may_overflow(const struct zs_item *items, size_t n)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < n; i++)
        bits |= items[i].weight < 0 ? -(uint64_t)items[i].weight : (uint64_t)items[i].weight;
    return n > 0 && bits > INT64_MAX / n;
}

static bool overflows(const struct zs_item *items, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        __int128 sum = sum_element(items, n, i, &end);
        if (sum > INT64_MAX || sum < INT64_MIN)
            return true;
    }
    return false;
}

int zs_batch_consolidate(struct zs_batch *batch)
{
    struct zs_item *items = batch->items;
    size_t n = 0;
    int rc;

    if (batch->is_consolidated)
        return ZS_OK;
    rc = zs_items_sort(batch->alloc, items, batch->n);
    if (rc != ZS_OK)
        return rc;
    if (may_overflow(items, batch->n) && overflows(items, batch->n))
        return ZS_OVERFLOW;
    for (size_t i = 0, end; i < batch->n; i = end) {
        __int128 sum = sum_element(items, batch->n, i, &end);
        if (n < i)
            items[n] = items[i];
        items[n].weight = (int64_t)sum;
        n += sum != 0;
    }
    truncate_to(batch, n, true);
    return ZS_OK;
}

size_t zs_batch_len(const struct zs_batch *batch)
{
    return batch->n;
}

const struct zs_item *zs_batch_items(const struct zs_batch *batch)
{
    return batch->items;
}

bool zs_batch_is_consolidated(const struct zs_batch *batch)
{
    return batch->is_consolidated;
}

void zs_batch_swap(struct zs_batch *a, struct zs_batch *b)
{
    struct zs_batch held = *a;
    *a = *b;
    *b = held;
}

void zs_batch_reset(struct zs_batch *batch)
{
    truncate_to(batch, 0, true);
    if (batch->cap > KEPT_MAX / sizeof(*batch->items)) {
        zs_alloc_free(batch->alloc, batch->items);
        batch->items = NULL;
        batch->cap = 0;
    }
    zs_chunks_reset(&batch->chunks, batch->alloc, KEPT_MAX);
}

int zs_delta_init(struct zs_delta *delta, const struct zs_alloc *alloc)
{
    int rc;

    *delta = (struct zs_delta){0};
    rc = zs_batch_new(alloc, &delta->rows);
    if (rc == ZS_OK)
        rc = zs_batch_new(alloc, &delta->errors);
    if (rc != ZS_OK)
        zs_delta_clear(delta);
    return rc;
}

void zs_delta_clear(struct zs_delta *delta)
{
    zs_batch_free(delta->rows);
    zs_batch_free(delta->errors);
    *delta = (struct zs_delta){0};
}

void zs_delta_reset(struct zs_delta *delta)
{
    zs_batch_reset(delta->rows);
    zs_batch_reset(delta->errors);
}

int zs_delta_add_all(struct zs_delta *delta, const struct zs_delta *other, int sign)
{
    size_t n = delta->rows->n;
    bool was_consolidated = delta->rows->is_consolidated;
    int rc = zs_batch_add_all(delta->rows, other->rows, sign);

    if (rc == ZS_OK) {
        rc = zs_batch_add_all(delta->errors, other->errors, sign);
        if (rc != ZS_OK)
            truncate_to(delta->rows, n, was_consolidated);
    }
    return rc;
}

int zs_delta_consolidate(struct zs_delta *delta)
{
    int rc = zs_batch_consolidate(delta->rows);
    if (rc == ZS_OK)
        rc = zs_batch_consolidate(delta->errors);
    return rc;
}
