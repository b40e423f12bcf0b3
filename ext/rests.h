/* On which columns a unique index rests: those of its terms, and those that its expressions,
** its condition and the formulas of generated columns name. */
#ifndef LS_RESTS_H
#define LS_RESTS_H

#include "ext/table.h"

/* Fills in what uniques say of that. The columns and uniques have been read; create is the
** table's CREATE TABLE text. SQLITE_OK or SQLITE_NOMEM. */
int ls_rests_read(struct ls_table *table, const char *create)
    __attribute__((warn_unused_result));

#endif
