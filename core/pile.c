/* An element is an entry in a chunk, which never moves: its weight, zigzag, and the lengths of
** its key and value, all as varints, then both. Ranks point to entries. A weight that changes
** is written over while it is as long, else the entry is written anew. */
#include "core/pile.h"

#include "core/chunks.h"
#include "core/rank.h"

enum {
    HEAD_MAX = 3 * ZS_VARINT_MAX, /* bytes before the key */
    PREFETCH = 16,                /* how many elements ahead */
};

struct zs_pile {
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_rank *ranks;
    size_t n;
    size_t cap;
    struct zs_chunks chunks;
    bool has_negative; /* weights, or zeros */
    bool is_consolidated;
    bool is_plain;
};

int zs_pile_new(const struct zs_alloc *alloc, struct zs_pile **pile)
{
    *pile = zs_alloc_zeroed(alloc, sizeof(**pile));
    if (*pile == NULL)
        return ZS_NOMEM;
    (*pile)->alloc = alloc;
    return ZS_OK;
}

void zs_pile_free(struct zs_pile *pile)
{
    if (pile == NULL)
        return;
    zs_pile_reset(pile);
    zs_alloc_free(pile->alloc, pile);
}

/* Varints are as long as they need be, so that the length of one tells that of others. */
static size_t varint_len(uint64_t n)
{
    uint8_t bytes[ZS_VARINT_MAX];

    return zs_varint_put(bytes, n);
}

/* Room for an element at the end of the last chunk. */
static int reserve(struct zs_pile *pile, const struct zs_item *item)
{
    size_t need;

    if (__builtin_add_overflow(item->key.len, item->value.len, &need) ||
        need > SIZE_MAX - HEAD_MAX)
        return ZS_NOMEM;
    need += HEAD_MAX;
    return zs_chunks_reserve(&pile->chunks, pile->alloc, need);
}

/* Where there is room. */
static const uint8_t *write_entry(struct zs_pile *pile, const struct zs_item *item)
{
    struct zs_chunk *chunk = pile->chunks.last;
    uint8_t *entry = chunk->bytes + chunk->used, *at = entry;

    at += zs_varint_put(at, zs_zigzag(item->weight));
    at += zs_varint_put(at, item->key.len);
    at += zs_varint_put(at, item->value.len);
    zs_copy(at, item->key.data, item->key.len);
    at += item->key.len;
    zs_copy(at, item->value.data, item->value.len);
    at += item->value.len;
    chunk->used += (size_t)(at - entry);
    return entry;
}

int zs_pile_add(
    struct zs_pile *pile, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    const struct zs_item item = {key, value, weight};
    int rc = ZS_OK;

    if (weight == 0)
        return ZS_OK;
    if (pile->n == pile->cap)
        rc = zs_alloc_reserve(
            pile->alloc, &pile->ranks, &pile->cap, pile->n + 1, sizeof(*pile->ranks));
    if (rc == ZS_OK)
        rc = reserve(pile, &item);
    if (rc != ZS_OK)
        return rc;
    pile->ranks[pile->n++].element = write_entry(pile, &item);
    pile->has_negative = pile->has_negative || weight < 0;
    pile->is_consolidated = false;
    return ZS_OK;
}

static uint64_t read_varint(const uint8_t **at)
{
    uint64_t n = *(*at)++;

    if (n >= 0x80) {
        uint8_t byte;
        unsigned shift = 0;

        n &= 0x7f;
        do {
            byte = *(*at)++;
            shift += 7;
            n |= (uint64_t)(byte & 0x7f) << shift;
        } while (byte >= 0x80);
    }
    return n;
}

static struct zs_item read_entry(const uint8_t *entry)
{
    uint64_t weight = read_varint(&entry);
    size_t key_len = (size_t)read_varint(&entry);
    size_t value_len = (size_t)read_varint(&entry);

    return (struct zs_item){
        {entry, key_len}, {entry + key_len, value_len}, zs_unzigzag(weight)};
}

/* A zs_part_fn. */
static struct zs_bytes part_of(const void *entry, bool is_value)
{
    const struct zs_item item = read_entry(entry);

    return is_value ? item.value : item.key;
}

struct zs_item zs_pile_item(const struct zs_pile *pile, size_t i)
{
    return read_entry(pile->ranks[i].element);
}

void zs_pile_prefetch(const struct zs_pile *pile, size_t i)
{
    if (i < pile->n)
        __builtin_prefetch(pile->ranks[i].element);
}

/* Over the old one, if it is as long. */
static bool write_weight(struct zs_pile *pile, size_t i, int64_t weight)
{
    uint8_t *entry = (uint8_t *)pile->ranks[i].element; /* in a chunk of ours */

    if (varint_len(zs_zigzag(weight)) != varint_len(zs_zigzag(zs_pile_item(pile, i).weight)))
        return false;
    (void)zs_varint_put(entry, zs_zigzag(weight));
    return true;
}

static int set_weight(struct zs_pile *pile, size_t i, int64_t weight)
{
    struct zs_item item = zs_pile_item(pile, i);
    int rc = ZS_OK;

    pile->has_negative = pile->has_negative || weight <= 0;
    if (weight == item.weight || write_weight(pile, i, weight))
        return ZS_OK;
    item.weight = weight;
    rc = reserve(pile, &item);
    if (rc == ZS_OK)
        pile->ranks[i].element = write_entry(pile, &item);
    return rc;
}

int zs_pile_add_weight(struct zs_pile *pile, size_t i, int64_t weight)
{
    int64_t sum;

    pile->is_consolidated = false;
    return __builtin_add_overflow(zs_pile_item(pile, i).weight, weight, &sum)
               ? ZS_OVERFLOW
               : set_weight(pile, i, sum);
}

/* Where does the run of elements end that are the same as element i? */
static size_t end_of_same(const struct zs_pile *pile, size_t i)
{
    do
        i++;
    while (i < pile->n && pile->ranks[i].window == ZS_SAME);
    return i;
}

/* Sums the elements from i to end, which are the same, into the first. Where that fails they
** stay as they are. */
static int sum_same(struct zs_pile *pile, size_t i, size_t end)
{
    __int128 sum = 0;

    for (size_t j = i; j < end; j++)
        sum += zs_pile_item(pile, j).weight;
    return sum > INT64_MAX || sum < INT64_MIN ? ZS_OVERFLOW : set_weight(pile, i, (int64_t)sum);
}

/* Mostly no two are the same, and then no element is looked at. */
static int merge_same(struct zs_pile *pile)
{
    size_t n = 0;
    int rc = ZS_OK;

    for (size_t i = 0, end; i < pile->n; i = end) {
        end = end_of_same(pile, i);
        if (rc == ZS_OK && end > i + 1)
            rc = sum_same(pile, i, end);
        if (rc != ZS_OK)
            end = i + 1;
        pile->is_plain = pile->is_plain && pile->ranks[i].window == ZS_OTHER;
        pile->ranks[n++] = pile->ranks[i];
    }
    pile->n = n;
    return rc;
}

static void drop_zeros(struct zs_pile *pile)
{
    size_t n = 0;

    pile->has_negative = false;
    for (size_t i = 0; i < pile->n; i++) {
        int64_t weight = zs_pile_item(pile, i).weight;

        zs_pile_prefetch(pile, i + PREFETCH);
        pile->has_negative = pile->has_negative || weight < 0;
        if (weight != 0)
            pile->ranks[n++] = pile->ranks[i];
    }
    pile->n = n;
}

int zs_pile_consolidate(struct zs_pile *pile)
{
    int rc;

    if (pile->is_consolidated)
        return ZS_OK;
    zs_ranks_sort(pile->ranks, pile->n, part_of);
    pile->is_plain = true;
    rc = merge_same(pile);
    if (pile->has_negative)
        drop_zeros(pile);
    pile->is_plain = pile->is_plain && !pile->has_negative;
    pile->is_consolidated = rc == ZS_OK;
    return rc;
}

size_t zs_pile_len(const struct zs_pile *pile)
{
    return pile->n;
}

size_t zs_pile_size(const struct zs_pile *pile)
{
    return pile->chunks.n_bytes + pile->n * sizeof(*pile->ranks);
}

bool zs_pile_is_plain(const struct zs_pile *pile)
{
    return pile->is_plain;
}

int zs_pile_keep(struct zs_pile *pile, size_t n)
{
    struct zs_pile kept = {.alloc = pile->alloc};
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n && i < pile->n; i++) {
        const struct zs_item item = zs_pile_item(pile, i);

        rc = zs_pile_add(&kept, item.key, item.value, item.weight);
    }
    if (rc == ZS_OK) {
        zs_pile_reset(pile);
        *pile = kept;
    } else {
        zs_pile_reset(&kept);
    }
    return rc;
}

void zs_pile_reset(struct zs_pile *pile)
{
    zs_chunks_reset(&pile->chunks, pile->alloc, 0);
    zs_alloc_free(pile->alloc, pile->ranks);
    *pile = (struct zs_pile){.alloc = pile->alloc};
}
