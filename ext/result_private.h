/* Shared by result.c, which keeps what is pending, result_stored.c, which knows where rows are
** stored, result_show.c, which lets readers see what is pending, result_order.c, which puts it in
** order, result_store.c, which writes it, result_build.c, which makes all of it anew, and
** result_ahead.c, which reads ahead. */
#ifndef LS_RESULT_PRIVATE_H
#define LS_RESULT_PRIVATE_H

#include "ext/gather.h"
#include "ext/hidden.h"
#include "ext/layer.h"
#include "ext/result.h"

enum {
    LS_GET,
    LS_INSERT,
    LS_DELETE,
    LS_UPDATE,
    LS_UPDATE_REST,
    LS_MOVE,
    LS_AHEAD,
    LS_N_STATEMENTS
};
_Static_assert(
    (int)LS_N_STATEMENTS <= (int)LS_N_LAYER_STATEMENTS, "layer.h has room for these");

/* What is pending, as readers see it; result_show.c tells how it is kept up. */
struct ls_shown {
    enum { LS_NOT_SHOWN, LS_SCANNED, LS_KEPT_UP } state;
    struct zs_cells *rows;     /* while it is kept up */
    struct ls_hidden hidden;   /* the stored rows that it stands in for */
    struct ls_encoder *orders; /* numbers 1 to n_orders */
    size_t n_orders;
    struct zs_buffer touched; /* places that have changed since then */
    size_t n_new;             /* of them, since somebody looked */
    size_t last;              /* where in touched the last of them is */
    size_t n_seen;            /* so many bytes of touched are reckoned with */
    size_t *marks;            /* how long touched was when each transaction began */
    size_t n_marks, marks_cap;
    struct zs_buffer key, other, old; /* in the making */
};

/* Of a place, in its cell of order 0, with the row behind it. */
enum { LS_NOT_HIDDEN = -1 };

struct ls_of_place {
    int64_t rowid;  /* of the stored row that is hidden, or LS_NOT_HIDDEN */
    int64_t weight; /* 0: there is no row now */
};

enum { LS_MOST_AHEAD = 64 };

/* The places from .. to-1 were read last, and are known, unless one was odd, or the layer's cache
** was emptied since. */
struct ls_ahead {
    int64_t from, to;
    int n; /* how many that were; 0: one */
    bool is_odd;
    bool is_off;           /* it has failed */
    uint64_t n_distrusted; /* of the layer, then */
    sqlite3_int64 n_rows;  /* that were shown */
    struct zs_buffer records;
    struct ls_slot {
        size_t at, len; /* in records; 0 bytes: nothing is stored there */
    } slots[LS_MOST_AHEAD];
};

/* What a build has of it. */
struct ls_built {
    struct ls_batchtable *table; /* borrowed; NULL: no build is on */
    sqlite3_stmt *insert;        /* of all of its rows */
    struct ls_gather *rows;      /* under the homes of their locations */
    bool has_met;                /* a row that was stored has come again */
};

struct ls_result {
    struct zs_trace trace;
    const struct ls_location *location;
    uint64_t n_hashes;     /* a power of two: below it keys live, from it on as many hashes */
    uint64_t version;      /* is another after each change of what the result shows */
    struct ls_layer layer; /* under a row's location: a record; cached, of what is stored */
    struct zs_buffer slot; /* the location of a stored row in the making */
    struct zs_buffer row;  /* a stored row on its way */
    struct zs_buffer record, changed; /* in the making, and what it is made from */
    struct ls_shown shown;
    struct ls_built built;
    struct ls_ahead ahead;
};

/* Is a location an integer, which is its home? */
bool ls_place_is_integer(
    const struct ls_result *result, struct zs_bytes place, int64_t *integer);

/* The record of a place that is an integer, if it was read ahead. Borrowed until the next are. */
bool ls_ahead_find(const struct ls_result *result, int64_t home, struct zs_bytes *record);

/* Such a place is asked for, and not known: reads it ahead with others, if that is likely to be
** worth it. ZS_CALLBACK. */
ZS_CHECKED int ls_ahead_read(struct ls_result *result, int64_t home);
void ls_ahead_forget(struct ls_ahead *ahead); /* the table is written to */
void ls_ahead_init(struct ls_ahead *ahead);
void ls_ahead_clear(struct ls_ahead *ahead);
char *ls_ahead_text(const struct ls_result *result, sqlite3_stmt *get);
ZS_CHECKED int ls_ahead_register(sqlite3 *db); /* the function that it calls */

/* A record, as bytes: this head, then entries. The first entry is the row in the table, where
** there is one; the others are rows that came since. Of several none is the same as another. */
struct ls_record {
    int64_t stored_weight; /* 0: nothing is stored at this location */
    int64_t rowid;         /* of what is stored */
};

struct ls_entry {
    int64_t weight; /* now */
    size_t len;
    const uint8_t *row;
};

struct zs_bytes ls_record_head(struct zs_bytes bytes, struct ls_record *record);

/* Notes what is stored at a location (weight 0: nothing). */
ZS_CHECKED int ls_result_remember(struct ls_result *result, struct zs_bytes place,
    const struct ls_record *head, struct zs_bytes row);

/* Takes the next entry off the rest of a record; false at the end. */
bool ls_record_next(struct zs_bytes *rest, struct ls_entry *entry);

/* Appends an entry. */
ZS_CHECKED int ls_record_append(struct zs_buffer *record, int64_t weight, struct zs_bytes row);

/* What was appended from row on is the row of the last entry, which was appended without. */
void ls_record_set_last(struct zs_buffer *record, size_t row);

/* Adds weight to the row's entry in a record, into result->record. An entry that becomes 0
** stays until the next change: often a row of the same length takes its place, and the cell is
** overwritten. */
ZS_CHECKED int ls_record_change(struct ls_result *result, struct zs_bytes bytes,
    struct zs_bytes row, int64_t weight, bool *is_as_stored);

/* Notes the change of a row, which is the item's value, at its location. */
ZS_CHECKED int ls_result_note(
    struct ls_result *result, struct zs_bytes place, const struct zs_item *item);

/* In a build: adds a row under its location; writes all, SQLite's code; forgets all. */
ZS_CHECKED int ls_built_add(
    struct ls_result *result, struct zs_bytes place, struct zs_bytes row, int64_t weight);
ZS_CHECKED int ls_built_store(struct ls_result *result);
void ls_built_forget(struct ls_result *result);

/* Writes what is noted. */
ZS_CHECKED int ls_result_store_noted(struct ls_result *result);

/* SQLite's code of a status. */
int ls_result_code_of(const struct ls_result *result, int status);

/* The one row that is left of a record, weight 0 for none; false where that is not so. */
bool ls_record_settled(struct zs_bytes bytes, struct ls_entry *entry);

/* Of result_show.c: a place has changed; a transaction begins, or has ended. */
void ls_shown_touch(struct ls_result *result, struct zs_bytes place);
ZS_CHECKED int ls_shown_begin(struct ls_shown *shown);
void ls_shown_commit(struct ls_shown *shown);
void ls_shown_rollback(struct ls_shown *shown);
ZS_CHECKED int ls_shown_init(struct ls_shown *shown);
void ls_shown_forget(
    struct ls_shown *shown); /* all of it: it is made anew when it is asked for */
void ls_shown_clear(struct ls_shown *shown);

/* Keeps all that is pending from now on, so that it can be put in order. */
ZS_CHECKED int ls_shown_make(struct ls_result *result);

/* Of result_order.c: puts a place's row into an order, or, by weight 0, takes it out. */
ZS_CHECKED int ls_shown_change_order(struct ls_shown *shown, size_t order,
    struct zs_bytes place, struct zs_bytes row, int64_t weight);

/* What is behind a cell's head, which is copied. */
struct zs_bytes ls_behind(struct zs_bytes cell, void *head, size_t size);

/* The rowid where a location lives, unless it is pushed behind it; is it that of a hash, behind
** which others may be pushed; and where to. */
int64_t ls_result_home(const struct ls_result *result, struct zs_bytes place);
bool ls_result_is_hash(const struct ls_result *result, int64_t rowid);
int64_t ls_result_after(const struct ls_result *result, int64_t rowid);

/* The row at a rowid, into result->row. */
ZS_CHECKED int ls_result_read(
    struct ls_result *result, int64_t rowid, int64_t *weight, bool *found);

/* Where the row of a location is stored: its record's head, the row in result->row. */
ZS_CHECKED int ls_result_locate(
    struct ls_result *result, struct zs_bytes place, struct ls_record *record);

ZS_CHECKED int ls_result_prepared(
    struct ls_result *result, int which, sqlite3_stmt **statement);

#endif
