/* Which indexes the joins of a view lack: the tables that a change of another makes them
** scan. */
#ifndef LS_LACKING_H
#define LS_LACKING_H

#include "ext/view.h"

/* A change of one occurrence scans a table that another reads, or other rows of its own
** table. */
struct ls_lack {
    size_t changed;                   /* an occurrence of the join */
    size_t table;                     /* in plan->tables: what is scanned */
    const struct zsql_lookup *lookup; /* what an index would serve, and none does; NULL where no
                                         equality finds the table's rows, or all are served */
};

struct ls_lacks {
    struct ls_lack *items;
    size_t n;
    size_t cap;
};

/* Those of operator i of the plan, a join, of an open view; each once. Differences that read
** all of the join anyway are left out. Free items with sqlite3_free, on error too. SQLite's
** code. */
ZS_CHECKED int ls_lacks_find(struct ls_view *view, size_t i, struct ls_lacks *lacks);

/* The index that serves a lookup in a table: it begins with one of its columns that equality
** finds, or with that of its range where there are none. *name is NULL where there is none, and
** empty for the rowid; free with sqlite3_free. One of Lockstep's own is named only where no
** other serves. */
ZS_CHECKED int ls_lookup_index(
    sqlite3 *db, const struct ls_table *table, const struct zsql_lookup *lookup, char **name);

/* "posts(author_id COLLATE NOCASE)", the collation where it is not the column's own. */
void ls_lookup_append(
    sqlite3_str *text, const struct ls_table *table, const struct zsql_lookup *lookup);

#endif
