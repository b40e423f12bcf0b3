/* What a trace in memory costs: nanoseconds of CPU time an element to apply, look up, read a
** range and undo, in batches of 1, 100 and 10,000, with 1,000 to 1,000,000 keys there; and its
** bytes a key. Run by make bench-trace. Whoever has another trace to measure compiles this with
** -Dzs_memory_trace_new=NAME. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/row.h"
#include "core/trace.h"
#include "tests/random.h"

enum { MEASURED = 200000, UNDONE_MAX = 1000 };

static void check(int rc)
{
    if (rc != ZS_OK) {
        fprintf(stderr, "status %d\n", rc);
        exit(1);
    }
}

static double nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Memory from the C library, with its size in front. */

enum { HEADER = 16 };

static size_t n_bytes;

static void *counted_resize(void *ctx, void *p, size_t n)
{
    char *old = p == NULL ? NULL : (char *)p - HEADER;
    size_t before = old == NULL ? 0 : *(size_t *)old;
    char *block = realloc(old, n + HEADER);

    (void)ctx;
    if (block == NULL)
        return NULL;
    *(size_t *)block = n;
    n_bytes += n - before;
    return block + HEADER;
}

static void counted_release(void *ctx, void *p)
{
    (void)ctx;
    if (p == NULL)
        return;
    n_bytes -= *(size_t *)((char *)p - HEADER);
    free((char *)p - HEADER);
}

static const struct zs_alloc counted = {counted_resize, counted_release, NULL};

/* Batches, made in advance. */

static int64_t *shuffled(unsigned n, struct random *random)
{
    int64_t *numbers = malloc(n * sizeof(*numbers));

    if (numbers == NULL)
        check(ZS_NOMEM);
    for (unsigned i = 0; i < n; i++) {
        unsigned k = random_below(random, i + 1);
        numbers[i] = numbers[k];
        numbers[k] = i;
    }
    return numbers;
}

/* Elements of the keys, one each, of which every number makes one. */
static struct zs_batch *make_batch(const int64_t *numbers, unsigned n)
{
    struct zs_batch *batch;
    struct zs_buffer key;
    struct zs_buffer value;

    zs_buffer_init(&key, &zs_alloc_libc);
    zs_buffer_init(&value, &zs_alloc_libc);
    check(zs_batch_new(&zs_alloc_libc, &batch));
    for (unsigned i = 0; i < n; i++) {
        struct zs_value integer = {.type = ZS_INTEGER, .integer = numbers[i]};
        zs_buffer_reset(&key);
        zs_buffer_reset(&value);
        check(zs_row_append_comparison(&key, &integer, ZS_BINARY));
        check(zs_row_append_identity(&value, &integer));
        check(zs_batch_add(batch, zs_buffer_bytes(&key), zs_buffer_bytes(&value), 1));
    }
    check(zs_batch_consolidate(batch));
    zs_buffer_clear(&key);
    zs_buffer_clear(&value);
    return batch;
}

struct batches {
    struct zs_batch **all;
    unsigned n;
};

/* n numbers in batches of that size. */
static struct batches make_batches(const int64_t *numbers, unsigned n, unsigned size)
{
    struct batches batches = {.n = (n + size - 1) / size};

    batches.all = malloc(batches.n * sizeof(struct zs_batch *));
    if (batches.all == NULL)
        check(ZS_NOMEM);
    for (unsigned i = 0; i < batches.n; i++)
        batches.all[i] =
            make_batch(numbers + i * size, n - i * size < size ? n - i * size : size);
    return batches;
}

static void free_batches(struct batches *batches)
{
    for (unsigned i = 0; i < batches->n; i++)
        zs_batch_free(batches->all[i]);
    free(batches->all);
}

/* What is measured. */

static int see(void *ctx, const struct zs_item *item, const struct zs_item *element)
{
    (void)item;
    *(int64_t *)ctx += element->weight;
    return ZS_OK;
}

static void apply(struct zs_trace *trace, const struct zs_batch *batch)
{
    check(zs_trace_apply_all(trace, zs_batch_items(batch), zs_batch_len(batch)));
}

static void look_up(struct zs_trace *trace, const struct zs_batch *batch, int64_t *sum)
{
    check(zs_trace_match(
        trace, &zs_alloc_libc, zs_batch_items(batch), zs_batch_len(batch), see, sum));
}

static void undo(struct zs_trace *trace, const struct zs_batch *batch)
{
    check(zs_trace_begin(trace));
    apply(trace, batch);
    zs_trace_rollback(trace);
}

/* As many elements as the batch has, from where it begins; returns how many there were. */
static size_t read_range(
    struct zs_trace *trace, const struct zs_batch *batch, struct zs_batch *out)
{
    struct zs_span span = {.from = zs_batch_items(batch)[0].key};

    zs_batch_reset(out);
    check(zs_trace_range(trace, span, (int64_t)zs_batch_len(batch), out));
    return zs_batch_len(out);
}

static void measure(unsigned n, unsigned size)
{
    struct random random = random_new(n + size);
    int64_t *numbers = shuffled(n, &random);
    struct batches batches = make_batches(numbers, n, size);
    unsigned n_measured = MEASURED < n ? (MEASURED + size - 1) / size : batches.n;
    size_t n_undone = 0;
    size_t n_read = 0;
    size_t n_found = 0;
    int64_t sum = 0;
    struct zs_trace *trace;
    struct zs_batch *out;
    double at[5];

    check(zs_batch_new(&zs_alloc_libc, &out));
    check(zs_memory_trace_new(&counted, &trace));
    at[0] = nanoseconds();
    for (unsigned i = 0; i < batches.n; i++)
        apply(trace, batches.all[i]);
    printf("%9u %7u %8.0f", n, size, (nanoseconds() - at[0]) / n);
    at[1] = nanoseconds();
    for (unsigned i = 0; i < n_measured; i++) {
        n_found += zs_batch_len(batches.all[i]);
        look_up(trace, batches.all[i], &sum);
    }
    at[2] = nanoseconds();
    for (unsigned i = 0; i < n_measured; i++)
        n_read += read_range(trace, batches.all[i], out);
    at[3] = nanoseconds();
    for (unsigned i = 0; i < n_measured && i < UNDONE_MAX; i++) {
        n_undone += zs_batch_len(batches.all[i]);
        undo(trace, batches.all[i]);
    }
    at[4] = nanoseconds();
    if (sum != (int64_t)n_found)
        check(ZS_CORRUPT);
    printf(" %8.0f %8.0f %8.0f %8.0f\n", (at[2] - at[1]) / (double)n_found,
        (at[3] - at[2]) / (double)n_read, (at[4] - at[3]) / (double)n_undone,
        (double)n_bytes / n);
    zs_trace_free(trace);
    zs_batch_free(out);
    free_batches(&batches);
    free(numbers);
}

/* Arguments: a number of keys and a batch size, to measure only these. */
int main(int argc, char **argv)
{
    static const unsigned sizes[] = {1, 100, 10000};

    printf("%9s %7s %8s %8s %8s %8s %8s\n", "keys", "batch", "apply", "look up", "range",
        "undo", "bytes");
    printf("%17s %35s %8s\n", "", "nanoseconds of CPU time an element", "a key");
    if (argc == 3) {
        measure((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]));
        return 0;
    }
    for (unsigned n = 1000; n <= 1000000; n *= 10) {
        for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            measure(n, sizes[i]);
    }
    return 0;
}
