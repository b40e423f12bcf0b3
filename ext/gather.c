/* Rows are added to a pile. Which came lately a cache of theirs knows: sets of eight slots, as
** many as a line of the processor's cache holds; a slot is 32 bits of the number and the row's
** index plus one, or 0. As each look is at memory that lies about, rows wait in a block until
** what a look needs has been asked for, for all of them. */
#include "ext/gather.h"

#include <string.h>

#include "ext/batchtable.h"
#include "ext/statement.h"

enum {
    BLOCK = 32,         /* rows that wait */
    SET = 8,            /* slots */
    MIN_SETS = 64,      /* of the cache */
    MAX_SETS = 1 << 15, /* two megabytes */
    HARDLY_ANY = 16,    /* one in so many */
};

static const size_t UNKNOWN = SIZE_MAX;

struct waiting {
    int64_t number;
    size_t at, len; /* of the row, in the bytes that wait */
    int64_t weight;
    size_t known; /* the index of what may be the same row, or UNKNOWN */
};

struct ls_gather {
    struct zs_pile *rows;
    uint64_t *slots;
    size_t n_sets;  /* a power of two, or 0 */
    size_t n_again; /* rows that were known */
    struct waiting block[BLOCK];
    size_t n_waiting;
    struct zs_buffer bytes;
};

int ls_gather_new(struct ls_gather **gather)
{
    struct ls_gather *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));

    *gather = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    zs_buffer_init(&made->bytes, &ls_alloc);
    if (zs_pile_new(&ls_alloc, &made->rows) != ZS_OK) {
        ls_gather_free(made);
        return ZS_NOMEM;
    }
    *gather = made;
    return ZS_OK;
}

static void forget_slots(struct ls_gather *gather)
{
    sqlite3_free(gather->slots);
    gather->slots = NULL;
    gather->n_sets = 0;
}

void ls_gather_free(struct ls_gather *gather)
{
    if (gather == NULL)
        return;
    zs_pile_free(gather->rows);
    forget_slots(gather);
    zs_buffer_clear(&gather->bytes);
    sqlite3_free(gather);
}

/* Twice as many slots as rows, up to a bound. What was known is forgotten. Where hardly any row
** comes again there are no more. */
static int grow(struct ls_gather *gather)
{
    size_t n_sets = gather->n_sets == 0 ? MIN_SETS : 4 * gather->n_sets;
    size_t n = zs_pile_len(gather->rows);

    if (n > MAX_SETS * SET && gather->n_again < n / HARDLY_ANY) {
        forget_slots(gather);
        return ZS_OK;
    }
    if (2 * n < gather->n_sets * SET || gather->n_sets == MAX_SETS)
        return ZS_OK;
    forget_slots(gather);
    gather->slots = zs_alloc_zeroed(&ls_alloc, n_sets * SET * sizeof(*gather->slots));
    if (gather->slots == NULL)
        return ZS_NOMEM;
    gather->n_sets = n_sets;
    return ZS_OK;
}

static uint64_t *set_of(const struct ls_gather *gather, int64_t number)
{
    return gather->n_sets == 0
               ? NULL
               : &gather->slots[SET * ((uint64_t)number & (gather->n_sets - 1))];
}

static uint64_t tag_of(int64_t number)
{
    return (uint64_t)number >> 31;
}

/* The row that came last under a number or, hardly ever, under another. */
static size_t find(const struct ls_gather *gather, int64_t number)
{
    const uint64_t *set = set_of(gather, number);

    for (int i = 0; set != NULL && i < SET; i++)
        if (set[i] >> 32 == tag_of(number) && set[i] != 0)
            return (size_t)(set[i] & UINT32_MAX) - 1;
    return UNKNOWN;
}

static void note(struct ls_gather *gather, int64_t number, size_t index)
{
    uint64_t *set = set_of(gather, number);

    if (set != NULL && index < UINT32_MAX)
        set[index % SET] = tag_of(number) << 32 | (index + 1);
}

static bool is_same(struct zs_item item, const uint8_t *key, struct zs_bytes row)
{
    return memcmp(item.key.data, key, LS_NUMBER_SIZE) == 0 && zs_bytes_equal(item.value, row);
}

/* Counts a row where it is known, or adds it. */
static int take_one(struct ls_gather *gather, const struct waiting *waiting)
{
    struct zs_bytes row = {gather->bytes.data + waiting->at, waiting->len};
    size_t n = zs_pile_len(gather->rows);
    uint8_t key[LS_NUMBER_SIZE];
    int rc;

    ls_batchtable_number(waiting->number, key);
    if (waiting->known != UNKNOWN &&
        is_same(zs_pile_item(gather->rows, waiting->known), key, row)) {
        gather->n_again++;
        return zs_pile_add_weight(gather->rows, waiting->known, waiting->weight);
    }
    rc = zs_pile_add(gather->rows, (struct zs_bytes){key, sizeof(key)}, row, waiting->weight);
    if (rc == ZS_OK && zs_pile_len(gather->rows) > n)
        note(gather, waiting->number, n);
    return rc;
}

static int take_block(struct ls_gather *gather)
{
    int rc = grow(gather);

    for (size_t i = 0; rc == ZS_OK && i < gather->n_waiting; i++) {
        gather->block[i].known = find(gather, gather->block[i].number);
        if (gather->block[i].known != UNKNOWN)
            zs_pile_prefetch(gather->rows, gather->block[i].known);
    }
    for (size_t i = 0; rc == ZS_OK && i < gather->n_waiting; i++)
        rc = take_one(gather, &gather->block[i]);
    gather->n_waiting = 0;
    zs_buffer_reset(&gather->bytes);
    return rc;
}

int ls_gather_add(struct ls_gather *gather, int64_t number, struct zs_bytes row, int64_t weight)
{
    int rc = zs_buffer_append(&gather->bytes, row.data, row.len);

    if (rc != ZS_OK)
        return rc;
    gather->block[gather->n_waiting++] =
        (struct waiting){number, gather->bytes.len - row.len, row.len, weight, UNKNOWN};
    __builtin_prefetch(set_of(gather, number));
    return gather->n_waiting == BLOCK ? take_block(gather) : ZS_OK;
}

/* Rows move, so that what was known is forgotten. */
static int consolidate(struct ls_gather *gather)
{
    int rc = take_block(gather);

    forget_slots(gather);
    return rc == ZS_OK ? zs_pile_consolidate(gather->rows) : rc;
}

int ls_gather_settle(struct ls_gather *gather)
{
    size_t n = zs_pile_len(gather->rows);
    int rc = consolidate(gather);

    if (rc != ZS_OK || zs_pile_len(gather->rows) > n / 2)
        return rc;
    return zs_pile_keep(gather->rows, zs_pile_len(gather->rows));
}

size_t ls_gather_size(const struct ls_gather *gather)
{
    return zs_pile_size(gather->rows) + gather->n_sets * SET * sizeof(*gather->slots);
}

int ls_gather_rows(struct ls_gather *gather, const struct zs_pile **rows)
{
    *rows = gather->rows;
    return consolidate(gather);
}

void ls_gather_reset(struct ls_gather *gather)
{
    zs_pile_reset(gather->rows);
    gather->n_waiting = gather->n_again = 0;
    zs_buffer_reset(&gather->bytes);
    forget_slots(gather);
}
