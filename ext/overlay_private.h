/* Shared by overlay.c, where cells are read and changed, and overlay_store.c, which writes
** them. */
#ifndef LS_OVERLAY_PRIVATE_H
#define LS_OVERLAY_PRIVATE_H

#include "ext/layer.h"
#include "ext/overlay.h"

/* How a cell of the layer's memory begins: it is not there, or its value follows. */
enum { LS_GONE = 0, LS_HERE = 1 };

enum { LS_CELL_CHECKSUM = 4 }; /* bytes */

enum {
    LS_GET_CELL,
    LS_SEEK_FORWARD,
    LS_SEEK_BACKWARD,
    LS_SEEK_END,
    LS_INSERT_CELL,
    LS_UPDATE_CELL,
    LS_REMOVE_CELL,
    LS_N_CELL_STATEMENTS
};
_Static_assert(
    (int)LS_N_CELL_STATEMENTS <= (int)LS_N_LAYER_STATEMENTS, "layer.h has room for these");

struct ls_overlay {
    struct zs_cells cells;
    struct ls_layer layer;
    struct ls_fill *fill;   /* of a build, else NULL */
    bool is_table_done;     /* a build has no more use for what is in the table */
    struct zs_buffer key;   /* holds what a method returns, or a key on its way */
    struct zs_buffer value; /* likewise */
};

ZS_CHECKED int ls_overlay_prepared(
    struct ls_overlay *overlay, int which, sqlite3_stmt **statement);
ZS_CHECKED int ls_overlay_bind(sqlite3_stmt *statement, int parameter, struct zs_bytes bytes);
struct zs_bytes ls_overlay_column(sqlite3_stmt *statement, int column);

/* The value of a cell that is here. */
struct zs_bytes ls_overlay_value(struct zs_bytes cell);

/* Appends what the table has as a value, without the checksum, which must be right. */
ZS_CHECKED int ls_overlay_append_stored(
    struct zs_buffer *value, struct zs_bytes key, struct zs_bytes stored);

#endif
