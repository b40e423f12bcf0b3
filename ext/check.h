/* Is what a view stores as it was written? */
#ifndef LS_CHECK_H
#define LS_CHECK_H

#include "ext/view.h"

/* Looks at every stored row and cell of a view whose state is read. *fault, where there is one, says what
** is wrong; sqlite3_free it. */
ZS_CHECKED int ls_check_stored(struct ls_view *view, char **fault);

/* Appends a value as an SQL literal, for people. */
void ls_append_literal(sqlite3_str *text, const struct zs_value *value);

#endif
