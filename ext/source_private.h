/* Shared by source.c (the log's rows as a delta), take.c (how they are read), source_text.c (the
** SQL of it) and reconcile.c (keys that were read again). */
#ifndef LS_SOURCE_PRIVATE_H
#define LS_SOURCE_PRIVATE_H

#include "ext/capture.h"
#include "ext/source.h"

/* The statements of a source. The first four give rows of the map: of a run of the log, inside
** SQLite or, where they have too many columns for that, given out; of one row of it; of the base
** row of a key; two more those of the whole table, without a weight. */
enum {
    LS_RUN,
    LS_GIVEN,
    LS_ONE,
    LS_BY_KEY,
    LS_ALL,
    LS_SORTED,  /* in the order of the keys */
    LS_LAST,    /* the log's last position */
    LS_COUNT,   /* how many rows a run of it has that a trigger can have written */
    LS_SIZE,    /* the span of the table's rowids */
    LS_KEYS,    /* a run of the log as position, weight, key, foreseen columns */
    LS_LIST,    /* the table as 0, 0, key */
    LS_OWN_KEY, /* of the base row that a key finds: its own key, foreseen columns */
    LS_KEY_OF,  /* of the table's row of a rowid, as 0, 0, key */
    LS_NAME_OF_ONE,
    LS_N_SOURCE_STATEMENTS
};

/* The columns of the first four: the weight, 0 or NULL for a row of the log that asks for more
** than adding up; then the map's. LS_RUN has them as arguments of lockstep_take (take.c), behind
** the source, bound to LS_SOURCE_PARAMETER, and the position; where WHERE may leave rows out,
** lockstep_pass is shown all. */
enum { LS_WEIGHT_COLUMN, LS_FIRST_COLUMN };
enum { LS_WEIGHT_PARAMETER = 100, LS_SOURCE_PARAMETER = 101 };

/* What a scan of the log has come to. */
struct ls_haul {
    struct zs_delta *delta; /* borrowed: where rows are added */
    sqlite3_int64 most;     /* so many */
    sqlite3_int64 last;     /* the position of the last row, or where the scan began */
    sqlite3_int64 n;        /* how many rows there were that a trigger can have written */
    bool has_special;       /* it met one that asks for more than adding up, or too many */
    int status;             /* of the adding */
};

/* What was ahead when a level began. */
struct ls_kept_ahead {
    unsigned level;
    struct zs_delta ahead;
};

struct ls_source {
    sqlite3 *db;
    const struct zs_alloc *alloc; /* borrowed */
    const struct ls_table *table;
    size_t number; /* of the table in the plan */
    const struct zsql_operator *input;
    const struct zsql_operator *map;
    const struct ls_encoder *encoder;
    int n_key; /* how many columns a row's key has */
    sqlite3_stmt *statements[LS_N_SOURCE_STATEMENTS];
    struct zs_buffer key;
    struct zs_buffer value;
    struct ls_haul haul;
    int n_compiled;             /* how often LS_RUN had been when the schema was known */
    sqlite3_int64 bound_last;   /* what is bound to it as the end of the run, 0: nothing yet */
    bool takes_inside;          /* it is used: the map has not too many columns for it */
    bool expects;               /* a row that is not logged, */
    sqlite3_int64 expected;     /* of this rowid */
    struct zs_delta ahead;      /* what was added of one, and the log is about to say; */
    struct ls_kept_ahead *kept; /* of levels that began while there was such, what that was */
    size_t n_kept, kept_cap;
};

const char *ls_source_key_collation(const struct ls_source *source, int i);

/* Writes a statement. */
void ls_source_append_text(const struct ls_source *source, sqlite3_str *text, int which);

ZS_CHECKED int ls_source_prepared(
    struct ls_source *source, int which, sqlite3_stmt **statement);

/* A statement over the rows of the log behind from, up to last. */
ZS_CHECKED int ls_source_prepared_run(struct ls_source *source, int which, sqlite3_int64 from,
    sqlite3_int64 last, sqlite3_stmt **statement);

/* Of take.c: adds those rows to delta, where none asks for more than adding up, or fails:
** *is_plain. *n is how many there are that a trigger can have written; fewer where one fails. */
ZS_CHECKED int ls_source_run(struct ls_source *source, sqlite3_int64 from, sqlite3_int64 last,
    struct zs_delta *delta, bool *is_plain, sqlite3_int64 *n);

/* One row of the log (LS_ONE, by position) or of the table (LS_BY_KEY), with a weight of our
** own; an error instead where its expressions fail. */
ZS_CHECKED int ls_source_add_one(struct ls_source *source, int which, sqlite3_int64 seq,
    const struct zs_value *key, int64_t weight, struct zs_delta *delta);

/* Reads the key that stands in columns 2.. of a statement. The values are borrowed from it. */
ZS_CHECKED int ls_source_read_key(
    struct ls_source *source, sqlite3_stmt *statement, struct zs_value *key);

/* *is_counted: the row expected is among those that were read again. */
ZS_CHECKED int ls_source_reconcile(struct ls_source *source, sqlite3_int64 from,
    sqlite3_int64 last, struct zs_delta *delta, bool *is_counted, bool *is_lost);

/* The key of the row expected; *found. What is borrowed is so from *statement, to be reset, if any. */
ZS_CHECKED int ls_source_expected_key(
    struct ls_source *source, struct zs_value *key, sqlite3_stmt **statement, bool *found);

#endif
