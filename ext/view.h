/* A maintained view on one connection, and the connection's list of them.
**
** What a view answers is a function of three things that SQLite keeps transactional: the stored
** state (<view>_trace, <view>_data), the position that it has reached in the log
** (lockstep_position) in the logs of its tables, and the logs. The pipeline's overlay is a
** cache of that function; `token` and the positions' `stored` say which stored state it rests
** on, their `taken` how much of the logs is in it. In any doubt it is dropped and the logs are
** stepped again.
**
** Levels: while the connection's write transaction has enrolled the sink (sink.c), level 1 is
** the transaction and each announced savepoint one more. A view joins the levels when it steps,
** so that rolling back to a level undoes just what was stepped in since. */
#ifndef LS_VIEW_H
#define LS_VIEW_H

#include "ext/course.h"
#include "ext/definition.h"
#include "ext/mark.h"
#include "ext/pipeline.h"
#include "ext/replies.h"
#include "ext/returning.h"

struct ls_view;
struct ls_cursor;

struct ls_connection {
    sqlite3 *db;
    int references;        /* modules and views that hold it */
    struct ls_view *views; /* all that are connected */
    bool holds_views; /* those that SQLite disconnects meanwhile are only freed afterwards */
    struct ls_view *held;
    struct ls_batchtable *batchtables;
    struct ls_relation *relations;
    sqlite3_int64 connected_cookie; /* the main schema's when all views were connected, or -1 */
    sqlite3_stmt *cookie_statement;
    sqlite3_stmt *count_statement;
    bool is_enrolled;
    bool has_commit_views; /* the transaction has changed a table of a view kept at commits */
    bool is_working; /* statements of our own write: their savepoints and reads are not the
                        user's */
    bool is_looking; /* PRAGMA integrity_check: nothing is to be written */
    unsigned levels; /* open now: 0 when not enrolled */
    int hash_bits;
    size_t build_bytes; /* about how much a build has in memory */
    size_t step_bytes;  /* how much a view has at most, overlay and step together */
};

enum { LS_N_STATE_STATEMENTS = 3, LS_N_LOG_STATEMENTS = 7 }; /* those of state.c */
enum { LS_N_IDLE = 6 };

/* Of ext/glance.h: a statement, and how often it had been compiled when the schema was read. */
enum ls_glance_kind { LS_AT_LOGS, LS_AT_ALL, LS_N_GLANCES };
struct ls_glance {
    sqlite3_stmt *statement;
    int n_compiled;
};

enum ls_maintain { LS_ON_READ, LS_ON_COMMIT };

enum ls_way {
    LS_AT_ONCE,   /* a step in memory */
    LS_IN_PIECES, /* it does not fit there */
    LS_ANEW       /* making the state anew costs less */
};

/* A statement that gives rows of a view, and what it was made for: of what form ext/reader.c
** tells. */
struct ls_reader {
    char *kind;
    sqlite3_stmt *statement;
};

struct ls_view {
    sqlite3_vtab base; /* first: SQLite's pointer is ours */
    struct ls_connection *connection;
    struct ls_view *next;
    char *schema;
    const char *file; /* its name to SQLite's file control: main is found faster without one */
    char *name;
    char *arguments; /* what stood between the parentheses of CREATE VIRTUAL TABLE */
    struct ls_view_column *columns;
    int n_columns;
    bool has_no_data;         /* <view>_data is missing */
    bool lacks_tables;        /* that, or another of its tables: see shadow.h */
    bool is_stale;            /* connected from a schema that has changed since */
    bool lacks_collations;    /* a column is_plain */
    struct ls_index *indexes; /* of <view>_data, for xBestIndex */
    int n_indexes;
    enum ls_maintain maintain;

    struct ls_definition
        *definition; /* NULL until first needed, and again when the schema moves */
    struct ls_pipeline *pipeline;
    sqlite3_int64 cookie;      /* the schema's when it was read */
    sqlite3_int64 temp_cookie; /* the TEMP schema's */
    bool lacks_capture;        /* not all that it reads is logged */
    /* Triggers were off at a look, or a function that is called, or a collation, has become
    ** another: no stored state is right but the one of good_token. */
    bool has_missed;
    sqlite3_int64 good_token;
    bool needs_rebuild; /* the stored state can't be brought up to date from the log */
    sqlite3_stmt *state_statements[LS_N_STATE_STATEMENTS];
    sqlite3_stmt **log_statements; /* LS_N_LOG_STATEMENTS a table */
    sqlite3_stmt *cookie_statement;
    sqlite3_stmt *temp_cookie_statement;
    struct ls_glance glances[LS_N_GLANCES];
    sqlite3_stmt *witness; /* of ext/called.h */
    bool rests_on_users;   /* it calls functions of the user's, or compares by collations */
    bool is_called_anew;   /* the witness has been seen to be compiled anew */

    sqlite3_int64 token;
    bool may_be_renumbered;  /* rows may have other rowids than when the state was stored */
    struct ls_counts counts; /* what the tables hold by it */
    struct ls_mark seen; /* the schema when capture was last known to have missed nothing, */
    sqlite3_int64 seen_token;      /* by this state */
    struct ls_position *positions; /* one a table, while the definition is there */
    size_t n_positions;
    sqlite3_int64
        *marks; /* what was taken of each log when each of the pipeline's levels began */
    size_t marks_cap;
    bool
        is_provisional; /* the topmost level is a step made in the middle of a statement, or several */
    bool has_open_candidates; /* it rests on base rows that may be about to vanish */
    bool must_check;          /* a rollback, say, may have changed the stored state */
    bool wants_store;         /* so much is pending that a read should store it when it may */
    bool is_put_off;          /* a trigger asked for a store: the commit does it */
    bool is_failing;          /* the last rebuild met a row that can't be computed */
    bool expects_few; /* the last read found few rows in the logs, which were easily added up */
    /* It is being read anew, stepped, made or stored: functions of the user's that the query
    ** calls, and triggers on the view's own tables, may come back to it meanwhile. */
    bool is_busy;
    bool must_drop; /* a rollback came while it was busy */
    struct ls_returning returning;
    bool is_ahead;          /* what is stepped in has a row more than the logs, */
    sqlite3_int64 ahead_at; /* since sqlite3_total_changes64 was so */
    sqlite3_int64
        n_undone; /* rows of the logs that had been stepped in by the transaction's end */
    struct ls_course course;
    unsigned data_version;
    size_t store_after;     /* pending changes at which a read tries to store */
    unsigned n_to_skip;     /* so many reads don't try to rebuild ... */
    unsigned n_skipped;     /* ... after so many the time before */
    enum ls_way way;        /* for what is unseen, where nothing says needs_rebuild */
    sqlite3_int64 too_many; /* so many unseen rows did not fit into memory; 0: not known */

    struct ls_cursor *cursors;        /* open ones */
    unsigned n_openings;              /* how often there was none before one was opened */
    struct ls_cursor *spare;          /* a closed one, for the next; or NULL */
    struct ls_reader idle[LS_N_IDLE]; /* statements over <view>_data that no cursor uses */
    struct ls_replies replies;        /* of its result */
};

struct ls_view_column {
    char *name;
    char *type; /* as <view>_data has it */
    char *collation;
    bool is_plain; /* its collation was not there when it was declared, as one without */
};

/* An index of <view>_data: its columns in order. */
struct ls_index {
    int *columns; /* -1: none of the view's, or by another collation than its */
    bool *is_descending;
    int n_columns;
};

enum ls_answer {
    LS_BY_STATE, /* the stored rows with the overlay */
    LS_BY_QUERY  /* the state can't be had now: run the plan's exact_text */
};

/* Brings the view up to date for a read from a place of a program, see course.h, and stores
** where that is safe and worth it. SQLite's code, with the message set in base.zErrMsg. */
ZS_CHECKED int ls_view_refresh(struct ls_view *view, const char *place, enum ls_answer *answer);

/* Drops the overlay and steps anew, after a store that failed half way. */
ZS_CHECKED int ls_view_catch_up_again(
    struct ls_view *view, const struct ls_moment *moment, enum ls_answer *answer);

/* Stores what is stepped in, in the transaction that is open for writing. A view that fails
** half way is left dirty where the transaction goes on. */
ZS_CHECKED int ls_view_store(struct ls_view *view);

/* Is enough pending that a commit should store it? */
bool ls_view_is_worth_storing(const struct ls_view *view);

/* Takes in, or makes the state anew for, what view->way says, and stores it, in the transaction
** that is open for writing. */
ZS_CHECKED int ls_view_take_large(struct ls_view *view);

/* Makes the state anew from the base tables, in the transaction that is open for writing; mends
** capture first. view->is_failing, with an error: a row can't be computed, and the view stays
** dirty, to be answered by its query. */
ZS_CHECKED int ls_view_rebuild(struct ls_view *view);

/* Is this a failure that the transaction does not outlive in any case? SQLite rolls all of it
** back when a statement that writes meets one of these. */
bool ls_is_doomed(int rc);

/* Is it one that says nothing of the database, as that another connection is in the way? */
bool ls_may_pass(int rc);

/* Reads the definition if it is not read or the schema has moved. */
ZS_CHECKED int ls_view_open(struct ls_view *view);

/* Forgets definition, pipeline and statements. */
void ls_view_close(struct ls_view *view);

/* Forgets the overlay. */
void ls_view_drop_overlay(struct ls_view *view);

/* Undoes what was stepped in the middle of a statement; or keeps it, where the statement is over and
** the logs say as much. Nothing is provisional then. */
void ls_view_drop_provisional(struct ls_view *view);
void ls_view_settle_provisional(struct ls_view *view);

/* The same, and forgets the overlay if that has a row more than the logs even then. */
void ls_view_drop_ahead(struct ls_view *view);

/* A savepoint begins above so many levels. */
void ls_view_begin_savepoint(struct ls_view *view, unsigned levels);

/* Is the view told of what becomes of the write transaction, or can be without locking main for
** it? */
bool ls_view_is_announced(const struct ls_view *view);

/* Takes part in the write transaction. The sink stands in the database main: where that can't
** be written, or another connection has locked it, a transaction of another database can't be
** followed, and *answer says so. */
ZS_CHECKED int ls_view_join_levels(struct ls_view *view, bool in_write, enum ls_answer *answer);

/* Begins a level more. */
ZS_CHECKED int ls_view_push_level(struct ls_view *view);

/* Rolls back to, or merges into, the first `levels` levels. */
void ls_view_roll_back(struct ls_view *view, unsigned levels);
void ls_view_merge(struct ls_view *view, unsigned levels);

/* Sets base.zErrMsg to "lockstep: view <name>: ..." and returns rc. */
int ls_view_fail(struct ls_view *view, int rc, const char *format, ...);

/* Refuses what would change a view that is busy; SQLITE_OK where it is not. */
ZS_CHECKED int ls_view_refuse_busy(struct ls_view *view);

/* The same with SQLite's own message, and how to mend where that is known. */
int ls_view_fail_with(struct ls_view *view, int rc, char *message /* owned, may be NULL */);

/* Forgets the message. */
void ls_view_forgive(struct ls_view *view);

/* The view of that name, connected if need be; NULL where there is none. */
ZS_CHECKED int ls_connection_view(struct ls_connection *connection, const char *schema,
    const char *name, struct ls_view **view);

/* The column of that name as SQLite compares names, or -1. */
int ls_view_column(const struct ls_view *view, const char *name);

/* Enrols the sink in the open write transaction, if it is not, so that its end and its
** savepoints are announced. LS_SINK_IS_HIDDEN where a table of that name in main takes its
** place. */
enum { LS_SINK_IS_HIDDEN = SQLITE_NOTFOUND };
ZS_CHECKED int ls_connection_enroll(struct ls_connection *connection);

/* Calls fn for each database that has views, until it fails. */
typedef int ls_schema_fn(void *ctx, const char *schema);
ZS_CHECKED int ls_connection_each_schema(
    struct ls_connection *connection, ls_schema_fn *fn, void *ctx);

/* Does it share its cache with another connection? Then a transaction that reads is no
** snapshot: what it has not read yet may change. With PRAGMA read_uncommitted it sees what the
** other has not committed. */
enum ls_sharing { LS_SHARES_NOTHING, LS_SHARES_CACHE, LS_SHARES_UNCOMMITTED };
ZS_CHECKED int ls_connection_sharing(
    struct ls_connection *connection, enum ls_sharing *sharing);

/* Connects every view of every attached database. */
ZS_CHECKED int ls_connection_connect_all(struct ls_connection *connection);

/* Their stored states, or their logs, are being written: what each view knows of them is to be
** compared before it is read. */
void ls_connection_doubt(struct ls_connection *connection);

/* From hold to let_go, views that SQLite disconnects leave the list but are not freed. SQLite
** disconnects every view that no statement of the user's holds when a failure of a nested
** statement rolls a transaction back that has changed the schema. */
void ls_connection_hold(struct ls_connection *connection);
void ls_connection_let_go(struct ls_connection *connection);

/* Takes a view that SQLite disconnects off the list, and frees it. */
void ls_connection_remove(struct ls_connection *connection, struct ls_view *view);

/* Frees a view that is in no list. Accepts NULL. */
void ls_view_free(struct ls_view *view);

/* A destructor for modules: the last holder frees it. */
void ls_connection_release(void *connection);

/* Before the state or the overlay changes: open cursors read on from what they see now. */
ZS_CHECKED int ls_view_detach_cursors(struct ls_view *view);

/* Tells open cursors that a rollback may have taken back what they read. */
void ls_view_warn_cursors(struct ls_view *view);

#endif
