/* delay, differentiate and integrate. */
#include "core/temporal.h"

int zs_delay_init(struct zs_delay *delay, const struct zs_alloc *alloc)
{
    return zs_edge_init(&delay->held, alloc);
}

void zs_delay_clear(struct zs_delay *delay)
{
    zs_edge_clear(&delay->held);
}

static int hold(struct zs_delay *delay, const struct zs_tick *tick, const struct zs_delta *in)
{
    int rc = zs_edge_renew(&delay->held, tick);
    return rc == ZS_OK ? zs_delta_add_all(&delay->held.now, in, 1) : rc;
}

int zs_delay_step(struct zs_delay *delay, const struct zs_tick *tick, const struct zs_delta *in,
    struct zs_delta *out)
{
    int rc = tick->is_continued ? ZS_OK : zs_edge_add_to(&delay->held, 1, out);
    return rc == ZS_OK ? hold(delay, tick, in) : rc;
}

int zs_differentiate_step(struct zs_delay *delay, const struct zs_tick *tick,
    const struct zs_delta *in, struct zs_delta *out)
{
    int rc = tick->is_continued ? ZS_OK : zs_edge_add_to(&delay->held, -1, out);

    if (rc == ZS_OK)
        rc = zs_delta_add_all(out, in, 1);
    return rc == ZS_OK ? hold(delay, tick, in) : rc;
}

void zs_delay_commit(struct zs_delay *delay, unsigned depth)
{
    zs_edge_commit(&delay->held, depth);
}

void zs_delay_rollback(struct zs_delay *delay, unsigned depth)
{
    zs_edge_rollback(&delay->held, depth);
}

int zs_integrate_step(const struct zs_integral *integral, const struct zs_tick *tick,
    const struct zs_delta *in, struct zs_delta *out)
{
    int rc = zs_integral_add(integral, in);

    if (rc != ZS_OK)
        return rc;
    return tick->is_continued ? zs_delta_add_all(out, in, 1) : zs_integral_read(integral, out);
}
