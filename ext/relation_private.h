/* Shared by relation.c (their pool), relation_plan.c (how they are planned), relation_shape.c
** (how they are declared) and those that read them: relation_scan.c, relation_table.c and
** relation_made.c. */
#ifndef LS_RELATION_PRIVATE_H
#define LS_RELATION_PRIVATE_H

#include "ext/relation.h"

/* How one column's equality with a value is looked up. The value comes without its affinity,
** which the comparison may have changed it or the column by; what is looked up has to find all
** rows that can be equal, and SQLite compares them once more. */
enum ls_match {
    LS_EXACTLY,   /* column = value */
    LS_OR_A_TEXT, /* text too: it may be equal to a number */
    LS_ANYTHING,  /* no look */
};

/* How a term of an access compares a column with its value. */
enum ls_term {
    LS_IS_EQUAL,
    LS_IS_NULL,
    LS_IS_LESS, /* this and all behind it: a range */
    LS_IS_LESS_OR_EQUAL,
    LS_IS_GREATER,
    LS_IS_GREATER_OR_EQUAL,
};

/* A way to look rows up that xBestIndex has promised: terms over columns, equalities first. Of
** the past of a table also ranges, and an order: +1 and the position of a column, or the
** negative of that where it is descending. */
struct ls_access {
    int n;
    int n_equal;
    int *positions; /* in the change's rows */
    enum ls_term *terms;
    char **collation_names;
    enum zs_collation *collations;
    bool has_collations; /* all of the equalities' are core's */
    int *order;
    int n_order;
    struct ls_base_statement *idle; /* statements over the table that no scan uses */
};

/* The table's rows of an access, by how its columns match. */
struct ls_base_statement {
    struct ls_base_statement *next;
    sqlite3_stmt *statement;
    enum ls_match matches[];
};

/* Where a declared column comes from: a position in the change's rows, or one of these. */
enum { LS_WEIGHT_SLOT = -1, LS_SIGN_SLOT = -2, LS_ROW_SLOT = -3, LS_COPY_SLOT = -4 };

struct ls_shape {
    char *declaration;
    int *slots; /* one a declared column */
    int n_slots;
    bool *has_index; /* of a table, one a position: some index of the table begins with it */
};

/* SQLite's code. */
ZS_CHECKED int ls_shape_of_change(
    sqlite3 *db, const struct ls_change *change, struct ls_shape *shape);
ZS_CHECKED int ls_shape_of_made(const struct ls_made *made, struct ls_shape *shape);
void ls_shape_clear(struct ls_shape *shape);

struct ls_relation {
    struct ls_relation *next;
    bool is_used;
    sqlite3 *db;
    char *name;
    struct ls_shape shape;
    enum zsql_form form;
    /* Borrowed, NULL while nobody uses it: of a table its change, of what an operator made
    ** that; and of either what changes. */
    struct ls_change *change;
    struct ls_relation *gone; /* of a table's past: what ceased to be */
    struct ls_made *made;
    struct ls_lookups *lookups;
    const enum ls_affinity *affinities; /* one a position */
    size_t n_positions;
    bool has_digits; /* the plan: text may be compared as a number with any column */
    struct ls_access *accesses;
    size_t n_accesses;
    size_t accesses_cap;
    struct ls_scan *spare; /* closed; for the next: subqueries open one for each row */
};

enum ls_phase { LS_IN_TABLE, LS_IN_MADE, LS_IN_CHANGE, LS_AT_END };

struct ls_scan {
    sqlite3_vtab_cursor base;
    struct ls_relation *relation;
    enum ls_phase phase;
    size_t access; /* a number: the accesses may move when others are added */
    struct ls_base_statement *table;
    struct ls_found found; /* the rows of the change, where they were looked up */
    bool is_found;
    size_t at;      /* in found, in the change's rows, or in piece */
    int64_t copies; /* of the current row, not a table's, that are still to be shown */
    int n_known;    /* starts[] of the current row is known so far */
    size_t *starts; /* one a column */
    size_t n_columns;
    enum ls_match *matches;
    struct zs_buffer key;

    struct zs_batch *piece; /* of what was made; NULL where that is not read */
    bool is_last_piece;
    struct {
        struct zs_buffer from, to; /* an empty to: no bound */
    } spans[2];                    /* of keys */
    int span, n_spans;
};

/* The methods of a scan. */
int ls_relation_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor);
int ls_relation_close(sqlite3_vtab_cursor *cursor);
void ls_scan_free(struct ls_scan *scan); /* accepts NULL */
int ls_relation_filter(
    sqlite3_vtab_cursor *cursor, int access, const char *text, int argc, sqlite3_value **argv);
int ls_relation_next(sqlite3_vtab_cursor *cursor);
int ls_relation_eof(sqlite3_vtab_cursor *cursor);
int ls_relation_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column);

struct ls_relation *ls_relation_of(sqlite3_vtab *vtab);

const struct ls_access *ls_scan_access(const struct ls_scan *scan);

/* Appends a value that the column at a position is looked up by to a key. */
ZS_CHECKED int ls_scan_append(const struct ls_scan *scan, struct zs_buffer *key,
    sqlite3_value *value, int position, enum zs_collation collation);

/* Stands on the first row of the change that the form shows, or at the end. */
void ls_scan_enter_change(struct ls_scan *scan);

/* relation_table.c: the rows of the table, before the change's. */
ZS_CHECKED int ls_scan_enter_table(struct ls_scan *scan, sqlite3_value **values);
ZS_CHECKED int ls_scan_step_in_table(struct ls_scan *scan);
void ls_scan_leave_table(struct ls_scan *scan); /* the statement waits for the next scan */

/* relation_made.c: what was made. */
ZS_CHECKED int ls_scan_enter_made(struct ls_scan *scan, sqlite3_value **values);
ZS_CHECKED int ls_scan_settle_in_made(
    struct ls_scan *scan); /* on the row at scan->at or behind */

/* The term by which an arranged column is looked up, or -1. */
int ls_made_term(const struct ls_relation *relation, const struct ls_access *access, size_t n);

/* Finalizes the idle statements of an access, or all of it. */
void ls_access_clear(struct ls_access *access);
void ls_access_free(struct ls_access *access);

int ls_relation_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info); /* xBestIndex */

#endif
