/* A batch as a table: what lies between two operators, typed as SQLite would type the
** expressions that its columns stand for, so that HAVING and expressions over aggregates are
** plain SQL over it. An eponymous virtual table of one operator's output on one connection. */
#ifndef LS_BATCHTABLE_H
#define LS_BATCHTABLE_H

#include "core/pile.h"
#include "ext/api.h"
#include "sql/plan.h"

struct ls_batchtable;

enum { LS_NUMBER_SIZE = 8 };

/* A table of output's columns, c0, c1, ..., typed as output has them; the value of an item of
** its batch is an identity-encoded row of them. Behind them hidden columns: lockstep_weight,
** the item's; lockstep_number, its key, which is then to be what ls_batchtable_number writes of
** a number that is not negative, in its order; and lockstep_checksum, of it as a row of
** <view>_data. Taken from the tables of the connection that nobody uses, or registered under a
** name of its own. *all is the connection's list of them. */
ZS_CHECKED int ls_batchtable_take(sqlite3 *db, struct ls_batchtable **all,
    const struct zsql_operator *output, struct ls_batchtable **table);

/* Gives it back; accepts NULL. It stays registered, for SQLite lets every running statement
** fail when a module goes that was in use. */
void ls_batchtable_give_back(struct ls_batchtable *table);

/* When the connection closes. */
void ls_batchtable_free_all(struct ls_batchtable *all);

void ls_batchtable_number(int64_t number, uint8_t key[LS_NUMBER_SIZE]);

const char *ls_batchtable_name(const struct ls_batchtable *table);

/* What a scan reads from now on: the items of batch (borrowed, and as it is until the statement
** is reset) from first on, each once; or each as often as its weight, which is positive, says;
** or as rows of two blobs, their keys and their values; or the elements of a pile. Or n pairs
** that a function gives as they are come to, in order, each until the next: for a statement
** that looks at none longer. */
void ls_batchtable_set(struct ls_batchtable *table, const struct zs_batch *batch, size_t first);
void ls_batchtable_repeat(struct ls_batchtable *table, const struct zs_batch *batch);
void ls_batchtable_set_pairs(struct ls_batchtable *table, const struct zs_batch *batch);
typedef int ls_pair_fn(void *ctx, size_t i, struct zs_bytes *key, struct zs_bytes *value);
void ls_batchtable_give_pairs(
    struct ls_batchtable *table, size_t n, ls_pair_fn *pair, void *ctx);
void ls_batchtable_set_pile(struct ls_batchtable *table, const struct zs_pile *pile);

/* The item that a scan stands on: its index in the batch. */
size_t ls_batchtable_at(const struct ls_batchtable *table);

#endif
