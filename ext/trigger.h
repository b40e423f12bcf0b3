/* The texts of the capture triggers of a table. capture.h says what they log, and why. */
#ifndef LS_TRIGGER_H
#define LS_TRIGGER_H

#include "ext/capture.h"

enum { LS_N_TRIGGERS = 8 };

/* The trigger's name is lockstep_log_<n>_<suffix>. */
extern const char *const ls_trigger_suffixes[LS_N_TRIGGERS];

/* One trigger's text from its name on, for cheap or full capture. NULL where the table needs none,
** or *rc is set. sqlite3_free it. */
char *ls_trigger_text(const struct ls_table *table, const struct ls_logged *logged,
    bool is_full, int which, int *rc);

#endif
