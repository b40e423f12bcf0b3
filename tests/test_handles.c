/* Handles: each call refuses those that are not of its circuit or not of the right kind. */
#include <check.h>
#include <stddef.h>
#include <stdlib.h>

#include "tests/small_circuit.h"
#include "tests/small_fold.h"
#include "tests/suite.h"

static int linear(void *ctx, const struct zs_batch *in, struct zs_delta *out)
{
    (void)ctx;
    (void)in;
    (void)out;
    return ZS_OK;
}

static int map(
    void *ctx, const struct zs_item *item, struct zs_buffer *key, struct zs_buffer *value)
{
    (void)ctx;
    (void)item;
    (void)key;
    (void)value;
    return ZS_OK;
}

static int filter(void *ctx, const struct zs_item *item, bool *keep)
{
    (void)ctx;
    (void)item;
    *keep = true;
    return ZS_OK;
}

static int key_of(void *ctx, const struct zs_item *item, struct zs_buffer *key)
{
    (void)ctx;
    (void)item;
    (void)key;
    return ZS_OK;
}

static int flat_map(void *ctx, const struct zs_item *item, struct zs_delta *images)
{
    (void)ctx;
    (void)item;
    (void)images;
    return ZS_OK;
}

static int join(void *ctx, struct zs_bytes key, struct zs_bytes left, struct zs_bytes right,
    struct zs_buffer *out_key, struct zs_buffer *out_value)
{
    (void)ctx;
    (void)key;
    (void)left;
    (void)right;
    (void)out_key;
    (void)out_value;
    return ZS_OK;
}

/* Every call that takes a handle, once; own is a stream of the circuit for those with two. */
enum { CALLS = 22 };
static int call(unsigned i, struct zs_circuit *circuit, struct zs_stream handle,
    struct zs_stream own, struct zs_trace *trace, struct zs_delta *delta)
{
    struct zs_input input = {handle.circuit, handle.node};
    struct zs_output output = {handle.circuit, handle.node};
    const struct zs_delta *shown;
    struct zs_stream out;

    switch (i) {
    case 0:
        return zs_circuit_linear(circuit, handle, linear, NULL, &out);
    case 1:
        return zs_circuit_map(circuit, handle, map, NULL, &out);
    case 2:
        return zs_circuit_filter(circuit, handle, filter, NULL, &out);
    case 3:
        return zs_circuit_index_by(circuit, handle, key_of, NULL, &out);
    case 4:
        return zs_circuit_plus(circuit, handle, own, &out);
    case 5:
        return zs_circuit_plus(circuit, own, handle, &out);
    case 6:
        return zs_circuit_distinct(circuit, handle, NULL, &out);
    case 7:
        return zs_circuit_aggregate(circuit, handle, &small_count, NULL, NULL, &out);
    case 8:
        return zs_circuit_store(circuit, handle, trace, NULL);
    case 9:
        return zs_circuit_output(circuit, handle, &output);
    case 10:
        return zs_circuit_current(circuit, handle, &shown);
    case 11:
        return zs_circuit_flat_map(circuit, handle, flat_map, NULL, &out);
    case 12:
        return zs_circuit_negate(circuit, handle, &out);
    case 13:
        return zs_circuit_delay(circuit, handle, &out);
    case 14:
        return zs_circuit_integrate(circuit, handle, &out);
    case 15:
        return zs_circuit_differentiate(circuit, handle, &out);
    case 16:
        return zs_circuit_join(circuit, handle, own, join, NULL, NULL, NULL, &out);
    case 17:
        return zs_circuit_join(circuit, own, handle, join, NULL, NULL, NULL, &out);
    case 18:
        return zs_circuit_top(circuit, handle, 0, 1, NULL, NULL, &out);
    case 19:
        return zs_circuit_give(circuit, input, delta->rows);
    case 20:
        return zs_circuit_push(circuit, input, delta->rows);
    default:
        return zs_circuit_take(circuit, output, delta);
    }
}

static void expect_foreign(struct small *small, unsigned i, struct zs_stream handle)
{
    struct zs_trace *trace = NULL;
    struct zs_delta delta = {0};

    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &trace), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&delta, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(call(i, small->circuit, handle, small->rows, trace, &delta), ZS_FOREIGN);
    zs_delta_clear(&delta);
    zs_trace_free(trace);
}

START_TEST(every_call_that_takes_a_handle_refuses_a_foreign_one)
{
    unsigned i = (unsigned)_i;
    bool is_push = i == CALLS - 2 || i == CALLS - 3;
    bool is_take = i == CALLS - 1;
    struct small small;
    struct small other;

    small_build(&small, &zs_alloc_libc);
    small_build(&other, &zs_alloc_libc);
    expect_foreign(&small, i, other.rows);
    expect_foreign(&small, i, (struct zs_stream){0, 0});
    expect_foreign(&small, i, (struct zs_stream){small.rows.circuit, 1000});
    expect_foreign(&small, i, (struct zs_stream){small.rows.circuit + 1, small.rows.node});
    /* Handles of the circuit itself, but of another kind. */
    if (is_push || is_take)
        expect_foreign(&small, i, small.unique);
    if (!is_take)
        expect_foreign(&small, i, (struct zs_stream){small.output.circuit, small.output.node});
    zs_circuit_free(other.circuit);
    zs_circuit_free(small.circuit);
}
END_TEST

/* An allocation table that puts the first block, a circuit, always in the same place. */
struct place {
    struct zs_alloc alloc;
    _Alignas(max_align_t) unsigned char bytes[1024];
    bool is_taken;
};

static void *place_resize(void *ctx, void *p, size_t n)
{
    struct place *place = ctx;

    if (p == NULL && !place->is_taken && n <= sizeof(place->bytes)) {
        place->is_taken = true;
        return place->bytes;
    }
    return realloc(p, n);
}

static void place_release(void *ctx, void *p)
{
    struct place *place = ctx;

    if (p == place->bytes)
        place->is_taken = false;
    else
        free(p);
}

START_TEST(a_handle_of_a_circuit_that_is_gone_is_foreign_to_the_next_at_its_address)
{
    struct place place = {.alloc = {place_resize, place_release, &place}};

    for (unsigned i = 0; i < 1000; i++) {
        struct small gone;
        struct small small;
        small_build(&gone, &place.alloc);
        zs_circuit_free(gone.circuit);
        small_build(&small, &place.alloc);
        ck_assert_ptr_eq(small.circuit, gone.circuit);
        expect_foreign(&small, 10, gone.rows);
        zs_circuit_free(small.circuit);
    }
}
END_TEST

START_TEST(a_join_needs_two_traces)
{
    struct small small;
    struct zs_trace *trace = NULL;
    struct zs_stream out;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &trace), ZS_OK);
    ck_assert_int_eq(
        zs_circuit_join(small.circuit, small.rows, small.rows, join, NULL, trace, trace, &out),
        ZS_MISUSE);
    ck_assert_int_eq(
        zs_circuit_join(small.circuit, small.rows, small.rows, join, NULL, trace, NULL, &out),
        ZS_OK);
    zs_circuit_free(small.circuit);
    zs_trace_free(trace);
}
END_TEST

START_TEST(a_call_that_fails_gives_a_handle_that_is_refused)
{
    struct small small;
    struct zs_stream out = {1, 1};
    const struct zs_delta *delta;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(
        zs_circuit_distinct(small.circuit, (struct zs_stream){0}, NULL, &out), ZS_FOREIGN);
    ck_assert_int_eq(zs_circuit_current(small.circuit, out, &delta), ZS_FOREIGN);
    ck_assert_ptr_null(delta);
    zs_circuit_free(small.circuit);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("handles");
    TCase *tcase = tcase_create("handles");

    tcase_add_loop_test(tcase, every_call_that_takes_a_handle_refuses_a_foreign_one, 0, CALLS);
    tcase_add_test(
        tcase, a_handle_of_a_circuit_that_is_gone_is_foreign_to_the_next_at_its_address);
    tcase_add_test(tcase, a_join_needs_two_traces);
    tcase_add_test(tcase, a_call_that_fails_gives_a_handle_that_is_refused);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
