/* A view's life in the schema: CREATE, connecting to what was created, DROP, RENAME. */
#ifndef LS_CREATE_H
#define LS_CREATE_H

#include "ext/view.h"
#include "sql/options.h"

int ls_view_create(sqlite3 *db, void *connection, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error);
int ls_view_connect(sqlite3 *db, void *connection, int argc, const char *const *argv,
    sqlite3_vtab **vtab, char **error);
int ls_view_disconnect(sqlite3_vtab *vtab);
int ls_view_destroy(sqlite3_vtab *vtab);
int ls_view_rename(sqlite3_vtab *vtab, const char *name);

/* How the declaration of every view to SQLite ends: the column of commands, and the key that
** tells equal rows apart. */
#define LS_HIDDEN_COLUMNS                                                                      \
    "lockstep HIDDEN, lockstep_key HIDDEN NOT NULL PRIMARY KEY) WITHOUT ROWID"

/* What create and connect share. A view that is in no list yet; its columns; and the end:
** declares the view to SQLite, or hands the error over and frees the view. */
struct ls_view *ls_view_new(
    struct ls_connection *connection, int argc, const char *const *argv, int *rc);
void ls_view_forget_columns(struct ls_view *view);
void ls_view_free_columns(struct ls_view_column *columns, int n);
ZS_CHECKED int ls_view_add_column(struct ls_view *view, const char *name, const char *type,
    const char *collation, size_t *cap);
int ls_view_finish(struct ls_view *view, int rc, sqlite3_vtab **vtab, char **error);

/* May a view have this name? */
ZS_CHECKED int ls_view_check_name(struct ls_view *view, const char *name);

/* What the view's arguments ask for. */
ZS_CHECKED int ls_view_read_options(struct ls_view *view, struct zsql_options **options);

/* For a view that is to be made anew: <view>_query, if it is missing, as CREATE was given it,
** and then, with the definition read, what tables are missing and the row of <view>_state. */
ZS_CHECKED int ls_view_make_query(struct ls_view *view);
ZS_CHECKED int ls_view_make_tables(struct ls_view *view);

/* Is <view>_<suffix> one of the tables that a view owns? */
int ls_view_shadow_name(const char *suffix);

#endif
