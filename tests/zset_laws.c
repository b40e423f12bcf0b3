/* The laws of Z-sets. */
#include "tests/zset_laws.h"

#include "tests/must.h"

/* A case: three random Z-sets and room for results. */
enum { N_GIVEN = 3, N_ALL = 8 };

struct world {
    const struct zset_kind *kind;
    enum zset_fault fault;
    void *all[N_ALL];
    unsigned n;
};

static void *make(struct world *world)
{
    must(world->n < N_ALL);
    world->all[world->n] = world->kind->zero(world->fault);
    return world->all[world->n++];
}

static int64_t small_weight(struct random *random)
{
    if (random_once_in(random, 6))
        return random_once_in(random, 2) ? INT64_C(1) << 40 : -(INT64_C(1) << 40);
    return random_between(random, -3, 3);
}

static void fill(struct world *world, void *zset, struct random *random)
{
    for (unsigned n = random_below(random, 9); n > 0; n--)
        must(world->kind->insert(
                 zset, random_below(random, ZSET_ELEMENTS), small_weight(random)) == ZS_OK);
}

static void world_init(struct world *world, const void *subject, struct random *random)
{
    const struct zset_subject *zsets = subject;

    *world = (struct world){.kind = zsets->kind, .fault = zsets->fault};
    for (unsigned i = 0; i < N_GIVEN; i++)
        fill(world, make(world), random);
}

static const char *world_end(struct world *world, const char *violation)
{
    while (world->n > 0)
        world->kind->free(world->all[--world->n]);
    return violation;
}

static void *copy(struct world *world, const void *zset)
{
    void *to = make(world);
    for (size_t i = 0; i < world->kind->len(zset); i++) {
        int64_t weight;
        unsigned element = world->kind->item(zset, i, &weight);
        must(world->kind->insert(to, element, weight) == ZS_OK);
    }
    return to;
}

static void *sum(struct world *world, const void *a, const void *b)
{
    void *to = copy(world, a);
    must(world->kind->add(to, b) == ZS_OK);
    return to;
}

static void *scaled(struct world *world, const void *zset, int64_t factor)
{
    void *to = copy(world, zset);
    must(world->kind->scale(to, factor) == ZS_OK);
    return to;
}

/* Element by element, without trusting equal. */
static bool same(const struct world *world, const void *a, const void *b)
{
    for (unsigned i = 0; i < ZSET_ELEMENTS; i++) {
        if (world->kind->weight(a, i) != world->kind->weight(b, i))
            return false;
    }
    return true;
}

static const char *not_canonical(const struct zset_kind *kind, const void *zset)
{
    unsigned previous = 0;

    for (size_t i = 0; i < kind->len(zset); i++) {
        int64_t weight;
        unsigned element = kind->item(zset, i, &weight);
        if (weight == 0)
            return property_violated("[canonical]", "element %u has weight 0", element);
        if (i > 0 && element <= previous)
            return property_violated("[canonical]", "%u follows %u", element, previous);
        previous = element;
    }
    if (kind->is_zero(zset) != (kind->len(zset) == 0))
        return property_violated("[canonical]", "zero of length %zu", kind->len(zset));
    return NULL;
}

static const char *check_canonical(const void *subject, struct random *random)
{
    struct world world;
    const char *violation;
    void *zset;

    world_init(&world, subject, random);
    zset = world.all[0];
    violation = not_canonical(world.kind, zset);
    for (unsigned i = 0; i < 4 && violation == NULL; i++) {
        if (random_once_in(random, 2))
            must(world.kind->add(zset, world.all[1]) == ZS_OK);
        else
            must(world.kind->subtract(zset, world.all[1]) == ZS_OK);
        if (random_once_in(random, 4))
            must(world.kind->scale(zset, random_between(random, -1, 1)) == ZS_OK);
        violation = not_canonical(world.kind, zset);
    }
    if (violation == NULL) {
        world.kind->distinct(zset);
        violation = not_canonical(world.kind, zset);
    }
    return world_end(&world, violation);
}

static const char *check_insertion(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    int64_t sums[ZSET_ELEMENTS] = {0};
    void *zset;

    world_init(&world, subject, random);
    zset = make(&world);
    for (unsigned n = random_below(random, 12); n > 0; n--) {
        unsigned element = random_below(random, ZSET_ELEMENTS);
        int64_t weight = small_weight(random);
        sums[element] += weight;
        must(world.kind->insert(zset, element, weight) == ZS_OK);
    }
    for (unsigned i = 0; i < ZSET_ELEMENTS && violation == NULL; i++) {
        if (world.kind->weight(zset, i) != sums[i])
            violation = property_violated("[insertion]", "element %u: %lld for %lld", i,
                (long long)world.kind->weight(zset, i), (long long)sums[i]);
    }
    return world_end(&world, violation);
}

static const char *check_sum(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    void *total;

    world_init(&world, subject, random);
    total = sum(&world, world.all[0], world.all[1]);
    for (unsigned i = 0; i < ZSET_ELEMENTS && violation == NULL; i++) {
        int64_t a = world.kind->weight(world.all[0], i);
        int64_t b = world.kind->weight(world.all[1], i);
        int64_t got = world.kind->weight(total, i);
        if (got != a + b)
            violation = property_violated(
                "[sum]", "%lld + %lld is %lld", (long long)a, (long long)b, (long long)got);
    }
    return world_end(&world, violation);
}

static const char *check_associative(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    void *left;
    void *right;

    world_init(&world, subject, random);
    left = sum(&world, sum(&world, world.all[0], world.all[1]), world.all[2]);
    right = sum(&world, world.all[0], sum(&world, world.all[1], world.all[2]));
    if (!same(&world, left, right))
        violation = property_violated("[associative]", "(a + b) + c is not a + (b + c)");
    return world_end(&world, violation);
}

static const char *check_commutative(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    if (!same(&world, sum(&world, world.all[0], world.all[1]),
            sum(&world, world.all[1], world.all[0])))
        violation = property_violated("[commutative]", "a + b is not b + a");
    return world_end(&world, violation);
}

static const char *check_neutral(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;

    world_init(&world, subject, random);
    if (!same(&world, sum(&world, world.all[0], make(&world)), world.all[0]) ||
        !same(&world, sum(&world, make(&world), world.all[0]), world.all[0]))
        violation = property_violated("[neutral]", "a + 0 is not a");
    return world_end(&world, violation);
}

static const char *check_inverse(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    void *negated;
    void *difference;

    world_init(&world, subject, random);
    negated = copy(&world, world.all[0]);
    must(world.kind->negate(negated) == ZS_OK);
    if (!world.kind->is_zero(sum(&world, world.all[0], negated)))
        violation = property_violated("[inverse]", "a + -a is not zero");
    difference = sum(&world, world.all[0], world.all[1]);
    must(world.kind->subtract(difference, world.all[1]) == ZS_OK);
    if (!same(&world, difference, world.all[0]))
        violation = property_violated("[inverse]", "(a + b) - b is not a");
    must(world.kind->subtract(difference, difference) == ZS_OK);
    if (!world.kind->is_zero(difference))
        violation = property_violated("[inverse]", "a - a is not zero");
    return world_end(&world, violation);
}

static const char *check_scaling(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    int64_t factor = random_between(random, -4, 4);
    void *once;
    void *apart;

    world_init(&world, subject, random);
    once = scaled(&world, world.all[0], factor);
    for (unsigned i = 0; i < ZSET_ELEMENTS && violation == NULL; i++) {
        if (world.kind->weight(once, i) != factor * world.kind->weight(world.all[0], i))
            violation = property_violated("[scaling]", "element %u times %d", i, (int)factor);
    }
    apart = scaled(&world, world.all[1], factor);
    must(world.kind->add(apart, once) == ZS_OK);
    once = scaled(&world, sum(&world, world.all[0], world.all[1]), factor);
    if (violation == NULL && !same(&world, once, apart))
        violation = property_violated("[scaling]", "k(a + b) is not ka + kb");
    return world_end(&world, violation);
}

static const char *check_distinction(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    void *before;
    void *zset;

    world_init(&world, subject, random);
    zset = world.all[0];
    before = copy(&world, zset);
    world.kind->distinct(zset);
    for (unsigned i = 0; i < ZSET_ELEMENTS && violation == NULL; i++) {
        int64_t was = world.kind->weight(before, i);
        int64_t is = world.kind->weight(zset, i);
        if (is != (was > 0))
            violation = property_violated(
                "[distinction]", "%lld becomes %lld", (long long)was, (long long)is);
    }
    return world_end(&world, violation);
}

static const char *check_equality(const void *subject, struct random *random)
{
    struct world world;
    const char *violation = NULL;
    void *other;

    world_init(&world, subject, random);
    other = copy(&world, world.all[0]);
    if (!world.kind->equal(world.all[0], other))
        violation = property_violated("[equality]", "a Z-set is not its copy");
    must(world.kind->insert(other, random_below(random, ZSET_ELEMENTS), 1) == ZS_OK);
    if (world.kind->equal(world.all[0], other) || world.kind->equal(other, world.all[0]))
        violation = property_violated("[equality]", "a Z-set equals another");
    return world_end(&world, violation);
}

/* Both ways, and the last sum against the sum of all. */
static const char *check_streams(const void *subject, struct random *random)
{
    struct world world;
    const struct zset_kind *kind;
    const char *violation = NULL;
    void *sums[N_GIVEN];
    void *deltas[N_GIVEN];

    world_init(&world, subject, random);
    kind = world.kind;
    must(kind->integrate(world.all, N_GIVEN, sums) == ZS_OK);
    must(kind->differentiate(sums, N_GIVEN, deltas) == ZS_OK);
    for (unsigned i = 0; i < N_GIVEN; i++) {
        if (!same(&world, deltas[i], world.all[i]))
            violation = property_violated("[streams]", "delta %u comes back otherwise", i);
        kind->free(deltas[i]);
    }
    if (!same(&world, sums[N_GIVEN - 1],
            sum(&world, sum(&world, world.all[0], world.all[1]), world.all[2])))
        violation = property_violated("[streams]", "the integral is not the sum");
    for (unsigned i = 0; i < N_GIVEN; i++)
        kind->free(sums[i]);
    return world_end(&world, violation);
}

/* At the ends of 64 bits */

static int64_t large_weight(struct random *random)
{
    static const int64_t ends[] = {INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1,
        INT64_MAX / 2, INT64_MIN / 2, INT64_MAX / 2 + 1, 1, -1, 2};
    return ends[random_below(random, sizeof(ends) / sizeof(ends[0]))];
}

enum operation { ADD, SUBTRACT, SCALE, NEGATE, INSERT, N_OPERATIONS };

/* Two Z-sets of large weights and an operation of the first with the second. */
struct extreme {
    struct world world;
    void *zset;
    void *before; /* a copy */
    void *other;
    enum operation operation;
    int64_t factor;
    unsigned element;
    int rc;
};

static void extreme_run(struct extreme *extreme, const void *subject, struct random *random)
{
    const struct zset_kind *kind;
    unsigned i;

    world_init(&extreme->world, subject, random);
    kind = extreme->world.kind;
    extreme->zset = make(&extreme->world);
    extreme->other = make(&extreme->world);
    for (i = 0; i < ZSET_ELEMENTS; i++) {
        if (random_once_in(random, 2))
            must(kind->insert(extreme->zset, i, large_weight(random)) == ZS_OK);
        if (random_once_in(random, 3))
            must(kind->insert(extreme->other, i, large_weight(random)) == ZS_OK);
    }
    extreme->before = copy(&extreme->world, extreme->zset);
    extreme->operation = (enum operation)random_below(random, N_OPERATIONS);
    extreme->factor = large_weight(random);
    extreme->element = random_below(random, ZSET_ELEMENTS);
    switch (extreme->operation) {
    case ADD:
        extreme->rc = kind->add(extreme->zset, extreme->other);
        break;
    case SUBTRACT:
        extreme->rc = kind->subtract(extreme->zset, extreme->other);
        break;
    case SCALE:
        extreme->rc = kind->scale(extreme->zset, extreme->factor);
        break;
    case NEGATE:
        extreme->rc = kind->negate(extreme->zset);
        break;
    default:
        extreme->rc = kind->insert(extreme->zset, extreme->element, extreme->factor);
        break;
    }
}

static __int128 true_weight(const struct extreme *extreme, unsigned element)
{
    const struct zset_kind *kind = extreme->world.kind;
    __int128 weight = kind->weight(extreme->before, element);
    __int128 other = kind->weight(extreme->other, element);

    switch (extreme->operation) {
    case ADD:
        return weight + other;
    case SUBTRACT:
        return weight - other;
    case SCALE:
        return weight * extreme->factor;
    case NEGATE:
        return -weight;
    default:
        return element == extreme->element ? weight + extreme->factor : weight;
    }
}

static const char *check_overflow(const void *subject, struct random *random)
{
    struct extreme extreme;
    const char *violation = NULL;
    bool overflows = false;

    extreme_run(&extreme, subject, random);
    for (unsigned i = 0; i < ZSET_ELEMENTS; i++) {
        __int128 weight = true_weight(&extreme, i);
        overflows = overflows || weight > INT64_MAX || weight < INT64_MIN;
    }
    if (extreme.rc != (overflows ? ZS_OVERFLOW : ZS_OK))
        violation = property_violated(
            "[overflow]", "operation %d gives %d", extreme.operation, extreme.rc);
    for (unsigned i = 0; i < ZSET_ELEMENTS && !overflows && violation == NULL; i++) {
        if (extreme.world.kind->weight(extreme.zset, i) != true_weight(&extreme, i))
            violation = property_violated("[overflow]", "a wrong weight");
    }
    return world_end(&extreme.world, violation);
}

static const char *check_unchanged(const void *subject, struct random *random)
{
    struct extreme extreme;
    const char *violation = NULL;

    extreme_run(&extreme, subject, random);
    if (extreme.rc != ZS_OK && !same(&extreme.world, extreme.zset, extreme.before))
        violation =
            property_violated("[unchanged]", "operation %d failed half way", extreme.operation);
    return world_end(&extreme.world, violation);
}

const struct property zset_canonical = {"[canonical]", check_canonical};
const struct property zset_insertion = {"[insertion]", check_insertion};
const struct property zset_sum = {"[sum]", check_sum};
const struct property zset_associative = {"[associative]", check_associative};
const struct property zset_commutative = {"[commutative]", check_commutative};
const struct property zset_neutral = {"[neutral]", check_neutral};
const struct property zset_inverse = {"[inverse]", check_inverse};
const struct property zset_scaling = {"[scaling]", check_scaling};
const struct property zset_distinction = {"[distinction]", check_distinction};
const struct property zset_equality = {"[equality]", check_equality};
const struct property zset_streams = {"[streams]", check_streams};
const struct property zset_overflow = {"[overflow]", check_overflow};
const struct property zset_unchanged = {"[unchanged]", check_unchanged};

const struct property *const zset_properties[] = {&zset_canonical, &zset_insertion, &zset_sum,
    &zset_associative, &zset_commutative, &zset_neutral, &zset_inverse, &zset_scaling,
    &zset_distinction, &zset_equality, &zset_streams, &zset_overflow, &zset_unchanged, NULL};
