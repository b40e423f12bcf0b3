/* The log of cells in memory, from which a tree of cells is put back. Private to core/.
**
** The log of an open transaction holds what a cell was, alive with a value or not there,
** before the transaction first touched it. While an entry names a cell it stays in the tree,
** dead if it was removed. A cell that is dead and that no entry names is taken out at once.
**
** Which cells a transaction has touched: serials count transactions, and a cell holds the
** serial of the one that last logged it. So one that an inner transaction has logged and
** committed counts as logged by the outer one, and of its entries only the older one is
** kept. */
#ifndef ZS_CELL_LOG_H
#define ZS_CELL_LOG_H

#include "core/tree.h"

struct zs_cell_entry {
    struct zs_cell *cell; /* borrowed */
    struct zs_cell_value old_value;
    uint64_t old_serial;
    bool was_alive;
};

struct zs_cell_level {
    size_t first; /* entry */
    uint64_t serial;
};

struct zs_cell_log {
    struct zs_tree *tree; /* borrowed */
    struct zs_cell_entry *entries;
    size_t n_entries;
    size_t cap_entries;
    struct zs_cell_level *levels;
    size_t n_levels;
    size_t cap_levels;
    uint64_t last_serial;
};

/* Must the cell's value go into the log before it changes? */
bool zs_cell_log_must_keep(const struct zs_cell_log *log, const struct zs_cell *cell);

/* Room for one more entry, where a transaction is open. ZS_NOMEM. */
ZS_CHECKED int zs_cell_log_reserve(struct zs_cell_log *log);

/* After reserving: takes the cell's value away, into the log if it must be kept; notes that a
** cell, which is in the tree now, was not there. */
void zs_cell_log_give_up_value(struct zs_cell_log *log, struct zs_cell *cell);
void zs_cell_log_note_new(struct zs_cell_log *log, struct zs_cell *cell);

/* Takes the cell out of the tree and frees it, if it is dead and no entry names it. */
void zs_cell_log_drop_if_unused(struct zs_cell_log *log, struct zs_cell *cell);

/* As for cells (cells.h). */
ZS_CHECKED int zs_cell_log_begin(struct zs_cell_log *log);
void zs_cell_log_commit(struct zs_cell_log *log);
void zs_cell_log_rollback(struct zs_cell_log *log);

/* Frees what it holds, which the tree's cells do not need. */
void zs_cell_log_clear(struct zs_cell_log *log);

#endif
