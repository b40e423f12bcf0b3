/* Parts of an overlay: the cells under one tag, and the trace of errors over such a part. */
#include "ext/overlay.h"

#include "ext/statement.h"

struct part {
    struct zs_cells cells;
    struct zs_cells *whole; /* borrowed */
    struct zs_buffer key;   /* starts with the tag; or several such keys */
};

enum { BLOCK = 16 }; /* keys at a time */

static struct part *part_of(struct zs_cells *cells)
{
    return (struct part *)cells;
}

static int tagged(struct part *part, struct zs_bytes key, struct zs_bytes *tagged_key)
{
    int rc;

    part->key.len = 1;
    rc = zs_buffer_append(&part->key, key.data, key.len);
    *tagged_key = zs_buffer_bytes(&part->key);
    return rc;
}

static int part_get(
    struct zs_cells *cells, struct zs_bytes key, struct zs_bytes *value, bool *found)
{
    struct part *part = part_of(cells);
    struct zs_bytes whole_key;
    int rc = tagged(part, key, &whole_key);
    return rc != ZS_OK ? rc : zs_cells_get(part->whole, whole_key, value, found);
}

static int part_put(struct zs_cells *cells, struct zs_bytes key, struct zs_bytes value)
{
    struct part *part = part_of(cells);
    struct zs_bytes whole_key;
    int rc = tagged(part, key, &whole_key);
    return rc != ZS_OK ? rc : zs_cells_put(part->whole, whole_key, value);
}

static int part_remove(struct zs_cells *cells, struct zs_bytes key)
{
    struct part *part = part_of(cells);
    struct zs_bytes whole_key;
    int rc = tagged(part, key, &whole_key);
    return rc != ZS_OK ? rc : zs_cells_remove(part->whole, whole_key);
}

/* All keys of a block stand in part->key, one behind the other. */
static int tag_all(
    struct part *part, const struct zs_bytes *keys, size_t n, struct zs_bytes *whole_keys)
{
    uint8_t tag = part->key.data[0];
    size_t at = 0;
    int rc = ZS_OK;

    zs_buffer_reset(&part->key);
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        rc = zs_buffer_append_byte(&part->key, tag);
        if (rc == ZS_OK)
            rc = zs_buffer_append(&part->key, keys[i].data, keys[i].len);
    }
    part->key.data[0] = tag;
    for (size_t i = 0; rc == ZS_OK && i < n; i++) {
        whole_keys[i] = (struct zs_bytes){part->key.data + at, 1 + keys[i].len};
        at += whole_keys[i].len;
    }
    return rc;
}

struct updating {
    zs_cell_fn *fn;
    void *ctx;
    size_t first; /* of the block's keys */
};

static int update_in_block(void *ctx, size_t i, const struct zs_bytes *old,
    struct zs_bytes *value, enum zs_cell_change *change)
{
    const struct updating *updating = ctx;
    return updating->fn(updating->ctx, updating->first + i, old, value, change);
}

static int part_update(
    struct zs_cells *cells, const struct zs_bytes *keys, size_t n, zs_cell_fn *fn, void *ctx)
{
    struct part *part = part_of(cells);
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i += BLOCK) {
        struct updating updating = {fn, ctx, i};
        size_t n_block = n - i < BLOCK ? n - i : BLOCK;
        struct zs_bytes whole_keys[BLOCK];

        rc = tag_all(part, keys + i, n_block, whole_keys);
        if (rc == ZS_OK)
            rc = zs_cells_update(part->whole, whole_keys, n_block, update_in_block, &updating);
    }
    return rc;
}

static int part_seek(struct zs_cells *cells, struct zs_bytes from, bool is_forward,
    struct zs_bytes *key, struct zs_bytes *value, bool *found)
{
    struct part *part = part_of(cells);
    struct zs_bytes bound;
    uint8_t tag = part->key.data[0];
    int rc = tagged(part, from, &bound);

    if (rc == ZS_OK && !is_forward && from.data == NULL) {
        /* From the very end of the part: before the first key of the next tag. */
        part->key.data[0] = (uint8_t)(tag + 1);
        bound.len = 1;
    }
    if (rc == ZS_OK)
        rc = part->whole->methods->seek(part->whole, bound, is_forward, key, value, found);
    part->key.data[0] = tag;
    if (rc != ZS_OK || !*found)
        return rc;
    *found = key->len > 0 && key->data[0] == tag;
    if (*found)
        *key = (struct zs_bytes){key->data + 1, key->len - 1};
    return ZS_OK;
}

static int part_begin(struct zs_cells *cells)
{
    struct zs_cells *whole = part_of(cells)->whole;
    return whole->methods->begin(whole);
}

static void part_commit(struct zs_cells *cells)
{
    struct zs_cells *whole = part_of(cells)->whole;
    whole->methods->commit(whole);
}

static void part_rollback(struct zs_cells *cells)
{
    struct zs_cells *whole = part_of(cells)->whole;
    whole->methods->rollback(whole);
}

static void part_free(struct zs_cells *cells)
{
    zs_buffer_clear(&part_of(cells)->key);
    sqlite3_free(cells);
}

static const struct zs_cells_methods part_methods = {
    .get = part_get,
    .put = part_put,
    .remove = part_remove,
    .seek = part_seek,
    .begin = part_begin,
    .commit = part_commit,
    .rollback = part_rollback,
    .free = part_free,
    .update = part_update,
};

int ls_overlay_part(struct ls_overlay *overlay, uint8_t tag, struct zs_cells **part)
{
    struct part *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));

    *part = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    made->cells.methods = &part_methods;
    made->whole = ls_overlay_cells(overlay);
    zs_buffer_init(&made->key, &ls_alloc);
    if (zs_buffer_append_byte(&made->key, tag) != ZS_OK) {
        part_free(&made->cells);
        return ZS_NOMEM;
    }
    *part = &made->cells;
    return ZS_OK;
}

/* The trace of errors. A cell's key is varint(length of where), where, error (overlay.h says
** which bytes); its value the weight as eight little-endian bytes. */
struct errors {
    struct zs_trace trace;
    struct zs_cells *part; /* borrowed */
    struct zs_buffer key;
    bool is_free_of_errors; /* known to be */
};

static int errors_apply(
    struct zs_trace *trace, struct zs_bytes where, struct zs_bytes message, int64_t weight)
{
    struct errors *errors = (struct errors *)trace;
    struct zs_bytes value, key;
    uint8_t bytes[8];
    uint64_t sum = 0;
    int64_t total;
    bool found;
    int rc;

    errors->is_free_of_errors = false;
    zs_buffer_reset(&errors->key);
    rc = zs_buffer_append_varint(&errors->key, where.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&errors->key, where.data, where.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(&errors->key, message.data, message.len);
    key = zs_buffer_bytes(&errors->key);
    if (rc == ZS_OK)
        rc = zs_cells_get(errors->part, key, &value, &found);
    if (rc != ZS_OK)
        return rc;
    if (found && value.len != sizeof(bytes))
        return ZS_CORRUPT;
    for (size_t i = 0; found && i < sizeof(bytes); i++)
        sum |= (uint64_t)value.data[i] << (8 * i);
    if (__builtin_add_overflow((int64_t)sum, weight, &total))
        return ZS_OVERFLOW;
    if (total == 0)
        return zs_cells_remove(errors->part, key);
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)((uint64_t)total >> (8 * i));
    return zs_cells_put(errors->part, key, (struct zs_bytes){bytes, sizeof(bytes)});
}

static int errors_begin(struct zs_trace *trace)
{
    return part_begin(((struct errors *)trace)->part);
}

static void errors_commit(struct zs_trace *trace)
{
    part_commit(((struct errors *)trace)->part);
}

void ls_errors_distrust(struct zs_trace *errors)
{
    ((struct errors *)errors)->is_free_of_errors = false;
}

static void errors_rollback(struct zs_trace *trace)
{
    ls_errors_distrust(trace);
    part_rollback(((struct errors *)trace)->part);
}

static void errors_free(struct zs_trace *trace)
{
    zs_buffer_clear(&((struct errors *)trace)->key);
    sqlite3_free(trace);
}

/* Nothing looks errors up by key: the store node only applies. */
static const struct zs_trace_methods errors_methods = {
    .apply = errors_apply,
    .begin = errors_begin,
    .commit = errors_commit,
    .rollback = errors_rollback,
    .free = errors_free,
};

int ls_errors_new(struct zs_cells *part, struct zs_trace **errors)
{
    struct errors *made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));

    *errors = NULL;
    if (made == NULL)
        return ZS_NOMEM;
    made->trace.methods = &errors_methods;
    made->part = part;
    zs_buffer_init(&made->key, &ls_alloc);
    *errors = &made->trace;
    return ZS_OK;
}

bool ls_errors_are_none(const struct zs_trace *trace)
{
    return ((const struct errors *)trace)->is_free_of_errors;
}

int ls_errors_first(struct zs_trace *trace, struct zs_buffer *error, bool *found)
{
    struct errors *errors = (struct errors *)trace;
    struct zs_bytes key, value;
    uint64_t len;
    size_t at = 0;
    int rc;

    *found = false;
    zs_buffer_reset(error);
    rc = part_seek(errors->part, (struct zs_bytes){NULL, 0}, true, &key, &value, found);
    errors->is_free_of_errors = rc == ZS_OK && !*found;
    if (rc != ZS_OK || !*found)
        return rc;
    rc = zs_bytes_read_varint(key, &at, &len);
    if (rc != ZS_OK || len > key.len - at)
        return ZS_CORRUPT;
    at += len;
    return zs_buffer_append(error, key.data + at, key.len - at);
}
