/* A Z-set: an ascending array of items. The bytes of each, key then value, are one allocation.
 */
#include "core/zset.h"

#include <string.h>

#include "core/sort.h"

struct zs_zset {
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_item *items;
    size_t n;
    size_t cap;
};

int zs_zset_new(const struct zs_alloc *alloc, struct zs_zset **zset)
{
    *zset = zs_alloc_zeroed(alloc, sizeof(**zset));
    if (*zset == NULL)
        return ZS_NOMEM;
    (*zset)->alloc = alloc;
    return ZS_OK;
}

/* Items */

static void free_item(const struct zs_alloc *alloc, struct zs_item item)
{
    zs_alloc_free(alloc, (uint8_t *)item.key.data);
}

static int copy_item(
    const struct zs_alloc *alloc, const struct zs_item *item, struct zs_item *copy)
{
    uint8_t *bytes = NULL;

    if (item->key.len <= SIZE_MAX - item->value.len)
        bytes = zs_alloc_get(alloc, item->key.len + item->value.len);
    if (bytes == NULL)
        return ZS_NOMEM;
    if (item->key.len > 0)
        memcpy(bytes, item->key.data, item->key.len);
    if (item->value.len > 0)
        memcpy(bytes + item->key.len, item->value.data, item->value.len);
    *copy = (struct zs_item){
        {bytes, item->key.len}, {bytes + item->key.len, item->value.len}, item->weight};
    return ZS_OK;
}

static void free_items(const struct zs_alloc *alloc, struct zs_item *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free_item(alloc, items[i]);
    zs_alloc_free(alloc, items);
}

void zs_zset_free(struct zs_zset *zset)
{
    if (zset == NULL)
        return;
    free_items(zset->alloc, zset->items, zset->n);
    zs_alloc_free(zset->alloc, zset);
}

/* The first item >= the element. */
static size_t search(const struct zs_zset *zset, const struct zs_item *element)
{
    size_t low = 0;
    size_t high = zset->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (zs_item_compare(&zset->items[middle], element) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct zs_zset *zset, size_t i, const struct zs_item *element)
{
    return i < zset->n && zs_item_compare(&zset->items[i], element) == 0;
}

static void remove_at(struct zs_zset *zset, size_t i)
{
    free_item(zset->alloc, zset->items[i]);
    zset->n--;
    memmove(&zset->items[i], &zset->items[i + 1], (zset->n - i) * sizeof(*zset->items));
}

static int insert_at(struct zs_zset *zset, size_t i, const struct zs_item *element)
{
    struct zs_item copy;
    int rc = zs_alloc_reserve(
        zset->alloc, &zset->items, &zset->cap, zset->n + 1, sizeof(*zset->items));

    if (rc == ZS_OK)
        rc = copy_item(zset->alloc, element, &copy);
    if (rc != ZS_OK)
        return rc;
    memmove(&zset->items[i + 1], &zset->items[i], (zset->n - i) * sizeof(*zset->items));
    zset->items[i] = copy;
    zset->n++;
    return ZS_OK;
}

int zs_zset_insert(
    struct zs_zset *zset, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    struct zs_item element = {key, value, weight};
    size_t i = search(zset, &element);

    if (weight == 0)
        return ZS_OK;
    if (!is_at(zset, i, &element))
        return insert_at(zset, i, &element);
    if (__builtin_add_overflow(zset->items[i].weight, weight, &weight))
        return ZS_OVERFLOW;
    zset->items[i].weight = weight;
    if (weight == 0)
        remove_at(zset, i);
    return ZS_OK;
}

/* Adding */

/* Two ascending arrays side by side: each element once, NULL where an array has it not. */
struct walk {
    const struct zs_item *a;
    const struct zs_item *a_end;
    const struct zs_item *b;
    const struct zs_item *b_end;
};

static bool next_pair(
    struct walk *walk, const struct zs_item **in_a, const struct zs_item **in_b)
{
    int order;

    *in_a = NULL;
    *in_b = NULL;
    if (walk->a == walk->a_end && walk->b == walk->b_end)
        return false;
    if (walk->a == walk->a_end)
        order = 1;
    else
        order = walk->b == walk->b_end ? -1 : zs_item_compare(walk->a, walk->b);
    if (order <= 0)
        *in_a = walk->a++;
    if (order >= 0)
        *in_b = walk->b++;
    return true;
}

static struct walk walk_of(const struct zs_zset *zset, const struct zs_item *items, size_t n)
{
    struct walk walk = {.a = zset->items, .a_end = zset->items, .b = items, .b_end = items};

    /* No arithmetic on the NULL of an empty array. */
    if (zset->n > 0)
        walk.a_end += zset->n;
    if (n > 0)
        walk.b_end += n;
    return walk;
}

static bool combine(
    const struct zs_item *a, const struct zs_item *b, bool subtracts, int64_t *weight)
{
    int64_t a_weight = a == NULL ? 0 : a->weight;
    int64_t b_weight = b == NULL ? 0 : b->weight;

    return subtracts ? !__builtin_sub_overflow(a_weight, b_weight, weight)
                     : !__builtin_add_overflow(a_weight, b_weight, weight);
}

/* Copies those of the items that zset lacks, in their order; ZS_OVERFLOW if any sum does. */
static int copy_new(const struct zs_zset *zset, const struct zs_item *items, size_t n,
    bool subtracts, struct zs_item *copies, size_t *n_copies)
{
    struct walk walk = walk_of(zset, items, n);
    const struct zs_item *a;
    const struct zs_item *b;
    int rc = ZS_OK;

    *n_copies = 0;
    while (rc == ZS_OK && next_pair(&walk, &a, &b)) {
        int64_t weight;
        if (!combine(a, b, subtracts, &weight))
            rc = ZS_OVERFLOW;
        else if (a == NULL)
            rc = copy_item(zset->alloc, b, &copies[*n_copies]);
        *n_copies += rc == ZS_OK && a == NULL;
    }
    return rc;
}

/* Cannot fail: copies holds the new elements, and merged has room for all. What cancelled
** goes to the end of merged, from *end on. */
static size_t merge(const struct zs_zset *zset, const struct zs_item *items, size_t n,
    bool subtracts, const struct zs_item *copies, struct zs_item *merged, size_t *end)
{
    struct walk walk = walk_of(zset, items, n);
    const struct zs_item *a;
    const struct zs_item *b;
    size_t n_merged = 0;

    while (next_pair(&walk, &a, &b)) {
        struct zs_item item = a == NULL ? *copies++ : *a;
        if (combine(a, b, subtracts, &item.weight) && item.weight != 0)
            merged[n_merged++] = item;
        else
            merged[--*end] = item;
    }
    return n_merged;
}

static int add_items(
    struct zs_zset *zset, const struct zs_item *items, size_t n, bool subtracts)
{
    struct zs_item *copies = NULL;
    struct zs_item *merged = NULL;
    size_t n_copies = 0;
    size_t cap = 0;
    size_t end;
    size_t n_merged;
    int rc = zs_alloc_reserve(zset->alloc, &copies, &cap, n, sizeof(*copies));

    if (rc == ZS_OK)
        rc = copy_new(zset, items, n, subtracts, copies, &n_copies);
    cap = 0;
    if (rc == ZS_OK)
        rc = zs_alloc_reserve(zset->alloc, &merged, &cap, zset->n + n_copies, sizeof(*merged));
    if (rc != ZS_OK) {
        free_items(zset->alloc, copies, n_copies);
        return rc;
    }
    end = zset->n + n_copies;
    n_merged = merge(zset, items, n, subtracts, copies, merged, &end);
    for (; end < zset->n + n_copies; end++)
        free_item(zset->alloc, merged[end]);
    zs_alloc_free(zset->alloc, copies);
    zs_alloc_free(zset->alloc, zset->items);
    zset->items = merged;
    zset->n = n_merged;
    zset->cap = cap;
    return ZS_OK;
}

int zs_zset_add_batch(struct zs_zset *zset, struct zs_batch *batch)
{
    int rc = zs_batch_consolidate(batch);
    if (rc == ZS_OK)
        rc = add_items(zset, zs_batch_items(batch), zs_batch_len(batch), false);
    return rc;
}

int zs_zset_add(struct zs_zset *zset, const struct zs_zset *other)
{
    return add_items(zset, other->items, other->n, false);
}

int zs_zset_subtract(struct zs_zset *zset, const struct zs_zset *other)
{
    return add_items(zset, other->items, other->n, true);
}

int zs_zset_copy(const struct zs_zset *zset, struct zs_zset **copy)
{
    int rc = zs_zset_new(zset->alloc, copy);
    if (rc == ZS_OK)
        rc = zs_zset_add(*copy, zset);
    if (rc != ZS_OK) {
        zs_zset_free(*copy);
        *copy = NULL;
    }
    return rc;
}

/* Scaling */

int zs_zset_scale(struct zs_zset *zset, int64_t factor)
{
    int64_t weight;

    for (size_t i = 0; i < zset->n; i++) {
        if (__builtin_mul_overflow(zset->items[i].weight, factor, &weight))
            return ZS_OVERFLOW;
    }
    for (size_t i = 0; i < zset->n; i++) {
        zset->items[i].weight *= factor;
        if (factor == 0)
            free_item(zset->alloc, zset->items[i]);
    }
    if (factor == 0)
        zset->n = 0;
    return ZS_OK;
}

int zs_zset_negate(struct zs_zset *zset)
{
    return zs_zset_scale(zset, -1);
}

void zs_zset_distinct(struct zs_zset *zset)
{
    size_t n = 0;

    for (size_t i = 0; i < zset->n; i++) {
        struct zs_item item = zset->items[i];
        if (item.weight <= 0) {
            free_item(zset->alloc, item);
            continue;
        }
        item.weight = 1;
        zset->items[n++] = item;
    }
    zset->n = n;
}

/* Reading */

int64_t zs_zset_weight(const struct zs_zset *zset, struct zs_bytes key, struct zs_bytes value)
{
    struct zs_item element = {.key = key, .value = value};
    size_t i = search(zset, &element);
    return is_at(zset, i, &element) ? zset->items[i].weight : 0;
}

bool zs_zset_is_zero(const struct zs_zset *zset)
{
    return zset->n == 0;
}

bool zs_zset_equal(const struct zs_zset *a, const struct zs_zset *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        if (a->items[i].weight != b->items[i].weight || !is_at(b, i, &a->items[i]))
            return false;
    }
    return true;
}

size_t zs_zset_len(const struct zs_zset *zset)
{
    return zset->n;
}

const struct zs_item *zs_zset_items(const struct zs_zset *zset)
{
    return zset->items;
}

/* Streams */

static void free_all(struct zs_zset **zsets, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        zs_zset_free(zsets[i]);
        zsets[i] = NULL;
    }
}

int zs_zset_integrate(const struct zs_zset *const *deltas, size_t n, struct zs_zset **out)
{
    int rc = ZS_OK;

    for (size_t i = 0; i < n; i++)
        out[i] = NULL;
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        rc = zs_zset_copy(i == 0 ? deltas[0] : out[i - 1], &out[i]);
        if (rc == ZS_OK && i > 0)
            rc = zs_zset_add(out[i], deltas[i]);
    }
    if (rc != ZS_OK)
        free_all(out, n);
    return rc;
}

int zs_zset_differentiate(const struct zs_zset *const *sums, size_t n, struct zs_zset **out)
{
    int rc = ZS_OK;

    for (size_t i = 0; i < n; i++)
        out[i] = NULL;
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        rc = zs_zset_copy(sums[i], &out[i]);
        if (rc == ZS_OK && i > 0)
            rc = zs_zset_subtract(out[i], sums[i - 1]);
    }
    if (rc != ZS_OK)
        free_all(out, n);
    return rc;
}
