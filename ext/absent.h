/* A view that shows columns of a collation which its connection lacks. SQLite would not let them
** be declared so, and a view that is not connected could not be dropped or renamed: it is
** connected with columns that compare by bytes, and is not read. Where the collation has come,
** it is connected once more. */
#ifndef LS_ABSENT_H
#define LS_ABSENT_H

#include "ext/view.h"

/* Which of its columns have to be declared so? */
ZS_CHECKED int ls_absent_look(struct ls_view *view);

/* A statement that reads the view, which lacks_collations, is compiled: fails where one is absent
** still. */
ZS_CHECKED int ls_absent_check(struct ls_view *view);

/* One runs. Where it was compiled with columns that were declared so, it fails, and what is
** compiled next finds the view as it should be; SQLITE_SCHEMA where SQLite can compile it anew
** itself. */
ZS_CHECKED int ls_absent_end(struct ls_view *view);

#endif
