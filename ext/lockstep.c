/* The entry point: registers every module and function on a connection, once. */
#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT1

__attribute__((visibility("default"))) int sqlite3_lockstep_init(
    sqlite3 *db, char **error, const sqlite3_api_routines *api);

int sqlite3_lockstep_init(sqlite3 *db, char **error, const sqlite3_api_routines *api)
{
    (void)db;
    (void)error;
    SQLITE_EXTENSION_INIT2(api);
    return SQLITE_OK;
}
