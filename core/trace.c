/* A trace over cells: one cell an element.
**
** Format 1. A cell's key: the tag, the trace's key, the value. A cell's value: the weight as
** a zigzag varint (0, -1, 1, -2, ... are 0, 1, 2, 3, ...), then the length of the key as a
** varint. The trace in memory has its cells to itself and takes any keys: it leaves the tag
** out and escapes and ends the key (escape.h), so that keys are self-delimiting and order is
** kept. */
#include "core/trace.h"

#include "core/escape.h"

struct cells_trace {
    struct zs_trace base;
    struct zs_cells *cells; /* owned where is_private, else borrowed */
    bool is_private;
    uint8_t tag;
    /* Kept for their memory; each is written anew before it is read. */
    struct zs_buffer key;
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

int zs_span_prefix(struct zs_bytes prefix, struct zs_buffer *end, struct zs_span *span)
{
    size_t len = prefix.len;
    int rc;

    *span = (struct zs_span){.from = prefix};
    while (len > 0 && prefix.data[len - 1] == 0xff)
        len--;
    if (len == 0)
        return ZS_OK;
    zs_buffer_reset(end);
    rc = zs_buffer_append(end, prefix.data, len);
    if (rc != ZS_OK)
        return rc;
    end->data[len - 1]++;
    span->to = zs_buffer_bytes(end);
    return ZS_OK;
}

/* Encoding */

/* The bound of a span of keys. */
static int write_bound(
    const struct cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    int rc;

    zs_buffer_reset(out);
    if (self->is_private)
        return zs_escape_append(out, key);
    rc = zs_buffer_append_byte(out, self->tag);
    return rc == ZS_OK ? zs_buffer_append(out, key.data, key.len) : rc;
}

/* What the cells of one key begin with. */
static int write_key(const struct cells_trace *self, struct zs_buffer *out, struct zs_bytes key)
{
    int rc = write_bound(self, out, key);
    if (rc == ZS_OK && self->is_private)
        rc = zs_buffer_append_byte(out, ZS_ESCAPE_END);
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
    int64_t weight;
    size_t key_len;
};

static int add_weight(
    void *ctx, const struct zs_bytes *old, struct zs_bytes *value, enum zs_cell_change *change)
{
    struct addition *addition = ctx;
    int64_t weight = 0;
    int rc = old == NULL ? ZS_OK : read_weight(*old, &weight, &(size_t){0});

    if (rc == ZS_OK && __builtin_add_overflow(weight, addition->weight, &weight))
        rc = ZS_OVERFLOW;
    if (rc != ZS_OK)
        return rc;
    *change = weight == 0 ? ZS_CELL_IS_REMOVED : ZS_CELL_IS_PUT;
    if (weight == 0)
        return ZS_OK;
    rc = write_weight(&addition->trace->value, weight, addition->key_len);
    *value = zs_buffer_bytes(&addition->trace->value);
    return rc;
}

static int trace_apply(
    struct zs_trace *trace, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    struct cells_trace *self = self_of(trace);
    struct addition addition = {.trace = self, .weight = weight};
    int rc = write_key(self, &self->key, key);

    addition.key_len = self->key.len - !self->is_private;
    if (rc == ZS_OK)
        rc = zs_buffer_append(&self->key, value.data, value.len);
    if (rc != ZS_OK || weight == 0)
        return rc;
    return zs_cells_update(self->cells, zs_buffer_bytes(&self->key), add_weight, &addition);
}

/* Reading */

static bool is_before(struct zs_bytes key, struct zs_bytes to)
{
    return to.data == NULL || zs_bytes_compare(key, to) < 0;
}

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
        zs_buffer_reset(&self->key);
        rc = zs_buffer_append(&self->key, key.data, key.len);
        end = zs_buffer_bytes(&self->key);
        if (i + 1 == n)
            reading->from = end;
    }
    return rc;
}

static int add_element(struct cells_trace *self, const struct zs_bytes *known_key,
    struct zs_bytes cell_key, struct zs_bytes cell_value, struct zs_batch *out)
{
    size_t start = self->is_private ? 0 : 1;
    size_t key_len;
    int64_t weight;
    struct zs_bytes key;
    struct zs_bytes value;
    int rc = read_weight(cell_value, &weight, &key_len);

    if (rc != ZS_OK)
        return rc;
    if (cell_key.len < start || key_len > cell_key.len - start)
        return ZS_CORRUPT;
    key = (struct zs_bytes){cell_key.data + start, key_len};
    value = (struct zs_bytes){key.data + key_len, cell_key.len - start - key_len};
    if (known_key != NULL) {
        key = *known_key;
    } else if (self->is_private) {
        key.len--;
        zs_buffer_reset(&self->plain_key);
        rc = zs_escape_undo(&self->plain_key, key);
        key = zs_buffer_bytes(&self->plain_key);
    }
    return rc == ZS_OK ? zs_batch_add(out, key, value, weight) : rc;
}

static int read_cells(struct cells_trace *self, struct reading reading, struct zs_batch *out)
{
    uint64_t n_left = reading.limit > 0 ? (uint64_t)reading.limit : UINT64_MAX;
    int rc = ZS_OK;

    if (reading.limit < 0)
        rc = skip_to_last(self, &reading, -(uint64_t)reading.limit);
    for (; rc == ZS_OK && n_left > 0; n_left--) {
        struct zs_bytes key;
        struct zs_bytes value;
        bool found;

        rc = zs_cells_seek(self->cells, reading.from, true, &key, &value, &found);
        if (rc != ZS_OK || !found || !is_before(key, reading.to))
            break;
        /* The next key is at least this one with a zero byte after it. */
        zs_buffer_reset(&self->from);
        rc = zs_buffer_append(&self->from, key.data, key.len);
        if (rc == ZS_OK)
            rc = zs_buffer_append_byte(&self->from, 0);
        if (rc == ZS_OK)
            rc = add_element(self, reading.key, key, value, out);
        reading.from = zs_buffer_bytes(&self->from);
    }
    return rc;
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
    const struct zs_alloc *alloc = self->key.alloc;

    if (self->is_private)
        zs_cells_free(self->cells);
    zs_buffer_clear(&self->key);
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
    zs_buffer_init(&self->key, alloc);
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
