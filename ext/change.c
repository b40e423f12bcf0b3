/* The change of one base table, read through a source whose map is the identity. A lookup is a
** batch of its own: the rows' columns as the key, the row's number as the value. */
#include "ext/change.h"

#include <string.h>

#include "ext/pool.h"
#include "ext/statement.h"

struct lookup {
    struct lookup *next;
    int *positions;
    enum zs_collation *collations;
    int n;
    struct zs_batch *rows;
};

struct ls_change {
    const struct ls_table *table;
    struct ls_pool_block *pool; /* what does not change from step to step */
    int *columns;
    int n_columns;
    int *keys;
    enum zs_collation *key_collations;
    int n_keys;
    struct zsql_operator input, map;
    struct ls_encoder encoder;
    struct ls_source *source;
    struct zs_delta delta;
    struct lookup *lookups;
    struct zs_buffer key;
    size_t *starts; /* of a row's columns */
};

/* Columns. */

/* Notes that a column is wanted; columns ascend. */
static void add_column(struct ls_change *change, int column)
{
    int at = change->n_columns;

    if (column < 0)
        column = change->table->rowid_column;
    for (int i = 0; i < change->n_columns; i++)
        if (change->columns[i] == column)
            return;
    for (; at > 0 && change->columns[at - 1] > column; at--)
        change->columns[at] = change->columns[at - 1];
    change->columns[at] = column;
    change->n_columns++;
}

static int position_of(const struct ls_change *change, int column)
{
    for (int i = 0; i < change->n_columns; i++)
        if (change->columns[i] == column)
            return i;
    return -1;
}

static int choose_columns(struct ls_change *change, const struct zsql_table *read)
{
    const struct ls_table *table = change->table;
    const struct ls_unique *key = table->key < 0 ? NULL : &table->uniques[table->key];
    size_t n_keys = key == NULL ? 1 : (size_t)key->n_terms;
    size_t most = read->n_columns + n_keys;

    change->columns = ls_pool_get(&change->pool, most * sizeof(*change->columns));
    change->keys = ls_pool_get(&change->pool, n_keys * sizeof(*change->keys));
    change->key_collations =
        ls_pool_get(&change->pool, n_keys * sizeof(*change->key_collations));
    change->starts = ls_pool_get(&change->pool, (most + 1) * sizeof(*change->starts));
    if (change->columns == NULL || change->keys == NULL || change->key_collations == NULL ||
        change->starts == NULL)
        return SQLITE_NOMEM;
    for (size_t i = 0; i < read->n_columns; i++)
        add_column(change, read->columns[i]);
    for (size_t i = 0; i < n_keys; i++)
        add_column(change, key == NULL ? -1 : key->terms[i].column);
    for (size_t i = 0; i < n_keys; i++) {
        int column = key == NULL ? table->rowid_column : key->terms[i].column;

        change->keys[i] = position_of(change, column);
        change->key_collations[i] = ZS_BINARY;
        if (key != NULL &&
            !ls_collation_of(key->terms[i].collation, &change->key_collations[i]))
            return SQLITE_MISUSE; /* the table's reader chooses no such key */
    }
    change->n_keys = (int)n_keys;
    return SQLITE_OK;
}

/* The operators SOURCE and MAP that take every column as it is. */
static int make_operators(struct ls_change *change)
{
    size_t n = (size_t)change->n_columns;
    struct zsql_output_column *columns = ls_pool_get(&change->pool, n * sizeof(*columns));
    const char **expressions = ls_pool_get(&change->pool, n * sizeof(*expressions));
    int rc = SQLITE_OK;

    if (columns == NULL || expressions == NULL)
        return SQLITE_NOMEM;
    for (int i = 0; i < change->n_columns; i++)
        expressions[i] = ls_pool_take(&change->pool, sqlite3_mprintf("c%d", i), &rc);
    change->input = (struct zsql_operator){.kind = ZSQL_SOURCE,
        .columns = columns,
        .n_columns = n,
        .table = change->table->name,
        .source_columns = change->columns};
    change->map = (struct zsql_operator){.kind = ZSQL_MAP,
        .input = &change->input,
        .columns = columns,
        .n_columns = n,
        .expressions = expressions};
    change->encoder = (struct ls_encoder){.n_keys = 0, .n_columns = n};
    return rc;
}

int ls_change_new(sqlite3 *db, const struct ls_table *table, size_t number,
    const struct zsql_table *read, struct ls_change **change)
{
    struct ls_change *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    *change = NULL;
    if (made == NULL)
        return SQLITE_NOMEM;
    made->table = table;
    zs_buffer_init(&made->key, &ls_alloc);
    rc = choose_columns(made, read);
    if (rc == SQLITE_OK)
        rc = make_operators(made);
    if (rc == SQLITE_OK && (zs_delta_init(&made->delta, &ls_alloc) != ZS_OK ||
                               ls_source_new(db, table, number, &made->input, &made->map,
                                   &made->encoder, &made->source) != ZS_OK))
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        *change = made;
    else
        ls_change_free(made);
    return rc;
}

static void forget_lookups(struct ls_change *change)
{
    while (change->lookups != NULL) {
        struct lookup *lookup = change->lookups;

        change->lookups = lookup->next;
        zs_batch_free(lookup->rows);
        sqlite3_free(lookup->positions);
        sqlite3_free(lookup->collations);
        sqlite3_free(lookup);
    }
}

void ls_change_free(struct ls_change *change)
{
    if (change == NULL)
        return;
    forget_lookups(change);
    ls_source_free(change->source);
    zs_delta_clear(&change->delta);
    zs_buffer_clear(&change->key);
    ls_pool_free(change->pool);
    sqlite3_free(change);
}

const struct ls_table *ls_change_table(const struct ls_change *change)
{
    return change->table;
}

struct ls_source *ls_change_source(struct ls_change *change)
{
    return change->source;
}

int ls_change_n_columns(const struct ls_change *change)
{
    return change->n_columns;
}

int ls_change_column(const struct ls_change *change, int i)
{
    return change->columns[i];
}

enum ls_affinity ls_change_affinity(const struct ls_change *change, int i)
{
    int column = change->columns[i];

    return column < 0 ? LS_INTEGER : ls_affinity_of(change->table->columns[column].type);
}

int ls_change_n_keys(const struct ls_change *change)
{
    return change->n_keys;
}

const int *ls_change_keys(const struct ls_change *change)
{
    return change->keys;
}

const enum zs_collation *ls_change_key_collations(const struct ls_change *change)
{
    return change->key_collations;
}

/* Rows. */

void ls_change_reset(struct ls_change *change)
{
    forget_lookups(change);
    zs_delta_reset(&change->delta);
}

int ls_change_read(struct ls_change *change, sqlite3_int64 from, sqlite3_int64 last,
    bool may_be_moved, bool *is_lost, bool *has_failing_row)
{
    const struct ls_table *table = change->table;
    bool has_candidates;
    int rc = SQLITE_OK;

    *is_lost = *has_failing_row = false;
    ls_change_reset(change);
    if (from == last)
        return SQLITE_OK;
    /* The rows are found in the table by what their key was when they were logged. */
    if (may_be_moved && table->key < 0 && table->rowid_column < 0) {
        *is_lost = true;
        return SQLITE_OK;
    }
    rc = ls_source_take(
        change->source, from, last, may_be_moved, &change->delta, &has_candidates, is_lost);
    if (rc == SQLITE_OK)
        rc = ls_change_settle(change) == ZS_OK ? SQLITE_OK : SQLITE_NOMEM;
    *has_failing_row = rc == SQLITE_OK && zs_batch_len(change->delta.errors) > 0;
    if (rc != SQLITE_OK || *is_lost || *has_failing_row)
        ls_change_reset(change);
    return rc;
}

int ls_change_add(struct ls_change *change, struct zs_bytes row, int64_t weight)
{
    return zs_batch_add(change->delta.rows, (struct zs_bytes){NULL, 0}, row, weight);
}

int ls_change_settle(struct ls_change *change)
{
    forget_lookups(change);
    return zs_delta_consolidate(&change->delta);
}

const struct zs_item *ls_change_items(const struct ls_change *change)
{
    return zs_batch_items(change->delta.rows);
}

size_t ls_change_len(const struct ls_change *change)
{
    return zs_batch_len(change->delta.rows);
}

/* Lookups. */

static int add_row(struct ls_change *change, struct lookup *lookup, size_t number)
{
    const struct zs_item *item = &ls_change_items(change)[number];
    struct zs_bytes bytes = {(const uint8_t *)&number, sizeof(number)};
    struct zs_value value;
    size_t at = 0;
    int rc = ZS_OK;

    for (int i = 0; rc == ZS_OK && i < change->n_columns; i++) {
        change->starts[i] = at;
        rc = zs_row_skip(item->value, &at);
    }
    zs_buffer_reset(&change->key);
    for (int i = 0; rc == ZS_OK && i < lookup->n; i++) {
        at = change->starts[lookup->positions[i]];
        rc = zs_row_read(item->value, &at, &value);
        if (rc == ZS_OK)
            rc = zs_row_append_comparison(&change->key, &value, lookup->collations[i]);
    }
    if (rc == ZS_OK)
        rc = zs_batch_add(lookup->rows, zs_buffer_bytes(&change->key), bytes, 1);
    return rc;
}

static int make_lookup(struct ls_change *change, const int *positions,
    const enum zs_collation *collations, int n, struct lookup **lookup)
{
    struct lookup *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    if (made == NULL)
        return ZS_NOMEM;
    made->next = change->lookups;
    change->lookups = made;
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
    for (size_t i = 0; rc == ZS_OK && i < ls_change_len(change); i++)
        rc = add_row(change, made, i);
    if (rc == ZS_OK)
        rc = zs_batch_consolidate(made->rows);
    if (rc != ZS_OK)
        forget_lookups(change);
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

int ls_change_find(struct ls_change *change, const int *positions,
    const enum zs_collation *collations, int n, struct zs_bytes key, struct ls_found *found)
{
    struct lookup *lookup = change->lookups;
    size_t first;
    int rc = ZS_OK;

    *found = (struct ls_found){NULL, 0};
    if (ls_change_len(change) == 0)
        return ZS_OK;
    while (lookup != NULL && !is_by(lookup, positions, collations, n))
        lookup = lookup->next;
    if (lookup == NULL)
        rc = make_lookup(change, positions, collations, n, &lookup);
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
