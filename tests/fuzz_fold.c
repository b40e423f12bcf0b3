/* Any bytes as the state of a group and of its values: a step over it is refused, or goes
** through and leaves what can be stepped again. */
#include "core/fold.h"
#include "tests/fuzz.h"

enum { KEYS = 2, ARGUMENTS = 2, TAG = 7 };

static int count_rows(void *ctx, unsigned number, const struct zs_batch *rows,
    struct zs_buffer *value, bool *is_error)
{
    (void)ctx;
    (void)number;
    *is_error = zs_batch_len(rows) == 3;
    if (*is_error)
        return zs_buffer_append(value, "three", 5);
    return zs_row_append_integer(value, (int64_t)zs_batch_len(rows));
}

/* Which of a few folds the input means. */
static struct zs_fold *choose_fold(struct fuzz_input *input)
{
    static const struct zs_fold_spec specs[] = {
        {.kind = ZS_COUNT_ROWS},
        {.kind = ZS_SUM, .argument = 0},
        {.kind = ZS_AVG, .argument = 1, .is_distinct = true},
        {.kind = ZS_MIN, .argument = 0, .collation = ZS_NOCASE},
        {.kind = ZS_UNANIMOUS, .argument = 1},
        {.kind = ZS_REFOLD, .argument = 0, .n_arguments = 2},
        {.kind = ZS_MAX, .argument = 1, .collation = ZS_RTRIM},
        {.kind = ZS_COUNT, .argument = 0, .is_distinct = true},
    };
    unsigned first = fuzz_byte(input) % 8, n = 1 + fuzz_byte(input) % (8 - first);
    unsigned choice = fuzz_byte(input) % 3;
    struct zs_fold *fold;

    FUZZ_MUST(zs_sql_fold_new(&zs_alloc_libc, KEYS, ARGUMENTS, specs + first, n,
                  fuzz_byte(input) % 4 == 0, &fold) == ZS_OK);
    zs_fold_set_refold(fold, count_rows, NULL);
    FUZZ_MUST(zs_fold_set_choice(fold, (enum zs_choice)choice, 1, ZS_BINARY) == ZS_OK);
    return fold;
}

static void add_row(struct fuzz_input *input, struct zs_bytes key, struct zs_delta *delta)
{
    int64_t weight = (int8_t)fuzz_byte(input);
    struct zs_buffer row;

    zs_buffer_init(&row, &zs_alloc_libc);
    for (int i = 0; i < KEYS + ARGUMENTS; i++) {
        struct zs_value value = fuzz_value(input);
        FUZZ_MUST(zs_row_append_identity(&row, &value) == ZS_OK);
    }
    FUZZ_MUST(zs_batch_add(delta->rows, key, zs_buffer_bytes(&row), weight) == ZS_OK);
    zs_buffer_clear(&row);
}

static void step(struct fuzz_input *input, const struct zs_aggregate *aggregate)
{
    static const uint8_t null[] = {0};
    struct zs_bytes key = {null, aggregate->fold->is_global ? 0 : 1};
    struct zs_delta delta, out;

    FUZZ_MUST(zs_delta_init(&delta, &zs_alloc_libc) == ZS_OK);
    FUZZ_MUST(zs_delta_init(&out, &zs_alloc_libc) == ZS_OK);
    for (int n = fuzz_byte(input) % 4; n > 0; n--)
        add_row(input, key, &delta);
    if (zs_delta_consolidate(&delta) == ZS_OK)
        (void)!zs_aggregate_step(aggregate, &delta, &out);
    zs_delta_clear(&delta);
    zs_delta_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t null[] = {0};
    struct fuzz_input input = {data, size};
    struct zs_aggregate aggregate = {.alloc = &zs_alloc_libc};
    struct zs_fold *fold = choose_fold(&input);
    struct zs_cells *values;

    aggregate.fold = fold;
    FUZZ_MUST(zs_memory_cells_new(&zs_alloc_libc, &aggregate.states) == ZS_OK);
    FUZZ_MUST(zs_memory_cells_new(&zs_alloc_libc, &values) == ZS_OK);
    FUZZ_MUST(zs_cells_trace_new(&zs_alloc_libc, values, TAG, &aggregate.multiset) == ZS_OK);
    fuzz_fill(&input, values, TAG, 8);
    FUZZ_MUST(zs_cells_put(aggregate.states, (struct zs_bytes){null, fold->is_global ? 0 : 1},
                  fuzz_bytes(&input)) == ZS_OK);
    step(&input, &aggregate);
    step(&input, &aggregate);
    zs_trace_free(aggregate.multiset);
    zs_cells_free(values);
    zs_cells_free(aggregate.states);
    zs_fold_free(fold);
    return 0;
}
