/* A walk over what is pending of a result. It copies some rows at a time, first few and then
** more, and goes on behind the key of the last one, so that other walks, and orders that are
** made for them, don't disturb it.
**
** Of each row there is its `ahead`, the key and the row. */
#include "ext/pending.h"

#include <string.h>

#include "ext/statement.h"

struct ahead {
    int64_t weight;
    size_t key_len, row_len;
};

enum { FIRST_AHEAD = 4, MOST_AHEAD = 64 }; /* rows */
enum { AHEAD_BYTES = 16384 };

void ls_pending_init(struct ls_pending *pending)
{
    *pending = (struct ls_pending){.is_at_end = true};
    for (int i = 0; i < LS_MOST_SPANS; i++) {
        zs_buffer_init(&pending->spans[i].from, &ls_alloc);
        zs_buffer_init(&pending->spans[i].to, &ls_alloc);
    }
    zs_buffer_init(&pending->ahead, &ls_alloc);
    zs_buffer_init(&pending->other, &ls_alloc);
}

void ls_pending_clear(struct ls_pending *pending)
{
    for (int i = 0; i < LS_MOST_SPANS; i++) {
        zs_buffer_clear(&pending->spans[i].from);
        zs_buffer_clear(&pending->spans[i].to);
    }
    zs_buffer_clear(&pending->ahead);
    zs_buffer_clear(&pending->other);
}

int ls_pending_begin(struct ls_pending *pending, const struct ls_result *result, int order)
{
    int rc;

    pending->result = result;
    pending->order = order;
    pending->n_spans = 1;
    pending->at = 0;
    zs_buffer_reset(&pending->ahead);
    pending->next = 0;
    pending->n_ahead = 0;
    pending->most_ahead = FIRST_AHEAD;
    pending->is_span_done = false;
    pending->is_at_end = result == NULL;
    zs_buffer_reset(&pending->spans[0].from);
    zs_buffer_reset(&pending->spans[0].to);
    if (result == NULL || order == 0)
        return ZS_OK;
    rc = zs_buffer_append_byte(&pending->spans[0].from, (uint8_t)order);
    return rc == ZS_OK ? zs_buffer_append_byte(&pending->spans[0].to, (uint8_t)(order + 1))
                       : rc;
}

/* Adds a row to those that were read ahead. A ls_result_visit: ctx is the walk. Among places
** only the last key is asked for. */
static int add_ahead(
    void *ctx, struct zs_bytes key, struct zs_bytes row, int64_t weight, bool *is_enough)
{
    struct ls_pending *pending = ctx;
    struct ahead head = {weight, key.len, row.len};
    uint8_t *to;

    pending->n_ahead++;
    *is_enough = pending->n_ahead == pending->most_ahead || pending->ahead.len > AHEAD_BYTES;
    pending->is_span_done = !*is_enough;
    if (pending->order == 0 && !*is_enough)
        head.key_len = 0;
    if (zs_buffer_reserve(&pending->ahead, sizeof(head) + head.key_len + row.len) != ZS_OK)
        return ZS_NOMEM;
    to = pending->ahead.data + pending->ahead.len;
    memcpy(to, &head, sizeof(head));
    zs_copy(to + sizeof(head), key.data, head.key_len);
    zs_copy(to + sizeof(head) + head.key_len, row.data, row.len);
    pending->ahead.len += sizeof(head) + head.key_len + row.len;
    return ZS_OK;
}

/* Where the walk goes on in its span: at the next possible key, which is the last one and a
** zero byte. */
static int find_from(struct ls_pending *pending, struct zs_bytes *from)
{
    int rc = ZS_OK;

    *from = zs_buffer_bytes(&pending->spans[pending->at].from);
    if (pending->n_ahead == 0)
        return ZS_OK;
    zs_buffer_reset(&pending->other);
    rc = zs_buffer_append(&pending->other, pending->key.data, pending->key.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append_byte(&pending->other, 0);
    *from = zs_buffer_bytes(&pending->other);
    return rc;
}

/* Reads on in the span that the walk is in, behind the row that it stands on. */
static int read_ahead(struct ls_pending *pending)
{
    struct zs_bytes from;
    int rc = find_from(pending, &from);

    zs_buffer_reset(&pending->ahead);
    pending->next = 0;
    pending->n_ahead = 0;
    pending->is_span_done = true;
    if (rc == ZS_OK)
        rc = ls_result_walk(pending->result, pending->order, from,
            zs_buffer_bytes(&pending->spans[pending->at].to), add_ahead, pending);
    if (pending->most_ahead < MOST_AHEAD)
        pending->most_ahead *= 4;
    return rc;
}

/* Steps upon the next of those that were read ahead. */
static void take_ahead(struct ls_pending *pending)
{
    const uint8_t *at = pending->ahead.data + pending->next;
    struct ahead head;

    memcpy(&head, at, sizeof(head));
    at += sizeof(head);
    pending->weight = head.weight;
    pending->key = (struct zs_bytes){at, head.key_len};
    pending->row = (struct zs_bytes){at + head.key_len, head.row_len};
    pending->next += sizeof(head) + head.key_len + head.row_len;
}

int ls_pending_next(struct ls_pending *pending)
{
    int rc = ZS_OK;

    if (pending->result == NULL)
        return ZS_OK;
    while (
        rc == ZS_OK && pending->next == pending->ahead.len && pending->at < pending->n_spans) {
        if (pending->is_span_done) {
            pending->at++;
            pending->n_ahead = 0;
            pending->is_span_done = false;
        } else {
            rc = read_ahead(pending);
        }
    }
    pending->is_at_end = rc != ZS_OK || pending->next == pending->ahead.len;
    if (!pending->is_at_end)
        take_ahead(pending);
    return rc;
}

int ls_pending_is_before(struct ls_pending *pending, struct zs_bytes row, bool *is)
{
    const struct ls_encoder *encoder = ls_result_encoder(pending->result, pending->order);
    struct zs_bytes key = pending->key;
    int rc = ls_encoder_key(encoder, row, &pending->other);

    key.data++; /* the order's number */
    key.len--;
    *is = rc == ZS_OK && zs_bytes_compare(key, zs_buffer_bytes(&pending->other)) < 0;
    return rc;
}
