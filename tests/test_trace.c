/* Traces: cases, the laws of traces, and rivals that the laws catch. */
#include <check.h>
#include <string.h>

#include "tests/check_alloc.h"
#include "tests/must.h"
#include "tests/suite.h"
#include "tests/trace_laws.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct zs_bytes bytes(const char *text)
{
    return (struct zs_bytes){(const uint8_t *)text, strlen(text)};
}

/* Spans */

static const struct {
    const char *prefix;
    const char *to; /* NULL: no bound */
} prefixes[] = {
    {"", NULL},
    {"a", "b"},
    {"ab", "ac"},
    {"a\xff", "b"},
    {"a\xff\xff", "b"},
    {"\xff", NULL},
    {"\xff\xff", NULL},
    {"\xff.", "\xff/"},
    {"\xfe\xff", "\xff"},
};

START_TEST(a_prefix_spans_what_begins_with_it)
{
    struct zs_buffer end;
    struct zs_span span;

    zs_buffer_init(&end, &zs_alloc_libc);
    ck_assert_int_eq(zs_span_prefix(bytes(prefixes[_i].prefix), &end, &span), ZS_OK);
    ck_assert(zs_bytes_equal(span.from, bytes(prefixes[_i].prefix)));
    ck_assert_int_eq(span.to.data != NULL, prefixes[_i].to != NULL);
    if (prefixes[_i].to != NULL)
        ck_assert(zs_bytes_equal(span.to, bytes(prefixes[_i].to)));
    zs_buffer_clear(&end);
}
END_TEST

START_TEST(a_prefix_without_memory_has_no_end)
{
    struct check_alloc check;
    struct zs_buffer end;
    struct zs_span span;

    check_alloc_init(&check);
    zs_buffer_init(&end, &check.alloc);
    check_alloc_fail(&check, 1);
    ck_assert_int_eq(zs_span_prefix(bytes("a"), &end, &span), ZS_NOMEM);
    zs_buffer_clear(&end);
    check_alloc_end(&check);
}
END_TEST

/* Format 1 of a trace over cells: what is in them outlives the program that wrote it. */
static const struct {
    const char *key;
    const char *value;
    int64_t weight;
    const char *cell_key;
    const char *cell_value;
    size_t cell_value_len;
} formats[] = {
    {"k.", "value", 1, "Tk.value", "\x02\x02", 2},
    {"k.", "", -1, "Tk.", "\x01\x02", 2},
    {"long.", "v", 64, "Tlong.v", "\x80\x01\x05", 3},
    {"m.", "", INT64_MIN, "Tm.", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02", 11},
    {"m.", "", INT64_MAX, "Tm.", "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02", 11},
};

START_TEST(an_element_is_a_cell_as_the_format_says)
{
    struct zs_cells *cells;
    struct zs_trace *trace;
    struct zs_bytes got;
    bool found;

    ck_assert_int_eq(zs_memory_cells_new(&zs_alloc_libc, &cells), ZS_OK);
    ck_assert_int_eq(zs_cells_trace_new(&zs_alloc_libc, cells, 'T', &trace), ZS_OK);
    ck_assert_int_eq(zs_trace_apply(trace, bytes(formats[_i].key), bytes(formats[_i].value),
                         formats[_i].weight),
        ZS_OK);
    ck_assert_int_eq(zs_cells_get(cells, bytes(formats[_i].cell_key), &got, &found), ZS_OK);
    ck_assert(found);
    ck_assert(zs_bytes_equal(got, (struct zs_bytes){(const uint8_t *)formats[_i].cell_value,
                                      formats[_i].cell_value_len}));
    ck_assert_uint_eq(zs_memory_cells_len(cells), 1);
    zs_trace_free(trace);
    zs_cells_free(cells);
}
END_TEST

/* Values of cells that no trace wrote. */
static const struct {
    const char *value;
    size_t len;
} corrupt[] = {{"", 0}, {"\x02", 1}, {"\x02\x80", 2}, {"\x02\x01 ", 3}, {"\x00\x01", 2},
    {"\x02\x7f", 2}, {"\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11}};

START_TEST(cells_that_no_trace_wrote_are_corrupt)
{
    struct zs_cells *cells;
    struct zs_trace *trace;
    struct zs_batch *out;
    struct zs_bytes value = {(const uint8_t *)corrupt[_i].value, corrupt[_i].len};

    ck_assert_int_eq(zs_memory_cells_new(&zs_alloc_libc, &cells), ZS_OK);
    ck_assert_int_eq(zs_cells_trace_new(&zs_alloc_libc, cells, 'T', &trace), ZS_OK);
    ck_assert_int_eq(zs_batch_new(&zs_alloc_libc, &out), ZS_OK);
    ck_assert_int_eq(zs_cells_put(cells, bytes("Tkv"), value), ZS_OK);
    ck_assert_int_eq(zs_trace_range(trace, zs_span_all(), 0, out), ZS_CORRUPT);
    ck_assert_int_eq(zs_trace_lookup(trace, bytes("k"), zs_span_all(), 0, out), ZS_CORRUPT);
    ck_assert_uint_eq(zs_batch_len(out), 0);
    zs_batch_free(out);
    zs_trace_free(trace);
    zs_cells_free(cells);
}
END_TEST

START_TEST(a_retraction_cancels_its_insertion)
{
    struct zs_cells *cells;
    struct zs_trace *trace;

    ck_assert_int_eq(zs_memory_cells_new(&zs_alloc_libc, &cells), ZS_OK);
    ck_assert_int_eq(zs_cells_trace_new(&zs_alloc_libc, cells, 0, &trace), ZS_OK);
    ck_assert_int_eq(zs_trace_apply(trace, bytes("k"), bytes("v"), 2), ZS_OK);
    ck_assert_int_eq(zs_trace_apply(trace, bytes("k"), bytes("v"), 0), ZS_OK);
    ck_assert_int_eq(zs_trace_apply(trace, bytes("k"), bytes("v"), -2), ZS_OK);
    ck_assert_int_eq(zs_trace_apply(trace, bytes("k"), bytes("v"), 0), ZS_OK);
    ck_assert_uint_eq(zs_memory_cells_len(cells), 0);
    zs_trace_free(trace);
    zs_trace_free(NULL);
    zs_cells_free(cells);
}
END_TEST

/* An empty bound is a bound: nothing is less. */
START_TEST(a_span_to_the_empty_bytes_is_empty)
{
    static const uint8_t nothing[1];
    struct zs_span span = {{NULL, 0}, {nothing, 0}};
    struct trace_home homes[2];

    trace_make_memory(TRACE_SOUND, &homes[0]);
    trace_make_over_cells(TRACE_SOUND, &homes[1]);
    for (unsigned i = 0; i < 2; i++) {
        struct zs_batch *out;
        ck_assert_int_eq(zs_batch_new(&zs_alloc_libc, &out), ZS_OK);
        ck_assert_int_eq(zs_trace_apply(homes[i].trace, bytes(""), bytes(""), 1), ZS_OK);
        ck_assert_int_eq(zs_trace_range(homes[i].trace, span, 0, out), ZS_OK);
        ck_assert_int_eq(zs_trace_range(homes[i].trace, span, -1, out), ZS_OK);
        ck_assert_int_eq(zs_trace_lookup(homes[i].trace, bytes(""), span, 0, out), ZS_OK);
        ck_assert_uint_eq(zs_batch_len(out), 0);
        zs_batch_free(out);
        trace_home_clear(&homes[i]);
    }
}
END_TEST

START_TEST(many_elements_are_read_as_the_batch_that_they_came_from)
{
    struct random random = random_new(5);
    struct zs_trace *trace;
    struct zs_batch *batch;
    struct zs_batch *out;

    ck_assert_int_eq(zs_memory_trace_new(&zs_alloc_libc, &trace), ZS_OK);
    ck_assert_int_eq(zs_batch_new(&zs_alloc_libc, &batch), ZS_OK);
    ck_assert_int_eq(zs_batch_new(&zs_alloc_libc, &out), ZS_OK);
    for (unsigned i = 0; i < 30000; i++) {
        uint64_t key = random_next(&random) % 3000;
        uint64_t value = random_next(&random) % 3;
        struct zs_bytes key_bytes = {(const uint8_t *)&key, 1 + i % 8};
        struct zs_bytes value_bytes = {(const uint8_t *)&value, 1};
        int64_t weight = random_between(&random, -1, 1);

        must(zs_trace_apply(trace, key_bytes, value_bytes, weight) == ZS_OK);
        must(zs_batch_add(batch, key_bytes, value_bytes, weight) == ZS_OK);
    }
    ck_assert_int_eq(zs_batch_consolidate(batch), ZS_OK);
    ck_assert_int_eq(zs_trace_range(trace, zs_span_all(), 0, out), ZS_OK);
    ck_assert_uint_eq(zs_batch_len(out), zs_batch_len(batch));
    ck_assert_int_eq(zs_batch_add_all(out, batch, -1), ZS_OK);
    ck_assert_int_eq(zs_batch_consolidate(out), ZS_OK);
    ck_assert_uint_eq(zs_batch_len(out), 0);
    zs_batch_free(out);
    zs_batch_free(batch);
    zs_trace_free(trace);
}
END_TEST

/* Out of memory */

struct acting {
    struct check_alloc check;
    struct zs_cells *cells;
    struct zs_trace *trace;
    struct zs_batch *out;
};

static int apply_new(void *ctx)
{
    struct acting *acting = ctx;
    return zs_trace_apply(acting->trace, bytes("new."), bytes("a value of some length"), 1);
}

static int apply_more(void *ctx)
{
    struct acting *acting = ctx;
    return zs_trace_apply(acting->trace, bytes("k."), bytes("v"), INT64_MAX / 2);
}

static int apply_away(void *ctx)
{
    struct acting *acting = ctx;
    return zs_trace_apply(acting->trace, bytes("k."), bytes("v"), -5);
}

static int lookup(void *ctx)
{
    struct acting *acting = ctx;
    struct zs_span span = {bytes("a"), bytes("w")};
    return zs_trace_lookup(acting->trace, bytes("k."), span, -1, acting->out);
}

static int range(void *ctx)
{
    struct acting *acting = ctx;
    struct zs_span span = {bytes("a"), bytes("z")};
    return zs_trace_range(acting->trace, span, -9, acting->out);
}

static int begin(void *ctx)
{
    struct acting *acting = ctx;
    return acting->trace->methods->begin(acting->trace);
}

static int (*const acts[])(void *ctx) = {
    apply_new, apply_more, apply_away, lookup, range, begin};

static void assert_unchanged(void *ctx)
{
    struct acting *acting = ctx;
    struct zs_batch *out;

    ck_assert_int_eq(zs_batch_new(&zs_alloc_libc, &out), ZS_OK);
    ck_assert_int_eq(zs_trace_range(acting->trace, zs_span_all(), 0, out), ZS_OK);
    ck_assert_uint_eq(zs_batch_len(out), 1);
    ck_assert_int_eq(zs_batch_items(out)[0].weight, 5);
    zs_batch_free(out);
    zs_batch_reset(acting->out);
}

/* Even acts: in memory; odd ones: over cells. A new trace each time, with no memory kept. */
START_TEST(without_memory_nothing_changes)
{
    struct acting acting = {.cells = NULL};
    const struct zs_alloc *alloc = &acting.check.alloc;

    check_alloc_init(&acting.check);
    if (_i % 2 == 0) {
        ck_assert_int_eq(zs_memory_trace_new(alloc, &acting.trace), ZS_OK);
    } else {
        ck_assert_int_eq(zs_memory_cells_new(alloc, &acting.cells), ZS_OK);
        ck_assert_int_eq(zs_cells_trace_new(alloc, acting.cells, 3, &acting.trace), ZS_OK);
    }
    ck_assert_int_eq(zs_batch_new(alloc, &acting.out), ZS_OK);
    ck_assert_int_eq(zs_trace_apply(acting.trace, bytes("k."), bytes("v"), 5), ZS_OK);
    if (_i >= 2 * (int)COUNT(acts))
        ck_assert_int_eq(acting.trace->methods->begin(acting.trace), ZS_OK);
    check_alloc_sweep(
        &acting.check, acts[_i / 2 % (int)COUNT(acts)], assert_unchanged, &acting);
    zs_batch_free(acting.out);
    zs_trace_free(acting.trace);
    zs_cells_free(acting.cells);
    check_alloc_end(&acting.check);
}
END_TEST

static int make_memory_trace(void *ctx)
{
    struct acting *acting = ctx;
    return zs_memory_trace_new(&acting->check.alloc, &acting->trace);
}

static int make_cells_trace(void *ctx)
{
    struct acting *acting = ctx;
    return zs_cells_trace_new(&acting->check.alloc, acting->cells, 0, &acting->trace);
}

static void assert_no_trace(void *ctx)
{
    struct acting *acting = ctx;
    ck_assert_ptr_null(acting->trace);
    check_alloc_end(&acting->check);
}

START_TEST(without_memory_there_is_no_trace)
{
    struct acting acting = {.cells = NULL};

    check_alloc_init(&acting.check);
    check_alloc_sweep(&acting.check, make_memory_trace, assert_no_trace, &acting);
    zs_trace_free(acting.trace);
    check_alloc_sweep(&acting.check, make_cells_trace, assert_no_trace, &acting);
    zs_trace_free(acting.trace);
    check_alloc_end(&acting.check);
}
END_TEST

/* The laws */

static const struct {
    enum trace_fault fault;
    const struct property *caught_by;
} rivals[] = {
    {TRACE_KEEPS_ZEROS, &trace_integral},
    {TRACE_REPLACES, &trace_integral},
    {TRACE_WRONG_SIGN, &trace_integral},
    {TRACE_CONFUSES_KEY_AND_VALUE, &trace_integral},
    {TRACE_FROM_EXCLUSIVE, &trace_reading},
    {TRACE_TO_INCLUSIVE, &trace_reading},
    {TRACE_IGNORES_VALUE_SPAN, &trace_reading},
    {TRACE_IGNORES_LIMIT, &trace_reading},
    {TRACE_LIMITS_FROM_START, &trace_reading},
    {TRACE_LAST_FIRST, &trace_reading},
    {TRACE_EMPTIES_OUT, &trace_reading},
    {TRACE_WRAPS, &trace_overflow},
    {TRACE_CHANGES_ON_OVERFLOW, &trace_overflow},
    {TRACE_UNDOES_OLDEST_FIRST, &trace_rollback},
    {TRACE_COMMIT_FORGETS, &trace_rollback},
    {TRACE_ROLLBACK_OF_ALL, &trace_rollback},
    {TRACE_UPDATE_TELLS_AFTER, &trace_many},
    {TRACE_UPDATE_LOOKS_ONCE, &trace_many},
    {TRACE_MATCH_FIRST_ONLY, &trace_many},
    {TRACE_MATCH_SKIPS_REPEATED, &trace_many},
};

enum { N_CASES = 300 };

static const struct {
    const char *name;
    struct trace_subject subject;
} sound[] = {
    {"in memory", {trace_make_memory, TRACE_SOUND, true}},
    {"in memory, keys that are self-delimiting", {trace_make_memory, TRACE_SOUND, false}},
    {"over cells", {trace_make_over_cells, TRACE_SOUND, false}},
    {"the model", {trace_make_model, TRACE_SOUND, true}},
};

START_TEST(a_sound_trace_keeps_the_laws)
{
    for (unsigned i = 0; trace_properties[i] != NULL; i++)
        property_must_hold(trace_properties[i], sound[_i].name, &sound[_i].subject, N_CASES);
}
END_TEST

START_TEST(the_laws_catch_every_rival)
{
    struct trace_subject subject = {trace_make_model, rivals[_i].fault, true};
    struct rival rival = {"the model with a fault", &subject, rivals[_i].caught_by};
    property_must_catch(&rival, N_CASES);
}
END_TEST

START_TEST(every_fault_is_caught_by_a_law)
{
    bool is_caught[TRACE_N_FAULTS] = {[TRACE_SOUND] = true};

    for (size_t i = 0; i < COUNT(rivals); i++)
        is_caught[rivals[i].fault] = true;
    for (unsigned i = 0; i < TRACE_N_FAULTS; i++)
        ck_assert_msg(is_caught[i], "fault %u", i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace");
    TCase *cases = tcase_create("cases");
    TCase *laws = tcase_create("laws");

    random_announce();
    tcase_add_loop_test(cases, a_prefix_spans_what_begins_with_it, 0, COUNT(prefixes));
    tcase_add_test(cases, a_prefix_without_memory_has_no_end);
    tcase_add_loop_test(cases, an_element_is_a_cell_as_the_format_says, 0, COUNT(formats));
    tcase_add_loop_test(cases, cells_that_no_trace_wrote_are_corrupt, 0, COUNT(corrupt));
    tcase_add_test(cases, a_retraction_cancels_its_insertion);
    tcase_add_test(cases, a_span_to_the_empty_bytes_is_empty);
    tcase_add_test(cases, many_elements_are_read_as_the_batch_that_they_came_from);
    tcase_add_loop_test(cases, without_memory_nothing_changes, 0, 4 * COUNT(acts));
    tcase_add_test(cases, without_memory_there_is_no_trace);
    tcase_add_loop_test(laws, a_sound_trace_keeps_the_laws, 0, COUNT(sound));
    tcase_add_loop_test(laws, the_laws_catch_every_rival, 0, COUNT(rivals));
    tcase_add_test(laws, every_fault_is_caught_by_a_law);
    tcase_set_timeout(cases, 60);
    tcase_set_timeout(laws, 300);
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, laws);
    return suite_run(suite);
}
