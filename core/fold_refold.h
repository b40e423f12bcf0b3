/* An aggregate that is computed anew, by the fold's function, from all of a group's arguments
** whenever some of them have changed. They are kept in a slot of the multiset, the value that
** came out in the state. Private to fold*.c. */
#ifndef ZS_FOLD_REFOLD_H
#define ZS_FOLD_REFOLD_H

#include "core/fold.h"

/* The fold's function; fn is NULL where it has none. */
struct zs_refolder {
    zs_refold_fn *fn;
    void *ctx;
};

struct zs_refold_plan {
    const struct zs_refolder *refolder; /* the fold's */
    unsigned number;                    /* of the spec */
    unsigned argument;                  /* the first of them */
    unsigned n_arguments;
    unsigned slot; /* of the multiset */
};

struct zs_refold {
    const struct zs_refold_plan *plan; /* borrowed */
    const struct zs_alloc *alloc;      /* borrowed */
    /* What came out: an identity-encoded value or, where is_error says so, a message. Borrowed
    ** from the state that was loaded or from computed. None in a group of no rows. */
    bool has_value;
    bool is_error;
    struct zs_bytes value;
    struct zs_buffer computed;
    struct zs_batch *changes; /* rows of arguments that items bring; NULL until one does */
};

void zs_refold_init(
    struct zs_refold *refold, const struct zs_refold_plan *plan, const struct zs_alloc *alloc);
void zs_refold_clear(struct zs_refold *refold);

/* Reads it at *at, which moves past it; it borrows from state. ZS_CORRUPT. */
ZS_CHECKED int zs_refold_load(struct zs_refold *refold, struct zs_bytes state, size_t *at);
ZS_CHECKED int zs_refold_save(const struct zs_refold *refold, struct zs_buffer *state);

/* Takes in an item's row, whose arguments begin at at. */
ZS_CHECKED int zs_refold_add(
    struct zs_refold *refold, struct zs_bytes row, size_t at, int64_t weight);

/* Applies to the multiset of the group, which now has n_rows, what was added, and computes the
** value anew where that changed something. O(log n) a row of the changes, and then O(group). */
ZS_CHECKED int zs_refold_settle(
    struct zs_refold *refold, struct zs_bytes group, struct zs_trace *multiset, int64_t n_rows);

/* Appends the value to a row; or, on is_error, leaves nothing in the row but the message. That
** of a group of no rows is computed here. */
ZS_CHECKED int zs_refold_read(
    const struct zs_refold *refold, struct zs_buffer *row, bool *is_error);

#endif
