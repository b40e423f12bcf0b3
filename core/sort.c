/* Sorting the items of a batch.
**
** Not the items are sorted but small ranks that hold a few bytes of them, so that most steps
** look at no item: the bytes that all share are skipped, the next seven become a number, and
** the ranks are sorted by it, many by radix and few by merging. Where the numbers are equal
** the same is done again from there on, in the value once the keys are found equal, or the rest
** is compared where they are few. At the end the items are copied in the order of their
** ranks. */
#include "core/sort.h"

#include <string.h>

enum {
    INSERTION_MAX = 12, /* at most so many are sorted where they stand */
    BLOCK = 8,          /* merging starts from blocks of so many */
    RADIX_MIN = 512,    /* at least so many are worth counting their bytes */
    DEPTH_MAX = 16,     /* of recursion; deeper, ranks are merged comparing whole items */
    WINDOW = 7,         /* bytes of an item in its rank */
    PREFETCH = 16,      /* how many items ahead */
};

/* window: seven bytes of the key or value, big-endian, zeros past its end; then, in the lowest
** byte, how many of them there were, or eight if there are more. So it orders as what it was
** taken from, and two that are equal either end both or agree in seven bytes. */
struct rank {
    uint64_t window;
    size_t index;
};

/* All items of a run agree before it. */
struct place {
    bool is_in_value;
    size_t offset;
};

struct sorter {
    const struct zs_item *items;
    struct rank *spare; /* as many as there are items */
};

int zs_item_compare(const struct zs_item *a, const struct zs_item *b)
{
    int order = zs_bytes_compare(a->key, b->key);
    return order != 0 ? order : zs_bytes_compare(a->value, b->value);
}

static struct zs_bytes part_of(const struct zs_item *item, bool is_in_value)
{
    return is_in_value ? item->value : item->key;
}

static size_t common_len(struct zs_bytes a, struct zs_bytes b, size_t from, size_t to)
{
    if (to > b.len)
        to = b.len;
    if (from >= to || memcmp(a.data + from, b.data + from, to - from) == 0)
        return to;
    while (a.data[from] == b.data[from])
        from++;
    return from;
}

/* Moves place to where the run's items first differ; false if they are all equal. */
static bool find_difference(
    const struct sorter *sorter, const struct rank *ranks, size_t n, struct place *place)
{
    for (;;) {
        struct zs_bytes first = part_of(&sorter->items[ranks[0].index], place->is_in_value);
        size_t common = first.len;
        bool is_longer = false;

        for (size_t i = 1; i < n; i++) {
            struct zs_bytes other = part_of(&sorter->items[ranks[i].index], place->is_in_value);
            common = common_len(first, other, place->offset, common);
            is_longer = is_longer || other.len != first.len;
            if (common == place->offset && common < first.len)
                return true; /* what the others are can't change that */
        }
        if (is_longer || common < first.len) {
            place->offset = common;
            return true;
        }
        if (place->is_in_value)
            return false;
        *place = (struct place){.is_in_value = true};
    }
}

static uint64_t window_at(struct zs_bytes bytes, size_t offset)
{
    size_t n = bytes.len - offset;
    uint64_t window = 0;

    if (n > WINDOW) {
        memcpy(&window, bytes.data + offset, sizeof(window));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        window = __builtin_bswap64(window);
#endif
        return (window & ~(uint64_t)0xff) | (WINDOW + 1);
    }
    for (size_t i = 0; i < n; i++)
        window |= (uint64_t)bytes.data[offset + i] << (56 - 8 * i);
    return window | n;
}

/* Past the window that items at a place share; false where they are equal. */
static bool pass_window(uint64_t window, struct place *place)
{
    if ((window & 0xff) > WINDOW) {
        place->offset += WINDOW;
        return true;
    }
    if (place->is_in_value)
        return false;
    *place = (struct place){.is_in_value = true};
    return true;
}

static struct zs_bytes tail_of(struct zs_bytes bytes, size_t offset)
{
    return (struct zs_bytes){bytes.data + offset, bytes.len - offset};
}

/* Of two ranks whose windows were taken at a place. */
static int compare(
    const struct sorter *sorter, struct rank a, struct rank b, struct place place)
{
    const struct zs_item *item_a = &sorter->items[a.index];
    const struct zs_item *item_b = &sorter->items[b.index];
    int order;

    if (a.window != b.window)
        return a.window < b.window ? -1 : 1;
    if (!pass_window(a.window, &place))
        return 0;
    if (place.is_in_value)
        return zs_bytes_compare(
            tail_of(item_a->value, place.offset), tail_of(item_b->value, place.offset));
    order = zs_bytes_compare(
        tail_of(item_a->key, place.offset), tail_of(item_b->key, place.offset));
    return order != 0 ? order : zs_bytes_compare(item_a->value, item_b->value);
}

static void sort_block(
    const struct sorter *sorter, struct rank *ranks, size_t n, struct place place)
{
    for (size_t i = 1; i < n; i++) {
        struct rank rank = ranks[i];
        size_t j = i;
        for (; j > 0 && compare(sorter, rank, ranks[j - 1], place) < 0; j--)
            ranks[j] = ranks[j - 1];
        ranks[j] = rank;
    }
}

static void merge(const struct sorter *sorter, const struct rank *from, size_t middle, size_t n,
    struct place place, struct rank *to)
{
    size_t a = 0;
    size_t b = middle;

    for (size_t i = 0; i < n; i++) {
        bool takes_b = a == middle || (b < n && compare(sorter, from[b], from[a], place) < 0);
        to[i] = takes_b ? from[b++] : from[a++];
    }
}

static size_t smaller_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void merge_sort(
    const struct sorter *sorter, struct rank *ranks, size_t n, struct place place)
{
    struct rank *from = ranks;
    struct rank *to = sorter->spare;

    for (size_t i = 0; i < n; i += BLOCK)
        sort_block(sorter, ranks + i, smaller_of(BLOCK, n - i), place);
    for (size_t width = BLOCK; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t len = smaller_of(2 * width, n - i);
            merge(sorter, from + i, smaller_of(width, len), len, place, to + i);
        }
        struct rank *swap = from;
        from = to;
        to = swap;
    }
    if (from != ranks)
        memcpy(ranks, from, n * sizeof(*ranks));
}

/* In which bits do the windows differ? */
static uint64_t differing_bits(const struct rank *ranks, size_t n)
{
    uint64_t bits = 0;
    for (size_t i = 1; i < n; i++)
        bits |= ranks[i].window ^ ranks[0].window;
    return bits;
}

/* By one byte of the window, keeping the order of those that agree in it. */
static void sort_by_byte(const struct rank *from, size_t n, unsigned shift, struct rank *to)
{
    size_t starts[256] = {0};
    size_t sum = 0;

    for (size_t i = 0; i < n; i++)
        starts[from[i].window >> shift & 0xff]++;
    for (unsigned i = 0; i < 256; i++) {
        size_t count = starts[i];
        starts[i] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[starts[from[i].window >> shift & 0xff]++] = from[i];
}

/* By the window alone, least significant byte first. */
static void radix_sort(const struct sorter *sorter, struct rank *ranks, size_t n)
{
    uint64_t bits = differing_bits(ranks, n);
    struct rank *from = ranks;
    struct rank *to = sorter->spare;

    for (unsigned shift = 0; shift < 64; shift += 8) {
        struct rank *swap = from;
        if ((bits >> shift & 0xff) == 0)
            continue;
        sort_by_byte(from, n, shift, to);
        from = to;
        to = swap;
    }
    if (from != ranks)
        memcpy(ranks, from, n * sizeof(*ranks));
}

/* From here on a run's windows say which of its items are equal to the one before. */
static void mark_all_equal(struct rank *ranks, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ranks[i].window = i > 0;
}

static void mark_equal(
    const struct sorter *sorter, struct rank *ranks, size_t n, struct place place)
{
    struct rank previous = ranks[0];

    ranks[0].window = false;
    for (size_t i = 1; i < n; i++) {
        struct rank rank = ranks[i];
        ranks[i].window = compare(sorter, previous, rank, place) == 0;
        previous = rank;
    }
}

static void sort_ranks(const struct sorter *sorter, struct rank *ranks, size_t n,
    struct place place, unsigned depth);

/* Ranks with the same window, taken at place. */
static void sort_run(const struct sorter *sorter, struct rank *ranks, size_t n,
    struct place place, unsigned depth)
{
    uint64_t window = ranks[0].window;

    if (n == 1) {
        ranks[0].window = false;
    } else if (n <= BLOCK) {
        sort_block(sorter, ranks, n, place);
        mark_equal(sorter, ranks, n, place);
    } else if (pass_window(window, &place)) {
        sort_ranks(sorter, ranks, n, place, depth);
    } else {
        mark_all_equal(ranks, n);
    }
}

static void sort_ranks(const struct sorter *sorter, struct rank *ranks, size_t n,
    struct place place, unsigned depth)
{
    if (n < 2 || !find_difference(sorter, ranks, n, &place)) {
        mark_all_equal(ranks, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        ranks[i].window =
            window_at(part_of(&sorter->items[ranks[i].index], place.is_in_value), place.offset);
    if (n < RADIX_MIN || depth == DEPTH_MAX) {
        merge_sort(sorter, ranks, n, place);
        mark_equal(sorter, ranks, n, place);
        return;
    }
    radix_sort(sorter, ranks, n);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && ranks[end].window == ranks[i].window;)
            end++;
        sort_run(sorter, ranks + i, end - i, place, depth + 1);
    }
}

static void share_bytes(const struct zs_item *from, struct zs_item *to)
{
    to->key = from->key;
    to->value = from->value;
}

/* Writes the items in their order. The reads jump about, so they are asked for in advance. */
static void gather(
    const struct zs_item *items, const struct rank *ranks, size_t n, struct zs_item *to)
{
    for (size_t i = 0; i < n; i++) {
        if (i + PREFETCH < n)
            __builtin_prefetch(&items[ranks[i + PREFETCH].index]);
        to[i] = items[ranks[i].index];
        if (ranks[i].window)
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
    struct sorter sorter = {.items = items};
    struct rank *ranks = zs_alloc_get(alloc, n * sizeof(*ranks));
    struct zs_item *sorted = NULL;

    sorter.spare = zs_alloc_get(alloc, n * sizeof(*sorter.spare));
    if (ranks != NULL && sorter.spare != NULL) {
        for (size_t i = 0; i < n; i++)
            ranks[i].index = i;
        sort_ranks(&sorter, ranks, n, (struct place){.offset = 0}, 0);
    }
    zs_alloc_free(alloc, sorter.spare);
    if (ranks != NULL && sorter.spare != NULL)
        sorted = zs_alloc_get(alloc, n * sizeof(*sorted));
    if (sorted != NULL) {
        gather(items, ranks, n, sorted);
        memcpy(items, sorted, n * sizeof(*items));
    }
    zs_alloc_free(alloc, ranks);
    zs_alloc_free(alloc, sorted);
    return sorted == NULL ? ZS_NOMEM : ZS_OK;
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
