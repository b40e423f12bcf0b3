/* The tables that a view owns, <view>_data, <view>_trace and <view>_state, and
** lockstep_position, which the views of a database share: making them, and finding out what has
** become of them.
**
** Whatever of them is missing is made when the view is made anew, and until then the view is
** answered by its query. So is a column at the end, which a later version may have added. A
** table with other columns than these is left alone, and reading the view says so: SQLite drops
** no table while a statement runs. */
#ifndef LS_SHADOW_H
#define LS_SHADOW_H

#include "ext/view.h"
#include "sql/options.h"

/* Of <view>_data, behind the view's and those of its order. */
enum { LS_N_OWN_COLUMNS = 3 };

/* Sets the view's columns as the plan has them, and gives their declaration to SQLite, owned by
** the caller. Their names are those that they have already, or the query's. */
ZS_CHECKED int ls_shadow_columns(
    struct ls_view *view, const struct zsql_plan *plan, bool keeps_names, char **declaration);

/* The same, for a view whose definition is not read. */
ZS_CHECKED int ls_shadow_columns_of_query(
    struct ls_view *view, bool keeps_names, char **declaration);

/* Makes what is missing, and the row of <view>_state anew by what CREATE was told.
** *has_made_data: its indexes are still to be made. */
ZS_CHECKED int ls_shadow_make(struct ls_view *view, const struct zsql_plan *plan,
    const struct zsql_options *options, const char *declaration, bool *has_made_data);

/* Sets lacks_tables and has_no_data; fails where a table has other columns. */
ZS_CHECKED int ls_shadow_check(struct ls_view *view);

/* The same for lockstep_index, which may be missing; and has the schema one with Lockstep's
** columns? */
ZS_CHECKED int ls_shadow_check_register(struct ls_view *view);
ZS_CHECKED int ls_shadow_has_register(sqlite3 *db, const char *schema, bool *has_one);

/* What the schema has as lockstep_position: nothing that could be read, or without
** checksums. */
enum ls_positions { LS_NO_POSITIONS, LS_OLD_POSITIONS, LS_CHECKED_POSITIONS };
ZS_CHECKED int ls_shadow_positions(
    sqlite3 *db, const char *schema, enum ls_positions *positions);

#endif
