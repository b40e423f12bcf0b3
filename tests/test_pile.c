/* Elements that were piled up are, consolidated, what a batch of them is. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/pile.h"
#include "tests/check_alloc.h"
#include "tests/must.h"
#include "tests/random.h"
#include "tests/suite.h"

/* How elements are drawn: a key is so many equal bytes and then one of so many numbers, a value
** one of so many. */
static const struct course {
    unsigned n;
    unsigned n_equal; /* bytes: from 112 on, elements are compared as a whole */
    unsigned n_keys;
    unsigned n_values;
    int64_t weight; /* or its opposite, once in three */
} courses[] = {{0, 0, 1, 1, 1}, {1, 0, 1, 1, 1}, {20, 0, 3, 2, 1}, {400, 0, 1000000, 3, 1},
    {700, 3, 5, 5, 100}, {3000, 0, 1, 1, 1}, {3000, 9, 1, 2000, 1}, {3000, 20, 40, 1, 5000},
    {3000, 200, 900, 3, 1}, {40000, 1, 1000000000, 2, 1}, {40000, 0, 300, 400, 1}};
enum { N_COURSES = sizeof(courses) / sizeof(*courses), LEN = 300 };

/* The number in base 5, so that one ends where another goes on. */
static struct zs_bytes draw(
    struct random *random, unsigned n_equal, unsigned n, uint8_t bytes[LEN])
{
    size_t len = n_equal;

    memset(bytes, 'e', n_equal);
    for (unsigned number = random_below(random, n); number > 0; number /= 5)
        bytes[len++] = (uint8_t)(number % 5 * 63);
    return (struct zs_bytes){bytes, len};
}

static void add_one(const struct course *course, struct random *random, struct zs_pile *pile,
    struct zs_batch *naive)
{
    uint8_t key_bytes[LEN], value_bytes[LEN];
    struct zs_bytes key = draw(random, course->n_equal, course->n_keys, key_bytes);
    struct zs_bytes value = draw(random, 0, course->n_values, value_bytes);
    int64_t weight = random_once_in(random, 3) ? -course->weight : course->weight;

    must(zs_pile_add(pile, key, value, weight) == ZS_OK);
    must(zs_batch_add(naive, key, value, weight) == ZS_OK);
}

static void must_be_same(struct zs_pile *pile, struct zs_batch *naive)
{
    bool is_plain = true;

    must(zs_pile_consolidate(pile) == ZS_OK);
    must(zs_batch_consolidate(naive) == ZS_OK);
    ck_assert_uint_eq(zs_pile_len(pile), zs_batch_len(naive));
    for (size_t i = 0; i < zs_pile_len(pile); i++) {
        const struct zs_item a = zs_pile_item(pile, i), *b = &zs_batch_items(naive)[i];
        must(zs_bytes_equal(a.key, b->key) && zs_bytes_equal(a.value, b->value) &&
             a.weight == b->weight);
        if (a.weight <= 0 || (i > 0 && zs_bytes_equal(b[-1].key, b->key)))
            is_plain = false;
    }
    ck_assert(zs_pile_is_plain(pile) == is_plain);
}

static void must_keep(struct zs_pile *pile, struct zs_batch *naive, size_t n)
{
    must(zs_pile_keep(pile, n) == ZS_OK);
    ck_assert_uint_eq(zs_pile_len(pile), n);
    for (size_t i = 0; i < n; i++)
        must(zs_bytes_equal(zs_pile_item(pile, i).key, zs_batch_items(naive)[i].key));
}

START_TEST(a_pile_is_what_a_batch_is)
{
    const struct course *course = &courses[_i];
    struct random random = random_new((uint64_t)_i);
    struct zs_batch *naive;
    struct zs_pile *pile;

    must(zs_pile_new(&zs_alloc_libc, &pile) == ZS_OK);
    must(zs_batch_new(&zs_alloc_libc, &naive) == ZS_OK);
    for (int round = 0; round < 3; round++) {
        for (unsigned i = 0; i < course->n; i++)
            add_one(course, &random, pile, naive);
        must_be_same(pile, naive); /* more comes behind what was put in order */
    }
    for (size_t i = 0; i < zs_pile_len(pile); i += 3) {
        const struct zs_item item = zs_pile_item(pile, i);
        int64_t weight = random_between(&random, -200, 200);

        must(zs_batch_add(naive, item.key, item.value, weight) == ZS_OK);
        must(zs_pile_add_weight(pile, i, weight) == ZS_OK);
    }
    must_be_same(pile, naive);
    must_keep(pile, naive, zs_pile_len(pile) / 2);
    zs_pile_reset(pile);
    ck_assert_uint_eq(zs_pile_len(pile), 0);
    zs_pile_free(pile);
    zs_batch_free(naive);
}
END_TEST

START_TEST(a_weight_that_leaves_64_bits_is_an_overflow)
{
    const struct zs_bytes key = {(const uint8_t *)"k", 1}, value = {NULL, 0};
    struct zs_pile *pile;

    must(zs_pile_new(&zs_alloc_libc, &pile) == ZS_OK);
    must(zs_pile_add(pile, key, value, INT64_MAX) == ZS_OK);
    ck_assert_int_eq(zs_pile_add_weight(pile, 0, 1), ZS_OVERFLOW);
    must(zs_pile_add(pile, key, value, 1) == ZS_OK);
    ck_assert_int_eq(zs_pile_consolidate(pile), ZS_OVERFLOW);
    ck_assert_uint_eq(zs_pile_len(pile), 2);
    must(zs_pile_add(pile, key, value, -1) == ZS_OK);
    ck_assert_int_eq(zs_pile_consolidate(pile), ZS_OK);
    ck_assert_uint_eq(zs_pile_len(pile), 1);
    ck_assert_int_eq(zs_pile_item(pile, 0).weight, INT64_MAX);
    zs_pile_free(pile);
}
END_TEST

/* The sum of all weights, which nothing that fails changes. */
static int64_t sum_of(const struct zs_pile *pile)
{
    int64_t sum = 0;

    for (size_t i = 0; i < zs_pile_len(pile); i++)
        sum += zs_pile_item(pile, i).weight;
    return sum;
}

/* Adding, weights that become longer and consolidating, each tried until it is done. */
START_TEST(what_lacks_memory_changes_no_sum)
{
    const struct zs_bytes value = {NULL, 0};
    struct check_alloc check;
    struct zs_pile *pile;
    unsigned n_failed = 0;
    int64_t sum = 0;

    check_alloc_init(&check);
    must(zs_pile_new(&check.alloc, &pile) == ZS_OK);
    for (unsigned i = 0; i < 600; i++) {
        uint8_t byte = (uint8_t)(i % 50);
        const struct zs_bytes key = {&byte, 1};
        int rc;

        for (unsigned n = 1; n < 9; n++) {
            check_alloc_fail(&check, n == 8 ? 0 : n);
            rc = i % 100 == 99  ? zs_pile_consolidate(pile)
                 : i % 100 > 80 ? zs_pile_add_weight(pile, i % 40, 60)
                                : zs_pile_add(pile, key, value, 60);
            sum += rc == ZS_OK && i % 100 != 99 ? 60 : 0;
            must(sum_of(pile) == sum);
            if (rc == ZS_OK)
                break;
            must(rc == ZS_NOMEM);
            n_failed++;
        }
        must(rc == ZS_OK);
    }
    ck_assert_uint_gt(n_failed, 5);
    zs_pile_free(pile);
    check_alloc_end(&check);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pile");
    TCase *tests = tcase_create("pile");

    random_announce();
    tcase_add_loop_test(tests, a_pile_is_what_a_batch_is, 0, N_COURSES);
    tcase_add_test(tests, a_weight_that_leaves_64_bits_is_an_overflow);
    tcase_add_test(tests, what_lacks_memory_changes_no_sum);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
