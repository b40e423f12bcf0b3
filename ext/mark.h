/* Marks of a schema: did anything come and go in it between two looks?
**
** What stands in a schema can be compared with what capture assumes; but a trigger that was
** created and dropped again, or one of ours that was dropped and created again, leaves no trace
** but the schema's version. Each statement that changes a schema moves its version on. One that
** creates something moves it by as many as there are new entries (CREATE VIRTUAL TABLE makes
** several), DROP moves it and leaves fewer entries, all others move it alone. So `level`, the
** version less the number of entries, stays where something was created, rises by one with
** other statements, and by two at least with each DROP: where it has risen by one at most,
** nothing was dropped. */
#ifndef LS_MARK_H
#define LS_MARK_H

#include <stdbool.h>

#include "core/status.h"
#include "ext/api.h"

struct ls_mark {
    sqlite3_int64 version;
    sqlite3_int64 level;
};

/* The mark of a schema as it stands. O(entries). SQLite's code. */
ZS_CHECKED int ls_mark_read(sqlite3 *db, const char *schema, struct ls_mark *mark);

/* Can nothing have come and gone between the two? Then what was seen at both was there all the
** time, or is seen to be new. That is so, too, where one statement alone has changed the
** schema. */
bool ls_mark_is_explained(const struct ls_mark *then, const struct ls_mark *now);

#endif
