/* Random graphs of operators, and the naive reading of one: after every step each node is
** computed from scratch out of the whole histories of the inputs. */
#ifndef TESTS_GRAPH_H
#define TESTS_GRAPH_H

#include "tests/model.h"
#include "tests/random.h"
#include "tests/small_fold.h"

enum { GRAPH_NODES = 12 };

enum graph_kind {
    GRAPH_INPUT,
    GRAPH_MAP,
    GRAPH_FILTER,
    GRAPH_INDEX_BY,
    GRAPH_LINEAR,
    GRAPH_FLAT_MAP,
    GRAPH_PLUS,
    GRAPH_NEGATE,
    GRAPH_DISTINCT,
    GRAPH_TOP,
    GRAPH_AGGREGATE,
    GRAPH_JOIN,
    GRAPH_DELAY,
    GRAPH_INTEGRATE,
    GRAPH_DIFFERENTIATE,
    GRAPH_KINDS
};

struct graph_node {
    enum graph_kind kind;
    unsigned in[2];       /* earlier nodes */
    unsigned variant;     /* which function or fold */
    bool is_output;       /* a sink sums the stream */
    bool is_stored;       /* a store integrates the stream */
    bool has_given_state; /* the state's traces and cells are made by the user */
};

struct graph {
    struct graph_node nodes[GRAPH_NODES];
    unsigned n;
};

/* One to three inputs, then operators up to n nodes, so that no weight comes near the end of
** 64 bits within about a hundred ticks. */
void graph_random(struct graph *graph, unsigned n, struct random *random);

/* A few elements, keys and values from so small a range that they often meet; not canonical. */
int graph_random_rows(struct random *random, struct zs_batch *rows);

/* The functions of the variants; the operators over them are what is tested. */
void graph_map(unsigned variant, const struct model_bytes *key, const struct model_bytes *value,
    struct model_bytes *image_key, struct model_bytes *image_value);
bool graph_keeps(
    unsigned variant, const struct model_bytes *key, const struct model_bytes *value);
void graph_key(unsigned variant, const struct model_bytes *key, const struct model_bytes *value,
    struct model_bytes *new_key);
/* The image of a pair that a join finds. */
void graph_pair(unsigned variant, const struct model_bytes *key, const struct model_bytes *left,
    const struct model_bytes *right, struct model_bytes *image_key,
    struct model_bytes *image_value);
/* Up to two images of an element, with their weights, or one error. */
struct graph_image {
    bool is_error;
    struct model_element element;
};
unsigned graph_images(
    unsigned variant, const struct model_element *element, struct graph_image images[2]);
const struct zs_fold *graph_fold(unsigned variant);
int64_t graph_offset(unsigned variant);
int64_t graph_limit(unsigned variant);

/* Adds to out what an operator of one input that is not temporal makes of rows, from scratch.
** has_run: a step has been made. */
void graph_read(const struct graph_node *node, const struct model *rows, bool has_run,
    struct model_delta *out);

/* And a join. */
void graph_read_join(const struct graph_node *node, const struct model *left,
    const struct model *right, struct model *out);

/* All that a circuit shows, naively. */
struct world {
    const struct graph *graph;
    uint64_t ticks;
    struct model inputs[GRAPH_NODES];  /* whole histories, summed */
    struct model pending[GRAPH_NODES]; /* pushed and not stepped */
    struct model_delta now[GRAPH_NODES];
    struct model_delta before[GRAPH_NODES]; /* now, a tick ago */
    struct model_delta taken[GRAPH_NODES];  /* now, at the last take */
};

void world_init(struct world *world, const struct graph *graph);
void world_clear(struct world *world);
void world_copy(struct world *to, const struct world *from);
void world_step(struct world *world);

#endif
