/* What virtual tables that are there under their module's name, and only so, have in common. */
#ifndef LS_EPONYM_H
#define LS_EPONYM_H

#include <stdbool.h>
#include <stddef.h>

#include "ext/api.h"

/* Connects one, whose owner outlives it. The user's triggers and views may name it if it is
** innocuous, whatever PRAGMA trusted_schema says. *error is SQLite's, and to be passed on. */
int ls_eponym_connect(sqlite3 *db, const char *declaration, bool is_innocuous, void *owner,
    sqlite3_vtab **vtab, char **error) __attribute__((warn_unused_result));
int ls_eponym_disconnect(sqlite3_vtab *vtab);
void *ls_eponym_owner(const sqlite3_vtab *vtab);

/* Opens a cursor of so many bytes, which are 0; close frees them. */
int ls_eponym_open(size_t size, sqlite3_vtab_cursor **cursor)
    __attribute__((warn_unused_result));
int ls_eponym_close(sqlite3_vtab_cursor *cursor);

#endif
