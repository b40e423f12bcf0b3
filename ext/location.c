/* Rows are found by their key where the view shows all of it. */
#include "ext/location.h"

#include "ext/encoder.h"
#include "ext/statement.h"

/* Does a column's collation tell apart what the key's does, or more? */
static bool compares_alike(const struct zsql_output_column *column, enum zs_collation of_key)
{
    enum zs_collation collation;

    return ls_collation_of(column->collation_name, &collation) &&
           (collation == of_key || collation == ZS_BINARY);
}

int ls_location_read(const struct zsql_plan *plan, int utf16, struct ls_location *location)
{
    const struct zsql_operator *root = plan->operators[plan->n_operators - 1];
    /* What a top shows comes under its order. */
    bool shows_key = plan->is_keyed && plan->n_keys > 0 && root->kind != ZSQL_TOP;

    location->n_columns = (int)root->n_columns;
    location->is_key = zs_alloc_zeroed(&ls_alloc, root->n_columns * sizeof(bool));
    location->affinities =
        zs_alloc_zeroed(&ls_alloc, root->n_columns * sizeof(*location->affinities));
    location->key_columns =
        zs_alloc_zeroed(&ls_alloc, plan->n_keys * sizeof(*location->key_columns));
    location->collations =
        zs_alloc_zeroed(&ls_alloc, plan->n_keys * sizeof(*location->collations));
    if (location->is_key == NULL || location->key_columns == NULL ||
        location->collations == NULL || location->affinities == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < root->n_columns; i++)
        location->affinities[i] = ls_affinity_of(root->columns[i].type);
    for (size_t i = 0; i < plan->n_keys; i++)
        shows_key = shows_key && plan->key_columns[i] >= 0;
    location->is_compared_alike = true;
    for (size_t i = 0; shows_key && i < plan->n_keys; i++) {
        int column = plan->key_columns[i];

        if (!compares_alike(&root->columns[column], plan->key_collations[i]))
            location->is_compared_alike = false;
        location->is_key[column] = true;
        location->key_columns[i] = column;
        location->collations[i] = ls_database_collation(plan->key_collations[i], utf16);
        location->n_keys++;
    }
    return ZS_OK;
}

void ls_location_clear(struct ls_location *location)
{
    sqlite3_free(location->is_key);
    sqlite3_free(location->affinities);
    sqlite3_free(location->key_columns);
    sqlite3_free(location->collations);
}
