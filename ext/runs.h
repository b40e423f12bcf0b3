/* The order in which a build reads rows: for an aggregate, that of its groups' keys, by which
** SQLite sorts faster than groups are found again. A piece ends where a key begins, and its
** groups are done: no later row is of any of them. That keys ascend is seen, not relied
** upon. */
#ifndef LS_RUNS_H
#define LS_RUNS_H

#include "ext/encoder.h"

struct ls_runs {
    size_t piece_len;  /* so many rows a piece */
    size_t most_rows;  /* where it ends within a group */
    size_t most_bytes; /* in a piece, however few rows they are; twice as many within a group */
    const size_t *used; /* borrowed: what is allocated, the piece with it */
    size_t used_before; /* the piece began */
    bool are_sorted;    /* asked for at first; false when a key has not ascended */
    bool begins;        /* the last key noted is another than the one before */
    struct zs_buffer last;
};

/* Notes the key of the next row. ZS_NOMEM. */
ZS_CHECKED int ls_runs_note(struct ls_runs *runs, struct zs_bytes key);

void ls_runs_begin_piece(struct ls_runs *runs);

/* May a piece of so many rows end before the row whose key was noted last? */
bool ls_runs_end_piece(const struct ls_runs *runs, size_t n_rows);

/* " ORDER BY 1 COLLATE "BINARY", ...", the encoder's columns being numbered from first on. */
void ls_runs_append_order(sqlite3_str *text, const struct ls_encoder *encoder, int first);

#endif
