/* A lookup is a batch of its own: the rows' columns as the key, the row's number as the
** value. */
#include "ext/lookup.h"

#include <string.h>

#include "ext/statement.h"

struct lookup {
    struct lookup *next;
    int *positions;
    enum zs_collation *collations;
    int n;
    struct zs_batch *rows;
};

struct ls_lookups {
    const struct zs_batch *rows;
    size_t n_columns;
    const enum ls_affinity *affinities;
    struct ls_comparable comparable;
    struct lookup *first;
    struct zs_buffer key;
    size_t *starts; /* of a row's columns */
};

int ls_lookups_new(sqlite3 *db, const struct zs_batch *rows, size_t n_columns,
    const enum ls_affinity *affinities, struct ls_lookups **lookups)
{
    struct ls_lookups *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));

    *lookups = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    made->rows = rows;
    made->n_columns = n_columns;
    made->affinities = affinities;
    made->comparable.db = db;
    zs_buffer_init(&made->key, &ls_alloc);
    made->starts = zs_alloc_zeroed(&ls_alloc, n_columns * sizeof(*made->starts));
    if (made->starts == NULL) {
        ls_lookups_free(made);
        return ZS_NOMEM;
    }
    *lookups = made;
    return ZS_OK;
}

void ls_lookups_free(struct ls_lookups *lookups)
{
    if (lookups == NULL)
        return;
    ls_lookups_reset(lookups);
    ls_comparable_clear(&lookups->comparable);
    zs_buffer_clear(&lookups->key);
    sqlite3_free(lookups->starts);
    sqlite3_free(lookups);
}

const struct zs_batch *ls_lookups_rows(const struct ls_lookups *lookups)
{
    return lookups->rows;
}

void ls_lookups_reset(struct ls_lookups *lookups)
{
    while (lookups->first != NULL) {
        struct lookup *lookup = lookups->first;

        lookups->first = lookup->next;
        zs_batch_free(lookup->rows);
        sqlite3_free(lookup->positions);
        sqlite3_free(lookup->collations);
        sqlite3_free(lookup);
    }
}

int ls_lookups_append(struct ls_lookups *lookups, struct zs_buffer *key,
    const struct zs_value *value, int position, enum zs_collation collation)
{
    return ls_comparable_append(
        &lookups->comparable, key, value, lookups->affinities[position], collation);
}

static int add_row(struct ls_lookups *all, struct lookup *lookup, size_t number)
{
    const struct zs_item *item = &zs_batch_items(all->rows)[number];
    struct zs_bytes bytes = {(const uint8_t *)&number, sizeof(number)};
    struct zs_value value;
    size_t at = 0;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < all->n_columns; i++) {
        all->starts[i] = at;
        rc = zs_row_skip(item->value, &at);
    }
    zs_buffer_reset(&all->key);
    for (int i = 0; rc == ZS_OK && i < lookup->n; i++) {
        at = all->starts[lookup->positions[i]];
        rc = zs_row_read(item->value, &at, &value);
        if (rc == ZS_OK)
            rc = ls_lookups_append(
                all, &all->key, &value, lookup->positions[i], lookup->collations[i]);
    }
    if (rc == ZS_OK)
        rc = zs_batch_add(lookup->rows, zs_buffer_bytes(&all->key), bytes, 1);
    return rc;
}

static int make_lookup(struct ls_lookups *all, const int *positions,
    const enum zs_collation *collations, int n, struct lookup **lookup)
{
    struct lookup *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    if (made == NULL)
        return ZS_NOMEM;
    made->next = all->first;
    all->first = made;
    made->positions = zs_alloc_get(&ls_alloc, (size_t)n * sizeof(*positions));
    made->collations = zs_alloc_get(&ls_alloc, (size_t)n * sizeof(*collations));
    rc = zs_batch_new(&ls_alloc, &made->rows);
    if (made->positions == NULL || made->collations == NULL)
        rc = ZS_NOMEM;
    if (rc == ZS_OK) {
        memcpy(made->positions, positions, (size_t)n * sizeof(*positions));
        memcpy(made->collations, collations, (size_t)n * sizeof(*collations));
        made->n = n;
    }
    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(all->rows); i++)
        rc = add_row(all, made, i);
    if (rc == ZS_OK)
        rc = zs_batch_consolidate(made->rows);
    if (rc != ZS_OK)
        ls_lookups_reset(all);
    *lookup = made;
    return rc;
}

static bool is_by(const struct lookup *lookup, const int *positions,
    const enum zs_collation *collations, int n)
{
    return lookup->n == n &&
           memcmp(lookup->positions, positions, (size_t)n * sizeof(*positions)) == 0 &&
           memcmp(lookup->collations, collations, (size_t)n * sizeof(*collations)) == 0;
}

/* The number of items whose key is less than key, or, with or_equal, no greater. */
static size_t count_below(const struct zs_batch *rows, struct zs_bytes key, bool or_equal)
{
    const struct zs_item *items = zs_batch_items(rows);
    size_t low = 0, high = zs_batch_len(rows);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = zs_bytes_compare(items[middle].key, key);

        if (order < 0 || (or_equal && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int ls_lookups_find(struct ls_lookups *all, const int *positions,
    const enum zs_collation *collations, int n, struct zs_bytes key, struct ls_found *found)
{
    struct lookup *lookup = all->first;
    size_t first;
    int rc = ZS_OK;

    *found = (struct ls_found){NULL, 0};
    if (zs_batch_len(all->rows) == 0)
        return ZS_OK;
    while (lookup != NULL && !is_by(lookup, positions, collations, n))
        lookup = lookup->next;
    if (lookup == NULL)
        rc = make_lookup(all, positions, collations, n, &lookup);
    if (rc != ZS_OK)
        return rc;
    first = count_below(lookup->rows, key, false);
    *found = (struct ls_found){
        zs_batch_items(lookup->rows) + first, count_below(lookup->rows, key, true) - first};
    return ZS_OK;
}

size_t ls_found_item(const struct ls_found *found, size_t i)
{
    size_t number;

    memcpy(&number, found->first[i].value.data, sizeof(number));
    return number;
}
