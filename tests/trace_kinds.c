/* The traces of trace.h, and a model: a list and a log, with one fault at most. */
#include <stdlib.h>
#include <string.h>

#include "tests/must.h"
#include "tests/trace_laws.h"

void trace_home_clear(struct trace_home *home)
{
    zs_trace_free(home->trace);
    zs_trace_free(home->others[0]);
    zs_trace_free(home->others[1]);
    zs_cells_free(home->cells);
}

void trace_make_memory(enum trace_fault fault, struct trace_home *home)
{
    (void)fault;
    *home = (struct trace_home){0};
    must(zs_memory_trace_new(&zs_alloc_libc, &home->trace) == ZS_OK);
}

void trace_make_over_cells(enum trace_fault fault, struct trace_home *home)
{
    static const uint8_t tags[] = {0xfe, 0x00};

    (void)fault;
    *home = (struct trace_home){0};
    must(zs_memory_cells_new(&zs_alloc_libc, &home->cells) == ZS_OK);
    must(zs_cells_trace_new(&zs_alloc_libc, home->cells, 0xff, &home->trace) == ZS_OK);
    for (unsigned i = 0; i < 2; i++) {
        const struct zs_bytes key = {(const uint8_t *)"\xff\x00", 2};
        must(zs_cells_trace_new(&zs_alloc_libc, home->cells, tags[i], &home->others[i]) ==
             ZS_OK);
        must(zs_trace_apply(home->others[i], key, key, 7) == ZS_OK);
    }
}

enum { BYTES_MAX = 12, ITEMS_MAX = 256, DEPTH_MAX = 8 };

struct held {
    uint8_t key[BYTES_MAX];
    uint8_t value[BYTES_MAX];
    size_t key_len;
    size_t value_len;
    int64_t weight;
};

struct model {
    struct zs_trace base;
    enum trace_fault fault;
    struct held items[ITEMS_MAX]; /* ascending */
    size_t n;
    struct held *log; /* what an element was before a change */
    size_t n_log;
    size_t cap_log;
    size_t firsts[DEPTH_MAX];
    unsigned depth;
};

static struct model *self_of(struct zs_trace *trace)
{
    return (struct model *)trace;
}

static struct zs_bytes key_of(const struct held *item)
{
    return (struct zs_bytes){item->key, item->key_len};
}

static struct zs_bytes value_of(const struct held *item)
{
    return (struct zs_bytes){item->value, item->value_len};
}

static int compare(const struct model *self, const struct held *a, const struct held *b)
{
    uint8_t joined[2][2 * BYTES_MAX];
    int order = zs_bytes_compare(key_of(a), key_of(b));

    if (self->fault != TRACE_CONFUSES_KEY_AND_VALUE)
        return order != 0 ? order : zs_bytes_compare(value_of(a), value_of(b));
    memcpy(joined[0], a->key, a->key_len);
    memcpy(joined[0] + a->key_len, a->value, a->value_len);
    memcpy(joined[1], b->key, b->key_len);
    memcpy(joined[1] + b->key_len, b->value, b->value_len);
    return zs_bytes_compare((struct zs_bytes){joined[0], a->key_len + a->value_len},
        (struct zs_bytes){joined[1], b->key_len + b->value_len});
}

/* Puts the element as it is in place of what is there; a weight of zero takes it out. */
static void set(struct model *self, const struct held *item)
{
    size_t i = 0;

    while (i < self->n && compare(self, &self->items[i], item) < 0)
        i++;
    if (i < self->n && compare(self, &self->items[i], item) == 0) {
        self->n--;
        memmove(&self->items[i], &self->items[i + 1], (self->n - i) * sizeof(*item));
    }
    if (item->weight == 0 && self->fault != TRACE_KEEPS_ZEROS)
        return;
    must(self->n < ITEMS_MAX);
    memmove(&self->items[i + 1], &self->items[i], (self->n - i) * sizeof(*item));
    self->items[i] = *item;
    self->n++;
}

static void log_item(struct model *self, const struct held *item)
{
    if (self->depth == 0)
        return;
    if (self->n_log == self->cap_log) {
        self->cap_log = 2 * self->cap_log + 16;
        self->log = realloc(self->log, self->cap_log * sizeof(*item));
        must(self->log != NULL);
    }
    self->log[self->n_log++] = *item;
}

static struct held make(struct zs_bytes key, struct zs_bytes value)
{
    struct held item = {.key_len = key.len, .value_len = value.len};

    must(key.len <= BYTES_MAX && value.len <= BYTES_MAX);
    if (key.len > 0)
        memcpy(item.key, key.data, key.len);
    if (value.len > 0)
        memcpy(item.value, value.data, value.len);
    return item;
}

static int model_apply(
    struct zs_trace *trace, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    struct model *self = self_of(trace);
    struct held item = make(key, value);
    struct held old = item;
    bool overflows;

    for (size_t i = 0; i < self->n; i++) {
        if (compare(self, &self->items[i], &item) == 0)
            old.weight = self->items[i].weight;
    }
    if (self->fault == TRACE_WRONG_SIGN && weight < 0)
        weight = (int64_t)(0 - (uint64_t)weight);
    overflows = __builtin_add_overflow(old.weight, weight, &item.weight);
    if (self->fault == TRACE_REPLACES)
        item.weight = weight;
    if (overflows && self->fault == TRACE_CHANGES_ON_OVERFLOW)
        set(self, &item);
    if (overflows && self->fault != TRACE_WRAPS)
        return ZS_OVERFLOW;
    log_item(self, &old);
    set(self, &item);
    return ZS_OK;
}

static bool is_within(
    const struct model *self, struct zs_bytes bytes, struct zs_span span, bool is_value)
{
    int from = zs_bytes_compare(bytes, span.from);
    int to = span.to.data == NULL ? -1 : zs_bytes_compare(bytes, span.to);

    if (is_value && self->fault == TRACE_IGNORES_VALUE_SPAN)
        return true;
    if (self->fault == TRACE_FROM_EXCLUSIVE && from == 0 && span.from.len > 0)
        return false;
    if (self->fault == TRACE_TO_INCLUSIVE && to == 0)
        return true;
    return from >= 0 && to < 0;
}

static int read(struct model *self, const struct held *const *found, size_t n, int64_t limit,
    struct zs_batch *out)
{
    uint64_t n_wanted = limit < 0 ? 0 - (uint64_t)limit : (uint64_t)limit;
    size_t first;

    if (limit == 0 || n_wanted > n || self->fault == TRACE_IGNORES_LIMIT)
        n_wanted = n;
    first = limit < 0 && self->fault != TRACE_LIMITS_FROM_START ? n - (size_t)n_wanted : 0;
    if (self->fault == TRACE_EMPTIES_OUT)
        zs_batch_reset(out);
    for (size_t i = 0; i < n_wanted; i++) {
        bool is_reversed = limit < 0 && self->fault == TRACE_LAST_FIRST;
        const struct held *item = found[first + (is_reversed ? n_wanted - 1 - i : i)];
        must(zs_batch_add(out, key_of(item), value_of(item), item->weight) == ZS_OK);
        /* A batch drops zero weights: show it as a one. */
        if (item->weight == 0)
            must(zs_batch_add(out, key_of(item), value_of(item), 1) == ZS_OK);
    }
    return ZS_OK;
}

static int model_lookup(struct zs_trace *trace, struct zs_bytes key, struct zs_span values,
    int64_t limit, struct zs_batch *out)
{
    struct model *self = self_of(trace);
    const struct held *found[ITEMS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < self->n; i++) {
        const struct held *item = &self->items[i];
        if (zs_bytes_equal(key_of(item), key) && is_within(self, value_of(item), values, true))
            found[n++] = item;
    }
    return read(self, found, n, limit, out);
}

static int model_range(
    struct zs_trace *trace, struct zs_span keys, int64_t limit, struct zs_batch *out)
{
    struct model *self = self_of(trace);
    const struct held *found[ITEMS_MAX];
    size_t n = 0;

    for (size_t i = 0; i < self->n; i++) {
        if (is_within(self, key_of(&self->items[i]), keys, false))
            found[n++] = &self->items[i];
    }
    return read(self, found, n, limit, out);
}

static int model_begin(struct zs_trace *trace)
{
    struct model *self = self_of(trace);

    must(self->depth < DEPTH_MAX);
    self->firsts[self->depth++] = self->n_log;
    return ZS_OK;
}

static void model_commit(struct zs_trace *trace)
{
    struct model *self = self_of(trace);
    size_t first = self->firsts[--self->depth];

    if (self->depth == 0 || self->fault == TRACE_COMMIT_FORGETS)
        self->n_log = first;
}

static void model_rollback(struct zs_trace *trace)
{
    struct model *self = self_of(trace);
    size_t first = self->firsts[--self->depth];

    if (self->fault == TRACE_ROLLBACK_OF_ALL)
        first = 0;
    if (self->fault == TRACE_UNDOES_OLDEST_FIRST)
        for (size_t i = first; i < self->n_log; i++)
            set(self, &self->log[i]);
    else
        for (size_t i = self->n_log; i > first; i--)
            set(self, &self->log[i - 1]);
    self->n_log = first;
    for (unsigned i = 0; i < self->depth; i++) {
        if (self->firsts[i] > first)
            self->firsts[i] = first;
    }
}

static void model_free(struct zs_trace *trace)
{
    free(self_of(trace)->log);
    free(trace);
}

/* The faults of what is done to many at once are in methods that a sound model does without. */

static int64_t weight_of(struct model *self, const struct zs_item *item)
{
    struct held held = make(item->key, item->value);

    for (size_t i = 0; i < self->n; i++) {
        if (compare(self, &self->items[i], &held) == 0)
            return self->items[i].weight;
    }
    return 0;
}

static int model_update(
    struct zs_trace *trace, const struct zs_item *items, size_t n, int64_t *before)
{
    struct model *self = self_of(trace);
    int rc = ZS_OK;

    for (size_t i = 0; before != NULL && i < n; i++)
        before[i] = weight_of(self, &items[i]);
    for (size_t i = 0; i < n && rc == ZS_OK; i++) {
        if (before != NULL && self->fault != TRACE_UPDATE_LOOKS_ONCE)
            before[i] = weight_of(self, &items[i]);
        rc = model_apply(trace, items[i].key, items[i].value, items[i].weight);
        if (before != NULL && self->fault == TRACE_UPDATE_TELLS_AFTER)
            before[i] = weight_of(self, &items[i]);
    }
    return rc;
}

static int model_match(struct zs_trace *trace, const struct zs_item *items, size_t n,
    zs_trace_visit *visit, void *ctx)
{
    struct model *self = self_of(trace);
    int rc = ZS_OK;

    for (size_t i = 0; i < n; i++) {
        bool is_repeated = i > 0 && zs_bytes_equal(items[i].key, items[i - 1].key);
        bool has_matched = is_repeated && self->fault == TRACE_MATCH_SKIPS_REPEATED;

        for (size_t k = 0; k < self->n && rc == ZS_OK && !has_matched; k++) {
            const struct held *held = &self->items[k];
            struct zs_item element = {key_of(held), value_of(held), held->weight};
            if (!zs_bytes_equal(element.key, items[i].key))
                continue;
            rc = visit(ctx, &items[i], &element);
            has_matched = self->fault == TRACE_MATCH_FIRST_ONLY;
        }
    }
    return rc;
}

static const struct zs_trace_methods methods = {
    .apply = model_apply,
    .lookup = model_lookup,
    .range = model_range,
    .begin = model_begin,
    .commit = model_commit,
    .rollback = model_rollback,
    .free = model_free,
};

static const struct zs_trace_methods more_methods = {
    .apply = model_apply,
    .lookup = model_lookup,
    .range = model_range,
    .begin = model_begin,
    .commit = model_commit,
    .rollback = model_rollback,
    .free = model_free,
    .update = model_update,
    .match = model_match,
};

void trace_make_model(enum trace_fault fault, struct trace_home *home)
{
    struct model *self = calloc(1, sizeof(*self));

    must(self != NULL);
    self->base.methods = fault < TRACE_UPDATE_TELLS_AFTER ? &methods : &more_methods;
    self->fault = fault;
    *home = (struct trace_home){.trace = &self->base};
}
