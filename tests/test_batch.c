/* Batches and deltas: cases, the laws of consolidation, and rivals that the laws catch. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sort.h"
#include "tests/batch_laws.h"
#include "tests/check_alloc.h"
#include "tests/must.h"
#include "tests/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct zs_bytes bytes(const char *text)
{
    return (struct zs_bytes){(const uint8_t *)text, strlen(text)};
}

static struct zs_batch *new_batch(const struct zs_alloc *alloc)
{
    struct zs_batch *batch;
    ck_assert_int_eq(zs_batch_new(alloc, &batch), ZS_OK);
    return batch;
}

static void add(struct zs_batch *batch, const char *key, const char *value, int64_t weight)
{
    must(zs_batch_add(batch, bytes(key), bytes(value), weight) == ZS_OK);
}

/* "key:value*weight" of each item, a space before all but the first. */
static void assert_items(const struct zs_batch *batch, const char *expected)
{
    char shown[400] = "";
    size_t len = 0;

    for (size_t i = 0; i < zs_batch_len(batch); i++) {
        const struct zs_item *item = &zs_batch_items(batch)[i];
        len += (size_t)snprintf(shown + len, sizeof(shown) - len, "%s%.*s:%.*s*%lld",
            i == 0 ? "" : " ", (int)item->key.len, (const char *)item->key.data,
            (int)item->value.len, (const char *)item->value.data, (long long)item->weight);
    }
    ck_assert_str_eq(shown, expected);
}

START_TEST(a_new_batch_is_empty_and_canonical)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    ck_assert_uint_eq(zs_batch_len(batch), 0);
    ck_assert(zs_batch_is_consolidated(batch));
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    zs_batch_free(batch);
    zs_batch_free(NULL);
}
END_TEST

START_TEST(consolidating_sorts_sums_and_drops_zeros)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    add(batch, "b", "y", 1);
    add(batch, "a", "", 2);
    add(batch, "b", "x", 1);
    add(batch, "", "z", 4);
    add(batch, "b", "y", -1);
    add(batch, "a", "", 3);
    add(batch, "ab", "", 1);
    ck_assert(!zs_batch_is_consolidated(batch));
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    ck_assert(zs_batch_is_consolidated(batch));
    assert_items(batch, ":z*4 a:*5 ab:*1 b:x*1");
    zs_batch_free(batch);
}
END_TEST

START_TEST(a_weight_of_zero_is_not_added)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    add(batch, "a", "", 0);
    ck_assert_uint_eq(zs_batch_len(batch), 0);
    ck_assert(zs_batch_is_consolidated(batch));
    zs_batch_free(batch);
}
END_TEST

START_TEST(what_is_added_in_ascending_order_is_canonical)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    add(batch, "a", "", -1);
    ck_assert(zs_batch_is_consolidated(batch));
    add(batch, "b", "", 1);
    add(batch, "b", "x", -1);
    ck_assert(zs_batch_is_consolidated(batch));
    add(batch, "b", "x", 1);
    ck_assert(!zs_batch_is_consolidated(batch));
    add(batch, "c", "", 1);
    ck_assert(!zs_batch_is_consolidated(batch));
    zs_batch_free(batch);
}
END_TEST

START_TEST(what_is_added_out_of_order_is_not_canonical)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    add(batch, "b", "", 1);
    add(batch, "a", "", 1);
    ck_assert(!zs_batch_is_consolidated(batch));
    add(batch, "c", "", 1);
    ck_assert(!zs_batch_is_consolidated(batch));
    zs_batch_free(batch);
}
END_TEST

START_TEST(overflow_does_not_depend_on_the_order_of_addition)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    add(batch, "a", "", INT64_MAX);
    add(batch, "a", "", 1);
    add(batch, "b", "", INT64_MIN);
    add(batch, "b", "", -1);
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OVERFLOW);
    ck_assert_uint_eq(zs_batch_len(batch), 4);
    add(batch, "a", "", -1);
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OVERFLOW);
    add(batch, "b", "", 1);
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    assert_items(batch, "a:*9223372036854775807 b:*-9223372036854775808");
    zs_batch_free(batch);
}
END_TEST

START_TEST(an_items_bytes_stay_where_they_are_while_more_are_added)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);
    struct zs_bytes first;

    add(batch, "first", "", 1);
    first = zs_batch_items(batch)[0].key;
    for (unsigned i = 0; i < 10000; i++) {
        char key[16];
        snprintf(key, sizeof(key), "%u", i);
        add(batch, key, "some value", 1);
    }
    ck_assert_ptr_eq(zs_batch_items(batch)[0].key.data, first.data);
    ck_assert(zs_bytes_equal(first, bytes("first")));
    zs_batch_free(batch);
}
END_TEST

START_TEST(a_batch_can_be_added_to_itself)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    for (unsigned i = 0; i < 9; i++)
        add(batch, i % 2 == 0 ? "a" : "b", "", 1);
    ck_assert_int_eq(zs_batch_add_all(batch, batch, 1), ZS_OK);
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    assert_items(batch, "a:*10 b:*8");
    ck_assert_int_eq(zs_batch_add_all(batch, batch, -1), ZS_OK);
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    assert_items(batch, "");
    zs_batch_free(batch);
}
END_TEST

START_TEST(an_items_own_bytes_can_be_added_again)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    add(batch, "key", "value", 1);
    for (unsigned i = 0; i < 100; i++) {
        struct zs_item item = zs_batch_items(batch)[i];
        ck_assert_int_eq(zs_batch_add(batch, item.key, item.value, 1), ZS_OK);
    }
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    assert_items(batch, "key:value*101");
    zs_batch_free(batch);
}
END_TEST

START_TEST(what_is_canonical_stays_so_in_an_empty_batch)
{
    struct zs_batch *from = new_batch(&zs_alloc_libc);
    struct zs_batch *to = new_batch(&zs_alloc_libc);

    add(from, "b", "", 1);
    add(from, "a", "", 1);
    ck_assert_int_eq(zs_batch_add_all(to, from, 1), ZS_OK);
    ck_assert(!zs_batch_is_consolidated(to));
    zs_batch_reset(to);
    ck_assert_int_eq(zs_batch_consolidate(from), ZS_OK);
    ck_assert_int_eq(zs_batch_add_all(to, from, -1), ZS_OK);
    ck_assert(zs_batch_is_consolidated(to));
    assert_items(to, "a:*-1 b:*-1");
    ck_assert_int_eq(zs_batch_add_all(to, from, 1), ZS_OK);
    ck_assert(!zs_batch_is_consolidated(to));
    zs_batch_free(from);
    zs_batch_free(to);
}
END_TEST

START_TEST(a_sign_that_overflows_adds_nothing)
{
    struct zs_batch *from = new_batch(&zs_alloc_libc);
    struct zs_batch *to = new_batch(&zs_alloc_libc);

    add(to, "a", "", 1);
    add(from, "b", "", 1);
    add(from, "c", "", INT64_MIN);
    ck_assert_int_eq(zs_batch_add_all(to, from, -1), ZS_OVERFLOW);
    assert_items(to, "a:*1");
    ck_assert(zs_batch_is_consolidated(to));
    zs_batch_free(from);
    zs_batch_free(to);
}
END_TEST

START_TEST(a_reset_batch_is_as_good_as_new)
{
    struct check_alloc check;
    struct zs_batch *batch;

    check_alloc_init(&check);
    batch = new_batch(&check.alloc);
    for (unsigned size = 1; size < 200000; size *= 7) {
        for (unsigned i = 0; i < size; i++) {
            char key[16];
            snprintf(key, sizeof(key), "%u", i * 2654435761u % size);
            add(batch, key, "value", 1);
        }
        ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
        zs_batch_reset(batch);
        ck_assert_uint_eq(zs_batch_len(batch), 0);
        ck_assert(zs_batch_is_consolidated(batch));
    }
    add(batch, "a", "b", 1);
    assert_items(batch, "a:b*1");
    zs_batch_free(batch);
    check_alloc_end(&check);
}
END_TEST

START_TEST(a_steady_batch_asks_for_no_memory)
{
    struct check_alloc check;
    struct zs_batch *batch;

    check_alloc_init(&check);
    batch = new_batch(&check.alloc);
    for (unsigned round = 0; round < 10; round++) {
        zs_batch_reset(batch);
        if (round == 8)
            check_alloc_fail(&check, 1);
        for (unsigned i = 0; i < 10; i++)
            add(batch, i % 2 == 0 ? "odd" : "even", "a value of some length", 1);
        ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    }
    zs_batch_free(batch);
    check_alloc_end(&check);
}
END_TEST

START_TEST(an_element_of_any_length_fits)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);
    size_t len = (size_t)3 << 20;
    uint8_t *long_bytes = calloc(1, len);

    ck_assert_ptr_nonnull(long_bytes);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(zs_batch_add(batch, (struct zs_bytes){long_bytes, len - i},
                             (struct zs_bytes){NULL, 0}, 1),
            ZS_OK);
    ck_assert_int_eq(zs_batch_add(batch, (struct zs_bytes){long_bytes, SIZE_MAX - 1},
                         (struct zs_bytes){long_bytes, 2}, 1),
        ZS_NOMEM);
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    ck_assert_uint_eq(zs_batch_len(batch), 3);
    ck_assert_uint_eq(zs_batch_items(batch)[0].key.len, len - 2);
    zs_batch_reset(batch);
    zs_batch_free(batch);
    free(long_bytes);
}
END_TEST

/* Each shares one byte more with the next: every level of the sort sets but a few apart, and
** what is left at its greatest depth must be sorted all the same. */
START_TEST(elements_that_share_ever_more_are_sorted)
{
    enum { N = 1500 };
    static uint8_t key[N + 1];
    struct zs_batch *batch = new_batch(&zs_alloc_libc);

    memset(key, 'x', N);
    for (unsigned i = 0; i < N; i++) {
        unsigned len = i * 977 % N;
        key[len] = 'y';
        ck_assert_int_eq(
            zs_batch_add(batch, (struct zs_bytes){key, len + 1}, (struct zs_bytes){NULL, 0}, 1),
            ZS_OK);
        key[len] = 'x';
    }
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    ck_assert_uint_eq(zs_batch_len(batch), N);
    for (unsigned i = 0; i < N; i++)
        ck_assert_uint_eq(zs_batch_items(batch)[i].key.len, N - i);
    zs_batch_free(batch);
}
END_TEST

START_TEST(many_of_few_elements_are_sorted_in_all_their_parts)
{
    struct zs_batch *batch = new_batch(&zs_alloc_libc);
    struct random random = random_new(4);

    for (unsigned i = 0; i < 20000; i++) {
        static const char *const parts[] = {"", "same beginning", "same beginning and more"};
        add(batch, parts[random_below(&random, 3)], parts[random_below(&random, 3)], 1);
    }
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    ck_assert_uint_eq(zs_batch_len(batch), 9);
    for (unsigned i = 1; i < 9; i++)
        ck_assert_int_lt(
            zs_item_compare(&zs_batch_items(batch)[i - 1], &zs_batch_items(batch)[i]), 0);
    zs_batch_free(batch);
}
END_TEST

/* Deltas */

static struct zs_delta new_delta(const struct zs_alloc *alloc)
{
    struct zs_delta delta;
    ck_assert_int_eq(zs_delta_init(&delta, alloc), ZS_OK);
    return delta;
}

START_TEST(rows_and_errors_of_a_delta_stay_apart)
{
    struct zs_delta a = new_delta(&zs_alloc_libc);
    struct zs_delta b = new_delta(&zs_alloc_libc);

    add(a.rows, "", "row", 1);
    add(b.rows, "", "row", 1);
    add(b.rows, "", "other", 1);
    add(b.errors, "where", "message", 1);
    ck_assert_int_eq(zs_delta_add_all(&a, &b, -1), ZS_OK);
    ck_assert_int_eq(zs_delta_consolidate(&a), ZS_OK);
    assert_items(a.rows, ":other*-1");
    assert_items(a.errors, "where:message*-1");
    zs_delta_reset(&a);
    assert_items(a.rows, "");
    assert_items(a.errors, "");
    zs_delta_clear(&a);
    zs_delta_clear(&a);
    zs_delta_clear(&b);
}
END_TEST

START_TEST(errors_that_overflow_leave_the_rows_too)
{
    struct zs_delta a = new_delta(&zs_alloc_libc);
    struct zs_delta b = new_delta(&zs_alloc_libc);

    add(a.rows, "", "kept", 1);
    add(b.rows, "", "row", 1);
    add(b.errors, "", "error", INT64_MIN);
    ck_assert_int_eq(zs_delta_add_all(&a, &b, -1), ZS_OVERFLOW);
    assert_items(a.rows, ":kept*1");
    assert_items(a.errors, "");
    ck_assert(zs_batch_is_consolidated(a.rows));
    zs_delta_clear(&a);
    zs_delta_clear(&b);
}
END_TEST

/* Out of memory */

struct acting {
    struct check_alloc check;
    struct zs_delta delta;
    struct zs_delta other;
    char long_value[300];
};

static int act_add(void *ctx)
{
    struct acting *acting = ctx;
    return zs_batch_add(acting->delta.rows, bytes("key"), bytes(acting->long_value), 1);
}

static int act_add_all(void *ctx)
{
    struct acting *acting = ctx;
    return zs_delta_add_all(&acting->delta, &acting->other, -1);
}

static int act_consolidate(void *ctx)
{
    struct acting *acting = ctx;
    return zs_delta_consolidate(&acting->delta);
}

static int (*const acts[])(void *ctx) = {act_add, act_add_all, act_consolidate};

enum { N_ACTING = 40 };

static void assert_unchanged(void *ctx)
{
    struct acting *acting = ctx;
    uint64_t seen = 0;

    ck_assert_uint_eq(zs_batch_len(acting->delta.rows), N_ACTING);
    for (unsigned i = 0; i < N_ACTING; i++) {
        const struct zs_item *item = &zs_batch_items(acting->delta.rows)[i];
        ck_assert_int_eq(item->weight, item->key.data[0] - 'A' + 1);
        seen |= UINT64_C(1) << (item->key.data[0] - 'A');
    }
    ck_assert_uint_eq(seen, (UINT64_C(1) << N_ACTING) - 1);
    ck_assert_uint_eq(zs_batch_len(acting->delta.errors), N_ACTING);
    ck_assert(!zs_batch_is_consolidated(acting->delta.errors));
}

START_TEST(without_memory_nothing_changes)
{
    struct acting acting;

    check_alloc_init(&acting.check);
    memset(acting.long_value, 'v', sizeof(acting.long_value) - 1);
    acting.long_value[sizeof(acting.long_value) - 1] = '\0';
    acting.delta = new_delta(&acting.check.alloc);
    acting.other = new_delta(&acting.check.alloc);
    for (unsigned i = 0; i < N_ACTING; i++) {
        unsigned mixed = i * 17 % N_ACTING;
        add(acting.delta.rows, (char[]){(char)('A' + mixed), '\0'}, "", mixed + 1);
        add(acting.delta.errors, (char[]){(char)('A' + mixed), '\0'}, "", 1);
        add(acting.other.rows, "key", acting.long_value, i + 1);
        add(acting.other.errors, "key", acting.long_value, i + 1);
    }
    ck_assert_uint_gt(check_alloc_sweep(&acting.check, acts[_i], assert_unchanged, &acting), 0);
    zs_delta_clear(&acting.delta);
    zs_delta_clear(&acting.other);
    check_alloc_end(&acting.check);
}
END_TEST

START_TEST(without_memory_there_is_no_batch_and_no_delta)
{
    struct check_alloc check;
    struct zs_batch *batch;
    struct zs_delta delta;

    check_alloc_init(&check);
    check_alloc_fail(&check, 1);
    ck_assert_int_eq(zs_batch_new(&check.alloc, &batch), ZS_NOMEM);
    ck_assert_ptr_null(batch);
    for (unsigned n = 1; n <= 2; n++) {
        check_alloc_fail(&check, n);
        ck_assert_int_eq(zs_delta_init(&delta, &check.alloc), ZS_NOMEM);
        ck_assert_ptr_null(delta.rows);
        ck_assert_ptr_null(delta.errors);
    }
    check_alloc_end(&check);
}
END_TEST

/* The laws */

static const struct {
    enum batch_fault fault;
    const struct property *caught_by;
} rivals[] = {
    {BATCH_KEEPS_ZEROS, &batch_canonical},
    {BATCH_UNSORTED, &batch_canonical},
    {BATCH_LOSES_CROSSOVER, &batch_sum},
    {BATCH_KEEPS_EQUALS, &batch_canonical},
    {BATCH_KEEPS_EQUALS, &batch_sum},
    {BATCH_IGNORES_VALUES, &batch_sum},
    {BATCH_LOOKS_AT_EIGHT_BYTES, &batch_sum},
    {BATCH_PADS_WITH_ZEROS, &batch_sum},
    {BATCH_SIGNED_BYTES, &batch_canonical},
    {BATCH_SHORT_FIRST, &batch_canonical},
    {BATCH_IGNORES_SIGN, &batch_sum},
    {BATCH_WRAPS, &batch_overflow},
    {BATCH_SUMS_IN_ORDER, &batch_overflow},
    {BATCH_MERGES_BEFORE_OVERFLOW, &batch_unchanged},
};

enum { N_CASES = 1500 };

START_TEST(the_batch_keeps_the_laws)
{
    static const struct batch_subject subject = {&batch_kind_real, BATCH_SOUND};
    for (unsigned i = 0; batch_properties[i] != NULL; i++)
        property_must_hold(batch_properties[i], "batch.h", &subject, N_CASES);
}
END_TEST

START_TEST(a_sound_model_keeps_the_laws)
{
    static const struct batch_subject subject = {&batch_kind_model, BATCH_SOUND};
    for (unsigned i = 0; batch_properties[i] != NULL; i++)
        property_must_hold(batch_properties[i], "the model", &subject, N_CASES / 4);
}
END_TEST

START_TEST(the_laws_catch_every_rival)
{
    struct batch_subject subject = {&batch_kind_model, rivals[_i].fault};
    struct rival rival = {"the model with a fault", &subject, rivals[_i].caught_by};
    property_must_catch(&rival, N_CASES);
}
END_TEST

START_TEST(every_fault_is_caught_by_a_law)
{
    bool is_caught[BATCH_N_FAULTS] = {[BATCH_SOUND] = true};

    for (size_t i = 0; i < COUNT(rivals); i++)
        is_caught[rivals[i].fault] = true;
    for (unsigned i = 0; i < BATCH_N_FAULTS; i++)
        ck_assert_msg(is_caught[i], "fault %u", i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("batch");
    TCase *cases = tcase_create("cases");
    TCase *laws = tcase_create("laws");

    random_announce();
    tcase_add_test(cases, a_new_batch_is_empty_and_canonical);
    tcase_add_test(cases, consolidating_sorts_sums_and_drops_zeros);
    tcase_add_test(cases, a_weight_of_zero_is_not_added);
    tcase_add_test(cases, what_is_added_in_ascending_order_is_canonical);
    tcase_add_test(cases, what_is_added_out_of_order_is_not_canonical);
    tcase_add_test(cases, overflow_does_not_depend_on_the_order_of_addition);
    tcase_add_test(cases, an_items_bytes_stay_where_they_are_while_more_are_added);
    tcase_add_test(cases, a_batch_can_be_added_to_itself);
    tcase_add_test(cases, an_items_own_bytes_can_be_added_again);
    tcase_add_test(cases, what_is_canonical_stays_so_in_an_empty_batch);
    tcase_add_test(cases, a_sign_that_overflows_adds_nothing);
    tcase_add_test(cases, a_reset_batch_is_as_good_as_new);
    tcase_add_test(cases, a_steady_batch_asks_for_no_memory);
    tcase_add_test(cases, an_element_of_any_length_fits);
    tcase_add_test(cases, elements_that_share_ever_more_are_sorted);
    tcase_add_test(cases, many_of_few_elements_are_sorted_in_all_their_parts);
    tcase_add_test(cases, rows_and_errors_of_a_delta_stay_apart);
    tcase_add_test(cases, errors_that_overflow_leave_the_rows_too);
    tcase_add_loop_test(cases, without_memory_nothing_changes, 0, COUNT(acts));
    tcase_add_test(cases, without_memory_there_is_no_batch_and_no_delta);
    tcase_add_test(laws, the_batch_keeps_the_laws);
    tcase_add_test(laws, a_sound_model_keeps_the_laws);
    tcase_add_loop_test(laws, the_laws_catch_every_rival, 0, COUNT(rivals));
    tcase_add_test(laws, every_fault_is_caught_by_a_law);
    tcase_set_timeout(cases, 60);
    tcase_set_timeout(laws, 300);
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, laws);
    return suite_run(suite);
}
