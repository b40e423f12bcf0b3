/* Reading a view: a cursor over its stored rows and what is pending. idxStr is documented in
** selection.h. */
#ifndef LS_CURSOR_H
#define LS_CURSOR_H

#include "core/batch.h"
#include "ext/pending.h"
#include "ext/spool.h"
#include "ext/view.h"

enum ls_phase { LS_STORED, LS_PENDING, LS_MERGED, LS_KEPT, LS_QUERIED, LS_FOUND, LS_END };

struct ls_cursor {
    sqlite3_vtab_cursor base;
    struct ls_view *view;
    struct ls_cursor *next;
    enum ls_phase phase;
    struct ls_reader reader; /* what it reads the table by, or the query */
    int n_read;              /* the columns of its rows, before their weight */
    sqlite3_value **values;  /* of them, where the statement reads the table */
    size_t values_cap;
    bool reads_all;            /* it gives every stored row that is not hidden: n_rows, */
    int64_t n_stored, n_rows;  /* of which n_stored are hidden or were given */
    bool is_stepping;          /* the statement is: a rollback meanwhile is its failure */
    bool shows_statement;      /* the current row is that of the statement */
    struct ls_pending pending; /* of the rows that are pending, those it may show */
    enum { LS_NOT_STEPPED, LS_STANDS_AHEAD, LS_AT_END } statement_state; /* while it merges */
    struct zs_bytes row;   /* the current row's identity encoding; data is NULL: not made yet */
    struct zs_buffer made; /* where the cursor had to make it */
    struct zs_buffer other; /* bytes in the making */
    int n_known;
    struct ls_reply *reply; /* the current row is its, or NULL */
    int64_t copies;         /* of the current row, this one included */
    struct ls_spool *kept;  /* rows read ahead before the state changed */
    int n_columns;          /* it has room in starts for so many */
    int broken;             /* reading ahead failed with this code: told at the next call */
    sqlite3_int64 token;    /* of the stored state that it reads */
    bool saw_rollback;      /* which may have taken that back */
    size_t starts[]; /* of the columns in row, the first n_known of them, and of one more */
};

int ls_cursor_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor);
int ls_cursor_close(sqlite3_vtab_cursor *cursor);
void ls_cursor_free(struct ls_cursor *cursor); /* one that is closed; accepts NULL */
int ls_cursor_filter(
    sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv);
int ls_cursor_next(sqlite3_vtab_cursor *cursor);
int ls_cursor_eof(sqlite3_vtab_cursor *cursor);
int ls_cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column);

/* Shared by cursor.c and cursor_next.c; SQLite's codes, with what the view says. */

ZS_CHECKED int ls_cursor_code(struct ls_cursor *cursor, int status);

/* To the first row, or the next, in whatever phase it is. */
ZS_CHECKED int ls_cursor_advance(struct ls_cursor *cursor);

/* The current row's bytes, to be kept or compared. */
ZS_CHECKED int ls_cursor_encode_row(struct ls_cursor *cursor);

#endif
