/* The circuit: operators wired into a graph, stepped by one clock (Budiu, McSherry, Ryzhyk
** and Tannen, "DBSP", VLDB 2023).
**
** A node is made from streams that exist already, so the order of creation is a topological
** order, and a step runs every node once in it. "Incremental" is one law: the integral of
** an operator's output equals the operator applied to the integral of its input.
**
** Handles are plain values. A handle of another circuit is refused with ZS_FOREIGN.
**
** Transactions nest. begin makes every stateful node log what steps touch; rollback replays
** the logs newest first, and afterwards every stream, trace and output is as it was at the
** matching begin, and what was pushed since is dropped. The cost is the keys touched. A
** step that fails inside a transaction must be rolled back (until then: ZS_MISUSE); one
** that fails outside leaves the circuit ZS_BROKEN. Building is possible at any time: what
** is built while transactions are open stays when they are rolled back, in the state in
** which it was built.
**
** What an open transaction holds besides: the delta that a stream carried at begin stays until
** the end, moved aside and not copied. For most streams that is little; an integrate, whose
** stream carries its whole integral, then holds it three times instead of twice (once as its
** state). A tick in pieces (rebuild.h) costs no more inside a transaction than outside: no
** piece is copied.
**
** A circuit may move between threads; one at a time may use it, and a function that a step
** calls must not use it at all (ZS_MISUSE, rollback included). */
#ifndef ZS_CIRCUIT_H
#define ZS_CIRCUIT_H

#include "core/aggregate.h"
#include "core/batch.h"
#include "core/join.h"
#include "core/linear.h"
#include "core/trace.h"

struct zs_circuit;

struct zs_stream {
    uint64_t circuit;
    uint32_t node;
};
struct zs_input {
    uint64_t circuit;
    uint32_t node;
};
struct zs_output {
    uint64_t circuit;
    uint32_t node;
};

ZS_CHECKED int zs_circuit_new(const struct zs_alloc *alloc, struct zs_circuit **circuit);
/* Rolls back what is open, so what the circuit borrowed must still be there. Accepts NULL. */
void zs_circuit_free(struct zs_circuit *circuit);

/* Building. A failed call adds no node, and the handle that it gives is refused everywhere.
** Functions, contexts, folds, and the cells and traces that are given are borrowed. One trace
** (or cells) may be given to several operators; its transaction calls are made once. */

/* A source of deltas, and the stream of them. */
ZS_CHECKED int zs_circuit_input(
    struct zs_circuit *circuit, struct zs_input *input, struct zs_stream *out);

/* A source that is asked: what fn adds to out, which comes empty, is what enters in the step.
** It is called once a step (in a tick in pieces: once a piece), when every node made before it
** has run, so that it may rest on what those have stored and shown in this step. */
typedef int zs_pull_fn(void *ctx, struct zs_delta *out);
ZS_CHECKED int zs_circuit_pull(
    struct zs_circuit *circuit, zs_pull_fn *fn, void *ctx, struct zs_stream *out);

/* The linear operators; what their functions must do is said in linear.h. */
ZS_CHECKED int zs_circuit_linear(struct zs_circuit *circuit, struct zs_stream in,
    zs_linear_fn *fn, void *ctx, struct zs_stream *out);
ZS_CHECKED int zs_circuit_map(struct zs_circuit *circuit, struct zs_stream in, zs_map_fn *fn,
    void *ctx, struct zs_stream *out);
ZS_CHECKED int zs_circuit_flat_map(struct zs_circuit *circuit, struct zs_stream in,
    zs_flat_map_fn *fn, void *ctx, struct zs_stream *out);
ZS_CHECKED int zs_circuit_filter(struct zs_circuit *circuit, struct zs_stream in,
    zs_filter_fn *fn, void *ctx, struct zs_stream *out);
ZS_CHECKED int zs_circuit_index_by(struct zs_circuit *circuit, struct zs_stream in,
    zs_key_fn *fn, void *ctx, struct zs_stream *out);
ZS_CHECKED int zs_circuit_plus(
    struct zs_circuit *circuit, struct zs_stream a, struct zs_stream b, struct zs_stream *out);
ZS_CHECKED int zs_circuit_negate(
    struct zs_circuit *circuit, struct zs_stream in, struct zs_stream *out);

/* The temporal operators, see temporal.h: what came in a tick ago; all that came in up to now
** (its stream carries the whole integral at every tick, so O(integral) a tick); what comes in
** less what came in a tick ago. */
ZS_CHECKED int zs_circuit_delay(
    struct zs_circuit *circuit, struct zs_stream in, struct zs_stream *out);
ZS_CHECKED int zs_circuit_integrate(
    struct zs_circuit *circuit, struct zs_stream in, struct zs_stream *out);
ZS_CHECKED int zs_circuit_differentiate(
    struct zs_circuit *circuit, struct zs_stream in, struct zs_stream *out);

/* The pairs of elements with equal keys, see join.h. The traces are the integrals of left and
** right, two different ones (else ZS_MISUSE); a NULL makes one in memory that the circuit owns.
*/
ZS_CHECKED int zs_circuit_join(struct zs_circuit *circuit, struct zs_stream left,
    struct zs_stream right, zs_join_fn *fn, void *ctx, struct zs_trace *left_trace,
    struct zs_trace *right_trace, struct zs_stream *out);

/* Weight 1 for the elements whose integrated weight is positive. The trace is the operator's
** state; NULL makes one in memory that the circuit owns. */
ZS_CHECKED int zs_circuit_distinct(struct zs_circuit *circuit, struct zs_stream in,
    struct zs_trace *trace, struct zs_stream *out);

/* The rows behind the first offset, at most limit of them (negative: no limit), see top.h. The
** trace is the operator's state; NULL makes one in memory that the circuit owns. The floor, NULL
** where there is none, is only read; a step may fail with ZS_EXHAUSTED then. ZS_MISUSE for a
** negative offset. */
ZS_CHECKED int zs_circuit_top(struct zs_circuit *circuit, struct zs_stream in, int64_t offset,
    int64_t limit, struct zs_trace *trace, struct zs_cells *floor, struct zs_stream *out);

/* The rows of groups, see aggregate.h. states NULL makes them in memory, and the multiset too
** if it is NULL as well; with states that are given, a multiset of NULL means that there is
** none. A global aggregate looks for its row in every step, also in those without rows. */
ZS_CHECKED int zs_circuit_aggregate(struct zs_circuit *circuit, struct zs_stream in,
    const struct zs_fold *fold, struct zs_cells *states, struct zs_trace *multiset,
    struct zs_stream *out);

/* Integrates the stream into traces of the caller's: rows, and errors (NULL: dropped). */
ZS_CHECKED int zs_circuit_store(struct zs_circuit *circuit, struct zs_stream in,
    struct zs_trace *rows, struct zs_trace *errors);

/* A sink that sums what flows in until it is taken. */
ZS_CHECKED int zs_circuit_output(
    struct zs_circuit *circuit, struct zs_stream in, struct zs_output *output);

/* Running. */

/* Adds rows to what the next step will read at the input. They need not be consolidated. */
ZS_CHECKED int zs_circuit_push(
    struct zs_circuit *circuit, struct zs_input input, const struct zs_batch *rows);

/* The same without copying: rows, a batch of the circuit's allocation table, is moved from and
** empty afterwards. On error it is unchanged. */
ZS_CHECKED int zs_circuit_give(
    struct zs_circuit *circuit, struct zs_input input, struct zs_batch *rows);

/* One tick: every node once. */
ZS_CHECKED int zs_circuit_step(struct zs_circuit *circuit);

/* The stream's delta of the last tick, consolidated. Borrowed, valid until the next step or
** rollback. After a tick in pieces (rebuild.h) it is that of the whole tick, added up on the
** first call (ZS_NOMEM; ZS_OVERFLOW where the sum leaves 64 bits). */
ZS_CHECKED int zs_circuit_current(
    const struct zs_circuit *circuit, struct zs_stream stream, const struct zs_delta **delta);

/* Moves the sum out of the sink: adds it to out and empties it. Refused (ZS_MISUSE) while a
** transaction is open, whose rollback could not take it back. */
ZS_CHECKED int zs_circuit_take(
    struct zs_circuit *circuit, struct zs_output output, struct zs_delta *out);

uint64_t zs_circuit_ticks(const struct zs_circuit *circuit);

/* Transactions. begin fails with ZS_NOMEM and then has begun nothing. */
ZS_CHECKED int zs_circuit_begin(struct zs_circuit *circuit);
ZS_CHECKED int zs_circuit_commit(struct zs_circuit *circuit);
ZS_CHECKED int zs_circuit_rollback(struct zs_circuit *circuit);
unsigned zs_circuit_depth(const struct zs_circuit *circuit); /* open transactions */

#endif
