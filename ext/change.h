/* What changes in one base table in a step: d of sql/plan.h. Its items are rows of the table's
** logged columns, with weight 1 for a row that came to be and -1 for one that ceased to be. */
#ifndef LS_CHANGE_H
#define LS_CHANGE_H

#include "ext/lookup.h"
#include "ext/source.h"
#include "ext/table.h"
#include "sql/plan.h"

struct ls_change;

/* What it reads: the columns of `read`, which is the plan's table of that number, and those of
** the table's key. Both are borrowed, and alloc, by which its rows are allocated. SQLite's
** code. */
ZS_CHECKED int ls_change_new(sqlite3 *db, const struct zs_alloc *alloc,
    const struct ls_table *table, size_t number, const struct zsql_table *read,
    struct ls_change **change);
void ls_change_free(struct ls_change *change); /* accepts NULL */

const struct ls_table *ls_change_table(const struct ls_change *change);

/* The source that it is read from, for where its log ends. */
struct ls_source *ls_change_source(struct ls_change *change);

/* The columns of a row: numbers of the table's, ascending; -1 is a rowid that is no column. */
int ls_change_n_columns(const struct ls_change *change);
int ls_change_column(const struct ls_change *change, int i);
const enum ls_affinity *ls_change_affinities(const struct ls_change *change);

/* Is no column that is not one of numbers compared as a number, and so in another order? */
bool ls_change_keeps_order(const struct ls_change *change);

/* The positions among them of the key's columns, and how those compare. */
int ls_change_n_keys(const struct ls_change *change);
const int *ls_change_keys(const struct ls_change *change);
const enum zs_collation *ls_change_key_collations(const struct ls_change *change);

/* What came of taking logs in. */
struct ls_taken {
    bool has_candidates; /* base rows were read again: the answer is for this moment */
    bool is_lost;        /* the logs can't tell what has changed: make the state anew */
    bool is_failing;     /* a row can't be computed that a join reads */
    bool is_large;       /* it would take more memory than is allowed */
    bool is_half_done;   /* a step has failed in the innermost transaction: roll that back */
};

/* Forgets the last change, and reads the log's rows behind from, up to last, which is all of
** them. Sets in taken what came of it: where something is lost, or fails as a row's generated
** column can't be computed, and on error (SQLite's code), the change is empty. */
ZS_CHECKED int ls_change_read(struct ls_change *change, sqlite3_int64 from, sqlite3_int64 last,
    bool may_be_moved, struct ls_taken *taken);
void ls_change_reset(struct ls_change *change);

/* Adds a row by hand, for tests; the items are in order after ls_change_settle. */
ZS_CHECKED int ls_change_add(struct ls_change *change, struct zs_bytes row, int64_t weight);
ZS_CHECKED int ls_change_settle(struct ls_change *change);

/* The rows, consolidated, to be looked up. */
struct ls_lookups *ls_change_lookups(struct ls_change *change);
size_t ls_change_len(const struct ls_change *change);

#endif
