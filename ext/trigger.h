/* The texts of the capture triggers of a table. capture.h says what they log, and why. */
#ifndef LS_TRIGGER_H
#define LS_TRIGGER_H

#include "ext/capture.h"

enum { LS_N_TRIGGERS = 8 };

/* The trigger's name is lockstep_log_<n>_<suffix>. */
extern const char *const ls_trigger_suffixes[LS_N_TRIGGERS];

/* In SQL, over the triggers of a sqlite_schema called `of` (as "s.", or ""): is it one of those?
** What it does says so; the name alone may be that of a user's. */
#define LS_IS_CAPTURE(of)                                                                      \
    "(" of "name GLOB 'lockstep_log_[0-9]*' AND (instr(" of "sql, 'INSERT INTO lockstep_log_'" \
    " || CAST(substr(" of "name, 14) AS INTEGER) || '(lockstep_weight') > 0"                   \
    " OR instr(" of "sql, 'INSERT INTO lockstep_sink(log) VALUES('"                            \
    " || CAST(substr(" of "name, 14) AS INTEGER) || ')') > 0))"

/* In SQL: the triggers of a table that are not ours; arguments are schema, table. */
#define LS_USERS_TRIGGERS                                                                      \
    " FROM \"%w\".sqlite_schema WHERE type = 'trigger' AND tbl_name = %Q COLLATE NOCASE"       \
    " AND NOT " LS_IS_CAPTURE("")

/* What the triggers must reckon with. */
enum ls_care {
    LS_CHEAP, /* nothing, or AFTER triggers older than ours */
    LS_FULL,  /* what changes rows between our BEFORE triggers and the change */
    LS_WARY   /* TEMP ones, which fire between the row's change and our AFTER triggers */
};

/* One trigger's text from its name on. NULL where the table needs none, or *rc is set.
** sqlite3_free it. */
char *ls_trigger_text(const struct ls_table *table, const struct ls_logged *logged,
    enum ls_care care, int which, int *rc);

#endif
