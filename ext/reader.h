/* The statements that cursors read by, which are laid by between reads. */
#ifndef LS_READER_H
#define LS_READER_H

#include "ext/view.h"

/* Makes the reader one of rows of <view>_data as items, see selection.h, and the values of
** their constraints want them, or of the view's query; binds the values. What the reader was
** before is laid by, if it is another. SQLite's code. */
ZS_CHECKED int ls_reader_open(struct ls_view *view, struct ls_reader *reader, bool of_query,
    const char *items, int argc, sqlite3_value **argv);

/* Lays it by for the next that needs the same. */
void ls_reader_lay_by(struct ls_view *view, struct ls_reader *reader);
void ls_reader_free(struct ls_reader *reader);

#endif
