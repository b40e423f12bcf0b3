/* A layer over a shadow table: what differs from the table, in memory, with nested
** transactions, and a bounded cache of what the table is known to hold. What the bytes of a cell
** mean, and the statements over the table, are the user's affair. */
#ifndef LS_LAYER_H
#define LS_LAYER_H

#include "core/cells.h"
#include "ext/api.h"
#include "ext/memo.h"

enum { LS_N_LAYER_STATEMENTS = 7 };

struct ls_layer {
    struct zs_cells *memory;
    struct ls_memo cache;
    sqlite3 *db;
    char *schema;
    char *view; /* whose shadow table it is */
    sqlite3_stmt *statements[LS_N_LAYER_STATEMENTS];
    int code;              /* SQLite's, of the last method that failed with ZS_CALLBACK */
    bool is_building;      /* the table was emptied, and this layer alone fills it */
    uint64_t n_put;        /* cells put while it does */
    uint64_t n_bytes;      /* in them */
    uint64_t n_distrusted; /* how often the cache was emptied */
    int64_t n_added;       /* by the last store: how many rows the table has more than before */
};

/* The memory is allocated by alloc, which is borrowed. */
ZS_CHECKED int ls_layer_init(struct ls_layer *layer, sqlite3 *db, const struct zs_alloc *alloc,
    const char *schema, const char *view);
void ls_layer_clear(struct ls_layer *layer); /* frees; accepts a zeroed layer */

/* Keeps SQLite's code, and gives the status that stands for it. */
int ls_layer_failed(struct ls_layer *layer, int code);

/* A statement of the user's, prepared on first use (and not before: in DEFENSIVE mode the right
** to write a shadow table is judged when a statement is prepared). format takes schema and
** view. */
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

/* A build begins over an emptied table, or ends. While it lasts nothing is to be noted: what is
** stored would have to be, too. */
void ls_layer_build(struct ls_layer *layer, bool is_building);

/* Notes that a build puts so many bytes into a cell of the memory. */
void ls_layer_weigh(struct ls_layer *layer, size_t n_bytes);

/* About how many bytes a build has in memory: as many cells as there are, of the size that
** those put had on average, as a cell may be put often. */
size_t ls_layer_size(const struct ls_layer *layer);

/* How many cells differ; forgetting them (with no transaction open); emptying the cache. */
size_t ls_layer_pending(const struct ls_layer *layer);
void ls_layer_forget(struct ls_layer *layer);
void ls_layer_distrust(struct ls_layer *layer);

#endif
