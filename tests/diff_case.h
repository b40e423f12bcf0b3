/* A case: tables, views and a list of steps, made from a seed and replayed without further
** chance, so that it can be made smaller.
**
** SQL in a case is a template, since names change while it runs and a view has two readings:
**   `t1`    the name of table 1          `t1.2`  the name of its column 2
**   `v3`    view 3: its name, or its query in parentheses
**   @sum(   sum( in the view and in the plain query, exact_sum( in the oracle; also avg, total
**   `h`     before a name that is created: the database of all tables and views
*/
#ifndef DIFF_CASE_H
#define DIFF_CASE_H

#include <stdbool.h>

#include "tests/diff_random.h"
#include "tests/diff_text.h"

enum {
    DIFF_TABLES = 3,
    DIFF_COLUMNS = 10,
    DIFF_VIEWS = 6,
    DIFF_VIEW_COLUMNS = 8,
    DIFF_KEYS = 4,
    DIFF_EXTRAS = 12,
    DIFF_CONNECTIONS = 3,
    DIFF_CURSORS = 2,
    DIFF_PLAIN_CONNECTION = 2 /* the one that never has the extension */
};

enum diff_domain {
    DIFF_INTEGERS,
    DIFF_REALS,
    DIFF_TEXTS,
    DIFF_BLOBS,
    DIFF_JSON,
    DIFF_ANYTHING,
    DIFF_KEYS_ONLY /* small integers */
};

struct diff_column {
    const char *name;
    const char *definition; /* what follows the name in CREATE TABLE; NULL: left out */
    const char *type;       /* as declared, "" for none */
    const char *collation;
    enum diff_domain domain;
    bool is_firm; /* values that compare equal are identical: no 1 beside 1.0, no 'a' beside 'A'
                   */
    bool is_generated;
    bool is_unique; /* alone */
};

struct diff_table {
    const char *name;
    struct diff_column columns[DIFF_COLUMNS];
    unsigned n_columns;
    unsigned n_late; /* columns after the others that ALTER TABLE may add */
    const char *constraints[DIFF_EXTRAS];
    unsigned n_constraints;
    const char *suffix;              /* after the closing parenthesis */
    const char *extras[DIFF_EXTRAS]; /* indexes and triggers */
    unsigned n_extras;
    bool has_rowid;
    bool is_strict;
    int rowid_column; /* or -1 */
};

/* How a column of a view is compared, one letter a column. E: bit by bit. B, N, R: equal under
** BINARY, NOCASE, RTRIM, 1 = 1.0, and the value shown must be present in the table, as the
** member expression finds it. */
struct diff_view_column {
    const char *text;
    const char *alias;  /* NULL: none written */
    const char *member; /* NULL for E */
    char spec;
    char member_spec; /* of a composed view: how its row compares with its members */
    char collation;   /* B, N or R: how the column compares */
    bool is_group_key;
    bool is_filterable; /* comparing it gives the same for every right member */
    char affinity; /* T: of TEXT, -: an expression's, which is none, o: another, ?: unknown */
};

struct diff_relation;

struct diff_view {
    const char *name;
    const char *options; /* "maintain=commit, ", or "" */
    unsigned table;
    bool is_distinct;
    bool sees_all_columns; /* SELECT * */
    struct diff_view_column columns[DIFF_VIEW_COLUMNS];
    unsigned n_columns;
    const char *where;
    const char *groups[DIFF_KEYS];
    unsigned n_groups;
    const char *having;
    const char *order;

    /* Of a composed view: its SELECT, the choices that made it, the constructs in it, and the
    ** query among whose rows are all that it may show, NULL where its letters say enough. */
    const char *text;
    const unsigned *choices;
    unsigned n_choices;
    uint64_t uses;
    const char *members;
    char ordered[DIFF_VIEW_COLUMNS + 1]; /* letters: the columns that order it; ? for others */
    bool is_rough; /* some sum in it is not exact in a double, whatever the data */
    const struct diff_relation *relation; /* what other views may read of it; NULL: nothing */
    size_t n_bytes;                       /* of its text and that of the views it reads */
};

enum diff_step_kind {
    DIFF_SQL,
    DIFF_CREATE_VIEW,
    DIFF_DROP_VIEW,
    DIFF_CHECK,   /* every view in the mask equals its query, on this connection */
    DIFF_PROBE,   /* a query over views gives the same over their queries */
    DIFF_COMMAND, /* INSERT INTO v(lockstep) VALUES(sql) succeeds */
    DIFF_COMPARE_TABLES,
    DIFF_LOOK,      /* a query runs that does not tell of rows, here only */
    DIFF_INTEGRITY, /* a PRAGMA of that name finds nothing that it does not find in the twin */
    DIFF_OPEN_CURSOR,
    DIFF_GO_ON, /* with a cursor that is open */
    DIFF_REOPEN,
    DIFF_ADD_COLUMN,
    DIFF_RENAME_TABLE,
    DIFF_RENAME_COLUMN
};

struct diff_step {
    enum diff_step_kind kind;
    unsigned connection;
    const char *sql;  /* a template; a new name; a command */
    const char *spec; /* DIFF_PROBE: its columns */
    bool is_ordered;  /* DIFF_PROBE: rows come in the same order */
    unsigned table;
    unsigned column;
    unsigned view;
    unsigned mask;
    unsigned cursor;
    unsigned rows; /* that the cursor reads */
};

/* What the generator may use. An engine says what it can bear. */
struct diff_options {
    unsigned n_steps;
    bool with_many_connections;
    bool with_failing_queries; /* overflow and malformed JSON */
    bool with_inexact_sums;
    bool with_probes;
    bool with_commands;
    bool with_user_triggers;
    bool with_ddl;
    bool with_mid_statement; /* statements that read views of the table they write */
    bool with_late_views;
    bool with_rowid;
    bool with_foreign_keys;
    bool with_distinct_groups; /* SELECT DISTINCT and GROUP BY in one */
    bool with_unanimous;       /* an aggregate that the extension brings */
    bool with_homes;           /* other databases than main */
    bool with_between;         /* what else a program does between two reads */
    unsigned composed;         /* how many views in a hundred are composed */
    uint64_t without;          /* constructs that are left out of these */
};

struct diff_case {
    uint64_t seed;
    struct diff_options options;
    struct diff_arena arena;
    struct diff_table tables[DIFF_TABLES];
    unsigned n_tables;
    struct diff_view views[DIFF_VIEWS];
    unsigned n_views;
    struct diff_step *steps;
    unsigned n_steps;
    unsigned cap_steps;
    unsigned n_connections;
    bool is_file;
    bool is_exact; /* all sums are exact in a double */
    bool may_fail; /* queries may */
    bool has_foreign_keys;
    const char *plain_view; /* NULL: none */
    const struct diff_relation *plain_relation;
    const char *journal_mode;
    const char *encoding;
    const char *home;    /* "", "main.", "aux." or "temp.": the database of tables and views */
    unsigned step_bytes; /* a bound on the memory of steps; 0: the one that all have */
};

/* A new case; diff_case_free frees what it owns. */
void diff_case_make(struct diff_case *c, uint64_t seed, const struct diff_options *options);
void diff_case_free(struct diff_case *c);

/* Is there a view that every commit stores? Writers need the extension then. */
bool diff_case_has_commit_views(const struct diff_case *c);

/* Appends a step of a kind and returns it, the rest zero; valid until the next. */
struct diff_step *diff_case_add(
    struct diff_case *c, enum diff_step_kind kind, unsigned connection);

/* The parts of diff_case_make, in diff_schema.c, diff_view.c and diff_script.c. */
void diff_case_make_tables(struct diff_case *c, struct diff_random *random);
void diff_case_make_views(struct diff_case *c, struct diff_random *random);
void diff_case_make_steps(struct diff_case *c, struct diff_random *random);

/* A random literal for a column, or NULL. */
void diff_literal(const struct diff_case *c, struct diff_random *random,
    const struct diff_column *column, struct diff_text *out);

/* A random condition over the columns of a table: it never fails. In diff_condition.c. */
void diff_condition(const struct diff_case *c, struct diff_random *random, unsigned table,
    struct diff_text *out);

/* Appends a step that queries views in a random way. In diff_probe.c. */
void diff_probe(struct diff_case *c, struct diff_random *random, unsigned connection);

/* Appends a step of those that with_between has, and those that belong to it; mask: all views. In
** diff_between.c. */
void diff_between(
    struct diff_case *c, struct diff_random *random, unsigned connection, unsigned mask);

/* What stands before the name of a table or view where TEMP ones may hide it; else "". */
const char *diff_place(const struct diff_case *c);

/* Appends the template of the name by which a query over the view calls its column. */
void diff_view_column_name(const struct diff_view_column *column, struct diff_text *out);

/* Present names; they start as the case's. Strings are borrowed from the case. */
struct diff_names {
    const char *tables[DIFF_TABLES];
    const char *columns[DIFF_TABLES][DIFF_COLUMNS];
};

enum diff_reading {
    DIFF_AS_VIEW,  /* sum(, and views by name */
    DIFF_IN_PLACE, /* the same, but what TEMP tables hide is named by its database, as below */
    DIFF_AS_PLAIN, /* sum(, and views as their plain queries */
    DIFF_AS_ORACLE /* exact_sum(, and views as their oracles */
};

void diff_names_init(struct diff_names *names, const struct diff_case *c);

/* Appends the template as SQL. */
void diff_render(const struct diff_case *c, const struct diff_names *names,
    enum diff_reading reading, const char *sql, struct diff_text *out);

/* Appends a view's SELECT in a reading. */
void diff_render_view(const struct diff_case *c, const struct diff_names *names,
    enum diff_reading reading, unsigned view, struct diff_text *out);

/* Appends the query whose rows hold all members: group keys and member expressions; of a
** composed view, all rows that it may show. */
void diff_render_members(const struct diff_case *c, const struct diff_names *names,
    enum diff_reading reading, unsigned view, struct diff_text *out);

/* Appends CREATE TABLE; the extras are rendered one by one by the caller. */
void diff_render_table(const struct diff_case *c, const struct diff_names *names,
    unsigned table, struct diff_text *out);

#endif
