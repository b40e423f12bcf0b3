/* The change of one base table, read through a source whose map is the identity. */
#include "ext/change.h"

#include <string.h>

#include "ext/pool.h"
#include "ext/statement.h"

struct ls_change {
    const struct ls_table *table;
    bool keeps_order;
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
    enum ls_affinity *affinities;
    struct ls_lookups *lookups;
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
    if (change->columns == NULL || change->keys == NULL || change->key_collations == NULL)
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

static int read_affinities(struct ls_change *change)
{
    change->affinities =
        ls_pool_get(&change->pool, (size_t)change->n_columns * sizeof(*change->affinities));
    if (change->affinities == NULL)
        return SQLITE_NOMEM;
    for (int i = 0; i < change->n_columns; i++) {
        int column = change->columns[i];

        change->affinities[i] =
            column < 0 ? LS_INTEGER : ls_affinity_of(change->table->columns[column].type);
    }
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

int ls_change_new(sqlite3 *db, const struct zs_alloc *alloc, const struct ls_table *table,
    size_t number, const struct zsql_table *read, struct ls_change **change)
{
    struct ls_change *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    int rc;

    *change = NULL;
    if (made == NULL)
        return SQLITE_NOMEM;
    made->table = table;
    made->keeps_order = read->keeps_order;
    rc = choose_columns(made, read);
    if (rc == SQLITE_OK)
        rc = read_affinities(made);
    if (rc == SQLITE_OK)
        rc = make_operators(made);
    if (rc == SQLITE_OK && (zs_delta_init(&made->delta, alloc) != ZS_OK ||
                               ls_source_new(db, alloc, table, number, &made->input, &made->map,
                                   &made->encoder, &made->source) != ZS_OK ||
                               ls_lookups_new(db, made->delta.rows, (size_t)made->n_columns,
                                   made->affinities, &made->lookups) != ZS_OK))
        rc = SQLITE_NOMEM;
    if (rc == SQLITE_OK)
        *change = made;
    else
        ls_change_free(made);
    return rc;
}

void ls_change_free(struct ls_change *change)
{
    if (change == NULL)
        return;
    ls_lookups_free(change->lookups);
    ls_source_free(change->source);
    zs_delta_clear(&change->delta);
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

const enum ls_affinity *ls_change_affinities(const struct ls_change *change)
{
    return change->affinities;
}

bool ls_change_keeps_order(const struct ls_change *change)
{
    return change->keeps_order;
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
    ls_lookups_reset(change->lookups);
    zs_delta_reset(&change->delta);
}

int ls_change_read(struct ls_change *change, sqlite3_int64 from, sqlite3_int64 last,
    bool may_be_moved, struct ls_taken *taken)
{
    const struct ls_table *table = change->table;
    bool has_candidates = false, is_lost = false, has_failing_row = false;
    int rc = SQLITE_OK;

    ls_change_reset(change);
    if (from == last && !ls_source_is_ahead(change->source))
        return SQLITE_OK;
    /* The rows are found in the table by what their key was when they were logged. */
    if (may_be_moved && table->key < 0 && table->rowid_column < 0)
        is_lost = true;
    else
        rc = ls_source_take(change->source, from, last, may_be_moved, &change->delta,
            &has_candidates, &is_lost);
    if (rc == SQLITE_OK && !is_lost)
        rc = ls_change_settle(change) == ZS_OK ? SQLITE_OK : SQLITE_NOMEM;
    has_failing_row = rc == SQLITE_OK && zs_batch_len(change->delta.errors) > 0;
    if (rc != SQLITE_OK || is_lost || has_failing_row)
        ls_change_reset(change);
    taken->has_candidates |= has_candidates;
    taken->is_lost |= is_lost;
    taken->is_failing |= has_failing_row;
    return rc;
}

int ls_change_add(struct ls_change *change, struct zs_bytes row, int64_t weight)
{
    return zs_batch_add(change->delta.rows, (struct zs_bytes){NULL, 0}, row, weight);
}

int ls_change_settle(struct ls_change *change)
{
    ls_lookups_reset(change->lookups);
    return zs_delta_consolidate(&change->delta);
}

struct ls_lookups *ls_change_lookups(struct ls_change *change)
{
    return change->lookups;
}

size_t ls_change_len(const struct ls_change *change)
{
    return zs_batch_len(change->delta.rows);
}
