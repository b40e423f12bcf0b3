/* The laws of consolidation. */
#include "tests/batch_laws.h"

#include <stdlib.h>
#include <string.h>

#include "tests/must.h"

/* Random elements, of a shape that puts sorting to the test. */

enum shape { TINY, KEYLESS, GROUPED, NUMBERED, LONG, N_SHAPES };

enum { BYTES_MAX = 64 };

struct element_source {
    struct random *random;
    enum shape shape;
    unsigned n_distinct;
};

/* Up to max bytes, mostly from an alphabet of few, the smallest and the largest among them. */
static size_t put_random(struct random *random, unsigned max, uint8_t *to)
{
    static const uint8_t alphabet[] = {0x00, 0x01, 'a', 0x7f, 0x80, 0xff};
    size_t len = random_below(random, max + 1);

    for (size_t i = 0; i < len; i++)
        to[i] = alphabet[random_below(random, sizeof(alphabet))];
    return len;
}

static size_t put_number(unsigned number, uint8_t *to)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(number >> (24 - 8 * i));
    return 4;
}

/* A long run of one byte, of which a random end is cut off or changed. */
static size_t put_long(struct random *random, uint8_t *to)
{
    size_t len = random_below(random, BYTES_MAX + 1);

    memset(to, 'x', len);
    if (len > 0 && random_once_in(random, 2))
        to[random_below(random, (unsigned)len)] = (uint8_t)random_next(random);
    return len;
}

static void random_element(
    const struct element_source *source, uint8_t *room, struct zs_item *item)
{
    struct random *random = source->random;
    unsigned number = random_below(random, source->n_distinct);
    uint8_t *value = room + BYTES_MAX;

    item->key = (struct zs_bytes){room, 0};
    item->value = (struct zs_bytes){value, 0};
    switch (source->shape) {
    case TINY:
        item->key.len = put_random(random, 2, room);
        item->value.len = put_random(random, 2, value);
        break;
    case KEYLESS:
        item->value.len = put_random(random, 12, value);
        break;
    case GROUPED:
        item->key.len = put_number(number % 3, room);
        item->value.len = put_number(number, value);
        break;
    case NUMBERED:
        item->key.len = put_number(number, room);
        item->value.len = put_random(random, 1, value);
        break;
    default:
        item->key.len = put_long(random, room);
        item->value.len = put_long(random, value);
        break;
    }
}

static int64_t random_weight(struct random *random, bool is_extreme)
{
    static const int64_t ends[] = {INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1, 1, -1};

    if (is_extreme)
        return ends[random_below(random, sizeof(ends) / sizeof(ends[0]))];
    return random_between(random, -2, 2);
}

struct input {
    struct batch_input batch;
    uint8_t *room;
};

/* Batch items have no zero weight; the zeros among these are dropped on the way in. */
static void input_init(struct input *input, struct random *random, bool is_extreme)
{
    struct element_source source = {.random = random,
        .shape = (enum shape)random_below(random, N_SHAPES),
        .n_distinct = 1 + random_below(random, random_once_in(random, 2) ? 10 : 5000)};
    unsigned max = random_once_in(random, 20) ? 3000 : random_once_in(random, 4) ? 200 : 16;
    size_t n = random_below(random, max + 1);
    size_t n_others = random_once_in(random, 2) ? 0 : random_below(random, max + 1);
    struct zs_item *items = calloc(n + n_others + 1, sizeof(*items));

    input->room = calloc(n + n_others + 1, 2 * BYTES_MAX);
    must(items != NULL && input->room != NULL);
    for (size_t i = 0; i < n + n_others; i++) {
        random_element(&source, input->room + 2 * BYTES_MAX * i, &items[i]);
        items[i].weight = random_weight(random, is_extreme);
    }
    input->batch =
        (struct batch_input){items, n, items + n, n_others, random_once_in(random, 2) ? 1 : -1};
    for (size_t i = n; i < n + n_others && input->batch.sign < 0; i++) {
        if (items[i].weight == INT64_MIN)
            items[i].weight++;
    }
}

static void input_clear(struct input *input)
{
    free(input->batch.items);
    free(input->room);
}

/* The plain reading: elements in order with the sums of their weights. */

struct plain_item {
    struct zs_bytes key;
    struct zs_bytes value;
    __int128 weight;
};

struct plain {
    struct plain_item *items;
    size_t n;
};

static int compare_plain(const void *a, const void *b)
{
    const struct plain_item *x = a;
    const struct plain_item *y = b;
    int order = zs_bytes_compare(x->key, y->key);
    return order != 0 ? order : zs_bytes_compare(x->value, y->value);
}

static struct plain read_plainly(const struct batch_input *input)
{
    size_t n_all = input->n + input->n_others;
    struct plain plain = {calloc(n_all + 1, sizeof(*plain.items)), 0};
    size_t n = 0;

    must(plain.items != NULL);
    for (size_t i = 0; i < n_all; i++) {
        const struct zs_item *item = &input->items[i];
        int sign = i < input->n ? 1 : input->sign;
        plain.items[i] =
            (struct plain_item){item->key, item->value, (__int128)sign * item->weight};
    }
    qsort(plain.items, n_all, sizeof(*plain.items), compare_plain);
    for (size_t i = 0; i < n_all; i++) {
        if (n > 0 && compare_plain(&plain.items[n - 1], &plain.items[i]) == 0)
            plain.items[n - 1].weight += plain.items[i].weight;
        else
            plain.items[n++] = plain.items[i];
    }
    for (size_t i = 0; i < n; i++) {
        if (plain.items[i].weight != 0)
            plain.items[plain.n++] = plain.items[i];
    }
    return plain;
}

static bool overflows(const struct plain *plain)
{
    for (size_t i = 0; i < plain->n; i++) {
        if (plain->items[i].weight > INT64_MAX || plain->items[i].weight < INT64_MIN)
            return true;
    }
    return false;
}

/* The laws */

struct world {
    struct input input;
    struct batch_outcome outcome;
    struct plain plain;
};

static void world_init(
    struct world *world, const void *subject, struct random *random, bool is_extreme)
{
    const struct batch_subject *batches = subject;

    input_init(&world->input, random, is_extreme);
    world->plain = read_plainly(&world->input.batch);
    batches->kind->consolidate(&world->input.batch, batches->fault, &world->outcome);
}

static const char *world_end(struct world *world, const char *violation)
{
    batch_outcome_clear(&world->outcome);
    free(world->plain.items);
    input_clear(&world->input);
    return violation;
}

static int compare_items(const struct zs_item *a, const struct zs_item *b)
{
    int order = zs_bytes_compare(a->key, b->key);
    return order != 0 ? order : zs_bytes_compare(a->value, b->value);
}

static const char *check_canonical(const void *subject, struct random *random)
{
    struct world world;
    const struct batch_outcome *outcome = &world.outcome;
    const char *violation = NULL;

    world_init(&world, subject, random, false);
    for (size_t i = 0; i < outcome->n && violation == NULL; i++) {
        if (outcome->items[i].weight == 0)
            violation = property_violated("[canonical]", "item %zu has weight 0", i);
        else if (i > 0 && compare_items(&outcome->items[i - 1], &outcome->items[i]) >= 0)
            violation = property_violated("[canonical]", "item %zu is out of order", i);
    }
    return world_end(&world, violation);
}

/* By search, so that the order is no matter of this law. */
static const char *check_sum(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random, false);
    if (world.outcome.n != world.plain.n)
        violation = property_violated(
            "[sum]", "%zu elements instead of %zu", world.outcome.n, world.plain.n);
    for (size_t i = 0; i < world.outcome.n && violation == NULL; i++) {
        const struct zs_item *item = &world.outcome.items[i];
        struct plain_item wanted = {item->key, item->value, 0};
        const struct plain_item *found = bsearch(&wanted, world.plain.items, world.plain.n,
            sizeof(*world.plain.items), compare_plain);
        if (found == NULL || found->weight != item->weight)
            violation = property_violated("[sum]", "item %zu has a wrong weight", i);
    }
    return world_end(&world, violation);
}

static const char *check_overflow(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    int expected;

    world_init(&world, subject, random, true);
    expected = overflows(&world.plain) ? ZS_OVERFLOW : ZS_OK;
    if (world.outcome.rc != expected)
        violation = property_violated(
            "[overflow]", "status %d instead of %d", world.outcome.rc, expected);
    return world_end(&world, violation);
}

static int compare_weighted(const void *a, const void *b)
{
    const struct zs_item *x = a;
    const struct zs_item *y = b;
    int order = compare_items(x, y);
    return order != 0 ? order : (x->weight > y->weight) - (x->weight < y->weight);
}

static const char *check_unchanged(const void *subject, struct random *random)
{
    struct world world;
    struct batch_input *input = &world.input.batch;
    size_t n_all;
    const char *violation = NULL;

    world_init(&world, subject, random, true);
    if (world.outcome.rc == ZS_OK)
        return world_end(&world, NULL);
    n_all = input->n + input->n_others;
    for (size_t i = input->n; i < n_all; i++)
        input->items[i].weight *= input->sign;
    if (world.outcome.n == n_all && n_all > 0) {
        qsort(input->items, n_all, sizeof(*input->items), compare_weighted);
        qsort(world.outcome.items, n_all, sizeof(*world.outcome.items), compare_weighted);
    } else {
        violation = property_violated("[unchanged]", "other items than before");
    }
    for (size_t i = 0; i < n_all && violation == NULL; i++) {
        if (compare_weighted(&input->items[i], &world.outcome.items[i]) != 0)
            violation = property_violated("[unchanged]", "item %zu is another", i);
    }
    return world_end(&world, violation);
}

const struct property batch_canonical = {"[canonical]", check_canonical};
const struct property batch_sum = {"[sum]", check_sum};
const struct property batch_overflow = {"[overflow]", check_overflow};
const struct property batch_unchanged = {"[unchanged]", check_unchanged};

const struct property *const batch_properties[] = {
    &batch_canonical, &batch_sum, &batch_overflow, &batch_unchanged, NULL};
