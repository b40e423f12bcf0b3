/* The law of rebuilds. */
#include "tests/rebuild_laws.h"

#include <stdlib.h>

#include "tests/property.h"

/* A snapshot to read from; stop is what expired says. */
struct source {
    struct zs_batch *rows;
    size_t at;
};

struct clock {
    struct random *random;
    unsigned n_asked;
    bool has_said_stop;
    bool has_gone_on; /* it was asked once more afterwards */
};

static int read_source(void *ctx, size_t n, struct zs_batch *rows, bool *is_end)
{
    struct source *source = ctx;
    int rc = ZS_OK;

    for (; rc == ZS_OK && n > 0 && source->at < zs_batch_len(source->rows); n--) {
        const struct zs_item *item = &zs_batch_items(source->rows)[source->at++];
        rc = zs_batch_add(rows, item->key, item->value, item->weight);
    }
    *is_end = source->at == zs_batch_len(source->rows);
    return rc;
}

static bool is_over(void *ctx)
{
    struct clock *clock = ctx;

    clock->n_asked++;
    clock->has_gone_on = clock->has_said_stop;
    clock->has_said_stop = random_below(clock->random, 3) > 0;
    return clock->has_said_stop;
}

struct law {
    enum rebuild_kind kind;
    struct random *random;
    struct graph graph;
    struct rig *chunked;
    struct rig *whole;
    struct source sources[GRAPH_NODES]; /* one an input */
    unsigned n_sources;
    unsigned base;                         /* transactions that are open all the time */
    struct model_delta shown[GRAPH_NODES]; /* before the last chunk, for a rival */
    const char *complaint;
};

static void complain(struct law *law, const char *tag, const char *what, unsigned i)
{
    if (law->complaint == NULL)
        law->complaint = property_violated(tag, "%s %u", what, i);
}

static void expect_ok(struct law *law, const char *call, int rc)
{
    if (rc != ZS_OK)
        complain(law, REBUILD_STATUS, call, (unsigned)rc);
}

/* Comparing. */

static void read_all(
    struct law *law, struct rig *rig, unsigned i, unsigned what, struct model_delta *out)
{
    bool is_canonical = true;

    if (what == 0)
        expect_ok(law, "current", rig_current(rig, i, out, &is_canonical));
    else if (what == 1 && rig->stored_rows[i] != NULL)
        expect_ok(law, "range", rig_stored(rig, i, out));
    else if (what == 2 && rig->graph->nodes[i].is_output)
        expect_ok(law, "take", rig_take(rig, i, out));
    if (!is_canonical)
        complain(law, REBUILD_LOADED, "not canonical", i);
}

/* Outputs are taken, where no transaction is open. */
static void compare(struct law *law, const char *tag)
{
    static const char *const names[] = {"stream", "store", "output"};
    bool is_open = zs_circuit_depth(law->chunked->circuit) > 0;

    if (rig_ticks(law->chunked) != rig_ticks(law->whole))
        complain(law, tag, "ticks", (unsigned)rig_ticks(law->chunked));
    for (unsigned i = 0; i < law->graph.n; i++) {
        for (unsigned what = 0; what < (is_open ? 2 : 3); what++) {
            struct model_delta chunked = {0};
            struct model_delta whole = {0};
            read_all(law, law->chunked, i, what, &chunked);
            read_all(law, law->whole, i, what, &whole);
            if (what == 0 && law->kind == REBUILD_SHOWS_PIECE)
                model_delta_add_all(&chunked, &law->shown[i], -1);
            if (!model_delta_equal(&chunked, &whole))
                complain(law, tag, names[what], i);
            model_delta_clear(&chunked);
            model_delta_clear(&whole);
        }
    }
}

static void remember_streams(struct law *law, bool is_nothing)
{
    for (unsigned i = 0; i < law->graph.n; i++) {
        model_delta_clear(&law->shown[i]);
        if (!is_nothing)
            read_all(law, law->chunked, i, 0, &law->shown[i]);
    }
}

/* Acting on both. */

static void push_both(struct law *law)
{
    struct zs_batch *rows = NULL;

    for (unsigned i = 0; i < law->n_sources; i++) {
        if (random_below(law->random, 2) == 0)
            continue;
        expect_ok(law, "batch_new", zs_batch_new(&zs_alloc_libc, &rows));
        expect_ok(law, "rows", graph_random_rows(law->random, rows));
        expect_ok(law, "push", rig_push(law->chunked, i, rows));
        expect_ok(law, "push", rig_push(law->whole, i, rows));
        zs_batch_free(rows);
    }
}

static void tick_both(struct law *law)
{
    push_both(law);
    expect_ok(law, "step", rig_step(law->chunked));
    expect_ok(law, "step", rig_step(law->whole));
}

/* Loading. */

static void make_snapshots(struct law *law)
{
    for (unsigned i = 0; i < law->n_sources; i++) {
        expect_ok(law, "batch_new", zs_batch_new(&zs_alloc_libc, &law->sources[i].rows));
        for (unsigned k = random_below(law->random, 6); k > 0; k--)
            expect_ok(law, "rows", graph_random_rows(law->random, law->sources[i].rows));
    }
}

static void load_whole(struct law *law)
{
    for (unsigned i = 0; i < law->n_sources; i++)
        expect_ok(law, "push", rig_push(law->whole, i, law->sources[i].rows));
    expect_ok(law, "step", rig_step(law->whole));
}

static bool is_at_end(const struct law *law)
{
    for (unsigned i = 0; i < law->n_sources; i++) {
        if (law->sources[i].at < zs_batch_len(law->sources[i].rows))
            return false;
    }
    return true;
}

/* What a rival does in place of a rebuild's chunk. */
static void load_wrongly(struct law *law, bool is_first)
{
    struct zs_batch *rows = NULL;
    unsigned i = 0;
    bool is_end = false;

    while (i + 1 < law->n_sources && law->sources[i].at == zs_batch_len(law->sources[i].rows))
        i++;
    expect_ok(law, "batch_new", zs_batch_new(&zs_alloc_libc, &rows));
    expect_ok(law, "read", read_source(&law->sources[i], 3, rows, &is_end));
    if (!(law->kind == REBUILD_LOSES_CHUNK && is_at_end(law)))
        expect_ok(law, "push", rig_push(law->chunked, i, rows));
    if (law->kind == REBUILD_TWICE && is_first)
        expect_ok(law, "push", rig_push(law->chunked, i, rows));
    zs_batch_free(rows);
    if (law->kind == REBUILD_TICKS)
        expect_ok(law, "step", rig_step(law->chunked));
}

static void load_as_rival(struct law *law)
{
    bool is_first = true;

    do {
        load_wrongly(law, is_first);
        is_first = false;
    } while (!is_at_end(law));
    if (law->kind != REBUILD_TICKS)
        expect_ok(law, "step", rig_step(law->chunked));
    if (law->kind == REBUILD_LATE_TICK)
        expect_ok(law, "step", rig_step(law->chunked));
}

/* One call; checks that it does as it is told. */
static bool load_a_while(struct law *law, struct zs_rebuild *rebuild)
{
    struct clock clock = {.random = law->random};
    size_t before = 0;
    size_t after = 0;
    bool is_done = false;

    for (unsigned i = 0; i < law->n_sources; i++)
        before += law->sources[i].at;
    if (law->kind != REBUILD_IDLES)
        expect_ok(law, "rebuild",
            zs_rebuild_step(rebuild, law->chunked->circuit,
                law->kind == REBUILD_NEVER_STOPS ? NULL : is_over, &clock, &is_done));
    for (unsigned i = 0; i < law->n_sources; i++)
        after += law->sources[i].at;
    if (law->kind == REBUILD_NEVER_STOPS)
        clock.has_gone_on = clock.n_asked == 0 && after > before + 8;
    if (clock.has_gone_on)
        complain(law, REBUILD_PROGRESS, "went on after", clock.n_asked);
    if (!is_done && after == before && before > 0)
        complain(law, REBUILD_PROGRESS, "stood still at", (unsigned)before);
    if (!is_done && law->kind == REBUILD_IDLES)
        complain(law, REBUILD_PROGRESS, "stood still at", (unsigned)before);
    return is_done;
}

/* Transactions that come and go between the chunks, and are kept. */
static void begin_or_commit(struct law *law)
{
    unsigned depth = zs_circuit_depth(law->chunked->circuit);

    if (random_below(law->random, 3) == 0 && depth < 3)
        expect_ok(law, "begin", rig_begin(law->chunked));
    else if (random_below(law->random, 3) == 0 && depth > law->base)
        expect_ok(law, "commit", rig_commit(law->chunked));
}

static void load_in_chunks(struct law *law)
{
    struct zs_snapshot snapshots[GRAPH_NODES];
    struct zs_rebuild *rebuild = NULL;

    for (unsigned i = 0; i < law->n_sources; i++)
        snapshots[i] =
            (struct zs_snapshot){law->chunked->inputs[i], read_source, &law->sources[i]};
    expect_ok(law, "rebuild_new",
        zs_rebuild_new(law->chunked->circuit, snapshots, law->n_sources,
            1 + random_below(law->random, 5), &rebuild));
    while (law->complaint == NULL) {
        begin_or_commit(law);
        remember_streams(law, !zs_rebuild_belongs_to(rebuild, law->chunked->circuit));
        if (load_a_while(law, rebuild))
            break;
        if (law->complaint == NULL && zs_rebuild_is_interrupted(rebuild, law->chunked->circuit))
            complain(law, REBUILD_STATUS, "interrupted", 0);
    }
    zs_rebuild_free(rebuild);
}

/* Loads in a transaction and takes it all back, so that another load finds all as it was. */
static void load_in_vain(struct law *law)
{
    expect_ok(law, "begin", rig_begin(law->chunked));
    law->base = 1;
    load_in_chunks(law);
    law->base = 0;
    while (zs_circuit_depth(law->chunked->circuit) > 0)
        expect_ok(law, "rollback", rig_rollback(law->chunked));
    for (unsigned i = 0; i < law->n_sources; i++)
        law->sources[i].at = 0;
    compare(law, REBUILD_LOADED);
}

static bool is_rebuild(enum rebuild_kind kind)
{
    return kind == REBUILD_REAL || kind == REBUILD_SHOWS_PIECE || kind == REBUILD_IDLES ||
           kind == REBUILD_NEVER_STOPS;
}

static void run(struct law *law)
{
    for (unsigned i = random_below(law->random, 4); i > 0; i--)
        tick_both(law);
    make_snapshots(law);
    if (law->kind == REBUILD_REAL && random_below(law->random, 3) == 0)
        load_in_vain(law);
    push_both(law);
    load_whole(law);
    if (is_rebuild(law->kind))
        load_in_chunks(law);
    else
        load_as_rival(law);
    compare(law, REBUILD_LOADED);
    if (law->kind == REBUILD_REAL)
        begin_or_commit(law);
    while (zs_circuit_depth(law->chunked->circuit) > 0)
        expect_ok(law, "commit", rig_commit(law->chunked));
    for (unsigned i = 0; law->complaint == NULL && i < 3; i++) {
        remember_streams(law, true);
        tick_both(law);
        compare(law, REBUILD_LATER);
    }
}

static unsigned count_inputs(const struct graph *graph)
{
    unsigned n = 0;
    while (n < graph->n && graph->nodes[n].kind == GRAPH_INPUT)
        n++;
    return n;
}

const char *rebuild_check(const void *subject, struct random *random)
{
    struct law law = {.kind = *(const enum rebuild_kind *)subject, .random = random};

    graph_random(&law.graph, 3 + random_below(random, GRAPH_NODES - 2), random);
    law.n_sources = count_inputs(&law.graph);
    expect_ok(&law, "building",
        rig_new(&zs_alloc_libc, &law.graph, RIG_SOUND, PLAIN_SOUND, false, &law.chunked));
    expect_ok(&law, "building",
        rig_new(&zs_alloc_libc, &law.graph, RIG_SOUND, PLAIN_SOUND, true, &law.whole));
    run(&law);
    rig_free(law.chunked);
    rig_free(law.whole);
    for (unsigned i = 0; i < GRAPH_NODES; i++) {
        zs_batch_free(law.sources[i].rows);
        model_delta_clear(&law.shown[i]);
    }
    return law.complaint;
}

const char *rebuild_kind_name(enum rebuild_kind kind)
{
    static const char *const names[REBUILD_KINDS] = {
        [REBUILD_REAL] = "a rebuild",
        [REBUILD_TICKS] = "a load of a tick a chunk",
        [REBUILD_LOSES_CHUNK] = "a load that loses its last chunk",
        [REBUILD_TWICE] = "a load that repeats its first chunk",
        [REBUILD_SHOWS_PIECE] = "a rebuild whose streams show the last piece",
        [REBUILD_LATE_TICK] = "a load with a further tick",
        [REBUILD_IDLES] = "a rebuild that makes no progress",
        [REBUILD_NEVER_STOPS] = "a rebuild that does not stop",
    };
    return names[kind];
}

const char *rebuild_kind_tag(enum rebuild_kind kind)
{
    return kind >= REBUILD_IDLES ? REBUILD_PROGRESS : REBUILD_LOADED;
}
