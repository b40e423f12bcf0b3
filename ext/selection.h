/* Which stored rows a cursor reads, and in what order: idxStr as SQL over <view>_data.
**
** idxStr, made by xBestIndex (best_index.c) and read here: a list of items, each followed by a
** space.
**   <column><op>   a constraint, op one of = > g < l i (g is >=, l is <=, i is IS); their values are
**                  xFilter's arguments in that order. They narrow what is read; SQLite checks them
**                  again, so that rows too many are no harm.
**   <column>+      a term of the order that the rows come in, ascending; behind all constraints
**   <column>-      the same, descending
**   v              rows come in the view's own order, if it has one; in place of the terms */
#ifndef LS_SELECTION_H
#define LS_SELECTION_H

#include "ext/view.h"

/* The statement that reads the rows: the root's columns and what stands behind them. Its
** parameters are those of the constraints, then the result if it hides rows. sqlite3_free it; NULL
** without memory. */
char *ls_selection_text(struct ls_view *view, const char *items, sqlite3_value **argv);

/* Binds the constraints' values. */
ZS_CHECKED int ls_selection_bind(const struct ls_view *view, const char *items,
    sqlite3_stmt *statement, sqlite3_value **argv);

/* The view's query, which gives the rows in the same order. Likewise. */
char *ls_selection_query(const struct ls_view *view, const char *items);

/* The order by the root's columns; *order is owned by the caller (sqlite3_free), NULL for none. */
ZS_CHECKED int ls_selection_order(
    const struct ls_view *view, const char *items, struct zsql_order **order, size_t *n);

/* Appends the view's own order over <view>_data: the terms of an index, or of ORDER BY. */
void ls_selection_append_order(
    sqlite3_str *text, const struct ls_view *view, const struct zsql_plan *plan);

/* The name in <view>_data of a column that the order alone reads, the first being number 0. */
#define LS_ORDER_COLUMN "lockstep_order_%d"

#endif
