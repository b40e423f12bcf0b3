/* Rebuild: a snapshot is loaded into a circuit in chunks, as one logical tick.
**
** However many chunks it takes, and whatever else is done with the computer's time between
** them, the circuit is afterwards as if the whole snapshot had been pushed and stepped at once:
** every stream, sink and state, temporal operators included, and the clock has moved by one. A
** weight may leave 64 bits on the way, and be an overflow, where the sum of all would not.
**
** What is pushed between the chunks becomes part of the tick. A step, another rebuild's chunk,
** or a rollback that takes a chunk away interrupt the job: it can never finish. Drop it, and
** begin again from the same snapshot. */
#ifndef ZS_REBUILD_H
#define ZS_REBUILD_H

#include "core/circuit.h"

struct zs_rebuild;

/* Adds up to n of the snapshot's next rows to rows, and says whether they are the last; to add
** none says so too. An error is returned by the rebuild, and the same rows are asked for
** again. */
typedef int zs_snapshot_fn(void *ctx, size_t n, struct zs_batch *rows, bool *is_end);

/* What is loaded into one input. */
struct zs_snapshot {
    struct zs_input input;
    zs_snapshot_fn *read;
    void *ctx; /* borrowed */
};

/* The snapshots, which are copied, are loaded one after the other, chunk rows (at least 1) at a
** time. Nothing is loaded yet. ZS_FOREIGN where an input is not the circuit's. */
ZS_CHECKED int zs_rebuild_new(struct zs_circuit *circuit, const struct zs_snapshot *snapshots,
    size_t n, size_t chunk, struct zs_rebuild **rebuild);
void zs_rebuild_free(struct zs_rebuild *rebuild); /* accepts NULL; the circuit may be gone */

/* Asked after each chunk but the last. */
typedef bool zs_expired_fn(void *ctx);

/* Loads at least one chunk, then more until expired says so (NULL: never); *is_done after the
** last, and for a job that is done already, which does nothing. A job without any rows takes
** its tick too. ZS_FOREIGN with another circuit, ZS_MISUSE where the job is interrupted, and
** whatever a push or step may return: a failed step interrupts the job. */
ZS_CHECKED int zs_rebuild_step(struct zs_rebuild *rebuild, struct zs_circuit *circuit,
    zs_expired_fn *expired, void *ctx, bool *is_done);

/* Was the rebuild made for this circuit? */
bool zs_rebuild_belongs_to(const struct zs_rebuild *rebuild, const struct zs_circuit *circuit);

/* Can the job no longer finish or, if it is done, has a rollback taken it away? A job that was
** done inside a transaction is given up as taken away by the first rollback of a later step,
** too. */
bool zs_rebuild_is_interrupted(
    const struct zs_rebuild *rebuild, const struct zs_circuit *circuit);

#endif
