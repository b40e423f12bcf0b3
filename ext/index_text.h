/* The terms and the condition of an index, cut from its CREATE INDEX text: SQLite's pragmas
** name the columns of an index but not its expressions. */
#ifndef LS_INDEX_TEXT_H
#define LS_INDEX_TEXT_H

#include "ext/pool.h"

struct ls_index_text {
    const char **terms; /* without ASC and DESC; a COLLATE stays */
    int n_terms;
    const char *condition; /* after WHERE; NULL for none */
};

/* text is what sqlite_schema holds, valid SQL. SQLITE_OK, SQLITE_NOMEM or SQLITE_CORRUPT. */
int ls_index_text_read(struct ls_pool_block **pool, const char *text,
    struct ls_index_text *read) __attribute__((warn_unused_result));

#endif
