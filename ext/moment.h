/* What the connection is doing while a view is read. */
#ifndef LS_MOMENT_H
#define LS_MOMENT_H

#include <stdbool.h>

#include "ext/api.h"

struct ls_view;

struct ls_moment {
    int n_running;       /* statements, the reading one included */
    int n_writing;       /* of them, those that write */
    sqlite3_stmt *alone; /* the one that may be reading the view, where it is one only */
    bool in_write;       /* its transaction has written to the view's database */
    bool is_autocommit;
    bool is_readonly;
    /* A statement is under way that may have changed a base row whose AFTER trigger has not
    ** fired: table and log differ by that row. */
    bool is_between_row_and_log;
    /* It is only that RETURNING asks; by this statement. NULL: else. */
    sqlite3_stmt *returning;
    /* And then it has just inserted a row, sqlite3_last_insert_rowid, into the plan's table of this
    ** number, which is all that is not logged. -1: else. */
    int inserts_into;
    /* A change of a row may be under way that has logged candidates and is yet to displace
    ** them. */
    bool is_within_changes;
};

void ls_moment_now(const struct ls_view *view, bool in_write, struct ls_moment *moment);

#endif
