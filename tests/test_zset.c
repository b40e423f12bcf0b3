/* Z-sets: cases, the laws, and rivals that the laws catch. */
#include <check.h>
#include <string.h>

#include "tests/check_alloc.h"
#include "tests/suite.h"
#include "tests/zset_laws.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct zs_bytes bytes(const char *text)
{
    return (struct zs_bytes){(const uint8_t *)text, strlen(text)};
}

static struct zs_zset *new_zset(const struct zs_alloc *alloc)
{
    struct zs_zset *zset;
    ck_assert_int_eq(zs_zset_new(alloc, &zset), ZS_OK);
    return zset;
}

static struct zs_zset *single(const char *key, int64_t weight)
{
    struct zs_zset *zset = new_zset(&zs_alloc_libc);
    ck_assert_int_eq(zs_zset_insert(zset, bytes(key), bytes(""), weight), ZS_OK);
    return zset;
}

static int64_t weight_of(const struct zs_zset *zset, const char *key)
{
    return zs_zset_weight(zset, bytes(key), bytes(""));
}

START_TEST(a_retraction_cancels_its_insertion)
{
    struct zs_zset *zset = single("a", 1);

    ck_assert_int_eq(zs_zset_insert(zset, bytes("a"), bytes(""), -1), ZS_OK);
    ck_assert(zs_zset_is_zero(zset));
    ck_assert_uint_eq(zs_zset_len(zset), 0);
    ck_assert_int_eq(weight_of(zset, "a"), 0);
    zs_zset_free(zset);
}
END_TEST

START_TEST(a_weight_of_zero_is_not_inserted)
{
    struct zs_zset *zset = single("a", 0);
    ck_assert(zs_zset_is_zero(zset));
    zs_zset_free(zset);
}
END_TEST

START_TEST(key_and_value_are_told_apart)
{
    struct zs_zset *zset = new_zset(&zs_alloc_libc);

    ck_assert_int_eq(zs_zset_insert(zset, bytes("ab"), bytes(""), 1), ZS_OK);
    ck_assert_int_eq(zs_zset_insert(zset, bytes("a"), bytes("b"), 2), ZS_OK);
    ck_assert_int_eq(zs_zset_insert(zset, bytes(""), bytes("ab"), 3), ZS_OK);
    ck_assert_uint_eq(zs_zset_len(zset), 3);
    ck_assert_int_eq(zs_zset_weight(zset, bytes("a"), bytes("b")), 2);
    ck_assert_int_eq(zs_zset_items(zset)[0].weight, 3);
    ck_assert_int_eq(zs_zset_items(zset)[1].weight, 2);
    ck_assert_int_eq(zs_zset_items(zset)[2].weight, 1);
    zs_zset_free(zset);
}
END_TEST

START_TEST(a_batch_is_added_whatever_its_order)
{
    struct zs_zset *zset = single("b", -2);
    struct zs_batch *batch;

    ck_assert_int_eq(zs_batch_new(&zs_alloc_libc, &batch), ZS_OK);
    ck_assert_int_eq(zs_batch_add(batch, bytes("c"), bytes(""), 1), ZS_OK);
    ck_assert_int_eq(zs_batch_add(batch, bytes("b"), bytes(""), 1), ZS_OK);
    ck_assert_int_eq(zs_batch_add(batch, bytes("a"), bytes(""), 5), ZS_OK);
    ck_assert_int_eq(zs_batch_add(batch, bytes("b"), bytes(""), 1), ZS_OK);
    ck_assert_int_eq(zs_zset_add_batch(zset, batch), ZS_OK);
    zs_batch_free(batch);
    ck_assert_uint_eq(zs_zset_len(zset), 2);
    ck_assert_int_eq(weight_of(zset, "a"), 5);
    ck_assert_int_eq(weight_of(zset, "c"), 1);
    zs_zset_free(zset);
}
END_TEST

START_TEST(overflow_depends_on_the_order_of_evaluation_and_never_gives_a_wrong_value)
{
    struct zs_zset *most = single("a", INT64_MAX);
    struct zs_zset *one = single("a", 1);
    struct zs_zset *sum = single("a", 1);

    ck_assert_int_eq(zs_zset_add(most, one), ZS_OVERFLOW);
    ck_assert_int_eq(weight_of(most, "a"), INT64_MAX);
    ck_assert_int_eq(zs_zset_subtract(sum, one), ZS_OK);
    ck_assert_int_eq(zs_zset_add(most, sum), ZS_OK);
    ck_assert_int_eq(weight_of(most, "a"), INT64_MAX);
    zs_zset_free(most);
    zs_zset_free(one);
    zs_zset_free(sum);
}
END_TEST

START_TEST(the_least_weight_has_no_negation_but_is_subtracted_from_itself)
{
    struct zs_zset *least = single("a", INT64_MIN);
    struct zs_zset *zero = new_zset(&zs_alloc_libc);

    ck_assert_int_eq(zs_zset_negate(least), ZS_OVERFLOW);
    ck_assert_int_eq(zs_zset_scale(least, -1), ZS_OVERFLOW);
    ck_assert_int_eq(zs_zset_subtract(zero, least), ZS_OVERFLOW);
    ck_assert(zs_zset_is_zero(zero));
    ck_assert_int_eq(weight_of(least, "a"), INT64_MIN);
    ck_assert_int_eq(zs_zset_subtract(least, least), ZS_OK);
    ck_assert(zs_zset_is_zero(least));
    zs_zset_free(least);
    zs_zset_free(zero);
}
END_TEST

START_TEST(scaling_by_zero_cannot_overflow_and_gives_zero)
{
    struct zs_zset *zset = single("a", INT64_MIN);

    ck_assert_int_eq(zs_zset_insert(zset, bytes("b"), bytes(""), INT64_MAX), ZS_OK);
    ck_assert_int_eq(zs_zset_scale(zset, 0), ZS_OK);
    ck_assert(zs_zset_is_zero(zset));
    zs_zset_free(zset);
}
END_TEST

START_TEST(an_overflow_in_a_stream_leaves_no_zset_behind)
{
    struct zs_zset *most = single("a", INT64_MAX);
    const struct zs_zset *deltas[] = {most, most};
    struct zs_zset *out[2] = {most, most};

    ck_assert_int_eq(zs_zset_integrate(deltas, 2, out), ZS_OVERFLOW);
    ck_assert_ptr_null(out[0]);
    ck_assert_ptr_null(out[1]);
    zs_zset_free(most);
}
END_TEST

/* Out of memory: each act once for every allocation that it makes. */

struct acting {
    struct check_alloc check;
    struct zs_zset *zset;
    struct zs_zset *other;
    struct zs_batch *batch;
    struct zs_zset *before; /* a copy that the failing allocator has no part in */
    struct zs_zset *out[2];
};

static int insert_new(void *ctx)
{
    struct acting *acting = ctx;
    return zs_zset_insert(acting->zset, bytes("new"), bytes("value"), 1);
}

static int add(void *ctx)
{
    struct acting *acting = ctx;
    return zs_zset_add(acting->zset, acting->other);
}

static int subtract(void *ctx)
{
    struct acting *acting = ctx;
    return zs_zset_subtract(acting->zset, acting->other);
}

static int add_batch(void *ctx)
{
    struct acting *acting = ctx;
    return zs_zset_add_batch(acting->zset, acting->batch);
}

static int copy(void *ctx)
{
    struct acting *acting = ctx;
    return zs_zset_copy(acting->zset, &acting->out[0]);
}

static int integrate(void *ctx)
{
    struct acting *acting = ctx;
    return zs_zset_integrate(
        (const struct zs_zset *[]){acting->zset, acting->other}, 2, acting->out);
}

static int differentiate(void *ctx)
{
    struct acting *acting = ctx;
    return zs_zset_differentiate(
        (const struct zs_zset *[]){acting->zset, acting->other}, 2, acting->out);
}

static int (*const acts[])(void *ctx) = {
    insert_new, add, subtract, add_batch, copy, integrate, differentiate};

static void assert_unchanged(void *ctx)
{
    struct acting *acting = ctx;
    ck_assert(zs_zset_equal(acting->zset, acting->before));
    ck_assert_ptr_null(acting->out[0]);
    ck_assert_ptr_null(acting->out[1]);
}

static void prepare(struct acting *acting)
{
    *acting = (struct acting){0};
    check_alloc_init(&acting->check);
    acting->zset = new_zset(&acting->check.alloc);
    acting->other = new_zset(&acting->check.alloc);
    acting->before = new_zset(&zs_alloc_libc);
    ck_assert_int_eq(zs_batch_new(&acting->check.alloc, &acting->batch), ZS_OK);
    for (char key[] = "h"; key[0] < 'p'; key[0]++) {
        ck_assert_int_eq(zs_zset_insert(acting->zset, bytes(key), bytes("x"), 2), ZS_OK);
        ck_assert_int_eq(zs_zset_insert(acting->before, bytes(key), bytes("x"), 2), ZS_OK);
    }
    for (char key[] = "z"; key[0] >= 'a'; key[0]--) {
        ck_assert_int_eq(zs_zset_insert(acting->other, bytes(key), bytes("x"), -2), ZS_OK);
        ck_assert_int_eq(zs_batch_add(acting->batch, bytes(key), bytes("x"), -2), ZS_OK);
    }
}

START_TEST(without_memory_nothing_changes)
{
    struct acting acting;

    prepare(&acting);
    ck_assert_uint_gt(check_alloc_sweep(&acting.check, acts[_i], assert_unchanged, &acting), 0);
    zs_zset_free(acting.zset);
    zs_zset_free(acting.other);
    zs_zset_free(acting.before);
    zs_batch_free(acting.batch);
    zs_zset_free(acting.out[0]);
    zs_zset_free(acting.out[1]);
    check_alloc_end(&acting.check);
}
END_TEST

START_TEST(without_memory_there_is_no_zset)
{
    struct check_alloc check;
    struct zs_zset *zset;

    check_alloc_init(&check);
    check_alloc_fail(&check, 1);
    ck_assert_int_eq(zs_zset_new(&check.alloc, &zset), ZS_NOMEM);
    ck_assert_ptr_null(zset);
    zs_zset_free(zset);
    check_alloc_end(&check);
}
END_TEST

/* The laws */

static const struct {
    enum zset_fault fault;
    const struct property *caught_by;
} rivals[] = {
    {ZSET_KEEPS_ZEROS, &zset_canonical},
    {ZSET_UNSORTED, &zset_canonical},
    {ZSET_KEEPS_EQUALS, &zset_canonical},
    {ZSET_LOSES_CROSSOVER, &zset_sum},
    {ZSET_LOSES_CROSSOVER, &zset_inverse},
    {ZSET_LOSES_CROSSOVER, &zset_commutative},
    {ZSET_SUBTRACT_ADDS, &zset_inverse},
    {ZSET_SUBTRACT_ADDS, &zset_streams},
    {ZSET_NEGATE_DOES_NOTHING, &zset_inverse},
    {ZSET_SATURATES, &zset_insertion},
    {ZSET_SATURATES, &zset_associative},
    {ZSET_ADD_DOUBLES_LAST, &zset_neutral},
    {ZSET_ADD_DOUBLES_LAST, &zset_commutative},
    {ZSET_SCALE_ADDS, &zset_scaling},
    {ZSET_DISTINCT_KEEPS_NEGATIVES, &zset_distinction},
    {ZSET_DISTINCT_KEEPS_WEIGHTS, &zset_distinction},
    {ZSET_EQUAL_WITHOUT_WEIGHTS, &zset_equality},
    {ZSET_INTEGRATE_RESTARTS, &zset_streams},
    {ZSET_DIFFERENTIATE_FROM_FIRST, &zset_streams},
    {ZSET_WRAPS, &zset_overflow},
    {ZSET_FAILS_HALF_WAY, &zset_unchanged},
};

enum { N_CASES = 500 };

START_TEST(the_zset_keeps_the_laws)
{
    static const struct zset_subject subject = {&zset_kind_real, ZSET_SOUND};
    for (unsigned i = 0; zset_properties[i] != NULL; i++)
        property_must_hold(zset_properties[i], "zset.h", &subject, N_CASES);
}
END_TEST

/* So that a law is no description of zset.c. */
START_TEST(a_sound_model_keeps_the_laws)
{
    static const struct zset_subject subject = {&zset_kind_model, ZSET_SOUND};
    for (unsigned i = 0; zset_properties[i] != NULL; i++)
        property_must_hold(zset_properties[i], "the model", &subject, N_CASES);
}
END_TEST

START_TEST(the_laws_catch_every_rival)
{
    struct zset_subject subject = {&zset_kind_model, rivals[_i].fault};
    struct rival rival = {"the model with a fault", &subject, rivals[_i].caught_by};
    property_must_catch(&rival, N_CASES);
}
END_TEST

START_TEST(every_fault_is_caught_by_a_law)
{
    bool is_caught[ZSET_N_FAULTS] = {[ZSET_SOUND] = true};

    for (size_t i = 0; i < COUNT(rivals); i++)
        is_caught[rivals[i].fault] = true;
    for (unsigned i = 0; i < ZSET_N_FAULTS; i++)
        ck_assert_msg(is_caught[i], "fault %u", i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("zset");
    TCase *cases = tcase_create("cases");
    TCase *laws = tcase_create("laws");

    random_announce();
    tcase_add_test(cases, a_retraction_cancels_its_insertion);
    tcase_add_test(cases, a_weight_of_zero_is_not_inserted);
    tcase_add_test(cases, key_and_value_are_told_apart);
    tcase_add_test(cases, a_batch_is_added_whatever_its_order);
    tcase_add_test(
        cases, overflow_depends_on_the_order_of_evaluation_and_never_gives_a_wrong_value);
    tcase_add_test(cases, the_least_weight_has_no_negation_but_is_subtracted_from_itself);
    tcase_add_test(cases, scaling_by_zero_cannot_overflow_and_gives_zero);
    tcase_add_test(cases, an_overflow_in_a_stream_leaves_no_zset_behind);
    tcase_add_loop_test(cases, without_memory_nothing_changes, 0, COUNT(acts));
    tcase_add_test(cases, without_memory_there_is_no_zset);
    tcase_add_test(laws, the_zset_keeps_the_laws);
    tcase_add_test(laws, a_sound_model_keeps_the_laws);
    tcase_add_loop_test(laws, the_laws_catch_every_rival, 0, COUNT(rivals));
    tcase_add_test(laws, every_fault_is_caught_by_a_law);
    tcase_set_timeout(laws, 120);
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, laws);
    return suite_run(suite);
}
