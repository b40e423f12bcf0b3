/* The laws of cells. The plain reading of cells is an array over a universe of keys. */
#include "tests/cells_laws.h"

#include <stdlib.h>
#include <string.h>

#include "tests/must.h"

enum { KEYS_MAX = 1500, KEY_LEN_MAX = 80, VALUE_LEN_MAX = 20, DEPTH_MAX = 5 };

/* Ascending keys, numbered from 0. */
enum shape { NUMBERS, LONG_NUMBERS, RUNS, N_SHAPES };

/* What a key holds: the number that its value is made from, 0 for none. */
struct contents {
    uint32_t of[KEYS_MAX];
};

struct world {
    struct zs_cells *cells;
    struct random *random;
    enum shape shape;
    unsigned n_keys;
    unsigned n_puts;
    unsigned depth;
    struct contents *now; /* the last of depth + 1 */
    struct contents all[DEPTH_MAX + 1];
};

struct small_bytes {
    uint8_t data[KEY_LEN_MAX];
    size_t len;
};

static struct zs_bytes bytes_of(const struct small_bytes *small)
{
    return (struct zs_bytes){small->data, small->len};
}

static struct small_bytes key_of(const struct world *world, unsigned i)
{
    struct small_bytes key;

    switch (world->shape) {
    case NUMBERS:
        key.len = 0;
        break;
    case LONG_NUMBERS:
        memset(key.data, 'x', key.len = 20);
        break;
    default:
        /* Runs of one byte that begin each other, after a first byte of many. */
        key.len = i == 0 ? 0 : 1 + i % 64;
        memset(key.data, 1, sizeof(key.data));
        key.data[0] = (uint8_t)(1 + i / 64);
        return key;
    }
    for (unsigned shift = 16; shift > 0; shift -= 8)
        key.data[key.len++] = (uint8_t)(i >> (shift - 8));
    return key;
}

static struct small_bytes value_of(uint32_t number)
{
    struct small_bytes value = {.len = number % VALUE_LEN_MAX};

    for (size_t i = 0; i < value.len; i++)
        value.data[i] = (uint8_t)(number >> 8 * (i % 4));
    return value;
}

static void world_init(struct world *world, const void *subject, struct random *random)
{
    const struct cells_subject *cells = subject;

    *world = (struct world){.random = random};
    world->now = &world->all[0];
    world->shape = (enum shape)random_below(random, N_SHAPES);
    world->n_keys = random_once_in(random, 4) ? KEYS_MAX : 1 + random_below(random, 200);
    must(cells->make(&zs_alloc_libc, cells->fault, &world->cells) == ZS_OK);
}

static const char *world_end(struct world *world, const char *violation)
{
    zs_cells_free(world->cells);
    return violation;
}

static void put(struct world *world, unsigned i)
{
    struct small_bytes key = key_of(world, i);
    struct small_bytes value = value_of(++world->n_puts);

    must(zs_cells_put(world->cells, bytes_of(&key), bytes_of(&value)) == ZS_OK);
    world->now->of[i] = world->n_puts;
}

static void remove_key(struct world *world, unsigned i)
{
    struct small_bytes key = key_of(world, i);

    must(zs_cells_remove(world->cells, bytes_of(&key)) == ZS_OK);
    world->now->of[i] = 0;
}

/* A change, or a run of the same change over neighbours, ascending or descending. */
static void change(struct world *world)
{
    unsigned i = random_below(world->random, world->n_keys);
    bool is_run = random_once_in(world->random, 20);
    unsigned n = is_run ? random_below(world->random, world->n_keys) : 1;
    bool puts = random_once_in(world->random, 2);
    unsigned step = random_once_in(world->random, 2) ? 1 : world->n_keys - 1;

    for (; n > 0; n--, i = (i + step) % world->n_keys) {
        if (puts)
            put(world, i);
        else
            remove_key(world, i);
    }
}

static void change_often(struct world *world)
{
    for (unsigned n = random_below(world->random, 60); n > 0; n--)
        change(world);
}

static bool holds(struct world *world, unsigned i)
{
    struct small_bytes key = key_of(world, i);
    struct small_bytes wanted = value_of(world->now->of[i]);
    struct zs_bytes value;
    bool found;

    must(world->cells->methods->get(world->cells, bytes_of(&key), &value, &found) == ZS_OK);
    if (world->now->of[i] == 0)
        return !found;
    return found && zs_bytes_equal(value, bytes_of(&wanted));
}

static const char *check_map(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    for (unsigned round = 0; round < 3 && violation == NULL; round++) {
        change_often(&world);
        for (unsigned i = 0; i < world.n_keys && violation == NULL; i++) {
            if (!holds(&world, i))
                violation = property_violated("[map]", "key %u of shape %d", i, world.shape);
        }
    }
    return world_end(&world, violation);
}

/* The neighbour of key i that is there: at or after it, or before it. n_keys for none. */
static unsigned neighbour_of(const struct world *world, unsigned i, bool is_forward)
{
    if (is_forward) {
        while (i < world->n_keys && world->now->of[i] == 0)
            i++;
        return i;
    }
    while (i > 0 && world->now->of[i - 1] == 0)
        i--;
    return i == 0 ? world->n_keys : i - 1;
}

static bool is_cell(const struct world *world, unsigned i, bool found, struct zs_bytes key,
    struct zs_bytes value)
{
    struct small_bytes wanted_key;
    struct small_bytes wanted_value;

    if (i == world->n_keys)
        return !found;
    wanted_key = key_of(world, i);
    wanted_value = value_of(world->now->of[i]);
    return found && zs_bytes_equal(key, bytes_of(&wanted_key)) &&
           zs_bytes_equal(value, bytes_of(&wanted_value));
}

static bool seeks(struct world *world, unsigned i, bool is_forward)
{
    struct small_bytes from = key_of(world, i);
    struct zs_bytes key;
    struct zs_bytes value;
    bool found;

    must(world->cells->methods->seek(
             world->cells, bytes_of(&from), is_forward, &key, &value, &found) == ZS_OK);
    return is_cell(world, neighbour_of(world, i, is_forward), found, key, value);
}

static bool seeks_last(struct world *world)
{
    struct zs_bytes key;
    struct zs_bytes value;
    bool found;

    must(world->cells->methods->seek(
             world->cells, (struct zs_bytes){NULL, 0}, false, &key, &value, &found) == ZS_OK);
    return is_cell(world, neighbour_of(world, world->n_keys, false), found, key, value);
}

/* In a transaction as well, where cells that are gone may still be somewhere. */
static const char *check_seek(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    bool has_transaction = random_once_in(random, 2);

    world_init(&world, subject, random);
    change_often(&world);
    if (has_transaction)
        must(world.cells->methods->begin(world.cells) == ZS_OK);
    change_often(&world);
    for (unsigned i = 0; i < world.n_keys && violation == NULL; i++) {
        bool is_forward = random_once_in(random, 2);
        if (!seeks(&world, i, is_forward))
            violation = property_violated("[seek]", "%s from key %u of shape %d",
                is_forward ? "forward" : "back", i, world.shape);
    }
    if (violation == NULL && !seeks_last(&world))
        violation = property_violated("[seek]", "the last of all");
    return world_end(&world, violation);
}

/* Walks all cells from the first; none is missing and none too many. */
static bool holds_all(struct world *world)
{
    struct small_bytes from = {.len = 0};

    for (unsigned i = 0; i <= world->n_keys; i++) {
        struct zs_bytes key;
        struct zs_bytes value;
        bool found;

        i = neighbour_of(world, i, true);
        must(world->cells->methods->seek(
                 world->cells, bytes_of(&from), true, &key, &value, &found) == ZS_OK);
        if (!is_cell(world, i, found, key, value))
            return false;
        if (!found)
            break;
        from = key_of(world, i);
        from.data[from.len++] = 0;
    }
    return true;
}

static void begin(struct world *world)
{
    must(world->cells->methods->begin(world->cells) == ZS_OK);
    world->all[++world->depth] = *world->now;
    world->now = &world->all[world->depth];
}

static void end(struct world *world, bool commits)
{
    if (commits) {
        world->cells->methods->commit(world->cells);
        world->all[world->depth - 1] = *world->now;
    } else {
        world->cells->methods->rollback(world->cells);
    }
    world->now = &world->all[--world->depth];
}

static const char *check_rollback(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    for (unsigned n = 0; n < 25 && violation == NULL; n++) {
        bool begins =
            world.depth == 0 || (world.depth < DEPTH_MAX && random_once_in(random, 2));
        bool commits = random_once_in(random, 2);

        for (unsigned changes = random_below(random, 8); changes > 0; changes--)
            change(&world);
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

/* A list of keys, and what is to become of each. */
struct many {
    struct world *world;
    unsigned keys[MANY_MAX];
    unsigned n;
    unsigned fails_at; /* n: nowhere */
    unsigned n_asked;
    struct small_bytes value;
    bool is_right;
};

static int decide(void *ctx, size_t i, const struct zs_bytes *old, struct zs_bytes *value,
    enum zs_cell_change *change)
{
    struct many *many = ctx;
    struct world *world = many->world;
    uint32_t *held = &world->now->of[many->keys[i]];
    struct small_bytes wanted = value_of(*held);

    many->is_right =
        many->is_right && i == many->n_asked++ &&
        (*held == 0 ? old == NULL : old != NULL && zs_bytes_equal(*old, bytes_of(&wanted)));
    if (i == many->fails_at)
        return ZS_CALLBACK;
    switch (random_below(world->random, 3)) {
    case 0:
        return ZS_OK;
    case 1:
        *change = ZS_CELL_IS_REMOVED;
        *held = 0;
        return ZS_OK;
    default:
        *change = ZS_CELL_IS_PUT;
        *held = ++world->n_puts;
        many->value = value_of(*held);
        *value = bytes_of(&many->value);
        return ZS_OK;
    }
}

static struct many many_keys(struct world *world, struct small_bytes *keys)
{
    struct many many = {.world = world, .is_right = true};
    unsigned first = random_below(world->random, world->n_keys);
    bool is_ascending = random_once_in(world->random, 2);

    many.n = random_below(world->random, MANY_MAX + 1);
    many.fails_at =
        random_once_in(world->random, 3) ? random_below(world->random, MANY_MAX) : MANY_MAX;
    for (unsigned i = 0; i < many.n; i++) {
        many.keys[i] = is_ascending ? (first + i) % world->n_keys
                                    : random_below(world->random, world->n_keys);
        keys[i] = key_of(world, many.keys[i]);
    }
    return many;
}

static bool updates(struct world *world)
{
    struct small_bytes keys[MANY_MAX];
    struct zs_bytes bytes[MANY_MAX];
    struct many many = many_keys(world, keys);
    bool fails = many.fails_at < many.n;
    int rc;

    for (unsigned i = 0; i < many.n; i++)
        bytes[i] = bytes_of(&keys[i]);
    rc = zs_cells_update(world->cells, bytes, many.n, decide, &many);
    return many.is_right && rc == (fails ? ZS_CALLBACK : ZS_OK) &&
           many.n_asked == (fails ? many.fails_at + 1 : many.n) && holds_all(world);
}

static const char *check_update(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    for (unsigned n = 0; n < 20 && violation == NULL; n++) {
        change(&world);
        if (world.depth < DEPTH_MAX && random_once_in(random, 3))
            begin(&world);
        if (!updates(&world))
            violation = property_violated("[update]", "round %u, shape %d", n, world.shape);
        if (world.depth > 0 && random_once_in(random, 3))
            end(&world, random_once_in(random, 2));
        if (violation == NULL && !holds_all(&world))
            violation = property_violated("[update]", "after a transaction, round %u", n);
    }
    return world_end(&world, violation);
}

/* What a walk is to show: of span i the cells from begin[i] to before end[i], but no more than
** enough[i]. */
struct shown {
    struct world *world;
    unsigned begin[MANY_MAX];
    unsigned end[MANY_MAX];
    unsigned enough[MANY_MAX];
    unsigned n;
    unsigned span; /* what is awaited next */
    unsigned next;
    unsigned n_left; /* until a failure */
    bool is_right;
};

/* Moves on to the next cell that is to be shown; span n if there is none. */
static void await_next(struct shown *shown)
{
    while (shown->span < shown->n) {
        shown->next = neighbour_of(shown->world, shown->next, true);
        if (shown->next < shown->end[shown->span] && shown->enough[shown->span] > 0)
            return;
        shown->span++;
        shown->next = shown->span < shown->n ? shown->begin[shown->span] : 0;
    }
}

static int show(
    void *ctx, size_t i, struct zs_bytes key, struct zs_bytes value, bool *is_enough)
{
    struct shown *shown = ctx;

    await_next(shown);
    shown->is_right = shown->is_right && i == shown->span && i < shown->n &&
                      is_cell(shown->world, shown->next, true, key, value);
    if (!shown->is_right || shown->n_left-- == 0)
        return ZS_CALLBACK;
    shown->next++;
    *is_enough = --shown->enough[i] == 0;
    return ZS_OK;
}

static bool walks(struct world *world)
{
    struct shown shown = {.world = world, .is_right = true};
    struct small_bytes ends[2][MANY_MAX];
    struct zs_span spans[MANY_MAX];
    struct zs_buffer next;
    int rc;

    shown.n = random_below(world->random, MANY_MAX + 1);
    shown.n_left = random_once_in(world->random, 3) ? random_below(world->random, 100) : ~0u;
    for (unsigned i = 0; i < shown.n; i++) {
        bool has_end = !random_once_in(world->random, 8);
        shown.begin[i] = random_below(world->random, world->n_keys);
        shown.end[i] = has_end ? random_below(world->random, world->n_keys) : world->n_keys;
        shown.enough[i] =
            1 + random_below(world->random, random_once_in(world->random, 2) ? 4 : KEYS_MAX);
        ends[0][i] = key_of(world, shown.begin[i]);
        ends[1][i] = key_of(world, has_end ? shown.end[i] : 0);
        spans[i].from = bytes_of(&ends[0][i]);
        spans[i].to = has_end ? bytes_of(&ends[1][i]) : (struct zs_bytes){0};
    }
    shown.next = shown.begin[0];
    zs_buffer_init(&next, &zs_alloc_libc);
    rc = zs_cells_walk(world->cells, spans, shown.n, &next, show, &shown);
    zs_buffer_clear(&next);
    await_next(&shown);
    /* It has failed where show did, or all has been shown. */
    return shown.is_right &&
           (rc == ZS_CALLBACK ? shown.n_left == ~0u : rc == ZS_OK && shown.span == shown.n);
}

static const char *check_walk(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    change_often(&world);
    if (random_once_in(random, 2))
        must(world.cells->methods->begin(world.cells) == ZS_OK);
    change_often(&world);
    for (unsigned n = 0; n < 10 && violation == NULL; n++) {
        if (!walks(&world))
            violation = property_violated("[walk]", "walk %u, shape %d", n, world.shape);
    }
    return world_end(&world, violation);
}

const struct property cells_map = {"[map]", check_map};
const struct property cells_seek = {"[seek]", check_seek};
const struct property cells_rollback = {"[rollback]", check_rollback};

const struct property cells_update = {"[update]", check_update};
const struct property cells_walk = {"[walk]", check_walk};

const struct property *const cells_properties[] = {
    &cells_map, &cells_seek, &cells_rollback, &cells_update, &cells_walk, NULL};
