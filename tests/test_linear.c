/* The linear operators, as plain functions of deltas. */
#include <check.h>

#include "core/linear.h"
#include "tests/check_alloc.h"
#include "tests/delta_text.h"
#include "tests/operator_law.h"
#include "tests/property.h"
#include "tests/suite.h"

enum { CASES = 200 };

/* The functions of a variant. */

static int map(
    void *ctx, const struct zs_item *item, struct zs_buffer *key, struct zs_buffer *value)
{
    struct model_bytes from[2] = {model_bytes(item->key), model_bytes(item->value)};
    struct model_bytes to[2];
    int rc;

    graph_map(*(unsigned *)ctx, &from[0], &from[1], &to[0], &to[1]);
    rc = zs_buffer_append(key, to[0].data, to[0].len);
    return rc == ZS_OK ? zs_buffer_append(value, to[1].data, to[1].len) : rc;
}

static int filter(void *ctx, const struct zs_item *item, bool *keep)
{
    struct model_bytes key = model_bytes(item->key);
    struct model_bytes value = model_bytes(item->value);

    *keep = graph_keeps(*(unsigned *)ctx, &key, &value);
    return ZS_OK;
}

static int key_of(void *ctx, const struct zs_item *item, struct zs_buffer *key)
{
    struct model_bytes old_key = model_bytes(item->key);
    struct model_bytes value = model_bytes(item->value);
    struct model_bytes new_key;

    graph_key(*(unsigned *)ctx, &old_key, &value, &new_key);
    return zs_buffer_append(key, new_key.data, new_key.len);
}

static int add_images(
    unsigned variant, const struct zs_item *item, int64_t weight, struct zs_delta *out)
{
    struct model_element element = {model_bytes(item->key), model_bytes(item->value), weight};
    struct graph_image image[2];
    unsigned n = graph_images(variant, &element, image);
    int rc = ZS_OK;

    for (unsigned k = 0; rc == ZS_OK && k < n; k++)
        rc = zs_batch_add(image[k].is_error ? out->errors : out->rows,
            model_as_bytes(&image[k].element.key), model_as_bytes(&image[k].element.value),
            image[k].element.weight);
    return rc;
}

static int images(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < zs_batch_len(in); i++) {
        const struct zs_item *item = &zs_batch_items(in)[i];
        rc = add_images(*(unsigned *)ctx, item, item->weight, out);
    }
    return rc;
}

static int images_of_one(void *ctx, const struct zs_item *item, struct zs_delta *out)
{
    return add_images(*(unsigned *)ctx, item, 1, out);
}

/* The operators. */

struct linear {
    struct graph_node node;
    const struct zs_alloc *alloc;
};

static int step(void *state, const struct zs_delta *in, struct zs_delta *out)
{
    struct linear *linear = state;
    void *variant = &linear->node.variant;

    switch (linear->node.kind) {
    case GRAPH_MAP:
        return zs_delta_map(linear->alloc, map, variant, in, out);
    case GRAPH_FILTER:
        return zs_delta_filter(filter, variant, in, out);
    case GRAPH_INDEX_BY:
        return zs_delta_index_by(linear->alloc, key_of, variant, in, out);
    case GRAPH_FLAT_MAP:
        return zs_delta_flat_map(linear->alloc, images_of_one, variant, in, out);
    case GRAPH_NEGATE:
        return zs_delta_negate(in, out);
    default:
        return zs_delta_linear(images, variant, in, out);
    }
}

static const enum graph_kind kinds[] = {
    GRAPH_MAP, GRAPH_FILTER, GRAPH_INDEX_BY, GRAPH_LINEAR, GRAPH_FLAT_MAP, GRAPH_NEGATE};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* subject: the real operator, or a naive one with a fault. */
struct contestant {
    enum graph_kind kind;
    bool is_naive;
    enum operator_fault fault;
};

static const char *check(const void *subject, struct random *random)
{
    const struct contestant *contestant = subject;
    struct linear linear = {
        {.kind = contestant->kind, .variant = random_below(random, 3)}, &zs_alloc_libc};

    if (contestant->is_naive)
        return operator_check_naive(contestant->fault, &linear.node, random);
    return operator_check(&(struct subject){linear.node, step, &linear}, random);
}

START_TEST(the_integral_of_a_linear_operator_is_the_operator_of_the_integral)
{
    static const struct property incremental = {OPERATOR_INCREMENTAL, check};
    struct contestant contestant = {.kind = kinds[_i]};

    property_must_hold(&incremental, "the operator", &contestant, CASES);
    contestant.is_naive = true;
    property_must_hold(&incremental, "naive", &contestant, CASES);
}
END_TEST

static const enum operator_fault faults[] = {OPERATOR_NEGATES, OPERATOR_FORGETS,
    OPERATOR_NEVER_RETRACTS, OPERATOR_IGNORES_NEGATIVE, OPERATOR_REPEATS, OPERATOR_COUNTS_ONCE,
    OPERATOR_DROPS_ERRORS};

START_TEST(the_law_of_linear_operators_catches_rivals)
{
    struct property law = {operator_fault_tag(faults[_i]), check};

    for (unsigned i = 0; i < KINDS; i++) {
        struct contestant contestant = {kinds[i], true, faults[_i]};
        property_must_catch(
            &(struct rival){operator_fault_name(faults[_i]), &contestant, &law}, CASES);
    }
}
END_TEST

/* Examples and failures. */

struct bench {
    struct linear linear;
    struct zs_delta in;
    struct zs_delta out;
};

START_TEST(plus_adds_rows_and_errors)
{
    struct bench a;
    struct zs_delta b = {0};

    ck_assert_int_eq(zs_delta_init(&a.in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&a.out, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&b, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(delta_read("a/x+1 b/y+2 !e/bad+1", &a.in), ZS_OK);
    ck_assert_int_eq(delta_read("a/x-1 b/y+3 c/z-1 !e/bad+1", &b), ZS_OK);
    ck_assert_int_eq(zs_delta_plus(&a.in, &b, &a.out), ZS_OK);
    ck_assert_str_eq(delta_text(&a.out), "b/y+5 c/z-1 !e/bad+2");
    zs_delta_clear(&a.in);
    zs_delta_clear(&a.out);
    zs_delta_clear(&b);
}
END_TEST

static int to_one(
    void *ctx, const struct zs_item *item, struct zs_buffer *key, struct zs_buffer *value)
{
    (void)ctx;
    (void)item;
    (void)key;
    return zs_buffer_append(value, "one", 3);
}

START_TEST(map_into_equal_images_adds_their_weights)
{
    struct bench bench;

    ck_assert_int_eq(zs_delta_init(&bench.in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench.out, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(delta_read("a/x+5 a/y-2 b/x+4", &bench.in), ZS_OK);
    ck_assert_int_eq(zs_delta_map(&zs_alloc_libc, to_one, NULL, &bench.in, &bench.out), ZS_OK);
    ck_assert_str_eq(delta_text(&bench.out), "/one+7");
    zs_delta_clear(&bench.in);
    zs_delta_clear(&bench.out);
}
END_TEST

static int twice(void *ctx, const struct zs_item *item, struct zs_delta *images)
{
    int rc = zs_batch_add(images->rows, item->key, item->value, 2);

    (void)ctx;
    return rc == ZS_OK ? zs_batch_add(images->errors, item->key, item->value, -2) : rc;
}

START_TEST(flat_map_multiplies_weights_and_negate_inverts_them_or_they_overflow)
{
    static const char *const largest = "a/x+4611686018427387904";
    struct bench bench;

    ck_assert_int_eq(zs_delta_init(&bench.in, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench.out, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(delta_read("a/x+3 b/y-1", &bench.in), ZS_OK);
    ck_assert_int_eq(
        zs_delta_flat_map(&zs_alloc_libc, twice, NULL, &bench.in, &bench.out), ZS_OK);
    ck_assert_str_eq(delta_text(&bench.out), "a/x+6 b/y-2 !a/x-6 !b/y+2");
    zs_delta_reset(&bench.in);
    ck_assert_int_eq(delta_read(largest, &bench.in), ZS_OK);
    ck_assert_int_eq(
        zs_delta_flat_map(&zs_alloc_libc, twice, NULL, &bench.in, &bench.out), ZS_OVERFLOW);
    zs_delta_reset(&bench.in);
    ck_assert_int_eq(delta_read("a/x-9223372036854775808", &bench.in), ZS_OK);
    ck_assert_int_eq(zs_delta_negate(&bench.in, &bench.out), ZS_OVERFLOW);
    zs_delta_clear(&bench.in);
    zs_delta_clear(&bench.out);
}
END_TEST

static int act(void *ctx)
{
    struct bench *bench = ctx;

    zs_delta_reset(&bench->out);
    return step(&bench->linear, &bench->in, &bench->out);
}

static void nothing(void *ctx)
{
    (void)ctx;
}

START_TEST(every_allocation_may_fail)
{
    struct check_alloc check_alloc;
    struct bench bench = {{{.kind = kinds[_i]}, &check_alloc.alloc}, {0}, {0}};

    check_alloc_init(&check_alloc);
    ck_assert_int_eq(zs_delta_init(&bench.in, &check_alloc.alloc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench.out, &check_alloc.alloc), ZS_OK);
    ck_assert_int_eq(delta_read("a/x+1 a/y+1 b/z+2 !d/bad+1", &bench.in), ZS_OK);
    ck_assert_uint_gt(check_alloc_sweep(&check_alloc, act, nothing, &bench), 1);
    zs_delta_clear(&bench.in);
    zs_delta_clear(&bench.out);
    check_alloc_end(&check_alloc);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("linear");
    TCase *tcase = tcase_create("linear");

    random_announce();
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(
        tcase, the_integral_of_a_linear_operator_is_the_operator_of_the_integral, 0, KINDS);
    tcase_add_loop_test(tcase, the_law_of_linear_operators_catches_rivals, 0,
        sizeof(faults) / sizeof(faults[0]));
    tcase_add_test(tcase, plus_adds_rows_and_errors);
    tcase_add_test(tcase, map_into_equal_images_adds_their_weights);
    tcase_add_test(tcase, flat_map_multiplies_weights_and_negate_inverts_them_or_they_overflow);
    tcase_add_loop_test(tcase, every_allocation_may_fail, 0, KINDS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
