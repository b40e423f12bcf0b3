/* A circuit moves between threads, one at a time: each tick is run by a new one, a transaction
** that one begins is rolled back by another, and all equals a circuit that never moved. Two
** circuits are used at once, since nothing is global. Built and run under ThreadSanitizer by
** test_threads.sh too. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/circuit.h"

enum { TICKS = 40, ROWS = 30 };

/* A circuit that joins its input with what came a tick before. */
struct subject {
    struct zs_circuit *circuit;
    struct zs_input input;
    struct zs_stream streams[4];
    struct zs_output output;
    unsigned tick;
    int rc;
};

static int pair(void *ctx, struct zs_bytes key, struct zs_bytes left, struct zs_bytes right,
    struct zs_buffer *out_key, struct zs_buffer *out_value)
{
    int rc = zs_buffer_append(out_key, key.data, key.len);

    (void)ctx;
    (void)left;
    return rc == ZS_OK ? zs_buffer_append(out_value, right.data, right.len) : rc;
}

static void then(struct subject *subject, int rc)
{
    if (subject->rc == ZS_OK)
        subject->rc = rc;
}

static void *build(void *ctx)
{
    struct subject *subject = ctx;
    struct zs_stream *streams = subject->streams;

    then(subject, zs_circuit_new(&zs_alloc_libc, &subject->circuit));
    then(subject, zs_circuit_input(subject->circuit, &subject->input, &streams[0]));
    then(subject, zs_circuit_delay(subject->circuit, streams[0], &streams[1]));
    then(subject, zs_circuit_join(subject->circuit, streams[0], streams[1], pair, NULL, NULL,
                      NULL, &streams[2]));
    then(subject, zs_circuit_distinct(subject->circuit, streams[2], NULL, &streams[3]));
    then(subject, zs_circuit_output(subject->circuit, streams[3], &subject->output));
    return NULL;
}

static void push(struct subject *subject, unsigned salt)
{
    struct zs_batch *rows = NULL;

    then(subject, zs_batch_new(&zs_alloc_libc, &rows));
    for (unsigned i = 0; subject->rc == ZS_OK && i < ROWS; i++) {
        uint8_t bytes[2] = {(uint8_t)((i * 7 + salt) % 11), (uint8_t)((i * salt) % 5)};
        then(subject, zs_batch_add(rows, (struct zs_bytes){bytes, 1},
                          (struct zs_bytes){bytes + 1, 1}, (int64_t)(i + salt) % 3 - 1));
    }
    if (subject->rc == ZS_OK)
        then(subject, zs_circuit_give(subject->circuit, subject->input, rows));
    zs_batch_free(rows);
}

static void *begin_and_step(void *ctx)
{
    struct subject *subject = ctx;

    then(subject, zs_circuit_begin(subject->circuit));
    push(subject, subject->tick + 1000);
    then(subject, zs_circuit_step(subject->circuit));
    return NULL;
}

static void *roll_back(void *ctx)
{
    struct subject *subject = ctx;
    then(subject, zs_circuit_rollback(subject->circuit));
    return NULL;
}

static void *step(void *ctx)
{
    struct subject *subject = ctx;

    push(subject, subject->tick++);
    then(subject, zs_circuit_step(subject->circuit));
    return NULL;
}

/* Each act of two circuits at once, each on a thread of its own. */
static void act(struct subject subjects[2], void *(*function)(void *ctx))
{
    pthread_t threads[2];

    for (unsigned i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, function, &subjects[i]) != 0)
            abort();
    }
    for (unsigned i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static bool is_equal(const struct zs_batch *a, const struct zs_batch *b)
{
    bool is_same = zs_batch_len(a) == zs_batch_len(b);

    for (size_t i = 0; is_same && i < zs_batch_len(a); i++) {
        const struct zs_item *item = &zs_batch_items(a)[i];
        const struct zs_item *other = &zs_batch_items(b)[i];
        is_same = zs_bytes_equal(item->key, other->key) && item->weight == other->weight &&
                  zs_bytes_equal(item->value, other->value);
    }
    return is_same;
}

int main(void)
{
    struct subject moved[2] = {{0}};
    struct subject still = {0};
    struct zs_delta sums[3] = {{0}};
    size_t n_rows;
    bool is_same;

    act(moved, build);
    build(&still);
    for (unsigned i = 0; i < TICKS; i++) {
        if (i % 3 == 0) {
            act(moved, begin_and_step);
            act(moved, roll_back);
        }
        act(moved, step);
        step(&still);
    }
    for (unsigned i = 0; i < 3; i++) {
        struct subject *subject = i < 2 ? &moved[i] : &still;
        then(subject, zs_delta_init(&sums[i], &zs_alloc_libc));
        then(subject, zs_circuit_take(subject->circuit, subject->output, &sums[i]));
    }
    if (moved[0].rc != ZS_OK || moved[1].rc != ZS_OK || still.rc != ZS_OK)
        return EXIT_FAILURE;
    n_rows = zs_batch_len(sums[2].rows);
    is_same = is_equal(sums[0].rows, sums[2].rows) && is_equal(sums[1].rows, sums[2].rows);
    for (unsigned i = 0; i < 3; i++) {
        zs_delta_clear(&sums[i]);
        zs_circuit_free(i < 2 ? moved[i].circuit : still.circuit);
    }
    printf("%zu rows, %s\n", n_rows, is_same ? "the same on every thread" : "not the same");
    return n_rows > 0 && is_same ? EXIT_SUCCESS : EXIT_FAILURE;
}
