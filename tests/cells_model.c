/* Cells as a list and a log, with one fault at most. */
#include <stdlib.h>
#include <string.h>

#include "tests/cells_laws.h"
#include "tests/must.h"

enum { BYTES_MAX = 96, DEPTH_MAX = 8 };

struct held {
    bool is_alive; /* a dead one stays in the list, for the faults */
    size_t key_len;
    size_t value_len;
    uint8_t key[BYTES_MAX];
    uint8_t value[BYTES_MAX];
};

struct model {
    struct zs_cells base;
    enum cells_fault fault;
    struct held *cells; /* ascending */
    size_t n;
    size_t cap;
    struct held *log; /* what a cell was before a change */
    size_t n_log;
    size_t cap_log;
    size_t firsts[DEPTH_MAX]; /* of each open transaction, in the log */
    unsigned depth;
};

static struct model *self_of(struct zs_cells *cells)
{
    return (struct model *)cells;
}

static struct zs_bytes key_of(const struct held *cell)
{
    return (struct zs_bytes){cell->key, cell->key_len};
}

static struct zs_bytes value_of(const struct held *cell)
{
    return (struct zs_bytes){cell->value, cell->value_len};
}

static int compare(const struct model *self, const struct held *cell, struct zs_bytes key)
{
    struct zs_bytes held = key_of(cell);

    if (self->fault == CELLS_LOOKS_AT_EIGHT_BYTES) {
        held.len = held.len > 8 ? 8 : held.len;
        key.len = key.len > 8 ? 8 : key.len;
    }
    return zs_bytes_compare(held, key);
}

/* The first cell >= key. */
static size_t search(const struct model *self, struct zs_bytes key)
{
    size_t low = 0;
    size_t high = self->n;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare(self, &self->cells[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct model *self, size_t i, struct zs_bytes key)
{
    return i < self->n && compare(self, &self->cells[i], key) == 0;
}

static void grow(struct held **list, size_t n, size_t *cap)
{
    if (n < *cap)
        return;
    *cap = 2 * *cap + 16;
    *list = realloc(*list, *cap * sizeof(**list));
    must(*list != NULL);
}

/* The cell of key, put in as a dead one if it was not there. */
static struct held *cell_of(struct model *self, struct zs_bytes key)
{
    size_t i = search(self, key);

    if (!is_at(self, i, key)) {
        must(key.len <= BYTES_MAX);
        grow(&self->cells, self->n, &self->cap);
        memmove(&self->cells[i + 1], &self->cells[i], (self->n - i) * sizeof(*self->cells));
        self->cells[i] = (struct held){.key_len = key.len};
        if (key.len > 0)
            memcpy(self->cells[i].key, key.data, key.len);
        self->n++;
    }
    return &self->cells[i];
}

static void log_cell(struct model *self, const struct held *cell)
{
    if (self->depth == 0)
        return;
    for (size_t i = 0; self->fault == CELLS_FIRST_CHANGE_ONLY && i < self->n_log; i++) {
        if (zs_bytes_equal(key_of(&self->log[i]), key_of(cell)))
            return;
    }
    grow(&self->log, self->n_log, &self->cap_log);
    self->log[self->n_log++] = *cell;
}

static int model_get(
    struct zs_cells *cells, struct zs_bytes key, struct zs_bytes *value, bool *found)
{
    struct model *self = self_of(cells);
    size_t i = search(self, key);

    *found = is_at(self, i, key) && self->cells[i].is_alive;
    *value = *found ? value_of(&self->cells[i]) : (struct zs_bytes){NULL, 0};
    return ZS_OK;
}

static int model_put(struct zs_cells *cells, struct zs_bytes key, struct zs_bytes value)
{
    struct model *self = self_of(cells);
    struct held *cell = cell_of(self, key);

    if (cell->is_alive && self->fault == CELLS_PUT_KEEPS_OLD)
        return ZS_OK;
    must(value.len <= BYTES_MAX);
    log_cell(self, cell);
    cell->is_alive = true;
    cell->value_len = value.len;
    if (value.len > 0)
        memcpy(cell->value, value.data, value.len);
    return ZS_OK;
}

static int model_remove(struct zs_cells *cells, struct zs_bytes key)
{
    struct model *self = self_of(cells);
    size_t i = search(self, key);

    if (!is_at(self, i, key) || self->fault == CELLS_REMOVE_DOES_NOTHING)
        return ZS_OK;
    if (self->fault != CELLS_REMOVE_UNLOGGED)
        log_cell(self, &self->cells[i]);
    self->cells[i].is_alive = false;
    return ZS_OK;
}

static size_t seek_forward(const struct model *self, struct zs_bytes from)
{
    size_t i = search(self, from);

    if (self->fault == CELLS_SEEK_EXCLUSIVE && is_at(self, i, from))
        i++;
    if (self->fault != CELLS_SEEK_ENDS_AT_THE_DEAD)
        while (i < self->n && !self->cells[i].is_alive)
            i++;
    return i;
}

static size_t seek_backward(const struct model *self, struct zs_bytes from)
{
    size_t end = from.data == NULL ? self->n : search(self, from);

    if (self->fault == CELLS_SEEK_BACKWARD_INCLUSIVE && from.data != NULL &&
        is_at(self, end, from))
        end++;
    if (self->fault != CELLS_SEEK_ENDS_AT_THE_DEAD)
        while (end > 0 && !self->cells[end - 1].is_alive)
            end--;
    return end == 0 ? self->n : end - 1;
}

static int model_seek(struct zs_cells *cells, struct zs_bytes from, bool is_forward,
    struct zs_bytes *key, struct zs_bytes *value, bool *found)
{
    struct model *self = self_of(cells);
    size_t i = is_forward ? seek_forward(self, from) : seek_backward(self, from);

    *found = i < self->n && self->cells[i].is_alive;
    *key = *found ? key_of(&self->cells[i]) : (struct zs_bytes){NULL, 0};
    *value = *found ? value_of(&self->cells[i]) : (struct zs_bytes){NULL, 0};
    return ZS_OK;
}

static int model_begin(struct zs_cells *cells)
{
    struct model *self = self_of(cells);

    must(self->depth < DEPTH_MAX);
    self->firsts[self->depth++] = self->n_log;
    return ZS_OK;
}

static void model_commit(struct zs_cells *cells)
{
    struct model *self = self_of(cells);
    size_t first = self->firsts[--self->depth];

    if (self->depth == 0 || self->fault == CELLS_COMMIT_FORGETS)
        self->n_log = first;
}

static void undo(struct model *self, size_t i)
{
    *cell_of(self, key_of(&self->log[i])) = self->log[i];
}

static void model_rollback(struct zs_cells *cells)
{
    struct model *self = self_of(cells);
    size_t first = self->firsts[--self->depth];

    if (self->fault == CELLS_ROLLBACK_OF_ALL)
        first = 0;
    if (self->fault == CELLS_UNDOES_OLDEST_FIRST)
        for (size_t i = first; i < self->n_log; i++)
            undo(self, i);
    else
        for (size_t i = self->n_log; i > first; i--)
            undo(self, i - 1);
    self->n_log = first;
    for (unsigned i = 0; i < self->depth; i++) {
        if (self->firsts[i] > first)
            self->firsts[i] = first;
    }
}

static void model_free(struct zs_cells *cells)
{
    free(self_of(cells)->cells);
    free(self_of(cells)->log);
    free(cells);
}

/* The faults of updates and walks are in methods that a sound model does without. */

static int update_one(
    struct model *self, struct zs_bytes key, size_t i, zs_cell_fn *fn, void *ctx)
{
    enum zs_cell_change change = ZS_CELL_STAYS;
    struct zs_bytes old;
    struct zs_bytes value = {0};
    bool found;
    int rc = model_get(&self->base, key, &old, &found);

    must(rc == ZS_OK);
    rc = fn(ctx, i, found && self->fault != CELLS_UPDATE_SHOWS_NOTHING ? &old : NULL, &value,
        &change);
    if (rc != ZS_OK && self->fault == CELLS_UPDATE_CHANGES_ON_FAILURE)
        must(model_put(&self->base, key, key) == ZS_OK);
    if (rc != ZS_OK)
        return rc;
    if (change == ZS_CELL_STAYS && self->fault == CELLS_UPDATE_PUTS_WHAT_STAYS)
        change = ZS_CELL_IS_PUT;
    if (change == ZS_CELL_IS_PUT)
        return model_put(&self->base, key, value);
    return change == ZS_CELL_IS_REMOVED ? model_remove(&self->base, key) : ZS_OK;
}

static int model_update(
    struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn, void *ctx)
{
    struct model *self = self_of(cells);
    int rc = ZS_OK;

    for (size_t i = 0; i < n && (rc == ZS_OK || self->fault == CELLS_UPDATE_GOES_ON); i++) {
        int rc_one = update_one(self, keys[i], i, fn, ctx);
        if (rc == ZS_OK)
            rc = rc_one;
    }
    return rc;
}

static int model_walk(struct zs_cells *cells, const struct zs_span *spans, size_t n,
    zs_cell_visit *visit, void *ctx)
{
    struct model *self = self_of(cells);
    bool is_enough = false;
    int rc = ZS_OK;

    for (size_t i = 0; i < n && rc == ZS_OK; i++) {
        is_enough = is_enough && self->fault == CELLS_WALK_ENOUGH_IS_ALL;
        for (size_t k = search(self, spans[i].from); k < self->n && rc == ZS_OK; k++) {
            int to =
                spans[i].to.data == NULL ? -1 : compare(self, &self->cells[k], spans[i].to);
            if (to > 0 || (to == 0 && self->fault != CELLS_WALK_TO_INCLUSIVE) ||
                (is_enough && self->fault != CELLS_WALK_IGNORES_ENOUGH))
                break;
            if (self->cells[k].is_alive)
                rc = visit(
                    ctx, i, key_of(&self->cells[k]), value_of(&self->cells[k]), &is_enough);
            if (self->fault == CELLS_WALK_IGNORES_FAILURE)
                rc = ZS_OK;
        }
    }
    return rc;
}

static const struct zs_cells_methods methods = {
    .get = model_get,
    .put = model_put,
    .remove = model_remove,
    .seek = model_seek,
    .begin = model_begin,
    .commit = model_commit,
    .rollback = model_rollback,
    .free = model_free,
};

static const struct zs_cells_methods more_methods = {
    .get = model_get,
    .put = model_put,
    .remove = model_remove,
    .seek = model_seek,
    .begin = model_begin,
    .commit = model_commit,
    .rollback = model_rollback,
    .free = model_free,
    .update = model_update,
    .walk = model_walk,
};

int cells_make_model(
    const struct zs_alloc *alloc, enum cells_fault fault, struct zs_cells **cells)
{
    struct model *self = calloc(1, sizeof(*self));

    (void)alloc;
    must(self != NULL);
    self->base.methods = fault < CELLS_UPDATE_SHOWS_NOTHING ? &methods : &more_methods;
    self->fault = fault;
    *cells = &self->base;
    return ZS_OK;
}

int cells_make_memory(
    const struct zs_alloc *alloc, enum cells_fault fault, struct zs_cells **cells)
{
    (void)fault;
    return zs_memory_cells_new(alloc, cells);
}
