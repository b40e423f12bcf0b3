/* What a view has answered to reads of one row, so that the same read again costs a look: a
** correlated subquery asks for the same few groups time and again. A question is known by the
** place in a program that asks, its idxStr, and by the values that it asks for, as they come:
** neither they are made a key of nor the row is taken apart again. A reply holds as long as
** the result does not change. */
#ifndef LS_REPLIES_H
#define LS_REPLIES_H

#include "core/row.h"
#include "ext/api.h"
#include "ext/memo.h"

struct ls_reply {
    struct ls_reply *next; /* one that was noted before */
    int n_holders;         /* cursors, and the replies that it is one of */
    int64_t weight;        /* 0: there is no such row */
    struct zs_bytes row;
    struct zs_value values[]; /* of its columns; their bytes are the row's */
};

enum { LS_N_ASKED = 1024 }; /* a power of two */

/* A zeroed one is empty and owns nothing. */
struct ls_replies {
    struct ls_memo memo; /* under a question a pointer to its reply */
    struct ls_reply *last;
    size_t n_bytes;   /* of all */
    uint64_t version; /* of the result that they are of */
    /* Under half a hash of a question its other half, that of the last first; or 0. */
    uint32_t asked[LS_N_ASKED][2];
};

enum { LS_MOST_ASKED = 120 }; /* bytes: what asks for more is not remembered */

struct ls_question {
    size_t len; /* 0: not to be remembered */
    uint8_t bytes[LS_MOST_ASKED];
};

/* Are they of this version of the result? Else they are forgotten, and it is noted: what has
** changed since the last read is not worth remembering. */
bool ls_replies_are_of(struct ls_replies *replies, uint64_t version);

/* A place is its address: those of all questions since ls_replies_forget must be there yet. */
void ls_question_make(
    struct ls_question *question, const char *place, int argc, sqlite3_value **argv);

/* The reply, if it is known: for ls_reply_release, once a cursor does without it. O(1). */
struct ls_reply *ls_replies_find(
    const struct ls_replies *replies, const struct ls_question *question);
void ls_reply_release(struct ls_reply *reply); /* accepts NULL */

/* Notes a reply: a row of at least n columns, or none. Not the first time that it is given lately,
** as many are asked for once only; and without memory it does nothing. */
void ls_replies_note(struct ls_replies *replies, const struct ls_question *question, size_t n,
    struct zs_bytes row, int64_t weight);

void ls_replies_forget(struct ls_replies *replies);

#endif
