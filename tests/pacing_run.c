/* Running a network step by step: real circuits, and channels that hold what is under way. */
#include "tests/pacing.h"

#include <stdlib.h>

#include "tests/property.h"
#include "tests/rig.h"

/* Exactly what has been sent and not been delivered. */
struct cell {
    struct model queue[PACING_STEPS];
    unsigned n;
    unsigned n_delivered; /* ever */
};

struct machine {
    const struct network *network;
    enum pacing_fault fault;
    struct random *random;
    struct rig *rigs[PACING_MEMBERS];
    struct cell cells[PACING_MEMBERS][PACING_INPUTS];
    int rc;
};

static void push(struct machine *machine, unsigned m, unsigned i, const struct model *rows)
{
    struct zs_batch *batch = NULL;

    if (zs_batch_new(&zs_alloc_libc, &batch) != ZS_OK || model_to_batch(rows, batch) != ZS_OK)
        abort();
    if (machine->rc == ZS_OK)
        machine->rc = rig_push(machine->rigs[m], i, batch);
    zs_batch_free(batch);
}

static bool is_lost(const struct machine *machine, enum pace pace)
{
    return machine->fault == PACING_NEVER_LANDS && pace == PACE_STUTTER;
}

static void deliver(struct machine *machine, unsigned t, unsigned m, unsigned i)
{
    struct cell *cell = &machine->cells[m][i];
    unsigned cursor = machine->network->cursors[t][m][i];
    unsigned n = 0;

    if (machine->fault == PACING_DELIVERS_ALL)
        cursor = PACING_STEPS;
    for (; n < cell->n && cell->n_delivered < cursor; n++, cell->n_delivered++) {
        if (!is_lost(machine, machine->network->paces[t][m]))
            push(machine, m, i, &cell->queue[n]);
        if (machine->fault == PACING_DELIVERS_TWICE)
            push(machine, m, i, &cell->queue[n]);
        model_clear(&cell->queue[n]);
    }
    cell->n -= n;
    for (unsigned k = 0; k < cell->n; k++)
        cell->queue[k] = cell->queue[k + n];
}

static void land(struct machine *machine, unsigned t, unsigned m)
{
    const struct network *network = machine->network;
    bool is_active = network->paces[t][m] != PACE_IDLE;

    for (unsigned i = 0; i < network->n_inputs[m]; i++) {
        push(machine, m, i, &network->pushed[t][m][i]);
        if (network->channels[m][i].exists && is_active)
            deliver(machine, t, m, i);
    }
}

static void send(struct machine *machine, unsigned m, struct model_delta *sum)
{
    const struct network *network = machine->network;

    for (unsigned to = 0; to < network->n_members; to++) {
        for (unsigned i = 0; i < network->n_inputs[to]; i++) {
            const struct channel *channel = &network->channels[to][i];
            struct cell *cell = &machine->cells[to][i];
            if (!channel->exists || channel->member != m)
                continue;
            cell->queue[cell->n] = (struct model){0};
            model_copy(&cell->queue[cell->n++], &sum->rows);
        }
    }
}

/* Now and then in vain first: a step that is rolled back never was. */
static void tick(struct machine *machine, unsigned m)
{
    struct rig *rig = machine->rigs[m];
    struct model_delta sum = {0};

    if (machine->rc == ZS_OK && random_below(machine->random, 4) == 0) {
        machine->rc = rig_begin(rig);
        for (unsigned n = 1 + random_below(machine->random, 2); machine->rc == ZS_OK && n > 0;
             n--)
            machine->rc = rig_step(rig);
        if (machine->rc == ZS_OK)
            machine->rc = rig_rollback(rig);
    }
    if (machine->rc == ZS_OK)
        machine->rc = rig_step(rig);
    if (machine->rc == ZS_OK)
        machine->rc = rig_take(rig, machine->network->graphs[m].n - 1, &sum);
    send(machine, m, &sum);
    model_delta_clear(&sum);
}

static bool runs(const struct machine *machine, enum pace pace)
{
    switch (pace) {
    case PACE_IDLE:
        return machine->fault == PACING_TICKS_IDLE;
    case PACE_STUTTER:
        return machine->fault == PACING_TICKS_ALWAYS;
    default:
        return true;
    }
}

static void step(struct machine *machine, unsigned t)
{
    const struct network *network = machine->network;
    bool is_eager = machine->fault == PACING_DELIVERS_AT_ONCE;

    for (unsigned m = 0; m < network->n_members; m++) {
        if (!is_eager)
            land(machine, t, m);
    }
    for (unsigned m = 0; m < network->n_members; m++) {
        if (is_eager)
            land(machine, t, m);
        if (runs(machine, network->paces[t][m]))
            tick(machine, m);
    }
}

static const char *compare(struct machine *machine, const struct reading *reading, unsigned t)
{
    for (unsigned m = 0; m < machine->network->n_members; m++) {
        for (unsigned i = 0; i < machine->network->graphs[m].n; i++) {
            struct model_delta shown = {0};
            bool is_canonical;
            bool is_equal;
            if (machine->rc == ZS_OK)
                machine->rc = rig_current(machine->rigs[m], i, &shown, &is_canonical);
            is_equal = model_delta_equal(&shown, &reading->shown[t][m][i]);
            model_delta_clear(&shown);
            if (machine->rc != ZS_OK)
                return property_violated(PACING_STATUS, "%d at step %u", machine->rc, t);
            if (!is_equal)
                return property_violated(
                    PACING_READINGS, "step %u, member %u, node %u", t, m, i);
        }
    }
    return NULL;
}

static void open_machine(struct machine *machine)
{
    for (unsigned m = 0; machine->rc == ZS_OK && m < machine->network->n_members; m++)
        machine->rc = rig_new(&zs_alloc_libc, &machine->network->graphs[m], RIG_SOUND,
            PLAIN_SOUND, false, &machine->rigs[m]);
}

static void close_machine(struct machine *machine)
{
    for (unsigned m = 0; m < PACING_MEMBERS; m++) {
        rig_free(machine->rigs[m]);
        for (unsigned i = 0; i < PACING_INPUTS; i++) {
            for (unsigned k = 0; k < machine->cells[m][i].n; k++)
                model_clear(&machine->cells[m][i].queue[k]);
        }
    }
}

const char *pacing_check(const void *subject, struct random *random)
{
    struct machine machine = {.fault = *(const enum pacing_fault *)subject, .random = random};
    struct network *network = malloc(sizeof(*network));
    struct reading *reading = malloc(sizeof(*reading));
    const char *complaint = NULL;

    if (network == NULL || reading == NULL)
        abort();
    network_random(network, random);
    network_denote(network, reading);
    machine.network = network;
    open_machine(&machine);
    for (unsigned t = 0; complaint == NULL && t < PACING_STEPS; t++) {
        step(&machine, t);
        complaint = compare(&machine, reading, t);
    }
    close_machine(&machine);
    reading_clear(reading);
    network_clear(network);
    free(reading);
    free(network);
    return complaint;
}

const char *pacing_fault_name(enum pacing_fault fault)
{
    static const char *const names[PACING_FAULTS] = {
        [PACING_SOUND] = "a network",
        [PACING_TICKS_ALWAYS] = "a network whose members tick when they stutter",
        [PACING_TICKS_IDLE] = "a network whose members tick when they are idle",
        [PACING_NEVER_LANDS] = "a network that loses what it delivers to stuttering members",
        [PACING_DELIVERS_AT_ONCE] = "a network that delivers within the step",
        [PACING_DELIVERS_ALL] = "a network that delivers ahead of its schedule",
        [PACING_DELIVERS_TWICE] = "a network that delivers twice",
    };
    return names[fault];
}
