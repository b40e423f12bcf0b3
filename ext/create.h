/* A view's life in the schema: CREATE, connecting to what was created, DROP, RENAME. */
#ifndef LS_CREATE_H
#define LS_CREATE_H

#include "ext/view.h"

int ls_view_create(sqlite3 *db, void *connection, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error);
int ls_view_connect(sqlite3 *db, void *connection, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error);
int ls_view_disconnect(sqlite3_vtab *vtab);
int ls_view_destroy(sqlite3_vtab *vtab);
int ls_view_rename(sqlite3_vtab *vtab, const char *name);

/* Is <view>_<suffix> one of the tables that a view owns? */
int ls_view_shadow_name(const char *suffix);

#endif
