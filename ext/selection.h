/* Which stored rows a cursor reads, and in what order: idxStr as SQL over <view>_data.
**
** idxStr, made by xBestIndex (best_index.c) and read here: a list of items, each followed by a
** space.
**   <column><op>   a constraint, op one of = > g < l i (g is >=, l is <=, i is IS); their values are
**                  xFilter's arguments in that order. They narrow what is read; SQLite checks them
**                  again, so that rows too many are no harm.
**   <column>o      a constraint that the column is one of several values, which are the argument
**   <column>+      a term of the order that the rows come in, ascending; behind all constraints
**   <column>-      the same, descending
**   v              rows come in the view's own order, if it has one; in place of the terms */
#ifndef LS_SELECTION_H
#define LS_SELECTION_H

#include "ext/view.h"

enum { LS_SEVERAL = 'o' };

struct ls_arguments;

/* One item; the view's own order has column -1. */
struct ls_item {
    int column;
    char op;
};
bool ls_item_next(const char **items, struct ls_item *item); /* false at the end */
bool ls_item_is_constraint(const struct ls_item *item);

/* What the view's declaration makes of a column's values. */
enum ls_affinity ls_selection_affinity(const struct ls_view *view, int column);

/* A constraint's value as it is compared with the column; borrowed from the argument.
** SQLITE_NOMEM, or SQLITE_MISMATCH for one that is no text (ls_read_status). */
ZS_CHECKED int ls_selection_value(const struct ls_view *view, const struct ls_item *item,
    sqlite3_value *argument, struct zs_value *value);

/* A term of the order by a column of the view, in SQLite's default place of NULLs. */
struct zsql_order ls_selection_term(const struct ls_view *view, int column, bool is_descending);

/* The statement that reads the rows: the root's columns and what stands behind them. Its
** parameters are those of the constraints, then the result if it hides rows. sqlite3_free it;
** NULL without memory. */
char *ls_selection_text(
    struct ls_view *view, const char *items, const struct ls_arguments *arguments);

/* Binds the constraints' values, if the statement has parameters. */
ZS_CHECKED int ls_selection_bind(const struct ls_view *view, const char *items,
    sqlite3_stmt *statement, const struct ls_arguments *arguments);

/* The view's query, to be read as a subquery: a compound that begins with no rows whose columns
** have no affinity, where SQLite would otherwise make reals of its integers. */
void ls_selection_append_exact(sqlite3_str *text, const struct ls_view *view);

/* The same of the view's query, whose parameters are those of the constraints, or none.
** Likewise. */
char *ls_selection_query(
    const struct ls_view *view, const char *items, const struct ls_arguments *arguments);

/* Appends the view's own order over <view>_data: the terms of an index, or of ORDER BY. */
void ls_selection_append_order(
    sqlite3_str *text, const struct ls_view *view, const struct zsql_plan *plan);

/* The name in <view>_data of a column that the order alone reads, the first being number 0. */
#define LS_ORDER_COLUMN "lockstep_order_%d"

#endif
