/* The parts of capture triggers that log rows which may be displaced without a trigger
** firing. */
#ifndef LS_CANDIDATE_H
#define LS_CANDIDATE_H

#include "ext/capture.h"

/* One CREATE TRIGGER in the making. */
struct trigger {
    const struct ls_table *table;
    const struct ls_logged *logged;
    sqlite3_str *text;
    bool has_body;
};

/* " INSERT INTO log(columns)": what follows gives a weight and images. */
void ls_candidate_begin(struct trigger *trigger);

/* ", old.a, old.b": the logged columns with a prefix ("old.", "new." or ""). */
void ls_candidate_images(struct trigger *trigger, const char *prefix);

/* The new row's logged columns in a BEFORE trigger, with the defaults that it will have. */
void ls_candidate_new_images(struct trigger *trigger);

/* Logs the rows that a unique index (NULL: the rowid) says are in the new row's way. */
void ls_candidate_lookup(
    struct trigger *trigger, const struct ls_unique *unique, bool is_update);

/* Logs every row where a BEFORE trigger can't know what the new row displaces. */
void ls_candidate_all_rows(struct trigger *trigger, bool is_insert);

#endif
