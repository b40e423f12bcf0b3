/* The join, as a plain struct over two traces. */
#include <check.h>

#include "tests/check_alloc.h"
#include "tests/delta_text.h"
#include "tests/join_laws.h"
#include "tests/property.h"
#include "tests/small_circuit.h"
#include "tests/suite.h"

enum { CASES = 200 };

/* A join of its own for examples: the image of (k, x) and (k, y) is k/xy. */

struct bench {
    struct zs_join join;
    struct zs_delta left;
    struct zs_delta right;
    struct zs_delta out;
};

static int concatenate(void *ctx, struct zs_bytes key, struct zs_bytes left,
    struct zs_bytes right, struct zs_buffer *out_key, struct zs_buffer *out_value)
{
    int rc = zs_buffer_append(out_key, key.data, key.len);

    if (rc == ZS_OK)
        rc = zs_buffer_append(out_value, left.data, left.len);
    if (rc == ZS_OK)
        rc = zs_buffer_append(out_value, right.data, right.len);
    return rc == ZS_OK && ctx != NULL ? *(int *)ctx : rc;
}

static void open_bench(struct bench *bench, const struct zs_alloc *alloc)
{
    *bench = (struct bench){.join = {alloc, concatenate, NULL, NULL, NULL}};
    ck_assert_int_eq(zs_memory_trace_new(alloc, &bench->join.left), ZS_OK);
    ck_assert_int_eq(zs_memory_trace_new(alloc, &bench->join.right), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench->left, alloc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench->right, alloc), ZS_OK);
    ck_assert_int_eq(zs_delta_init(&bench->out, alloc), ZS_OK);
}

static void close_bench(struct bench *bench)
{
    zs_trace_free(bench->join.left);
    zs_trace_free(bench->join.right);
    zs_delta_clear(&bench->left);
    zs_delta_clear(&bench->right);
    zs_delta_clear(&bench->out);
}

static void set(struct bench *bench, const char *left, const char *right)
{
    zs_delta_reset(&bench->left);
    zs_delta_reset(&bench->right);
    zs_delta_reset(&bench->out);
    ck_assert_int_eq(delta_read(left, &bench->left), ZS_OK);
    ck_assert_int_eq(delta_read(right, &bench->right), ZS_OK);
    ck_assert_int_eq(zs_delta_consolidate(&bench->left), ZS_OK);
    ck_assert_int_eq(zs_delta_consolidate(&bench->right), ZS_OK);
}

static int step(struct bench *bench, const char *left, const char *right)
{
    set(bench, left, right);
    return zs_join_step(&bench->join, &bench->left, &bench->right, &bench->out);
}

static const struct {
    const char *left;
    const char *right;
    const char *out;
} examples[] = {
    {"a/x+2", "", ""},                                           /* no one there */
    {"", "a/y+3 b/y+1", "a/xy+6"},                               /* weights multiply */
    {"b/x+1 b/z+1", "b/w+1", "b/xw+1 b/xy+1 b/zw+1 b/zy+1"},     /* the cross term, once */
    {"b/z-1", "b/w-1", "b/xw-1 b/zw-1 b/zy-1"},                  /* and taken back */
    {"a/x-2", "a/y-3", "a/xy-6"},                                /* nothing on either side */
    {"a/x+1", "", ""},                                           /* nothing to meet */
    {"a/x-1", "a/y+1", ""},                                      /* never met */
    {"/x+1", "/y+1", "/xy+1"},                                   /* the empty key is a key */
    {"ab/x+1", "a/b+1", ""},                                     /* keys end */
    {"!k/left+1", "!k/right+2", "!k/left+1 !k/right+2"},         /* errors of both */
    {"c/x+1 c/xy+1", "c/yz+1 c/z+1", "c/xyyz+1 c/xyz+2 c/xz+1"}, /* equal images */
};

START_TEST(a_join_makes_pairs_of_equal_keys)
{
    struct bench bench;

    open_bench(&bench, &zs_alloc_libc);
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        ck_assert_int_eq(step(&bench, examples[i].left, examples[i].right), ZS_OK);
        ck_assert_str_eq(delta_text(&bench.out), examples[i].out);
    }
    close_bench(&bench);
}
END_TEST

/* The law. */

static const struct property incremental = {JOIN_INCREMENTAL, join_check};

START_TEST(the_integral_of_a_join_is_the_join_of_the_integrals)
{
    enum join_kind kind = (enum join_kind)_i;
    property_must_hold(&incremental, join_kind_name(kind), &kind, CASES);
}
END_TEST

START_TEST(the_law_of_the_join_catches_rivals)
{
    enum join_kind kind = (enum join_kind)_i;
    struct property law = {join_kind_tag(kind), join_check};

    property_must_catch(&(struct rival){join_kind_name(kind), &kind, &law}, CASES);
}
END_TEST

/* One stream on both sides: two occurrences of one source, each with a trace of its own. */
START_TEST(a_stream_can_be_joined_with_itself)
{
    struct small small;
    struct zs_stream pairs;

    small_build(&small, &zs_alloc_libc);
    ck_assert_int_eq(zs_circuit_join(small.circuit, small.rows, small.rows, concatenate, NULL,
                         NULL, NULL, &pairs),
        ZS_OK);
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x+1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, pairs), "a/xx+1");
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/y+2"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, pairs), "a/xy+2 a/yx+2 a/yy+4");
    ck_assert_int_eq(small_push(small.circuit, small.input, "a/x-1"), ZS_OK);
    ck_assert_int_eq(zs_circuit_step(small.circuit), ZS_OK);
    ck_assert_str_eq(small_current(small.circuit, pairs), "a/xx-1 a/xy-2 a/yx-2");
    zs_circuit_free(small.circuit);
}
END_TEST

/* Failures. */

static const struct {
    const char *before[2];
    const char *fatal[2];
} overflows[] = {
    {{"a/x+3037000500", ""}, {"", "a/y+3037000500"}},           /* a product */
    {{"a/x-9223372036854775808", ""}, {"", "a/y-1"}},           /* of the least weight */
    {{"a/x+9223372036854775807", ""}, {"a/x+1", ""}},           /* the left trace */
    {{"", "a/x-9223372036854775808"}, {"", "a/x-1"}},           /* the right trace */
    {{"a/x+1", ""}, {"b/x+4294967296", "b/y+4294967296"}},      /* the cross term */
    {{"b/x+4294967296", "a/y+1"}, {"a/x+5", "b/y+4294967296"}}, /* after other keys */
};

START_TEST(a_product_or_weight_that_leaves_64_bits_is_an_overflow)
{
    struct bench bench;

    open_bench(&bench, &zs_alloc_libc);
    ck_assert_int_eq(step(&bench, overflows[_i].before[0], overflows[_i].before[1]), ZS_OK);
    ck_assert_int_eq(step(&bench, overflows[_i].fatal[0], overflows[_i].fatal[1]), ZS_OVERFLOW);
    close_bench(&bench);
}
END_TEST

START_TEST(the_extreme_products_are_none)
{
    struct bench bench;

    open_bench(&bench, &zs_alloc_libc);
    ck_assert_int_eq(
        step(&bench, "a/x-9223372036854775808 b/x+9223372036854775807", "a/y+1 b/y-1"), ZS_OK);
    ck_assert_str_eq(
        delta_text(&bench.out), "a/xy-9223372036854775808 b/xy-9223372036854775807");
    close_bench(&bench);
}
END_TEST

START_TEST(what_the_function_returns_ends_the_step)
{
    struct bench bench;
    int status = ZS_INTERRUPT;

    open_bench(&bench, &zs_alloc_libc);
    bench.join.ctx = &status;
    ck_assert_int_eq(step(&bench, "a/x+1", "b/x+1"), ZS_OK); /* there is no pair */
    ck_assert_int_eq(step(&bench, "b/x+1", ""), ZS_INTERRUPT);
    close_bench(&bench);
}
END_TEST

/* A step in a transaction of the traces' own, rolled back where it fails. */
static int act(void *ctx)
{
    struct bench *bench = ctx;
    struct zs_trace *traces[2] = {bench->join.left, bench->join.right};
    unsigned n = 0;
    int rc = ZS_OK;

    zs_delta_reset(&bench->out);
    for (; rc == ZS_OK && n < 2; n++)
        rc = traces[n]->methods->begin(traces[n]);
    if (rc != ZS_OK)
        n--;
    if (rc == ZS_OK)
        rc = zs_join_step(&bench->join, &bench->left, &bench->right, &bench->out);
    while (n-- > 0) {
        if (rc == ZS_OK)
            traces[n]->methods->commit(traces[n]);
        else
            traces[n]->methods->rollback(traces[n]);
    }
    return rc;
}

static void unchanged(void *ctx)
{
    struct bench *bench = ctx;

    ck_assert_str_eq(small_trace(bench->join.left), "a/x+1");
    ck_assert_str_eq(small_trace(bench->join.right), "a/y+1");
}

START_TEST(every_allocation_may_fail)
{
    struct check_alloc check_alloc;
    struct bench bench;

    check_alloc_init(&check_alloc);
    open_bench(&bench, &check_alloc.alloc);
    ck_assert_int_eq(step(&bench, "a/x+1", "a/y+1"), ZS_OK);
    set(&bench, "a/x-1 a/z+1 !e/bad+1", "a/w+1 b/y+1 !e/bad+1");
    ck_assert_uint_gt(check_alloc_sweep(&check_alloc, act, unchanged, &bench), 5);
    ck_assert_str_eq(delta_text(&bench.out), "a/xy-1 a/zw+1 a/zy+1 !e/bad+2");
    close_bench(&bench);
    check_alloc_end(&check_alloc);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("join");
    TCase *tcase = tcase_create("join");

    random_announce();
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_join_makes_pairs_of_equal_keys);
    tcase_add_loop_test(tcase, the_integral_of_a_join_is_the_join_of_the_integrals,
        JOIN_IN_MEMORY, JOIN_NAIVE + 1);
    tcase_add_loop_test(tcase, the_law_of_the_join_catches_rivals, JOIN_NAIVE + 1, JOIN_KINDS);
    tcase_add_test(tcase, a_stream_can_be_joined_with_itself);
    tcase_add_loop_test(tcase, a_product_or_weight_that_leaves_64_bits_is_an_overflow, 0,
        sizeof(overflows) / sizeof(overflows[0]));
    tcase_add_test(tcase, the_extreme_products_are_none);
    tcase_add_test(tcase, what_the_function_returns_ends_the_step);
    tcase_add_test(tcase, every_allocation_may_fail);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
