/* A batch as a table: what lies between two operators, typed as SQLite would type the
** expressions
** that its columns stand for, so that HAVING and expressions over aggregates are plain SQL
** over
** it. An eponymous virtual table of one operator's output on one connection. */
#ifndef LS_BATCHTABLE_H
#define LS_BATCHTABLE_H

#include "core/batch.h"
#include "ext/api.h"
#include "sql/plan.h"

struct ls_batchtable;

/* Registers a module of a name that no other has; its columns are c0, c1, ... as output has
** them.
** The value of an item of the batch is an identity-encoded row of them. */
ZS_CHECKED int ls_batchtable_new(
    sqlite3 *db, const struct zsql_operator *output, struct ls_batchtable **table);

/* Unregisters it. Statements over it must have been finalized. Accepts NULL. */
void ls_batchtable_free(struct ls_batchtable *table);

const char *ls_batchtable_name(const struct ls_batchtable *table);

/* What a scan reads from now on: the items of batch (borrowed) from first on. */
void ls_batchtable_set(struct ls_batchtable *table, const struct zs_batch *batch, size_t first);

/* The item that a scan stands on: its index in the batch. */
size_t ls_batchtable_at(const struct ls_batchtable *table);

#endif
