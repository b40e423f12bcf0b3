/* Rows that are gathered are what a batch of them is, however often they come again. */
#include <check.h>
#include <string.h>

#include "ext/batchtable.h"
#include "ext/gather.h"
#include "ext/statement.h"
#include "tests/must.h"
#include "tests/random.h"
#include "tests/suite.h"

/* A course of additions. */
static const struct course {
    unsigned n;         /* rows that are added */
    unsigned n_numbers; /* how many numbers there are */
    unsigned n_rows;    /* rows under each */
    unsigned settles;   /* once in so many */
} courses[] = {{0, 1, 1, 1}, {10, 3, 2, 4}, {31, 31, 1, 50}, {33, 5, 1, 50}, {5000, 40, 3, 700},
    {5000, 2000, 1, 1000}, {30000, 9000, 2, 10000}, {30000, 1000000, 1, 20000},
    {400000, 1000000000, 1, 1000000}};
enum { N_COURSES = sizeof(courses) / sizeof(*courses) };

static int64_t draw_number(struct random *random, unsigned n)
{
    return (int64_t)(random_below(random, n) * UINT64_C(0x9e3779b97f4a7c15) >> 1);
}

static void add(struct ls_gather *gather, struct zs_batch *naive, int64_t number,
    struct zs_bytes row, int64_t weight)
{
    uint8_t key[LS_NUMBER_SIZE];

    ls_batchtable_number(number, key);
    must(ls_gather_add(gather, number, row, weight) == ZS_OK);
    must(zs_batch_add(naive, (struct zs_bytes){key, sizeof(key)}, row, weight) == ZS_OK);
}

static void must_be_like(struct ls_gather *gather, struct zs_batch *naive)
{
    const struct zs_pile *rows;

    must(ls_gather_rows(gather, &rows) == ZS_OK);
    must(zs_batch_consolidate(naive) == ZS_OK);
    ck_assert_uint_eq(zs_pile_len(rows), zs_batch_len(naive));
    for (size_t i = 0; i < zs_pile_len(rows); i++) {
        const struct zs_item a = zs_pile_item(rows, i), *b = &zs_batch_items(naive)[i];
        must(zs_bytes_equal(a.key, b->key) && zs_bytes_equal(a.value, b->value) &&
             a.weight == b->weight);
    }
}

START_TEST(gathered_rows_are_those_that_were_added)
{
    const struct course *course = &courses[_i];
    struct random random = random_new((uint64_t)_i);
    struct ls_gather *gather;
    struct zs_batch *naive;

    must(ls_gather_new(&gather) == ZS_OK);
    must(zs_batch_new(&ls_alloc, &naive) == ZS_OK);
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < course->n; i++) {
            char text[] = "a row 0";

            text[6] = (char)('0' + random_below(&random, course->n_rows));
            add(gather, naive, draw_number(&random, course->n_numbers),
                (struct zs_bytes){(const uint8_t *)text, 4 + random_below(&random, 2) * 3},
                random_once_in(&random, 3) ? -1 : 1);
            if (random_once_in(&random, course->settles))
                must(ls_gather_settle(gather) == ZS_OK);
        }
        must_be_like(gather, naive);
        ls_gather_reset(gather);
        zs_batch_reset(naive);
    }
    ls_gather_free(gather);
    zs_batch_free(naive);
}
END_TEST

START_TEST(rows_that_come_again_take_hardly_any_memory)
{
    struct ls_gather *gather;
    size_t size = 0;

    must(ls_gather_new(&gather) == ZS_OK);
    for (int i = 0; i < 20000; i++) {
        const struct zs_bytes row = {(const uint8_t *)"a row", 5};

        must(ls_gather_add(gather, i % 100, row, 1) == ZS_OK);
        if (i == 1000)
            size = ls_gather_size(gather);
    }
    ck_assert_uint_le(ls_gather_size(gather), 2 * size); /* their weights become longer */
    ls_gather_free(gather);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gather");
    TCase *tests = tcase_create("gather");

    random_announce();
    tcase_add_loop_test(tests, gathered_rows_are_those_that_were_added, 0, N_COURSES);
    tcase_add_test(tests, rows_that_come_again_take_hardly_any_memory);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
