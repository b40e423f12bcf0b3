/* The result of a view: a trace of its rows over the shadow table <view>_data, with the rows
** that changed since the last store kept in memory. The trace's value is the row,
** identity-encoded. */
#ifndef LS_RESULT_H
#define LS_RESULT_H

#include "core/row.h"
#include "core/trace.h"
#include "ext/api.h"
#include "ext/batchtable.h"
#include "ext/encoder.h"
#include "ext/location.h"

struct ls_result;

/* The table is <schema>.<view>_data: the columns of the plan's root, then lockstep_weight,
** lockstep_row INTEGER PRIMARY KEY and lockstep_checksum. location is borrowed, and alloc, by
** which what is pending is allocated. hash_bits (1 to 62) is how many bits of a row's hash are
** used; all databases use 62, tests fewer. */
ZS_CHECKED int ls_result_new(sqlite3 *db, const struct zs_alloc *alloc, const char *schema,
    const char *view, const struct ls_location *location, int hash_bits,
    struct ls_result **result);
void ls_result_free(struct ls_result *result);

struct zs_trace *ls_result_trace(struct ls_result *result); /* owned by the result */

/* A row's location, into buffer unless it is the row itself. */
ZS_CHECKED int ls_result_place(const struct ls_result *result, struct zs_bytes row,
    struct zs_buffer *buffer, struct zs_bytes *place);

/* Another after each change of what the result shows: as long as it is the same so is every row.
** Never 0. */
uint64_t ls_result_version(const struct ls_result *result);

/* Are neighbours asked for one after the other, each of which will hardly be asked for again? */
bool ls_result_reads_ahead(const struct ls_result *result);

/* What is pending in memory; writing it to the table; forgetting it. Store gives SQLite's code,
** SQLITE_CORRUPT_VTAB where weights are not those of a view: the state is damaged. The last two
** only with no transaction open. What the table holds is remembered, in a bounded cache, until
** ls_result_distrust (see overlay.h). */
size_t ls_result_pending(const struct ls_result *result);
ZS_CHECKED int ls_result_store(struct ls_result *result);
int64_t ls_result_added(const struct ls_result *result); /* rows, by the last store; net */
void ls_result_forget(struct ls_result *result);
void ls_result_distrust(struct ls_result *result);

/* A build begins over an emptied table, or ends, with rows NULL; a batchtable of the view's
** columns, borrowed. While it lasts nothing is looked up, and nothing can be rolled back or
** shown: rows are taken to be new until a store finds one in the table. */
void ls_result_build(struct ls_result *result, struct ls_batchtable *rows);

/* Adds a row, past the trace. */
ZS_CHECKED int ls_result_add(struct ls_result *result, struct zs_bytes row, int64_t weight);

/* About how many bytes a build has in memory; and makes them fewer, where rows repeat. */
size_t ls_result_size(const struct ls_result *result);
ZS_CHECKED int ls_result_settle(struct ls_result *result);

/* For readers. Reckons with what has changed since it was called last; what the following say
** holds until the result changes. ZS_NOMEM, ZS_CORRUPT. O(changes * log pending). */
ZS_CHECKED int ls_result_show(struct ls_result *result);

/* Before a transaction that will be rolled back soon: lets that cost what changes in it, where
** orders have been asked for. ZS_NOMEM. */
ZS_CHECKED int ls_result_keep_up(struct ls_result *result);

/* For how many stored rows something is pending, so that the table's word on them does not
** count. They are told by the SQL function lockstep_hides(lockstep_row, ?), the result bound to
** its parameter. */
size_t ls_result_n_hidden(const struct ls_result *result);
ZS_CHECKED int ls_result_bind(struct ls_result *result, sqlite3_stmt *statement, int parameter);
ZS_CHECKED int ls_result_register(sqlite3 *db); /* the functions */

/* The pending rows are kept in the order of their places, number 0, and from the first time
** that it is asked for on in any other order. *number is -1 where there are too many of them;
** forgetting them ends every walk. ZS_NOMEM. */
ZS_CHECKED int ls_result_order(
    struct ls_result *result, const struct zsql_order *terms, size_t n, int utf16, int *number);
const struct ls_encoder *ls_result_encoder(const struct ls_result *result, int number);
void ls_result_forget_orders(struct ls_result *result);

/* Shows the pending rows of a span of an order, in which a key is the byte `number`, then what
** the order's encoder makes of the row, then its place; or, of order 0, by their places. A to
** that is empty is no bound. Key and row are borrowed until visit returns, which must not use
** the result. */
typedef int ls_result_visit(
    void *ctx, struct zs_bytes key, struct zs_bytes row, int64_t weight, bool *is_enough);
ZS_CHECKED int ls_result_walk(const struct ls_result *result, int order, struct zs_bytes from,
    struct zs_bytes to, ls_result_visit *visit, void *ctx);

/* The row of a place where rows are found by their key: what is pending, or stored. weight is 0
** where there is none. Borrowed until the result changes or another is looked for. */
ZS_CHECKED int ls_result_find(
    struct ls_result *result, struct zs_bytes place, struct zs_bytes *row, int64_t *weight);

/* Is the stored row that a statement stands on as it was written? Its columns, weight, rowid
** and checksum. ZS_CORRUPT if not. No database holds more than 2^48 bytes: a greater weight
** could never have been read. The columns' values go to values, unless that is NULL. */
ZS_CHECKED int ls_result_check(
    sqlite3_stmt *statement, int n_columns, sqlite3_value **values, int64_t *weight);

/* Appends the columns first .. first+n-1 of a statement's row in identity encoding. */
ZS_CHECKED int ls_row_of_columns(
    struct zs_buffer *row, sqlite3_stmt *statement, int first, int n_columns);

/* SQLite's code of the last method that failed with ZS_CALLBACK. */
int ls_result_code(const struct ls_result *result);

#endif
