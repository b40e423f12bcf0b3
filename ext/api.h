/* SQLite's interface as the extension sees it: through the loader's table in the module,
** directly in test programs that link SQLite (SQLITE_CORE). Included instead of sqlite3.h. */
#ifndef LS_API_H
#define LS_API_H

#include "sqlite3ext.h"
#ifndef SQLITE_CORE
extern const sqlite3_api_routines *sqlite3_api;
#endif

#endif
