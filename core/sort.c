/* Sorting the items of a batch: by ranks (rank.h), in whose order the items are copied at the
** end. */
#include "core/sort.h"

#include <string.h>

#include "core/rank.h"

enum {
    INSERTION_MAX = 12, /* at most so many are sorted where they stand */
    PREFETCH = 16,      /* how many items ahead */
};

int zs_item_compare(const struct zs_item *a, const struct zs_item *b)
{
    int order = zs_bytes_compare(a->key, b->key);
    return order != 0 ? order : zs_bytes_compare(a->value, b->value);
}

static struct zs_bytes part_of(const void *element, bool is_value)
{
    const struct zs_item *item = element;

    return is_value ? item->value : item->key;
}

static void share_bytes(const struct zs_item *from, struct zs_item *to)
{
    to->key = from->key;
    to->value = from->value;
}

/* Writes the items in their order. The reads jump about, so they are asked for in advance. */
static void gather(const struct zs_rank *ranks, size_t n, struct zs_item *to)
{
    for (size_t i = 0; i < n; i++) {
        if (i + PREFETCH < n)
            __builtin_prefetch(ranks[i + PREFETCH].element);
        to[i] = *(const struct zs_item *)ranks[i].element;
        if (ranks[i].window == ZS_SAME)
            share_bytes(&to[i - 1], &to[i]);
    }
}

static void insertion_sort(struct zs_item *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct zs_item item = items[i];
        size_t j = i;
        for (; j > 0 && zs_item_compare(&item, &items[j - 1]) < 0; j--)
            items[j] = items[j - 1];
        items[j] = item;
    }
}

/* Shares bytes as far as it gets. */
static bool is_sorted(struct zs_item *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        int order = zs_item_compare(&items[i - 1], &items[i]);
        if (order > 0)
            return false;
        if (order == 0)
            share_bytes(&items[i - 1], &items[i]);
    }
    return true;
}

static int sort_many(const struct zs_alloc *alloc, struct zs_item *items, size_t n)
{
    struct zs_rank *ranks = zs_alloc_get(alloc, n * sizeof(*ranks));
    struct zs_item *sorted = zs_alloc_get(alloc, n * sizeof(*sorted));
    int rc = ranks == NULL || sorted == NULL ? ZS_NOMEM : ZS_OK;

    if (rc == ZS_OK) {
        for (size_t i = 0; i < n; i++)
            ranks[i].element = &items[i];
        zs_ranks_sort(ranks, n, part_of);
        gather(ranks, n, sorted);
        memcpy(items, sorted, n * sizeof(*items));
    }
    zs_alloc_free(alloc, ranks);
    zs_alloc_free(alloc, sorted);
    return rc;
}

int zs_items_sort(const struct zs_alloc *alloc, struct zs_item *items, size_t n)
{
    if (n <= INSERTION_MAX)
        insertion_sort(items, n);
    return is_sorted(items, n) ? ZS_OK : sort_many(alloc, items, n);
}

bool zs_item_is_repeated(const struct zs_item *a, const struct zs_item *b)
{
    return a->key.data == b->key.data && a->key.len == b->key.len &&
           a->value.data == b->value.data && a->value.len == b->value.len;
}
