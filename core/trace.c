/* A trace over cells: one cell an element, in the format of trace_cells.h. */
#include "core/trace_cells.h"

/* The cells to read: from inclusive, to exclusive or without data. */
struct reading {
    const struct zs_bytes *key; /* of all elements, or NULL; borrowed */
    struct zs_bytes from;
    struct zs_bytes to;
    int64_t limit;
};

static struct zs_cells_trace *self_of(struct zs_trace *trace)
{
    return (struct zs_cells_trace *)trace;
}

/* Changing */

struct addition {
    struct zs_cells_trace *trace;
    const struct zs_item *items;
    const struct zs_bytes *keys; /* of the items' cells */
    int64_t *before;             /* or NULL */
};

/* A cell's value, under its key, into self->value. */
static int write_value(struct zs_cells_trace *self, const struct zs_item *item,
    struct zs_bytes key, int64_t weight)
{
    return zs_trace_write_weight(
        &self->value, weight, key.len - item->value.len - !self->is_private);
}

static int add_weight(void *ctx, size_t i, const struct zs_bytes *old, struct zs_bytes *value,
    enum zs_cell_change *change)
{
    const struct addition *addition = ctx;
    struct zs_cells_trace *self = addition->trace;
    const struct zs_item *item = &addition->items[i];
    int64_t weight = 0;
    int rc = old == NULL ? ZS_OK : zs_trace_read_weight(*old, &weight, &(size_t){0});

    if (addition->before != NULL)
        addition->before[i] = weight;
    if (rc != ZS_OK || item->weight == 0)
        return rc;
    if (__builtin_add_overflow(weight, item->weight, &weight))
        rc = ZS_OVERFLOW;
    if (rc != ZS_OK)
        return rc;
    *change = weight == 0 ? ZS_CELL_IS_REMOVED : ZS_CELL_IS_PUT;
    if (weight == 0)
        return ZS_OK;
    rc = write_value(self, item, addition->keys[i], weight);
    *value = zs_buffer_bytes(&self->value);
    return rc;
}

static int apply_block(
    struct zs_cells_trace *self, const struct zs_item *items, size_t n, int64_t *before)
{
    struct zs_bytes keys[ZS_TRACE_BLOCK];
    struct addition addition = {self, items, keys, before};
    int rc = zs_trace_write_keys(self, items, n, true, keys);

    return rc == ZS_OK ? zs_cells_update(self->cells, keys, n, add_weight, &addition) : rc;
}

static size_t block_len(size_t n)
{
    return n < ZS_TRACE_BLOCK ? n : ZS_TRACE_BLOCK;
}

static int trace_update(
    struct zs_trace *trace, const struct zs_item *items, size_t n, int64_t *before)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i += ZS_TRACE_BLOCK)
        rc = apply_block(
            self_of(trace), items + i, block_len(n - i), before == NULL ? NULL : before + i);
    return rc;
}

static int trace_apply(
    struct zs_trace *trace, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    return apply_block(self_of(trace), &(struct zs_item){key, value, weight}, 1, NULL);
}

/* Reading */

/* Moves from to the cell that is n cells before the end, if that is further on. */
static int skip_to_last(struct zs_cells_trace *self, struct reading *reading, uint64_t n)
{
    struct zs_bytes end = reading->to;
    int rc = ZS_OK;

    for (uint64_t i = 0; rc == ZS_OK && i < n; i++) {
        struct zs_bytes key;
        struct zs_bytes value;
        bool found;

        rc = zs_cells_seek(self->cells, end, false, &key, &value, &found);
        if (rc != ZS_OK)
            break;
        if (!found || zs_bytes_compare(key, reading->from) < 0)
            return ZS_OK;
        zs_buffer_reset(&self->keys);
        rc = zs_buffer_append(&self->keys, key.data, key.len);
        end = zs_buffer_bytes(&self->keys);
        if (i + 1 == n)
            reading->from = end;
    }
    return rc;
}

struct reader {
    struct zs_cells_trace *trace;
    const struct zs_bytes *key;
    uint64_t n_left;
    struct zs_batch *out;
};

static int read_cell(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes value, bool *is_enough)
{
    struct reader *reader = ctx;
    struct zs_item element;
    int rc = zs_trace_read_element(reader->trace, key, value, &element);

    (void)i;
    *is_enough = --reader->n_left == 0;
    if (rc == ZS_OK && reader->key != NULL)
        element.key = *reader->key;
    else if (rc == ZS_OK)
        rc = zs_trace_read_plain_key(reader->trace, &element.key);
    if (rc != ZS_OK)
        return rc;
    return zs_batch_add(reader->out, element.key, element.value, element.weight);
}

static int read_cells(struct zs_cells_trace *self, struct reading reading, struct zs_batch *out)
{
    struct reader reader = {self, reading.key, UINT64_MAX, out};
    struct zs_span span;
    int rc = ZS_OK;

    if (reading.limit > 0)
        reader.n_left = (uint64_t)reading.limit;
    if (reading.limit < 0)
        rc = skip_to_last(self, &reading, -(uint64_t)reading.limit);
    if (rc != ZS_OK)
        return rc;
    span = (struct zs_span){reading.from, reading.to};
    return zs_cells_walk(self->cells, &span, 1, &self->from, read_cell, &reader);
}

static int trace_lookup(struct zs_trace *trace, struct zs_bytes key, struct zs_span values,
    int64_t limit, struct zs_batch *out)
{
    struct zs_cells_trace *self = self_of(trace);
    struct reading reading = {.key = &key, .limit = limit};
    struct zs_span span = {0};
    int rc = zs_trace_write_key(self, &self->from, key);

    if (rc == ZS_OK && values.to.data == NULL)
        rc = zs_span_prefix(zs_buffer_bytes(&self->from), &self->to, &span);
    if (rc == ZS_OK && values.to.data != NULL) {
        rc = zs_trace_write_key(self, &self->to, key);
        if (rc == ZS_OK)
            rc = zs_buffer_append(&self->to, values.to.data, values.to.len);
        span.to = zs_buffer_bytes(&self->to);
    }
    if (rc == ZS_OK)
        rc = zs_buffer_append(&self->from, values.from.data, values.from.len);
    reading.from = zs_buffer_bytes(&self->from);
    reading.to = span.to;
    return rc == ZS_OK ? read_cells(self, reading, out) : rc;
}

static int trace_range(
    struct zs_trace *trace, struct zs_span keys, int64_t limit, struct zs_batch *out)
{
    struct zs_cells_trace *self = self_of(trace);
    struct reading reading = {.limit = limit};
    struct zs_span span = {0};
    int rc;

    if (keys.to.data != NULL && keys.to.len == 0)
        return ZS_OK; /* nothing is less; an empty bound would be none */
    rc = zs_trace_write_bound(self, &self->from, keys.from);
    if (rc == ZS_OK && keys.to.data != NULL) {
        rc = zs_trace_write_bound(self, &self->to, keys.to);
        if (rc == ZS_OK)
            span.to = zs_buffer_bytes(&self->to);
    } else if (rc == ZS_OK && !self->is_private) {
        rc = zs_span_prefix((struct zs_bytes){&self->tag, 1}, &self->to, &span);
    }
    reading.from = zs_buffer_bytes(&self->from);
    reading.to = span.to;
    return rc == ZS_OK ? read_cells(self, reading, out) : rc;
}

/* Matching */

struct matching {
    const struct zs_cells_trace *trace;
    const struct zs_item *items;
    zs_trace_visit *visit;
    void *ctx;
};

static int show_element(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes value, bool *is_enough)
{
    const struct matching *matching = ctx;
    const struct zs_item *item = &matching->items[i];
    struct zs_item element;
    int rc = zs_trace_read_element(matching->trace, key, value, &element);

    (void)is_enough;
    element.key = item->key;
    return rc == ZS_OK ? matching->visit(matching->ctx, item, &element) : rc;
}

/* The spans of the cells whose keys begin with keys; their ends are written to self->to. */
static int write_spans(
    struct zs_cells_trace *self, const struct zs_bytes *keys, size_t n, struct zs_span *spans)
{
    struct zs_buffer *out = &self->to;
    size_t starts[ZS_TRACE_BLOCK];
    int rc = ZS_OK;

    zs_buffer_reset(out);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        spans[i] = (struct zs_span){.from = keys[i]};
        starts[i] = out->len;
        rc = zs_span_append_successor(out, keys[i], &spans[i].to.len);
    }
    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        spans[i].to.data = spans[i].to.len > 0 ? out->data + starts[i] : NULL;
    return rc;
}

static int match_block(struct zs_cells_trace *self, const struct zs_item *items, size_t n,
    zs_trace_visit *visit, void *ctx)
{
    struct matching matching = {self, items, visit, ctx};
    struct zs_bytes keys[ZS_TRACE_BLOCK];
    struct zs_span spans[ZS_TRACE_BLOCK];
    int rc = zs_trace_write_keys(self, items, n, false, keys);

    if (rc == ZS_OK)
        rc = write_spans(self, keys, n, spans);
    return rc == ZS_OK
               ? zs_cells_walk(self->cells, spans, n, &self->from, show_element, &matching)
               : rc;
}

static int trace_match(struct zs_trace *trace, const struct zs_item *items, size_t n,
    zs_trace_visit *visit, void *ctx)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i += ZS_TRACE_BLOCK)
        rc = match_block(self_of(trace), items + i, block_len(n - i), visit, ctx);
    return rc;
}

static int trace_begin(struct zs_trace *trace)
{
    return zs_cells_begin(self_of(trace)->cells);
}

static void trace_commit(struct zs_trace *trace)
{
    zs_cells_commit(self_of(trace)->cells);
}

static void trace_rollback(struct zs_trace *trace)
{
    zs_cells_rollback(self_of(trace)->cells);
}

static void trace_free(struct zs_trace *trace)
{
    struct zs_cells_trace *self = self_of(trace);
    const struct zs_alloc *alloc = self->keys.alloc;

    if (self->is_private)
        zs_cells_free(self->cells);
    zs_buffer_clear(&self->keys);
    zs_buffer_clear(&self->value);
    zs_buffer_clear(&self->from);
    zs_buffer_clear(&self->to);
    zs_buffer_clear(&self->plain_key);
    zs_alloc_free(alloc, self);
}

static const struct zs_trace_methods methods = {
    .apply = trace_apply,
    .lookup = trace_lookup,
    .range = trace_range,
    .begin = trace_begin,
    .commit = trace_commit,
    .rollback = trace_rollback,
    .free = trace_free,
    .update = trace_update,
    .match = trace_match,
};

static int new_trace(
    const struct zs_alloc *alloc, struct zs_cells_trace init, struct zs_trace **trace)
{
    struct zs_cells_trace *self = zs_alloc_get(alloc, sizeof(*self));

    *trace = NULL;
    if (self == NULL)
        return ZS_NOMEM;
    *self = init;
    self->base.methods = &methods;
    zs_buffer_init(&self->keys, alloc);
    zs_buffer_init(&self->value, alloc);
    zs_buffer_init(&self->from, alloc);
    zs_buffer_init(&self->to, alloc);
    zs_buffer_init(&self->plain_key, alloc);
    *trace = &self->base;
    return ZS_OK;
}

int zs_memory_trace_new(const struct zs_alloc *alloc, struct zs_trace **trace)
{
    struct zs_cells *cells;
    int rc = zs_memory_cells_new(alloc, &cells);

    *trace = NULL;
    if (rc == ZS_OK)
        rc = new_trace(
            alloc, (struct zs_cells_trace){.cells = cells, .is_private = true}, trace);
    if (rc != ZS_OK)
        zs_cells_free(cells);
    return rc;
}

int zs_cells_trace_new(
    const struct zs_alloc *alloc, struct zs_cells *cells, uint8_t tag, struct zs_trace **trace)
{
    return new_trace(alloc, (struct zs_cells_trace){.cells = cells, .tag = tag}, trace);
}

int zs_cells_trace_write(const struct zs_trace *trace, const struct zs_item *item,
    struct zs_buffer *key, struct zs_buffer *value)
{
    const struct zs_cells_trace *self = (const struct zs_cells_trace *)trace;
    size_t len = 1 + item->key.len + item->value.len;
    int rc = key->cap < len ? zs_buffer_reserve(key, len) : ZS_OK;

    if (rc != ZS_OK)
        return rc;
    key->data[0] = self->tag;
    zs_copy(key->data + 1, item->key.data, item->key.len);
    zs_copy(key->data + 1 + item->key.len, item->value.data, item->value.len);
    key->len = len;
    return zs_trace_write_weight(value, item->weight, item->key.len);
}
