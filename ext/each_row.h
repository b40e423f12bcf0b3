/* All rows of a SELECT, encoded one after the other while SQLite runs it. */
#ifndef LS_EACH_ROW_H
#define LS_EACH_ROW_H

#include "ext/encoder.h"

/* A row that a scan has come to, n times on end; its bytes are the scan's. Ends the scan with
** SQLite's code, unless that is SQLITE_OK. */
typedef int ls_row_fn(void *ctx, struct zs_bytes key, struct zs_bytes value, int64_t n);

/* Shows row each row of a SELECT that has the encoder's columns. SQLite's code; on error
** *message is what it said (sqlite3_free it; NULL where row has failed and said nothing), and
** *is_of_data whether a row could not be computed and it is the data's fault. The text is
** finished. */
ZS_CHECKED int ls_each_row(sqlite3 *db, sqlite3_str *text, const struct ls_encoder *encoder,
    ls_row_fn *row, void *ctx, bool *is_of_data, char **message);

/* The function that it uses. */
ZS_CHECKED int ls_each_row_register(sqlite3 *db);

#endif
