/* The log of cells in memory. To undo is to exchange values, never to insert, and needs no
** memory. */
#include "core/cell_log.h"

enum { KEPT_ENTRIES = 1024 }; /* when no transaction is open */

void zs_cell_log_drop_if_unused(struct zs_cell_log *log, struct zs_cell *cell)
{
    if (!cell->is_alive && cell->n_logged == 0) {
        zs_tree_remove(log->tree, cell);
        zs_cell_free(log->tree->alloc, cell);
    }
}

bool zs_cell_log_must_keep(const struct zs_cell_log *log, const struct zs_cell *cell)
{
    return log->n_levels > 0 && cell->serial < log->levels[log->n_levels - 1].serial;
}

int zs_cell_log_reserve(struct zs_cell_log *log)
{
    if (log->n_levels == 0)
        return ZS_OK;
    return zs_alloc_reserve(log->tree->alloc, &log->entries, &log->cap_entries,
        log->n_entries + 1, sizeof(*log->entries));
}

void zs_cell_log_give_up_value(struct zs_cell_log *log, struct zs_cell *cell)
{
    if (zs_cell_log_must_keep(log, cell)) {
        log->entries[log->n_entries++] =
            (struct zs_cell_entry){cell, cell->value, cell->serial, cell->is_alive};
        cell->serial = log->last_serial;
        cell->n_logged++;
        cell->value.len = 0;
    } else {
        zs_cell_free_value(log->tree->alloc, &cell->value);
    }
}

static void undo(struct zs_cell_log *log, struct zs_cell_entry *entry)
{
    struct zs_cell *cell = entry->cell;

    zs_cell_free_value(log->tree->alloc, &cell->value);
    cell->value = entry->old_value;
    cell->serial = entry->old_serial;
    cell->n_logged--;
    zs_tree_set_alive(log->tree, cell, entry->was_alive);
    zs_cell_log_drop_if_unused(log, cell);
}

static void forget(struct zs_cell_log *log, struct zs_cell_entry *entry)
{
    zs_cell_free_value(log->tree->alloc, &entry->old_value);
    entry->cell->n_logged--;
    zs_cell_log_drop_if_unused(log, entry->cell);
}

static void shrink_log(struct zs_cell_log *log)
{
    if (log->n_levels == 0 && log->cap_entries > KEPT_ENTRIES) {
        zs_alloc_free(log->tree->alloc, log->entries);
        log->entries = NULL;
        log->cap_entries = 0;
    }
}

int zs_cell_log_begin(struct zs_cell_log *log)
{
    int rc = zs_alloc_reserve(log->tree->alloc, &log->levels, &log->cap_levels,
        log->n_levels + 1, sizeof(*log->levels));

    if (rc == ZS_OK)
        log->levels[log->n_levels++] =
            (struct zs_cell_level){log->n_entries, ++log->last_serial};
    return rc;
}

/* What the outer transaction has logged itself is older than the inner one's entries. */
void zs_cell_log_commit(struct zs_cell_log *log)
{
    size_t n_kept;

    if (log->n_levels == 0)
        return;
    n_kept = log->levels[--log->n_levels].first;
    for (size_t i = n_kept; i < log->n_entries; i++) {
        struct zs_cell_entry *entry = &log->entries[i];
        if (log->n_levels > 0 && entry->old_serial < log->levels[log->n_levels - 1].serial)
            log->entries[n_kept++] = *entry;
        else
            forget(log, entry);
    }
    log->n_entries = n_kept;
    shrink_log(log);
}

void zs_cell_log_rollback(struct zs_cell_log *log)
{
    size_t first;

    if (log->n_levels == 0)
        return;
    first = log->levels[--log->n_levels].first;
    while (log->n_entries > first)
        undo(log, &log->entries[--log->n_entries]);
    shrink_log(log);
}

void zs_cell_log_note_new(struct zs_cell_log *log, struct zs_cell *cell)
{
    if (log->n_levels == 0)
        return;
    log->entries[log->n_entries++] = (struct zs_cell_entry){.cell = cell};
    cell->serial = log->last_serial;
    cell->n_logged++;
}

void zs_cell_log_clear(struct zs_cell_log *log)
{
    for (size_t i = 0; i < log->n_entries; i++)
        zs_cell_free_value(log->tree->alloc, &log->entries[i].old_value);
    zs_alloc_free(log->tree->alloc, log->entries);
    zs_alloc_free(log->tree->alloc, log->levels);
}
