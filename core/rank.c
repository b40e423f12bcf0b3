/* Sorting ranks.
**
** The bytes that all elements share are skipped, the next seven become a number, and the ranks
** are sorted by it where they stand, a byte at a time from the first, few by insertion. Where
** the numbers are equal the same is done again from there on, in the value once the keys are
** found equal, or the rest is compared where they are few. So most steps look at no element. */
#include "core/rank.h"

enum {
    FEW = 16,       /* at most so many are sorted by insertion */
    MANY = 512,     /* at least so many are worth counting their bytes */
    FEW_EQUAL = 8,  /* of equal windows, so many are compared as a whole */
    DEPTH_MAX = 16, /* of windows taken; deeper, elements are compared as a whole */
    WINDOW = 7,     /* bytes of an element in its rank */
    BYTES = 256,
};

/* All elements of a run agree before it. */
struct place {
    bool is_in_value;
    size_t offset;
};

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

/* Moves place to where the run's elements first differ; false if they are all equal. */
static bool find_difference(
    const struct zs_rank *ranks, size_t n, zs_part_fn *part, struct place *place)
{
    for (;;) {
        struct zs_bytes first = part(ranks[0].element, place->is_in_value);
        size_t common = first.len;
        bool is_longer = false;

        for (size_t i = 1; i < n; i++) {
            struct zs_bytes other = part(ranks[i].element, place->is_in_value);
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

/* Seven bytes of the key or value, big-endian, zeros past its end; then, in the lowest byte,
** how many of them there were, or eight if there are more. So it orders as what it was taken
** from, and two that are equal either end both or agree in seven bytes. */
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

/* Past the window that elements at a place share; false where they are equal. */
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

/* Of two ranks whose windows were taken at a place; 0 only where they are the same. */
static int compare(struct zs_rank a, struct zs_rank b, zs_part_fn *part, struct place place,
    enum zs_likeness *likeness)
{
    int order;

    *likeness = place.is_in_value ? ZS_SAME_KEY : ZS_OTHER;
    if (a.window != b.window)
        return a.window < b.window ? -1 : 1;
    if (!pass_window(a.window, &place))
        order = 0;
    else
        order = zs_bytes_compare(tail_of(part(a.element, place.is_in_value), place.offset),
            tail_of(part(b.element, place.is_in_value), place.offset));
    if (order == 0 && !place.is_in_value) {
        *likeness = ZS_SAME_KEY;
        order = zs_bytes_compare(part(a.element, true), part(b.element, true));
    } else if (place.is_in_value) {
        *likeness = ZS_SAME_KEY;
    }
    if (order == 0)
        *likeness = ZS_SAME;
    return order;
}

static void sort_few(struct zs_rank *ranks, size_t n, zs_part_fn *part, struct place place)
{
    enum zs_likeness likeness;

    for (size_t i = 1; i < n; i++) {
        struct zs_rank rank = ranks[i];
        size_t j = i;
        for (; j > 0 && compare(rank, ranks[j - 1], part, place, &likeness) < 0; j--)
            ranks[j] = ranks[j - 1];
        ranks[j] = rank;
    }
}

/* The greatest of a heap's ranks is the first; those from i on are one but for i itself. */
static void sift(
    struct zs_rank *ranks, size_t n, size_t i, zs_part_fn *part, struct place place)
{
    struct zs_rank rank = ranks[i];
    enum zs_likeness likeness;

    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n &&
            compare(ranks[child], ranks[child + 1], part, place, &likeness) < 0)
            child++;
        if (compare(rank, ranks[child], part, place, &likeness) >= 0)
            break;
        ranks[i] = ranks[child];
    }
    ranks[i] = rank;
}

/* By comparisons alone. */
static void sort_heap(struct zs_rank *ranks, size_t n, zs_part_fn *part, struct place place)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(ranks, n, i, part, place);
    for (size_t i = n; i-- > 1;) {
        struct zs_rank greatest = ranks[0];
        ranks[0] = ranks[i];
        ranks[i] = greatest;
        sift(ranks, i, 0, part, place);
    }
}

static void sort_few_windows(struct zs_rank *ranks, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct zs_rank rank = ranks[i];
        size_t j = i;
        for (; j > 0 && rank.window < ranks[j - 1].window; j--)
            ranks[j] = ranks[j - 1];
        ranks[j] = rank;
    }
}

static unsigned byte_of(struct zs_rank rank, unsigned shift)
{
    return rank.window >> shift & 0xff;
}

/* Moves each rank among those of its byte; ends says where those of each byte end. */
static void part_by_byte(struct zs_rank *ranks, size_t n, unsigned shift, size_t ends[BYTES])
{
    size_t nexts[BYTES];
    size_t sum = 0;

    memset(ends, 0, BYTES * sizeof(*ends));
    for (size_t i = 0; i < n; i++)
        ends[byte_of(ranks[i], shift)]++;
    for (unsigned i = 0; i < BYTES; i++) {
        nexts[i] = sum;
        sum += ends[i];
        ends[i] = sum;
    }
    for (unsigned i = 0; i < BYTES; i++)
        while (nexts[i] < ends[i]) {
            struct zs_rank rank = ranks[nexts[i]];

            for (unsigned byte; (byte = byte_of(rank, shift)) != i;) {
                struct zs_rank held = ranks[nexts[byte]];
                ranks[nexts[byte]++] = rank;
                rank = held;
            }
            ranks[nexts[i]++] = rank;
        }
}

static uint64_t middle_of(uint64_t a, uint64_t b, uint64_t c)
{
    if (a > b)
        return c > a ? a : (c > b ? c : b);
    return c < a ? a : (c < b ? c : b);
}

/* Quicksort, of so few that its worst case is no harm. */
static void sort_some_windows(struct zs_rank *ranks, size_t n)
{
    while (n > FEW) {
        uint64_t middle = middle_of(ranks[0].window, ranks[n / 2].window, ranks[n - 1].window);
        size_t i = 0, j = n - 1;

        for (;; i++, j--) {
            while (ranks[i].window < middle)
                i++;
            while (ranks[j].window > middle)
                j--;
            if (i >= j)
                break;
            struct zs_rank held = ranks[i];
            ranks[i] = ranks[j];
            ranks[j] = held;
        }
        sort_some_windows(ranks + j + 1, n - j - 1);
        n = j + 1;
    }
    sort_few_windows(ranks, n);
}

/* By the windows alone, which agree above the byte at shift. */
static void sort_windows(struct zs_rank *ranks, size_t n, unsigned shift)
{
    size_t ends[BYTES];
    size_t start = 0;

    if (n < MANY) {
        sort_some_windows(ranks, n);
        return;
    }
    part_by_byte(ranks, n, shift, ends);
    for (unsigned i = 0; shift > 0 && i < BYTES; start = ends[i++])
        sort_windows(ranks + start, ends[i] - start, shift - 8);
}

/* From here on a run's windows say what its elements have in common. */
static void mark_all(struct zs_rank *ranks, size_t n, enum zs_likeness first)
{
    for (size_t i = 0; i < n; i++)
        ranks[i].window = i > 0 ? ZS_SAME : first;
}

static void mark(struct zs_rank *ranks, size_t n, zs_part_fn *part, struct place place,
    enum zs_likeness first)
{
    struct zs_rank previous = ranks[0];

    ranks[0].window = first;
    for (size_t i = 1; i < n; i++) {
        struct zs_rank rank = ranks[i];
        enum zs_likeness likeness;

        (void)compare(previous, rank, part, place, &likeness);
        ranks[i].window = likeness;
        previous = rank;
    }
}

static void sort_run(struct zs_rank *ranks, size_t n, zs_part_fn *part, struct place place,
    enum zs_likeness first, unsigned depth);

/* Ranks with the same window, taken at place. */
static void sort_equal(struct zs_rank *ranks, size_t n, zs_part_fn *part, struct place place,
    enum zs_likeness first, unsigned depth)
{
    if (n == 1) {
        ranks[0].window = first;
    } else if (n <= FEW_EQUAL) {
        sort_few(ranks, n, part, place);
        mark(ranks, n, part, place, first);
    } else if (pass_window(ranks[0].window, &place)) {
        sort_run(ranks, n, part, place, first, depth);
    } else {
        mark_all(ranks, n, first);
    }
}

/* first is what the first has in common with what stands before the run. */
static void sort_run(struct zs_rank *ranks, size_t n, zs_part_fn *part, struct place place,
    enum zs_likeness first, unsigned depth)
{
    if (n < 2 || !find_difference(ranks, n, part, &place)) {
        mark_all(ranks, n, first);
        return;
    }
    for (size_t i = 0; i < n; i++)
        ranks[i].window = window_at(part(ranks[i].element, place.is_in_value), place.offset);
    if (depth == DEPTH_MAX) {
        sort_heap(ranks, n, part, place);
        mark(ranks, n, part, place, first);
        return;
    }
    sort_windows(ranks, n, 56);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && ranks[end].window == ranks[i].window;)
            end++;
        sort_equal(ranks + i, end - i, part, place,
            i == 0              ? first
            : place.is_in_value ? ZS_SAME_KEY
                                : ZS_OTHER,
            depth + 1);
    }
}

void zs_ranks_sort(struct zs_rank *ranks, size_t n, zs_part_fn *part)
{
    sort_run(ranks, n, part, (struct place){.offset = 0}, ZS_OTHER, 0);
}
