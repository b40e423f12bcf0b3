/* The circuit: the arena of nodes, handles, the step and transactions. What the nodes do is
** theirs (node_*.c); here is in which order, and what happens when one fails.
**
** A transaction is a depth, 1 for the outermost. Members are told of every begin; edges and
** pending inputs note by depth what a step or push replaces, so that a begin costs them
** nothing. What a transaction has to remember besides is in its frame. */
#include "core/circuit.h"

#include <time.h>

#include "core/node.h"
#include "core/piece.h"

enum condition {
    SOUND,
    STEPPING, /* a function of the user's that is called back must not use the circuit */
    FAILED,   /* a step died in a transaction: roll back */
    BROKEN,   /* a step died outside of one */
};

struct frame { /* as of the begin */
    uint64_t ticks;
    uint64_t last;
    uint64_t n_runs;
};

struct zs_circuit {
    const struct zs_alloc *alloc; /* borrowed */
    uint64_t identity;            /* never 0 */
    enum condition condition;
    uint64_t ticks;
    uint64_t n_runs; /* steps and pieces ever run: the number of the latest */
    uint64_t last;   /* as in struct zs_position, also n_undone */
    uint64_t n_undone;
    struct zs_node **nodes; /* in order of creation */
    size_t n_nodes;
    size_t cap_nodes;
    struct frame *frames; /* the open transactions */
    size_t n_frames;
    size_t cap_frames;
};

/* Bijective (the finaliser of splitmix64). */
static uint64_t scramble(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* What tells this circuit's handles from others', without a counter that all circuits would
** have to share: where it is and when it was made. Circuits at one address are made one
** after the other, and differ because the clock, which counts nanoseconds, has moved in
** between. Those at different addresses differ unless the difference of two scrambled
** addresses happens to be the time between them: a chance of 2^-64 a pair. */
static uint64_t make_identity(const struct zs_circuit *circuit)
{
    struct timespec now = {0};
    uint64_t identity;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    identity = scramble((uintptr_t)circuit) + (uint64_t)now.tv_sec * UINT64_C(1000000000) +
               (uint64_t)now.tv_nsec;
    return identity == 0 ? 1 : identity;
}

int zs_circuit_new(const struct zs_alloc *alloc, struct zs_circuit **circuit)
{
    struct zs_circuit *made = zs_alloc_zeroed(alloc, sizeof(*made));

    *circuit = made;
    if (made == NULL)
        return ZS_NOMEM;
    made->alloc = alloc;
    made->identity = make_identity(made);
    return ZS_OK;
}

const struct zs_alloc *zs_circuit_alloc(const struct zs_circuit *circuit)
{
    return circuit->alloc;
}

uint64_t zs_circuit_ticks(const struct zs_circuit *circuit)
{
    return circuit->ticks;
}

unsigned zs_circuit_depth(const struct zs_circuit *circuit)
{
    return (unsigned)circuit->n_frames;
}

static int check_usable(const struct zs_circuit *circuit)
{
    if (circuit->condition == BROKEN)
        return ZS_BROKEN;
    return circuit->condition == SOUND ? ZS_OK : ZS_MISUSE;
}

int zs_circuit_find(const struct zs_circuit *circuit, struct zs_stream handle,
    const struct zs_node_methods *methods, struct zs_node **node)
{
    const struct zs_node_methods *found;

    *node = NULL;
    if (handle.circuit != circuit->identity || handle.node >= circuit->n_nodes)
        return ZS_FOREIGN;
    found = circuit->nodes[handle.node]->methods;
    if (methods == NULL ? !found->has_stream : found != methods)
        return ZS_FOREIGN;
    *node = circuit->nodes[handle.node];
    return check_usable(circuit);
}

int zs_circuit_current(
    const struct zs_circuit *circuit, struct zs_stream stream, const struct zs_delta **delta)
{
    struct zs_node *node = NULL;
    int rc = zs_circuit_find(circuit, stream, NULL, &node);

    *delta = NULL;
    return rc == ZS_OK ? zs_edge_read(&node->edge, delta) : rc;
}

/* Building. */

static bool is_member_of(const struct zs_node *node, unsigned n, const struct zs_member *member)
{
    for (unsigned i = 0; i < n; i++) {
        if (zs_member_is_same(&node->members[i], member))
            return true;
    }
    return false;
}

static bool is_kept_already(
    const struct zs_circuit *circuit, const struct zs_node *node, unsigned i)
{
    for (size_t k = 0; k < circuit->n_nodes; k++) {
        const struct zs_node *other = circuit->nodes[k];
        if (is_member_of(other, other->n_members, &node->members[i]))
            return true;
    }
    return is_member_of(node, i, &node->members[i]);
}

static int connect(const struct zs_circuit *circuit, struct zs_node *node,
    const struct zs_stream *in, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct zs_node *from = NULL;
        int rc = zs_circuit_find(circuit, in[i], NULL, &from);
        if (rc != ZS_OK)
            return rc;
        node->inputs[i] = in[i].node;
    }
    node->n_inputs = n;
    return ZS_OK;
}

static void share_members(const struct zs_circuit *circuit, struct zs_node *node)
{
    for (unsigned i = 0; i < node->n_members; i++)
        node->members[i].is_in_charge = !is_kept_already(circuit, node, i);
}

/* Brings a new node into the transactions that are open. */
static int begin_times(struct zs_node *node, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        int rc = zs_node_begin(node);
        if (rc != ZS_OK) {
            while (i > 0)
                zs_node_rollback(node, i--);
            return rc;
        }
    }
    return ZS_OK;
}

static int reserve_node(struct zs_circuit *circuit)
{
    if (circuit->n_nodes >= UINT32_MAX)
        return ZS_NOMEM;
    return zs_alloc_reserve(circuit->alloc, &circuit->nodes, &circuit->cap_nodes,
        circuit->n_nodes + 1, sizeof(struct zs_node *));
}

int zs_circuit_attach(struct zs_circuit *circuit, struct zs_node *node,
    const struct zs_stream *in, unsigned n, struct zs_stream *out)
{
    int rc = check_usable(circuit);

    share_members(circuit, node);
    if (rc == ZS_OK)
        rc = connect(circuit, node, in, n);
    if (rc == ZS_OK)
        rc = reserve_node(circuit);
    if (rc == ZS_OK)
        rc = begin_times(node, zs_circuit_depth(circuit));
    if (rc != ZS_OK) {
        zs_node_free(node);
        return rc;
    }
    if (out != NULL)
        *out = (struct zs_stream){circuit->identity, (uint32_t)circuit->n_nodes};
    circuit->nodes[circuit->n_nodes++] = node;
    return ZS_OK;
}

/* Running. */

static bool collect_inputs(
    const struct zs_circuit *circuit, const struct zs_node *node, const struct zs_delta **in)
{
    bool is_quiet = true;

    for (unsigned i = 0; i < node->n_inputs; i++) {
        const struct zs_edge *edge = &circuit->nodes[node->inputs[i]]->edge;
        in[i] = &edge->now;
        is_quiet = is_quiet && zs_edge_is_quiet(edge);
    }
    return is_quiet;
}

/* Does the edge show nothing already, so that a step in which nothing happens may leave it? */
static bool shows_nothing(const struct zs_edge *edge, const struct zs_tick *tick)
{
    return tick->is_continued ? zs_edge_is_quiet(edge) : zs_edge_is_empty(edge);
}

/* Nothing makes nothing, except where a node says otherwise: then there is nothing to run, and
** nothing to undo if nothing was there before. */
static int step_node(
    const struct zs_circuit *circuit, struct zs_node *node, const struct zs_tick *tick)
{
    const struct zs_delta *in[ZS_NODE_INPUTS];
    bool is_quiet = collect_inputs(circuit, node, in) && !node->runs_on_nothing;
    int rc;

    if (is_quiet && shows_nothing(&node->edge, tick))
        return ZS_OK;
    rc = zs_edge_renew(&node->edge, tick);
    if (rc != ZS_OK || is_quiet)
        return rc;
    rc = node->methods->eval(node, in, tick, &node->edge.now);
    return rc == ZS_OK ? zs_delta_consolidate(&node->edge.now) : rc;
}

static int run(struct zs_circuit *circuit, bool is_continued)
{
    struct zs_tick tick = {zs_circuit_depth(circuit), is_continued};
    int rc = check_usable(circuit);

    if (rc != ZS_OK)
        return rc;
    circuit->n_runs++;
    circuit->condition = STEPPING;
    for (size_t i = 0; rc == ZS_OK && i < circuit->n_nodes; i++)
        rc = step_node(circuit, circuit->nodes[i], &tick);
    if (rc != ZS_OK) {
        circuit->condition = circuit->n_frames > 0 ? FAILED : BROKEN;
        return rc;
    }
    circuit->condition = SOUND;
    circuit->last = circuit->n_runs;
    circuit->ticks += !is_continued;
    return ZS_OK;
}

int zs_circuit_step(struct zs_circuit *circuit)
{
    return run(circuit, false);
}

int zs_circuit_continue(struct zs_circuit *circuit)
{
    return run(circuit, true);
}

struct zs_position zs_circuit_position(const struct zs_circuit *circuit)
{
    return (struct zs_position){circuit->identity, circuit->last, circuit->n_undone};
}

/* Transactions. */

int zs_circuit_begin(struct zs_circuit *circuit)
{
    unsigned depth = zs_circuit_depth(circuit) + 1;
    int rc = check_usable(circuit);
    size_t n_begun = 0;

    if (rc == ZS_OK)
        rc = zs_alloc_reserve(circuit->alloc, &circuit->frames, &circuit->cap_frames,
            circuit->n_frames + 1, sizeof(*circuit->frames));
    while (rc == ZS_OK && n_begun < circuit->n_nodes) {
        rc = zs_node_begin(circuit->nodes[n_begun]);
        if (rc == ZS_OK)
            n_begun++;
    }
    if (rc != ZS_OK) {
        while (n_begun-- > 0)
            zs_node_rollback(circuit->nodes[n_begun], depth);
        return rc;
    }
    circuit->frames[circuit->n_frames++] =
        (struct frame){circuit->ticks, circuit->last, circuit->n_runs};
    return ZS_OK;
}

int zs_circuit_commit(struct zs_circuit *circuit)
{
    unsigned depth = zs_circuit_depth(circuit);
    int rc = check_usable(circuit);

    if (rc == ZS_OK && depth == 0)
        rc = ZS_MISUSE;
    if (rc != ZS_OK)
        return rc;
    for (size_t i = 0; i < circuit->n_nodes; i++)
        zs_node_commit(circuit->nodes[i], depth);
    circuit->n_frames--;
    return ZS_OK;
}

static void roll_back(struct zs_circuit *circuit)
{
    unsigned depth = zs_circuit_depth(circuit);
    const struct frame *frame = &circuit->frames[--circuit->n_frames];

    for (size_t i = circuit->n_nodes; i-- > 0;)
        zs_node_rollback(circuit->nodes[i], depth);
    circuit->ticks = frame->ticks;
    circuit->last = frame->last;
    circuit->n_undone += circuit->n_runs > frame->n_runs;
    circuit->condition = SOUND;
}

int zs_circuit_rollback(struct zs_circuit *circuit)
{
    if (circuit->condition == BROKEN)
        return ZS_BROKEN;
    if (circuit->condition == STEPPING || circuit->n_frames == 0)
        return ZS_MISUSE;
    roll_back(circuit);
    return ZS_OK;
}

void zs_circuit_free(struct zs_circuit *circuit)
{
    if (circuit == NULL)
        return;
    while (circuit->n_frames > 0)
        roll_back(circuit);
    for (size_t i = circuit->n_nodes; i-- > 0;)
        zs_node_free(circuit->nodes[i]);
    zs_alloc_free(circuit->alloc, circuit->nodes);
    zs_alloc_free(circuit->alloc, circuit->frames);
    zs_alloc_free(circuit->alloc, circuit);
}
