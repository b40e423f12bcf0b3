/* The temporal operators: delay, differentiate and integrate, whose output depends on when a
** delta came and not only on the sum of all.
**
** They are linear, and each is usable without a circuit. Where a tick comes in pieces (edge.h)
** the outputs of the pieces add up to that of the whole: a continued delay and differentiate
** take back nothing a second time, a continued integrate emits its piece alone. Each step adds
** to out; on error out holds anything. */
#ifndef ZS_TEMPORAL_H
#define ZS_TEMPORAL_H

#include "core/edge.h"
#include "core/integral.h"

/* The previous tick's input: the state of a delay, and that of a differentiate. */
struct zs_delay {
    struct zs_edge held;
};

ZS_CHECKED int zs_delay_init(struct zs_delay *delay, const struct zs_alloc *alloc);
void zs_delay_clear(struct zs_delay *delay); /* accepts a zeroed one */

/* What came in the tick before. */
ZS_CHECKED int zs_delay_step(struct zs_delay *delay, const struct zs_tick *tick,
    const struct zs_delta *in, struct zs_delta *out);

/* What comes in less what came in the tick before. */
ZS_CHECKED int zs_differentiate_step(struct zs_delay *delay, const struct zs_tick *tick,
    const struct zs_delta *in, struct zs_delta *out);

/* End the transaction of that depth, the innermost. */
void zs_delay_commit(struct zs_delay *delay, unsigned depth);
void zs_delay_rollback(struct zs_delay *delay, unsigned depth);

/* All that has come in so far, so O(integral) a tick. The integral is the state, and as the
** transaction that the caller opened will find it after an error. */
ZS_CHECKED int zs_integrate_step(const struct zs_integral *integral, const struct zs_tick *tick,
    const struct zs_delta *in, struct zs_delta *out);

#endif
