/* An edge: the delta that a stream carries since the last tick, and the ones that open
** transactions would restore. Private to core/.
**
** depth is the number of open transactions wherever it occurs; 0 means that nothing is
** kept. */
#ifndef ZS_EDGE_H
#define ZS_EDGE_H

#include "core/batch.h"

struct zs_edge {
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_delta now;
    /* What held when the transaction of that depth began, for those that have changed it;
    ** depths ascend. */
    struct zs_edge_past {
        unsigned depth;
        struct zs_delta delta;
    } * past;
    size_t n_past;
    size_t cap_past;
};

ZS_CHECKED int zs_edge_init(struct zs_edge *edge, const struct zs_alloc *alloc);
void zs_edge_clear(struct zs_edge *edge); /* accepts a zeroed edge */

bool zs_edge_is_empty(const struct zs_edge *edge);

/* Makes now empty, to be filled by this tick. In a transaction the delta that held at its
** begin is moved aside, not copied. */
ZS_CHECKED int zs_edge_renew(struct zs_edge *edge, unsigned depth);

/* End the transaction of that depth, the innermost. O(1). */
void zs_edge_commit(struct zs_edge *edge, unsigned depth);
void zs_edge_rollback(struct zs_edge *edge, unsigned depth);

#endif
