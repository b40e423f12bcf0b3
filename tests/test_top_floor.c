/* top over a trace that keeps the first elements only, beside one over a trace that keeps all. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "core/top.h"
#include "tests/delta_text.h"
#include "tests/must.h"
#include "tests/property.h"
#include "tests/suite.h"

enum { CASES = 300, STEPS = 60 };

/* A top with what it is given and gives. */
struct bench {
    struct zs_top top;
    struct zs_delta in, out;
};

static void open_bench(struct bench *bench, int64_t offset, int64_t limit, bool has_floor)
{
    *bench = (struct bench){
        .top = {.alloc = &zs_alloc_libc, .offset = offset, .limit = limit, .floor = NULL}};
    must(zs_memory_trace_new(&zs_alloc_libc, &bench->top.trace) == ZS_OK);
    if (has_floor)
        must(zs_memory_cells_new(&zs_alloc_libc, &bench->top.floor) == ZS_OK);
    must(zs_delta_init(&bench->in, &zs_alloc_libc) == ZS_OK);
    must(zs_delta_init(&bench->out, &zs_alloc_libc) == ZS_OK);
}

static void close_bench(struct bench *bench)
{
    zs_trace_free(bench->top.trace);
    zs_cells_free(bench->top.floor);
    zs_delta_clear(&bench->in);
    zs_delta_clear(&bench->out);
}

static int step(struct bench *bench)
{
    int rc;

    zs_delta_reset(&bench->out);
    must(zs_delta_consolidate(&bench->in) == ZS_OK);
    must(zs_trace_begin(bench->top.trace) == ZS_OK);
    rc = zs_top_step(&bench->top, &bench->in, &bench->out);
    if (rc == ZS_OK)
        zs_trace_commit(bench->top.trace);
    else
        zs_trace_rollback(bench->top.trace);
    must(rc != ZS_OK || zs_delta_consolidate(&bench->out) == ZS_OK);
    return rc;
}

static int step_text(struct bench *bench, const char *in)
{
    zs_delta_reset(&bench->in);
    must(delta_read(in, &bench->in) == ZS_OK);
    return step(bench);
}

static const char *kept_by(const struct bench *bench)
{
    struct zs_delta state = {0};
    const char *text;

    must(zs_delta_init(&state, &zs_alloc_libc) == ZS_OK);
    must(zs_trace_range(bench->top.trace, zs_span_all(), 0, state.rows) == ZS_OK);
    text = delta_text(&state);
    zs_delta_clear(&state);
    return text;
}

static void set_floor(struct bench *bench, const char *key, const char *value)
{
    const struct zs_item last = {
        {(const uint8_t *)key, strlen(key)}, {(const uint8_t *)value, strlen(value)}, 1};

    must(zs_top_set_floor(&bench->top, &last) == ZS_OK);
}

START_TEST(what_comes_behind_the_floor_is_not_kept)
{
    struct bench bench;

    open_bench(&bench, 1, 2, true);
    ck_assert_int_eq(step_text(&bench, "a/x+1 b/x+1 c/x+1 d/x+2 e/x+1"), ZS_OK);
    set_floor(&bench, "e", "x");
    ck_assert_int_eq(step_text(&bench, "bb/x+1 e/y+1 f/x+3"), ZS_OK);
    ck_assert_str_eq(delta_text(&bench.out), "bb/x+1 c/x-1");
    ck_assert_str_eq(kept_by(&bench), "a/x+1 b/x+1 bb/x+1 c/x+1 d/x+2 e/x+1");
    ck_assert_int_eq(step_text(&bench, "e/x-1 e/y-1 f/x-1 z/z-1"), ZS_OK);
    ck_assert_str_eq(delta_text(&bench.out), "");
    ck_assert_str_eq(kept_by(&bench), "a/x+1 b/x+1 bb/x+1 c/x+1 d/x+2");
    close_bench(&bench);
}
END_TEST

START_TEST(too_few_that_are_kept_are_not_enough)
{
    struct bench bench;

    open_bench(&bench, 1, 2, true);
    ck_assert_int_eq(step_text(&bench, "a/x+1 b/x+1 c/x+1 d/x+1"), ZS_OK);
    set_floor(&bench, "d", "x");
    ck_assert_int_eq(step_text(&bench, "a/x-1"), ZS_OK);
    ck_assert_str_eq(delta_text(&bench.out), "b/x-1 d/x+1");
    ck_assert_int_eq(step_text(&bench, "c/x-1 e/x+1"), ZS_EXHAUSTED);
    ck_assert_str_eq(kept_by(&bench), "b/x+1 c/x+1 d/x+1");
    ck_assert_int_eq(step_text(&bench, "c/x-1 d/w+1"), ZS_OK);
    close_bench(&bench);
}
END_TEST

START_TEST(a_floor_of_other_bytes_is_corrupt)
{
    static const uint8_t bytes[] = {9, 'a'};
    struct bench bench;

    open_bench(&bench, 0, 1, true);
    must(zs_cells_put(bench.top.floor, (struct zs_bytes){bytes, 0},
             (struct zs_bytes){bytes, sizeof(bytes)}) == ZS_OK);
    ck_assert_int_eq(step_text(&bench, "a/x+1"), ZS_CORRUPT);
    must(zs_cells_put(bench.top.floor, (struct zs_bytes){bytes, 0},
             (struct zs_bytes){bytes, 0}) == ZS_OK);
    ck_assert_int_eq(step_text(&bench, "a/x+1"), ZS_CORRUPT);
    close_bench(&bench);
}
END_TEST

/* The law: whatever comes, the top with a floor says what the one that keeps all says, or that
** it has too little; and that only where it has. */

enum how { SOUND, FORGETS_FLOOR, FORGETS_FIRST };

/* Some elements come, and some that are there next to each other go, as a whole or in part. */
static void change(struct random *random, const struct bench *all, struct zs_batch *delta)
{
    struct zs_batch *there = NULL;
    size_t n, first;

    must(zs_batch_new(&zs_alloc_libc, &there) == ZS_OK);
    must(zs_trace_range(all->top.trace, zs_span_all(), 0, there) == ZS_OK);
    n = zs_batch_len(there);
    first = random_below(random, (unsigned)n + 1);
    for (size_t i = first; i < n && i < first + 3; i++) {
        const struct zs_item *item = &zs_batch_items(there)[i];

        must(zs_batch_add(delta, item->key, item->value,
                 -1 - (int64_t)random_below(random, (unsigned)item->weight)) == ZS_OK);
    }
    for (unsigned i = random_below(random, 4); i > 0; i--) {
        const uint8_t key[2] = {(uint8_t)random_below(random, 12), 1};
        const uint8_t value = (uint8_t)random_below(random, 2);

        must(zs_batch_add(delta, (struct zs_bytes){key, 1 + random_below(random, 2)},
                 (struct zs_bytes){&value, 1}, 1 + random_below(random, 2)) == ZS_OK);
    }
    zs_batch_free(there);
}

/* As a build does: the first elements, with places enough, or all. */
static void fill(struct bench *few, const struct bench *all, struct random *random)
{
    struct zs_delta head = {0};
    const struct zs_item *items;
    int64_t left = zs_top_end(&few->top) + random_below(random, 6);
    size_t n = 0, len;

    must(zs_delta_init(&head, &zs_alloc_libc) == ZS_OK);
    must(zs_trace_range(all->top.trace, zs_span_all(), 0, head.rows) == ZS_OK);
    items = zs_batch_items(head.rows);
    len = zs_batch_len(head.rows);
    zs_trace_free(few->top.trace);
    zs_cells_free(few->top.floor);
    must(zs_memory_trace_new(&zs_alloc_libc, &few->top.trace) == ZS_OK);
    must(zs_memory_cells_new(&zs_alloc_libc, &few->top.floor) == ZS_OK);
    for (; n < len && left > 0; n++)
        left -= items[n].weight;
    must(zs_trace_apply_all(few->top.trace, items, n) == ZS_OK);
    if (n > 0 && n < len)
        must(zs_top_set_floor(&few->top, &items[n - 1]) == ZS_OK);
    zs_delta_clear(&head);
}

static int64_t count_places(const struct bench *bench)
{
    struct zs_delta state = {0};
    int64_t n = 0;

    must(zs_delta_init(&state, &zs_alloc_libc) == ZS_OK);
    must(zs_trace_range(bench->top.trace, zs_span_all(), 0, state.rows) == ZS_OK);
    for (size_t i = 0; i < zs_batch_len(state.rows); i++)
        n += zs_batch_items(state.rows)[i].weight;
    zs_delta_clear(&state);
    return n;
}

static const char *compare_outputs(const struct bench *few, const struct bench *all)
{
    char expected[2000];

    snprintf(expected, sizeof(expected), "%s", delta_text(&all->out));
    return strcmp(delta_text(&few->out), expected) == 0
               ? NULL
               : property_violated("[floor]", "%s, not %s", delta_text(&few->out), expected);
}

static const char *take_one(
    struct bench *few, struct bench *all, enum how how, struct random *random)
{
    struct zs_cells *floor = few->top.floor;
    int64_t before, lost = 0;
    int rc;

    zs_delta_reset(&all->in);
    change(random, all, all->in.rows);
    must(zs_delta_consolidate(&all->in) == ZS_OK);
    must(step(all) == ZS_OK);
    before = count_places(few);
    zs_delta_reset(&few->in);
    must(zs_delta_add_all(&few->in, &all->in, 1) == ZS_OK);
    for (size_t i = 0; i < zs_batch_len(all->in.rows); i++)
        if (zs_batch_items(all->in.rows)[i].weight < 0)
            lost -= zs_batch_items(all->in.rows)[i].weight;
    if (how == FORGETS_FLOOR)
        few->top.floor = NULL;
    rc = step(few);
    few->top.floor = floor;
    if (rc == ZS_OK)
        return compare_outputs(few, all);
    if (rc != ZS_EXHAUSTED)
        return property_violated("[status]", "%d", rc);
    if (before - lost >= zs_top_end(&few->top))
        return property_violated("[early]", "%d of %d lost", (int)lost, (int)before);
    fill(few, all, random);
    return NULL;
}

static const char *check(const void *subject, struct random *random)
{
    enum how how = *(const enum how *)subject;
    struct bench few, all;
    const char *violation = NULL;
    int64_t offset = random_below(random, 3), limit = random_below(random, 4);

    open_bench(&all, offset, limit, false);
    open_bench(&few, offset, limit, true);
    for (unsigned i = 0; violation == NULL && i < STEPS; i++) {
        if (random_once_in(random, 20))
            fill(&few, &all, random);
        if (how == FORGETS_FIRST && i == STEPS / 2)
            few.top.offset++;
        violation = take_one(&few, &all, how, random);
    }
    close_bench(&few);
    close_bench(&all);
    return violation;
}

static const struct property floored = {"[floor]", check};

START_TEST(a_floor_changes_nothing_that_is_shown)
{
    static const enum how how = SOUND;

    property_must_hold(&floored, "sound", &how, CASES);
}
END_TEST

START_TEST(what_a_floor_changes_is_caught)
{
    enum how how = (enum how)_i;

    property_must_catch(&(struct rival){"a rival", &how, &floored}, CASES);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("top_floor");
    TCase *tcase = tcase_create("top_floor");

    random_announce();
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, what_comes_behind_the_floor_is_not_kept);
    tcase_add_test(tcase, too_few_that_are_kept_are_not_enough);
    tcase_add_test(tcase, a_floor_of_other_bytes_is_corrupt);
    tcase_add_test(tcase, a_floor_changes_nothing_that_is_shown);
    tcase_add_loop_test(
        tcase, what_a_floor_changes_is_caught, FORGETS_FLOOR, FORGETS_FIRST + 1);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
