/* Group-by: re-folds only the groups that a delta touches.
**
** A group's state is bytes in a cell under the group's key. A fold says how items change a
** state and how a state reads as a row; what it cannot keep in O(1) (min, max, DISTINCT) it
** keeps in a trace, under keys that begin with the group's. */
#ifndef ZS_AGGREGATE_H
#define ZS_AGGREGATE_H

#include "core/batch.h"
#include "core/cells.h"
#include "core/trace.h"

enum zs_reading {
    ZS_NO_ROW,    /* the group is empty: it has no row */
    ZS_ROW,       /* result holds the row */
    ZS_ERROR_ROW, /* result holds a message: reading this group fails */
};

/* What a group reads as; bytes holds the row or the message. */
struct zs_group_row {
    enum zs_reading reading;
    struct zs_buffer bytes;
};

struct zs_fold {
    /* From state (empty bytes: the group is new) and the consolidated items of one group,
    ** all of the same key, to new_state, which comes empty; leaving it empty removes the
    ** group. May change multiset, NULL where the operator was given none. An error anywhere
    ** aborts the step. */
    int (*change)(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
        const struct zs_item *items, size_t n, struct zs_trace *multiset,
        struct zs_buffer *new_state);
    /* A pure function of the state, asked only for groups that have one: an empty state it
    ** meets where the fold is global and change left the state empty. result comes empty. */
    int (*read)(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
        struct zs_buffer *result, enum zs_reading *reading);
    /* A global aggregate has the one group of the empty key, and a row even over nothing: the
    ** first step calls change for it with no items, if there are none, and its cell stays. */
    bool is_global;
    /* May be NULL. All of the above at once, for folds that save work so: before is what state
    ** reads as (NULL: not asked for), after what new_state does. Both come as ZS_NO_ROW, with
    ** empty bytes. */
    int (*step)(const struct zs_fold *fold, struct zs_bytes key, struct zs_bytes state,
        const struct zs_item *items, size_t n, struct zs_trace *multiset,
        struct zs_buffer *new_state, struct zs_group_row *before, struct zs_group_row *after);
};

/* What a step needs besides, for one group at a time; no step leaves much of it. */
struct zs_aggregate_scratch {
    struct zs_buffer old_state;
    struct zs_buffer new_state;
    struct zs_group_row before;
    struct zs_group_row after;
};

void zs_aggregate_scratch_init(
    struct zs_aggregate_scratch *scratch, const struct zs_alloc *alloc);
void zs_aggregate_scratch_clear(struct zs_aggregate_scratch *scratch);

/* The operator, usable without a circuit. Borrows everything. */
struct zs_aggregate {
    const struct zs_alloc *alloc;
    const struct zs_fold *fold;
    struct zs_cells *states;              /* must tell an empty value from an absent one */
    struct zs_trace *multiset;            /* may be NULL */
    struct zs_aggregate_scratch *scratch; /* may be NULL: each step makes its own */
};

/* Adds to out the change of the groups' rows, (key, old row) -1 and (key, new row) +1, where
** they differ; delta's rows are consolidated, out's come empty. Errors of delta pass through.
** On error out holds anything, and the states are as the transaction that the caller opened
** will find them. O(keys touched * (log groups + fold)). */
ZS_CHECKED int zs_aggregate_step(
    const struct zs_aggregate *aggregate, const struct zs_delta *delta, struct zs_delta *out);

#endif
