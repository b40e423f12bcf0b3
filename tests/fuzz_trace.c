/* Any cells as what a trace has stored: reading, updating and matching are refused, or go
** through. */
#include "core/distinct.h"
#include "core/trace.h"
#include "tests/fuzz.h"

enum { TAG = 3 };

static int look(void *ctx, const struct zs_item *item, const struct zs_item *element)
{
    (void)item;
    *(int64_t *)ctx += element->weight != 0;
    return element->value.len > 200 ? ZS_CALLBACK : ZS_OK;
}

/* Keys of a trace must say where they end: a length and so many bytes do. */
static struct zs_bytes key_of(struct fuzz_input *input)
{
    struct zs_bytes key = fuzz_bytes(input);

    return key.len > 0 ? (struct zs_bytes){key.data - 1, key.len + 1} : key;
}

static void use(struct fuzz_input *input, struct zs_trace *trace)
{
    int64_t n_seen = 0, before[4];
    struct zs_delta delta, out;
    struct zs_bytes key = key_of(input);
    size_t n;

    FUZZ_MUST(zs_delta_init(&delta, &zs_alloc_libc) == ZS_OK);
    FUZZ_MUST(zs_delta_init(&out, &zs_alloc_libc) == ZS_OK);
    (void)!zs_trace_range(trace, zs_span_all(), (int8_t)fuzz_byte(input), out.rows);
    (void)!zs_trace_lookup(trace, key, zs_span_all(), (int8_t)fuzz_byte(input), out.rows);
    for (int left = fuzz_byte(input) % 5; left > 0; left--)
        FUZZ_MUST(zs_batch_add(delta.rows, key_of(input), fuzz_bytes(input),
                      (int8_t)fuzz_byte(input)) == ZS_OK);
    if (zs_delta_consolidate(&delta) == ZS_OK) {
        struct zs_distinct distinct = {.alloc = &zs_alloc_libc, .trace = trace};

        n = zs_batch_len(delta.rows);
        (void)!zs_trace_match(
            trace, &zs_alloc_libc, zs_batch_items(delta.rows), n, look, &n_seen);
        (void)!zs_trace_update(trace, &zs_alloc_libc, zs_batch_items(delta.rows), n, before);
        zs_delta_reset(&out);
        (void)!zs_distinct_step(&distinct, &delta, &out);
    }
    zs_delta_clear(&delta);
    zs_delta_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct zs_cells *cells;
    struct zs_trace *trace;

    FUZZ_MUST(zs_memory_cells_new(&zs_alloc_libc, &cells) == ZS_OK);
    FUZZ_MUST(zs_cells_trace_new(&zs_alloc_libc, cells, TAG, &trace) == ZS_OK);
    fuzz_fill(&input, cells, TAG, 12);
    use(&input, trace);
    zs_trace_free(trace);
    zs_cells_free(cells);
    return 0;
}
