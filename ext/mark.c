/* Reading and comparing marks of a schema. */
#include "ext/mark.h"

#include "ext/statement.h"

/* Entries of SQLite's own, as the indexes of constraints, come and go with others. */
int ls_mark_read(sqlite3 *db, const char *schema, struct ls_mark *mark)
{
    sqlite3_int64 n = 0;
    int rc = ls_query_integer(db, 0, &mark->version, "PRAGMA \"%w\".schema_version", schema);

    if (rc == SQLITE_OK)
        rc = ls_query_integer(db, 0, &n,
            "SELECT count(*) FROM \"%w\".sqlite_schema WHERE name NOT GLOB 'sqlite_*'", schema);
    mark->level = mark->version - n;
    return rc;
}

bool ls_mark_is_explained(const struct ls_mark *then, const struct ls_mark *now)
{
    sqlite3_int64 moved = now->version - then->version, risen = now->level - then->level;

    return moved == 0 || moved == 1 || (moved > 0 && (risen == 0 || risen == 1));
}
