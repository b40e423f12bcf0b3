/* Rows in an order: by keys that memcmp compares as ORDER BY does. */
#include "ext/ordered.h"

#include "ext/statement.h"

int ls_ordered_begin(struct ls_ordered *ordered, const struct zsql_order *order, size_t n,
    size_t n_columns, int utf16, const struct ls_result *result)
{
    size_t position = 0;
    struct zs_bytes row;
    int64_t weight;
    int rc = ls_encoder_order(&ordered->encoder, order, n, n_columns, utf16);

    zs_buffer_init(&ordered->key, &ls_alloc);
    ordered->at = 0;
    if (rc == ZS_OK)
        rc = zs_batch_new(&ls_alloc, &ordered->pending);
    while (rc == ZS_OK && ls_result_next(result, &position, &row, &weight)) {
        rc = ls_encoder_key(&ordered->encoder, row, &ordered->key);
        if (rc == ZS_OK)
            rc = zs_batch_add(ordered->pending, zs_buffer_bytes(&ordered->key), row, weight);
    }
    return rc == ZS_OK ? zs_batch_consolidate(ordered->pending) : rc;
}

void ls_ordered_clear(struct ls_ordered *ordered)
{
    ls_encoder_clear(&ordered->encoder);
    zs_batch_free(ordered->pending);
    ordered->pending = NULL;
    if (ordered->key.alloc != NULL)
        zs_buffer_clear(&ordered->key);
}

const struct zs_item *ls_ordered_next(const struct ls_ordered *ordered)
{
    return ordered->at < zs_batch_len(ordered->pending)
               ? &zs_batch_items(ordered->pending)[ordered->at]
               : NULL;
}

int ls_ordered_is_before(struct ls_ordered *ordered, struct zs_bytes row, bool *is)
{
    const struct zs_item *item = ls_ordered_next(ordered);
    int rc = ls_encoder_key(&ordered->encoder, row, &ordered->key);

    *is = rc == ZS_OK && zs_bytes_compare(item->key, zs_buffer_bytes(&ordered->key)) < 0;
    return rc;
}
