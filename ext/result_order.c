/* The orders of what is pending: each is made when it is first asked for, and then kept up, as
** result_show.c tells. */
#include "ext/result_private.h"
#include "ext/statement.h"

enum { MOST_ORDERS = 64 };

struct zs_bytes ls_behind(struct zs_bytes cell, void *head, size_t size)
{
    memcpy(head, cell.data, size);
    return (struct zs_bytes){cell.data + size, cell.len - size};
}

/* The key of a place's row in an order, into shown->other. */
static int find_key(
    struct ls_shown *shown, size_t order, struct zs_bytes place, struct zs_bytes row)
{
    int rc = ls_encoder_key(&shown->orders[order - 1], row, &shown->key);

    zs_buffer_reset(&shown->other);
    if (rc == ZS_OK)
        rc = zs_buffer_append_byte(&shown->other, (uint8_t)order);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&shown->other, shown->key.data, shown->key.len);
    return rc == ZS_OK ? zs_buffer_append(&shown->other, place.data, place.len) : rc;
}

int ls_shown_change_order(struct ls_shown *shown, size_t order, struct zs_bytes place,
    struct zs_bytes row, int64_t weight)
{
    int rc = find_key(shown, order, place, row);

    if (rc != ZS_OK || weight == 0)
        return rc != ZS_OK ? rc : zs_cells_remove(shown->rows, zs_buffer_bytes(&shown->other));
    zs_buffer_reset(&shown->key);
    rc = zs_buffer_append(&shown->key, &weight, sizeof(weight));
    if (rc == ZS_OK)
        rc = zs_buffer_append(&shown->key, row.data, row.len);
    if (rc == ZS_OK)
        rc = zs_cells_put(
            shown->rows, zs_buffer_bytes(&shown->other), zs_buffer_bytes(&shown->key));
    return rc;
}

/* Puts what is pending into a new order. */
static int make_order(struct ls_shown *shown, size_t number)
{
    static const uint8_t zero = 0;
    struct zs_bytes from = {&zero, 1}, key, cell;
    struct zs_buffer next;
    bool found;
    int rc = zs_cells_seek(shown->rows, from, true, &key, &cell, &found);

    zs_buffer_init(&next, &ls_alloc);
    while (rc == ZS_OK && found && key.data[0] == 0) {
        struct ls_of_place of_place;
        struct zs_bytes row;

        zs_buffer_reset(&next);
        zs_buffer_reset(&shown->old);
        rc = zs_buffer_append(&next, key.data, key.len);
        if (rc == ZS_OK)
            rc = zs_buffer_append_byte(&next, 0);
        if (rc == ZS_OK)
            rc = zs_buffer_append(&shown->old, cell.data, cell.len);
        if (rc != ZS_OK)
            break;
        from = zs_buffer_bytes(&next);
        row = ls_behind(zs_buffer_bytes(&shown->old), &of_place, sizeof(of_place));
        if (of_place.weight != 0)
            rc = ls_shown_change_order(shown, number,
                (struct zs_bytes){from.data + 1, from.len - 2}, row, of_place.weight);
        if (rc == ZS_OK)
            rc = zs_cells_seek(shown->rows, from, true, &key, &cell, &found);
    }
    zs_buffer_clear(&next);
    return rc;
}

static bool is_same(const struct ls_encoder *a, const struct ls_encoder *b)
{
    bool is_same = a->n_keys == b->n_keys;

    for (size_t i = 0; is_same && i < a->n_keys; i++)
        is_same = a->keys[i].column == b->keys[i].column &&
                  a->keys[i].order.collation == b->keys[i].order.collation &&
                  a->keys[i].order.is_descending == b->keys[i].order.is_descending &&
                  a->keys[i].order.has_nulls_last == b->keys[i].order.has_nulls_last;
    return is_same;
}

/* Adds an order; takes the encoder, in any case. */
static int add_order(struct ls_result *result, struct ls_encoder *encoder)
{
    struct ls_shown *shown = &result->shown;
    int rc;

    if (shown->orders == NULL)
        shown->orders = zs_alloc_zeroed(&ls_alloc, MOST_ORDERS * sizeof(*shown->orders));
    if (shown->orders == NULL) {
        ls_encoder_clear(encoder);
        return ZS_NOMEM;
    }
    shown->orders[shown->n_orders++] = *encoder;
    rc = make_order(shown, shown->n_orders);
    if (rc != ZS_OK) /* half of it is done */
        ls_result_forget_orders(result);
    return rc;
}

int ls_result_order(
    struct ls_result *result, const struct zsql_order *terms, size_t n, int utf16, int *number)
{
    struct ls_shown *shown = &result->shown;
    struct ls_encoder encoder;
    int rc;

    *number = 0;
    if (n == 0)
        return ZS_OK;
    rc = shown->state == LS_KEPT_UP ? ZS_OK : ls_shown_make(result);
    if (rc == ZS_OK)
        rc = ls_encoder_order(&encoder, terms, n, (size_t)result->location->n_columns, utf16);
    if (rc != ZS_OK)
        return rc;
    for (size_t i = 0; *number == 0 && i < shown->n_orders; i++)
        if (is_same(&encoder, &shown->orders[i]))
            *number = (int)i + 1;
    if (*number == 0 && shown->n_orders == MOST_ORDERS)
        *number = -1;
    if (*number != 0) {
        ls_encoder_clear(&encoder);
        return ZS_OK;
    }
    rc = add_order(result, &encoder);
    *number = (int)shown->n_orders;
    return rc;
}

const struct ls_encoder *ls_result_encoder(const struct ls_result *result, int number)
{
    return &result->shown.orders[number - 1];
}

void ls_result_forget_orders(struct ls_result *result)
{
    struct ls_shown *shown = &result->shown;

    while (shown->n_orders > 0)
        ls_encoder_clear(&shown->orders[--shown->n_orders]);
    ls_shown_forget(shown);
}

struct walking {
    ls_result_visit *visit;
    void *ctx;
};

/* Zs_cell_visits: ctx is a walking. */
static int visit_of_order(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes cell, bool *is_enough)
{
    const struct walking *walking = ctx;
    int64_t weight;
    struct zs_bytes row = ls_behind(cell, &weight, sizeof(weight));

    (void)i;
    return walking->visit(walking->ctx, key, row, weight, is_enough);
}

static int visit_place(
    void *ctx, size_t i, struct zs_bytes place, struct zs_bytes record, bool *is_enough)
{
    const struct walking *walking = ctx;
    struct ls_entry entry;

    (void)i;
    if (!ls_record_settled(record, &entry))
        return ZS_CORRUPT;
    if (entry.weight == 0)
        return ZS_OK;
    return walking->visit(
        walking->ctx, place, (struct zs_bytes){entry.row, entry.len}, entry.weight, is_enough);
}

int ls_result_walk(const struct ls_result *result, int order, struct zs_bytes from,
    struct zs_bytes to, ls_result_visit *visit, void *ctx)
{
    struct zs_span span = {from, to.len == 0 ? (struct zs_bytes){NULL, 0} : to};
    struct walking walking = {visit, ctx};
    struct zs_buffer next;
    int rc;

    zs_buffer_init(&next, &ls_alloc);
    rc = order == 0
             ? zs_cells_walk(result->layer.memory, &span, 1, &next, visit_place, &walking)
             : zs_cells_walk(result->shown.rows, &span, 1, &next, visit_of_order, &walking);
    zs_buffer_clear(&next);
    return rc;
}
