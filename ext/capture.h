/* Capture: the triggers, in plain SQL, that write what changes in a base table to its log.
**
** A log is the table lockstep_log_<n> in the schema of its base table:
**   lockstep_seq     INTEGER PRIMARY KEY: the position
**   lockstep_weight  what the row says of the base row whose columns follow:
**                      1  it came to be, with these contents     (AFTER triggers)
**                     -1  it ceased to be, with these contents   (AFTER triggers)
**                      0  it stood so before something that may displace it without a trigger
**                         firing: a candidate                    (BEFORE triggers)
**                   NULL  there was no row of this key then: a candidate too
**   then columns of the base table under their own names, with their types and collations: the
**   key of a row and what views read; the rowid, where it is the key, as lockstep_rowid.
** A key that has a candidate is read again from the base table when the log is taken in: the
** net change is the row as it is now minus the oldest image. Other keys' images simply add up.
**
** Where something of the user's may change rows between our BEFORE triggers and the change of a
** row, OLD and NEW may be stale, and a row may be displaced that was not there before the
** statement: then every change also logs its key as a candidate ("full" capture). TEMP triggers
** may besides keep our AFTER triggers from firing ("wary").
**
** Which rows a new one displaces is looked up by what NEW shows to a BEFORE trigger. A later
** trigger may change the row that is being updated, in columns that the UPDATE does not set:
** one index over columns of both kinds then meets rows that nobody has looked for. So full
** capture also logs the columns of indexes over several, and a row that is seen in a state that
** no BEFORE trigger foresaw says that the log can't tell what was displaced
** (ext/reconcile.c). */
#ifndef LS_CAPTURE_H
#define LS_CAPTURE_H

#include <stdbool.h>

#include "ext/table.h"

enum { LS_N_LOG_COLUMNS = 2 }; /* of Lockstep's own */

/* Which columns a log holds: one flag a column of the table, and the rowid. */
struct ls_logged {
    bool *columns;
    bool has_rowid;
    bool has_sink; /* the triggers also write to the sink: a view stores at every commit */
};

/* What is known of a table's capture as it stands. */
struct ls_capture {
    struct ls_logged logged;
    bool is_known; /* the log is there, and its columns are the table's, as they are there */
    bool
        is_whole; /* known, and the triggers are those that would be made today, or wary ones */
    bool is_exact; /* they are those that would be made today, or wary ones */
};

/* Are triggers switched off on this connection? Then nothing that it writes is logged. */
bool ls_capture_is_off(sqlite3 *db);

/* Reads it from the log's own columns and the triggers' texts. What is wary stays so: the TEMP
** triggers of other connections are not to be seen. The flags live in the table's pool. */
int ls_capture_read(sqlite3 *db, struct ls_table *table, struct ls_capture *capture)
    __attribute__((warn_unused_result));

/* Adds what taking the log in needs: the key, and columns that must be foreseen. */
void ls_capture_add_key(const struct ls_table *table, struct ls_logged *logged);

/* Must a column be what a BEFORE trigger foresaw? */
bool ls_capture_must_foresee(const struct ls_table *table, int column);

/* Makes a table's triggers anew, so that they log what logged says, which is no less than the
** log of capture holds. Where its log lacks a column, or is not known, there is a new one,
** table->log; the old one is left empty, for SQLite drops no table while a statement runs.
** Where capture was not whole, what was logged is gone, and every view of the log must be made
** anew; else positions in the old log hold in the new one. Neither drops nor alters a table, so
** that it works in xCreate and while statements read. */
int ls_capture_mend(sqlite3 *db, struct ls_table *table, const struct ls_capture *capture,
    const struct ls_logged *logged) __attribute__((warn_unused_result));

/* Drops a log and its triggers. Not while statements read: SQLite drops no table then. */
int ls_capture_drop(sqlite3 *db, const char *schema, int log)
    __attribute__((warn_unused_result));

#endif
