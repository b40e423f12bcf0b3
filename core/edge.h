/* An edge: the delta that a stream carries since the last tick, and the ones that open
** transactions would restore. Private to core/.
**
** A tick may come in pieces (rebuild.h): what a stream then carries is the sum of them, and
** now is the latest, which the operators behind it read.
**
** depth is the number of open transactions wherever it occurs; 0 means that nothing is
** kept. */
#ifndef ZS_EDGE_H
#define ZS_EDGE_H

#include "core/batch.h"

/* What operators are told about the step that runs them. */
struct zs_tick {
    unsigned depth;
    bool is_continued; /* a further piece of the tick that the step before began */
};

struct zs_edge {
    const struct zs_alloc *alloc; /* borrowed */
    struct zs_delta now;
    unsigned now_made_at; /* depth */
    /* Deltas before now: those that a rollback would bring back, and after them the earlier
    ** pieces of this tick. */
    struct zs_edge_past {
        struct zs_delta delta;
        unsigned made_at;    /* depth, as of what follows */
        unsigned dropped_at; /* by a tick after its own */
    } * past;
    size_t n_past;
    size_t cap_past;
    struct zs_delta sum; /* of the pieces, where has_sum */
    bool has_sum;
    struct zs_delta spare; /* an empty one with room, where has_spare: most ticks drop one */
    bool has_spare;
};

ZS_CHECKED int zs_edge_init(struct zs_edge *edge, const struct zs_alloc *alloc);
void zs_edge_clear(struct zs_edge *edge); /* accepts a zeroed edge */

/* Is now empty; and all pieces of the tick? */
bool zs_edge_is_quiet(const struct zs_edge *edge);
bool zs_edge_is_empty(const struct zs_edge *edge);

/* Adds all pieces of the tick to out, weights multiplied by sign. On error out holds
** anything. */
ZS_CHECKED int zs_edge_add_to(const struct zs_edge *edge, int sign, struct zs_delta *out);

/* The whole tick's delta, consolidated; borrowed, until the edge changes. Where the tick came
** in pieces this adds them up, once: ZS_NOMEM, ZS_OVERFLOW. */
ZS_CHECKED int zs_edge_read(struct zs_edge *edge, const struct zs_delta **delta);

/* Makes now empty, to be filled by this step. What a rollback would bring back, and the earlier
** pieces of a tick that goes on, are moved aside, not copied. On error the edge is unchanged.
*/
ZS_CHECKED int zs_edge_renew(struct zs_edge *edge, const struct zs_tick *tick);

/* End the transaction of that depth, the innermost. O(deltas that it made or dropped): at most
** two, where no tick came in pieces. */
void zs_edge_commit(struct zs_edge *edge, unsigned depth);
void zs_edge_rollback(struct zs_edge *edge, unsigned depth);

#endif
