/* A trace and cells as plain lists. Both are lists of elements, a cell one of weight 1, and
** log the element's weight before each change; a mark in the log is where a transaction
** began. */
#include "tests/plain_state.h"

#include <stdlib.h>

enum { DEPTH_MAX = 32 };

struct change {
    struct model_bytes key;
    struct model_bytes value;
    int64_t weight; /* what was added */
};

struct plain {
    struct model elements;
    struct change *log;
    size_t n_log;
    size_t cap_log;
    size_t marks[DEPTH_MAX];
    unsigned depth;
    struct plain_control *control;
};

struct plain_trace {
    struct zs_trace base;
    struct plain plain;
};

struct plain_cells {
    struct zs_cells base;
    struct plain plain;
    struct model_bytes key;   /* of the last seek */
    struct model_bytes value; /* of the last get or seek */
};

/* What both have in common. */

static int count_down(struct plain_control *control)
{
    return control->fails_after > 0 && --control->fails_after == 0 ? ZS_CALLBACK : ZS_OK;
}

static int count_call(struct plain *plain)
{
    plain->control->n_calls++;
    return count_down(plain->control);
}

static void log_change(struct plain *plain, const struct change *change)
{
    if (plain->depth == 0)
        return;
    if (plain->n_log == plain->cap_log) {
        plain->cap_log = plain->cap_log == 0 ? 16 : 2 * plain->cap_log;
        plain->log = realloc(plain->log, plain->cap_log * sizeof(*change));
        if (plain->log == NULL)
            abort();
    }
    plain->log[plain->n_log++] = *change;
}

static int add(struct plain *plain, const struct change *change)
{
    int64_t sum = model_weight(&plain->elements, &change->key, &change->value);

    if (__builtin_add_overflow(sum, change->weight, &sum))
        return ZS_OVERFLOW;
    model_add(&plain->elements, &change->key, &change->value, change->weight);
    return ZS_OK;
}

/* Of a cell the value that is put last wins, as it does in a map. */
static void undo(struct plain *plain, const struct change *change, bool is_map)
{
    if (is_map && change->weight < 0) {
        for (size_t i = plain->elements.n; i-- > 0;) {
            struct model_element *element = &plain->elements.elements[i];
            if (model_bytes_compare(&element->key, &change->key) == 0)
                *element = plain->elements.elements[--plain->elements.n];
        }
        model_add(&plain->elements, &change->key, &change->value, 1);
    } else if (is_map) {
        if (model_weight(&plain->elements, &change->key, &change->value) > 0)
            model_add(&plain->elements, &change->key, &change->value, -1);
    } else if (change->weight == INT64_MIN) {
        struct change part = {change->key, change->value, INT64_MAX};
        (void)!add(plain, &part);
        part.weight = 1;
        (void)!add(plain, &part);
    } else {
        struct change inverse = {change->key, change->value, -change->weight};
        (void)!add(plain, &inverse);
    }
}

static int begin(struct plain *plain)
{
    int rc = count_down(plain->control);

    if (rc != ZS_OK)
        return rc;
    if (plain->depth == DEPTH_MAX)
        abort();
    plain->control->n_begins++;
    plain->marks[plain->depth++] = plain->n_log;
    return ZS_OK;
}

static void commit(struct plain *plain)
{
    if (plain->depth == 0)
        abort();
    plain->control->n_ends++;
    plain->depth--;
    if (plain->depth == 0 || plain->control->fault == PLAIN_SHALLOW) {
        for (unsigned i = 0; i < plain->depth; i++)
            plain->marks[i] = 0;
        plain->n_log = 0;
    }
}

static void rollback(struct plain *plain, bool is_map)
{
    enum plain_fault fault = plain->control->fault;
    size_t first;

    if (plain->depth == 0)
        abort();
    plain->control->n_ends++;
    first = plain->marks[--plain->depth];
    if (fault == PLAIN_OLDEST_FIRST) {
        for (size_t i = first; i < plain->n_log; i++)
            undo(plain, &plain->log[i], is_map);
    } else if (fault != PLAIN_STALE) {
        for (size_t i = plain->n_log; i > first + (fault == PLAIN_HALF); i--)
            undo(plain, &plain->log[i - 1], is_map);
    }
    plain->n_log = first;
}

static void clear(struct plain *plain)
{
    model_clear(&plain->elements);
    free(plain->log);
}

/* The trace. */

static struct plain *of_trace(struct zs_trace *trace)
{
    return &((struct plain_trace *)trace)->plain;
}

static int trace_apply(
    struct zs_trace *trace, struct zs_bytes key, struct zs_bytes value, int64_t weight)
{
    struct plain *plain = of_trace(trace);
    struct change change = {model_bytes(key), model_bytes(value), weight};
    int rc = count_call(plain);

    plain->control->n_changes++;
    if (rc == ZS_OK)
        rc = add(plain, &change);
    if (rc == ZS_OK && weight != 0)
        log_change(plain, &change);
    return rc;
}

static bool is_within(struct zs_bytes bytes, struct zs_span span)
{
    return zs_bytes_compare(bytes, span.from) >= 0 &&
           (span.to.data == NULL || zs_bytes_compare(bytes, span.to) < 0);
}

static int compare_elements(const void *a, const void *b)
{
    const struct model_element *left = a;
    const struct model_element *right = b;
    int order = model_bytes_compare(&left->key, &right->key);
    return order != 0 ? order : model_bytes_compare(&left->value, &right->value);
}

/* key NULL: of all keys within the span. */
static int read_span(struct zs_trace *trace, const struct zs_bytes *key, struct zs_span span,
    int64_t limit, struct zs_batch *out)
{
    struct plain *plain = of_trace(trace);
    struct model found = {0};
    size_t first = 0;
    size_t end;
    int rc = count_call(plain);

    for (size_t i = 0; i < plain->elements.n; i++) {
        const struct model_element *element = &plain->elements.elements[i];
        struct zs_bytes element_key = model_as_bytes(&element->key);
        if (key == NULL ? is_within(element_key, span)
                        : zs_bytes_equal(element_key, *key) &&
                              is_within(model_as_bytes(&element->value), span))
            model_add(&found, &element->key, &element->value, element->weight);
    }
    if (found.n > 0)
        qsort(found.elements, found.n, sizeof(*found.elements), compare_elements);
    end = found.n;
    if (limit > 0 && (size_t)limit < end)
        end = (size_t)limit;
    if (limit < 0 && (size_t)-limit < end)
        first = end - (size_t)-limit;
    for (size_t i = first; rc == ZS_OK && i < end; i++)
        rc = zs_batch_add(out, model_as_bytes(&found.elements[i].key),
            model_as_bytes(&found.elements[i].value), found.elements[i].weight);
    model_clear(&found);
    return rc;
}

static int trace_lookup(struct zs_trace *trace, struct zs_bytes key, struct zs_span values,
    int64_t limit, struct zs_batch *out)
{
    return read_span(trace, &key, values, limit, out);
}

static int trace_range(
    struct zs_trace *trace, struct zs_span keys, int64_t limit, struct zs_batch *out)
{
    return read_span(trace, NULL, keys, limit, out);
}

static int trace_begin(struct zs_trace *trace)
{
    return begin(of_trace(trace));
}

static void trace_commit(struct zs_trace *trace)
{
    commit(of_trace(trace));
}

static void trace_rollback(struct zs_trace *trace)
{
    rollback(of_trace(trace), false);
}

static void trace_free(struct zs_trace *trace)
{
    clear(of_trace(trace));
    free(trace);
}

static const struct zs_trace_methods trace_methods = {
    .apply = trace_apply,
    .lookup = trace_lookup,
    .range = trace_range,
    .begin = trace_begin,
    .commit = trace_commit,
    .rollback = trace_rollback,
    .free = trace_free,
};

struct zs_trace *plain_trace_new(struct plain_control *control)
{
    struct plain_trace *made = calloc(1, sizeof(*made));

    if (made == NULL)
        abort();
    made->base.methods = &trace_methods;
    made->plain.control = control;
    return &made->base;
}

unsigned plain_trace_depth(const struct zs_trace *trace)
{
    return ((const struct plain_trace *)trace)->plain.depth;
}

/* The cells. */

static struct plain *of_cells(struct zs_cells *cells)
{
    return &((struct plain_cells *)cells)->plain;
}

static struct model_element *find_cell(struct plain *plain, struct zs_bytes key)
{
    for (size_t i = 0; i < plain->elements.n; i++) {
        struct model_element *element = &plain->elements.elements[i];
        if (zs_bytes_equal(model_as_bytes(&element->key), key))
            return element;
    }
    return NULL;
}

static int cells_get(
    struct zs_cells *cells, struct zs_bytes key, struct zs_bytes *value, bool *found)
{
    struct plain_cells *self = (struct plain_cells *)cells;
    struct model_element *cell = find_cell(&self->plain, key);

    *found = cell != NULL;
    if (cell != NULL) {
        self->value = cell->value;
        *value = model_as_bytes(&self->value);
    }
    return count_call(&self->plain);
}

static void take_out(struct plain *plain, struct zs_bytes key)
{
    struct model_element *cell = find_cell(plain, key);

    if (cell == NULL)
        return;
    log_change(plain, &(struct change){cell->key, cell->value, -1});
    *cell = plain->elements.elements[--plain->elements.n];
}

static int cells_put(struct zs_cells *cells, struct zs_bytes key, struct zs_bytes value)
{
    struct plain *plain = of_cells(cells);
    struct change change = {model_bytes(key), model_bytes(value), 1};
    int rc = count_call(plain);

    plain->control->n_changes++;
    if (rc != ZS_OK)
        return rc;
    take_out(plain, key);
    model_add(&plain->elements, &change.key, &change.value, 1);
    log_change(plain, &change);
    return ZS_OK;
}

static int cells_remove(struct zs_cells *cells, struct zs_bytes key)
{
    struct plain *plain = of_cells(cells);
    int rc = count_call(plain);

    plain->control->n_changes++;
    if (rc == ZS_OK)
        take_out(plain, key);
    return rc;
}

static int cells_seek(struct zs_cells *cells, struct zs_bytes from, bool is_forward,
    struct zs_bytes *key, struct zs_bytes *value, bool *found)
{
    (void)cells;
    (void)from;
    (void)is_forward;
    (void)key;
    (void)value;
    *found = false;
    return ZS_MISUSE; /* aggregates do not seek */
}

static int cells_begin(struct zs_cells *cells)
{
    return begin(of_cells(cells));
}

static void cells_commit(struct zs_cells *cells)
{
    commit(of_cells(cells));
}

static void cells_rollback(struct zs_cells *cells)
{
    rollback(of_cells(cells), true);
}

static void cells_free(struct zs_cells *cells)
{
    clear(of_cells(cells));
    free(cells);
}

static const struct zs_cells_methods cells_methods = {
    .get = cells_get,
    .put = cells_put,
    .remove = cells_remove,
    .seek = cells_seek,
    .begin = cells_begin,
    .commit = cells_commit,
    .rollback = cells_rollback,
    .free = cells_free,
};

struct zs_cells *plain_cells_new(struct plain_control *control)
{
    struct plain_cells *made = calloc(1, sizeof(*made));

    if (made == NULL)
        abort();
    made->base.methods = &cells_methods;
    made->plain.control = control;
    return &made->base;
}

unsigned plain_cells_depth(const struct zs_cells *cells)
{
    return ((const struct plain_cells *)cells)->plain.depth;
}
