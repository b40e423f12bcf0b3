/* Rebuild: the first chunk is a step of the circuit, the others continue its tick.
**
** Steps and pieces have numbers that never come twice (piece.h). So a job that is not done yet
** is sound exactly while the number of its last chunk is the circuit's. */
#include "core/rebuild.h"

#include <string.h>

#include "core/node.h"
#include "core/piece.h"

struct zs_rebuild {
    const struct zs_alloc *alloc; /* borrowed */
    uint64_t circuit;             /* its identity */
    size_t chunk;
    struct zs_batch *rows; /* read and not pushed yet, where not empty */
    bool is_end;           /* of the snapshot that rows are from */
    bool has_begun;
    bool has_failed; /* rows were lost in a step */
    /* Of the last chunk: its number; whether a transaction was open; the circuit's count. */
    uint64_t last;
    bool may_be_undone;
    uint64_t n_undone;
    size_t n_loaded; /* snapshots */
    size_t n_snapshots;
    struct zs_snapshot snapshots[];
};

/* An empty push tells whether the input may be pushed to. */
static int check_inputs(struct zs_circuit *circuit, const struct zs_rebuild *rebuild)
{
    int rc = ZS_OK;
    for (size_t i = 0; rc == ZS_OK && i < rebuild->n_snapshots; i++)
        rc = zs_circuit_push(circuit, rebuild->snapshots[i].input, rebuild->rows);
    return rc;
}

int zs_rebuild_new(struct zs_circuit *circuit, const struct zs_snapshot *snapshots, size_t n,
    size_t chunk, struct zs_rebuild **rebuild)
{
    const struct zs_alloc *alloc = zs_circuit_alloc(circuit);
    struct zs_rebuild *made = NULL;
    int rc;

    *rebuild = NULL;
    if (n <= (SIZE_MAX - sizeof(*made)) / sizeof(*snapshots))
        made = zs_alloc_zeroed(alloc, sizeof(*made) + n * sizeof(*snapshots));
    if (made == NULL)
        return ZS_NOMEM;
    made->alloc = alloc;
    made->circuit = zs_circuit_position(circuit).circuit;
    made->chunk = chunk > 0 ? chunk : 1;
    made->n_snapshots = n;
    if (n > 0)
        memcpy(made->snapshots, snapshots, n * sizeof(*snapshots));
    rc = zs_batch_new(alloc, &made->rows);
    if (rc == ZS_OK)
        rc = check_inputs(circuit, made);
    if (rc == ZS_OK)
        *rebuild = made;
    else
        zs_rebuild_free(made);
    return rc;
}

void zs_rebuild_free(struct zs_rebuild *rebuild)
{
    if (rebuild == NULL)
        return;
    zs_batch_free(rebuild->rows);
    zs_alloc_free(rebuild->alloc, rebuild);
}

bool zs_rebuild_belongs_to(const struct zs_rebuild *rebuild, const struct zs_circuit *circuit)
{
    return rebuild->circuit == zs_circuit_position(circuit).circuit;
}

static bool is_done(const struct zs_rebuild *rebuild)
{
    return rebuild->has_begun && rebuild->n_loaded == rebuild->n_snapshots;
}

bool zs_rebuild_is_interrupted(
    const struct zs_rebuild *rebuild, const struct zs_circuit *circuit)
{
    struct zs_position now = zs_circuit_position(circuit);

    if (rebuild->has_failed)
        return true;
    if (!rebuild->has_begun || rebuild->last == now.last)
        return false;
    return !is_done(rebuild) || (rebuild->may_be_undone && rebuild->n_undone != now.n_undone);
}

/* Reads on until there are rows or no snapshot is left. */
static int read_chunk(struct zs_rebuild *rebuild)
{
    while (zs_batch_len(rebuild->rows) == 0 && rebuild->n_loaded < rebuild->n_snapshots) {
        const struct zs_snapshot *snapshot = &rebuild->snapshots[rebuild->n_loaded];
        int rc;

        rebuild->is_end = false;
        rc = snapshot->read(snapshot->ctx, rebuild->chunk, rebuild->rows, &rebuild->is_end);
        if (rc != ZS_OK) {
            zs_batch_reset(rebuild->rows);
            return rc;
        }
        rebuild->n_loaded += zs_batch_len(rebuild->rows) == 0;
    }
    return ZS_OK;
}

/* Rows that were read before and could not be pushed are pushed now. */
static int push_chunk(struct zs_rebuild *rebuild, struct zs_circuit *circuit)
{
    int rc = read_chunk(rebuild);

    if (rc != ZS_OK || zs_batch_len(rebuild->rows) == 0)
        return rc;
    rc = zs_circuit_give(circuit, rebuild->snapshots[rebuild->n_loaded].input, rebuild->rows);
    if (rc == ZS_OK)
        rebuild->n_loaded += rebuild->is_end;
    return rc;
}

static int load_chunk(struct zs_rebuild *rebuild, struct zs_circuit *circuit)
{
    struct zs_position position;
    int rc = push_chunk(rebuild, circuit);

    if (rc != ZS_OK)
        return rc;
    rc = rebuild->has_begun ? zs_circuit_continue(circuit) : zs_circuit_step(circuit);
    if (rc != ZS_OK) {
        rebuild->has_failed = true;
        return rc;
    }
    position = zs_circuit_position(circuit);
    rebuild->has_begun = true;
    rebuild->last = position.last;
    rebuild->n_undone = position.n_undone;
    rebuild->may_be_undone = zs_circuit_depth(circuit) > 0;
    return ZS_OK;
}

int zs_rebuild_step(struct zs_rebuild *rebuild, struct zs_circuit *circuit,
    zs_expired_fn *expired, void *ctx, bool *done)
{
    int rc = ZS_OK;

    *done = false;
    if (!zs_rebuild_belongs_to(rebuild, circuit))
        return ZS_FOREIGN;
    if (zs_rebuild_is_interrupted(rebuild, circuit))
        return ZS_MISUSE;
    while (rc == ZS_OK && !is_done(rebuild)) {
        rc = load_chunk(rebuild, circuit);
        if (rc == ZS_OK && !is_done(rebuild) && expired != NULL && expired(ctx))
            return ZS_OK;
    }
    *done = rc == ZS_OK && is_done(rebuild);
    return rc;
}
