/* A walk over what is pending of a result. It looks each row up from the key of the last one, so that
** other walks, and orders that are made for them, don't disturb it. */
#include "ext/pending.h"

#include "ext/statement.h"

void ls_pending_init(struct ls_pending *pending)
{
    *pending = (struct ls_pending){.is_at_end = true};
    for (int i = 0; i < LS_MOST_SPANS; i++) {
        zs_buffer_init(&pending->spans[i].from, &ls_alloc);
        zs_buffer_init(&pending->spans[i].to, &ls_alloc);
    }
    zs_buffer_init(&pending->key, &ls_alloc);
    zs_buffer_init(&pending->row, &ls_alloc);
    zs_buffer_init(&pending->other, &ls_alloc);
}

void ls_pending_clear(struct ls_pending *pending)
{
    for (int i = 0; i < LS_MOST_SPANS; i++) {
        zs_buffer_clear(&pending->spans[i].from);
        zs_buffer_clear(&pending->spans[i].to);
    }
    zs_buffer_clear(&pending->key);
    zs_buffer_clear(&pending->row);
    zs_buffer_clear(&pending->other);
}

int ls_pending_begin(struct ls_pending *pending, const struct ls_result *result, int order)
{
    int rc;

    pending->result = result;
    pending->order = order;
    pending->n_spans = 1;
    pending->at = 0;
    pending->has_begun = false;
    pending->is_at_end = result == NULL;
    zs_buffer_reset(&pending->spans[0].from);
    zs_buffer_reset(&pending->spans[0].to);
    if (result == NULL || order == 0)
        return ZS_OK;
    rc = zs_buffer_append_byte(&pending->spans[0].from, (uint8_t)order);
    return rc == ZS_OK ? zs_buffer_append_byte(&pending->spans[0].to, (uint8_t)(order + 1))
                       : rc;
}

/* Where the walk goes on: at the next possible key, which is the last one and a zero byte. */
static int find_from(struct ls_pending *pending, bool is_first, struct zs_bytes *from)
{
    int rc = ZS_OK;

    *from = zs_buffer_bytes(&pending->spans[pending->at].from);
    if (is_first)
        return ZS_OK;
    zs_buffer_reset(&pending->other);
    rc = zs_buffer_append(&pending->other, pending->key.data, pending->key.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append_byte(&pending->other, 0);
    *from = zs_buffer_bytes(&pending->other);
    return rc;
}

/* What comes from there on in the span. */
static int seek(struct ls_pending *pending, struct zs_bytes from, struct zs_bytes *key,
    struct zs_bytes *row, bool *found)
{
    int rc;

    if (pending->order == 0)
        return ls_result_seek_place(pending->result, from, key, row, &pending->weight, found);
    rc = ls_result_seek(pending->result, from, key, row, &pending->weight, found);
    if (rc == ZS_OK && *found)
        *found = zs_bytes_compare(*key, zs_buffer_bytes(&pending->spans[pending->at].to)) < 0;
    return rc;
}

/* The next row of the span that it is in, which has begun unless is_first. */
static int next_of_span(struct ls_pending *pending, bool is_first, bool *found)
{
    struct zs_bytes from, key, row;
    int rc;

    do {
        rc = find_from(pending, is_first, &from);
        if (rc == ZS_OK)
            rc = seek(pending, from, &key, &row, found);
        if (rc != ZS_OK || !*found)
            return rc;
        zs_buffer_reset(&pending->key);
        zs_buffer_reset(&pending->row);
        rc = zs_buffer_append(&pending->key, key.data, key.len);
        if (rc == ZS_OK)
            rc = zs_buffer_append(&pending->row, row.data, row.len);
        is_first = false;
    } while (rc == ZS_OK && pending->weight == 0);
    return rc;
}

int ls_pending_next(struct ls_pending *pending)
{
    bool is_first = !pending->has_begun, found = false;
    int rc = ZS_OK;

    if (pending->result == NULL)
        return ZS_OK;
    pending->has_begun = true;
    while (rc == ZS_OK && !found && pending->at < pending->n_spans) {
        rc = next_of_span(pending, is_first, &found);
        if (rc == ZS_OK && !found)
            pending->at++;
        is_first = true;
    }
    pending->is_at_end = !found;
    return rc;
}

int ls_pending_is_before(struct ls_pending *pending, struct zs_bytes row, bool *is)
{
    const struct ls_encoder *encoder = ls_result_encoder(pending->result, pending->order);
    struct zs_bytes key = zs_buffer_bytes(&pending->key);
    int rc = ls_encoder_key(encoder, row, &pending->other);

    key.data++; /* the order's number */
    key.len--;
    *is = rc == ZS_OK && zs_bytes_compare(key, zs_buffer_bytes(&pending->other)) < 0;
    return rc;
}
