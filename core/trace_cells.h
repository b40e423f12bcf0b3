/* A trace over cells, and how its elements are written in them. Private to core/.
**
** Format 1. A cell's key: the tag, the trace's key, the value. A cell's value: the weight as
** a zigzag varint (0, -1, 1, -2, ... are 0, 1, 2, 3, ...), then the length of the key as a
** varint. The trace in memory has its cells to itself and takes any keys: it leaves the tag
** out and escapes and ends the key (escape.h), so that keys are self-delimiting and order is
** kept. */
#ifndef ZS_TRACE_CELLS_H
#define ZS_TRACE_CELLS_H

#include "core/trace.h"

enum { ZS_TRACE_BLOCK = 16 }; /* items that are worked on together */

struct zs_cells_trace {
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

/* The bound of a span of keys; what the cells of one key begin with. Into out, anew. */
ZS_CHECKED int zs_trace_write_bound(
    const struct zs_cells_trace *self, struct zs_buffer *out, struct zs_bytes key);
ZS_CHECKED int zs_trace_write_key(
    const struct zs_cells_trace *self, struct zs_buffer *out, struct zs_bytes key);

/* The keys of the items' cells, or what the cells of their keys begin with, for up to
** ZS_TRACE_BLOCK items; in self->keys. */
ZS_CHECKED int zs_trace_write_keys(struct zs_cells_trace *self, const struct zs_item *items,
    size_t n, bool has_values, struct zs_bytes *keys);

/* A cell's value. */
ZS_CHECKED int zs_trace_write_weight(struct zs_buffer *out, int64_t weight, size_t key_len);
ZS_CHECKED int zs_trace_read_weight(struct zs_bytes bytes, int64_t *weight, size_t *key_len);

/* The element that a cell holds, its key as in the cell; and that key as it was given. */
ZS_CHECKED int zs_trace_read_element(const struct zs_cells_trace *self,
    struct zs_bytes cell_key, struct zs_bytes cell_value, struct zs_item *element);
ZS_CHECKED int zs_trace_read_plain_key(struct zs_cells_trace *self, struct zs_bytes *key);

/* Appends the least bytes above all that begin with prefix; *len is 0 where there are none. */
ZS_CHECKED int zs_span_append_successor(
    struct zs_buffer *out, struct zs_bytes prefix, size_t *len);

#endif
