/* How many rows a CPU-second the circuit takes in: count and exact sum of doubles over groups,
** a join by key, distinct; in batches of 1, 100 and 1,000 rows, without a transaction and in
** one that is open all the time. Run by make bench-core. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/circuit.h"
#include "core/fold.h"
#include "tests/random.h"

enum {
    ROWS = 600000,
    ROWS_ONE_BY_ONE = 200000,
    GROUPS = 1000,
    ORDERS = 120000,
    VALUES = 100000
};

static void check(int rc)
{
    if (rc != ZS_OK) {
        fprintf(stderr, "status %d\n", rc);
        exit(1);
    }
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The circuits: up to two inputs, and which of them row i goes to, with which key and value. */

struct bench {
    struct zs_circuit *circuit;
    struct zs_input inputs[2];
    struct zs_fold *fold;
    unsigned *order; /* of the join's keys on the left */
    struct random random;
};

struct scene {
    const char *name;
    int (*build)(struct bench *bench);
    unsigned (*make_row)(
        struct bench *bench, unsigned i, struct zs_buffer *key, struct zs_buffer *value);
};

static int append_integer(struct zs_buffer *row, bool is_key, int64_t integer)
{
    struct zs_value value = {.type = ZS_INTEGER, .integer = integer};
    return is_key ? zs_row_append_comparison(row, &value, ZS_BINARY)
                  : zs_row_append_identity(row, &value);
}

static int append_real(struct zs_buffer *row, double real)
{
    return zs_row_append_identity(row, &(struct zs_value){.type = ZS_REAL, .real = real});
}

/* SELECT g, count(*), sum(x) FROM t GROUP BY g */

static int build_sums(struct bench *bench)
{
    static const struct zs_fold_spec specs[] = {{.kind = ZS_COUNT_ROWS}, {.kind = ZS_SUM}};
    struct zs_stream rows;
    struct zs_stream out;
    int rc = zs_sql_fold_new(&zs_alloc_libc, 1, 1, specs, 2, false, &bench->fold);

    if (rc == ZS_OK)
        rc = zs_circuit_input(bench->circuit, &bench->inputs[0], &rows);
    if (rc == ZS_OK)
        rc = zs_circuit_aggregate(bench->circuit, rows, bench->fold, NULL, NULL, &out);
    return rc;
}

static unsigned make_addend(
    struct bench *bench, unsigned i, struct zs_buffer *key, struct zs_buffer *value)
{
    int64_t group = random_below(&bench->random, GROUPS);
    double cents = (double)random_below(&bench->random, 10000000);

    (void)i;
    check(append_integer(key, true, group));
    check(append_integer(value, false, group));
    check(append_real(value, cents / 100));
    return 0;
}

/* SELECT o.k, o.x, l.y FROM o JOIN l USING (k): one row in five goes to o, where keys are
** unique, the others to l. */

static int make_pair(void *ctx, struct zs_bytes key, struct zs_bytes left,
    struct zs_bytes right, struct zs_buffer *out_key, struct zs_buffer *out_value)
{
    int rc = zs_buffer_append(out_key, key.data, key.len);

    (void)ctx;
    if (rc == ZS_OK)
        rc = zs_buffer_append(out_value, left.data, left.len);
    return rc == ZS_OK ? zs_buffer_append(out_value, right.data, right.len) : rc;
}

static int build_join(struct bench *bench)
{
    struct zs_stream streams[2];
    struct zs_stream out;
    int rc = zs_circuit_input(bench->circuit, &bench->inputs[0], &streams[0]);

    if (rc == ZS_OK)
        rc = zs_circuit_input(bench->circuit, &bench->inputs[1], &streams[1]);
    if (rc == ZS_OK)
        rc = zs_circuit_join(
            bench->circuit, streams[0], streams[1], make_pair, NULL, NULL, NULL, &out);
    return rc;
}

static void shuffle_orders(struct bench *bench)
{
    bench->order = malloc(ORDERS * sizeof(*bench->order));
    if (bench->order == NULL)
        check(ZS_NOMEM);
    for (unsigned i = 0; i < ORDERS; i++) {
        unsigned k = random_below(&bench->random, i + 1);
        bench->order[i] = bench->order[k];
        bench->order[k] = i;
    }
}

static unsigned make_side(
    struct bench *bench, unsigned i, struct zs_buffer *key, struct zs_buffer *value)
{
    bool is_line = i % 5 > 0;
    unsigned k = random_below(&bench->random, ORDERS);

    if (bench->order == NULL)
        shuffle_orders(bench);
    check(append_integer(key, true, is_line ? k : bench->order[i / 5]));
    check(append_integer(value, false, i));
    return is_line;
}

/* SELECT DISTINCT x FROM t */

static int build_distinct(struct bench *bench)
{
    struct zs_stream rows;
    struct zs_stream out;
    int rc = zs_circuit_input(bench->circuit, &bench->inputs[0], &rows);

    return rc == ZS_OK ? zs_circuit_distinct(bench->circuit, rows, NULL, &out) : rc;
}

static unsigned make_value(
    struct bench *bench, unsigned i, struct zs_buffer *key, struct zs_buffer *value)
{
    (void)i;
    (void)key;
    check(append_integer(value, false, random_below(&bench->random, VALUES)));
    return 0;
}

/* Measuring. The rows are made in advance. */

static void make_batch(const struct scene *scene, struct bench *bench, unsigned first,
    unsigned n, struct zs_batch *batches[2])
{
    struct zs_buffer key;
    struct zs_buffer value;

    zs_buffer_init(&key, &zs_alloc_libc);
    zs_buffer_init(&value, &zs_alloc_libc);
    check(zs_batch_new(&zs_alloc_libc, &batches[0]));
    check(zs_batch_new(&zs_alloc_libc, &batches[1]));
    for (unsigned i = first; i < first + n; i++) {
        unsigned input;
        zs_buffer_reset(&key);
        zs_buffer_reset(&value);
        input = scene->make_row(bench, i, &key, &value);
        check(zs_batch_add(batches[input], zs_buffer_bytes(&key), zs_buffer_bytes(&value), 1));
    }
    zs_buffer_clear(&key);
    zs_buffer_clear(&value);
}

static void run_batch(struct bench *bench, struct zs_batch *batches[2])
{
    for (unsigned i = 0; i < 2; i++) {
        if (zs_batch_len(batches[i]) > 0)
            check(zs_circuit_give(bench->circuit, bench->inputs[i], batches[i]));
    }
    check(zs_circuit_step(bench->circuit));
}

/* Rows a CPU-second. */
static double measure(const struct scene *scene, unsigned batch, bool is_in_transaction)
{
    struct bench bench = {.random = random_new(1)};
    unsigned n = (batch == 1 ? ROWS_ONE_BY_ONE : ROWS) / batch;
    struct zs_batch *(*batches)[2] = malloc(n * sizeof(*batches));
    double seconds;

    if (batches == NULL)
        check(ZS_NOMEM);
    check(zs_circuit_new(&zs_alloc_libc, &bench.circuit));
    check(scene->build(&bench));
    for (unsigned i = 0; i < n; i++)
        make_batch(scene, &bench, i * batch, batch, batches[i]);
    seconds = cpu_seconds();
    if (is_in_transaction)
        check(zs_circuit_begin(bench.circuit));
    for (unsigned i = 0; i < n; i++)
        run_batch(&bench, batches[i]);
    if (is_in_transaction)
        check(zs_circuit_commit(bench.circuit));
    seconds = cpu_seconds() - seconds;
    for (unsigned i = 0; i < n; i++) {
        zs_batch_free(batches[i][0]);
        zs_batch_free(batches[i][1]);
    }
    free(batches);
    free(bench.order);
    zs_circuit_free(bench.circuit);
    zs_fold_free(bench.fold);
    return n * batch / seconds;
}

static const struct scene scenes[] = {
    {"count and exact sum of doubles, 1,000 groups", build_sums, make_addend},
    {"join by key, 1 to 4", build_join, make_side},
    {"distinct, 100,000 values", build_distinct, make_value},
};

/* Arguments: the number of one scene and one batch size, to profile. */
int main(int argc, char **argv)
{
    static const unsigned sizes[] = {1, 100, 1000};

    random_announce();
    if (argc == 3) {
        const struct scene *scene = &scenes[atoi(argv[1]) % 3];
        printf("%.2f\n", measure(scene, (unsigned)atoi(argv[2]), false) / 1e6);
        return 0;
    }
    printf("%-46s %6s %8s %8s   million rows a CPU-second\n", "", "batch", "plain", "in txn");
    for (unsigned i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
        for (unsigned k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
            printf("%-46s %6u %8.2f %8.2f\n", scenes[i].name, sizes[k],
                measure(&scenes[i], sizes[k], false) / 1e6,
                measure(&scenes[i], sizes[k], true) / 1e6);
    }
    return 0;
}
