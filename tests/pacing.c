/* Random networks, and their reading over whole histories. */
#include "tests/pacing.h"

#include <stdlib.h>

/* Random networks. */

/* What a channel may carry: a set, so that weights stay small however often it goes round. */
static void end_in_a_set(struct graph *graph, struct random *random)
{
    struct graph_node *last = &graph->nodes[graph->n - 1];

    last->kind = GRAPH_DISTINCT;
    last->in[0] = random_below(random, graph->n - 1);
    last->is_output = true;
}

static unsigned count_inputs(const struct graph *graph)
{
    unsigned n = 0;
    while (graph->nodes[n].kind == GRAPH_INPUT)
        n++;
    return n;
}

static void choose_member(struct network *network, unsigned m, struct random *random)
{
    graph_random(&network->graphs[m], 4 + random_below(random, GRAPH_NODES - 3), random);
    end_in_a_set(&network->graphs[m], random);
    network->n_inputs[m] = count_inputs(&network->graphs[m]);
}

static void choose_channel(
    struct network *network, struct channel *channel, struct random *random)
{
    *channel = (struct channel){.exists = random_below(random, 3) > 0,
        .member = random_below(random, network->n_members)};
    channel->node = network->graphs[channel->member].n - 1;
}

static void choose_rows(struct model *rows, struct random *random)
{
    struct zs_batch *batch = NULL;

    if (zs_batch_new(&zs_alloc_libc, &batch) != ZS_OK ||
        graph_random_rows(random, batch) != ZS_OK)
        abort();
    model_add_batch(rows, batch, 1);
    zs_batch_free(batch);
}

static void choose_schedule(struct network *network, unsigned m, struct random *random)
{
    for (unsigned t = 0; t < PACING_STEPS; t++) {
        network->paces[t][m] = (enum pace)random_below(random, 3);
        for (unsigned i = 0; i < network->n_inputs[m]; i++) {
            unsigned before = t > 0 ? network->cursors[t - 1][m][i] : 0;
            network->cursors[t][m][i] = before + random_below(random, 3);
            if (random_below(random, 2) == 0)
                choose_rows(&network->pushed[t][m][i], random);
        }
    }
}

void network_random(struct network *network, struct random *random)
{
    *network = (struct network){.n_members = 1 + random_below(random, PACING_MEMBERS)};
    for (unsigned m = 0; m < network->n_members; m++)
        choose_member(network, m, random);
    for (unsigned m = 0; m < network->n_members; m++) {
        for (unsigned i = 0; i < network->n_inputs[m]; i++)
            choose_channel(network, &network->channels[m][i], random);
        choose_schedule(network, m, random);
    }
}

void network_clear(struct network *network)
{
    for (unsigned t = 0; t < PACING_STEPS; t++) {
        for (unsigned m = 0; m < PACING_MEMBERS; m++) {
            for (unsigned i = 0; i < PACING_INPUTS; i++)
                model_clear(&network->pushed[t][m][i]);
        }
    }
}

void reading_clear(struct reading *reading)
{
    for (unsigned t = 0; t < PACING_STEPS; t++) {
        for (unsigned m = 0; m < PACING_MEMBERS; m++) {
            for (unsigned i = 0; i < GRAPH_NODES; i++)
                model_delta_clear(&reading->shown[t][m][i]);
        }
    }
}

/* Whole histories. Ticks are numbered from 1; at tick 0 everything is zero. */

struct history {
    unsigned n;                                           /* ticks so far */
    struct model landed[PACING_STEPS + 2][PACING_INPUTS]; /* by the tick that took it in */
};

/* A node's integral at each tick. */
struct run {
    struct model_delta at[PACING_STEPS + 1];
};

static void read_tick(const struct graph_node *node, unsigned i, unsigned k,
    const struct history *history, const struct run *runs, struct model_delta *out)
{
    const struct model_delta *a = runs[node->in[0]].at;
    const struct model_delta *b = runs[node->in[1]].at;

    switch (node->kind) {
    case GRAPH_INPUT:
        for (unsigned j = 1; j <= k; j++)
            model_add_all(&out->rows, &history->landed[j][i], 1);
        break;
    case GRAPH_PLUS:
        model_delta_add_all(out, &a[k], 1);
        model_delta_add_all(out, &b[k], 1);
        break;
    case GRAPH_JOIN:
        graph_read_join(node, &a[k].rows, &b[k].rows, &out->rows);
        model_add_all(&out->errors, &a[k].errors, 1);
        model_add_all(&out->errors, &b[k].errors, 1);
        break;
    case GRAPH_DELAY:
        model_delta_add_all(out, &a[k - 1], 1);
        break;
    case GRAPH_INTEGRATE:
        for (unsigned j = 1; j <= k; j++)
            model_delta_add_all(out, &a[j], 1);
        break;
    case GRAPH_DIFFERENTIATE:
        model_delta_add_all(out, &a[k], 1);
        model_delta_add_all(out, &a[k - 1], -1);
        break;
    default:
        model_add_all(&out->errors, &a[k].errors, node->kind == GRAPH_NEGATE ? -1 : 1);
        graph_read(node, &a[k].rows, true, out);
    }
}

/* What the nodes' streams carry at the last tick: evaluates the graph over all ticks. */
static void read_history(
    const struct graph *graph, const struct history *history, struct model_delta *shown)
{
    struct run *runs = calloc(graph->n, sizeof(*runs));

    if (runs == NULL)
        abort();
    for (unsigned i = 0; i < graph->n; i++) {
        for (unsigned k = 1; k <= history->n; k++)
            read_tick(&graph->nodes[i], i, k, history, runs, &runs[i].at[k]);
    }
    for (unsigned i = 0; i < graph->n; i++) {
        model_delta_clear(&shown[i]);
        if (history->n > 0) {
            model_delta_add_all(&shown[i], &runs[i].at[history->n], 1);
            model_delta_add_all(&shown[i], &runs[i].at[history->n - 1], -1);
        }
    }
    for (unsigned i = 0; i < graph->n; i++) {
        for (unsigned k = 0; k <= history->n; k++)
            model_delta_clear(&runs[i].at[k]);
    }
    free(runs);
}

/* What the channel to an input has brought by the end of step t, of what was sent before: its
** sender's increments at the steps at which that ticked, as far as the cursor goes. */
static unsigned count_sent(
    const struct network *network, const struct channel *channel, unsigned t)
{
    unsigned n = 0;
    for (unsigned s = 0; s < t; s++)
        n += network->paces[s][channel->member] == PACE_TICK;
    return n;
}

static unsigned count_delivered(
    const struct network *network, unsigned m, unsigned i, unsigned t)
{
    unsigned n = 0;

    for (unsigned s = 0; s <= t; s++) {
        unsigned n_sent = count_sent(network, &network->channels[m][i], s);
        unsigned cursor = network->cursors[s][m][i];
        if (network->paces[s][m] != PACE_IDLE)
            n = cursor < n_sent ? cursor : n_sent;
    }
    return n;
}

/* The increments that were sent as number first to end - 1. */
static void add_sent(const struct network *network, const struct reading *reading,
    const struct channel *channel, unsigned first, unsigned end, struct model *landed)
{
    unsigned n = 0;

    for (unsigned s = 0; n < end; s++) {
        if (network->paces[s][channel->member] != PACE_TICK)
            continue;
        if (n >= first)
            model_add_all(landed, &reading->shown[s][channel->member][channel->node].rows, 1);
        n++;
    }
}

/* Lands what step t brings, in the tick that is to come. Rows from outside go in at any
** pace. */
static void land(const struct network *network, const struct reading *reading, unsigned t,
    unsigned m, struct history *history)
{
    for (unsigned i = 0; i < network->n_inputs[m]; i++) {
        struct model *landed = &history->landed[history->n + 1][i];
        unsigned before = t > 0 ? count_delivered(network, m, i, t - 1) : 0;

        model_add_all(landed, &network->pushed[t][m][i], 1);
        if (network->channels[m][i].exists)
            add_sent(network, reading, &network->channels[m][i], before,
                count_delivered(network, m, i, t), landed);
    }
}

static void clear_history(struct history *history)
{
    for (unsigned k = 0; k < PACING_STEPS + 2; k++) {
        for (unsigned i = 0; i < PACING_INPUTS; i++)
            model_clear(&history->landed[k][i]);
    }
}

void network_denote(const struct network *network, struct reading *reading)
{
    struct history histories[PACING_MEMBERS] = {{0}};

    *reading = (struct reading){0};
    for (unsigned t = 0; t < PACING_STEPS; t++) {
        for (unsigned m = 0; m < network->n_members; m++)
            land(network, reading, t, m, &histories[m]);
        for (unsigned m = 0; m < network->n_members; m++) {
            histories[m].n += network->paces[t][m] == PACE_TICK;
            read_history(&network->graphs[m], &histories[m], reading->shown[t][m]);
        }
    }
    for (unsigned m = 0; m < network->n_members; m++)
        clear_history(&histories[m]);
}
