/* The laws of traces. The plain reading of a trace is a table of weights over a few keys and
** values, which begin each other and hold the bytes that escaping is about. */
#include "tests/trace_laws.h"

#include <string.h>

#include "core/escape.h"
#include "tests/must.h"

struct text {
    const char *data;
    size_t len;
};

/* Ascending. */
static const struct text keys[] = {{"", 0}, {"\0", 1}, {"\0\0", 2}, {"\0\1", 2}, {"\1", 1},
    {"\1\0", 2}, {"\1\1", 2}, {"\1\2", 2}, {"\2", 1}, {"a", 1}, {"a\0", 2}, {"a\0b", 3},
    {"a\1", 2}, {"ab", 2}, {"b", 1}, {"\xff", 1}, {"\xff\xff", 2}};
static const struct text values[] = {
    {"", 0}, {"\0", 1}, {"\0b", 2}, {"a", 1}, {"a\0", 2}, {"b", 1}, {"\xff", 1}};

enum {
    N_KEYS = sizeof(keys) / sizeof(keys[0]),
    N_VALUES = sizeof(values) / sizeof(values[0]),
    KEY_LEN_MAX = 8,
    DEPTH_MAX = 5
};

struct contents {
    int64_t weights[N_KEYS][N_VALUES];
};

struct key {
    uint8_t data[KEY_LEN_MAX];
    size_t len;
};

struct world {
    const struct trace_subject *subject;
    struct random *random;
    struct trace_home home;
    struct zs_trace *trace; /* borrowed from home */
    struct zs_batch *out;
    struct contents *now; /* the last of depth + 1 */
    struct contents all[DEPTH_MAX + 1];
    unsigned depth;
};

static struct zs_bytes bytes_of_key(const struct key *key)
{
    return (struct zs_bytes){key->data, key->len};
}

static struct zs_bytes bytes_of(struct text text)
{
    return (struct zs_bytes){(const uint8_t *)text.data, text.len};
}

/* For a trace that is particular, the key escaped, and ended unless it is only a bound. */
static struct key key_of(const struct world *world, unsigned i, bool is_ended)
{
    struct zs_buffer buffer;
    struct key key;
    int rc;

    zs_buffer_init(&buffer, &zs_alloc_libc);
    if (world->subject->takes_any_key)
        rc = zs_buffer_append(&buffer, keys[i].data, keys[i].len);
    else
        rc = zs_escape_append(&buffer, bytes_of(keys[i]));
    if (rc == ZS_OK && !world->subject->takes_any_key && is_ended)
        rc = zs_buffer_append_byte(&buffer, ZS_ESCAPE_END);
    must(rc == ZS_OK && buffer.len <= KEY_LEN_MAX);
    key.len = buffer.len;
    if (key.len > 0)
        memcpy(key.data, buffer.data, key.len);
    zs_buffer_clear(&buffer);
    return key;
}

static void world_init(struct world *world, const void *subject, struct random *random)
{
    *world = (struct world){.subject = subject, .random = random};
    world->now = &world->all[0];
    world->subject->make(world->subject->fault, &world->home);
    world->trace = world->home.trace;
    must(zs_batch_new(&zs_alloc_libc, &world->out) == ZS_OK);
}

static const char *world_end(struct world *world, const char *violation)
{
    zs_batch_free(world->out);
    trace_home_clear(&world->home);
    return violation;
}

static int apply(struct world *world, unsigned i, unsigned j, int64_t weight)
{
    struct key key = key_of(world, i, true);
    return zs_trace_apply(world->trace, bytes_of_key(&key), bytes_of(values[j]), weight);
}

static void change(struct world *world)
{
    unsigned i = random_below(world->random, N_KEYS);
    unsigned j = random_below(world->random, N_VALUES);
    int64_t weight = random_between(world->random, -2, 2);

    if (random_once_in(world->random, 3))
        weight = -world->now->weights[i][j];
    must(apply(world, i, j, weight) == ZS_OK);
    world->now->weights[i][j] += weight;
}

static void change_often(struct world *world, unsigned max)
{
    for (unsigned n = random_below(world->random, max); n > 0; n--)
        change(world);
}

/* What a reading should give: the elements within the spans, at most so many of either end. */
struct expected {
    struct {
        unsigned i;
        unsigned j;
    } elements[N_KEYS * N_VALUES];
    unsigned first;
    unsigned n; /* from first on */
};

static bool is_within(struct zs_bytes bytes, struct zs_span span)
{
    return zs_bytes_compare(bytes, span.from) >= 0 &&
           (span.to.data == NULL || zs_bytes_compare(bytes, span.to) < 0);
}

static void expect(const struct world *world, struct zs_span key_span,
    struct zs_span value_span, int64_t limit, struct expected *expected)
{
    uint64_t n_wanted = limit < 0 ? 0 - (uint64_t)limit : (uint64_t)limit;
    unsigned n = 0;

    for (unsigned i = 0; i < N_KEYS; i++) {
        struct key key = key_of(world, i, true);
        if (!is_within(bytes_of_key(&key), key_span))
            continue;
        for (unsigned j = 0; j < N_VALUES; j++) {
            if (world->now->weights[i][j] == 0 || !is_within(bytes_of(values[j]), value_span))
                continue;
            expected->elements[n].i = i;
            expected->elements[n++].j = j;
        }
    }
    if (limit == 0 || n_wanted > n)
        n_wanted = n;
    expected->n = (unsigned)n_wanted;
    expected->first = limit < 0 ? n - expected->n : 0;
}

/* Does out hold one item of no concern, and then what is expected? */
static bool reads(const struct world *world, const struct expected *expected)
{
    const struct zs_item *items = zs_batch_items(world->out);

    if (zs_batch_len(world->out) != 1 + expected->n || items[0].weight != 99)
        return false;
    for (unsigned n = 0; n < expected->n; n++) {
        unsigned i = expected->elements[expected->first + n].i;
        unsigned j = expected->elements[expected->first + n].j;
        struct key key = key_of(world, i, true);
        const struct zs_item *item = &items[1 + n];

        if (!zs_bytes_equal(item->key, bytes_of_key(&key)) ||
            !zs_bytes_equal(item->value, bytes_of(values[j])) ||
            item->weight != world->now->weights[i][j])
            return false;
    }
    return true;
}

static void empty_out(struct world *world)
{
    const struct zs_bytes other = {(const uint8_t *)"other", 5};
    zs_batch_reset(world->out);
    must(zs_batch_add(world->out, other, other, 99) == ZS_OK);
}

static bool looks_up(struct world *world, unsigned i, struct zs_span span, int64_t limit)
{
    struct key key = key_of(world, i, true);
    struct key next = key;
    struct expected expected;

    /* The span of this key alone: up to the key with a zero byte after it. */
    next.data[next.len++] = 0;
    expect(world, (struct zs_span){bytes_of_key(&key), bytes_of_key(&next)}, span, limit,
        &expected);
    empty_out(world);
    must(zs_trace_lookup(world->trace, bytes_of_key(&key), span, limit, world->out) == ZS_OK);
    return reads(world, &expected);
}

static bool ranges(struct world *world, struct zs_span span, int64_t limit)
{
    struct expected expected;

    expect(world, span, zs_span_all(), limit, &expected);
    empty_out(world);
    must(zs_trace_range(world->trace, span, limit, world->out) == ZS_OK);
    return reads(world, &expected);
}

static bool holds_all(struct world *world)
{
    for (unsigned i = 0; i < N_KEYS; i++) {
        if (!looks_up(world, i, zs_span_all(), 0))
            return false;
    }
    return ranges(world, zs_span_all(), 0);
}

static const char *check_integral(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    for (unsigned round = 0; round < 3 && violation == NULL; round++) {
        change_often(&world, 60);
        if (!holds_all(&world))
            violation = property_violated("[integral]", "round %u", round);
    }
    return world_end(&world, violation);
}

static int64_t random_limit(struct random *random)
{
    if (random_once_in(random, 10))
        return random_once_in(random, 2) ? INT64_MIN : INT64_MAX;
    return random_between(random, -4, 4);
}

static struct zs_span random_value_span(struct random *random)
{
    struct zs_span span = {bytes_of(values[random_below(random, N_VALUES)]), {NULL, 0}};

    if (random_once_in(random, 2))
        span.to = bytes_of(values[random_below(random, N_VALUES)]);
    return random_once_in(random, 4) ? zs_span_all() : span;
}

static const char *check_reading(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    change_often(&world, 150);
    for (unsigned n = 0; n < 40 && violation == NULL; n++) {
        unsigned i = random_below(random, N_KEYS);
        int64_t limit = random_limit(random);
        struct key from = key_of(&world, random_below(random, N_KEYS), i % 2 == 0);
        struct key to = key_of(&world, random_below(random, N_KEYS), i % 3 == 0);
        struct zs_span span = {bytes_of_key(&from), {NULL, 0}};

        if (random_once_in(random, 2))
            span.to = bytes_of_key(&to);
        if (!looks_up(&world, i, random_value_span(random), limit))
            violation = property_violated(
                "[reading]", "a lookup of key %u, limit %lld", i, (long long)limit);
        else if (!ranges(&world, span, limit))
            violation = property_violated("[reading]", "a range, limit %lld", (long long)limit);
    }
    return world_end(&world, violation);
}

static const char *check_overflow(const void *subject, struct random *random)
{
    static const int64_t ends[] = {INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1,
        INT64_MAX / 2, INT64_MIN / 2, 1, -1};
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    for (unsigned n = 0; n < 30 && violation == NULL; n++) {
        unsigned i = random_below(random, 2);
        unsigned j = random_below(random, 2);
        int64_t weight = ends[random_below(random, sizeof(ends) / sizeof(ends[0]))];
        int64_t sum;
        bool overflows = __builtin_add_overflow(world.now->weights[i][j], weight, &sum);
        int rc = apply(&world, i, j, weight);

        if (!overflows)
            world.now->weights[i][j] = sum;
        if (rc != (overflows ? ZS_OVERFLOW : ZS_OK))
            violation = property_violated("[overflow]", "status %d", rc);
        else if (!holds_all(&world))
            violation = property_violated("[overflow]", "after status %d", rc);
    }
    return world_end(&world, violation);
}

static void begin(struct world *world)
{
    must(world->trace->methods->begin(world->trace) == ZS_OK);
    world->all[++world->depth] = *world->now;
    world->now = &world->all[world->depth];
}

static void end(struct world *world, bool commits)
{
    if (commits) {
        world->trace->methods->commit(world->trace);
        world->all[world->depth - 1] = *world->now;
    } else {
        world->trace->methods->rollback(world->trace);
    }
    world->now = &world->all[--world->depth];
}

static const char *check_rollback(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    for (unsigned n = 0; n < 30 && violation == NULL; n++) {
        bool begins =
            world.depth == 0 || (world.depth < DEPTH_MAX && random_once_in(random, 2));
        bool commits = random_once_in(random, 2);

        change_often(&world, 20);
        if (begins)
            begin(&world);
        else
            end(&world, commits);
        if (!holds_all(&world))
            violation = property_violated("[rollback]", "after %s at depth %u",
                begins    ? "begin"
                : commits ? "commit"
                          : "rollback",
                world.depth);
    }
    return world_end(&world, violation);
}

/* Many at once */

enum { MANY_MAX = 40 };

struct many {
    const struct world *world;
    unsigned i[MANY_MAX]; /* the elements */
    unsigned j[MANY_MAX];
    struct key keys[MANY_MAX];
    struct zs_item items[MANY_MAX];
    unsigned n;
    unsigned at; /* in a match: the item */
    unsigned next;
    unsigned n_left; /* until a failure */
    bool is_right;
};

static void choose_many(struct world *world, struct many *many)
{
    *many = (struct many){.world = world, .is_right = true, .n_left = ~0u};
    many->n = random_below(world->random, MANY_MAX + 1);
    for (unsigned k = 0; k < many->n; k++) {
        bool is_repeated = k > 0 && random_once_in(world->random, 3);
        unsigned i = is_repeated ? many->i[k - 1] : random_below(world->random, N_KEYS);

        many->i[k] = i;
        many->j[k] = random_below(world->random, N_VALUES);
        many->keys[k] = key_of(world, i, true);
        many->items[k] = (struct zs_item){bytes_of_key(&many->keys[k]),
            bytes_of(values[many->j[k]]), random_between(world->random, -2, 2)};
    }
}

static bool updates(struct world *world)
{
    struct many many;
    int64_t before[MANY_MAX];
    bool is_told = random_once_in(world->random, 2);

    choose_many(world, &many);
    if (is_told)
        must(
            zs_trace_update(world->trace, &zs_alloc_libc, many.items, many.n, before) == ZS_OK);
    else
        must(zs_trace_apply_all(world->trace, many.items, many.n) == ZS_OK);
    for (unsigned k = 0; k < many.n; k++) {
        int64_t *weight = &world->now->weights[many.i[k]][many.j[k]];
        if (is_told && before[k] != *weight)
            return false;
        *weight += many.items[k].weight;
    }
    return holds_all(world);
}

/* Moves on to the next element that is to be shown; item n if there is none. */
static void await_next(struct many *many)
{
    for (; many->at < many->n; many->at++, many->next = 0) {
        const int64_t *weights = many->world->now->weights[many->i[many->at]];
        while (many->next < N_VALUES && weights[many->next] == 0)
            many->next++;
        if (many->next < N_VALUES)
            return;
    }
}

static int show(void *ctx, const struct zs_item *item, const struct zs_item *element)
{
    struct many *many = ctx;

    await_next(many);
    if (many->at == many->n || item != &many->items[many->at] ||
        !zs_bytes_equal(element->key, item->key) ||
        !zs_bytes_equal(element->value, bytes_of(values[many->next])) ||
        element->weight != many->world->now->weights[many->i[many->at]][many->next])
        many->is_right = false;
    if (!many->is_right || many->n_left-- == 0)
        return ZS_CALLBACK;
    many->next++;
    return ZS_OK;
}

static bool matches(struct world *world)
{
    struct many many;
    int rc;

    choose_many(world, &many);
    if (random_once_in(world->random, 3))
        many.n_left = random_below(world->random, 20);
    rc = zs_trace_match(world->trace, &zs_alloc_libc, many.items, many.n, show, &many);
    await_next(&many);
    return many.is_right &&
           (rc == ZS_CALLBACK ? many.n_left == ~0u : rc == ZS_OK && many.at == many.n);
}

static const char *check_many(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    for (unsigned n = 0; n < 20 && violation == NULL; n++) {
        if (!updates(&world))
            violation = property_violated("[many]", "update %u", n);
        else if (!matches(&world))
            violation = property_violated("[many]", "match %u", n);
    }
    return world_end(&world, violation);
}

const struct property trace_integral = {"[integral]", check_integral};
const struct property trace_reading = {"[reading]", check_reading};
const struct property trace_overflow = {"[overflow]", check_overflow};
const struct property trace_rollback = {"[rollback]", check_rollback};
const struct property trace_many = {"[many]", check_many};

const struct property *const trace_properties[] = {
    &trace_integral, &trace_reading, &trace_overflow, &trace_rollback, &trace_many, NULL};
