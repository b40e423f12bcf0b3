/* A layer over a shadow table: what differs from the table, in memory, with nested transactions, and
** a bounded cache of what the table is known to hold. Both are cells; what a cell's bytes mean, and
** the statements over the table, are the user's affair. */
#ifndef LS_LAYER_H
#define LS_LAYER_H

#include "core/cells.h"
#include "ext/api.h"

enum { LS_N_LAYER_STATEMENTS = 6 };

struct ls_layer {
    struct zs_cells *memory;
    struct zs_cells *cache;
    sqlite3 *db;
    char *schema;
    char *view; /* whose shadow table it is */
    sqlite3_stmt *statements[LS_N_LAYER_STATEMENTS];
    int code; /* SQLite's, of the last method that failed with ZS_CALLBACK */
};

ZS_CHECKED int ls_layer_init(
    struct ls_layer *layer, sqlite3 *db, const char *schema, const char *view);
void ls_layer_clear(struct ls_layer *layer); /* frees; accepts a zeroed layer */

/* Keeps SQLite's code, and gives the status that stands for it. */
int ls_layer_failed(struct ls_layer *layer, int code);

/* A statement of the user's, prepared on first use (and not before: in DEFENSIVE mode the right to
** write a shadow table is judged when a statement is prepared). format takes schema and view. */
ZS_CHECKED int ls_layer_prepared(
    struct ls_layer *layer, int which, const char *format, sqlite3_stmt **statement);

/* The cell under a key, from memory or else from the cache. Borrowed until either changes. */
ZS_CHECKED int ls_layer_get(
    struct ls_layer *layer, struct zs_bytes key, struct zs_bytes *cell, bool *found);

/* Notes in the cache what the table has under a key. */
ZS_CHECKED int ls_layer_note(struct ls_layer *layer, struct zs_bytes key, struct zs_bytes cell);

/* Shows visit each cell of the memory, in ascending order; it may note, and must not change the
** memory. Stops at what it returns other than ZS_OK, and returns it. */
ZS_CHECKED int ls_layer_walk(struct ls_layer *layer, zs_cell_visit *visit, void *ctx);

/* How many cells differ; forgetting them (with no transaction open); emptying the cache. */
size_t ls_layer_pending(const struct ls_layer *layer);
void ls_layer_forget(struct ls_layer *layer);
void ls_layer_distrust(struct ls_layer *layer);

#endif
