/* Shared by relation.c (tables and how they are planned) and relation_scan.c (reading them). */
#ifndef LS_RELATION_PRIVATE_H
#define LS_RELATION_PRIVATE_H

#include "ext/relation.h"

/* How one column's equality with a value is looked up. The value comes without its affinity, which
** the comparison may have changed it or the column by; what is looked up has to find all rows
** that can be equal, and SQLite compares them once more. */
enum ls_match {
    LS_EXACTLY,   /* column = value */
    LS_OR_A_TEXT, /* text too: it may be equal to a number */
    LS_ANYTHING,  /* no look */
};

/* A way to look rows up that xBestIndex has promised: equality of columns. */
struct ls_access {
    int n;
    int *positions; /* in the change's rows */
    char **collation_names;
    enum zs_collation *collations;
    bool has_collations;            /* all of them are core's */
    struct ls_base_statement *idle; /* statements over the table that no scan uses */
};

/* The table's rows of an access, by how its columns match. */
struct ls_base_statement {
    struct ls_base_statement *next;
    sqlite3_stmt *statement;
    enum ls_match matches[];
};

/* Where a declared column comes from: a position in the change's rows, or one of these. */
enum { LS_WEIGHT_SLOT = -1, LS_SIGN_SLOT = -2 };

struct ls_relation {
    struct ls_relation *next;
    bool is_used;
    sqlite3 *db;
    char *name;
    char *declaration;
    struct ls_change *change; /* borrowed, NULL while nobody uses it */
    enum zsql_form form;
    int *slots; /* one a declared column */
    int n_slots;
    bool *has_index; /* one a position: some index of the table begins with it */
    struct ls_access *accesses;
    size_t n_accesses;
    size_t accesses_cap;
};

/* The methods of a scan. */
int ls_relation_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor);
int ls_relation_close(sqlite3_vtab_cursor *cursor);
int ls_relation_filter(
    sqlite3_vtab_cursor *cursor, int access, const char *text, int argc, sqlite3_value **argv);
int ls_relation_next(sqlite3_vtab_cursor *cursor);
int ls_relation_eof(sqlite3_vtab_cursor *cursor);
int ls_relation_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column);

struct ls_relation *ls_relation_of(sqlite3_vtab *vtab);

/* Finalizes the idle statements of an access. */
void ls_access_clear(struct ls_access *access);

#endif
