/* Whether what of the user's runs while a row of a table changes stands by: it reads no view, and
** changes no row of the table. Most triggers do, as those that check a value. What it says of them
** is never better than it is, and may be worse, as it is read off their texts. */
#ifndef LS_BYSTANDER_H
#define LS_BYSTANDER_H

#include "ext/table.h"

/* Does a trigger of the table stand by, given its own schema and its CREATE TRIGGER? *does. SQLite's
** code. Costs the schema, as the next. */
ZS_CHECKED int ls_bystander_trigger(sqlite3 *db, const struct ls_table *table,
    const char *schema, const char *create, bool *does);

/* Does one of these read no view, nor anything that follows from it, whatever it changes? *does. */
ZS_CHECKED int ls_bystander_reads_none(sqlite3 *db, const struct ls_table *table,
    const char *schema, const char *create, bool *does);

/* Do foreign keys act on behalf of rows of the table, *has_any, and do all triggers that the actions
** fire stand by, *do_all? None does that may end the statement, or leave the row's other triggers
** out. */
ZS_CHECKED int ls_bystander_actions(
    sqlite3 *db, const struct ls_table *table, bool *has_any, bool *do_all);

/* Does a statement that writes to the table, up to so many bytes, read neither a view nor a virtual
** table; and does all of it, with the views and tables that it reads, call none but SQLite's functions, so that
** nothing else writes meanwhile? Triggers are not looked at. */
ZS_CHECKED int ls_bystander_statement(
    sqlite3 *db, const struct ls_table *table, const char *text, uint32_t n, bool *does);

#endif
