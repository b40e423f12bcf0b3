/* Values of a column as its comparisons see them: with the column's affinity applied. A table's
** own values have it already, but not all that an operator makes. */
#ifndef LS_COMPARABLE_H
#define LS_COMPARABLE_H

#include "core/row.h"
#include "ext/table.h"

struct ls_comparable {
    sqlite3 *db;             /* borrowed */
    sqlite3_stmt *statement; /* by which SQLite is asked; NULL until it is */
};
void ls_comparable_clear(struct ls_comparable *comparable);

/* Appends the comparison encoding. ZS_OK or ZS_NOMEM. */
ZS_CHECKED int ls_comparable_append(struct ls_comparable *comparable, struct zs_buffer *key,
    const struct zs_value *value, enum ls_affinity affinity, enum zs_collation collation);

#endif
