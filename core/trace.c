/* A trace over cells: one cell an element.
**
** Format 1. A cell's key: the tag, the trace's key, the value. A cell's value: the weight as
** a zigzag varint (0, -1, 1, -2, ... are 0, 1, 2, 3, ...), then the length of the key as a
** varint. The trace in memory has its cells to itself and takes any keys: it leaves the tag
** out and escapes and ends the key (escape.h), so that keys are self-delimiting and order is
** kept. */
#include "core/trace.h"

#include "core/escape.h"

enum { BLOCK = 16 }; /* items that are worked on together */

struct cells_trace {
    struct zs_trace base;
    struct zs_cells *cells; /* owned where is_private, else borrowed */
    bool is_private;
    uint8_t tag;
    /* Kept for their memory; each is written anew before it is read. */
    struct zs_buffer keys;
    struct zs_buffer value;
    struct zs_buffer from;
    struct zs_buffer to;
    struct zs_buffer plain_key;
};

/* The cells to read: from inclusive, to exclusive or without data. */
struct reading {
    const struct zs_bytes *key; /* of all elements, or NULL; borrowed */
    struct zs_bytes from;
    struct zs_bytes to;
    int64_t limit;
};

static struct cells_trace *self_of(struct zs_trace *trace)
{
    return (struct cells_trace *)trace;
}

struct zs_span zs_span_all(void)
{
    return (struct zs_span){0};
}

/* Appends the least bytes above all that begin with prefix; *len is 0 where there are none. */
static int append_successor(struct zs_buffer *out, struct zs_bytes prefix, size_t *len)
{
    int rc = ZS_OK;

    *len = prefix.len;
    while (*len > 0 && prefix.data[*len - 1] == 0xff)
        --*len;
    if (*len > 0)
        rc = zs_buffer_append(out, prefix.data, *len);
    if (rc == ZS_OK && *len > 0)
        out->data[out->len - 1]++;
    return rc;
}

int zs_span_prefix(struct zs_bytes prefix, struct zs_buffer *end, struct zs_span *span)
{
    size_t len;
    int rc;

    *span = (struct zs_span){.from = prefix};
    zs_buffer_reset(end);
    rc = append_successor(end, prefix, &len);
    if (rc == ZS_OK && len > 0)
        span->to = zs_buffer_bytes(end);
    return rc;
}

/* Encoding */

/* The bound of a span of keys. */
static int append_bound(
    const struct cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    int rc;

    if (self->is_private)
        return zs_escape_append(out, key);
    rc = zs_buffer_append_byte(out, self->tag);
    return rc == ZS_OK ? zs_buffer_append(out, key.data, key.len) : rc;
}

/* What the cells of one key begin with. */
static int append_key(
    const struct cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    int rc = append_bound(self, out, key);
    if (rc == ZS_OK && self->is_private)
        rc = zs_buffer_append_byte(out, ZS_ESCAPE_END);
    return rc;
}

static int write_bound(
    const struct cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    zs_buffer_reset(out);
    return append_bound(self, out, key);
}

static int write_key(const struct cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    zs_buffer_reset(out);
    return append_key(self, out, key);
}

/* The keys of the items' cells, or what the cells of their keys begin with, for up to
** BLOCK items; in self->keys. */
static int write_keys(struct cells_trace *self, const struct zs_item *items, size_t n,
    bool has_values, struct zs_bytes *keys)
{
    struct zs_buffer *out = &self->keys;
    int rc = ZS_OK;

    zs_buffer_reset(out);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        size_t start = out->len;
        rc = append_key(self, out, items[i].key);
        if (rc == ZS_OK && has_values)
            rc = zs_buffer_append(out, items[i].value.data, items[i].value.len);
        keys[i].len = out->len - start;
    }
    for (size_t i = 0, start = 0; rc == ZS_OK && i < n; start += keys[i++].len)
        keys[i].data = out->data + start;
    return rc;
}

static int write_weight(struct zs_buffer *out, int64_t weight, size_t key_len)
{
    uint64_t zigzag = (uint64_t)weight << 1 ^ (weight < 0 ? UINT64_MAX : 0);
    int rc;

    zs_buffer_reset(out);
    rc = zs_buffer_append_varint(out, zigzag);
    return rc == ZS_OK ? zs_buffer_append_varint(out, key_len) : rc;
}

static int read_weight(struct zs_bytes bytes, int64_t *weight, size_t *key_len)
{
    size_t at = 0;
    uint64_t zigzag;
    uint64_t len;

    if (zs_bytes_read_varint(bytes, &at, &zigzag) != ZS_OK ||
        zs_bytes_read_varint(bytes, &at, &len) != ZS_OK || at != bytes.len || len > SIZE_MAX)
        return ZS_CORRUPT;
    *weight = (int64_t)(zigzag >> 1 ^ (zigzag & 1 ? UINT64_MAX : 0));
    *key_len = (size_t)len;
    return *weight == 0 ? ZS_CORRUPT : ZS_OK;
}

/* Changing */

struct addition {
    struct cells_trace *trace;
    const struct zs_item *items;
    const struct zs_bytes *keys; /* of the items' cells */
    int64_t *before;             /* or NULL */
};

static int add_weight(void *ctx, size_t i, const struct zs_bytes *old, struct zs_bytes *value,
    enum zs_cell_change *change)
{
    const struct addition *addition = ctx;
    struct cells_trace *self = addition->trace;
    const struct zs_item *item = &addition->items[i];
    int64_t weight = 0;
    int rc = old == NULL ? ZS_OK : read_weight(*old, &weight, &(size_t){0});

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
    rc = write_weight(
        &self->value, weight, addition->keys[i].len - item->value.len - !self->is_private);
    *value = zs_buffer_bytes(&self->value);
    return rc;
}

static int apply_block(
    struct cells_trace *self, const struct zs_item *items, size_t n, int64_t *before)
{
    struct zs_bytes keys[BLOCK];
    struct addition addition = {self, items, keys, before};
    int rc = write_keys(self, items, n, true, keys);

    return rc == ZS_OK ? zs_cells_update(self->cells, keys, n, add_weight, &addition) : rc;
}

static size_t block_len(size_t n)
{
    return n < BLOCK ? n : BLOCK;
}

static int trace_update(
    struct zs_trace *trace, const struct zs_item *items, size_t n, int64_t *before)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i += BLOCK)
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
static int skip_to_last(struct cells_trace *self, struct reading *reading, uint64_t n)
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

/* The element that a cell holds. Its key is as in the cell. */
static int read_element(const struct cells_trace *self, struct zs_bytes cell_key,
    struct zs_bytes cell_value, struct zs_item *element)
{
    size_t start = self->is_private ? 0 : 1;
    size_t key_len;
    int rc = read_weight(cell_value, &element->weight, &key_len);

    if (rc != ZS_OK)
        return rc;
    if (cell_key.len < start || key_len > cell_key.len - start)
        return ZS_CORRUPT;
    element->key = (struct zs_bytes){cell_key.data + start, key_len};
    element->value =
        (struct zs_bytes){cell_key.data + start + key_len, cell_key.len - start - key_len};
    return ZS_OK;
}

static int read_plain_key(struct cells_trace *self, struct zs_bytes *key)
{
    int rc;

    if (!self->is_private)
        return ZS_OK;
    key->len--;
    zs_buffer_reset(&self->plain_key);
    rc = zs_escape_undo(&self->plain_key, *key);
    *key = zs_buffer_bytes(&self->plain_key);
    return rc;
}

struct reader {
    struct cells_trace *trace;
    const struct zs_bytes *key;
    uint64_t n_left;
    struct zs_batch *out;
};

static int read_cell(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes value, bool *is_enough)
{
    struct reader *reader = ctx;
    struct zs_item element;
    int rc = read_element(reader->trace, key, value, &element);

    (void)i;
    *is_enough = --reader->n_left == 0;
    if (rc == ZS_OK && reader->key != NULL)
        element.key = *reader->key;
    else if (rc == ZS_OK)
        rc = read_plain_key(reader->trace, &element.key);
    if (rc != ZS_OK)
        return rc;
    return zs_batch_add(reader->out, element.key, element.value, element.weight);
}

static int read_cells(struct cells_trace *self, struct reading reading, struct zs_batch *out)
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
    struct cells_trace *self = self_of(trace);
    struct reading reading = {.key = &key, .limit = limit};
    struct zs_span span = {0};
    int rc = write_key(self, &self->from, key);

    if (rc == ZS_OK && values.to.data == NULL)
        rc = zs_span_prefix(zs_buffer_bytes(&self->from), &self->to, &span);
    if (rc == ZS_OK && values.to.data != NULL) {
        rc = write_key(self, &self->to, key);
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
    struct cells_trace *self = self_of(trace);
    struct reading reading = {.limit = limit};
    struct zs_span span = {0};
    int rc;

    if (keys.to.data != NULL && keys.to.len == 0)
        return ZS_OK; /* nothing is less; an empty bound would be none */
    rc = write_bound(self, &self->from, keys.from);
    if (rc == ZS_OK && keys.to.data != NULL) {
        rc = write_bound(self, &self->to, keys.to);
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
    const struct cells_trace *trace;
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
    int rc = read_element(matching->trace, key, value, &element);

    (void)is_enough;
    element.key = item->key;
    return rc == ZS_OK ? matching->visit(matching->ctx, item, &element) : rc;
}

/* The spans of the cells whose keys begin with keys; their ends are written to self->to. */
static int write_spans(
    struct cells_trace *self, const struct zs_bytes *keys, size_t n, struct zs_span *spans)
{
    struct zs_buffer *out = &self->to;
    size_t starts[BLOCK];
    int rc = ZS_OK;

    zs_buffer_reset(out);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        spans[i] = (struct zs_span){.from = keys[i]};
        starts[i] = out->len;
        rc = append_successor(out, keys[i], &spans[i].to.len);
    }
    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        spans[i].to.data = spans[i].to.len > 0 ? out->data + starts[i] : NULL;
    return rc;
}

static int match_block(struct cells_trace *self, const struct zs_item *items, size_t n,
    zs_trace_visit *visit, void *ctx)
{
    struct matching matching = {self, items, visit, ctx};
    struct zs_bytes keys[BLOCK];
    struct zs_span spans[BLOCK];
    int rc = write_keys(self, items, n, false, keys);

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

    for (size_t i = 0; rc == ZS_OK && i < n; i += BLOCK)
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
    struct cells_trace *self = self_of(trace);
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
    const struct zs_alloc *alloc, struct cells_trace init, struct zs_trace **trace)
{
    struct cells_trace *self = zs_alloc_get(alloc, sizeof(*self));

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
        rc = new_trace(alloc, (struct cells_trace){.cells = cells, .is_private = true}, trace);
    if (rc != ZS_OK)
        zs_cells_free(cells);
    return rc;
}

int zs_cells_trace_new(
    const struct zs_alloc *alloc, struct zs_cells *cells, uint8_t tag, struct zs_trace **trace)
{
    return new_trace(alloc, (struct cells_trace){.cells = cells, .tag = tag}, trace);
}
