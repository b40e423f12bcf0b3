/* Reading a view: a cursor over its stored rows and what is pending.
**
** idxStr, made by xBestIndex and read here: a list of constraints, each "<column><op>" followed
** by a space, op one of = > g < l i (g is >=, l is <=, i is IS); their values are xFilter's
** arguments in that order. They narrow what is read from <view>_data; SQLite checks them again,
** so that rows too many are no harm. */
#ifndef LS_CURSOR_H
#define LS_CURSOR_H

#include "core/batch.h"
#include "ext/view.h"

enum ls_phase { LS_STORED, LS_PENDING, LS_KEPT, LS_QUERIED, LS_END };

struct ls_cursor {
    sqlite3_vtab_cursor base;
    struct ls_view *view;
    struct ls_cursor *next;
    enum ls_phase phase;
    sqlite3_stmt *statement;
    char *statement_text;  /* what statement was made for: kept while the cursor is */
    struct zs_bytes row;   /* the current row's identity encoding; data is NULL: not made yet */
    struct zs_buffer made; /* where the cursor had to make it */
    size_t *starts; /* of the columns in row, the first n_known of them, and of one more */
    int n_known;
    size_t position;       /* among the pending rows */
    int64_t copies;        /* of the current row, this one included */
    struct zs_batch *kept; /* rows read ahead before the state changed */
    size_t at;
    int broken; /* reading ahead failed with this code: told at the next call */
};

int ls_cursor_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor);
int ls_cursor_close(sqlite3_vtab_cursor *cursor);
int ls_cursor_filter(
    sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv);
int ls_cursor_next(sqlite3_vtab_cursor *cursor);
int ls_cursor_eof(sqlite3_vtab_cursor *cursor);
int ls_cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column);

#endif
