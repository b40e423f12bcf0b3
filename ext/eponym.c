/* Their modules have no xCreate: nothing of them is in any schema. */
#include "ext/eponym.h"

#include "ext/statement.h"

struct eponym {
    sqlite3_vtab base;
    void *owner;
};

int ls_eponym_connect(sqlite3 *db, const char *declaration, bool is_innocuous, void *owner,
    sqlite3_vtab **vtab, char **error)
{
    struct eponym *made;
    int rc = ls_declare(db, declaration, error);

    *vtab = NULL;
    if (rc != SQLITE_OK)
        return rc;
    made = zs_alloc_zeroed(&ls_alloc, sizeof(*made));
    if (made == NULL)
        return SQLITE_NOMEM;
    made->owner = owner;
    *vtab = &made->base;
    return is_innocuous ? sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS) : SQLITE_OK;
}

int ls_eponym_disconnect(sqlite3_vtab *vtab)
{
    sqlite3_free(vtab);
    return SQLITE_OK;
}

void *ls_eponym_owner(const sqlite3_vtab *vtab)
{
    return ((const struct eponym *)vtab)->owner;
}

int ls_eponym_open(size_t size, sqlite3_vtab_cursor **cursor)
{
    *cursor = zs_alloc_zeroed(&ls_alloc, size);
    return *cursor == NULL ? SQLITE_NOMEM : SQLITE_OK;
}

int ls_eponym_close(sqlite3_vtab_cursor *cursor)
{
    sqlite3_free(cursor);
    return SQLITE_OK;
}
