/* A small circuit for examples. */
#include "tests/small_circuit.h"

#include <check.h>

#include "tests/delta_text.h"

void small_build(struct small *small, const struct zs_alloc *alloc)
{
    ck_assert_int_eq(zs_circuit_new(alloc, &small->circuit), ZS_OK);
    ck_assert_int_eq(zs_circuit_input(small->circuit, &small->input, &small->rows), ZS_OK);
    ck_assert_int_eq(
        zs_circuit_distinct(small->circuit, small->rows, NULL, &small->unique), ZS_OK);
    ck_assert_int_eq(zs_circuit_output(small->circuit, small->unique, &small->output), ZS_OK);
}

int small_push(struct zs_circuit *circuit, struct zs_input input, const char *text)
{
    struct zs_delta delta = {0};
    int rc = zs_delta_init(&delta, &zs_alloc_libc);

    if (rc == ZS_OK)
        rc = delta_read(text, &delta);
    if (rc == ZS_OK)
        rc = zs_circuit_push(circuit, input, delta.rows);
    zs_delta_clear(&delta);
    return rc;
}

const char *small_current(struct zs_circuit *circuit, struct zs_stream stream)
{
    const struct zs_delta *delta;

    ck_assert_int_eq(zs_circuit_current(circuit, stream, &delta), ZS_OK);
    return delta_text(delta);
}

const char *small_take(struct zs_circuit *circuit, struct zs_output output)
{
    struct zs_delta sum = {0};
    const char *text;

    ck_assert_int_eq(zs_delta_init(&sum, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_circuit_take(circuit, output, &sum), ZS_OK);
    text = delta_text(&sum);
    zs_delta_clear(&sum);
    return text;
}

const char *small_trace(struct zs_trace *trace)
{
    struct zs_delta all = {0};
    const char *text;

    ck_assert_int_eq(zs_delta_init(&all, &zs_alloc_libc), ZS_OK);
    ck_assert_int_eq(zs_trace_range(trace, zs_span_all(), 0, all.rows), ZS_OK);
    text = delta_text(&all);
    zs_delta_clear(&all);
    return text;
}
