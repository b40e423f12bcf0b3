/* A lane of a fold: what is kept of one argument, for all the aggregates that can share it. A
** plain lane is a count and a sum of the values other than NULL. A lane over distinct values
** has them in a slot of the multiset, in the order of a collation; its count and sum are over
** one value a class of equal ones, and it knows the first and the last. Private to fold*.c. */
#ifndef ZS_FOLD_LANE_H
#define ZS_FOLD_LANE_H

#include "core/exact.h"
#include "core/fold.h"

enum {
    ZS_KEEPS_COUNT = 1,
    ZS_KEEPS_SUM = 2,
    ZS_KEEPS_FIRST = 4,
    ZS_KEEPS_LAST = 8,
};

/* How texts and blobs count in sums; fn is NULL where they do not. */
struct zs_numbers {
    zs_number_fn *fn;
    void *ctx;
};

struct zs_lane_plan {
    const struct zs_numbers *numbers; /* the fold's */
    unsigned argument;
    unsigned slot;  /* of the multiset; 0: a plain lane */
    unsigned keeps; /* flags of the above */
    enum zs_collation collation;
};

struct zs_lane {
    const struct zs_lane_plan *plan; /* borrowed */
    int64_t count;
    struct zs_exact sum;
    /* Identity-encoded, empty where there is none; borrowed from the state that was loaded or
    ** from changes. */
    struct zs_bytes first;
    struct zs_bytes last;
    struct zs_lane_changes *changes; /* NULL until an item brings one */
};

/* What items bring to the multiset, and what settling that takes. */
struct zs_lane_changes {
    struct zs_batch *items; /* (class, identity) */
    struct zs_buffer class;
    struct zs_buffer identity;
    /* The elements of first and last. */
    struct zs_buffer first_element;
    struct zs_buffer last_element;
};

static inline const struct zs_alloc *zs_lane_alloc(const struct zs_lane *lane)
{
    return lane->sum.alloc;
}

static inline void zs_lane_init(
    struct zs_lane *lane, const struct zs_lane_plan *plan, const struct zs_alloc *alloc)
{
    lane->plan = plan;
    lane->count = 0;
    zs_exact_init(&lane->sum, alloc);
    lane->first = (struct zs_bytes){0};
    lane->last = (struct zs_bytes){0};
    lane->changes = NULL;
}

void zs_lane_changes_free(const struct zs_alloc *alloc, struct zs_lane_changes *changes);

static inline void zs_lane_clear(struct zs_lane *lane)
{
    if (lane->changes != NULL)
        zs_lane_changes_free(zs_lane_alloc(lane), lane->changes);
    lane->changes = NULL;
    zs_exact_clear(&lane->sum);
}

/* Reads the lane at *at, which moves past it; the lane borrows from state. ZS_CORRUPT. */
ZS_CHECKED int zs_lane_load(struct zs_lane *lane, struct zs_bytes state, size_t *at);
ZS_CHECKED int zs_lane_save(const struct zs_lane *lane, struct zs_buffer *state);

/* Takes in one value of the argument, any but NULL. */
ZS_CHECKED int zs_lane_add(struct zs_lane *lane, const struct zs_value *value, int64_t weight);

/* Adds value to the count and the sum. */
ZS_CHECKED int zs_lane_count(
    struct zs_lane *lane, const struct zs_value *value, int64_t weight);

/* Applies to the multiset of the group what was added, and brings the lane up to date with it.
** Does nothing to a plain lane. In fold_settle.c. */
ZS_CHECKED int zs_lane_settle(
    struct zs_lane *lane, struct zs_bytes group, struct zs_trace *multiset);

/* Can this be the lane of a group of so many rows? */
bool zs_lane_is_sound(const struct zs_lane *lane, int64_t n_rows);

#endif
