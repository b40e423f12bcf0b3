/* One group of an SQL fold, out of its state and back. Private to fold*.c. */
#ifndef ZS_FOLD_GROUP_H
#define ZS_FOLD_GROUP_H

#include "core/fold_choice.h"
#include "core/fold_lane.h"
#include "core/fold_refold.h"

/* What of a fold shapes its groups. */
struct zs_group_plan {
    unsigned n_keys;
    unsigned n_arguments;
    const struct zs_lane_plan *lanes; /* ascending by argument */
    unsigned n_lanes;
    const struct zs_refold_plan *refolds;
    unsigned n_refolds;
    struct zs_choice_plan choice; /* of the row whose values stand for the group */
};

enum { ZS_LANES_NEAR = 4 };

struct zs_group {
    const struct zs_group_plan *plan; /* borrowed */
    const struct zs_alloc *alloc;     /* borrowed */
    int64_t n_rows;
    /* The key values that stand for the group, identity-encoded, and, where those of any row
    ** may, how many rows have exactly these. Borrowed from the state, from an item, or from
    ** promoted. Empty: none yet. */
    struct zs_bytes keys;
    int64_t n_like_keys;
    struct zs_buffer promoted;
    /* Of items, or elements of a choice; NULL until there are some. */
    struct zs_batch *other_keys;
    struct zs_lane *lanes; /* near, or where the plan has more, on the heap */
    struct zs_refold *refolds;
    struct zs_lane near[ZS_LANES_NEAR];
};

/* A group of no rows, not to be moved. Clear it whatever init returns. */
ZS_CHECKED int zs_group_init(
    struct zs_group *group, const struct zs_group_plan *plan, const struct zs_alloc *alloc);
void zs_group_clear(struct zs_group *group);

/* From the bytes of a state, which the group borrows; none: no rows. ZS_CORRUPT. */
ZS_CHECKED int zs_group_load(struct zs_group *group, struct zs_bytes state);

/* Takes in an item, whose value the group borrows. */
ZS_CHECKED int zs_group_add(struct zs_group *group, const struct zs_item *item);

/* Brings group and multiset up to date with the items. ZS_CORRUPT where they retract what was
** not there. */
ZS_CHECKED int zs_group_settle(
    struct zs_group *group, struct zs_bytes key, struct zs_trace *multiset);

/* Appends nothing for a group of no rows. */
ZS_CHECKED int zs_group_save(const struct zs_group *group, struct zs_buffer *state);

#endif
