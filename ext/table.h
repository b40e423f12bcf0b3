/* What must be known of a base table to capture its changes: columns, unique keys, triggers. */
#ifndef LS_TABLE_H
#define LS_TABLE_H

#include <stdbool.h>

#include "core/row.h"
#include "ext/api.h"
#include "sql/catalogue.h"

struct ls_column {
    const char *name;
    const char *type; /* "" for none, and for ANY of a STRICT table, which converts nothing */
    const char *collation;
    const char *
        default_text; /* an expression; NULL for none. Type and default as declared.h has them */
    bool is_not_null;
    bool is_generated;
    bool is_hidden; /* of a virtual table */
};

/* A way in which a row can displace another: a unique index, or the rowid. A term is a column
** (index into columns), or an expression's text. */
struct ls_unique_term {
    int column; /* -1: an expression */
    const char *expression;
    const char *collation;
};

struct ls_unique {
    struct ls_unique_term *terms;
    int n_terms;
    const char *condition; /* of a partial index; NULL for none */
    bool is_not_null;      /* every term a stored column that can't be NULL, and no condition */
    bool is_computed;      /* a term is an expression or a generated column */
    bool *rests_on;        /* a flag a column: keys or condition may change with it */
    bool rests_on_rowid;   /* the same of the rowid */
};

struct ls_table {
    struct ls_pool_block *pool; /* everything below lives here */
    const char *schema;
    const char *name;
    bool is_table; /* neither a view nor virtual */
    bool is_view;
    bool is_strict;
    bool has_rowid;
    const char *rowid_name; /* a name of the rowid that no column hides; NULL for none */
    int rowid_column;       /* the INTEGER PRIMARY KEY, or -1 */
    struct ls_column *columns;
    int n_columns;
    struct ls_unique *uniques; /* without the rowid, and those that hold it among others */
    int n_uniques;
    int key; /* which unique names a row in the log; -1: the rowid */
    /* What of the user's runs while a row of it changes (ext/meddling.h). */
    bool has_early_triggers; /* between our BEFORE triggers and the change; bystanders apart */
    bool has_newer_triggers; /* a user's trigger of the schema that is newer than ours */
    bool has_temp_triggers;
    bool has_onlookers; /* a trigger that may read a view, or one that it fires */
    bool is_watched;    /* they may look before our AFTER triggers, or its log has some */
    bool is_wary;       /* capture reckons with TEMP ones, which may be another connection's */
    bool has_false_images; /* AFTER triggers may see another key than the row's */
    bool has_actions; /* rows of other tables, or of its own, change with its rows: ON DELETE
                         CASCADE and the like */
    bool has_watched_actions; /* and triggers that they fire may look, or change its rows */
    int log;                  /* the number of its log, 0 for none */
};

/* Reads a table's description. *table is NULL, and the code SQLITE_OK, where there is none of
** that name in the schema. */
int ls_table_read(sqlite3 *db, const char *schema, const char *name, struct ls_table **table)
    __attribute__((warn_unused_result));
void ls_table_free(struct ls_table *table); /* accepts NULL */

/* The same of a table-valued function: the columns of an eponymous virtual table. */
int ls_table_read_function(sqlite3 *db, const char *name, struct ls_table **table)
    __attribute__((warn_unused_result));

/* What a declared type makes of values (https://www.sqlite.org/datatype3.html, 3.1). */
enum ls_affinity { LS_NONE, LS_TEXT, LS_INTEGER, LS_REAL, LS_NUMERIC };
enum ls_affinity ls_affinity_of(const char *type);
bool ls_affinity_is_numeric(enum ls_affinity affinity); /* INTEGER, REAL or NUMERIC */

/* SQLite's own collations as core knows them; false for one of the user's. */
bool ls_collation_of(const char *name, enum zs_collation *collation);

/* The column of that name as SQLite compares names, or -1. */
int ls_table_column(const struct ls_table *table, const char *name);

#endif
