/* Checksums of what Lockstep stores, by which bytes that have changed since are told from what
** was written. No defence against somebody who means to deceive. */
#ifndef LS_CHECKSUM_H
#define LS_CHECKSUM_H

#include "core/row.h"
#include "ext/api.h"

/* Of a cell of <view>_trace. Stored. */
uint32_t ls_checksum_cell(struct zs_bytes key, struct zs_bytes value);

/* Of a row of <view>_data, given in the identity encoding; the same value by value, its last
** half. Stored. */
uint32_t ls_checksum_row(int64_t rowid, int64_t weight, struct zs_bytes row);
uint64_t ls_checksum_begin(int64_t rowid, int64_t weight);
uint64_t ls_checksum_add(uint64_t sum, const struct zs_value *value);

/* Looks at the stored row that a statement stands on: n_columns columns, then its weight, rowid
** and checksum. ZS_CORRUPT where that is not right; or what ls_read_status says. The columns'
** values go to values, unless that is NULL: to ask for one takes the connection's mutex. */
ZS_CHECKED int ls_checksum_check(
    sqlite3_stmt *statement, int n_columns, sqlite3_value **values, int64_t *weight);

/* Registers lockstep_checksum(value, ...), for the tables of single rows; stored. */
ZS_CHECKED int ls_checksum_register(sqlite3 *db);

#endif
