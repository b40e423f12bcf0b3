/* A node: one operator of a circuit, the edge that leaves it and the state that it keeps.
** Private to core/: operators (node_*.c) are written against this, users against circuit.h.
**
** A new operator is a struct that begins with zs_node, a zs_node_methods, and a function of
** circuit.h that makes the one and attaches it. */
#ifndef ZS_NODE_H
#define ZS_NODE_H

#include "core/cells.h"
#include "core/circuit.h"
#include "core/edge.h"

enum { ZS_NODE_INPUTS = 2, ZS_NODE_MEMBERS = 2 };

struct zs_node;

struct zs_node_methods {
    /* One tick, or a piece of one: adds to out what the operator makes of the deltas in,
    ** which are consolidated and hold the changes; out comes empty and is consolidated
    ** afterwards. An error aborts the step. */
    int (*eval)(struct zs_node *node, const struct zs_delta *const *in,
        const struct zs_tick *tick, struct zs_delta *out);
    /* The end of the transaction of that depth, for state outside of edge and members; NULL
    ** where there is none. */
    void (*commit)(struct zs_node *node, unsigned depth);
    void (*rollback)(struct zs_node *node, unsigned depth);
    /* Frees what the operator has besides; may be NULL. */
    void (*clear)(struct zs_node *node);
    bool has_stream; /* its edge may be read; false for what only takes in */
};

/* State behind an interface with transactions of its own: cells or a trace, the other is NULL.
** Where several nodes share it, the first is in charge of its transactions. */
struct zs_member {
    struct zs_cells *cells;
    struct zs_trace *trace;
    bool is_owned;
    bool is_in_charge;
};

struct zs_node {
    const struct zs_node_methods *methods;
    const struct zs_alloc *alloc; /* borrowed */
    uint32_t inputs[ZS_NODE_INPUTS];
    unsigned n_inputs;
    bool runs_on_nothing; /* eval is called also where all inputs are empty */
    struct zs_edge edge;
    struct zs_member members[ZS_NODE_MEMBERS];
    unsigned n_members;
};

/* size bytes that begin with a struct zs_node, the rest zero; NULL where there is no memory. */
void *zs_node_new(
    const struct zs_alloc *alloc, size_t size, const struct zs_node_methods *methods);
void zs_node_free(struct zs_node *node); /* accepts NULL */

/* Makes *trace (*cells) a member. NULL there becomes a new one in memory that the node owns. */
ZS_CHECKED int zs_node_keep_trace(struct zs_node *node, struct zs_trace **trace);
ZS_CHECKED int zs_node_keep_cells(struct zs_node *node, struct zs_cells **cells);

bool zs_member_is_same(const struct zs_member *a, const struct zs_member *b);

/* A transaction in the members, the edge and what else the node has. begin begins it in all
** members or in none, and may be rolled back at once; depth is that of the transaction, the
** innermost. */
ZS_CHECKED int zs_node_begin(struct zs_node *node);
void zs_node_commit(struct zs_node *node, unsigned depth);
void zs_node_rollback(struct zs_node *node, unsigned depth);

/* What operators may ask of the circuit. */

const struct zs_alloc *zs_circuit_alloc(const struct zs_circuit *circuit);

/* Puts the node at the end of the circuit, reading the n streams in. The circuit owns the
** node from here on, and frees it if this fails. A transaction that is open takes it in as
** it is. out may be NULL. */
ZS_CHECKED int zs_circuit_attach(struct zs_circuit *circuit, struct zs_node *node,
    const struct zs_stream *in, unsigned n, struct zs_stream *out);

/* The node that a handle means, in a circuit that may be used now: ZS_FOREIGN, ZS_BROKEN or
** ZS_MISUSE otherwise. methods says what kind it must be, NULL any that has a stream. */
ZS_CHECKED int zs_circuit_find(const struct zs_circuit *circuit, struct zs_stream handle,
    const struct zs_node_methods *methods, struct zs_node **node);

#endif
