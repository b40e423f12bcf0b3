/* top: what it shows is the head of offset + limit rows less the head of offset rows, or,
** without a limit, all rows less that head.
**
** The floor is a cell under the empty key: the length of the element's key as a varint, then its
** key and its value. */
#include "core/top.h"

#include <math.h>

#include "core/sort.h"

enum {
    BLOCK = 64, /* items at a time */
    /* For NULLs that are not where the comparison encoding has them, before all else: a byte
    ** behind those that it begins with. */
    KEY_NULL_LAST = 0xff
};

/* Of the rows from start to end, in a head that reaches to end. */
static int add_rows(
    const struct zs_batch *head, int64_t start, int64_t end, int sign, struct zs_batch *out)
{
    int64_t at = 0; /* places taken by the items before */
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(head) && at < end; i++) {
        const struct zs_item *item = &zs_batch_items(head)[i];
        int64_t n = item->weight > 0 ? item->weight : 0;
        int64_t n_hidden = start > at ? start - at : 0;

        if (n > end - at)
            n = end - at;
        at += n;
        if (n > n_hidden)
            rc = zs_batch_add(out, item->key, item->value, sign * (n - n_hidden));
    }
    return rc;
}

/* Do the items take n places or more? */
static bool fills(const struct zs_batch *head, int64_t n)
{
    for (size_t i = 0; n > 0 && i < zs_batch_len(head); i++) {
        int64_t weight = zs_batch_items(head)[i].weight;
        n -= weight <= 0 ? 0 : weight < n ? weight : n;
    }
    return n == 0;
}

/* The first elements, up to where they take n places. So many will do where every weight is
** positive. */
static int read_head(const struct zs_top *top, int64_t n, struct zs_batch *head)
{
    int64_t n_elements = n;
    int rc = ZS_OK;

    while (rc == ZS_OK && n > 0) {
        zs_batch_reset(head);
        rc = zs_trace_range(top->trace, zs_span_all(), n_elements, head);
        if (fills(head, n) || zs_batch_len(head) < (uint64_t)n_elements)
            break;
        n_elements = n_elements > INT64_MAX / 2 ? INT64_MAX : n_elements * 2;
    }
    return rc;
}

/* Do all items of the delta come behind a head that is full? */
static bool is_behind(const struct zs_batch *delta, const struct zs_batch *head, int64_t n)
{
    if (zs_batch_len(delta) == 0 || n == 0)
        return true;
    return fills(head, n) && zs_item_compare(&zs_batch_items(delta)[0],
                                 &zs_batch_items(head)[zs_batch_len(head) - 1]) > 0;
}

static int read_floor(struct zs_bytes cell, struct zs_item *floor)
{
    size_t at = 0;
    uint64_t key_len;
    int rc = zs_bytes_read_varint(cell, &at, &key_len);

    if (rc != ZS_OK || key_len > cell.len - at)
        return ZS_CORRUPT;
    floor->key = (struct zs_bytes){cell.data + at, (size_t)key_len};
    at += (size_t)key_len;
    floor->value = (struct zs_bytes){cell.data + at, cell.len - at};
    return ZS_OK;
}

static const struct zs_bytes floor_key = {(const uint8_t *)"", 0};

/* How many of the first items of the delta are kept. */
static int find_kept(
    const struct zs_top *top, const struct zs_batch *delta, size_t *n, bool *has_floor)
{
    struct zs_bytes cell;
    struct zs_item floor;
    int rc = ZS_OK;

    *n = zs_batch_len(delta);
    *has_floor = false;
    if (top->floor != NULL)
        rc = zs_cells_get(top->floor, floor_key, &cell, has_floor);
    if (rc != ZS_OK || !*has_floor)
        return rc;
    rc = read_floor(cell, &floor);
    while (rc == ZS_OK && *n > 0 && zs_item_compare(&zs_batch_items(delta)[*n - 1], &floor) > 0)
        --*n;
    return rc;
}

int zs_top_set_floor(const struct zs_top *top, const struct zs_item *last)
{
    struct zs_buffer cell;
    int rc;

    zs_buffer_init(&cell, top->alloc);
    rc = zs_buffer_append_varint(&cell, last->key.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&cell, last->key.data, last->key.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&cell, last->value.data, last->value.len);
    if (rc == ZS_OK)
        rc = zs_cells_put(top->floor, floor_key, zs_buffer_bytes(&cell));
    zs_buffer_clear(&cell);
    return rc;
}

static int64_t positive(int64_t weight)
{
    return weight > 0 ? weight : 0;
}

/* Takes the first n items of the delta in; without a limit every row gained and lost is
** shown. */
static int take_in(
    const struct zs_top *top, const struct zs_batch *delta, size_t n, struct zs_batch *out)
{
    const struct zs_item *items = zs_batch_items(delta);
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i += BLOCK) {
        size_t n_block = n - i < BLOCK ? n - i : BLOCK;
        int64_t before[BLOCK];

        rc = zs_trace_update(top->trace, top->alloc, items + i, n_block, before);
        for (size_t k = 0; rc == ZS_OK && top->limit < 0 && k < n_block; k++) {
            const struct zs_item *item = &items[i + k];
            int64_t change = positive(before[k] + item->weight) - positive(before[k]);

            if (change != 0)
                rc = zs_batch_add(out, item->key, item->value, change);
        }
    }
    return rc;
}

int64_t zs_top_end(const struct zs_top *top)
{
    int64_t end;

    if (top->limit < 0)
        return INT64_MAX;
    return __builtin_add_overflow(top->offset, top->limit, &end) ? INT64_MAX : end;
}

int zs_top_show(const struct zs_top *top, const struct zs_batch *head, struct zs_batch *out)
{
    return add_rows(head, top->offset, zs_top_end(top), 1, out);
}

int zs_top_step(const struct zs_top *top, const struct zs_delta *delta, struct zs_delta *out)
{
    bool is_limited = top->limit >= 0;
    /* Without a limit the head itself is what is hidden. */
    int64_t end = is_limited ? zs_top_end(top) : top->offset;
    int64_t start = is_limited ? top->offset : 0;
    int sign = is_limited ? 1 : -1;
    struct zs_batch *head = NULL;
    bool is_untouched = true, has_floor = false;
    size_t n_kept = 0;
    int rc = zs_batch_add_all(out->errors, delta->errors, 1);

    if (rc == ZS_OK)
        rc = zs_batch_new(top->alloc, &head);
    if (rc == ZS_OK)
        rc = read_head(top, end, head);
    if (rc == ZS_OK)
        is_untouched = is_behind(delta->rows, head, end);
    if (rc == ZS_OK && !is_untouched)
        rc = add_rows(head, start, end, -sign, out->rows);
    if (rc == ZS_OK)
        rc = find_kept(top, delta->rows, &n_kept, &has_floor);
    if (rc == ZS_OK)
        rc = take_in(top, delta->rows, n_kept, out->rows);
    if (rc == ZS_OK && !is_untouched)
        rc = read_head(top, end, head);
    if (rc == ZS_OK && !is_untouched && has_floor && !fills(head, end))
        rc = ZS_EXHAUSTED;
    if (rc == ZS_OK && !is_untouched)
        rc = add_rows(head, start, end, sign, out->rows);
    zs_batch_free(head);
    return rc;
}

int zs_row_append_order(
    struct zs_buffer *key, const struct zs_value *value, const struct zs_order *order)
{
    size_t start = key->len;
    bool is_null = value->type == ZS_NULL || (value->type == ZS_REAL && isnan(value->real));
    int rc;

    if (!order->is_descending && !order->has_nulls_last)
        return zs_row_append_comparison(key, value, order->collation);
    /* The key is turned over where the order descends. */
    rc = is_null && order->has_nulls_last != order->is_descending
             ? zs_buffer_append_byte(key, KEY_NULL_LAST)
             : zs_row_append_comparison(key, value, order->collation);
    for (size_t i = start; rc == ZS_OK && order->is_descending && i < key->len; i++)
        key->data[i] = (uint8_t)~key->data[i];
    return rc;
}
